//! The calls that are held against each other wherever records in memory are read and written.

use serde::de::DeserializeOwned;
use std::io::{self, Write};

/// Ours, into a `Vec` whose memory is there.
pub fn read<T: DeserializeOwned>(file: &[u8], records: &mut Vec<T>) {
    records.clear();
    serde_npy::records_into(file, records).unwrap();
}

/// npyz, which always makes a new `Vec`.
pub fn npyz_read<T: npyz::Deserialize>(file: &[u8]) -> Vec<T> {
    npyz::NpyFile::new(file).unwrap().into_vec().unwrap()
}

pub fn npyz_write<T: npyz::AutoSerialize + Copy>(records: &[T], sink: impl Write) {
    use npyz::WriterBuilder as _;
    let mut writer =
        npyz::WriteOptions::new().default_dtype().shape(&[records.len() as u64]).writer(sink).begin_nd().unwrap();
    writer.extend(records.iter().copied()).unwrap();
    writer.finish().unwrap();
}

/// Keeps what was written last, and only as much as fits.
pub struct Reused<'a> {
    pub bytes: &'a mut Vec<u8>,
}

impl Write for Reused<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.bytes.capacity() - self.bytes.len();
        if room < bytes.len() {
            return Err(io::Error::other("more bytes than expected"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
