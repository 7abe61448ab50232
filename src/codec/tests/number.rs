//! Numbers. The bytes of the rows are those of NumPy 2.4 arrays.

use crate::codec::*;

#[test]
fn numbers_are_numpys_both_ways() {
    macro_rules! rows {
        ($decode:ident, $encode:ident, $([$value:expr, $big:expr]),+ $(,)?) => {
            $(
                let value = $value;
                let big: Vec<u8> = $big.to_vec();
                let little: Vec<u8> = big.iter().rev().copied().collect();
                for (bytes, big) in [(little, false), (big, true)] {
                    let found = $decode(&bytes, big).unwrap();
                    assert_eq!(found, value);
                    assert_eq!(found.to_le_bytes(), value.to_le_bytes());
                    let mut slot = vec![0xaa; bytes.len()];
                    $encode(value, &mut slot, big).unwrap();
                    assert_eq!(slot, bytes);
                }
            )+
        };
    }
    rows!(decode_i8, encode_i8, [-2, b"\xfe"], [127, b"\x7f"]);
    rows!(decode_i16, encode_i16, [-2, b"\xff\xfe"], [0x1234, b"\x12\x34"]);
    rows!(decode_i32, encode_i32, [i32::MIN, b"\x80\0\0\0"], [0x1234_5678, b"\x12\x34\x56\x78"]);
    rows!(decode_i64, encode_i64, [i64::MIN, b"\x80\0\0\0\0\0\0\0"], [-2, b"\xff\xff\xff\xff\xff\xff\xff\xfe"]);
    rows!(decode_u8, encode_u8, [254, b"\xfe"], [0, b"\0"]);
    rows!(decode_u16, encode_u16, [0xfffe, b"\xff\xfe"], [1, b"\0\x01"]);
    rows!(decode_u32, encode_u32, [0xfffe_fdfc, b"\xff\xfe\xfd\xfc"]);
    rows!(decode_u64, encode_u64, [u64::MAX - 1, b"\xff\xff\xff\xff\xff\xff\xff\xfe"], [1, b"\0\0\0\0\0\0\0\x01"]);
    rows!(decode_f32, encode_f32, [1.5, b"\x3f\xc0\0\0"], [-0.0, b"\x80\0\0\0"], [f32::INFINITY, b"\x7f\x80\0\0"]);
    rows!(
        decode_f64,
        encode_f64,
        [0.1, b"\x3f\xb9\x99\x99\x99\x99\x99\x9a"],
        [-0.0, b"\x80\0\0\0\0\0\0\0"],
        [f64::MIN_POSITIVE / 2.0, b"\0\x08\0\0\0\0\0\0"],
    );
}

#[test]
fn a_nan_keeps_its_payload() {
    let bytes = [0x7f, 0xf8, 0, 0, 0, 0, 0x12, 0x34];
    let mut slot = [0; 8];
    encode_f64(decode_f64(&bytes, true).unwrap(), &mut slot, true).unwrap();
    assert_eq!(slot, bytes);
}

#[test]
fn a_bool_is_0_or_1() {
    assert!(!decode_bool(&[0]).unwrap());
    assert!(decode_bool(&[1]).unwrap());
    for byte in 2..=u8::MAX {
        let error = decode_bool(&[byte]).unwrap_err();
        assert_eq!(error.to_string(), format!("expected a bool, byte 0 or 1, found byte {byte}"));
    }
    for value in [false, true] {
        let mut slot = [0xaa];
        encode_bool(value, &mut slot).unwrap();
        assert_eq!(decode_bool(&slot).unwrap(), value);
    }
}

#[test]
fn another_length_is_an_error() {
    for (error, message) in [
        (decode_bool(&[]).unwrap_err(), "expected 1 byte, found 0"),
        (decode_i8(&[0, 0], false).unwrap_err(), "expected 1 byte, found 2"),
        (decode_i64(&[0; 7], true).unwrap_err(), "expected 8 bytes, found 7"),
        (decode_f32(&[0; 5], false).unwrap_err(), "expected 4 bytes, found 5"),
        (encode_bool(true, &mut []).unwrap_err(), "expected 1 byte, found 0"),
        (encode_u16(1, &mut [0; 3], true).unwrap_err(), "expected 2 bytes, found 3"),
    ] {
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn integers_are_floats_only_if_exact() {
    for (value, double, single) in [
        (0u64, true, true),
        (1, true, true),
        ((1 << 24) - 1, true, true),
        (1 << 24, true, true),
        ((1 << 24) + 1, true, false),
        ((1 << 24) + 2, true, true),
        ((1 << 53) - 1, true, false),
        (1 << 53, true, true),
        ((1 << 53) + 1, false, false),
        ((1 << 53) + 2, true, false),
        ((1 << 63) - 1, false, false),
        (1 << 63, true, true),
        ((1 << 63) + 1, false, false),
        (u64::MAX - 2047, true, false),
        (u64::MAX, false, false),
    ] {
        assert_eq!(exact_f64(value.into()).is_some(), double, "{value}");
        assert_eq!(exact_f32(value.into()).is_some(), single, "{value}");
        let exact = |float: f64| format!("{float:.0}");
        if let Some(float) = exact_f64(value.into()) {
            assert_eq!(exact(float), value.to_string());
        }
        if let Some(float) = exact_f32(value.into()) {
            assert_eq!(exact(f64::from(float)), value.to_string());
        }
        let negative = -i128::from(value);
        if let Ok(negative) = i64::try_from(negative) {
            assert_eq!(exact_f64(negative.into()).is_some(), double, "{negative}");
            assert_eq!(exact_f32(negative.into()).is_some(), single, "{negative}");
            if let (Some(float), 1..) = (exact_f64(negative.into()), value) {
                assert_eq!(exact(float), negative.to_string());
            }
        }
    }
    assert_eq!(exact_f64(i64::MIN.into()), Some(-9_223_372_036_854_775_808.0));
    assert_eq!(exact_f32(-3), Some(-3.0));
    assert_eq!(exact_f64(0).map(f64::to_bits), Some(0));
}

#[test]
fn a_finite_double_does_not_become_infinite() {
    for (value, expected) in [
        (0.1, Some(0.1f32)),
        (-0.0, Some(-0.0)),
        (1e-50, Some(0.0)),
        (f64::from(f32::MAX), Some(f32::MAX)),
        // Half a step above the largest `f32`, which would be rounded up, and just below.
        (3.402_823_567_797_336_6e38, None),
        (3.402_823_567_797_336e38, Some(f32::MAX)),
        (f64::MAX, None),
        (-f64::MAX, None),
        (f64::INFINITY, Some(f32::INFINITY)),
        (f64::NEG_INFINITY, Some(f32::NEG_INFINITY)),
    ] {
        assert_eq!(f64_to_f32(value).map(f32::to_bits), expected.map(f32::to_bits), "{value:e}");
    }
    assert!(f64_to_f32(f64::NAN).unwrap().is_nan());
}
