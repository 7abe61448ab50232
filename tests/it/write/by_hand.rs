//! Dtypes built by hand, and values that do not keep serde's rules.

use crate::routes::{given, refuses_to_write, refuses_to_write_with};
use serde::ser::{Serialize, SerializeMap as _, SerializeStruct as _, SerializeTuple as _, Serializer};
use serde_npy::{ByteOrder, Category, DType, Field, Kind, Result, Scalar, Struct, Subarray, TimeUnit, WriteOptions};

fn dtype(text: &str) -> DType {
    text.parse().unwrap()
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T>, category: Category, message: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.to_string(), message);
    assert_eq!(error.category(), category);
}

#[test]
fn scalars_are_those_of_numpy() {
    let new = |kind, itemsize| Scalar::new(kind, itemsize, ByteOrder::Little);
    refused(new(Kind::Int, 3), Category::Data, "there is no dtype of kind `i` and itemsize 3");
    refused(new(Kind::Float, 1), Category::Data, "there is no dtype of kind `f` and itemsize 1");
    refused(new(Kind::Str, 6), Category::Data, "there is no dtype of kind `U` and itemsize 6");
    refused(new(Kind::Void, 1 << 31), Category::Data, "there is no dtype of kind `V` and itemsize 2147483648");
    let time = |kind, count| Scalar::time(kind, TimeUnit::Second, count, ByteOrder::Little);
    refused(time(Kind::Int, 1), Category::Data, "a dtype of kind `i` has no unit");
    refused(time(Kind::Datetime, 0), Category::Data, "the count of a time unit is 1 to 2147483647, not 0");
    refused(
        time(Kind::Timedelta, u32::MAX),
        Category::Data,
        "the count of a time unit is 1 to 2147483647, not 4294967295",
    );
}

#[test]
fn structs_hold_no_contradiction() {
    let field = |name: &str, text: &str| Field::new(name, dtype(text));
    refused(
        Struct::packed(vec![field("a", "u1"), field("a", "u2")]),
        Category::Data,
        "the field name `a` occurs twice",
    );
    refused(
        Struct::packed(vec![field("a", "u1"), field("b", "u2").with_title("a")]),
        Category::Data,
        "the title `a` is a name or a title already",
    );
    refused(
        Struct::new(vec![field("a", "u4").at(0), field("b", "u4").at(2)], 8),
        Category::Data,
        "field `b` overlaps the field before it",
    );
    refused(Struct::new(vec![field("a", "u4").at(2)], 4), Category::Data, "field `a` ends behind the record's 4 bytes");
    refused(Struct::new(vec![], 1 << 31), Category::Limit, "a dtype over 2147483647 bytes");
    refused(
        Struct::packed(vec![field("a", "V2000000000"), field("b", "V2000000000")]),
        Category::Limit,
        "a dtype over 2147483647 bytes",
    );
}

#[test]
fn subarrays_are_bounded() {
    refused(Subarray::new(dtype("u1"), vec![]), Category::Data, "a subarray without axes; use its base");
    refused(Subarray::new(dtype("u1"), vec![1; 65]), Category::Limit, "a subarray of over 64 axes");
    refused(Subarray::new(dtype("u1"), vec![1 << 31]), Category::Limit, "an axis of a subarray over 2147483647");
    refused(Subarray::new(dtype("u4"), vec![1 << 15, 0, 1 << 15]), Category::Limit, "a dtype over 2147483647 bytes");
    let nest = |inner: DType| Struct::packed(vec![Field::new("x", inner)]).map(DType::from);
    let deepest = (0..200).try_fold(dtype("u1"), |inner, _| nest(inner));
    refused(deepest, Category::Limit, "a dtype nested over 199 brackets deep");
}

/// Shows more, less or other than it said.
enum Lies {
    LongTuple,
    ShortTuple,
    ValueFirst,
    TwoKeys,
    KeyLast,
    Helper,
    Depth,
}

impl Serialize for Lies {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Lies::LongTuple => {
                let mut tuple = serializer.serialize_tuple(1)?;
                tuple.serialize_element(&1u8)?;
                tuple.serialize_element(&2u8)?;
                tuple.end()
            }
            Lies::ShortTuple => {
                let mut tuple = serializer.serialize_tuple(2)?;
                tuple.serialize_element(&1u8)?;
                tuple.end()
            }
            Lies::ValueFirst => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_value(&1u8)?;
                map.end()
            }
            Lies::TwoKeys => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_key("lost")?;
                map.serialize_key("a")?;
                map.serialize_value(&1u8)?;
                map.end()
            }
            Lies::KeyLast => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("a", &1u8)?;
                map.serialize_key("lost")?;
                map.end()
            }
            Lies::Helper => serializer.serialize_newtype_struct("__serde_npy_M8_ns", "text"),
            Lies::Depth => {
                let mut record = serializer.serialize_struct("Depth", 1)?;
                record.serialize_field("x", &Lies::Depth)?;
                record.end()
            }
        }
    }
}

#[test]
fn values_that_break_the_rules_are_errors() {
    for (value, message) in [
        (Lies::ValueFirst, "a value of a map without a key"),
        (Lies::TwoKeys, "a key of a map without a value"),
        (Lies::KeyLast, "a key of a map without a value"),
        (Lies::Helper, "expected a datetime in `ns`, found text"),
    ] {
        refuses_to_write(&value, message);
    }
    for (value, message) in [
        (Lies::ValueFirst, "a value of a map without a key"),
        (Lies::TwoKeys, "a key of a map without a value"),
        (Lies::KeyLast, "a key of a map without a value"),
    ] {
        refuses_to_write_with(&given("[('a', '|u1')]"), &value, message);
        #[cfg(feature = "npz")]
        assert_eq!(serde_npy::npz::to_vec(&value).unwrap_err().to_string(), message);
    }
    for (value, message) in [
        (Lies::LongTuple, "expected a tuple of 1 item, found 2"),
        (Lies::ShortTuple, "expected a tuple of 2 items, found 1"),
    ] {
        assert_eq!(serde_npy::to_vec(&value).unwrap_err().to_string(), message);
    }
    let endless = serde_npy::to_vec(&Lies::Depth).unwrap_err();
    assert!(endless.to_string().starts_with("a value nested over 256 levels deep (at `x.x.x."), "{endless}");
    assert_eq!(endless.category(), Category::Limit);
    let once = Lies::Depth.serialize(&mut serde_npy::Serializer::new(Vec::new())).unwrap_err();
    assert_eq!(once.to_string(), endless.to_string());
}

/// More than there is memory for, asked for by the dtype alone.
#[test]
fn no_memory_is_an_error() {
    let huge = given("V2147483647");
    let values = vec![vec![serde_bytes::Bytes::new(b""); 100_000]; 1000];
    let bytes = 2_147_483_647u64 * 100_000_000;
    assert_eq!(
        serde_npy::to_vec_with(&values, &huge).unwrap_err().to_string(),
        format!("no memory for a file of {} bytes", bytes + 128)
    );
    let fortran: WriteOptions = huge.fortran_order(true);
    assert_eq!(
        serde_npy::to_writer_with(Vec::new(), &values, &fortran).unwrap_err().to_string(),
        format!("no memory for {bytes} bytes")
    );
}
