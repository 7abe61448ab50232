//! Strings and raw bytes. The elements of the rows are the bytes of NumPy 2.4 arrays.

use crate::codec::{decode_ucs4, encode_bytes, encode_ucs4, encode_void, trim_nuls, ucs4_width};

#[test]
fn trailing_nuls_of_bytes_are_stripped() {
    for (slot, expected) in [
        (&b""[..], &b""[..]),
        (b"\0", b""),
        (b"\0\0\0", b""),
        (b"a", b"a"),
        (b"ab\0\0", b"ab"),
        (b"\0a\0b\0", b"\0a\0b"),
        (b"\xff\0", b"\xff"),
    ] {
        assert_eq!(trim_nuls(slot), expected);
        let mut back = vec![0xaa; slot.len()];
        encode_bytes(expected, &mut back).unwrap();
        assert_eq!(back, slot);
    }
}

#[test]
fn bytes_that_do_not_fit_are_an_error() {
    for (bytes, width, message) in [
        (&b"abc"[..], 2, "expected at most 2 bytes, found 3"),
        (b"ab", 1, "expected at most 1 byte, found 2"),
        (b"a", 0, "expected at most 0 bytes, found 1"),
        (b"ab\0", 8, "expected bytes that do not end in NUL, which NumPy would strip"),
        (b"\0", 1, "expected bytes that do not end in NUL, which NumPy would strip"),
    ] {
        let mut slot = vec![0xaa; width];
        assert_eq!(encode_bytes(bytes, &mut slot).unwrap_err().to_string(), message);
        assert_eq!(slot, vec![0xaa; width]);
    }
}

#[test]
fn void_is_of_exactly_its_length() {
    let mut slot = [0xaa; 3];
    encode_void(b"a\0\0", &mut slot).unwrap();
    assert_eq!(&slot, b"a\0\0");
    encode_void(b"", &mut []).unwrap();
    for (bytes, width, message) in [
        (&b"abcd"[..], 3, "expected 3 bytes, found 4"),
        (b"ab", 3, "expected 3 bytes, found 2"),
        (b"", 1, "expected 1 byte, found 0"),
    ] {
        assert_eq!(encode_void(bytes, &mut vec![0; width]).unwrap_err().to_string(), message);
    }
}

/// A text, its width, and the bytes of `np.array(text, '<U5')`, of which those behind the width are NUL.
const TEXTS: &[(&str, usize, [u8; 20])] = &[
    ("", 0, *b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ("a", 1, *b"a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ("\x7f~", 2, *b"\x7f\0\0\0~\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ("abcde", 5, *b"a\0\0\0b\0\0\0c\0\0\0d\0\0\0e\0\0\0"),
    ("\0a\0b", 4, *b"\0\0\0\0a\0\0\0\0\0\0\0b\0\0\0\0\0\0\0"),
    ("\u{80}", 1, *b"\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ("né", 2, *b"n\0\0\0\xe9\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ("λ→日", 3, *b"\xbb\x03\0\0\x92\x21\0\0\xe5\x65\0\0\0\0\0\0\0\0\0\0"),
    ("\0é", 2, *b"\0\0\0\0\xe9\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ("😀x", 2, *b"\x00\xf6\x01\0x\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ("\u{d7ff}\u{e000}\u{ffff}\u{10ffff}", 4, *b"\xff\xd7\0\0\x00\xe0\0\0\xff\xff\0\0\xff\xff\x10\0\0\0\0\0"),
];

fn swapped(bytes: &[u8]) -> Vec<u8> {
    bytes.chunks(4).flat_map(|unit| unit.iter().rev().copied()).collect()
}

#[test]
fn code_points_are_numpys_both_ways() {
    let mut text = String::from("is replaced");
    for &(expected, width, little) in TEXTS {
        assert_eq!(ucs4_width(expected), width);
        for (bytes, big) in [(little.to_vec(), false), (swapped(&little), true)] {
            for slot in [&bytes[..], &bytes[..4 * width]] {
                for lossy in [false, true] {
                    decode_ucs4(slot, big, lossy, &mut text).unwrap();
                    assert_eq!(text, expected);
                }
                let mut back = vec![0xaa; slot.len()];
                encode_ucs4(expected, &mut back, big).unwrap();
                assert_eq!(back, slot);
            }
        }
    }
}

#[test]
fn what_is_no_code_point_is_an_error_or_replaced() {
    for (units, message, lossy) in [
        (&[0xd800][..], "expected Unicode text, found the surrogate U+D800 at position 0", "\u{fffd}"),
        (&[0x61, 0xdfff, 0x62, 0], "expected Unicode text, found the surrogate U+DFFF at position 1", "a\u{fffd}b"),
        (
            &[0xe9, 0xd83d, 0xde00],
            "expected Unicode text, found the surrogate U+D83D at position 1",
            "é\u{fffd}\u{fffd}",
        ),
        (&[0x11_0000], "expected Unicode text, found 0x110000, which is beyond U+10FFFF, at position 0", "\u{fffd}"),
        (
            &[0x61, 0x61, u32::MAX],
            "expected Unicode text, found 0xffffffff, which is beyond U+10FFFF, at position 2",
            "aa\u{fffd}",
        ),
    ] {
        let little: Vec<u8> = units.iter().flat_map(|unit: &u32| unit.to_le_bytes()).collect();
        for (bytes, big) in [(little.clone(), false), (swapped(&little), true)] {
            let mut text = String::from("x");
            assert_eq!(decode_ucs4(&bytes, big, false, &mut text).unwrap_err().to_string(), message);
            assert_eq!(text, "");
            decode_ucs4(&bytes, big, true, &mut text).unwrap();
            assert_eq!(text, lossy);
        }
    }
}

#[test]
fn text_that_does_not_fit_is_an_error() {
    for (text, size, message) in [
        ("abc", 8, "expected at most 2 code points, found 3"),
        ("é😀", 4, "expected at most 1 code point, found 2"),
        ("a", 0, "expected at most 0 code points, found 1"),
        ("a\0", 16, "expected text that does not end in NUL, which NumPy would strip"),
        ("\0", 4, "expected text that does not end in NUL, which NumPy would strip"),
        ("a", 7, "expected a multiple of 4 bytes, found 7"),
    ] {
        let mut slot = vec![0xaa; size];
        assert_eq!(encode_ucs4(text, &mut slot, false).unwrap_err().to_string(), message);
        assert_eq!(slot, vec![0xaa; size]);
    }
    let error = decode_ucs4(b"abcde", false, true, &mut String::new()).unwrap_err();
    assert_eq!(error.to_string(), "expected a multiple of 4 bytes, found 5");
}

#[test]
fn every_char_comes_back() {
    let mut slot = [0; 4];
    let mut text = String::new();
    for char in '\u{1}'..=char::MAX {
        for big in [false, true] {
            encode_ucs4(char.encode_utf8(&mut [0; 4]), &mut slot, big).unwrap();
            decode_ucs4(&slot, big, false, &mut text).unwrap();
            assert!(text.chars().eq([char]), "{char:?}");
        }
    }
}
