//! `U`, and text out of it.

use crate::routes::{npy, reads, reads_with, refuses, ucs4};
use serde::Deserialize;
use serde_npy::ReadOptions;
use std::borrow::Cow;
use std::rc::Rc;

/// Characters of four bytes, in either byteorder.
#[test]
fn u_becomes_text() {
    let data = [ucs4("λx", 3), ucs4("", 3), ucs4("a\0b", 3), ucs4("🦀é", 3)].concat();
    let texts = ["λx", "", "a\0b", "🦀é"];
    let big: Vec<u8> = data.chunks(4).flat_map(|unit| unit.iter().rev().copied().collect::<Vec<_>>()).collect();
    for file in [npy("'<U3'", "(4,)", &data), npy("'>U3'", "(4,)", &big), npy("'U3'", "(4,)", &data)] {
        reads(&file, texts.map(str::to_owned).to_vec());
        reads(&file, texts.map(Box::<str>::from).to_vec());
        reads(&file, texts.map(Cow::Borrowed).to_vec());
        reads(&file, texts.map(|text| Some(text.to_owned())).to_vec());
    }
}

#[test]
fn one_character_is_a_char() {
    reads(&npy("'<U1'", "(2,)", &ucs4("λx", 2)), vec!['λ', 'x']);
    reads(&npy("'<U4'", "(1,)", &ucs4("λ", 4)), vec!['λ']);
    reads(&npy("'|S2'", "(1,)", b"x\0"), vec!['x']);
    refuses::<Vec<char>>(
        &npy("'<U2'", "(1,)", &ucs4("ab", 2)),
        "expected a character, found string \"ab\" (dtype `<U2`, at `[0]`, byte 128)",
    );
    refuses::<char>(&npy("'|S2'", "()", b"\0\0"), "expected a character, found string \"\" (dtype `|S2`, byte 128)");
}

#[test]
fn shared_text() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Name(#[serde(deserialize_with = "shared")] Rc<str>);
    fn shared<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Rc<str>, D::Error> {
        String::deserialize(deserializer).map(Rc::from)
    }
    reads(&npy("'<U2'", "(1,)", &ucs4("ab", 2)), vec![Name(Rc::from("ab"))]);
}

#[test]
fn lone_surrogates_are_no_text() {
    let file = npy("'<U2'", "(2,)", &[b'a', 0, 0, 0, 0, 0, 0, 0, b'a', 0, 0, 0, 0, 0xd8, 0, 0]);
    refuses::<Vec<String>>(
        &file,
        "expected Unicode text, found the surrogate U+D800 at position 1 (dtype `<U2`, at `[1]`, byte 136)",
    );
    reads_with(&ReadOptions::default().lossy_text(true), &file, vec!["a".to_owned(), "a\u{fffd}".to_owned()]);
    refuses::<String>(
        &npy("'<U1'", "()", &[0, 0, 0x11, 0]),
        "expected Unicode text, found 0x110000, which is beyond U+10FFFF, at position 0 (dtype `<U1`, byte 128)",
    );
}

#[test]
fn text_is_no_number() {
    refuses::<Vec<i32>>(
        &npy("'<U1'", "(1,)", &ucs4("5", 1)),
        "expected i32, found string \"5\" (dtype `<U1`, at `[0]`, byte 128)",
    );
    refuses::<Vec<f64>>(
        &npy("'|S1'", "(1,)", b"5"),
        "expected f64, found string \"5\" (dtype `|S1`, at `[0]`, byte 128)",
    );
    refuses::<Vec<bool>>(
        &npy("'|S1'", "(1,)", b"5"),
        "expected a boolean, found string \"5\" (dtype `|S1`, at `[0]`, byte 128)",
    );
    refuses::<Vec<Vec<u8>>>(
        &npy("'<U1'", "(1,)", &ucs4("5", 1)),
        "expected a sequence, found string \"5\" (dtype `<U1`, at `[0]`, byte 128)",
    );
}

/// As scipy's sparse archives hold their format.
#[test]
fn a_single_text_is_an_array_without_axes() {
    reads(&npy("'|S3'", "()", b"csr"), "csr".to_owned());
    reads(&npy("'<U3'", "()", &ucs4("csr", 3)), "csr".to_owned());
}
