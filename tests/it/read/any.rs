//! Types that take anything: the format describes itself.

use crate::routes::{npy, reads, reads_with, refuses, ucs4};
use serde::de::IgnoredAny;
use serde_json::json;
use serde_npy::{BytesAs, ReadOptions};

/// One record with a field of every kind, and what JSON and CBOR make of it.
fn everything() -> (Vec<u8>, serde_json::Value, ciborium::Value) {
    use ciborium::Value as C;
    let text = |text: &str| C::Text(text.to_owned());
    let fields: Vec<(&str, Vec<u8>, serde_json::Value, C)> = vec![
        ("'|b1'", vec![1], json!(true), C::Bool(true)),
        ("'|i1'", vec![255], json!(-1), C::Integer((-1).into())),
        ("'>i2'", vec![1, 0], json!(256), C::Integer(256.into())),
        ("'<i4'", vec![2, 0, 0, 0], json!(2), C::Integer(2.into())),
        ("'<i8'", i64::MIN.to_le_bytes().to_vec(), json!(i64::MIN), C::Integer(i64::MIN.into())),
        ("'|u1'", vec![255], json!(255), C::Integer(255.into())),
        ("'<u2'", vec![1, 0], json!(1), C::Integer(1.into())),
        ("'>u4'", vec![0, 0, 0, 1], json!(1), C::Integer(1.into())),
        ("'<u8'", u64::MAX.to_le_bytes().to_vec(), json!(u64::MAX), C::Integer(u64::MAX.into())),
        ("'<f2'", vec![0, 0x3e], json!(1.5), C::Float(1.5)),
        ("'<f4'", 0.5f32.to_le_bytes().to_vec(), json!(0.5), C::Float(0.5)),
        ("'>f8'", 0.1f64.to_be_bytes().to_vec(), json!(0.1), C::Float(0.1)),
        (
            "'<c8'",
            [1f32.to_le_bytes(), 2f32.to_le_bytes()].concat(),
            json!([1.0, 2.0]),
            C::Array(vec![C::Float(1.0), C::Float(2.0)]),
        ),
        ("'|S3'", b"ab\0".to_vec(), json!("ab"), text("ab")),
        ("'<U2'", ucs4("λ", 2), json!("λ"), text("λ")),
        ("'|V0'", vec![], json!(null), C::Null),
        ("'<M8[D]'", 0i64.to_le_bytes().to_vec(), json!("1970-01-01"), text("1970-01-01")),
        ("'<m8[s]'", 5i64.to_le_bytes().to_vec(), json!("PT5S"), text("PT5S")),
        ("'<m8'", 5i64.to_le_bytes().to_vec(), json!(5), C::Integer(5.into())),
        ("'<M8[s]'", i64::MIN.to_le_bytes().to_vec(), json!(null), C::Null),
        ("'|u1', (2,)", vec![1, 2], json!([1, 2]), C::Array(vec![C::Integer(1.into()), C::Integer(2.into())])),
        ("[('x', '|u1')]", vec![1], json!({"x": 1}), C::Map(vec![(text("x"), C::Integer(1.into()))])),
    ];
    let (mut descr, mut data) = (Vec::new(), Vec::new());
    let (mut object, mut map) = (serde_json::Map::new(), Vec::new());
    for (index, (dtype, bytes, json, cbor)) in fields.into_iter().enumerate() {
        // In the order of the alphabet, for `serde_json::Map` has no other.
        let name = format!("f{index:02}");
        descr.push(format!("('{name}', {dtype})"));
        data.extend(bytes);
        object.insert(name.clone(), json);
        map.push((text(&name), cbor));
    }
    (npy(&format!("[{}]", descr.join(", ")), "()", &data), object.into(), C::Map(map))
}

#[test]
fn json_and_cbor_take_everything() {
    let (file, json, cbor) = everything();
    reads(&file, json.clone());
    reads(&file, cbor);
    reads(&file, IgnoredAny);

    let mut out = Vec::new();
    let mut deserializer = serde_npy::Deserializer::from_slice(&file).unwrap();
    serde_transcode::transcode(&mut deserializer, &mut serde_json::Serializer::new(&mut out)).unwrap();
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&out).unwrap(), json);
}

#[test]
fn void_is_bytes() {
    let file = npy("'|V2'", "(1,)", &[1, 0]);
    reads(&file, ciborium::Value::Array(vec![ciborium::Value::Bytes(vec![1, 0])]));
    refuses::<serde_json::Value>(
        &file,
        "expected any valid JSON value, found byte array (dtype `|V2`, at `[0]`, byte 128)",
    );
    let mut out = Vec::new();
    let mut deserializer = serde_npy::Deserializer::from_slice(&file).unwrap();
    serde_transcode::transcode(&mut deserializer, &mut serde_json::Serializer::new(&mut out)).unwrap();
    assert_eq!(out, b"[[1,0]]");
}

#[test]
fn s_is_text_or_bytes_as_asked() {
    let file = npy("'|S3'", "(1,)", b"\xe9a\0");
    let latin1 = ReadOptions::default().bytes_as(BytesAs::Latin1);
    let bytes = ReadOptions::default().bytes_as(BytesAs::Bytes);
    reads_with(&latin1, &file, json!(["éa"]));
    reads_with(&bytes, &file, ciborium::Value::Array(vec![ciborium::Value::Bytes(b"\xe9a".to_vec())]));
    refuses::<serde_json::Value>(
        &file,
        "expected text, found bytes that are not UTF-8 from the one at 0; read them as bytes, or as Latin-1 by \
         `ReadOptions::bytes_as` (dtype `|S3`, at `[0]`, byte 128)",
    );
    // Those who ask for text by name get text.
    reads_with(&bytes, &npy("'|S3'", "(1,)", b"ab\0"), vec!["ab".to_owned()]);
    reads_with(&latin1, &file, vec!["éa".to_owned()]);
}

#[test]
fn everything_is_ignored_without_a_look() {
    for (descr, data) in
        [("'|b1'", &[2u8][..]), ("'<f16'", &[0; 16]), ("'|S1'", b"\xff"), ("'<M8'", &[1, 0, 0, 0, 0, 0, 0, 0])]
    {
        reads(&npy(descr, "(1,)", data), vec![IgnoredAny]);
        reads(&npy(descr, "()", data), IgnoredAny);
    }
}
