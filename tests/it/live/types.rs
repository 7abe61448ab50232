//! Rust types with derives: we write, NumPy tells what it sees and saves it again, we read that.

use crate::manifest;
use crate::python::python;
use crate::random::{Random, Sample};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use serde_json::{Value, json};
use serde_npy::with::{D, Datetime, Ms, Ns, Raw, Timedelta};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::path::Path;

/// Defines structs and how to make random ones.
macro_rules! samples {
    ($($(#[$meta:meta])* struct $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })*) => {$(
        #[derive(Serialize, Deserialize, PartialEq, Debug)]
        $(#[$meta])*
        struct $name { $($(#[$field_meta])* $field: $type,)* }

        impl Sample for $name {
            fn sample(random: &mut Random) -> Self {
                $name { $($field: <$type>::sample(random),)* }
            }
        }
    )*};
}

samples! {
    struct Integers { a: i8, b: i16, c: i32, d: i64, e: u8, f: u16, g: u32, h: u64, }

    struct Floats { single: f32, double: f64, }

    struct Small { flag: bool, letter: char, nothing: (), }

    struct Texts { id: u8, name: String, other: Box<str>, }

    struct Point { x: f32, y: f64, }

    struct Nested { from: Point, to: Point, inner: Deeper, }

    struct Deeper { flag: bool, point: Point, }

    struct Arrays { color: [u8; 3], matrix: [[f32; 2]; 3], corners: [Point; 2], row: Vec<i16>, names: [String; 2], }

    struct Tuples { pair: (i32, String), equal: (f64, f64), three: (u8, bool, [i16; 2]), }

    struct Trade { side: Side, flags: (Side, Side), price: f64, }

    struct Levels { id: u64, prices: BTreeMap<String, f64>, sizes: BTreeMap<String, u32>, }

    struct Blobs { id: u16, blob: ByteBuf, #[serde(with = "serde_bytes")] fixed: [u8; 4], }

    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Renamed { first_field: u32, #[serde(rename = "class")] class_of: i8, #[serde(rename = "naïve λ")] name: bool, }

    struct Flat { id: u32, #[serde(flatten)] point: Flattened, last: bool, }

    struct Flattened { left: i32, right: String, }

    #[serde(transparent)]
    struct Transparent { only: Point, }
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Times {
    #[serde(with = "Datetime::<Ns>")]
    time: i64,
    #[serde(with = "Datetime::<D>", default)]
    day: Option<i64>,
    #[serde(with = "Timedelta::<Ms>", default)]
    delay: Option<i64>,
}

/// The lowest count is NaT, for which there is `None`.
impl Sample for Times {
    fn sample(random: &mut Random) -> Self {
        let mut count = || i64::sample(random).max(i64::MIN + 1);
        let (time, day, delay) = (count(), count(), count());
        Times { time, day: bool::sample(random).then_some(day), delay: bool::sample(random).then_some(delay) }
    }
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Meters(f64);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Numbered(u8, String, Meters);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Side {
    Buy,
    #[serde(rename = "sold")]
    Sell,
    Unknown,
}

impl Sample for Side {
    fn sample(random: &mut Random) -> Self {
        match random.below(3) {
            _ if random.widest => Side::Unknown,
            0 => Side::Buy,
            1 => Side::Sell,
            _ => Side::Unknown,
        }
    }
}

impl Sample for Meters {
    fn sample(random: &mut Random) -> Self {
        Meters(f64::sample(random))
    }
}

impl Sample for Numbered {
    fn sample(random: &mut Random) -> Self {
        Numbered(u8::sample(random), String::sample(random), Meters::sample(random))
    }
}

impl Sample for Box<str> {
    fn sample(random: &mut Random) -> Self {
        String::sample(random).into()
    }
}

/// A file that we wrote, until NumPy has looked at it.
struct Written {
    stem: String,
    bytes: Vec<u8>,
    descr: &'static str,
    shape: Vec<usize>,
    /// What `serde_json` makes of the value.
    json: Value,
    /// Reads the file that NumPy saved again.
    read: Box<Check>,
}

type Check = dyn Fn(&[u8]);

fn write<T: Serialize + DeserializeOwned + PartialEq + Debug + 'static>(
    folder: &Path,
    stem: &str,
    value: T,
    descr: &'static str,
    shape: &[usize],
) -> Written {
    let bytes = serde_npy::to_vec(&value).unwrap_or_else(|error| panic!("{stem}: {error}"));
    fs::write(folder.join(format!("{stem}.npy")), &bytes).unwrap();
    let json = serde_json::to_value(&value).unwrap();
    let name = stem.to_owned();
    let read = Box::new(move |again: &[u8]| {
        let read: T = serde_npy::from_slice(again).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read, value, "{name}");
        let read: T = serde_npy::from_reader(again).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read, value, "{name}");
    });
    Written { stem: stem.to_owned(), bytes, descr, shape: shape.to_vec(), json, read }
}

const ROWS: usize = 25;

/// Rows of a type, the first as wide as can be, by both pairs of functions.
fn rows<T: Sample + Serialize + DeserializeOwned + PartialEq + Debug + 'static>(
    folder: &Path,
    stem: &str,
    descr: &'static str,
) -> Written {
    let mut random = Random::new(u64::try_from(stem.len()).unwrap());
    let rows: Vec<T> = (0..ROWS)
        .map(|row| {
            random.widest = row == 0;
            T::sample(&mut random)
        })
        .collect();
    let records = serde_npy::records_to_vec(&rows).unwrap_or_else(|error| panic!("{stem}: {error}"));
    let read: Vec<T> = serde_npy::records_from_slice(&records).unwrap_or_else(|error| panic!("{stem}: {error}"));
    assert_eq!(read, rows, "{stem}");
    let written = write(folder, stem, rows, descr, &[ROWS]);
    assert_eq!(written.bytes, records, "{stem}");
    written
}

/// Whether NumPy sees what `serde_json` sees: a tuple may be a record of `f0`, `f1`..., and a unit is no bytes.
fn matches(numpy: &Value, serde: &Value) -> bool {
    match (numpy, serde) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| matches(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| matches(a, b)))
        }
        (Value::Object(a), Value::Array(b)) => {
            let item = |i: usize| a.get(&format!("f{i}"));
            a.len() == b.len() && b.iter().enumerate().all(|(i, b)| item(i).is_some_and(|a| matches(a, b)))
        }
        (Value::Array(a), Value::Null) => a.is_empty(),
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => {
            a.as_f64().map(f64::to_bits) == b.as_f64().map(f64::to_bits)
        }
        _ => numpy == serde,
    }
}

#[derive(Deserialize)]
struct Seen {
    descr: String,
    shape: Vec<usize>,
    values: Value,
}

#[test]
fn rust_types_are_what_numpy_expects() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut random = Random::new(7);
    let all = [
        rows::<Integers>(
            at,
            "integers",
            "[('a', '|i1'), ('b', '<i2'), ('c', '<i4'), ('d', '<i8'), \
             ('e', '|u1'), ('f', '<u2'), ('g', '<u4'), ('h', '<u8')]",
        ),
        rows::<Floats>(at, "floats", "[('single', '<f4'), ('double', '<f8')]"),
        rows::<Small>(at, "small", "[('flag', '|b1'), ('letter', '<U1'), ('nothing', '|V0')]"),
        rows::<Texts>(at, "texts", "[('id', '|u1'), ('name', '<U6'), ('other', '<U6')]"),
        rows::<Nested>(
            at,
            "nested",
            "[('from', [('x', '<f4'), ('y', '<f8')]), ('to', [('x', '<f4'), ('y', '<f8')]), \
             ('inner', [('flag', '|b1'), ('point', [('x', '<f4'), ('y', '<f8')])])]",
        ),
        rows::<Arrays>(
            at,
            "arrays",
            "[('color', '|u1', (3,)), ('matrix', '<f4', (3, 2)), ('corners', [('x', '<f4'), ('y', '<f8')], (2,)), \
             ('row', '<i2', (3,)), ('names', '<U6', (2,))]",
        ),
        rows::<Tuples>(
            at,
            "tuples",
            "[('pair', [('f0', '<i4'), ('f1', '<U6')]), ('equal', '<f8', (2,)), \
             ('three', [('f0', '|u1'), ('f1', '|b1'), ('f2', '<i2', (2,))])]",
        ),
        rows::<Times>(at, "times", "[('time', '<M8[ns]'), ('day', '<M8[D]'), ('delay', '<m8[ms]')]"),
        rows::<Trade>(at, "trade", "[('side', '<U7'), ('flags', '<U7', (2,)), ('price', '<f8')]"),
        rows::<Levels>(
            at,
            "levels",
            "[('id', '<u8'), ('prices', [('ask', '<f8'), ('bid', '<f8'), ('größe', '<f8')]), \
             ('sizes', [('ask', '<u4'), ('bid', '<u4'), ('größe', '<u4')])]",
        ),
        rows::<Blobs>(at, "blobs", "[('id', '<u2'), ('blob', '|V5'), ('fixed', '|V4')]"),
        rows::<Renamed>(at, "renamed", "[('firstField', '<u4'), ('class', '|i1'), ('naïve λ', '|b1')]"),
        rows::<Flat>(at, "flat", "[('id', '<u4'), ('left', '<i4'), ('right', '<U6'), ('last', '|b1')]"),
        rows::<Transparent>(at, "transparent", "[('x', '<f4'), ('y', '<f8')]"),
        rows::<Numbered>(at, "numbered", "[('f0', '|u1'), ('f1', '<U6'), ('f2', '<f8')]"),
        rows::<BTreeMap<String, i32>>(at, "maps", "[('ask', '<i4'), ('bid', '<i4'), ('größe', '<i4')]"),
        rows::<(u8, Side)>(at, "pairs", "[('f0', '|u1'), ('f1', '<U7')]"),
        rows::<Meters>(at, "meters", "'<f8'"),
        rows::<Side>(at, "sides", "'<U7'"),
        rows::<String>(at, "strings", "'<U6'"),
        write(at, "one-record", Point::sample(&mut random), "[('x', '<f4'), ('y', '<f8')]", &[]),
        write(at, "one-number", u64::MAX, "'<u8'", &[]),
        write(at, "one-text", "日本".to_owned(), "'<U2'", &[]),
        write(at, "bytes", ByteBuf::sample(&mut random), "'|u1'", &[5]),
        write(at, "matrix", <Vec<[i32; 3]>>::sample(&mut random), "'<i4'", &[3, 3]),
        write(at, "cube", <Vec<Vec<[Meters; 2]>>>::sample(&mut random), "'<f8'", &[3, 3, 2]),
        write(at, "record-matrix", <[Vec<Point>; 2]>::sample(&mut random), "[('x', '<f4'), ('y', '<f8')]", &[2, 3]),
    ];
    let stems: Vec<&str> = all.iter().map(|written| &*written.stem).collect();
    let data = manifest::golden_dir();
    let task = json!({"folder": at, "data": data.parent().unwrap(), "stems": stems});
    let Some(printed) = python(include_str!("types.py"), task.to_string().as_bytes()) else { return };
    let printed = String::from_utf8(printed).unwrap();
    assert_eq!(printed.lines().count(), all.len());
    for (written, line) in all.iter().zip(printed.lines()) {
        let Written { stem, bytes, descr, shape, json, read } = written;
        let seen: Seen = serde_json::from_str(line).unwrap();
        assert_eq!(seen.descr, *descr, "{stem}");
        assert_eq!(seen.shape, *shape, "{stem}");
        assert!(matches(&seen.values, json), "{stem}: NumPy sees {}, serde_json {json}", seen.values);
        let again = fs::read(at.join(format!("{stem}.again.npy"))).unwrap();
        assert!(again == *bytes, "{stem}: NumPy saves other bytes than we do");
        read(&again);
    }
}

/// What is a bare count to other formats is one to NumPy's files as well, by `Raw`.
#[test]
fn raw_counts_are_read_whatever_the_unit() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Bare {
        #[serde(with = "Raw")]
        time: i64,
        #[serde(with = "Raw", default)]
        day: Option<i64>,
        #[serde(with = "Raw", default)]
        delay: Option<i64>,
    }
    let times = [Times { time: -1, day: None, delay: Some(5) }];
    let bytes = serde_npy::to_vec(&times).unwrap();
    let bare: [Bare; 1] = serde_npy::from_slice(&bytes).unwrap();
    assert_eq!(bare, [Bare { time: -1, day: None, delay: Some(5) }]);
}
