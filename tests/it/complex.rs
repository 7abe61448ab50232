//! `with::Complex` on structs of one's own, whose two parts go by their names.

use crate::python::python;
use crate::with::{Field, behind_a_buffer, descr, invisible, of, read_fails, reads, round_trips, write_fails, written};
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_npy::{DType, Header, WriteOptions};
use std::fs;

macro_rules! structs {
    ($($(#[$meta:meta])* $name:ident $field:ident { $($(#[$part_meta:meta])* $part:ident: $type:ty),* })*) => {$(
        #[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
        $(#[$meta])*
        struct $name { $($(#[$part_meta])* $part: $type),* }

        fields! { $field $name; }
    )*};
}

macro_rules! fields {
    ($($field:ident $type:ty;)*) => {$(
        #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
        struct $field {
            #[serde(with = "serde_npy::with::Complex")]
            x: $type,
        }

        impl Field for $field {
            type Type = $type;

            fn of(x: $type) -> Self {
                $field { x }
            }
        }
    )*};
}

structs! {
    Single SingleField { re: f32, im: f32 }
    Double DoubleField { re: f64, im: f64 }
    Mixed MixedField { re: f32, im: f64 }
    Swapped SwappedField { im: f64, re: f64 }
    Spelled SpelledField { real: f64, imag: f64 }
    Aliased AliasedField { #[serde(alias = "imag")] im: f32, #[serde(alias = "real")] re: f32 }
    #[serde(rename_all = "lowercase", deny_unknown_fields)]
    Renamed RenamedField { #[serde(rename = "im")] y: f64, #[serde(rename = "re")] x: f64 }
    Integers IntegersField { re: i32, im: i32 }
    Three ThreeField { re: f64, im: f64, phase: f64 }
    Half HalfField { re: f64 }
    Foreign ForeignField { re: f64, other: f64 }
    Other OtherField { a: [f32; 2], b: Swapped }
}

fields! {
    Vectors Vec<Swapped>;
    Arrays [[Single; 2]; 3];
    Options Option<Swapped>;
    Tuples (Swapped, Swapped);
}

const SWAPPED: Swapped = Swapped { re: 1.5, im: -2.5 };

#[test]
fn structs_of_two_parts_are_complex_numbers() {
    let parts = |re: f64, im: f64| [re.to_le_bytes(), im.to_le_bytes()].concat();
    round_trips::<SingleField, 2>([Single { re: 1.0, im: -2.0 }, Single { re: f32::MAX, im: -0.0 }], "'<c8'");
    let bytes = round_trips::<DoubleField, 1>([Double { re: 1.5, im: -2.5 }], "'<c16'");
    assert_eq!(bytes[128..], parts(1.5, -2.5));
    // The names decide, not the order.
    for bytes in [
        round_trips::<SwappedField, 1>([SWAPPED], "'<c16'"),
        round_trips::<SpelledField, 1>([Spelled { real: 1.5, imag: -2.5 }], "'<c16'"),
        round_trips::<RenamedField, 1>([Renamed { x: 1.5, y: -2.5 }], "'<c16'"),
    ] {
        assert_eq!(bytes[128..], parts(1.5, -2.5));
    }
    round_trips::<AliasedField, 1>([Aliased { re: 1.5, im: -2.5 }], "'<c8'");
    assert_eq!(descr(&serde_npy::to_vec(&[MixedField { x: Mixed { re: 1.5, im: 2.5 } }]).unwrap()), "[('x', '<c16')]");
    let bytes = round_trips::<Vectors, 2>([vec![SWAPPED; 3], vec![Swapped { re: 0.0, im: 1.0 }; 3]], "'<c16', (3,)");
    assert_eq!(bytes[128..144], parts(1.5, -2.5));
    round_trips::<Arrays, 1>([[[Single { re: 1.0, im: 2.0 }; 2]; 3]], "'<c8', (3, 2)");
    round_trips::<Options, 1>([Some(SWAPPED)], "'<c16'");
    round_trips::<Tuples, 1>([(SWAPPED, SWAPPED)], "'<c16', (2,)");
    // The helper reaches through structs that are no complex number.
    let other = OtherField { x: Other { a: [1.0, 2.0], b: SWAPPED } };
    let bytes = serde_npy::to_vec(std::slice::from_ref(&other)).unwrap();
    assert_eq!(descr(&bytes), "[('x', [('a', '<c8'), ('b', '<c16')])]");
    assert_eq!(serde_npy::from_slice::<Vec<OtherField>>(&bytes).unwrap(), [other]);
}

#[test]
fn an_array_of_structs_is_one_of_complex_numbers() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Plane(#[serde(with = "serde_npy::with::Complex")] Vec<Vec<Swapped>>);
    let plane = Plane(vec![vec![SWAPPED, Swapped { re: 3.0, im: 4.0 }]; 3]);
    let bytes = serde_npy::to_vec(&plane).unwrap();
    let header = Header::read(&bytes[..]).unwrap();
    assert_eq!((header.dtype().to_string(), header.shape()), ("'<c16'".to_owned(), &[3, 2][..]));
    for options in [WriteOptions::default(), WriteOptions::default().fortran_order(true)] {
        let bytes = serde_npy::to_vec_with(&plane, &options).unwrap();
        assert_eq!(serde_npy::from_slice::<Plane>(&bytes).unwrap(), plane);
        assert_eq!(serde_npy::from_reader::<Plane>(&bytes[..]).unwrap(), plane);
    }
    let narrow = WriteOptions::default().dtype("'>c8'".parse().unwrap());
    let bytes = serde_npy::to_vec_with(&plane, &narrow).unwrap();
    assert_eq!(serde_npy::from_slice::<Plane>(&bytes).unwrap(), plane);
    // The type of the elements needs no helper where the dtype is given.
    assert_eq!(serde_npy::to_vec_with(&plane.0, &narrow).unwrap(), bytes);
    assert_eq!(serde_npy::from_slice::<Vec<Vec<Swapped>>>(&bytes).unwrap(), plane.0);
}

#[test]
fn the_dtype_of_the_type_is_that_of_its_values() {
    of::<SingleField>("'<c8'");
    of::<DoubleField>("'<c16'");
    of::<MixedField>("'<c16'");
    of::<SwappedField>("'<c16'");
    of::<SpelledField>("'<c16'");
    of::<AliasedField>("'<c8'");
    of::<RenamedField>("'<c16'");
    of::<Options>("'<c16'");
    of::<Arrays>("'<c8', (3, 2)");
    of::<OtherField>("[('a', '<c8'), ('b', '<c16')]");
    // Without the helper they are records.
    assert_eq!(DType::of::<Swapped>().unwrap().to_string(), "[('im', '<f8'), ('re', '<f8')]");
}

#[test]
fn other_structs_are_refused() {
    let none = "expected a pair of floats, found a number";
    write_fails::<IntegersField>(Integers { re: 1, im: 2 }, &format!("{none} (at `[0].x.re`)"));
    write_fails::<ThreeField>(
        Three { re: 1.0, im: 2.0, phase: 0.5 },
        "expected the other part of a complex number, a float `re` or `im`, found field `phase` (at `[0].x`)",
    );
    write_fails::<ForeignField>(
        Foreign { re: 1.0, other: 2.0 },
        "expected the other part of a complex number, a float `re` or `im`, found field `other` (at `[0].x`)",
    );
    write_fails::<HalfField>(
        Half { re: 1.0 },
        "expected both parts of a complex number, `re` and `im`, found one (at `[0].x`)",
    );
    let file = written((1.5, 2.5), "'<c16'");
    let wrong = |name: &str| {
        format!(
            "expected struct {name}, found a complex number; for that its fields must be `re` and `im` (dtype `<c16`, \
             at `[0].x`, byte 128)"
        )
    };
    read_fails::<ThreeField>(&file, &wrong("Three"));
    read_fails::<HalfField>(&file, &wrong("Half"));
    read_fails::<ForeignField>(&file, &wrong("Foreign"));
    read_fails::<SingleField>(
        &file,
        "expected f32, found a wider float; use f64, or allow rounding by `with::Round` or \
         `ReadOptions::round_floats(true)` (dtype `<c16`, at `[0].x.re`, byte 128)",
    );
    reads::<SwappedField>(&written((1.5, 2.5), "'>c8'"), Swapped { re: 1.5, im: 2.5 });
    // A record of that struct, as it is written without the helper, is read with it too.
    let record = written(SWAPPED, "[('im', '<f8'), ('re', '<f8')]");
    reads::<SwappedField>(&record, SWAPPED);
}

#[test]
fn other_formats_see_the_struct() {
    invisible(&DoubleField { x: Double { re: 1.5, im: 2.5 } }, r#"{"x":{"re":1.5,"im":2.5}}"#);
    invisible(&SwappedField { x: SWAPPED }, r#"{"x":{"im":-2.5,"re":1.5}}"#);
    invisible(&Vectors { x: vec![SWAPPED] }, r#"{"x":[{"im":-2.5,"re":1.5}]}"#);
    invisible(&Options { x: None }, r#"{"x":null}"#);
}

/// Where serde holds the pair that a complex number is to any type, in whatever order the struct has its fields.
#[test]
fn parts_keep_their_places_behind_flatten() {
    behind_a_buffer(DoubleField { x: Double { re: 1.5, im: 2.5 } });
    behind_a_buffer(SwappedField { x: SWAPPED });
    behind_a_buffer(SpelledField { x: Spelled { real: 1.5, imag: 2.5 } });
    behind_a_buffer(Vectors { x: vec![SWAPPED; 2] });
    behind_a_buffer(Options { x: Some(SWAPPED) });
}

#[test]
fn numpy_sees_complex_numbers() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Port {
        #[serde(with = "serde_npy::with::Complex")]
        s11: Swapped,
        #[serde(with = "serde_npy::with::Complex")]
        sweep: [Single; 3],
    }
    let single = |re, im| Single { re, im };
    let ports = [
        Port { s11: SWAPPED, sweep: [single(0.0, 1.0), single(2.0, 3.0), single(-4.0, 5.5)] },
        Port { s11: Swapped { re: f64::MAX, im: -0.0 }, sweep: [single(1e-45, 0.0); 3] },
    ];
    let folder = tempfile::tempdir().unwrap();
    serde_npy::to_path(folder.path().join("ours.npy"), &ports).unwrap();
    let script = r#"
import json, sys
import numpy as np
folder = json.load(sys.stdin)["folder"]
ours = np.load(f"{folder}/ours.npy")
theirs = np.array(
    [(1.5 - 2.5j, [1j, 2 + 3j, -4 + 5.5j]), (complex(1.7976931348623157e308, -0.0), [complex(np.float32(1e-45), 0)] * 3)],
    [("s11", "c16"), ("sweep", "c8", 3)])
assert ours.dtype == theirs.dtype and ours.tobytes() == theirs.tobytes(), (ours, theirs)
np.save(f"{folder}/big.npy", theirs.astype([("s11", ">c16"), ("sweep", ">c8", 3)]))
"#;
    if python(script, json!({"folder": folder.path()}).to_string().as_bytes()).is_some() {
        let bytes = fs::read(folder.path().join("big.npy")).unwrap();
        assert_eq!(serde_npy::from_slice::<[Port; 2]>(&bytes).unwrap(), ports);
    }
}
