//! `DType::of` over types as they occur: the dtype that a value is written with, or an error that names the way out.

use serde::{Deserialize, Serialize};
use serde_npy::{DType, with};
use std::collections::{BTreeMap, HashMap};

#[track_caller]
fn of<'de, T: Deserialize<'de>>(dtype: &str) {
    assert_eq!(DType::of::<T>().map_or_else(|error| format!("error: {error}"), |dtype| dtype.to_string()), dtype);
}

#[track_caller]
fn refused<'de, T: Deserialize<'de>>(message: &str) {
    assert_eq!(DType::of::<T>().unwrap_err().to_string(), message);
}

/// The dtype of the type is that of a value.
#[track_caller]
fn agrees<'de, T: Deserialize<'de> + Serialize>(value: &T) {
    assert_eq!(DType::of::<T>().unwrap(), DType::from_sample(value).unwrap());
}

#[derive(Serialize, Deserialize)]
struct Plain {
    a: i8,
    b: u64,
    c: f32,
    d: bool,
    e: char,
}

#[derive(Serialize, Deserialize)]
struct Nested {
    plain: Plain,
    array: [[f64; 3]; 2],
    tuple: (u8, f64),
    unit: (),
    option: Option<i16>,
    #[serde(skip)]
    _skipped: String,
}

#[derive(Serialize, Deserialize)]
struct Renamed {
    #[serde(rename = "price in cents", alias = "px", alias = "p")]
    price: i64,
    #[serde(alias = "a", alias = "zz")]
    m: u8,
    #[serde(default)]
    last: f32,
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Transparent(Plain);

#[derive(Serialize, Deserialize)]
struct Newtype(u32);

#[derive(Serialize, Deserialize)]
struct TupleStruct(u32, f32);

#[derive(Serialize, Deserialize)]
struct UnitStruct;

#[derive(Serialize, Deserialize)]
struct Generic<T> {
    value: T,
}

#[derive(Serialize, Deserialize)]
enum Side {
    Buy,
    #[serde(rename = "sell short")]
    Sell,
}

#[derive(Deserialize)]
enum Data {
    #[allow(dead_code, reason = "only its shape matters")]
    Nothing,
    #[allow(dead_code, reason = "only its shape matters")]
    Something(u8),
}

#[derive(serde_repr::Serialize_repr, serde_repr::Deserialize_repr)]
#[repr(u8)]
enum Code {
    Seven = 7,
    Nine = 9,
}

#[derive(serde_repr::Serialize_repr, serde_repr::Deserialize_repr)]
#[repr(i16)]
enum Negative {
    Minus = -2,
}

#[derive(Deserialize)]
struct Flat {
    #[serde(flatten)]
    _inner: Plain,
}

#[derive(Deserialize)]
struct List {
    _next: Option<Box<List>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Untagged {
    #[allow(dead_code, reason = "only its shape matters")]
    Number(f64),
}

#[derive(Deserialize)]
struct Borrowed<'a> {
    _text: &'a str,
}

#[derive(Serialize, Deserialize)]
struct Times {
    #[serde(with = "with::Datetime::<with::Ns>")]
    at: i64,
    #[serde(with = "with::Timedelta::<with::Ms>")]
    after: Option<i64>,
    #[serde(with = "with::Raw")]
    raw: i64,
}

#[test]
fn types_that_tell_their_dtype() {
    of::<i8>("'|i1'");
    of::<u16>("'<u2'");
    of::<f64>("'<f8'");
    of::<bool>("'|b1'");
    of::<char>("'<U1'");
    of::<()>("'|V0'");
    of::<UnitStruct>("'|V0'");
    of::<Newtype>("'<u4'");
    of::<std::num::NonZeroU32>("'<u4'");
    of::<std::num::Wrapping<i64>>("'<i8'");
    of::<std::sync::atomic::AtomicU8>("'|u1'");
    of::<Vec<f32>>("'<f4'");
    of::<Vec<Vec<[u8; 4]>>>("'|u1'");
    of::<(f64, f64)>("'<f8'");
    of::<(f32, f64)>("[('f0', '<f4'), ('f1', '<f8')]");
    of::<(i64, f64)>("[('f0', '<i8'), ('f1', '<f8')]");
    of::<TupleStruct>("[('f0', '<u4'), ('f1', '<f4')]");
    of::<Plain>("[('a', '|i1'), ('b', '<u8'), ('c', '<f4'), ('d', '|b1'), ('e', '<U1')]");
    of::<Transparent>("[('a', '|i1'), ('b', '<u8'), ('c', '<f4'), ('d', '|b1'), ('e', '<U1')]");
    of::<Nested>(
        "[('plain', [('a', '|i1'), ('b', '<u8'), ('c', '<f4'), ('d', '|b1'), ('e', '<U1')]), \
         ('array', '<f8', (2, 3)), ('tuple', [('f0', '|u1'), ('f1', '<f8')]), ('unit', '|V0'), ('option', '<i2')]",
    );
    of::<Renamed>("[('price in cents', '<i8'), ('m', '|u1'), ('last', '<f4')]");
    of::<Generic<[u8; 3]>>("[('value', '|u1', (3,))]");
    of::<Side>("'<U10'");
    of::<Code>("'|u1'");
    of::<Negative>("'<i2'");
    of::<Times>("[('at', '<M8[ns]'), ('after', '<m8[ms]'), ('raw', '<i8')]");
    of::<num_complex::Complex<f32>>("'<f4'");
    of::<Generic<num_complex::Complex<f64>>>("[('value', '<f8', (2,))]");
    of::<serde_npy::Array<f32>>("'<f4'");
    of::<serde_npy::Array<(u8, f32)>>("[('f0', '|u1'), ('f1', '<f4')]");
    of::<ndarray::Array0<f64>>("'<f8'");
    of::<ndarray::Array2<i16>>("'<i2'");
    of::<ndarray::ArrayD<bool>>("'|b1'");
    of::<serde_npy::Columns<Generic<Vec<u8>>>>("[('value', '|u1')]");
    of::<serde_npy::Columns<Generic<Vec<[f32; 2]>>>>("[('value', '<f4', (2,))]");
    of::<half::f16>("'<f2'");
    of::<half::bf16>("'|V2'");
    of::<std::time::Duration>("[('secs', '<u8'), ('nanos', '<u4')]");
    of::<std::ops::Range<i32>>("[('start', '<i4'), ('end', '<i4')]");
}

#[test]
fn types_that_do_not_tell() {
    refused::<String>("text has no width of its own; use `with::U`, or `DType::from_sample`");
    refused::<(u8, std::borrow::Cow<'_, str>)>(
        "text has no width of its own; use `with::U`, or `DType::from_sample` (at `[1]`)",
    );
    refused::<Borrowed<'_>>("text has no width of its own; use `with::U`, or `DType::from_sample` (at `_text`)");
    refused::<serde_bytes::ByteBuf>(
        "bytes have no width of their own; use `with::V` or `with::S`, or `DType::from_sample`",
    );
    refused::<Generic<Vec<f64>>>(
        "a sequence within a record has no length of its own; use an array, or `DType::from_sample` (at `value`)",
    );
    let map = "a map, or `#[serde(flatten)]`, has no fields of its own; use a struct without, or `DType::from_sample`";
    refused::<BTreeMap<String, f64>>(map);
    refused::<HashMap<u8, f64>>(map);
    refused::<Flat>(map);
    let any = "the type takes any value; use one that asks for a type, or `DType::from_sample`";
    refused::<serde_json::Value>(any);
    refused::<Untagged>(any);
    refused::<i128>("there is no dtype for `i128`; use `i64`, or `DType::from_sample`");
    refused::<Data>("variant `Something` of `Data` carries data, for which there is no dtype");
    refused::<std::net::IpAddr>("variant `V4` of `IpAddr` carries data, for which there is no dtype");
    let text = "text has no width of its own; use `with::U`, or `DType::from_sample`";
    refused::<chrono::NaiveDateTime>(text);
    refused::<jiff::Timestamp>(text);
    refused::<uuid::Uuid>("bytes have no width of their own; use `with::V` or `with::S`, or `DType::from_sample`");
    let error = DType::of::<List>().unwrap_err();
    assert!(error.to_string().starts_with("the type holds itself; use a type that does not, or `DType::from_sample`"));
}

#[test]
fn the_dtype_of_a_type_is_that_of_its_values() {
    let plain = || Plain { a: 1, b: 2, c: 3.0, d: true, e: 'x' };
    agrees(&plain());
    agrees(&vec![plain()]);
    agrees(&Transparent(plain()));
    agrees(&Nested {
        plain: plain(),
        array: [[0.0; 3]; 2],
        tuple: (1, 2.0),
        unit: (),
        option: Some(1),
        _skipped: String::new(),
    });
    agrees(&Renamed { price: 1, m: 2, last: 3.0 });
    agrees(&TupleStruct(1, 2.0));
    agrees(&(1.5f32, 2.5f64));
    agrees(&Times { at: 1, after: None, raw: 3 });
    agrees(&Code::Nine);
    agrees(&Side::Sell);
    agrees(&half::f16::ONE);
    agrees(&num_complex::Complex::new(1.0, 2.0));
    agrees(&std::time::Duration::from_millis(1500));
    let _ = (Code::Seven, Negative::Minus, Side::Buy);
}
