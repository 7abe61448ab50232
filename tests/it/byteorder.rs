//! Both byteorders, by bytes that are spelled out: what is read and written does not depend on the machine.

use crate::routes::{given, npy};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_npy::{ByteOrder, DType, Reader, View, WriteOptions};
use std::fmt::Debug;

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Record<T> {
    before: u8,
    x: T,
}

/// One value of a dtype, its bytes in both orders.
#[track_caller]
fn check<T>(code: &str, little: &[u8], big: &[u8], value: T)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug + Clone,
{
    for (mark, bytes) in [("<", little), (">", big)] {
        let descr = format!("'{mark}{code}'");
        let (array, values) = (npy(&descr, "(3,)", &bytes.repeat(3)), vec![value.clone(); 3]);
        let record = Record { before: 7, x: value.clone() };
        let (fields, records) = (format!("[('before', '|u1'), ('x', {descr})]"), vec![record.clone(); 3]);
        let table = npy(&fields, "(3,)", &[&[7], bytes].concat().repeat(3));

        // By itself, in bulk, out of a reader, in a record of one type and the next.
        assert_eq!(serde_npy::from_slice::<T>(&npy(&descr, "()", bytes)).unwrap(), value, "{descr}");
        assert_eq!(serde_npy::from_slice::<Vec<T>>(&array).unwrap(), values, "{descr}");
        assert_eq!(serde_npy::from_reader::<Vec<T>>(&array[..]).unwrap(), values, "{descr}");
        assert_eq!(serde_npy::records_from_slice::<Record<T>>(&table).unwrap(), records, "{descr}");
        assert_eq!(serde_npy::from_reader::<Vec<Record<T>>>(&table[..]).unwrap(), records, "{descr}");
        let streamed: serde_npy::Result<Vec<Record<T>>> = Reader::new(&table[..]).unwrap().records().collect();
        assert_eq!(streamed.unwrap(), records, "{descr}");
        assert_eq!(View::new(&table).unwrap().field(&["x"]).unwrap().get::<T>(2).unwrap(), value, "{descr}");

        // And back.
        let write = |options: &WriteOptions, shape: &str| match shape {
            "()" => serde_npy::to_vec_with(&value, options).unwrap(),
            _ => serde_npy::to_vec_with(&values, options).unwrap(),
        };
        assert_eq!(write(&given(&descr), "()"), npy(&descr, "()", bytes), "{descr}");
        assert_eq!(write(&given(&descr), "(3,)"), array, "{descr}");
        assert_eq!(serde_npy::to_vec_with(&records, &given(&fields)).unwrap(), table, "{descr}");
        assert_eq!(serde_npy::records_to_vec_with(&records, &given(&fields)).unwrap(), table, "{descr}");
        let mut writer = serde_npy::Writer::new_with(Vec::new(), 3, &given(&fields));
        writer.write_all(&records).unwrap();
        assert_eq!(writer.finish().unwrap(), table, "{descr}");
        // The option turns either into the other.
        let order = if mark == "<" { ByteOrder::Little } else { ByteOrder::Big };
        let other = if mark == "<" { ">" } else { "<" };
        assert_eq!(write(&given(&format!("'{other}{code}'")).byteorder(order), "(3,)"), array, "{descr}");
    }
}

#[test]
fn every_scalar_has_its_bytes_in_both_orders() {
    check("i2", &[0xfe, 0xff], &[0xff, 0xfe], -2i16);
    check("i4", &[0x04, 0x03, 0x02, 0x81], &[0x81, 0x02, 0x03, 0x04], -0x7efd_fcfc_i32);
    check(
        "i8",
        &[0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x81],
        &[0x81, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08],
        -0x7efd_fcfb_faf9_f8f8_i64,
    );
    check("u2", &[0x02, 0x81], &[0x81, 0x02], 0x8102u16);
    check("u4", &[0x04, 0x03, 0x02, 0x81], &[0x81, 0x02, 0x03, 0x04], 0x8102_0304_u32);
    check(
        "u8",
        &[0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x81],
        &[0x81, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08],
        0x8102_0304_0506_0708_u64,
    );
    check("f2", &[0x01, 0x3e], &[0x3e, 0x01], half::f16::from_bits(0x3e01));
    check("f4", &[0xdb, 0x0f, 0x49, 0x40], &[0x40, 0x49, 0x0f, 0xdb], std::f32::consts::PI);
    check(
        "f8",
        &[0x18, 0x2d, 0x44, 0x54, 0xfb, 0x21, 0x09, 0x40],
        &[0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18],
        std::f64::consts::PI,
    );
    // The parts of a complex number and the characters of a text are turned one by one.
    check("c8", &[0, 0, 0xc0, 0x3f, 0, 0, 0x20, 0xc0], &[0x3f, 0xc0, 0, 0, 0xc0, 0x20, 0, 0], (1.5f32, -2.5f32));
    check(
        "c16",
        &[0, 0, 0, 0, 0, 0, 0xf8, 0x3f, 0, 0, 0, 0, 0, 0, 0x04, 0xc0],
        &[0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0xc0, 0x04, 0, 0, 0, 0, 0, 0],
        (1.5f64, -2.5f64),
    );
    check(
        "U3",
        &[0x61, 0, 0, 0, 0xbb, 0x03, 0, 0, 0x80, 0xf9, 0x01, 0],
        &[0, 0, 0, 0x61, 0, 0, 0x03, 0xbb, 0, 0x01, 0xf9, 0x80],
        "aλ🦀".to_owned(),
    );
    check("M8[D]", &[0xce, 0x2a, 0, 0, 0, 0, 0, 0], &[0, 0, 0, 0, 0, 0, 0x2a, 0xce], "2000-01-02".to_owned());
    check("m8[s]", &[0x03, 0x02, 0x01, 0, 0, 0, 0, 0], &[0, 0, 0, 0, 0, 0x01, 0x02, 0x03], "PT66051S".to_owned());
}

/// Bytes, and what is of single bytes, have no order, whatever mark stands before them.
#[test]
fn what_has_no_order_is_never_turned() {
    for mark in ["|", "<", ">", "="] {
        for (code, bytes) in [("S3", b"abc"), ("V3", b"abc")] {
            let file = npy(&format!("'{mark}{code}'"), "()", bytes);
            assert_eq!(serde_npy::from_slice::<serde_bytes::ByteBuf>(&file).unwrap(), &bytes[..], "{mark}{code}");
            let dtype: DType = format!("{mark}{code}").parse().unwrap();
            assert_eq!(dtype.with_byteorder(ByteOrder::Big).to_string(), format!("'|{code}'"));
        }
        assert_eq!(serde_npy::from_slice::<i8>(&npy(&format!("'{mark}i1'"), "()", &[0x81])).unwrap(), -127);
        assert_eq!(serde_npy::from_slice::<u8>(&npy(&format!("'{mark}u1'"), "()", &[0x81])).unwrap(), 129);
        assert!(serde_npy::from_slice::<bool>(&npy(&format!("'{mark}b1'"), "()", &[1])).unwrap());
    }
}

/// What a value becomes without a word about the order is little-endian on every machine.
#[test]
fn the_order_by_default_is_little_endian() {
    assert_eq!(serde_npy::to_vec(&[1u16, 0x8102]).unwrap(), npy("'<u2'", "(2,)", &[1, 0, 0x02, 0x81]));
    assert_eq!(serde_npy::to_vec("aλ").unwrap(), npy("'<U2'", "()", &[0x61, 0, 0, 0, 0xbb, 0x03, 0, 0]));
    let record = Record { before: 7, x: 1.5f32 };
    let file = npy("[('before', '|u1'), ('x', '<f4')]", "(1,)", &[7, 0, 0, 0xc0, 0x3f]);
    assert_eq!(serde_npy::records_to_vec(std::slice::from_ref(&record)).unwrap(), file);
    // Without a mark, and with that for the order of the machine, NumPy's files are of little-endian machines.
    for descr in ["'u2'", "'=u2'", "'<u2'"] {
        assert_eq!(serde_npy::from_slice::<u16>(&npy(descr, "()", &[0x02, 0x81])).unwrap(), 0x8102, "{descr}");
    }
}
