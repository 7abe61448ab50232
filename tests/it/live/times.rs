//! Datetimes and timedeltas of every unit and of multiples, as text, as counts and in every other unit.

use crate::python::python;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_npy::with::{As, D, Datetime, Fs, H, M, Min, Ms, Ns, Ps, Raw, Sec, TimeStep, Timedelta, Us, W, Y};
use serde_npy::{ByteOrder, Reader, WriteOptions};
use std::fs;
use std::marker::PhantomData;
use std::path::Path;

/// The texts of the counts of a dtype; NumPy itself would print some of them wrongly.
#[derive(Deserialize)]
struct Texts {
    stem: String,
    dtype: String,
    counts: Vec<i64>,
    texts: Vec<Option<String>>,
    wrong: Vec<usize>,
}

/// Counts of a dtype, and what they are in another.
#[derive(Deserialize)]
struct Pair {
    stem: String,
    kind: String,
    old: String,
    new: String,
    dtype: String,
    counts: Vec<i64>,
    values: Vec<Expected>,
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum Expected {
    Count(i64),
    Error(Why),
}

#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "lowercase")]
enum Why {
    Lost,
    Range,
    /// Lost, or out of range if it were not.
    Either,
    Length,
}

impl Why {
    fn is_said_by(self, message: &str) -> bool {
        let lost = message.contains("would be lost");
        let range = message.contains("within the range of");
        match self {
            Why::Lost => lost,
            Why::Range => range,
            Why::Either => lost || range,
            Why::Length => message.contains("years and months have no fixed length"),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "U: TimeStep")]
struct At<U> {
    #[serde(with = "Datetime::<U>")]
    x: i64,
    #[serde(skip)]
    unit: PhantomData<U>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "U: TimeStep")]
struct Lasting<U> {
    #[serde(with = "Timedelta::<U>")]
    x: i64,
    #[serde(skip)]
    unit: PhantomData<U>,
}

/// An element that is a datetime or NaT.
#[derive(Serialize, Deserialize)]
#[serde(bound = "U: TimeStep", transparent)]
struct Moment<U> {
    #[serde(with = "Datetime::<U>")]
    x: Option<i64>,
    #[serde(skip)]
    unit: PhantomData<U>,
}

/// An element that is a timedelta or NaT.
#[derive(Serialize, Deserialize)]
#[serde(bound = "U: TimeStep", transparent)]
struct Length<U> {
    #[serde(with = "Timedelta::<U>")]
    x: Option<i64>,
    #[serde(skip)]
    unit: PhantomData<U>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Count(#[serde(with = "Raw")] Option<i64>);

/// A record of a count.
trait Counted: Serialize + DeserializeOwned {
    fn new(x: i64) -> Self;
    fn count(&self) -> i64;
}

macro_rules! counted {
    ($($name:ident)*) => {$(
        impl<U: TimeStep> Counted for $name<U> {
            fn new(x: i64) -> Self {
                $name { x, unit: PhantomData }
            }

            fn count(&self) -> i64 {
                self.x
            }
        }
    )*};
}

counted! { At Lasting }

/// Reads the file of the pair in the unit of `T`, the new one.
fn read<T: Counted>(folder: &Path, pair: &Pair) {
    let bytes = fs::read(folder.join(format!("{}.npy", pair.stem))).unwrap();
    let mut reader = Reader::new(&bytes[..]).unwrap();
    let mut records = reader.records::<T>();
    for (count, expected) in pair.counts.iter().zip(&pair.values) {
        let read = records.next().unwrap().map(|record| record.count()).map_err(|error| error.to_string());
        check(pair, *count, read, expected);
    }
    assert!(records.next().is_none());
    let whole = serde_npy::from_slice::<Vec<T>>(&bytes);
    assert_eq!(whole.is_ok(), pair.values.iter().all(|value| matches!(value, Expected::Count(_))), "{}", pair.stem);
}

/// Writes counts in the unit of `T`, the old one, into the dtype of the new one.
fn write<T: Counted>(_folder: &Path, pair: &Pair) {
    let options = WriteOptions::default().dtype(format!("[('x', '{}')]", pair.dtype).parse().unwrap());
    for (count, expected) in pair.counts.iter().zip(&pair.values) {
        let written = serde_npy::to_vec_with(&T::new(*count), &options)
            .map(|bytes| i64::from_le_bytes(*bytes.last_chunk().unwrap()))
            .map_err(|error| error.to_string());
        check(pair, *count, written, expected);
    }
}

#[track_caller]
fn check(pair: &Pair, count: i64, found: Result<i64, String>, expected: &Expected) {
    let Pair { kind, old, new, .. } = pair;
    let right = match (&found, expected) {
        (Ok(found), Expected::Count(expected)) => found == expected,
        (Err(message), Expected::Error(why)) => why.is_said_by(message),
        _ => false,
    };
    assert!(right, "{count} of `{kind}8[{old}]` in `{new}`: expected {expected:?}, found {found:?}");
}

macro_rules! whole {
    ($($function:ident $type:ident;)*) => {$(
        /// NumPy's file as counts of its unit, and these as NumPy's file.
        fn $function<U: TimeStep>(bytes: &[u8], counts: &[Count], stem: &str) {
            let read: Vec<$type<U>> = serde_npy::from_slice(bytes).unwrap();
            assert!(read.iter().map(|element| element.x).eq(counts.iter().map(|count| count.0)), "{stem}: other counts");
            let read: Vec<$type<U>> = serde_npy::from_reader(bytes).unwrap();
            assert!(serde_npy::to_vec(&read).unwrap() == bytes, "{stem}: other bytes than NumPy's");
        }
    )*};
}

whole! {
    moments Moment;
    lengths Length;
}

type Whole = fn(&[u8], &[Count], &str);

type Check = fn(&Path, &Pair);

/// Reading and writing of a unit that has a type, of whole arrays and of what is another unit in the file.
fn checks(kind: &str, unit: &str) -> Option<(Whole, Check, Check)> {
    macro_rules! by_unit {
        ($($symbol:literal $unit:ident)*) => {
            match (kind, unit) {
                $(
                    ("M", $symbol) => Some((moments::<$unit>, read::<At<$unit>>, write::<At<$unit>>)),
                    ("m", $symbol) => Some((lengths::<$unit>, read::<Lasting<$unit>>, write::<Lasting<$unit>>)),
                )*
                _ => None,
            }
        };
    }
    by_unit! {
        "Y" Y "M" M "W" W "D" D "h" H "m" Min "s" Sec "ms" Ms "us" Us "ns" Ns "ps" Ps "fs" Fs "as" As
    }
}

fn as_counts(counts: &[i64]) -> Vec<Count> {
    counts.iter().map(|&count| Count((count != i64::MIN).then_some(count))).collect()
}

/// As text and as bare counts, by both byteorders, read from NumPy's file and written to the bytes of it.
fn texts(folder: &Path, all: &Texts) {
    let Texts { stem, dtype, counts, texts, wrong } = all;
    let bytes = fs::read(folder.join(format!("{stem}.npy"))).unwrap();

    let expected = as_counts(counts);
    assert_eq!(serde_npy::from_slice::<Vec<Count>>(&bytes).unwrap(), expected, "{stem}");
    let given = WriteOptions::default().dtype(format!("'{dtype}'").parse().unwrap());
    assert!(serde_npy::to_vec_with(&expected, &given).unwrap() == bytes, "{stem}: other bytes than NumPy's");

    let mut reader = Reader::new(&bytes[..]).unwrap();
    let mut right = Vec::new();
    for (i, read) in reader.records::<Option<String>>().enumerate() {
        match read {
            Ok(text) => {
                assert!(!wrong.contains(&i), "{stem}: {} is {text:?}, NumPy prints another", counts[i]);
                assert_eq!(text, texts[i], "{stem}: {}", counts[i]);
                right.push(i);
            }
            Err(error) => {
                assert!(wrong.contains(&i), "{stem}: {}: {error}", counts[i]);
                let message = error.to_string();
                let expected = format!("expected a datetime that NumPy can print, found {} counts of `", counts[i]);
                assert!(message.starts_with(&expected), "{message}");
            }
        }
    }
    assert_eq!(right.len() + wrong.len(), counts.len());

    let written = |texts: &[&Option<String>], options: &WriteOptions| serde_npy::to_vec_with(texts, options);
    let right_texts: Vec<_> = right.iter().map(|&i| &texts[i]).collect();
    let right_counts = || right.iter().map(|&i| counts[i]);
    let ours = written(&right_texts, &given).unwrap();
    let (data, _) = ours[ours.len() - 8 * right.len()..].as_chunks();
    assert!(data.iter().map(|bytes| i64::from_le_bytes(*bytes)).eq(right_counts()), "{stem}: other counts");
    let ours = written(&right_texts, &given.clone().byteorder(ByteOrder::Big)).unwrap();
    let (data, _) = ours[ours.len() - 8 * right.len()..].as_chunks();
    assert!(data.iter().map(|bytes| i64::from_be_bytes(*bytes)).eq(right_counts()), "{stem}: other counts");
    assert!(serde_npy::from_slice::<Vec<Option<String>>>(&ours).unwrap().iter().eq(right_texts), "{stem}: other texts");
    // A text that NumPy prints wrongly is right when it is written; but a year may be beyond all range.
    for &i in wrong {
        match written(&[&texts[i]], &given) {
            Ok(bytes) => assert_eq!(bytes[bytes.len() - 8..], counts[i].to_le_bytes(), "{stem}: {:?}", texts[i]),
            Err(error) => assert!(error.to_string().contains("within the range of"), "{error}"),
        }
    }
}

#[test]
fn times_of_every_unit_are_those_of_numpy() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let task = json!({"folder": folder, "counts": 2000});
    let Some(printed) = python(include_str!("times.py"), task.to_string().as_bytes()) else { return };
    let printed = String::from_utf8(printed).unwrap();
    let (of_dtypes, of_pairs) = printed.split_once("pairs\n").unwrap();

    let (mut dtypes, mut units) = (0, 0);
    for line in of_dtypes.lines() {
        let all: Texts = serde_json::from_str(line).unwrap();
        texts(folder, &all);
        dtypes += 1;
        let (kind, unit) = all.stem.split_once("8-").unwrap();
        if let Some((check, ..)) = checks(kind, unit) {
            check(&fs::read(folder.join(format!("{}.npy", all.stem))).unwrap(), &as_counts(&all.counts), &all.stem);
            units += 1;
        }
    }
    assert_eq!((dtypes, units), (2 * 20, 2 * 13));

    let (mut pairs, mut read, mut written) = (0, 0, 0);
    for line in of_pairs.lines() {
        let pair: Pair = serde_json::from_str(line).unwrap();
        pairs += 1;
        if let Some((_, check, _)) = checks(&pair.kind, &pair.new) {
            check(folder, &pair);
            read += 1;
        }
        if let Some((.., check)) = checks(&pair.kind, &pair.old) {
            check(folder, &pair);
            written += 1;
        }
    }
    // All pairs in which at least one of the two is a unit without a multiple.
    assert_eq!((pairs, read, written), (2 * (20 * 20 - 7 * 7), 2 * 20 * 13, 2 * 20 * 13));
}

/// A generic timedelta is no more than its count, and a generic datetime is NaT or nothing.
#[test]
fn generic_times_are_those_of_numpy() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"
import json, random, sys
import numpy as np
folder = json.load(sys.stdin)["folder"]
chance = random.Random(1)
counts = [-2**63, 2**63 - 1, 0] + [chance.choice([1, -1]) * chance.getrandbits(chance.randint(1, 63)) for _ in range(2000)]
array = np.array(counts, "i8")
for order in "<>":
    for kind in "Mm":
        np.save(f"{folder}/{kind}{order}.npy", array.astype(order + "i8").view(f"{order}{kind}8"))
assert np.datetime_as_string(np.array([-2**63], "i8").view("M8")).tolist() == ["NaT"]
print(json.dumps(counts))
"#;
    let task = json!({"folder": folder.path()});
    let Some(printed) = python(script, task.to_string().as_bytes()) else { return };
    let counts: Vec<i64> = serde_json::from_slice(&printed).unwrap();
    let expected = as_counts(&counts);
    for (order, byteorder) in [("<", ByteOrder::Little), (">", ByteOrder::Big)] {
        for kind in ["M", "m"] {
            let bytes = fs::read(folder.path().join(format!("{kind}{order}.npy"))).unwrap();
            assert_eq!(serde_npy::from_slice::<Vec<Count>>(&bytes).unwrap(), expected);
            let options = WriteOptions::default().dtype(format!("'<{kind}8'").parse().unwrap()).byteorder(byteorder);
            assert!(serde_npy::to_vec_with(&expected, &options).unwrap() == bytes, "{kind}{order}");

            let mut reader = Reader::new(&bytes[..]).unwrap();
            for (read, &count) in reader.records::<serde_json::Value>().zip(&counts) {
                match (kind, count) {
                    (_, i64::MIN) => assert_eq!(read.unwrap(), serde_json::Value::Null),
                    ("m", count) => assert_eq!(read.unwrap(), json!(count)),
                    _ => assert!(
                        read.unwrap_err()
                            .to_string()
                            .starts_with("a datetime of the generic unit has no value but NaT (dtype"),
                    ),
                }
            }
        }
    }
}
