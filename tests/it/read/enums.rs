//! Enums: by name, by position only on request.

use crate::routes::{npy, reads, reads_with, refuses, refuses_with, ucs4};
use serde::Deserialize;
use serde_npy::ReadOptions;

#[derive(Deserialize, PartialEq, Debug)]
enum Side {
    Buy,
    #[serde(rename = "sell", alias = "Sell")]
    Sell,
}

#[test]
fn variants_go_by_name() {
    reads(&npy("'|S4'", "(2,)", b"Buy\0sell"), vec![Side::Buy, Side::Sell]);
    let data = [ucs4("Sell", 4), ucs4("Buy", 4)].concat();
    reads(&npy("'<U4'", "(2,)", &data), vec![Side::Sell, Side::Buy]);
    reads(&npy("[('side', '|S4')]", "()", b"sell"), (Side::Sell,));
    refuses::<Vec<Side>>(
        &npy("'|S3'", "(1,)", b"buy"),
        "unknown variant `buy`, expected one of `Buy`, `Sell`, `sell` (dtype `|S3`, at `[0]`, byte 128)",
    );
    refuses::<Vec<Side>>(
        &npy("'<f8'", "(1,)", &[0; 8]),
        "expected the name of a variant of `Side`, found no text (dtype `<f8`, at `[0]`, byte 128)",
    );
    refuses::<Side>(
        &npy("'|S3'", "(1,)", b"Buy"),
        "expected enum Side, found an array of shape (1,) and dtype `|S3`; read a `Vec` of it",
    );
}

#[test]
fn integers_are_variants_only_on_request() {
    let file = npy("'|u1'", "(2,)", &[1, 0]);
    refuses::<Vec<Side>>(
        &file,
        "expected a variant of `Side` by name, found integer `1`; for integers use `serde_repr`, or \
         `ReadOptions::enum_by_index(true)` where they are positions (dtype `|u1`, at `[0]`, byte 128)",
    );
    let by_index = ReadOptions::default().enum_by_index(true);
    reads_with(&by_index, &file, vec![Side::Sell, Side::Buy]);
    reads_with(&by_index, &npy("'>i8'", "()", &[0, 0, 0, 0, 0, 0, 0, 1]), Side::Sell);
    for (descr, data, value) in
        [("'|u1'", &[2u8][..], "2"), ("'|i1'", &[255], "-1"), ("'<i8'", &[0, 0, 0, 0, 1, 0, 0, 0], "4294967296")]
    {
        let typestring = descr.trim_matches('\'');
        let expected = if value == "2" { "variant index 0 <= i < 2" } else { "the position of a variant of Side" };
        let message = format!("expected {expected}, found integer `{value}` (dtype `{typestring}`, byte 128)");
        refuses_with::<Side>(&by_index, &npy(descr, "()", data), &message);
    }
}

#[test]
fn discriminants_come_by_serde_repr() {
    #[derive(serde_repr::Deserialize_repr, PartialEq, Debug)]
    #[repr(u8)]
    enum Code {
        A = 10,
        B = 20,
    }
    reads(&npy("'|u1'", "(2,)", &[10, 20]), vec![Code::A, Code::B]);
    reads(&npy("'<i8'", "(1,)", &20i64.to_le_bytes()), vec![Code::B]);
    refuses::<Vec<Code>>(
        &npy("'|u1'", "(1,)", &[15]),
        "invalid value: 15, expected 10 or 20 (dtype `|u1`, at `[0]`, byte 128)",
    );
}

#[test]
fn variants_with_data_come_only_from_structure() {
    #[derive(Deserialize, PartialEq, Debug)]
    enum Data {
        Unit,
        New(u8),
    }
    reads(&npy("'|S4'", "(1,)", b"Unit"), vec![Data::Unit]);
    refuses::<Vec<Data>>(
        &npy("'|S3'", "(1,)", b"New"),
        "expected newtype variant, found unit variant (dtype `|S3`, at `[0]`, byte 128)",
    );
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Loose {
        Text(String),
        Number(i64),
        List(Vec<u8>),
    }
    reads(
        &npy("[('a', '|S1'), ('b', '<i2'), ('c', '|u1', (2,))]", "()", b"x\x05\0\x01\x02"),
        (Loose::Text("x".to_owned()), Loose::Number(5), Loose::List(vec![1, 2])),
    );
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        A(i64),
    }
    reads(&npy("[('t', '|S1'), ('c', '<i2')]", "(1,)", b"A\x05\0"), vec![Adjacent::A(5)]);
}
