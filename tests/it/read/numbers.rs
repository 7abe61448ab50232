//! Numbers: what widens, what narrows, what is never rounded in silence.

use crate::routes::{npy, reads, reads_with, refuses, refuses_with};
use num_complex::Complex;
use serde::Deserialize;
use serde_npy::{LongDouble, ReadOptions};

/// A file of one element, its bytes in either byteorder.
fn one(typestring: &str, little: &[u8]) -> Vec<u8> {
    let mut bytes = little.to_vec();
    if typestring.starts_with('>') {
        bytes.reverse();
    }
    npy(&format!("'{typestring}'"), "()", &bytes)
}

/// Each integer type of the file with a small value, its least and its greatest.
fn integers() -> Vec<(String, i128, Vec<u8>)> {
    let mut rows = Vec::new();
    macro_rules! rows {
        ($($type:ty: $code:literal),*) => {$(
            for value in [5, <$type>::MIN, <$type>::MAX] {
                let mark = if size_of::<$type>() == 1 { &["|", "<", ">", "="][..] } else { &["<", ">", "="] };
                for mark in mark {
                    rows.push((format!("{mark}{}", $code), i128::from(value), value.to_le_bytes().to_vec()));
                }
                // Without a mark: as on the machines that NumPy is mostly used on.
                rows.push(($code.to_owned(), i128::from(value), value.to_le_bytes().to_vec()));
            }
        )*};
    }
    rows!(i8: "i1", i16: "i2", i32: "i4", i64: "i8", u8: "u1", u16: "u2", u32: "u4", u64: "u8");
    rows
}

/// The typestring as NumPy writes it.
fn canonical(typestring: &str) -> String {
    typestring.parse::<serde_npy::Scalar>().map(|scalar| scalar.to_string()).unwrap()
}

/// Every integer dtype into every integer type: the value, or an error where it does not fit.
#[test]
fn integers_fit_or_are_refused() {
    macro_rules! check {
        ($($type:ident)*) => {
            for (typestring, value, bytes) in integers() {
                let file = one(&typestring, &bytes);
                $(
                    let found = serde_npy::from_slice::<$type>(&file);
                    match $type::try_from(value) {
                        Ok(value) => assert_eq!(found.unwrap(), value, "{typestring}"),
                        Err(_) => assert_eq!(
                            found.unwrap_err().to_string(),
                            format!(
                                "expected {}, found integer `{value}` (dtype `{}`, byte 128)",
                                stringify!($type), canonical(&typestring)
                            )
                        ),
                    }
                )*
            }
        };
    }
    check!(i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 isize usize);
}

/// Every integer dtype into either float: exact, or refused.
#[test]
#[allow(clippy::cast_precision_loss, reason = "compared with the exact value")]
fn integers_into_floats_are_exact_or_refused() {
    for (typestring, value, bytes) in integers() {
        let file = one(&typestring, &bytes);
        let inexact = |name: &str| {
            format!(
                "expected {name}, found integer `{value}`, which it cannot hold exactly (dtype `{}`, byte 128)",
                canonical(&typestring)
            )
        };
        match serde_npy::from_slice::<f64>(&file) {
            Ok(found) => assert_eq!(format!("{found:.0}"), value.to_string()),
            Err(error) => {
                assert_eq!(error.to_string(), inexact("f64"));
                assert!(value.unsigned_abs() > 1 << 53);
            }
        }
        match serde_npy::from_slice::<f32>(&file) {
            Ok(found) => assert_eq!(format!("{found:.0}"), value.to_string()),
            Err(error) => {
                assert_eq!(error.to_string(), inexact("f32"));
                assert!(value.unsigned_abs() > 1 << 24);
            }
        }
    }
    let exact = |value: i64| serde_npy::from_slice::<f64>(&one("<i8", &value.to_le_bytes())).ok();
    assert_eq!(exact(1 << 53), Some(9_007_199_254_740_992.0));
    assert_eq!(exact((1 << 53) + 1), None);
    assert_eq!(exact((1 << 53) + 2), Some(9_007_199_254_740_994.0));
    assert_eq!(exact(-(1 << 53) - 1), None);
}

const WIDER: &str = "expected f32, found a wider float; use f64, or allow rounding by `with::Round` or `ReadOptions::round_floats(true)`";

/// The dtype decides, not the value, and wherever the float stands.
#[test]
fn wider_floats_are_not_rounded_unasked() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Newtype(f32);
    #[derive(Deserialize, PartialEq, Debug)]
    struct Record<T> {
        x: T,
    }
    for value in [1.0f64, 0.1] {
        let bytes = value.to_le_bytes();
        let file = npy("'<f8'", "(1,)", &bytes);
        let message = format!("{WIDER} (dtype `<f8`, at `[0]`, byte 128)");
        refuses::<Vec<f32>>(&file, &message);
        refuses::<[f32; 1]>(&file, &message);
        refuses::<Vec<Option<f32>>>(&file, &message);
        refuses::<Vec<Newtype>>(&file, &message);
        refuses::<Option<Vec<Option<Newtype>>>>(&file, &message);
        let record = npy("[('x', '<f8')]", "()", &bytes);
        refuses::<Record<f32>>(&record, &format!("{WIDER} (dtype `<f8`, at `x`, byte 128)"));
        refuses::<(Option<f32>,)>(&record, &format!("{WIDER} (dtype `<f8`, at `x`, byte 128)"));
        let array = npy("[('x', '<f8', (1,))]", "()", &bytes);
        refuses::<Record<[f32; 1]>>(&array, &format!("{WIDER} (dtype `<f8`, at `x[0]`, byte 128)"));

        let round = ReadOptions::default().round_floats(true);
        #[allow(clippy::cast_possible_truncation, reason = "the rounding that is asked for")]
        let single = value as f32;
        reads_with(&round, &file, vec![single]);
        reads_with(&round, &record, Record { x: Newtype(single) });
    }
    refuses_with::<f32>(
        &ReadOptions::default().round_floats(true),
        &one("<f8", &1e300f64.to_le_bytes()),
        "expected f32, found 1e300, which is beyond its range (dtype `<f8`, byte 128)",
    );
    // No value, no rounding.
    reads(&npy("'<f8'", "(0,)", &[]), Vec::<f32>::new());
}

#[test]
fn floats_widen() {
    for (typestring, bytes, value) in [
        ("<f2", &[0, 0x3e][..], 1.5),
        (">f2", &[0, 0x3e], 1.5),
        ("<f2", &[0xff, 0x7b], 65504.0),
        ("<f2", &[1, 0], 5.960_464_477_539_063e-8),
        ("<f2", &[0, 0xfc], f64::NEG_INFINITY),
        ("<f4", &1.5f32.to_le_bytes(), 1.5),
        (">f4", &0.1f32.to_le_bytes(), 0.100_000_001_490_116_12),
        ("<f8", &0.1f64.to_le_bytes(), 0.1),
        (">f8", &f64::MAX.to_le_bytes(), f64::MAX),
        ("f8", &f64::MIN_POSITIVE.to_le_bytes(), f64::MIN_POSITIVE),
    ] {
        reads(&one(typestring, bytes), value);
    }
    reads(&one("<f2", &[0, 0x3e]), 1.5f32);
    let nan = serde_npy::from_slice::<f64>(&one("<f4", &f32::NAN.to_le_bytes())).unwrap();
    assert!(nan.is_nan());
    assert_eq!(serde_npy::from_slice::<f64>(&one("<f8", &(-0.0f64).to_le_bytes())).unwrap().to_bits(), 1 << 63);
}

#[test]
fn floats_are_no_integers() {
    refuses::<i64>(
        &one("<f8", &1f64.to_le_bytes()),
        "expected i64, found floating point `1.0` (dtype `<f8`, byte 128)",
    );
    refuses::<bool>(&one("|u1", &[1]), "expected a boolean, found integer `1` (dtype `|u1`, byte 128)");
    refuses::<u8>(&one("|b1", &[1]), "expected u8, found boolean `true` (dtype `|b1`, byte 128)");
    refuses::<f64>(&one("|b1", &[1]), "expected f64, found boolean `true` (dtype `|b1`, byte 128)");
    refuses::<String>(&one("<i2", &[1, 0]), "expected a string, found integer `1` (dtype `<i2`, byte 128)");
    refuses::<char>(&one("<i2", &[65, 0]), "expected a character, found integer `65` (dtype `<i2`, byte 128)");
    refuses::<(u8, u8)>(&one("<i2", &[1, 0]), "expected a tuple of size 2, found integer `1` (dtype `<i2`, byte 128)");
}

#[test]
fn bools_are_0_or_1() {
    reads(&npy("'|b1'", "(2,)", &[0, 1]), vec![false, true]);
    reads(&npy("'?'", "(1,)", &[1]), (true,));
    refuses::<Vec<bool>>(
        &npy("'|b1'", "(3,)", &[0, 1, 2]),
        "expected a bool, byte 0 or 1, found byte 2 (dtype `|b1`, at `[2]`, byte 130)",
    );
}

#[test]
fn half_floats_come_by_their_bits() {
    let file = npy("'<f2'", "(2,)", &[0, 0x3e, 1, 0x7d]);
    let value: Vec<half::f16> = serde_npy::from_slice(&file).unwrap();
    assert_eq!([value[0].to_bits(), value[1].to_bits()], [0x3e00, 0x7d01], "a signalling NaN as well");
    reads(&npy("'>f2'", "(1,)", &[0x3e, 0]), vec![half::f16::from_f32(1.5)]);
    // As ml_dtypes saves it.
    reads(&npy("'|V2'", "(1,)", &[0xc0, 0x3f]), vec![half::bf16::from_f32(1.5)]);

    #[allow(non_camel_case_types, reason = "the name is the point")]
    #[derive(Deserialize, PartialEq, Debug)]
    struct f16(f32);
    reads(&npy("'<f2'", "(1,)", &[0, 0x3e]), vec![f16(1.5)]);
}

#[test]
fn complex_numbers_are_pairs() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Named {
        re: f64,
        im: f64,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Spelled {
        real: f64,
        imag: f64,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Pair(f64, f64);
    #[derive(Deserialize, PartialEq, Debug)]
    struct Swapped {
        im: f64,
        re: f64,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Half {
        re: f64,
    }
    let c8 = npy("'<c8'", "(1,)", &[1.5f32.to_le_bytes(), 2.5f32.to_le_bytes()].concat());
    let c16 = npy("'<c16'", "(1,)", &[1.5f64.to_le_bytes(), 2.5f64.to_le_bytes()].concat());
    let big = npy("'>c16'", "(1,)", &[1.5f64.to_be_bytes(), 2.5f64.to_be_bytes()].concat());
    reads(&c8, vec![(1.5f32, 2.5f32)]);
    reads(&c8, vec![Complex::new(1.5f32, 2.5)]);
    for file in [&c8, &c16, &big] {
        reads(file, vec![(1.5, 2.5)]);
        reads(file, vec![[1.5, 2.5]]);
        reads(file, vec![vec![1.5, 2.5]]);
        reads(file, vec![Complex::new(1.5, 2.5)]);
        reads(file, vec![Pair(1.5, 2.5)]);
        reads(file, vec![Named { re: 1.5, im: 2.5 }]);
        reads(file, vec![Spelled { real: 1.5, imag: 2.5 }]);
        reads(file, vec![Swapped { im: 2.5, re: 1.5 }]);
        reads(file, serde_json::json!([[1.5, 2.5]]));
    }
    refuses::<Vec<Half>>(
        &c16,
        "expected struct Half, found a complex number; for that its fields must be `re` and `im` \
         (dtype `<c16`, at `[0]`, byte 128)",
    );
    refuses::<Vec<f64>>(&c16, "expected f64, found a complex number (dtype `<c16`, at `[0]`, byte 128)");
    refuses::<Vec<[f64; 3]>>(&c16, "expected an array of length 3, found 2 items (dtype `<c16`, at `[0]`, byte 128)");
    refuses::<Vec<(f32, f32)>>(&c16, &format!("{WIDER} (dtype `<c16`, at `[0][0]`, byte 128)"));
    reads_with(&ReadOptions::default().round_floats(true), &c16, vec![(1.5f32, 2.5f32)]);
}

#[test]
fn long_doubles_need_to_be_told_apart() {
    let x87: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x3f, 0, 0, 0, 0, 0, 0];
    let ieee: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f];
    let unsaid =
        "is a long double, and the header does not tell in which encoding; say it by `ReadOptions::long_double`";
    refuses::<Vec<f64>>(&npy("'<f16'", "(1,)", &x87), &format!("`<f16` {unsaid} (at `[0]`, byte 128)"));
    refuses::<serde_json::Value>(&npy("'<c32'", "(1,)", &[0; 32]), &format!("`<c32` {unsaid} (at `[0]`, byte 128)"));
    let as_x87 = ReadOptions::default().long_double(LongDouble::X87);
    let as_ieee = ReadOptions::default().long_double(LongDouble::Ieee128);
    reads_with(&as_x87, &npy("'<f16'", "(1,)", &x87), vec![1.5]);
    reads_with(&as_ieee, &npy("'<f16'", "(1,)", &ieee), vec![1.5]);
    let reversed: Vec<u8> = ieee.iter().rev().copied().collect();
    reads_with(&as_ieee, &npy("'>f16'", "(1,)", &reversed), vec![1.5]);
    reads_with(&as_ieee, &npy("'<c32'", "(1,)", &[ieee, ieee].concat()), vec![(1.5, 1.5)]);
    refuses_with::<Vec<f32>>(
        &as_ieee,
        &npy("'<f16'", "(1,)", &ieee),
        &format!("{WIDER} (dtype `<f16`, at `[0]`, byte 128)"),
    );
}

/// What the narrow floats of `ml_dtypes` look like in a file.
#[test]
fn raw_bytes_stand_for_unknown_dtypes() {
    reads(&npy("'|V1'", "(2,)", &[0x38, 0x40]), vec![[0x38u8], [0x40]]);
    reads(&npy("'|V2'", "(1,)", &[0xc0, 0x3f]), vec![[0xc0u8, 0x3f]]);
}
