//! `S` and `V`, and arrays of bytes.

use crate::routes::{npy, reads, refuses};
use serde::Deserialize;
use serde_bytes::{ByteArray, ByteBuf};

#[test]
fn s_loses_the_nuls_at_its_end() {
    let file = npy("'|S4'", "(4,)", b"ab\0\0a\0b\0abcd\0\0\0\0");
    reads(&file, ["ab", "a\0b", "abcd", ""].map(str::to_owned).to_vec());
    reads(&file, ["ab", "a\0b", "abcd", ""].map(|text| ByteBuf::from(text.as_bytes())).to_vec());
    reads(&file, ["ab", "a\0b", "abcd", ""].map(|text| text.as_bytes().to_vec()).to_vec());
    // Of a fixed number none is.
    reads(&file, [*b"ab\0\0", *b"a\0b\0", *b"abcd", *b"\0\0\0\0"].to_vec());
    refuses::<Vec<ByteArray<4>>>(
        &file,
        "expected a byte array of length 4, found 2 items (dtype `|S4`, at `[0]`, byte 128)",
    );
    reads(&npy("'|S4'", "(1,)", b"abcd"), vec![ByteArray::new(*b"abcd")]);
    refuses::<Vec<[u8; 3]>>(&file, "expected an array of length 3, found 4 items (dtype `|S4`, at `[0]`, byte 128)");
}

#[test]
fn v_loses_nothing() {
    let file = npy("'|V4'", "(2,)", b"ab\0\0\0\0\0\0");
    reads(&file, [b"ab\0\0", b"\0\0\0\0"].map(|bytes| ByteBuf::from(*bytes)).to_vec());
    reads(&file, [b"ab\0\0", b"\0\0\0\0"].map(|bytes| bytes.to_vec()).to_vec());
    reads(&file, [*b"ab\0\0", *b"\0\0\0\0"].to_vec());
    reads(&file, [b"ab\0\0", b"\0\0\0\0"].map(|bytes| ByteArray::new(*bytes)).to_vec());
    refuses::<Vec<String>>(&file, "expected a string, found bytes (dtype `|V4`, at `[0]`, byte 128)");
    refuses::<Vec<u8>>(&file, "expected u8, found byte array (dtype `|V4`, at `[0]`, byte 128)");
}

/// Any width, in records too.
#[test]
fn any_width_will_do() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Named {
        name: String,
    }
    for width in [1usize, 19, 255, 65_536] {
        let text = "x".repeat(width);
        reads(&npy(&format!("'|S{width}'"), "(1,)", text.as_bytes()), vec![text.clone()]);
        reads(&npy(&format!("[('name', '|S{width}')]"), "(1,)", text.as_bytes()), vec![Named { name: text }]);
    }
    reads(&npy("'|S0'", "(2,)", b""), vec![String::new(), String::new()]);
    reads(&npy("'<U0'", "(2,)", b""), vec![String::new(), String::new()]);
    reads(&npy("'|V0'", "(2,)", b""), vec![ByteBuf::new(), ByteBuf::new()]);
}

#[test]
fn bytes_that_are_no_text() {
    refuses::<Vec<String>>(
        &npy("'|S3'", "(1,)", b"a\xff\0"),
        "expected text, found bytes that are not UTF-8 from the one at 1; read them as bytes, or as Latin-1 by \
         `ReadOptions::bytes_as` (dtype `|S3`, at `[0]`, byte 128)",
    );
}

#[test]
fn arrays_of_bytes_are_bytes() {
    let file = npy("'|u1'", "(3,)", &[1, 0, 0]);
    reads(&file, ByteBuf::from([1, 0, 0]));
    reads(&file, ByteArray::new([1, 0, 0]));
    reads(&file, vec![1u8, 0, 0]);
    reads(&npy("'|u1'", "(2, 2)", &[1, 2, 3, 0]), vec![ByteBuf::from([1, 2]), ByteBuf::from([3, 0])]);
    reads(&npy("[('x', '|u1', (2,))]", "(1,)", &[1, 0]), vec![(ByteBuf::from([1, 0]),)]);
    reads(&npy("'|u1'", "(0,)", &[]), ByteBuf::new());
    // As sequences of numbers, too.
    reads(&npy("'<i2'", "(2,)", &[1, 0, 2, 0]), ByteBuf::from([1, 2]));
    refuses::<ByteBuf>(&npy("'|u1'", "()", &[1]), "expected byte array, found integer `1` (dtype `|u1`, byte 128)");
}

#[test]
fn a_unit_takes_no_bytes() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Unit;
    #[derive(Deserialize, PartialEq, Debug)]
    struct Record {
        a: u8,
        b: (),
        c: Unit,
        d: std::marker::PhantomData<u8>,
    }
    reads(&npy("'|V0'", "()", &[]), ());
    reads(&npy("'|V0'", "(3,)", &[]), vec![(), (), ()]);
    reads(&npy("'|V0'", "(1,)", &[]), vec![Unit]);
    let file = npy("[('a', '|u1'), ('b', '|V0'), ('c', '|V0'), ('d', '|V0')]", "(1,)", &[1]);
    reads(&file, vec![Record { a: 1, b: (), c: Unit, d: std::marker::PhantomData }]);
    reads(&file, serde_json::json!([{"a": 1, "b": null, "c": null, "d": null}]));
    refuses::<Vec<()>>(
        &npy("'|V1'", "(1,)", &[1]),
        "expected unit, found byte array (dtype `|V1`, at `[0]`, byte 128)",
    );
    refuses::<()>(&npy("'|u1'", "()", &[1]), "expected unit, found integer `1` (dtype `|u1`, byte 128)");
}
