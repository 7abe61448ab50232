//! Any bytes into "any" and into typical types: a value or an error, never a panic, and never two answers.

use super::any::Any;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_npy::{Array, BytesAs, Columns, Header, Limits, LongDouble, ReadOptions};
use std::collections::BTreeMap;

/// Less than the defaults, so that no input takes long.
pub(super) fn limits() -> Limits {
    Limits::default().max_header_size(1 << 16).empty_items(1 << 10)
}

pub(crate) fn check(data: &[u8]) {
    let default = ReadOptions::default().limits(limits());
    let lenient = default
        .clone()
        .bytes_as(BytesAs::Latin1)
        .lossy_text(true)
        .round_floats(true)
        .enum_by_index(true)
        .long_double(LongDouble::X87);
    let strict = default.clone().strict(true).trailing(false).long_double(LongDouble::Ieee128);
    let any = serde_npy::from_slice_with::<Any>(data, &default).ok();
    let by_strict = serde_npy::from_slice_with::<Any>(data, &strict.clone().bytes_as(BytesAs::Bytes));
    assert!(by_strict.is_err() || serde_npy::from_slice_with::<IgnoredAny>(data, &default).is_ok());
    let rounded = serde_npy::from_slice_with::<Any>(data, &lenient);
    assert!(any.is_none() || rounded.is_ok(), "{rounded:?}");

    for options in [&default, &lenient, &strict] {
        let _ = serde_npy::from_slice_with::<IgnoredAny>(data, options);
        let _ = serde_npy::from_slice_with::<Vec<Vec<f32>>>(data, options);
        let _ = serde_npy::from_slice_with::<Vec<[i16; 2]>>(data, options);
        let _ = serde_npy::from_slice_with::<&str>(data, options);
        let _ = serde_npy::from_slice_with::<Vec<(u8, Option<String>)>>(data, options);
        let _ = serde_npy::from_slice_with::<Vec<Choice>>(data, options);
        let _ = serde_npy::from_slice_with::<BTreeMap<String, Any>>(data, options);
        let _ = serde_npy::from_slice_with::<Columns<Table>>(data, options);
        records_agree::<Tick>(data, options);
        records_agree::<Note>(data, options);
        records_agree::<(i32, f64)>(data, options);
        records_agree::<f64>(data, options);
        records_agree::<[u16; 2]>(data, options);
    }
    // Numbers are what "any" says they are, in whatever type.
    numbers_agree::<f64>(data, &default, any.as_ref(), |value| (value, None));
    numbers_agree::<i64>(data, &default, any.as_ref(), |value| (value as f64, Some(value.into())));
    numbers_agree::<u8>(data, &default, any.as_ref(), |value| (value.into(), Some(value.into())));
    arrays_agree(data, &default, any.as_ref());
}

/// The fast way for records and the way of all values give the same; the first takes arrays of one axis only.
fn records_agree<T: DeserializeOwned + std::fmt::Debug>(data: &[u8], options: &ReadOptions) {
    if Header::read_with(data, options).is_ok_and(|header| header.ndim() != 1) {
        assert!(serde_npy::records_from_slice_with::<T>(data, options).is_err());
        return;
    }
    let records = serde_npy::records_from_slice_with::<T>(data, options);
    let values = serde_npy::from_slice_with::<Vec<T>>(data, options);
    tiers_agree(&records, || serde_npy::records_from_slice_with::<T>(data, options));
    tiers_agree(&values, || serde_npy::from_slice_with::<Vec<T>>(data, options));
    match (&records, &values) {
        // Their text, since NaN is no equal of itself.
        (Ok(records), Ok(values)) => assert_eq!(format!("{records:?}"), format!("{values:?}")),
        (Err(error), Err(other)) => assert_eq!(error.category(), other.category(), "{error}, {other}"),
        _ => panic!("records {records:?}, value {values:?}"),
    }
}

/// The slow tier of reading says the same, to the word.
fn tiers_agree<T: std::fmt::Debug>(found: &serde_npy::Result<T>, again: impl FnOnce() -> serde_npy::Result<T>) {
    #[cfg(feature = "unstable-fuzzing")]
    match (found, serde_npy::fuzzing::slowly(again)) {
        (Ok(value), Ok(slow)) => assert_eq!(format!("{value:?}"), format!("{slow:?}")),
        (Err(error), Err(slow)) => assert_eq!(error.to_string(), slow.to_string()),
        (fast, slow) => panic!("fast {fast:?}, slow {slow:?}"),
    }
    #[cfg(not(feature = "unstable-fuzzing"))]
    let _ = (found, again);
}

fn numbers_agree<T: DeserializeOwned>(
    data: &[u8],
    options: &ReadOptions,
    any: Option<&Any>,
    number: impl Fn(T) -> (f64, Option<i128>),
) {
    let Ok(values) = serde_npy::from_slice_with::<Vec<T>>(data, options) else { return };
    let items = match any {
        Some(Any::Seq(items)) => items,
        // A single `S` or `V` is a sequence of its bytes to a type that wants one.
        _ if Header::read_with(data, options).is_ok_and(|header| header.ndim() == 0) => return,
        _ => panic!("{} numbers, but {any:?}", values.len()),
    };
    assert_eq!(values.len(), items.len());
    for (value, item) in values.into_iter().zip(items) {
        let (float, exact) = number(value);
        let (expected, expected_exact) = item.number().unwrap();
        assert!(float.to_bits() == expected.to_bits() || float.is_nan() && expected.is_nan());
        assert!(exact.is_none() || exact == expected_exact);
        // A float out of an integer is that integer.
        assert!(exact.is_some() || expected_exact.is_none_or(|integer| float as i128 == integer));
    }
}

/// An array in its own order is the nested sequences in the logical one.
fn arrays_agree(data: &[u8], options: &ReadOptions, any: Option<&Any>) {
    let Ok(array) = serde_npy::from_slice_with::<Array<Any>>(data, options) else { return };
    let Some(any) = any else { return };
    let elements: Vec<&Any> = array.iter().collect();
    let mut flat = vec![any];
    for _ in array.shape() {
        let inner = |value: &'_ Any| matches!(value, Any::Seq(_));
        assert!(flat.iter().all(|value| inner(value)));
        flat = flat.into_iter().flat_map(|value| if let Any::Seq(items) = value { &items[..] } else { &[] }).collect();
    }
    assert_eq!(elements, flat);
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only read")]
enum Choice {
    A,
    B,
    Pair(u8, u8),
}

/// Numbers only: the fast way.
#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only read")]
pub(super) struct Tick {
    a: i32,
    b: f32,
    #[serde(default)]
    c: Option<u8>,
    #[serde(default)]
    d: bool,
}

/// Text, bytes, times and nested records.
#[derive(Debug, Deserialize)]
#[serde(default)]
pub(super) struct Note {
    a: String,
    #[serde(with = "serde_bytes")]
    b: Vec<u8>,
    c: Vec<f64>,
    d: Option<(i64, i64)>,
    #[serde(rename = "")]
    nameless: char,
}

impl Default for Note {
    fn default() -> Self {
        Note { a: String::new(), b: vec![], c: vec![], d: None, nameless: ' ' }
    }
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only read")]
struct Table {
    a: Vec<i64>,
    b: Vec<Any>,
}
