//! The same by npyz.

#[macro_use]
#[path = "../fields.rs"]
mod fields;

use npyz::WriterBuilder as _;
use std::fs::File;
use std::io::{BufReader, BufWriter};

mod first {
    twenty!(Record, #[derive(npyz::Serialize, npyz::Deserialize, npyz::AutoSerialize)]);
}
#[cfg(feature = "second")]
mod second {
    twenty!(Record, #[derive(npyz::Serialize, npyz::Deserialize, npyz::AutoSerialize)]);
}

fn copy<T: npyz::Deserialize + npyz::AutoSerialize>(from: &str, to: &str) {
    let file = npyz::NpyFile::new(BufReader::new(File::open(from).unwrap())).unwrap();
    let records: Vec<T> = file.into_vec().unwrap();
    let options = npyz::WriteOptions::new().default_dtype().shape(&[records.len() as u64]);
    let mut writer = options.writer(BufWriter::new(File::create(to).unwrap())).begin_nd().unwrap();
    writer.extend(records).unwrap();
    writer.finish().unwrap();
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    while let (Some(from), Some(to)) = (arguments.next(), arguments.next()) {
        copy::<first::Record>(&from, &to);
        #[cfg(feature = "second")]
        copy::<second::Record>(&from, &to);
    }
}
