//! A dtype that is given: what each value may become, and what it may not.

use crate::routes::{given, refuses_to_write_with, ucs4, writes_with};
use serde::Serialize;
use serde_bytes::Bytes;
use serde_npy::with;
use std::collections::BTreeMap;

#[track_caller]
fn becomes<T: Serialize + ?Sized>(dtype: &str, value: &T, data: &[u8]) {
    let descr = given(dtype).dtype.unwrap().to_string();
    writes_with(&given(dtype), value, &descr, "()", data);
}

#[track_caller]
fn refused<T: Serialize + ?Sized>(dtype: &str, value: &T, message: &str) {
    refuses_to_write_with(&given(dtype), value, message);
}

/// Every integer type into every integer dtype: range-checked.
#[test]
fn integers_fit_or_are_refused() {
    macro_rules! check {
        ($($type:ident $code:literal),*) => {$(
            for value in [i128::from(i64::MIN), -32_769, -32_768, -129, -128, -1, 0, 1, 127, 128, 255, 256, 65_535, 65_536, i128::from(i64::MAX), i128::from(u64::MAX)] {
                let found = |result: serde_npy::Result<Vec<u8>>| match $type::try_from(value) {
                    Ok(fits) => assert_eq!(&result.unwrap()[128..], fits.to_le_bytes(), "{value} as {}", $code),
                    Err(_) => assert_eq!(
                        result.unwrap_err().to_string(),
                        format!("expected `{}`, found integer `{value}`, which is beyond its range", $code)
                    ),
                };
                let options = given($code);
                found(serde_npy::to_vec_with(&value, &options));
                if let Ok(value) = i64::try_from(value) {
                    found(serde_npy::to_vec_with(&value, &options));
                }
                if let Ok(value) = u64::try_from(value) {
                    found(serde_npy::to_vec_with(&value, &options));
                    found(serde_npy::to_vec_with(&u128::from(value), &options));
                }
                if let Ok(value) = i16::try_from(value) {
                    found(serde_npy::to_vec_with(&value, &options));
                }
            }
        )*};
    }
    check!(i8 "|i1", i16 "<i2", i32 "<i4", i64 "<i8", u8 "|u1", u16 "<u2", u32 "<u4", u64 "<u8");
    refused("u8", &u128::MAX, &format!("expected `<u8`, found integer `{}`", u128::MAX));
}

#[test]
fn integers_into_floats_are_exact_or_refused() {
    becomes("f8", &(1u64 << 53), &9_007_199_254_740_992f64.to_le_bytes());
    becomes("f8", &(1u64 << 63), &9_223_372_036_854_775_808f64.to_le_bytes());
    becomes("f4", &-16_777_216, &(-16_777_216f32).to_le_bytes());
    becomes("f2", &2048, &[0, 0x68]);
    becomes("f2", &65_504, &[0xff, 0x7b]);
    refused(
        "f8",
        &((1u64 << 53) + 1),
        "expected `<f8`, found integer `9007199254740993`, which it does not hold exactly",
    );
    refused("f4", &16_777_217, "expected `<f4`, found integer `16777217`, which it does not hold exactly");
    refused("f2", &2049, "expected `<f2`, found integer `2049`, which it does not hold exactly");
    refused("f2", &65_520, "expected `<f2`, found integer `65520`, which it does not hold exactly");
}

#[test]
fn floats_round_but_stay_finite() {
    becomes("f4", &0.1f64, &0.1f32.to_le_bytes());
    becomes("f4", &f64::INFINITY, &f32::INFINITY.to_le_bytes());
    becomes("f2", &0.1f64, &[0x66, 0x2e]);
    becomes("f2", &0.1f32, &[0x66, 0x2e]);
    becomes("f8", &0.1f32, &f64::from(0.1f32).to_le_bytes());
    becomes(">f4", &0.1f64, &0.1f32.to_be_bytes());
    becomes("f4", &half::f16::from_f32(1.5), &1.5f32.to_le_bytes());
    becomes("f8", &half::bf16::from_f32(1.5), &1.5f64.to_le_bytes());
    becomes("f2", &half::bf16::from_f32(1.5), &[0, 0x3e]);
    refused("f4", &1e39f64, "expected `<f4`, found float `1e39`, which is beyond its range");
    refused("f2", &1e6f32, "expected `<f2`, found float `1e6`, which is beyond its range");
    refused("f2", &1e6f64, "expected `<f2`, found float `1e6`, which is beyond its range");
    refused("i4", &1f64, "expected `<i4`, found float `1`");
    refused("f16", &1f64, "expected `<f16`, found float `1`");
    refused("V2", &half::f16::from_f32(1.5), "expected `|V2`, found float `1.5`");
}

#[test]
fn bools_stay_bools() {
    becomes("?", &true, &[1]);
    refused("u1", &true, "expected `|u1`, found bool `true`");
    refused("?", &1, "expected `|b1`, found integer `1`");
    refused("U4", &true, "expected `<U4`, found bool `true`");
}

#[test]
fn text_and_bytes_are_never_cut() {
    becomes("U3", "λ", &ucs4("λ", 3));
    becomes("S3", "λ", "λ\0".as_bytes());
    becomes("V2", "λ", "λ".as_bytes());
    becomes("S2", Bytes::new(b"a"), b"a\0");
    becomes("V2", Bytes::new(b"a\0"), b"a\0");
    becomes("S3", b"ab", b"ab\0");
    becomes("S3", &vec![97u8, 98], b"ab\0");
    becomes("S0", "", b"");
    becomes("S4", &'λ', "λ\0\0".as_bytes());
    writes_with(&given("S3"), &["ab", "c"], "'|S3'", "(2,)", b"ab\0c\0\0");
    writes_with(&given("S3"), &[Bytes::new(b"ab"), Bytes::new(b"")], "'|S3'", "(2,)", b"ab\0\0\0\0");
    writes_with(&given("S2"), &vec![vec![97u8], vec![98, 99]], "'|S2'", "(2,)", b"a\0bc");
    writes_with(&given("u1"), Bytes::new(b"ab"), "'|u1'", "(2,)", b"ab");
    refused("U2", "abc", "expected at most 2 code points, found 3");
    refused("U1", "ab", "expected at most 1 code point, found 2");
    refuses_to_write_with(&given("U2"), &["a", "abc"], "expected at most 2 code points, found 3 (at `[1]`)");
    refused("S2", "λa", "expected at most 2 bytes, found 3");
    refused("V2", "a", "expected 2 bytes, found 1");
    refused("V2", Bytes::new(b"abc"), "expected 2 bytes, found 3");
    refused("S2", Bytes::new(b"abc"), "expected at most 2 bytes, found 3");
    refused("S2", Bytes::new(b"a\0"), "expected bytes that do not end in NUL, which NumPy would strip");
    refused("U2", Bytes::new(b"a"), "expected `<U2`, found 1 byte");
    refused("f8", "1", "expected `<f8`, found text \"1\"");
    refused("S2", &1, "expected `|S2`, found integer `1`");
    refused("S2", b"a\0", "expected bytes that do not end in NUL, which NumPy would strip");
    refused("V2", &[1u8], "expected 2 items, found 1");
    refused("S2", &[1u8, 2, 3], "expected 2 items, found 3");
    refuses_to_write_with(&given("S2"), &[1, 300], "expected `|S2`, found a sequence of other than bytes (at `[1]`)");
}

#[test]
fn times_from_text_counts_and_helpers() {
    #[derive(Serialize)]
    #[serde(transparent)]
    struct At(#[serde(with = "with::Datetime::<with::Sec>")] Option<i64>);
    #[derive(Serialize)]
    #[serde(transparent)]
    struct For(#[serde(with = "with::Timedelta::<with::Sec>")] i64);
    #[derive(Serialize)]
    #[serde(transparent)]
    struct Raw(#[serde(with = "with::Raw")] Option<i64>);
    let nat = i64::MIN.to_le_bytes();
    becomes("M8[D]", "1970-01-03", &2i64.to_le_bytes());
    becomes(">M8[ms]", "1970-01-01T00:00:00.5", &500i64.to_be_bytes());
    becomes("m8[s]", "PT1M", &60i64.to_le_bytes());
    becomes("M8[D]", "NaT", &nat);
    becomes("M8[D]", &None::<i64>, &nat);
    becomes("m8", &None::<i64>, &nat);
    becomes("M8[D]", &7, &7i64.to_le_bytes());
    becomes("m8", &7, &7i64.to_le_bytes());
    becomes("M8[ms]", &At(Some(2)), &2000i64.to_le_bytes());
    becomes("M8[ms]", &At(None), &nat);
    becomes("m8[m]", &For(120), &2i64.to_le_bytes());
    becomes("M8[25us]", &Raw(Some(2)), &2i64.to_le_bytes());
    becomes("m8", &Raw(None), &nat);
    becomes("i2", &Raw(Some(2)), &[2, 0]);
    let is_nat = "found integer `-9223372036854775808`, which is NaT; write None for that";
    refused("M8[D]", &i64::MIN, &format!("expected `<M8[D]`, {is_nat}"));
    refused("m8[s]", &i64::MIN, &format!("expected `<m8[s]`, {is_nat}"));
    refused("M8[ms]", &At(Some(i64::MIN)), &format!("expected `<M8[ms]`, {is_nat}"));
    refused("M8[D]", &u64::MAX, "expected `<M8[D]`, found integer `18446744073709551615`, which is beyond its range");
    refused(
        "M8[D]",
        &At(Some(1)),
        "expected a datetime that is a whole count of `D`, found `1970-01-01T00:00:01`, of which `PT1S` would be lost",
    );
    refused("m8[s]", &At(Some(1)), "expected `<m8[s]`, found a datetime in `s`");
    refused("M8[s]", &For(1), "expected `<M8[s]`, found a timedelta in `s`");
    refused("M8", &At(Some(1)), "expected `<M8`, found a time in `s`");
    refused("i8", &At(Some(1)), "expected `<i8`, found a datetime in `s`");
    refused("M8", "1970-01-01", "expected `<M8`, found text \"1970-01-01\"");
    refused("M8[D]", &1.5, "expected `<M8[D]`, found float `1.5`");
    refused(
        "u1",
        &Raw(None),
        "found None, for which no dtype but a time has a value; write a value in its place, or use `with::Nan`, which writes NaN, or `with::Datetime` or `with::Timedelta`, which write NaT",
    );
}

#[test]
fn complex_numbers_from_pairs_and_named_parts() {
    #[derive(Serialize)]
    struct Named {
        re: f32,
        im: f32,
    }
    #[derive(Serialize)]
    struct Swapped {
        im: f32,
        re: f32,
    }
    let bytes = [1.5f32.to_le_bytes(), 2.5f32.to_le_bytes()].concat();
    becomes("c8", &(1.5f32, 2.5f32), &bytes);
    becomes("c8", &[1.5f64, 2.5], &bytes);
    becomes("c8", &vec![1.5f32, 2.5], &bytes);
    becomes("c8", &num_complex::Complex::new(1.5f32, 2.5), &bytes);
    becomes("c8", &Named { re: 1.5, im: 2.5 }, &bytes);
    becomes("c8", &Swapped { im: 2.5, re: 1.5 }, &bytes);
    becomes("c8", &BTreeMap::from([("imag", 2.5), ("real", 1.5)]), &bytes);
    becomes(
        "c8",
        &serde_json::json!({"imag": 2.5, "real": 1.5})
            .as_object()
            .map(|map| (map["real"].clone(), map["imag"].clone())),
        &bytes,
    );
    becomes("c16", &(1.5f32, 2), &[1.5f64.to_le_bytes(), 2f64.to_le_bytes()].concat());
    let parts = "the parts of a complex number are `re` and `im`";
    refused("c8", &BTreeMap::from([("a", 1.0), ("b", 2.0)]), &format!("expected `<c8`, found field `a`; {parts}"));
    refused("c8", &BTreeMap::from([("re", 1.0), ("real", 2.0)]), "part `real` of a complex number occurs twice");
    refused("c8", &1.5f32, "expected `<c8`, found float `1.5`");
    refused("c8", &(1.5f32, "x"), "expected `<f4`, found text \"x\" (at `[1]`)");
}

/// Of signed integers and floats there is no text, however many there are.
#[test]
fn numbers_are_no_text() {
    for dtype in ["S2", "V2"] {
        for count in 1..4 {
            let message = format!("expected `|{dtype}`, found integer `65` (at `[0]`)");
            refuses_to_write_with(&given(dtype), &vec![65i64; count], &message);
            let message = format!("expected `|{dtype}`, found float `1` (at `[0]`)");
            refuses_to_write_with(&given(dtype), &vec![1.0; count], &message);
        }
        becomes(dtype, &vec![97u64, 98], b"ab");
    }
}

/// Records lie along an axis, where the same as a value might be one complex number or text.
#[test]
fn records_are_no_parts_of_an_element() {
    let refused = |result: serde_npy::Result<Vec<u8>>| result.unwrap_err().to_string();
    for (dtype, found) in [("S2", "integer `65`"), ("V2", "integer `65`"), ("<c8", "integer `65`")] {
        let expected = if dtype.starts_with('<') { dtype.to_owned() } else { format!("|{dtype}") };
        let message = format!("expected `{expected}`, found {found} (at `[0]`)");
        assert_eq!(refused(serde_npy::records_to_vec_with(&[65u8, 66], &given(dtype))), message);
    }
    let pairs = [(1f32, 2f32), (3.0, 4.0)];
    let data = [1f32, 2.0, 3.0, 4.0].map(f32::to_le_bytes).concat();
    assert_eq!(&serde_npy::records_to_vec_with(&pairs, &given("c8")).unwrap()[128..], data);
}

#[test]
fn byte_strings_may_be_empty() {
    let (empty, ab) = (Vec::<u8>::new(), b"ab".to_vec());
    let rows: [(&[&Vec<u8>], &[u8]); 4] = [
        (&[&ab, &empty], b"ab\0\0"),
        (&[&empty, &ab], b"\0\0ab"),
        (&[&empty, &empty], b"\0\0\0\0"),
        (&[&empty], b"\0\0"),
    ];
    for (strings, data) in rows {
        let shape = format!("({},)", strings.len());
        writes_with(&given("S2"), strings, "'|S2'", &shape, data);
        let records = serde_npy::records_to_vec_with(strings, &given("S2")).unwrap();
        assert_eq!(&records[128..], data);
        let mut writer = serde_npy::Writer::open_length_with(std::io::Cursor::new(Vec::new()), &given("S2")).unwrap();
        strings.iter().for_each(|string| writer.write(string).unwrap());
        assert_eq!(writer.finish().unwrap().into_inner(), records);
    }
    writes_with(&given("S2"), &empty, "'|S2'", "()", b"\0\0");
    writes_with(&given("V0"), &[&empty, &empty], "'|V0'", "(2,)", b"");
    writes_with(&given("S2"), &vec![vec![empty.clone()], vec![ab.clone()]], "'|S2'", "(2, 1)", b"\0\0ab");
    // As in NumPy, lists of no strings.
    writes_with(&given("S2"), &vec![Vec::<String>::new(); 2], "'|S2'", "(2, 0)", b"");
    refuses_to_write_with(&given("V2"), &[&empty], "expected 2 items, found 0 (at `[0]`)");
}

#[test]
fn records_by_name_or_position() {
    #[derive(Serialize)]
    struct Ba {
        b: u8,
        a: i64,
    }
    let dtype = "[('a', '<i2'), ('b', '|u1')]";
    becomes(dtype, &Ba { b: 2, a: 1 }, &[1, 0, 2]);
    becomes(dtype, &BTreeMap::from([("b", 2), ("a", 1)]), &[1, 0, 2]);
    becomes(dtype, &(1, 2), &[1, 0, 2]);
    becomes(dtype, &[1, 2], &[1, 0, 2]);
    writes_with(&given(dtype), &[Ba { b: 2, a: 1 }, Ba { b: 4, a: 3 }], dtype, "(2,)", &[1, 0, 2, 3, 0, 4]);
    writes_with(&given(dtype), &[(1, 2), (3, 4)], dtype, "(2,)", &[1, 0, 2, 3, 0, 4]);
    // Padding is zero.
    let padded = "[('a', '|u1'), ('', '|V3'), ('b', '|u1'), ('', '|V3')]";
    writes_with(&given(padded), &[(1, 2), (3, 4)], padded, "(2,)", &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]);
    refused(dtype, &BTreeMap::from([("a", 1), ("c", 2)]), "the dtype has no field `c`");
    refused(dtype, &BTreeMap::from([("a", 1)]), "the value has no field `b`, which the dtype has");
    refused(dtype, &BTreeMap::from([("b", 1)]), "the value has no field `a`, which the dtype has");
    refused(
        dtype,
        &Ba { b: 2, a: 40_000 },
        "expected `<i2`, found integer `40000`, which is beyond its range (at `a`)",
    );
    refuses_to_write_with(
        &given(dtype),
        &[(1, 2), (3, 400)],
        "expected `|u1`, found integer `400`, which is beyond its range (at `[1].b`)",
    );
    refused(dtype, &1, "expected a record of 2 fields, found integer `1`");
    refused(dtype, "x", "expected a record of 2 fields, found text \"x\"");
    struct Twice;
    impl Serialize for Twice {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map([("a", 1), ("a", 2), ("b", 3)])
        }
    }
    refused(dtype, &Twice, "field `a` occurs twice");
}

#[test]
fn subarrays_by_length() {
    #[derive(Serialize)]
    struct Row<T> {
        x: T,
    }
    let dtype = "[('x', '<i2', (2, 2))]";
    becomes(dtype, &Row { x: [[1, 2], [3, 4]] }, &[1, 0, 2, 0, 3, 0, 4, 0]);
    becomes(dtype, &Row { x: vec![(1, 2), (3, 4)] }, &[1, 0, 2, 0, 3, 0, 4, 0]);
    becomes("[('x', '|u1', (2,))]", &Row { x: Bytes::new(b"ab") }, b"ab");
    refused("[('x', '|u1', (2,))]", &Row { x: Bytes::new(b"abc") }, "expected 2 bytes, found 3 (at `x`)");
    refused(dtype, &Row { x: [[1, 2]] }, "expected 2 items, found 1 (at `x`)");
    refused(dtype, &Row { x: [[1, 2, 3], [4, 5, 6]] }, "expected 2 items, found 3 (at `x[0]`)");
    refused(dtype, &Row { x: 1 }, "expected 2 items, found integer `1` (at `x`)");
}

#[test]
fn units_and_variants() {
    #[derive(Serialize)]
    enum Side {
        Buy,
    }
    becomes("V0", &(), &[]);
    becomes("S4", &Side::Buy, b"Buy\0");
    becomes("U3", &Side::Buy, &ucs4("Buy", 3));
    refused("S2", &Side::Buy, "expected at most 2 bytes, found 3");
    refused("u1", &(), "expected `|u1`, found a unit");
    refused("V1", &(), "expected `|V1`, found a unit");
}

/// The axes are what stands around the elements, whatever those are.
#[test]
fn the_shape_follows_the_dtype() {
    writes_with(&given("c8"), &[[(1f32, 2f32)]], "'<c8'", "(1, 1)", &[1f32.to_le_bytes(), 2f32.to_le_bytes()].concat());
    writes_with(&given("f4"), &[(1f32, 2f32)], "'<f4'", "(1, 2)", &[1f32.to_le_bytes(), 2f32.to_le_bytes()].concat());
    writes_with(&given("V2"), &[[1u8, 2], [3, 4]], "'|V2'", "(2,)", &[1, 2, 3, 4]);
    writes_with(&given("u1"), &[[1u8, 2], [3, 4]], "'|u1'", "(2, 2)", &[1, 2, 3, 4]);
    writes_with(&given("u1,u1"), &[[1u8, 2], [3, 4]], "[('f0', '|u1'), ('f1', '|u1')]", "(2,)", &[1, 2, 3, 4]);
    writes_with(
        &given("u1,u1,u1"),
        &[[(1, 2, 3)]],
        "[('f0', '|u1'), ('f1', '|u1'), ('f2', '|u1')]",
        "(1, 1)",
        &[1, 2, 3],
    );
}

/// An overlong text names its record, and nothing is written.
#[test]
fn records_functions_check_as_well() {
    let options = given("[('a', '|S2')]");
    let records = [("ab",), ("abc",)];
    let message = "expected at most 2 bytes, found 3 (at `[1].a`)";
    assert_eq!(serde_npy::records_to_vec_with(&records, &options).unwrap_err().to_string(), message);
    let mut out = Vec::new();
    assert_eq!(serde_npy::records_to_writer_with(&mut out, &records, &options).unwrap_err().to_string(), message);
    assert!(out.is_empty());
    assert_eq!(serde_npy::records_to_vec(&records).unwrap(), serde_npy::to_vec(&records).unwrap());
    let many: Vec<_> = (0..100_000u32).map(|n| (n, n % 3 == 0)).collect();
    assert_eq!(serde_npy::records_to_vec(&many).unwrap(), serde_npy::to_vec(&many).unwrap());
    assert_eq!(
        serde_npy::records_to_vec(&[[1u8, 2], [3, 4]]).unwrap(),
        serde_npy::to_vec(&[[1u8, 2], [3, 4]]).unwrap()
    );
}

/// A stream of elements whose number is not what was said.
#[test]
fn a_stream_holds_its_length() {
    use serde::ser::{SerializeSeq as _, Serializer as _};
    let stream = |said: usize, given_items: usize| {
        let mut out = Vec::new();
        let mut serializer = serde_npy::Serializer::with_options(&mut out, given("u1"));
        let mut seq = (&mut serializer).serialize_seq(Some(said)).unwrap();
        let result = (0..given_items).try_for_each(|_| seq.serialize_element(&1u8)).and_then(|()| seq.end());
        result.map_err(|error| error.to_string())
    };
    assert_eq!(stream(3, 3), Ok(()));
    assert_eq!(stream(3, 2), Err("expected 3 items, found 2".to_owned()));
    assert_eq!(stream(3, 4), Err("expected 3 items, found more".to_owned()));
    assert_eq!(stream(5000, 5000), Ok(()));
}

/// As in NumPy, an array of a subarray has further axes.
#[test]
fn a_subarray_as_the_dtype_is_further_axes() {
    let data = [1u8, 2, 3, 4, 5, 6];
    writes_with(&given("(3,)u1"), &[[1, 2, 3], [4, 5, 6]], "'|u1'", "(2, 3)", &data);
    writes_with(&given("(2,3)u1"), &[[1, 2, 3], [4, 5, 6]], "'|u1'", "(2, 3)", &data);
    writes_with(&given("(2,3)u1"), &Vec::<u8>::new(), "'|u1'", "(0, 2, 3)", &[]);
    refused("(3,)u1", &[[1, 2], [3, 4]], "expected a sequence of 3 items, found a number (at `[0][0]`)");
}
