//! The helpers of `with`: the dtype that each writes, what it reads, and that other formats do not see it.

use crate::python::python;
use num_complex::Complex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_npy::{DType, Header, ReadOptions, WriteOptions, from_slice, from_slice_with, to_vec, to_vec_with, with};
use std::borrow::Cow;
use std::fmt::Debug;
use std::net::IpAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A struct of one field `x` under a helper.
pub(crate) trait Field {
    type Type;
    fn of(x: Self::Type) -> Self;
}

/// Such a struct.
macro_rules! field {
    ($name:ident, $with:literal, $type:ty) => {
        #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
        struct $name {
            #[serde(with = $with)]
            x: $type,
        }

        impl Field for $name {
            type Type = $type;

            fn of(x: $type) -> Self {
                $name { x }
            }
        }
    };
}

pub(crate) fn descr(bytes: &[u8]) -> String {
    Header::read(bytes).unwrap().dtype().to_string()
}

/// The values are written as records of a field `x` of this dtype, and read again, by every route.
#[track_caller]
pub(crate) fn round_trips<R, const N: usize>(values: [R::Type; N], dtype: &str) -> Vec<u8>
where
    R: Field + Serialize + DeserializeOwned + PartialEq + Debug,
{
    let records = values.map(R::of);
    let bytes = to_vec(&records[..]).unwrap();
    assert_eq!(descr(&bytes), format!("[('x', {dtype})]"));
    assert_eq!(from_slice::<Vec<R>>(&bytes).unwrap(), records);
    assert_eq!(serde_npy::from_reader::<Vec<R>>(&bytes[..]).unwrap(), records);
    assert_eq!(serde_npy::records_from_slice::<R>(&bytes).unwrap(), records);
    assert_eq!(serde_npy::records_to_vec(&records).unwrap(), bytes);
    // Through serde's own trait, which holds what it was shown.
    let mut held = Vec::new();
    records[..].serialize(&mut serde_npy::Serializer::new(&mut held)).unwrap();
    assert_eq!(held, bytes);
    // One record stands for itself.
    let one = to_vec(&records[0]).unwrap();
    assert_eq!(from_slice::<R>(&one).unwrap(), records[0]);
    bytes
}

/// The dtype of the type is that of its values.
#[track_caller]
pub(crate) fn of<R: DeserializeOwned>(dtype: &str) {
    assert_eq!(DType::of::<R>().unwrap().to_string(), format!("[('x', {dtype})]"));
}

#[track_caller]
pub(crate) fn write_fails<R: Field + Serialize>(value: R::Type, message: &str) {
    assert_eq!(to_vec(&[R::of(value)]).unwrap_err().to_string(), message);
}

/// The value is written under a given dtype, which reads as that of the field.
pub(crate) fn written<T: Serialize>(value: T, dtype: &str) -> Vec<u8> {
    #[derive(Serialize)]
    struct Plain<T> {
        x: T,
    }
    let options = WriteOptions::default().dtype(format!("[('x', {dtype})]").parse().unwrap());
    to_vec_with(&[Plain { x: value }], &options).unwrap()
}

/// Read from a file of a given dtype.
#[track_caller]
pub(crate) fn reads<R: Field + DeserializeOwned + PartialEq + Debug>(bytes: &[u8], value: R::Type) {
    assert_eq!(from_slice::<Vec<R>>(bytes).unwrap(), [R::of(value)]);
}

#[track_caller]
pub(crate) fn read_fails<R: DeserializeOwned + Debug>(bytes: &[u8], message: &str) {
    let error = from_slice::<Vec<R>>(bytes).unwrap_err().to_string();
    assert_eq!(error, message);
}

fn text(text: &str) -> String {
    text.to_owned()
}

field!(U8, "with::U::<8>", String);
field!(U8Char, "with::U::<8>", char);
field!(U8Boxed, "with::U::<8>", Box<str>);
field!(U8Cow, "with::U::<8>", Cow<'static, str>);
field!(U8Vec, "with::U::<8>", Vec<String>);
field!(U8Nested, "with::U::<8>", Vec<[String; 2]>);
field!(U8Bytes, "with::U::<8>", Vec<u8>);
field!(U8Option, "with::U::<8>", Option<String>);
field!(U8Side, "with::U::<8>", Side);
field!(U45Ip, "with::U::<45>", IpAddr);
field!(S8, "with::S::<8>", String);
field!(S8Bytes, "with::S::<8>", Vec<u8>);
field!(S8ByteBuf, "with::S::<8>", serde_bytes::ByteBuf);
field!(S8Array, "with::S::<8>", [u8; 8]);
field!(S8Wide, "with::S::<8>", [u8; 12]);
field!(S8Vec, "with::S::<8>", Vec<Vec<u8>>);
field!(S8Texts, "with::S::<8>", [String; 2]);
field!(V4, "with::V::<4>", [u8; 4]);
field!(V4Bytes, "with::V::<4>", Vec<u8>);
field!(V4Text, "with::V::<4>", String);
field!(V16Uuid, "with::V::<16>", serde_bytes::ByteBuf);

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
enum Side {
    Buy,
    Sell,
}

#[test]
fn text_and_bytes_of_a_fixed_width() {
    round_trips::<U8, 2>([text("a"), text("Ünïcödé!")], "'<U8'");
    round_trips::<U8Char, 1>(['é'], "'<U8'");
    round_trips::<U8Boxed, 2>(["".into(), "abc".into()], "'<U8'");
    round_trips::<U8Cow, 1>(["abc".into()], "'<U8'");
    round_trips::<U8Vec, 1>([vec![text("a"), text("bc"), text("")]], "'<U8', (3,)");
    round_trips::<U8Vec, 2>([vec![], vec![]], "'<U8', (0,)");
    round_trips::<U8Nested, 1>([vec![[text("a"), text("b")]; 3]], "'<U8', (3, 2)");
    round_trips::<U8Bytes, 3>([vec![], b"bytes".to_vec(), vec![]], "'<U8'");
    round_trips::<U8Bytes, 1>([vec![]], "'<U8'");
    round_trips::<U8Option, 1>([Some(text("here"))], "'<U8'");
    round_trips::<U8Side, 2>([Side::Buy, Side::Sell], "'<U8'");
    round_trips::<U45Ip, 2>(["127.0.0.1".parse().unwrap(), "::1".parse().unwrap()], "'<U45'");
    round_trips::<S8, 2>([text(""), text("Ünit")], "'|S8'");
    round_trips::<S8Bytes, 3>([vec![], vec![0, 255], vec![1; 8]], "'|S8'");
    round_trips::<S8ByteBuf, 2>([vec![255].into(), vec![].into()], "'|S8'");
    round_trips::<S8Array, 3>([*b"abc\0\0\0\0\0", [0; 8], [7; 8]], "'|S8'");
    round_trips::<S8Wide, 1>([*b"abc\0\0\0\0\0\0\0\0\0"], "'|S8'");
    round_trips::<S8Vec, 1>([vec![vec![1], vec![], vec![255; 8]]], "'|S8', (3,)");
    round_trips::<S8Texts, 1>([[text("a"), text("")]], "'|S8', (2,)");
    round_trips::<V4, 2>([[1, 2, 3, 4], [0; 4]], "'|V4'");
    round_trips::<V4Bytes, 1>([vec![1, 0, 0, 0]], "'|V4'");
    round_trips::<V4Text, 1>([text("abcd")], "'|V4'");
    round_trips::<V16Uuid, 1>([vec![7; 16].into()], "'|V16'");
}

#[test]
fn the_type_tells_the_width() {
    of::<U8>("'<U8'");
    of::<U8Char>("'<U8'");
    of::<U8Bytes>("'<U8'");
    of::<U8Option>("'<U8'");
    of::<U8Side>("'<U8'");
    of::<U45Ip>("'<U45'");
    of::<S8Array>("'|S8'");
    of::<S8ByteBuf>("'|S8'");
    of::<S8Texts>("'|S8', (2,)");
    of::<V4>("'|V4'");
    of::<V4Bytes>("'|V4'");
    of::<Half>("'<f2'");
    of::<Halves>("'<f2', (3,)");
    of::<C16>("'<c16'");
    of::<Pair>("'<c8'");
    of::<Pairs>("'<c8', (2,)");
    of::<Nan4>("'<f4'");
    of::<Nan8Array>("'<f8', (3,)");
    of::<Rounded>("'<f4'");
    of::<TextIp>("'<U45'");
    of::<System>("'<M8[ns]'");
    of::<SystemOption>("'<M8[s]'");
    of::<Lasting>("'<m8[ms]'");
    of::<Days>("'<M8[D]', (2,)");
    assert_eq!(
        DType::of::<Address>().unwrap_err().to_string(),
        "text has no width of its own; use `with::TextN`, or `DType::from_sample` (at `x`)"
    );
}

#[test]
fn text_and_bytes_that_do_not_fit() {
    write_fails::<U8>(text("123456789"), "expected at most 8 code points, found 9 (at `[0].x`)");
    write_fails::<U8>(text("a\0"), "expected text that does not end in NUL, which NumPy would strip (at `[0].x`)");
    write_fails::<U8Vec>(vec![text("a"), text("123456789")], "expected at most 8 code points, found 9 (at `[0].x[1]`)");
    write_fails::<U8Bytes>(
        vec![b'a', 255],
        "expected text, found bytes that are not UTF-8 from the one at 1 (at `[0].x`)",
    );
    write_fails::<U8Option>(
        None,
        "found None, for which no dtype but a time has a value; write a value in its place, or use `with::Nan`, which \
         writes NaN, or `with::Datetime` or `with::Timedelta`, which write NaT (at `[0].x`)",
    );
    write_fails::<S8>(text("Ünit Ünit"), "expected at most 8 bytes, found 11 (at `[0].x`)");
    write_fails::<S8Bytes>(vec![1; 9], "expected at most 8 bytes, found 9 (at `[0].x`)");
    write_fails::<S8Bytes>(vec![1, 0], "expected bytes that do not end in NUL, which NumPy would strip (at `[0].x`)");
    write_fails::<S8Wide>([7; 12], "expected at most 8 bytes, found 12 (at `[0].x`)");
    write_fails::<V4Bytes>(vec![1; 3], "expected 4 bytes, found 3 (at `[0].x`)");
    write_fails::<V4Bytes>(vec![], "expected 4 bytes, found 0 (at `[0].x`)");
    write_fails::<V4Text>(text("abcde"), "expected 4 bytes, found 5 (at `[0].x`)");
    field!(U8Number, "with::U::<8>", f64);
    write_fails::<U8Number>(1.0, "expected text or bytes, found a number (at `[0].x`)");
    field!(U8Bool, "with::U::<8>", bool);
    write_fails::<U8Bool>(true, "expected text or bytes, found a bool (at `[0].x`)");
    field!(S8Integers, "with::S::<8>", Vec<i32>);
    write_fails::<S8Integers>(vec![1], "expected text or bytes, found a number (at `[0].x[0]`)");
}

#[test]
fn a_given_dtype_goes_before_the_helper() {
    let wide = WriteOptions::default().dtype("[('x', '<U16')]".parse().unwrap());
    let bytes = to_vec_with(&[U8 { x: text("longer than 8") }], &wide).unwrap();
    assert_eq!(from_slice::<Vec<U8>>(&bytes).unwrap()[0].x, "longer than 8");
    let narrow = WriteOptions::default().dtype("[('x', '<U2')]".parse().unwrap());
    assert_eq!(
        to_vec_with(&[U8 { x: text("abc") }], &narrow).unwrap_err().to_string(),
        "expected at most 2 code points, found 3 (at `[0].x`)"
    );
    // Bytes of a fixed number go whole into a `V`, and as text into a `U`.
    let void = WriteOptions::default().dtype("[('x', '|V8')]".parse().unwrap());
    let bytes = to_vec_with(&[S8Array { x: *b"abc\0\0\0\0\0" }], &void).unwrap();
    assert_eq!(bytes[128..], *b"abc\0\0\0\0\0");
    let text = WriteOptions::default().dtype("[('x', '>U3')]".parse().unwrap());
    let bytes = to_vec_with(&[S8Array { x: *b"abc\0\0\0\0\0" }], &text).unwrap();
    assert_eq!(bytes[128..], *b"\0\0\0a\0\0\0b\0\0\0c");
    reads::<S8Array>(&bytes, *b"abc\0\0\0\0\0");
}

#[test]
fn text_and_bytes_of_any_width_and_kind_are_read() {
    let (u, s, v) = (written("abc", "'>U5'"), written("abc", "'|S5'"), written("abc", "'|V3'"));
    for file in [&u, &s, &v] {
        reads::<U8>(file, text("abc"));
        reads::<S8>(file, text("abc"));
        reads::<V4Text>(file, text("abc"));
        reads::<S8Bytes>(file, b"abc".to_vec());
        reads::<U8Bytes>(file, b"abc".to_vec());
        reads::<S8ByteBuf>(file, b"abc".to_vec().into());
    }
    for file in [&u, &s] {
        reads::<S8Array>(file, *b"abc\0\0\0\0\0");
        reads::<V4>(file, *b"abc\0");
    }
    read_fails::<V4>(&v, "expected an array of length 4, found 3 items (dtype `|V3`, at `[0].x`, byte 128)");
    field!(Short, "with::S::<2>", [u8; 2]);
    for (file, dtype) in [(&u, ">U5"), (&s, "|S5")] {
        let message = format!("expected an array of length 2, found 3 items (dtype `{dtype}`, at `[0].x`, byte 128)");
        read_fails::<Short>(file, &message);
    }
    let number = written(1.5, "'<f8'");
    read_fails::<U8>(&number, "expected a string, found floating point `1.5` (dtype `<f8`, at `[0].x`, byte 128)");
    let binary = written(serde_bytes::Bytes::new(&[255, 254]), "'|V2'");
    read_fails::<U8>(
        &binary,
        "expected text, found bytes that are not UTF-8 from the one at 0; read them as bytes, or as Latin-1 by \
         `ReadOptions::bytes_as` (dtype `|V2`, at `[0].x`, byte 128)",
    );
}

#[test]
fn text_and_bytes_are_borrowed_from_s_and_v() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Borrowed<'a> {
        #[serde(with = "with::S::<4>")]
        text: &'a str,
        #[serde(with = "with::V::<2>")]
        bytes: &'a [u8],
    }
    let records = [Borrowed { text: "ab", bytes: &[1, 0] }];
    let bytes = to_vec(&records).unwrap();
    assert_eq!(descr(&bytes), "[('text', '|S4'), ('bytes', '|V2')]");
    assert_eq!(from_slice::<Vec<Borrowed<'_>>>(&bytes).unwrap(), records);
    #[derive(Deserialize, Debug)]
    struct Wide<'a> {
        #[serde(with = "with::U::<4>", rename = "x")]
        _x: &'a str,
    }
    assert_eq!(
        from_slice::<Vec<Wide<'_>>>(&written("ab", "'<U4'")).unwrap_err().to_string(),
        "a `&str` cannot be borrowed from a `U` element, whose characters take four bytes each; use `String` or \
         `Cow<str>` (dtype `<U4`, at `[0].x`, byte 128)"
    );
}

field!(Half, "with::F2", f32);
field!(HalfWide, "with::F2", f64);
field!(Halves, "with::F2", [f32; 3]);
field!(C16, "with::Complex", Complex<f64>);
field!(C8, "with::Complex", Complex<f32>);
field!(Pair, "with::Complex", (f32, f32));
field!(Mixed, "with::Complex", (f32, f64));
field!(Pairs, "with::Complex", [[f32; 2]; 2]);
field!(Spectrum, "with::Complex", Vec<Complex<f32>>);
field!(Nested, "with::Complex", Vec<Vec<(f64, f64)>>);
field!(Nan4, "with::Nan", Option<f32>);
field!(Nan8, "with::Nan", Option<f64>);
field!(Nan4Vec, "with::Nan", Vec<Option<f32>>);
field!(Nan8Array, "with::Nan", [Option<f64>; 3]);
field!(Rounded, "with::Round", f32);
field!(RoundedOption, "with::Round", Option<f32>);
field!(RoundedVec, "with::Round", Vec<[f32; 2]>);
field!(RoundedComplex, "with::Round", Complex<f32>);

#[test]
fn complex_numbers() {
    let bytes = round_trips::<C16, 2>([Complex::new(1.0, -2.0), Complex::new(f64::MAX, 0.0)], "'<c16'");
    assert_eq!(bytes[128..144], [1f64.to_le_bytes(), (-2f64).to_le_bytes()].concat());
    round_trips::<C8, 1>([Complex::new(1.0, -2.0)], "'<c8'");
    round_trips::<Pair, 1>([(0.5, 0.25)], "'<c8'");
    round_trips::<Pairs, 1>([[[1.0, 2.0], [3.0, 4.0]]], "'<c8', (2,)");
    round_trips::<Spectrum, 1>([vec![Complex::new(1.0, 2.0); 3]], "'<c8', (3,)");
    round_trips::<Nested, 1>([vec![vec![(1.0, 2.0); 2]; 3]], "'<c16', (3, 2)");
    let bytes = to_vec(&[Mixed { x: (0.5, 0.25) }]).unwrap();
    assert_eq!(descr(&bytes), "[('x', '<c16')]");
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(transparent)]
    struct Top(#[serde(with = "with::Complex")] Vec<Vec<Complex<f64>>>);
    let top = Top(vec![vec![Complex::new(1.0, 2.0), Complex::new(3.0, 4.0)]; 2]);
    let bytes = to_vec(&top).unwrap();
    let header = Header::read(&bytes[..]).unwrap();
    assert_eq!((header.dtype().to_string(), header.shape()), (text("'<c16'"), &[2, 2][..]));
    assert_eq!(from_slice::<Top>(&bytes).unwrap(), top);
    let fortran = to_vec_with(&top, &WriteOptions::default().fortran_order(true)).unwrap();
    assert_eq!(from_slice::<Top>(&fortran).unwrap(), top);
    field!(Three, "with::Complex", [f32; 3]);
    write_fails::<Three>([0.0; 3], "expected a pair of floats, found 3 items (at `[0].x`)");
    field!(Integers, "with::Complex", [i32; 2]);
    write_fails::<Integers>([1, 2], "expected a pair of floats, found a number (at `[0].x[0]`)");
}

#[test]
fn half_precision() {
    let bytes = round_trips::<Half, 3>([0.5, -65504.0, f32::INFINITY], "'<f2'");
    assert_eq!(bytes[128..134], [0x00, 0x38, 0xff, 0xfb, 0x00, 0x7c]);
    round_trips::<HalfWide, 1>([0.5], "'<f2'");
    round_trips::<Halves, 1>([[0.0, 1.0, -2.0]], "'<f2', (3,)");
    let bytes = to_vec(&[Half { x: 0.1 }]).unwrap();
    assert_eq!(from_slice::<Vec<Half>>(&bytes).unwrap(), [Half { x: 0.099_975_586 }]);
    for (value, found) in [(65520.0, "6.552e4"), (-1e30, "-1e30")] {
        let message = format!("expected `<f2`, found float `{found}`, which is beyond its range (at `[0].x`)");
        write_fails::<Half>(value, &message);
    }
    field!(Integer, "with::F2", i32);
    write_fails::<Integer>(1, "expected a float, found a number (at `[0].x`)");
    reads::<Half>(&written(1.5, "'<f4'"), 1.5);
}

#[test]
fn nan_is_none() {
    let bytes = round_trips::<Nan4, 3>([Some(1.5), None, Some(-0.0)], "'<f4'");
    assert_eq!(bytes[132..136], f32::NAN.to_le_bytes());
    round_trips::<Nan4, 1>([None], "'<f4'");
    round_trips::<Nan8, 2>([None, Some(f64::INFINITY)], "'<f8'");
    round_trips::<Nan4Vec, 1>([vec![Some(1.0), None]], "'<f4', (2,)");
    round_trips::<Nan4Vec, 1>([vec![]], "'<f4', (0,)");
    round_trips::<Nan8Array, 1>([[None; 3]], "'<f8', (3,)");
    // Halves and integers are read as without it.
    reads::<Nan4>(&written(f32::NAN, "'<f2'"), None);
    reads::<Nan8>(&written(7, "'<i4'"), Some(7.0));
    reads::<Nan4>(&written(f64::NAN, "'<f8'"), None);
    read_fails::<Nan4>(
        &written(0.5, "'<f8'"),
        "expected f32, found a wider float; use f64, or allow rounding by `with::Round` or \
         `ReadOptions::round_floats(true)` (dtype `<f8`, at `[0].x`, byte 128)",
    );
    let half = WriteOptions::default().dtype("[('x', '<f2')]".parse().unwrap());
    let bytes = to_vec_with(&[Nan8 { x: None }], &half).unwrap();
    assert_eq!(bytes[128..], [0x00, 0x7e]);
    let integer = WriteOptions::default().dtype("[('x', '<i2')]".parse().unwrap());
    assert!(to_vec_with(&[Nan8 { x: None }], &integer).unwrap_err().to_string().starts_with("found None"));
}

#[test]
fn floats_are_rounded_when_asked_for() {
    reads::<Rounded>(&written(0.1, "'<f8'"), 0.1);
    reads::<Rounded>(&written(f64::INFINITY, "'>f8'"), f32::INFINITY);
    reads::<RoundedOption>(&written(0.1, "'<f8'"), Some(0.1));
    reads::<RoundedVec>(&written([[0.1, 0.2], [0.3, 0.4]], "'<f8', (2, 2)"), vec![[0.1, 0.2], [0.3, 0.4]]);
    reads::<RoundedComplex>(&written([0.1, 0.2], "'<c16'"), Complex::new(0.1, 0.2));
    read_fails::<Rounded>(
        &written(1e300, "'<f8'"),
        "expected f32, found 1e300, which is beyond its range (dtype `<f8`, at `[0].x`, byte 128)",
    );
    round_trips::<RoundedVec, 1>([vec![[0.1, 0.2]]], "'<f4', (1, 2)");
    // The fields beside it are guarded as ever.
    #[derive(Deserialize, Debug)]
    struct Both {
        #[serde(with = "with::Round", rename = "x")]
        _x: f32,
        #[serde(rename = "y")]
        _y: f32,
    }
    let file = to_vec(&[Xy { x: 0.1, y: 0.1 }]).unwrap();
    let error = from_slice::<Vec<Both>>(&file).unwrap_err();
    assert_eq!(error.path().as_deref(), Some("[0].y"));
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(transparent)]
    struct Top(#[serde(with = "with::Round")] Vec<Vec<f32>>);
    assert_eq!(from_slice::<Top>(&to_vec(&[[0.1f64]]).unwrap()).unwrap(), Top(vec![vec![0.1]]));
}

#[derive(Serialize)]
struct Xy {
    x: f64,
    y: f64,
}

#[test]
fn an_empty_sequence_is_of_a_type() {
    macro_rules! top {
        ($with:literal, $type:ty, $value:expr, $dtype:literal, $shape:expr) => {{
            #[derive(Serialize, Deserialize, PartialEq, Debug)]
            #[serde(transparent)]
            struct Top(#[serde(with = $with)] $type);
            let bytes = to_vec(&Top($value)).unwrap();
            let header = Header::read(&bytes[..]).unwrap();
            let shape: &[u64] = &$shape;
            assert_eq!((header.dtype().to_string().as_str(), header.shape()), ($dtype, shape));
            assert_eq!(from_slice::<Top>(&bytes).unwrap(), Top($value));
            let mut held = Vec::new();
            Top($value).serialize(&mut serde_npy::Serializer::new(&mut held)).unwrap();
            assert_eq!(held, bytes);
        }};
    }
    top!("with::Of::<f32>", Vec<f32>, vec![], "'<f4'", [0]);
    top!("with::Of::<f32>", Vec<f32>, vec![1.0], "'<f4'", [1]);
    top!("with::Of::<f32>", Vec<Vec<f32>>, vec![], "'<f4'", [0]);
    top!("with::Of::<f32>", Vec<Vec<f32>>, vec![vec![], vec![]], "'<f4'", [2, 0]);
    top!("with::Of::<[u16; 3]>", Vec<[u16; 3]>, vec![], "'<u2'", [0, 3]);
    top!("with::Of::<(i64, f64)>", Vec<(i64, f64)>, vec![], "[('f0', '<i8'), ('f1', '<f8')]", [0]);
    top!("with::Of::<String>", Vec<String>, vec![], "'<U1'", [0]);
    top!("with::Of::<f64>", [f64; 0], [], "'<f8'", [0]);
    field!(Inner, "with::Of::<i16>", Vec<i16>);
    round_trips::<Inner, 2>([vec![], vec![]], "'<i2', (0,)");
    round_trips::<Inner, 1>([vec![1, 2]], "'<i2', (2,)");
}

field!(Address, "with::Text", IpAddr);
field!(TextIp, "with::TextN::<45>", IpAddr);
field!(TextUuid, "with::TextN::<36>", uuid::Uuid);

#[test]
fn values_as_their_text() {
    let addresses: [IpAddr; 2] = ["127.0.0.1".parse().unwrap(), "2001:db8::1".parse().unwrap()];
    round_trips::<Address, 2>(addresses, "'<U11'");
    round_trips::<TextIp, 2>(addresses, "'<U45'");
    round_trips::<TextUuid, 1>([uuid::Uuid::from_u128(7)], "'<U36'");
    field!(Short, "with::TextN::<8>", IpAddr);
    write_fails::<Short>(addresses[0], "expected at most 8 code points, found 9 (at `[0].x`)");
    reads::<Address>(&written("::1", "'|S5'"), "::1".parse().unwrap());
    read_fails::<Address>(
        &written("nowhere", "'<U7'"),
        "invalid IP address syntax, found text \"nowhere\" (dtype `<U7`, at `[0].x`, byte 128)",
    );
}

field!(Count, "with::Datetime::<with::Ns>", i64);
field!(Counts, "with::Datetime::<with::D>", Vec<Option<i64>>);
field!(Days, "with::Datetime::<with::D>", [i64; 2]);
field!(System, "with::Datetime::<with::Ns>", SystemTime);
field!(SystemOption, "with::Datetime::<with::Sec>", Option<SystemTime>);
field!(SystemYear, "with::Datetime::<with::Y>", SystemTime);
field!(SystemVec, "with::Datetime::<with::Us>", Vec<Option<SystemTime>>);
field!(Lasting, "with::Timedelta::<with::Ms>", Duration);
field!(LastingOption, "with::Timedelta::<with::Ns>", Option<Duration>);
field!(LastingMonths, "with::Timedelta::<with::M>", Duration);
field!(Raw, "with::Raw", i64);
field!(RawOption, "with::Raw", Option<i64>);
field!(RawVec, "with::Raw", Vec<i64>);

fn at(seconds: i64, nanos: u32) -> SystemTime {
    let whole = Duration::from_secs(seconds.unsigned_abs());
    let whole = if seconds < 0 { UNIX_EPOCH - whole } else { UNIX_EPOCH + whole };
    whole + Duration::from_nanos(nanos.into())
}

#[test]
fn times_of_std() {
    round_trips::<Count, 2>([5, -5], "'<M8[ns]'");
    round_trips::<Counts, 1>([vec![Some(1), None]], "'<M8[D]', (2,)");
    round_trips::<Counts, 1>([vec![]], "'<M8[D]', (0,)");
    round_trips::<Days, 1>([[1, 2]], "'<M8[D]', (2,)");
    let bytes = round_trips::<System, 2>([at(1, 500_000_001), at(-1, 1)], "'<M8[ns]'");
    assert_eq!(bytes[128..144], [1_500_000_001i64.to_le_bytes(), (-999_999_999i64).to_le_bytes()].concat());
    round_trips::<SystemOption, 3>([Some(at(-7, 0)), None, Some(at(7, 0))], "'<M8[s]'");
    round_trips::<SystemYear, 1>([at(31_536_000, 0)], "'<M8[Y]'");
    round_trips::<SystemVec, 1>([vec![None, Some(at(3, 1000))]], "'<M8[us]', (2,)");
    let bytes = round_trips::<Lasting, 2>([Duration::from_millis(1500), Duration::ZERO], "'<m8[ms]'");
    assert_eq!(bytes[128..136], 1500i64.to_le_bytes());
    round_trips::<LastingOption, 2>([None, Some(Duration::new(9_223_372_036, 854_775_807))], "'<m8[ns]'");
    round_trips::<Raw, 1>([5], "'<i8'");
    round_trips::<RawVec, 1>([vec![5, 6]], "'<i8', (2,)");
}

#[test]
fn times_that_do_not_fit() {
    write_fails::<SystemOption>(
        Some(at(1, 500_000_000)),
        "expected a datetime that is a whole count of `s`, found `1970-01-01T00:00:01.500000000`, of which `PT0.5S` \
         would be lost (at `[0].x`)",
    );
    write_fails::<System>(
        at(10_000_000_000, 0),
        "expected a datetime within the range of `ns`, found `2286-11-20T17:46:40` (at `[0].x`)",
    );
    write_fails::<SystemYear>(
        at(86_400, 0),
        "expected a datetime that is a whole count of `Y`, found `1970-01-02T00:00:00`, of which `P1D` would be lost \
         (at `[0].x`)",
    );
    write_fails::<Lasting>(
        Duration::from_micros(1),
        "expected a timedelta that is a whole count of `ms`, found `PT0.000001S`, of which `PT0.000001S` would be \
         lost (at `[0].x`)",
    );
    write_fails::<Lasting>(
        Duration::from_secs(u64::MAX),
        "expected a timedelta within the range of `ms`, found `P213503982334601DT7H15S` (at `[0].x`)",
    );
    write_fails::<LastingMonths>(
        Duration::ZERO,
        "expected a unit of fixed length, found `M`, since years and months have none (at `[0].x`)",
    );
    write_fails::<Count>(
        i64::MIN,
        "expected `<M8[ns]`, found integer `-9223372036854775808`, which is NaT; write None for that (at `[0].x`)",
    );
    read_fails::<System>(
        &written(None::<i64>, "'<M8[ns]'"),
        "expected a datetime in `ns`, found NaT, which only an `Option` holds (dtype `<M8[ns]`, at `[0].x`, byte 128)",
    );
    read_fails::<System>(
        &written(1, "'<m8[ns]'"),
        "expected a datetime in `ns`, found `<m8[ns]` (dtype `<m8[ns]`, at `[0].x`, byte 128)",
    );
    read_fails::<SystemVec>(
        &written([1], "'<i8', (1,)"),
        "expected a datetime in `us`, found `<i8` (at `[0].x`, byte 128)",
    );
    read_fails::<Lasting>(
        &written(-1, "'<m8[ms]'"),
        "expected a time that `Duration` can hold, found `-PT0.001S` (dtype `<m8[ms]`, at `[0].x`, byte 128)",
    );
    read_fails::<SystemOption>(
        &written(1, "'<M8[ms]'"),
        "expected a datetime that is a whole count of `s`, found `1970-01-01T00:00:00.001`, of which `PT0.001S` would \
         be lost (dtype `<M8[ms]`, at `[0].x`, byte 128)",
    );
    field!(Atto, "with::Datetime::<with::As>", SystemTime);
    read_fails::<Atto>(
        &written(1, "'<M8[as]'"),
        "expected a datetime in whole nanoseconds, found `1970-01-01T00:00:00.000000000000000001` (dtype `<M8[as]`, \
         at `[0].x`, byte 128)",
    );
}

#[test]
fn times_in_other_units_are_converted() {
    reads::<System>(&written(3, "'<M8[s]'"), at(3, 0));
    reads::<System>(&written(3, "'>M8[25us]'"), at(0, 75_000));
    reads::<SystemVec>(&written([1, 2], "'<M8[ms]', (2,)"), vec![Some(at(0, 1_000_000)), Some(at(0, 2_000_000))]);
    reads::<Lasting>(&written(2, "'<m8[s]'"), Duration::from_secs(2));
    reads::<Raw>(&written(3, "'<M8[25us]'"), 3);
    reads::<RawVec>(&written([3, 4], "'<m8[D]', (2,)"), vec![3, 4]);
    reads::<Raw>(&written(None::<i64>, "'<M8[s]'"), i64::MIN);
    reads::<RawOption>(&written(None::<i64>, "'<M8[s]'"), None);
    let options = WriteOptions::default().dtype("[('x', '>M8[us]')]".parse().unwrap());
    let bytes = to_vec_with(&[SystemOption { x: Some(at(1, 0)) }, SystemOption { x: None }], &options).unwrap();
    assert_eq!(bytes[128..144], [1_000_000i64.to_be_bytes(), i64::MIN.to_be_bytes()].concat());
    let integer = WriteOptions::default().dtype("[('x', '<i8')]".parse().unwrap());
    assert_eq!(
        to_vec_with(&[Count { x: 1 }], &integer).unwrap_err().to_string(),
        "expected `<i8`, found a datetime in `ns` (at `[0].x`)"
    );
}

#[cfg(feature = "chrono")]
mod of_chrono {
    use super::*;
    use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, Utc};

    field!(Instant, "with::Datetime::<with::Us>", DateTime<Utc>);
    field!(Naive, "with::Datetime::<with::Ns>", Option<NaiveDateTime>);
    field!(Day, "with::Datetime::<with::D>", NaiveDate);
    field!(DayInSeconds, "with::Datetime::<with::Sec>", Vec<NaiveDate>);
    field!(Delta, "with::Timedelta::<with::Ms>", TimeDelta);

    fn naive(text: &str) -> NaiveDateTime {
        text.parse().unwrap()
    }

    #[test]
    fn times_of_chrono() {
        let early = naive("0001-02-03T04:05:06.000007").and_utc();
        round_trips::<Instant, 2>([naive("2024-02-29T23:59:59.999999").and_utc(), early], "'<M8[us]'");
        round_trips::<Naive, 2>([Some(naive("1969-12-31T23:59:59.999999999")), None], "'<M8[ns]'");
        let bytes = round_trips::<Day, 2>([NaiveDate::from_ymd_opt(1970, 1, 2).unwrap(), NaiveDate::MIN], "'<M8[D]'");
        assert_eq!(bytes[128..136], 1i64.to_le_bytes());
        round_trips::<DayInSeconds, 1>([vec![NaiveDate::from_ymd_opt(1960, 1, 1).unwrap()]], "'<M8[s]', (1,)");
        let deltas = [TimeDelta::milliseconds(-1), TimeDelta::milliseconds(1500), TimeDelta::milliseconds(-1500)];
        let bytes = round_trips::<Delta, 3>(deltas, "'<m8[ms]'");
        assert_eq!(bytes[128..136], (-1i64).to_le_bytes());
        of::<Instant>("'<M8[us]'");
        of::<Day>("'<M8[D]'");
        of::<Delta>("'<m8[ms]'");
        read_fails::<Day>(
            &written(12, "'<M8[h]'"),
            "expected a datetime that is a whole count of `D`, found `1970-01-01T12`, of which `PT12H` would be lost \
             (dtype `<M8[h]`, at `[0].x`, byte 128)",
        );
        read_fails::<DayInSeconds>(
            &written([1], "'<M8[s]', (1,)"),
            "expected a time that `NaiveDate` can hold, found `1970-01-01T00:00:01` (dtype `<M8[s]`, at `[0].x[0]`, \
             byte 128)",
        );
        let leap = NaiveDate::from_ymd_opt(2016, 12, 31).unwrap().and_hms_nano_opt(23, 59, 59, 1_000_000_000);
        write_fails::<Naive>(
            leap,
            "found a NaiveDateTime that NumPy does not count, such as a leap second (at `[0].x`)",
        );
        write_fails::<Delta>(
            TimeDelta::nanoseconds(-1),
            "expected a timedelta that is a whole count of `ms`, found `-PT0.000000001S`, of which `PT0.000000001S` \
             would be lost (at `[0].x`)",
        );
    }

    #[test]
    fn other_formats_see_chronos_times_bare() {
        let instant = Instant { x: naive("2024-02-29T12:00:00").and_utc() };
        invisible(&instant, r#"{"x":"2024-02-29T12:00:00Z"}"#);
        invisible(&Day { x: NaiveDate::from_ymd_opt(2024, 2, 29).unwrap() }, r#"{"x":"2024-02-29"}"#);
        invisible(&Delta { x: TimeDelta::milliseconds(-1500) }, r#"{"x":[-2,500000000]}"#);
        invisible(&Naive { x: None }, r#"{"x":null}"#);
        behind_a_buffer(instant);
        behind_a_buffer(Day { x: NaiveDate::from_ymd_opt(2024, 2, 29).unwrap() });
        behind_a_buffer(Delta { x: TimeDelta::milliseconds(-1500) });
        behind_a_buffer(Naive { x: None });
    }
}

#[cfg(feature = "jiff")]
mod of_jiff {
    use super::*;
    use jiff::civil::{Date, DateTime, date};
    use jiff::{SignedDuration, Timestamp};

    field!(Stamp, "with::Datetime::<with::Ns>", Timestamp);
    field!(Civil, "with::Datetime::<with::Us>", [DateTime; 2]);
    field!(Day, "with::Datetime::<with::D>", Option<Date>);
    field!(Month, "with::Datetime::<with::M>", Date);
    field!(Signed, "with::Timedelta::<with::Us>", SignedDuration);

    #[test]
    fn times_of_jiff() {
        let stamp = |nanos| Timestamp::from_nanosecond(nanos).unwrap();
        let bytes = round_trips::<Stamp, 3>([stamp(-1), stamp(i128::from(i64::MAX)), stamp(0)], "'<M8[ns]'");
        assert_eq!(bytes[128..136], (-1i64).to_le_bytes());
        let civil = [date(-9000, 1, 2).at(3, 4, 5, 6000), date(9999, 12, 30).at(0, 0, 0, 0)];
        round_trips::<Civil, 1>([civil], "'<M8[us]', (2,)");
        round_trips::<Day, 2>([Some(date(1969, 12, 31)), None], "'<M8[D]'");
        round_trips::<Month, 1>([date(1960, 2, 1)], "'<M8[M]'");
        let signed = [SignedDuration::from_micros(-1), SignedDuration::from_micros(1_500_000), SignedDuration::ZERO];
        round_trips::<Signed, 3>(signed, "'<m8[us]'");
        of::<Stamp>("'<M8[ns]'");
        of::<Civil>("'<M8[us]', (2,)");
        of::<Day>("'<M8[D]'");
        of::<Signed>("'<m8[us]'");
        read_fails::<Stamp>(
            &written(i64::MAX, "'<M8[s]'"),
            "expected a datetime within the range of `ns`, found `292277026596-12-04T15:30:07` (dtype `<M8[s]`, at \
             `[0].x`, byte 128)",
        );
        field!(Years, "with::Datetime::<with::Y>", Date);
        read_fails::<Years>(
            &written(10_000, "'<M8[Y]'"),
            "expected a time that `civil::Date` can hold, found `11970` (dtype `<M8[Y]`, at `[0].x`, byte 128)",
        );
    }

    #[test]
    fn other_formats_see_jiffs_times_bare() {
        let stamp = Stamp { x: Timestamp::from_second(1_700_000_000).unwrap() };
        invisible(&stamp, r#"{"x":"2023-11-14T22:13:20Z"}"#);
        invisible(&Day { x: Some(date(2024, 2, 29)) }, r#"{"x":"2024-02-29"}"#);
        invisible(&Signed { x: SignedDuration::from_millis(-1500) }, r#"{"x":"-PT1.5S"}"#);
        behind_a_buffer(stamp);
        behind_a_buffer(Day { x: Some(date(2024, 2, 29)) });
        behind_a_buffer(Day { x: None });
        behind_a_buffer(Month { x: date(2024, 2, 1) });
        behind_a_buffer(Signed { x: SignedDuration::from_millis(-1500) });
        behind_a_buffer(Civil { x: [date(2024, 2, 29).at(1, 2, 3, 4000); 2] });
    }
}

#[test]
fn helpers_reach_into_ndarrays() {
    use ndarray::{Array2, array};
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(transparent)]
    struct Plane(#[serde(with = "with::Complex")] Array2<Complex<f64>>);
    let plane = Plane(array![[Complex::new(1.0, 2.0), Complex::new(3.0, 4.0)]]);
    let bytes = to_vec(&plane).unwrap();
    let header = Header::read(&bytes[..]).unwrap();
    assert_eq!((header.dtype().to_string(), header.shape()), (text("'<c16'"), &[1, 2][..]));
    assert_eq!(from_slice::<Plane>(&bytes).unwrap(), plane);

    field!(Inner, "with::F2", Array2<f32>);
    round_trips::<Inner, 2>([array![[0.5, 1.0], [2.0, 3.0]], Array2::zeros((2, 2))], "'<f2', (2, 2)");

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(transparent)]
    struct Empty(#[serde(with = "with::Of::<f32>")] Array2<f32>);
    let empty = Empty(Array2::zeros((0, 3)));
    let bytes = to_vec(&empty).unwrap();
    let header = Header::read(&bytes[..]).unwrap();
    assert_eq!((header.dtype().to_string(), header.shape()), (text("'<f4'"), &[0, 3][..]));
    assert_eq!(from_slice::<Empty>(&bytes).unwrap(), empty);

    field!(Rounding, "with::Round", Array2<f32>);
    reads::<Rounding>(&written([[0.1, 0.2]], "'<f8', (1, 2)"), array![[0.1, 0.2]]);
}

/// The value goes through other formats and back; JSON shows it bare.
#[track_caller]
pub(crate) fn invisible<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(json).unwrap(), *value, "JSON");
    let tree = serde_json::to_value(value).unwrap();
    assert_eq!(serde_json::from_value::<T>(tree).unwrap(), *value, "a JSON value");
    let ron = ron::to_string(value).unwrap();
    assert!(!ron.contains("serde_npy"), "{ron}");
    assert_eq!(ron::from_str::<T>(&ron).unwrap(), *value, "RON: {ron}");
    if !json.contains("null") {
        let toml = toml::to_string(value).unwrap();
        assert!(!toml.contains("serde_npy"), "{toml}");
        assert_eq!(toml::from_str::<T>(&toml).unwrap(), *value, "TOML: {toml}");
    }
    let mut cbor = Vec::new();
    ciborium::into_writer(value, &mut cbor).unwrap();
    assert_eq!(ciborium::from_reader::<T, _>(&cbor[..]).unwrap(), *value, "CBOR");
    let bincode = bincode::serialize(value).unwrap();
    assert_eq!(bincode::deserialize::<T>(&bincode).unwrap(), *value, "bincode");
    let postcard = postcard::to_stdvec(value).unwrap();
    assert_eq!(postcard::from_bytes::<T>(&postcard).unwrap(), *value, "postcard");
}

#[test]
fn other_formats_see_the_bare_value() {
    invisible(&U8 { x: text("longer than 8") }, r#"{"x":"longer than 8"}"#);
    invisible(&U8Char { x: 'é' }, r#"{"x":"é"}"#);
    invisible(&U8Vec { x: vec![text("a"), text("b")] }, r#"{"x":["a","b"]}"#);
    invisible(&U8Side { x: Side::Sell }, r#"{"x":"Sell"}"#);
    invisible(&U45Ip { x: [127, 0, 0, 1].into() }, r#"{"x":"127.0.0.1"}"#);
    invisible(&S8Bytes { x: vec![1, 255, 0] }, r#"{"x":[1,255,0]}"#);
    invisible(&S8Vec { x: vec![vec![1], vec![]] }, r#"{"x":[[1],[]]}"#);
    invisible(&S8Array { x: *b"abc\0\0\0\0\0" }, r#"{"x":[97,98,99,0,0,0,0,0]}"#);
    invisible(&V4 { x: [1, 2, 3, 4] }, r#"{"x":[1,2,3,4]}"#);
    invisible(&C8 { x: Complex::new(1.0, 2.0) }, r#"{"x":[1.0,2.0]}"#);
    invisible(&Half { x: 0.1 }, r#"{"x":0.1}"#);
    invisible(&Rounded { x: 0.1 }, r#"{"x":0.1}"#);
    invisible(&Nan8 { x: Some(0.1) }, r#"{"x":0.1}"#);
    invisible(&Nan4 { x: Some(0.1) }, r#"{"x":0.1}"#);
    invisible(&Nan4 { x: None }, r#"{"x":null}"#);
    invisible(&Nan8Array { x: [None, Some(1.0), None] }, r#"{"x":[null,1.0,null]}"#);
    invisible(&Address { x: [127, 0, 0, 1].into() }, r#"{"x":"127.0.0.1"}"#);
    invisible(&TextUuid { x: uuid::Uuid::from_u128(7) }, r#"{"x":"00000000-0000-0000-0000-000000000007"}"#);
    invisible(&Count { x: -5 }, r#"{"x":-5}"#);
    invisible(&Days { x: [1, -2] }, r#"{"x":[1,-2]}"#);
    invisible(&Counts { x: vec![Some(1), None] }, r#"{"x":[1,null]}"#);
    invisible(&System { x: at(1, 5) }, r#"{"x":{"secs_since_epoch":1,"nanos_since_epoch":5}}"#);
    invisible(&SystemOption { x: None }, r#"{"x":null}"#);
    invisible(&Lasting { x: Duration::new(1, 5) }, r#"{"x":{"secs":1,"nanos":5}}"#);
    invisible(&Raw { x: 5 }, r#"{"x":5}"#);
    field!(Inner, "with::Of::<i16>", Vec<i16>);
    invisible(&Inner { x: vec![] }, r#"{"x":[]}"#);
    invisible(&Inner { x: vec![1] }, r#"{"x":[1]}"#);
}

/// The value comes back where serde holds what "any" yields, and is written the same way.
#[track_caller]
pub(crate) fn behind_a_buffer<T: Serialize + DeserializeOwned + PartialEq + Debug + Clone>(value: T) {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Flat<T> {
        before: u8,
        #[serde(flatten)]
        inner: T,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Either<T> {
        One { only: u64 },
        Other(T),
    }
    let flat = [Flat { before: 1, inner: value.clone() }];
    let bytes = to_vec(&flat).unwrap();
    assert_eq!(from_slice::<Vec<Flat<T>>>(&bytes).unwrap(), flat, "flatten");
    let either = [Either::Other(value.clone())];
    let bytes = to_vec(&either).unwrap();
    assert_eq!(descr(&bytes), descr(&to_vec(&[value]).unwrap()));
    assert_eq!(from_slice::<Vec<Either<T>>>(&bytes).unwrap(), either, "untagged");
    let json = serde_json::to_string(&flat).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Flat<T>>>(&json).unwrap(), flat, "JSON");
}

#[test]
fn helpers_work_behind_flatten_and_untagged() {
    behind_a_buffer(U8 { x: text("abc") });
    behind_a_buffer(U8Vec { x: vec![text("a"), text("b")] });
    behind_a_buffer(U8Bytes { x: b"abc".to_vec() });
    behind_a_buffer(U8Side { x: Side::Sell });
    behind_a_buffer(U45Ip { x: [127, 0, 0, 1].into() });
    behind_a_buffer(S8 { x: text("abc") });
    behind_a_buffer(S8Bytes { x: b"abc".to_vec() });
    behind_a_buffer(S8Array { x: *b"abc\0\0\0\0\0" });
    behind_a_buffer(S8Vec { x: vec![b"abc".to_vec(), vec![]] });
    behind_a_buffer(S8ByteBuf { x: b"abc".to_vec().into() });
    behind_a_buffer(V4 { x: [1, 255, 3, 0] });
    behind_a_buffer(V4Bytes { x: vec![1, 255, 3, 0] });
    behind_a_buffer(C16 { x: Complex::new(1.0, 2.0) });
    behind_a_buffer(Half { x: 0.5 });
    behind_a_buffer(Nan4 { x: None });
    behind_a_buffer(Nan4 { x: Some(0.5) });
    behind_a_buffer(Nan8Array { x: [None, Some(0.1), None] });
    behind_a_buffer(Rounded { x: 0.1 });
    behind_a_buffer(Address { x: [127, 0, 0, 1].into() });
    behind_a_buffer(Count { x: -5 });
    behind_a_buffer(Counts { x: vec![Some(1), None] });
    behind_a_buffer(Days { x: [1, -2] });
    behind_a_buffer(System { x: at(1, 5) });
    behind_a_buffer(SystemOption { x: None });
    behind_a_buffer(SystemYear { x: at(0, 0) });
    behind_a_buffer(Lasting { x: Duration::from_millis(1500) });
    behind_a_buffer(LastingOption { x: None });
    // Rounding in the buffer is guarded too.
    #[derive(Deserialize, Debug)]
    struct Flat {
        #[serde(flatten)]
        _inner: Rounded,
    }
    let error = from_slice::<Vec<Flat>>(&written(1e300, "'<f8'")).unwrap_err();
    assert_eq!(error.to_string(), "expected f32, found 1e300, which is beyond its range (at `[0]`, byte 128)");
    assert_eq!(from_slice::<Vec<Flat>>(&written(0.1, "'<f8'")).unwrap()[0]._inner.x, 0.1);
}

#[test]
fn options_for_bytes_and_text_do_not_matter_to_helpers() {
    let file = written("abc", "'|S5'");
    for bytes_as in [serde_npy::BytesAs::Text, serde_npy::BytesAs::Latin1, serde_npy::BytesAs::Bytes] {
        let options = ReadOptions::default().bytes_as(bytes_as);
        assert_eq!(from_slice_with::<Vec<U8>>(&file, &options).unwrap(), [U8 { x: text("abc") }]);
        assert_eq!(from_slice_with::<Vec<S8Bytes>>(&file, &options).unwrap(), [S8Bytes { x: b"abc".to_vec() }]);
    }
}

#[test]
fn numpy_sees_what_the_helpers_say() {
    #[derive(Serialize)]
    struct All {
        #[serde(with = "with::U::<8>")]
        u: String,
        #[serde(with = "with::S::<8>")]
        s: [u8; 6],
        #[serde(with = "with::V::<2>")]
        v: Vec<u8>,
        #[serde(with = "with::Complex")]
        c: Vec<Complex<f32>>,
        #[serde(with = "with::F2")]
        h: f32,
        #[serde(with = "with::Nan")]
        n: Option<f64>,
        #[serde(with = "with::Text")]
        t: IpAddr,
        #[serde(with = "with::Datetime::<with::Ms>")]
        at: Option<SystemTime>,
        #[serde(with = "with::Timedelta::<with::Us>")]
        d: [Duration; 2],
    }
    let row = |at: Option<SystemTime>, n| All {
        u: text("Ünit"),
        s: *b"ab\0\0\0\0",
        v: vec![1, 0],
        c: vec![Complex::new(1.0, -2.0); 2],
        h: 0.1,
        n,
        t: [127, 0, 0, 1].into(),
        at,
        d: [Duration::from_millis(1500), Duration::ZERO],
    };
    let bytes = to_vec(&[row(Some(at(-1, 500_000_000)), None), row(None, Some(0.1))]).unwrap();
    let script = "
import io, sys, numpy
a = numpy.load(io.BytesIO(sys.stdin.buffer.read()))
print(a.dtype)
for row in a: print([x.tolist() if x.dtype.kind != 'M' else str(x) for x in row])
";
    let Some(printed) = python(script, &bytes) else { return };
    assert_eq!(
        String::from_utf8(printed).unwrap(),
        "[('u', '<U8'), ('s', 'S8'), ('v', 'V2'), ('c', '<c8', (2,)), ('h', '<f2'), ('n', '<f8'), ('t', '<U9'), ('at', \
         '<M8[ms]'), ('d', '<m8[us]', (2,))]\n\
         ['Ünit', b'ab', b'\\x01\\x00', [(1-2j), (1-2j)], 0.0999755859375, nan, '127.0.0.1', \
         '1969-12-31T23:59:59.500', [datetime.timedelta(seconds=1, microseconds=500000), datetime.timedelta(0)]]\n\
         ['Ünit', b'ab', b'\\x01\\x00', [(1-2j), (1-2j)], 0.0999755859375, 0.1, '127.0.0.1', 'NaT', \
         [datetime.timedelta(seconds=1, microseconds=500000), datetime.timedelta(0)]]\n"
    );
}
