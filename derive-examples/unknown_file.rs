//! A file that nobody told you about: first its header, then its values as JSON.
//!
//! `cargo run --example unknown_file [FILE.npy]`: without an argument it takes the sample in the repository.

use serde_npy::{DType, Deserializer, Header};
use std::error::Error;
use std::fs::File;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/market_ticks.npy");
    let path = std::env::args_os().nth(1).map_or_else(|| sample.into(), PathBuf::from);

    // The header alone tells what is there, without a byte of the data being read.
    let header = Header::read(File::open(&path)?)?;
    println!("shape {:?}, {} bytes of data", header.shape(), header.data_len());
    match header.dtype() {
        DType::Struct(record) => {
            println!("records of {} bytes:", record.itemsize());
            for field in record.fields() {
                println!("  {:>6}  {:<10} {}", field.offset(), field.name(), field.dtype());
            }
        }
        dtype => println!("dtype {dtype}"),
    }

    // The format describes itself, so that it can become another one without a Rust type in between.
    let mut json = Vec::new();
    let mut array = Deserializer::from_reader(File::open(&path)?)?;
    serde_transcode::transcode(&mut array, &mut serde_json::Serializer::new(&mut json))?;
    let json = String::from_utf8(json)?;
    println!("{}...", json.chars().take(200).collect::<String>());

    // Or be looked at in any type that holds anything.
    let value: serde_json::Value = serde_npy::from_path(&path)?;
    println!("{} elements", value.as_array().map_or(1, Vec::len));
    Ok(())
}
