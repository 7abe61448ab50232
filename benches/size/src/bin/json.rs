//! The same by serde_json.

#[macro_use]
#[path = "../fields.rs"]
mod fields;

use std::fs::File;
use std::io::{BufReader, BufWriter};

mod first {
    twenty!(Record, #[derive(serde::Serialize, serde::Deserialize)]);
}
#[cfg(feature = "second")]
mod second {
    twenty!(Record, #[derive(serde::Serialize, serde::Deserialize)]);
}

fn copy<T: serde::Serialize + serde::de::DeserializeOwned>(from: &str, to: &str) {
    let records: Vec<T> = serde_json::from_reader(BufReader::new(File::open(from).unwrap())).unwrap();
    serde_json::to_writer(BufWriter::new(File::create(to).unwrap()), &records).unwrap();
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    while let (Some(from), Some(to)) = (arguments.next(), arguments.next()) {
        copy::<first::Record>(&from, &to);
        #[cfg(feature = "second")]
        copy::<second::Record>(&from, &to);
    }
}
