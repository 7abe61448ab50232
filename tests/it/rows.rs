//! Rows of an array are taken as elements where they are short, and numbers in another type than their own straight from
//! the block: the values, bytes and errors are those of the elements one by one.

use ndarray::{Array2, Array3};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_npy::fuzzing::slowly;
use serde_npy::{Array, ByteOrder, Header, Result, WriteOptions, from_reader, from_slice, to_vec, to_vec_with};
use std::fmt::Debug;

fn text_of<T: Debug>(found: Result<T>) -> std::result::Result<String, String> {
    found.map(|value| format!("{value:?}")).map_err(|error| format!("{error} at {:?}", error.offset()))
}

#[track_caller]
fn same_values<T: DeserializeOwned + Debug>(file: &[u8]) {
    let ways: [&dyn Fn() -> std::result::Result<String, String>; 3] =
        [&|| text_of(from_slice::<T>(file)), &|| text_of(from_reader::<T>(file)), &|| {
            text_of(from_reader::<T>(&file[..file.len() - 5]))
        }];
    for (way, read) in ways.iter().enumerate() {
        assert_eq!(read(), slowly(read), "way {way} of {}", Header::read(file).unwrap().dtype());
    }
}

#[track_caller]
fn same_bytes<T: Serialize + ?Sized>(value: &T) -> Vec<Vec<u8>> {
    let options = WriteOptions::default;
    let mut files = Vec::new();
    for options in [
        options(),
        options().byteorder(ByteOrder::Big),
        options().fortran_order(true),
        options().dtype("<f4".parse().unwrap()),
        options().dtype(">i8".parse().unwrap()),
        options().dtype("|u1".parse().unwrap()),
        options().dtype("<U2".parse().unwrap()),
        options().dtype("|V3".parse().unwrap()),
    ] {
        let text = |found: Result<Vec<u8>>| found.map_err(|error| error.to_string());
        let fast = text(to_vec_with(value, &options));
        assert_eq!(fast, text(slowly(|| to_vec_with(value, &options))), "{options:?}");
        files.extend(fast);
    }
    files
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Part {
    n: u8,
    x: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Point(f64, f64, f64);

/// An item that may be of any type.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Item {
    Int(i64),
    UInt(u8),
    Float(f64),
    Text(String),
}

/// A row of a type that looks at nothing of it.
#[derive(Debug)]
struct Blind;

impl<'de> Deserialize<'de> for Blind {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> std::result::Result<Self, D::Error> {
        Ok(Blind)
    }
}

fn check<T: Serialize>(rows: &[T]) {
    for file in same_bytes(rows) {
        same_values::<Vec<[f64; 3]>>(&file);
        same_values::<Vec<Vec<f64>>>(&file);
        same_values::<Vec<(f64, f64, f64)>>(&file);
        same_values::<Vec<Point>>(&file);
        same_values::<Vec<[u8; 3]>>(&file);
        same_values::<Vec<[i64; 2]>>(&file);
        same_values::<Vec<Vec<[u8; 2]>>>(&file);
        same_values::<Vec<Vec<Option<f32>>>>(&file);
        same_values::<Vec<[bool; 2]>>(&file);
        same_values::<Vec<[String; 2]>>(&file);
        same_values::<Vec<[Part; 2]>>(&file);
        same_values::<Vec<serde_json::Value>>(&file);
        same_values::<Vec<serde_bytes::ByteBuf>>(&file);
        same_values::<Vec<Blind>>(&file);
        same_values::<Vec<serde::de::IgnoredAny>>(&file);
        same_values::<([f64; 3], Vec<f64>)>(&file);
    }
}

#[test]
fn rows_of_every_kind() {
    for count in [1u16, 8, 9, 40] {
        let rows = || 0..count;
        check(&rows().map(|i| [f64::from(i), 0.5, f64::NAN]).collect::<Vec<_>>());
        check(&rows().map(|i| (f64::from(i), 0.5, 1.0)).collect::<Vec<_>>());
        check(&rows().map(|i| Point(f64::from(i), 0.5, 1.0)).collect::<Vec<_>>());
        check(&rows().map(|i| vec![i64::from(i); 3]).collect::<Vec<_>>());
        check(&rows().map(|i| [i, 255]).collect::<Vec<_>>());
        check(&rows().map(|i| vec![[i as u8, 255]; 4]).collect::<Vec<_>>());
        check(&rows().map(|i| [i % 2 == 0, true]).collect::<Vec<_>>());
        check(&rows().map(|i| ["x".repeat(usize::from(i % 3)), "y".to_owned()]).collect::<Vec<_>>());
        check(&rows().map(|i| [Part { n: i as u8, x: 0.5 }, Part { n: 1, x: 1.5 }]).collect::<Vec<_>>());
        check(&rows().map(|i| vec![f32::from(i); 1030]).collect::<Vec<_>>());
        check(&rows().map(|_| [0u8; 0]).collect::<Vec<_>>());
    }
}

#[test]
fn rows_across_blocks() {
    let rows: Vec<[f64; 3]> = (0..50_000).map(|i| [f64::from(i), 0.5, -1.0]).collect();
    let file = to_vec(&rows).unwrap();
    assert!(file == slowly(|| to_vec(&rows)).unwrap());
    assert!(from_slice::<Vec<[f64; 3]>>(&file).unwrap() == rows);
    assert!(from_reader::<Vec<[f64; 3]>>(&file[..]).unwrap() == rows);
    let planes: Vec<Vec<[f64; 3]>> = rows.chunks(1000).map(<[_]>::to_vec).collect();
    let file = to_vec(&planes).unwrap();
    assert!(file == slowly(|| to_vec(&planes)).unwrap());
    assert!(from_slice::<Vec<Vec<[f64; 3]>>>(&file).unwrap() == planes);
    assert!(from_reader::<Vec<Vec<[f64; 3]>>>(&file[..]).unwrap() == planes);
}

/// What comes late, behind rows that were passed over, counts as much as what came first.
#[test]
fn rows_unlike_those_before_them() {
    let late: [Vec<Item>; 8] = [
        vec![Item::Int(-1), Item::Int(i64::MAX)],
        vec![Item::UInt(200), Item::UInt(1)],
        vec![Item::Int(1), Item::UInt(1)],
        vec![Item::Float(0.5), Item::Int(1)],
        vec![Item::Text("a longer text".to_owned()), Item::Int(1)],
        vec![Item::Text("NUL\0".to_owned()), Item::Text(String::new())],
        vec![Item::Int(1)],
        vec![Item::Int(1), Item::Int(2), Item::Int(3)],
    ];
    for early in &late {
        for odd in &late {
            let mut rows = vec![early.clone(); 40];
            rows.push(odd.clone());
            rows.extend(vec![early.clone(); 40]);
            same_bytes(&rows);
            let pairs: Vec<_> = rows.iter().map(|row| (row[0].clone(), row.last().unwrap().clone())).collect();
            same_bytes(&pairs);
            same_bytes(&[pairs.clone(), pairs]);
        }
    }
}

/// The numbers of a file in a type of Rust, straight and by way of an option, which is not.
fn same_numbers<T: DeserializeOwned + Debug>(file: &[u8]) {
    let by_element =
        |found: Result<Vec<Option<T>>>| text_of(found.map(|all| all.into_iter().flatten().collect::<Vec<T>>()));
    let expected = by_element(from_slice(file));
    assert_eq!(text_of(from_slice::<Vec<T>>(file)), expected, "{}", Header::read(file).unwrap().dtype());
    assert_eq!(text_of(from_reader::<Vec<T>>(file)), by_element(from_reader(file)));
    let flat = text_of(from_slice::<ndarray::Array1<T>>(file).map(|array| array.into_iter().collect::<Vec<T>>()));
    assert_eq!(flat.is_ok(), expected.is_ok());
    if expected.is_ok() {
        assert_eq!(flat, expected);
    }
}

#[test]
fn numbers_in_other_types_than_their_own() {
    let values = [
        0i128,
        1,
        -1,
        127,
        128,
        -128,
        255,
        256,
        65_536,
        (1 << 24) + 1,
        i64::MAX as i128,
        1 << 63,
        1 << 53,
        (1 << 53) + 1,
    ];
    let dtypes = "|i1 <i2 >i2 <i4 >i4 <i8 >i8 |u1 <u2 >u2 <u4 >u4 <u8 >u8 <f2 >f2 <f4 >f4 <f8 >f8 |b1 <M8[ns]";
    for dtype in dtypes.split(' ') {
        for value in values {
            let options = WriteOptions::default().dtype(dtype.parse().unwrap());
            let value = match (i64::try_from(value), u64::try_from(value)) {
                (Ok(value), _) => to_vec_with(&[1, value, 1], &options),
                (_, Ok(value)) => to_vec_with(&[1, value, 1], &options),
                _ => continue,
            };
            let Ok(file) = value else { continue };
            same_numbers::<i8>(&file);
            same_numbers::<i16>(&file);
            same_numbers::<i32>(&file);
            same_numbers::<i64>(&file);
            same_numbers::<u8>(&file);
            same_numbers::<u16>(&file);
            same_numbers::<u32>(&file);
            same_numbers::<u64>(&file);
            same_numbers::<f32>(&file);
            same_numbers::<f64>(&file);
        }
    }
}

#[test]
fn arrays_in_fortran_order_as_ndarray() {
    let values: Vec<i64> = (0..60).collect();
    let array = Array::new(vec![3, 4, 5], values.clone()).unwrap();
    let file = to_vec_with(&array, &WriteOptions::default().fortran_order(true)).unwrap();
    let expected = Array3::from_shape_vec((3, 4, 5), values).unwrap();
    assert_eq!(from_slice::<Array3<i64>>(&file).unwrap(), expected);
    assert_eq!(from_reader::<Array3<i64>>(&file[..]).unwrap(), expected);
    assert_eq!(from_slice::<Array3<u8>>(&file).unwrap(), expected.mapv(|value| value as u8));
    assert_eq!(from_slice::<Vec<Array2<i64>>>(&file).unwrap()[2], expected.index_axis(ndarray::Axis(0), 2));

    let mut values = vec![0i64; 60];
    values[33] = 300;
    let array = Array::new(vec![3, 4, 5], values).unwrap();
    let file = to_vec_with(&array, &WriteOptions::default().fortran_order(true)).unwrap();
    let place = |error: serde_npy::Error| (error.path(), error.offset());
    let nested = place(from_slice::<Vec<Vec<Vec<u8>>>>(&file).unwrap_err());
    assert_eq!(nested.0.as_deref(), Some("[1][2][3]"));
    assert_eq!(place(from_slice::<Array3<u8>>(&file).unwrap_err()), nested);
    assert_eq!(place(from_reader::<Array3<u8>>(&file[..]).unwrap_err()), nested);
}
