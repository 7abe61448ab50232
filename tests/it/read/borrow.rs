//! Text and bytes borrowed from the input, or the reason why not.

use crate::routes::{Trickle, npy, ucs4};
use serde::Deserialize;
use serde_npy::{Deserializer, Error};
use std::borrow::Cow;

#[derive(Deserialize, PartialEq, Debug)]
struct Row<'a> {
    s: &'a str,
    #[serde(with = "serde_bytes")]
    v: &'a [u8],
    #[serde(borrow)]
    c: Cow<'a, str>,
    n: u8,
}

const DESCR: &str = "[('s', '|S3'), ('v', '|V2'), ('c', '|S1'), ('n', '|u1')]";

#[test]
fn a_slice_lends_its_bytes() {
    let file = npy(DESCR, "(2,)", b"ab\0x\0c\x01abcyzd\x02");
    let rows: Vec<Row<'_>> = serde_npy::from_slice(&file).unwrap();
    let first = Row { s: "ab", v: b"x\0", c: Cow::Borrowed("c"), n: 1 };
    assert_eq!(rows, [first, Row { s: "abc", v: b"yz", c: Cow::Borrowed("d"), n: 2 }]);
    assert!(matches!(rows[0].c, Cow::Borrowed(_)));
    assert!(file.as_ptr_range().contains(&rows[1].s.as_ptr()));
    assert_eq!(serde_npy::records_from_slice::<Row<'_>>(&file).unwrap(), rows);

    let file = npy("'|u1'", "(0,)", &[]);
    assert!(serde_npy::from_slice::<&[u8]>(&file).unwrap().is_empty());
    let file = npy("'|u1'", "(3,)", &[1, 2, 3]);
    assert_eq!(serde_npy::from_slice::<&[u8]>(&file).unwrap(), [1, 2, 3]);
    let file = npy("'|u1'", "(2, 2)", &[1, 2, 3, 4]);
    assert_eq!(serde_npy::from_slice::<Vec<&[u8]>>(&file).unwrap(), [[1, 2], [3, 4]]);
    let file = npy("'|S2'", "()", b"ab");
    assert_eq!(serde_npy::from_slice::<&str>(&file).unwrap(), "ab");
    let file = npy("'|V2'", "(1,)", b"ab");
    assert_eq!(serde_npy::from_slice::<Vec<&serde_bytes::Bytes>>(&file).unwrap(), [serde_bytes::Bytes::new(b"ab")]);
}

fn from_reader<'de, T: Deserialize<'de>>(file: &'de [u8]) -> Result<T, Error> {
    T::deserialize(&mut Deserializer::from_reader(Trickle(file, false))?)
}

#[test]
fn what_cannot_be_borrowed_says_why() {
    let u = npy("'<U2'", "(1,)", &ucs4("ab", 2));
    let error = serde_npy::from_slice::<Vec<&str>>(&u).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a `&str` cannot be borrowed from a `U` element, whose characters take four bytes each; use `String` or \
         `Cow<str>` (dtype `<U2`, at `[0]`, byte 128)"
    );
    let s = npy("'|S2'", "(1,)", b"ab");
    let error = from_reader::<Vec<&str>>(&s).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a `&str` cannot be borrowed out of a reader; use `String` or `Cow<str>` (dtype `|S2`, at `[0]`, byte 128)"
    );
    let u1 = npy("'|u1'", "(2,)", b"ab");
    let error = from_reader::<&[u8]>(&u1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a `&[u8]` cannot be borrowed out of a reader; use `serde_bytes::ByteBuf` or `Vec<u8>`"
    );
    let rows = npy("'|u1'", "(1, 2)", b"ab");
    let error = from_reader::<Vec<&[u8]>>(&rows).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a `&[u8]` cannot be borrowed out of a reader; use `serde_bytes::ByteBuf` or `Vec<u8>` (at `[0]`)"
    );
    let v = npy("'|V2'", "(1,)", b"ab");
    let error = from_reader::<Vec<&[u8]>>(&v).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a `&[u8]` cannot be borrowed out of a reader; use `serde_bytes::ByteBuf` or `Vec<u8>` (dtype `|V2`, at `[0]`, \
         byte 128)"
    );
    let i2 = npy("'<i2'", "(2,)", &[1, 0, 2, 0]);
    let error = serde_npy::from_slice::<&[u8]>(&i2).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a borrowed byte array, found an array of shape (2,) and dtype `<i2`; read a `Vec` of it"
    );
}

#[test]
fn a_cow_takes_what_cannot_be_borrowed() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Name<'a>(#[serde(borrow)] Cow<'a, str>);
    let u = npy("'<U2'", "(1,)", &ucs4("ab", 2));
    assert_eq!(serde_npy::from_slice::<Vec<Name<'_>>>(&u).unwrap(), [Name(Cow::Borrowed("ab"))]);
    assert_eq!(from_reader::<Vec<Name<'_>>>(&npy("'|S2'", "(1,)", b"ab")).unwrap(), [Name(Cow::Borrowed("ab"))]);
}
