//! Records: by name, by position, nested.

use crate::routes::{npy, reads, refuses, ucs4};
use serde::{Deserialize, Serialize};
use serde_npy::{Deserializer, ReadOptions};
use std::collections::{BTreeMap, HashMap};

/// Two records of `a` and `b`, as any of the tests wants them.
const TWO: (&str, &[u8]) = ("[('a', '<i2'), ('b', '|u1')]", &[1, 0, 2, 3, 0, 4]);

fn two() -> Vec<u8> {
    npy(TWO.0, "(2,)", TWO.1)
}

#[derive(Deserialize, Serialize, PartialEq, Debug)]
struct Ab {
    a: i16,
    b: u8,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Ba {
    b: u8,
    a: i16,
}

#[derive(Deserialize, PartialEq, Debug)]
struct OnlyA {
    a: i16,
}

#[test]
fn fields_match_by_name_in_any_order() {
    reads(&two(), vec![Ab { a: 1, b: 2 }, Ab { a: 3, b: 4 }]);
    reads(&two(), vec![Ba { b: 2, a: 1 }, Ba { b: 4, a: 3 }]);
    reads(&two(), [Ab { a: 1, b: 2 }, Ab { a: 3, b: 4 }]);
    reads(&two(), (Ab { a: 1, b: 2 }, Ba { b: 4, a: 3 }));
    reads(&npy(TWO.0, "()", &TWO.1[..3]), Ab { a: 1, b: 2 });
}

#[test]
fn other_fields_are_skipped() {
    reads(&two(), vec![OnlyA { a: 1 }, OnlyA { a: 3 }]);
}

/// What nobody asks for is not even looked at.
#[test]
fn skipped_fields_are_not_decoded() {
    let rows: &[(&str, &[u8])] = &[
        ("'|b1'", &[2]),
        ("'|S2'", b"\xff\xfe"),
        ("'<U1'", &[0, 0xd8, 0, 0]),
        ("'<f16'", &[9; 16]),
        ("'<c32'", &[9; 32]),
        ("'<M8'", &[7, 0, 0, 0, 0, 0, 0, 0]),
        ("'|V3'", &[1, 2, 3]),
        ("'<f2'", &[1, 2]),
        ("[('x', '|b1'), ('y', '<U1')]", &[2, 0, 0xd8, 0, 0]),
        ("'|b1', (2,)", &[2, 3]),
    ];
    for (descr, bytes) in rows {
        let descr = format!("[('x', {descr}), ('a', '<i2')]");
        let data = [bytes, &[1, 0][..], bytes, &[3, 0]].concat();
        reads(&npy(&descr, "(2,)", &data), vec![OnlyA { a: 1 }, OnlyA { a: 3 }]);
    }
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct Strict {
    a: i16,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct AlsoStrict {
    a: i16,
}

#[test]
fn unknown_fields_are_refused_on_request() {
    refuses::<Vec<Strict>>(&two(), "unknown field `b`, expected `a` (at `[0]`, byte 128)");
    reads(&npy("[('a', '<i2')]", "(1,)", &[1, 0]), vec![Strict { a: 1 }]);
}

/// The names that a type knows do not tell it from another of the same names.
#[test]
fn unknown_fields_are_refused_by_the_second_of_two_alike() {
    refuses::<(OnlyA, Strict)>(&two(), "unknown field `b`, expected `a` (at `[1]`, byte 131)");
    refuses::<(Strict, OnlyA)>(&two(), "unknown field `b`, expected `a` (at `[0]`, byte 128)");
    let descr = "[('x', [('a', '<i2')]), ('y', [('a', '<i2'), ('b', '|u1')])]";
    #[derive(Deserialize, Debug, PartialEq)]
    struct Both {
        x: Strict,
        y: AlsoStrict,
    }
    refuses::<Both>(&npy(descr, "()", &[1, 0, 2, 0, 3]), "unknown field `b`, expected `a` (at `y`, byte 130)");
}

#[test]
fn a_missing_field_is_named_among_those_present() {
    #[derive(Deserialize, Debug)]
    struct WithC {
        #[allow(dead_code, reason = "only its absence matters")]
        c: f64,
    }
    refuses::<Vec<WithC>>(&two(), "field `c` is missing, there are `a`, `b` (at `[0]`, byte 128)");
    refuses::<WithC>(&npy("[]", "()", &[]), "field `c` is missing, there are no fields (byte 64)");

    #[derive(Deserialize, Debug)]
    struct Outer {
        #[allow(dead_code, reason = "only its absence matters")]
        inner: WithC,
    }
    let nested = npy("[('inner', [('a', '<i2')])]", "()", &[1, 0]);
    refuses::<Outer>(&nested, "field `c` is missing, there are `a` (at `inner`, byte 128)");

    #[derive(Deserialize, Debug)]
    struct Flat {
        #[serde(flatten)]
        #[allow(dead_code, reason = "only its absence matters")]
        inner: WithC,
    }
    refuses::<Vec<Flat>>(&two(), "field `c` is missing, there are `a`, `b` (at `[0]`, byte 128)");

    let many: Vec<_> = (0..25).map(|i| format!("('f{i}', '|u1')")).collect();
    let shown: Vec<_> = (0..20).map(|i| format!("`f{i}`")).collect();
    let message = format!("field `c` is missing, there are {} and 5 more (at `[0]`, byte 512)", shown.join(", "));
    refuses::<Vec<WithC>>(&npy(&format!("[{}]", many.join(", ")), "(1,)", &[0; 25]), &message);
}

#[test]
fn a_missing_field_has_a_default_or_is_none() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Lenient {
        a: i16,
        c: Option<f64>,
        #[serde(default)]
        d: u8,
        #[serde(default = "seven")]
        e: u8,
        #[serde(skip)]
        f: u8,
    }
    fn seven() -> u8 {
        7
    }
    let record = |a| Lenient { a, c: None, d: 0, e: 7, f: 0 };
    reads(&two(), vec![record(1), record(3)]);

    #[derive(Deserialize, PartialEq, Debug, Default)]
    #[serde(default)]
    struct AllDefault {
        b: u8,
        z: String,
    }
    reads(&two(), vec![AllDefault { b: 2, z: String::new() }, AllDefault { b: 4, z: String::new() }]);
}

#[test]
fn fields_go_by_other_names() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Renamed {
        #[serde(rename = "a")]
        x: i16,
        #[serde(alias = "b", alias = "bb")]
        y: u8,
    }
    reads(&two(), vec![Renamed { x: 1, y: 2 }, Renamed { x: 3, y: 4 }]);
    reads(&npy("[('bb', '|u1'), ('a', '<i2')]", "(1,)", &[2, 1, 0]), vec![Renamed { x: 1, y: 2 }]);
    refuses::<Vec<Renamed>>(
        &npy("[('bb', '|u1'), ('a', '<i2'), ('b', '|u1')]", "(1,)", &[2, 1, 0, 3]),
        "field `y` occurs twice (at `[0]`, byte 128)",
    );

    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(rename_all = "SCREAMING-KEBAB-CASE")]
    struct Kebab {
        depth_m: f32,
    }
    reads(&npy("[('DEPTH-M', '<f4')]", "(1,)", &1f32.to_le_bytes()), vec![Kebab { depth_m: 1.0 }]);
}

/// Any text is a name, NumPy's three keys too.
#[test]
fn names_may_be_any_text() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Odd {
        #[serde(rename = "DEPTH:0:1")]
        depth: u8,
        #[serde(rename = "alignments_class3D_7/pose")]
        pose: [u8; 2],
        #[serde(rename = "it's")]
        its: u8,
        shape: u8,
        fortran_order: u8,
        descr: u8,
        #[serde(rename = "λ")]
        lambda: u8,
        #[serde(rename = "")]
        empty: u8,
    }
    let descr = r#"[('DEPTH:0:1', '|u1'), ('alignments_class3D_7/pose', '|u1', (2,)), ("it's", '|u1'), ('shape', '|u1'), ('fortran_order', '|u1'), ('descr', '|u1'), ('λ', '|u1'), ('', '|u1')]"#;
    let odd = Odd { depth: 1, pose: [2, 3], its: 4, shape: 5, fortran_order: 6, descr: 7, lambda: 8, empty: 9 };
    reads(&npy(descr, "()", &[1, 2, 3, 4, 5, 6, 7, 8, 9]), odd);
}

#[test]
fn titles_are_other_names() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct ByTitle {
        #[serde(rename = "The speed")]
        speed: i16,
        b: u8,
    }
    let file = npy("[(('The speed', 'a'), '<i2'), (('Other', 'b'), '|u1')]", "(2,)", TWO.1);
    reads(&file, vec![ByTitle { speed: 1, b: 2 }, ByTitle { speed: 3, b: 4 }]);
    reads(&file, vec![Ab { a: 1, b: 2 }, Ab { a: 3, b: 4 }]);
    // Without a type that asks for them, names are names.
    reads(
        &file,
        vec![
            BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 2)]),
            BTreeMap::from([("a".to_owned(), 3), ("b".to_owned(), 4)]),
        ],
    );
    // With `deny_unknown_fields` too, a title counts as known.
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Titles {
        #[serde(rename = "The speed")]
        speed: i16,
        #[serde(rename = "Other")]
        other: u8,
    }
    reads(&file, vec![Titles { speed: 1, other: 2 }, Titles { speed: 3, other: 4 }]);
}

#[test]
fn tuples_match_by_position_and_count() {
    reads(&two(), vec![(1i16, 2u8), (3, 4)]);
    #[derive(Deserialize, PartialEq, Debug)]
    struct Pair(i16, u8);
    reads(&two(), vec![Pair(1, 2), Pair(3, 4)]);
    reads(&two(), vec![vec![1i64, 2], vec![3, 4]]);
    reads(&two(), vec![[1i64, 2], [3, 4]]);
    refuses::<Vec<(i16,)>>(&two(), "expected a tuple of size 1, found 2 items (at `[0]`, byte 128)");
    refuses::<Vec<(i16, u8, u8)>>(&two(), "expected a tuple of size 3, found 2 items (at `[0]`, byte 128)");
    refuses::<Vec<(i16, i8)>>(
        &npy(TWO.0, "(1,)", &[1, 0, 200]),
        "expected i8, found integer `200` (dtype `|u1`, at `[0].b`, byte 130)",
    );
    #[derive(Deserialize, PartialEq, Debug)]
    struct Triple(i16, u8, u8);
    refuses::<Vec<Triple>>(&two(), "expected tuple struct Triple, found 2 items (at `[0]`, byte 128)");
}

#[test]
fn newtypes_are_what_they_hold() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Id(i16);
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(transparent)]
    struct Count {
        n: u8,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Typed {
        a: Id,
        b: Count,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct List(Vec<Typed>);
    reads(&two(), List(vec![Typed { a: Id(1), b: Count { n: 2 } }, Typed { a: Id(3), b: Count { n: 4 } }]));
}

#[test]
fn maps_take_every_field() {
    let first = [("a".to_owned(), 1), ("b".to_owned(), 2)];
    let second = [("a".to_owned(), 3), ("b".to_owned(), 4)];
    reads(&two(), vec![BTreeMap::from(first.clone()), BTreeMap::from(second.clone())]);
    reads(&two(), vec![HashMap::from(first), HashMap::from(second)]);
    refuses::<Vec<BTreeMap<String, i8>>>(
        &npy(TWO.0, "(1,)", &[1, 0, 200]),
        "expected i8, found integer `200` (dtype `|u1`, at `[0].b`, byte 130)",
    );
}

/// Behind `flatten`, serde buffers what "any" gives, and casts by itself.
#[test]
fn flattened_structs_take_what_any_gives() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Inner {
        x: f64,
        name: String,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Outer {
        id: i64,
        #[serde(flatten)]
        inner: Inner,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
    let descr = "[('id', '<i4'), ('x', '<f4'), ('name', '<U2'), ('p', '|u1'), ('q', '|u1')]";
    let data = [&5i32.to_le_bytes()[..], &0.5f32.to_le_bytes(), &ucs4("ab", 2), &[8, 9]].concat();
    let rest = BTreeMap::from([("p".to_owned(), 8), ("q".to_owned(), 9)]);
    let value = Outer { id: 5, inner: Inner { x: 0.5, name: "ab".to_owned() }, rest };
    reads(&npy(descr, "(1,)", &data), vec![value]);
}

/// What can round there, since serde's own visitors do, and no guard of ours stands between.
#[test]
fn serde_rounds_behind_flatten_and_untagged() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Single {
        x: f32,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Flat {
        #[serde(flatten)]
        inner: Single,
    }
    let file = npy("[('x', '<f8')]", "(1,)", &0.1f64.to_le_bytes());
    reads(&file, vec![Flat { inner: Single { x: 0.1 } }]);
    refuses::<Vec<Single>>(
        &file,
        "expected f32, found a wider float; use f64, or allow rounding by `with::Round` or `ReadOptions::round_floats(true)` (dtype \
         `<f8`, at `[0].x`, byte 128)",
    );

    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Loose {
        Float(f64),
    }
    reads(&npy("'<i8'", "(1,)", &((1i64 << 53) + 1).to_le_bytes()), vec![Loose::Float((1i64 << 53) as f64)]);

    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(tag = "kind")]
    enum Tagged {
        #[serde(rename = "s")]
        Single { x: f32 },
    }
    let data = [&ucs4("s", 1)[..], &0.1f64.to_le_bytes()].concat();
    reads(&npy("[('kind', '<U1'), ('x', '<f8')]", "(1,)", &data), vec![Tagged::Single { x: 0.1 }]);
}

#[test]
fn records_nest() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Point {
        x: i16,
        y: i16,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Shape {
        corners: [Point; 2],
        centre: Point,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Loose {
        centre: BTreeMap<String, i32>,
        corners: Vec<(i16, i16)>,
    }
    let descr = "[('corners', [('x', '<i2'), ('y', '<i2')], (2,)), ('centre', [('y', '<i2'), ('x', '<i2')])]";
    let data: Vec<u8> = (1i16..=6).flat_map(i16::to_le_bytes).collect();
    let file = npy(descr, "(1,)", &data);
    let corners = [Point { x: 1, y: 2 }, Point { x: 3, y: 4 }];
    reads(&file, vec![Shape { corners, centre: Point { x: 6, y: 5 } }]);
    let centre = BTreeMap::from([("x".to_owned(), 6), ("y".to_owned(), 5)]);
    reads(&file, vec![Loose { centre, corners: vec![(1, 2), (3, 4)] }]);
    #[derive(Deserialize, Debug)]
    struct Narrow {
        #[allow(dead_code, reason = "only the error matters")]
        corners: Vec<(i16, Option<u8>)>,
    }
    let data: Vec<u8> = [1i16, 2, 3, -4, 5, 6].into_iter().flat_map(i16::to_le_bytes).collect();
    refuses::<Vec<Narrow>>(
        &npy(descr, "(1,)", &data),
        "expected u8, found integer `-4` (dtype `<i2`, at `[0].corners[1].y`, byte 198)",
    );
}

/// The dtype of a developer who had to read it from C.
#[test]
fn records_with_inner_arrays_nest() {
    type Q = (Vec<i32>, f64);
    let descr = "[('p', '<i4', (3,)), ('q', [('r', '<i4', (10,)), ('s', '<f8')])]";
    let mut data: Vec<u8> = (0..13i32).flat_map(i32::to_le_bytes).collect();
    data.extend(0.5f64.to_le_bytes());
    let value: Vec<([i32; 3], Q)> = vec![([0, 1, 2], ((3..13).collect(), 0.5))];
    reads(&npy(descr, "(1,)", &data), value);
}

#[test]
fn subarrays_are_sequences() {
    let bytes: Vec<u8> = (0..10).collect();
    #[derive(Deserialize, PartialEq, Debug)]
    struct Of<T> {
        c: T,
    }
    let nested = npy("[('c', ('|u1', (5,)), (2,))]", "(1,)", &bytes);
    reads(&nested, vec![Of { c: [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]] }]);
    reads(&nested, vec![Of { c: vec![vec![0, 1, 2, 3, 4], vec![5, 6, 7, 8, 9]] }]);
    reads(&npy("[('c', '|u1', (1,))]", "(1,)", &[7]), vec![Of { c: [7] }]);
    reads(&npy("[('c', '|u1', 2)]", "(1,)", &[7, 8]), vec![Of { c: (7, 8) }]);
    reads(&npy("[('c', '|u1', ())]", "(1,)", &[7]), vec![Of { c: 7 }]);
    reads(
        &npy("[('c', '>i4', (2,0,3))]", "(3,)", &[]),
        (0..3).map(|_| Of { c: vec![Vec::<[i32; 3]>::new(), vec![]] }).collect::<Vec<_>>(),
    );
    refuses::<Vec<Of<[u8; 3]>>>(
        &npy("[('c', '|u1', (2,))]", "(1,)", &[7, 8]),
        "expected an array of length 3, found 2 items (at `[0].c`, byte 128)",
    );
    refuses::<Vec<Of<u8>>>(
        &npy("[('c', '|u1', (2,))]", "(1,)", &[7, 8]),
        "expected u8, found an array of shape (2,) and dtype `|u1`; read a `Vec` of it (at `[0].c`, byte 128)",
    );
}

/// Gaps are passed over, a void with a name is data, and an empty name on another dtype too.
#[test]
fn padding_is_skipped_and_named_void_is_not() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Ca {
        c: i16,
        a: u8,
    }
    let descr = "[('a', '|u1'), ('', '|V3'), ('b', '<f4'), ('', '|V1'), ('c', '<i2'), ('', '|V5')]";
    let one: &[u8] = &[1, 9, 9, 9, 0, 0, 128, 63, 9, 2, 0, 9, 9, 9, 9, 9];
    let two: &[u8] = &[3, 9, 9, 9, 0, 0, 128, 63, 9, 4, 0, 9, 9, 9, 9, 9];
    let both = [one, two].concat();
    reads(&npy(descr, "(2,)", &both), vec![Ca { c: 2, a: 1 }, Ca { c: 4, a: 3 }]);
    reads(&npy(descr, "(2,)", &both), vec![(1u8, 1f32, 2i16), (3, 1.0, 4)]);
    reads(&npy(&format!("[('x', {descr}, (2,))]"), "(1,)", &both), vec![([Ca { c: 2, a: 1 }, Ca { c: 4, a: 3 }],)]);
    let names = |file: &[u8]| -> Vec<String> {
        let value: Vec<BTreeMap<String, serde::de::IgnoredAny>> = serde_npy::from_slice(file).unwrap();
        value[0].keys().cloned().collect()
    };
    assert_eq!(names(&npy(descr, "(2,)", &both)), ["a", "b", "c"]);
    assert_eq!(names(&npy("[('a', '|u1'), ('pad', '|V3')]", "(1,)", &[1, 2, 3, 4])), ["a", "pad"]);
    assert_eq!(names(&npy("[('a', '|u1'), ('', '<i4')]", "(1,)", &[1, 2, 3, 4, 5])), ["", "a"]);
}

/// A record without fields.
#[test]
fn empty_records_are_units_and_structs_without_fields() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Unit;
    #[derive(Deserialize, PartialEq, Debug)]
    struct Nothing {}
    #[derive(Deserialize, PartialEq, Debug)]
    struct NoItems();
    let file = npy("[]", "(2,)", &[]);
    reads(&file, vec![Unit, Unit]);
    reads(&file, vec![Nothing {}, Nothing {}]);
    reads(&file, vec![NoItems(), NoItems()]);
    reads(&npy("[]", "(0,)", &[]), Vec::<Unit>::new());
}

/// No limit on the number of fields, and no quadratic time either.
#[test]
fn ten_thousand_fields_are_read() {
    let fields: Vec<_> = (0..10_000).map(|i| format!("('f{i}', '|u1')")).collect();
    let text = format!("{{'descr': [{}], 'fortran_order': False, 'shape': (3,), }}\n", fields.join(", "));
    let mut file = b"\x93NUMPY\x02\x00".to_vec();
    file.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
    file.extend(text.as_bytes());
    file.resize(file.len() + 30_000, 5);
    #[derive(Deserialize, PartialEq, Debug)]
    struct Few {
        f9999: u8,
        f1: u8,
    }
    let start = std::time::Instant::now();
    reads(&file, (0..3).map(|_| Few { f9999: 5, f1: 5 }).collect::<Vec<_>>());
    let all: Vec<BTreeMap<String, u8>> = serde_npy::from_slice(&file).unwrap();
    assert_eq!(all[2].len(), 10_000);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn a_record_is_no_number_and_a_number_no_record() {
    refuses::<Vec<u8>>(&two(), "expected u8, found a record of the fields `a`, `b` (at `[0]`, byte 128)");
    refuses::<Vec<(u8,)>>(
        &npy("[('inner', [('x', '|u1')])]", "(1,)", &[1]),
        "expected u8, found a record of the field `x` (at `[0].inner`, byte 128)",
    );
    refuses::<Vec<u8>>(&npy("[]", "(1,)", &[]), "expected u8, found a record without fields (at `[0]`, byte 128)");
    refuses::<Vec<Ab>>(
        &npy("'<i2'", "(1,)", &[1, 0]),
        "expected struct Ab, found integer `1` (dtype `<i2`, at `[0]`, byte 128)",
    );
    refuses::<Ab>(&two(), "expected struct Ab, found an array of shape (2,); read a `Vec` of it");
    refuses::<BTreeMap<String, u8>>(&two(), "expected a map, found an array of shape (2,); read a `Vec` of it");
    refuses::<Vec<String>>(&two(), "expected a string, found a record of the fields `a`, `b` (at `[0]`, byte 128)");
    // A sequence may be what the fields of one record are, or they may not.
    let one = npy("[('a', '|u1'), ('b', '|u1')]", "()", &[1, 2]);
    reads(&one, vec![1u8, 2]);
    refuses::<Vec<Ab>>(
        &one,
        "expected struct Ab, found integer `1`; the array has no axes, read a single value (dtype `|u1`, at `a`, byte 128)",
    );
}

/// One field of objects makes the data one pickle.
#[test]
fn objects_are_refused_before_the_first_data_byte() {
    let advice = "Python objects, for which NumPy saves the whole array as a pickle; save it with fixed-width strings \
                  or numbers instead, such as `astype('U16')`, or `column_dtypes` of `DataFrame.to_records`, and times \
                  with a zone after `dt.tz_convert(None)`";
    let rows = [
        ("'|O'", "the dtype is `|O`"),
        ("[('a', '<i2'), ('s', '|O')]", "field `s` is of dtype `|O`"),
        ("[('a', '<i2'), ('x', [('y', '|O', (2,))])]", "field `x.y` is of dtype `|O`"),
    ];
    for (descr, what) in rows {
        let file = npy(descr, "(1,)", &[]);
        refuses::<Vec<OnlyA>>(&file, &format!("{what}: {advice}"));
        assert_eq!(
            serde_npy::from_slice::<Vec<OnlyA>>(&file).unwrap_err().category(),
            serde_npy::Category::Unsupported
        );
        assert!(serde_npy::Header::read(&file[..]).is_ok());
    }
}

#[test]
fn records_functions_read_what_from_slice_reads() {
    assert_eq!(serde_npy::records_from_slice::<Ab>(&two()).unwrap(), [Ab { a: 1, b: 2 }, Ab { a: 3, b: 4 }]);
    let error = serde_npy::records_from_slice::<Ab>(&npy(TWO.0, "(1, 2)", TWO.1)).unwrap_err();
    assert_eq!(error.to_string(), "expected an array of one axis, found one of shape (1, 2)");
    let error = serde_npy::records_from_slice::<Strict>(&two()).unwrap_err();
    assert_eq!(error.to_string(), "unknown field `b`, expected `a` (at `[0]`, byte 128)");
    let error = serde_npy::records_from_slice::<(i8, u8)>(&npy(TWO.0, "(2,)", &[1, 0, 2, 200, 0, 4])).unwrap_err();
    assert_eq!(error.to_string(), "expected i8, found integer `200` (dtype `<i2`, at `[1].a`, byte 131)");
    let mut records = vec![Ab { a: 0, b: 0 }];
    serde_npy::records_into(&two()[..], &mut records).unwrap();
    assert_eq!(records.len(), 3);
}

/// serde's own helper types: a type whose fields are asked for twice in one value.
#[test]
fn one_type_meets_two_records() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Both {
        x: OnlyA,
        y: OnlyA,
    }
    let file = npy(
        "[('x', [('b', '|u1'), ('a', '<i2')]), ('y', [('a', '<i2'), ('b', '|u1')])]",
        "(2,)",
        &[9, 1, 0, 2, 0, 9, 9, 3, 0, 4, 0, 9],
    );
    let row = |x, y| Both { x: OnlyA { a: x }, y: OnlyA { a: y } };
    reads(&file, vec![row(1, 2), row(3, 4)]);
}

#[test]
fn binary_formats_see_no_human() {
    struct Asks(bool);
    impl<'de> Deserialize<'de> for Asks {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let human = deserializer.is_human_readable();
            serde::de::IgnoredAny::deserialize(deserializer)?;
            Ok(Asks(human))
        }
    }
    let file = two();
    let mut deserializer = Deserializer::from_slice_with(&file, &ReadOptions::default()).unwrap();
    assert!(!Asks::deserialize(&mut deserializer).unwrap().0);
    let value: Vec<BTreeMap<String, Asks>> = serde_npy::from_slice(&file).unwrap();
    assert!(value.iter().all(|record| record.values().all(|asks| !asks.0)));
}
