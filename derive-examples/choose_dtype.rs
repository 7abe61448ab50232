//! Saying which dtype is written, instead of having it found.

use serde::Serialize;
use serde_npy::{DType, Field, Header, Struct, WriteOptions};

#[derive(Serialize)]
struct Reading {
    sensor: u8,
    value: f64,
    label: &'static str,
}

fn main() -> serde_npy::Result<()> {
    let readings = [Reading { sensor: 1, value: 20.5, label: "in" }, Reading { sensor: 2, value: -3.25, label: "out" }];

    // Found: every field as wide as its Rust type, text as wide as its longest.
    let found = Header::read(&serde_npy::to_vec(&readings)?[..])?;
    println!("found: {}", found.dtype());
    assert_eq!(found.dtype().to_string(), "[('sensor', '|u1'), ('value', '<f8'), ('label', '<U3')]");

    // As text, in any form that `numpy.dtype` takes. Fields may stand in another order.
    let given: DType = "[('value', '<f4'), ('sensor', '<i4'), ('label', 'S8')]".parse()?;
    let file = serde_npy::to_vec_with(&readings, &WriteOptions::default().dtype(given))?;
    println!("given: {}", Header::read(&file[..])?.dtype());

    // By hand: here as a C compiler would lay the struct out.
    let fields = vec![
        Field::new("sensor", "u1".parse()?),
        Field::new("value", "<f8".parse()?),
        Field::new("label", "S3".parse()?),
    ];
    let aligned = DType::from(Struct::aligned(fields)?);
    let file = serde_npy::to_vec_with(&readings, &WriteOptions::default().dtype(aligned))?;
    let header = Header::read(&file[..])?;
    println!("aligned: {}", header.dtype());
    assert_eq!(header.dtype().itemsize(), 24);

    // Every value is checked against it: nothing is cut, wrapped or rounded to infinity in silence.
    let narrow = WriteOptions::default().dtype("[('sensor', '|i1'), ('value', '<f2'), ('label', '<U2')]".parse()?);
    if let Err(error) = serde_npy::to_vec_with(&readings, &narrow) {
        println!("{error}");
        assert_eq!(error.path().as_deref(), Some("[1].label"));
    }
    Ok(())
}
