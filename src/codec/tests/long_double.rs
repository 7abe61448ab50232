//! Long doubles. The rows of `X87` are what NumPy 2.4 converts on a machine whose long double this is; those of
//! `IEEE128` were rounded with exact fractions.

use crate::codec::{ieee128_to_f64, x87_to_f64};

const ROUNDED: &str = "expected a long double that `f64` can hold, found one that would be rounded";
const INFINITE: &str = "expected a long double that `f64` can hold, found one that would become infinite";

/// Bits of an x87 float, of the nearest double (none if it is infinite), and whether that is equal.
const X87: &[(u128, Option<u64>, bool)] = &[
    (0x00000000000000000000, Some(0x0000000000000000), true),
    (0x80000000000000000000, Some(0x8000000000000000), true),
    (0x3fff8000000000000000, Some(0x3ff0000000000000), true),
    (0xbfffc000000000000000, Some(0xbff8000000000000), true),
    (0x3fff8000000000000800, Some(0x3ff0000000000001), true),
    (0x3fff8000000000000400, Some(0x3ff0000000000000), false),
    (0x3fff8000000000000c00, Some(0x3ff0000000000002), false),
    (0x3fff8000000000000401, Some(0x3ff0000000000001), false),
    (0x3fffffffffffffffffff, Some(0x4000000000000000), false),
    (0x43fefffffffffffff800, Some(0x7fefffffffffffff), true),
    (0x43fefffffffffffffc00, None, false),
    (0x43ff8000000000000000, None, false),
    (0x7ffeffffffffffffffff, None, false),
    (0x3c018000000000000000, Some(0x0010000000000000), true),
    (0x3c008000000000000000, Some(0x0008000000000000), true),
    (0x3c00ffffffffffffffff, Some(0x0010000000000000), false),
    (0x3bcd8000000000000000, Some(0x0000000000000001), true),
    (0xbbcdc000000000000000, Some(0x8000000000000002), false),
    (0x3bcc8000000000000000, Some(0x0000000000000000), false),
    (0x3bcc8000000000000001, Some(0x0000000000000001), false),
    (0x3bcbffffffffffffffff, Some(0x0000000000000000), false),
    (0x00018000000000000000, Some(0x0000000000000000), false),
    (0x00008000000000000000, Some(0x0000000000000000), false),
    (0x00000000000000000001, Some(0x0000000000000000), false),
    (0x00007fffffffffffffff, Some(0x0000000000000000), false),
    (0x7fff8000000000000000, Some(0x7ff0000000000000), true),
    (0xffff8000000000000000, Some(0xfff0000000000000), true),
    (0x7fffc000000000000000, Some(0x7ff8000000000000), true),
    (0xffffc000000000000000, Some(0xfff8000000000000), true),
    (0x7fff8000000000000001, Some(0x7ff8000000000000), true),
    (0x7fff8000010000000000, Some(0x7ff8000020000000), true),
    (0xc290e520878df9800000, Some(0xe90ca410f1bf3000), true),
    (0x3dfb9f97bead4188431e, Some(0x1fb3f2f7d5a83108), false),
    (0xc0aabdf0e2d318900000, Some(0xcaa7be1c5a631200), true),
    (0x3e85a1dac56f243cabb0, Some(0x28543b58ade48795), false),
    (0x3c23c47265f591000000, Some(0x02388e4cbeb22000), true),
    (0xc31e93d449efe4207f84, Some(0xf1e27a893dfc8410), false),
    (0xbd7a960f1e4cfd200000, Some(0x97a2c1e3c99fa400), true),
    (0x3e1bd2ed0f29a7500000, Some(0x21ba5da1e534ea00), true),
    (0xc3a0a7fbafbc086263f9, Some(0xfa04ff75f7810c4c), false),
    (0xbfafe072f81a84000000, Some(0xbafc0e5f03508000), true),
    (0xc1daa53fcf051b500000, Some(0xdda4a7f9e0a36a00), true),
    (0x3f46dc5f926723100000, Some(0x346b8bf24ce46200), true),
    (0xbcd2f11d6f150f700000, Some(0x8d2e23ade2a1ee00), true),
    (0x3f2682013cfa38300000, Some(0x326040279f470600), true),
    (0xc0b2a40e75ab10d00000, Some(0xcb2481ceb5621a00), true),
    (0x436d8ab5074d2f500000, Some(0x76d156a0e9a5ea00), true),
];

/// The same of IEEE binary128 floats.
const IEEE128: &[(u128, Option<u64>, bool)] = &[
    (0x00000000000000000000000000000000, Some(0x0000000000000000), true),
    (0x80000000000000000000000000000000, Some(0x8000000000000000), true),
    (0x3fff0000000000000000000000000000, Some(0x3ff0000000000000), true),
    (0xbfff8000000000000000000000000000, Some(0xbff8000000000000), true),
    (0x3fff0000000000001000000000000000, Some(0x3ff0000000000001), true),
    (0x3fff0000000000000800000000000000, Some(0x3ff0000000000000), false),
    (0x3fff0000000000001800000000000000, Some(0x3ff0000000000002), false),
    (0x3fff0000000000000800000000000001, Some(0x3ff0000000000001), false),
    (0x3fffffffffffffffffffffffffffffff, Some(0x4000000000000000), false),
    (0x43fefffffffffffff000000000000000, Some(0x7fefffffffffffff), true),
    (0x43fefffffffffffff800000000000000, None, false),
    (0x43ff0000000000000000000000000000, None, false),
    (0x7ffeffffffffffffffffffffffffffff, None, false),
    (0x3c010000000000000000000000000000, Some(0x0010000000000000), true),
    (0x3c000000000000000000000000000000, Some(0x0008000000000000), true),
    (0x3bcd0000000000000000000000000000, Some(0x0000000000000001), true),
    (0xbbcc0000000000000000000000000000, Some(0x8000000000000000), false),
    (0x3bcc0000000000000000000000000001, Some(0x0000000000000001), false),
    (0x3bcbffffffffffffffffffffffffffff, Some(0x0000000000000000), false),
    (0x00000000000000000000000000000001, Some(0x0000000000000000), false),
    (0x00010000000000000000000000000000, Some(0x0000000000000000), false),
    (0x7fff0000000000000000000000000000, Some(0x7ff0000000000000), true),
    (0xffff0000000000000000000000000000, Some(0xfff0000000000000), true),
    (0x7fff8000000000000000000000000000, Some(0x7ff8000000000000), true),
    (0x7fff0000000000000000000000000001, Some(0x7ff8000000000000), true),
    (0xffff8000000000400000000000000000, Some(0xfff8000000000400), true),
    (0xbfddb0c1cb91ce375bc8fbbcbde5c099, Some(0xbddb0c1cb91ce376), false),
    (0xbc3df17fc6a5387777330bdbd7210dff, Some(0x83df17fc6a538777), false),
    (0x3c9b5f2d1cfb10f62827688de6a16a3b, Some(0x09b5f2d1cfb10f63), false),
    (0x3fb892ed1a1afe878b33e968617959ce, Some(0x3b892ed1a1afe879), false),
    (0x3bfc478c687c966c377b9aa2bb2edb20, Some(0x0000a3c6343e4b36), false),
    (0x4202126acc11d357c30d8b7628dbd25e, Some(0x602126acc11d357c), false),
    (0x42e5f8eb0074513021da8978206f5c66, Some(0x6e5f8eb007451302), false),
    (0xbbdcf5ca3729c619c60a3cab359eeefb, Some(0x800000000000fae5), false),
    (0xbe6e504b4a0fe75d2a9eba0cdf561d80, Some(0xa6e504b4a0fe75d3), false),
    (0xbef5a02fad864c44e049548e8a0a8c96, Some(0xaf5a02fad864c44e), false),
    (0x3eaf3266b0cde917f7f35634f0e3cd97, Some(0x2af3266b0cde917f), false),
    (0xc1e86a375c76f18a0585a01c4c7d6df0, Some(0xde86a375c76f18a0), false),
];

type Decode = fn(&[u8; 16], bool, bool) -> crate::error::Result<f64>;

#[track_caller]
fn check(decode: Decode, rows: &[(u128, Option<u64>, bool)]) {
    for &(bits, nearest, exact) in rows {
        for (bytes, big) in [(bits.to_le_bytes(), false), (bits.to_be_bytes(), true)] {
            let decode = |round| decode(&bytes, big, round).map(f64::to_bits).map_err(|error| error.to_string());
            assert_eq!(decode(true), nearest.ok_or(INFINITE.to_owned()), "{bits:#x}");
            let Err(error) = decode(false) else {
                assert!(exact, "{bits:#x}");
                assert_eq!(decode(false).ok(), nearest);
                continue;
            };
            assert!(!exact, "{bits:#x}: {error}");
            assert!(error == ROUNDED || (error == INFINITE && nearest.is_none()), "{bits:#x}: {error}");
        }
    }
}

#[test]
fn x87_floats_decode_as_in_numpy() {
    check(x87_to_f64, X87);
}

#[test]
fn ieee128_floats_decode_to_the_nearest_double() {
    check(ieee128_to_f64, IEEE128);
}

#[test]
fn the_padding_of_an_x87_float_is_ignored() {
    let one = 0xffff_ffff_ffff_3fff_8000_0000_0000_0000u128;
    assert_eq!(x87_to_f64(&one.to_le_bytes(), false, false).unwrap(), 1.0);
    assert_eq!(x87_to_f64(&one.to_be_bytes(), true, false).unwrap(), 1.0);
}

#[test]
fn invalid_x87_encodings_are_errors() {
    for (bits, what) in [
        (0x3fff_4000_0000_0000_0000u128, "unnormal"),
        (0x8001_0000_0000_0000_0000, "unnormal"),
        (0x7ffe_7fff_ffff_ffff_ffff, "unnormal"),
        (0x7fff_0000_0000_0000_0000, "pseudo-infinity"),
        (0xffff_0000_0000_0000_0000, "pseudo-infinity"),
        (0x7fff_4000_0000_0000_0000, "pseudo-NaN"),
        (0x7fff_0000_0000_0000_0001, "pseudo-NaN"),
    ] {
        for round in [false, true] {
            let error = x87_to_f64(&bits.to_le_bytes(), false, round).unwrap_err();
            assert_eq!(error.to_string(), format!("expected an x87 long double, found an invalid encoding ({what})"));
        }
    }
}

#[test]
fn every_double_comes_back_from_a_long_double() {
    // One of each exponent, at both ends and in the middle of its fractions.
    for exponent in 0..0x7ffu64 {
        for fraction in [0, 1, 0x0008_0000_0000_0001, 0x000f_ffff_ffff_ffff] {
            let double = f64::from_bits(exponent << 52 | fraction);
            let (significand, scale) = match (exponent, fraction) {
                (0, 0) => continue,
                (0, _) => (u128::from(fraction), -1074),
                _ => (u128::from(1 << 52 | fraction), i64::try_from(exponent).unwrap() - 1075),
            };
            let top = significand.ilog2();
            let field = u128::try_from(scale + i64::from(top) + 16383).unwrap();
            let x87 = field << 64 | significand << (63 - top);
            let ieee128 = field << 112 | (significand << (112 - top)) & ((1 << 112) - 1);
            assert_eq!(x87_to_f64(&x87.to_le_bytes(), false, false).unwrap(), double);
            assert_eq!(ieee128_to_f64(&ieee128.to_le_bytes(), false, false).unwrap(), double);
        }
    }
}
