//! A reader that remembers why it failed.

use crate::error::{Error, Result};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

/// Keeps the first error of a reader.
///
/// The zip crate takes some for the end of the file, and after others looks for the list of members elsewhere.
#[derive(Debug)]
pub(crate) struct Witness<R> {
    reader: R,
    error: Option<io::Error>,
}

impl<R> Witness<R> {
    pub(crate) fn new(reader: R) -> Self {
        Witness { reader, error: None }
    }

    /// The error, if there was one.
    pub(crate) fn testimony(self) -> Result<()> {
        self.error.map_or(Ok(()), |error| Err(Error::io(error)))
    }

    fn keep(&mut self, error: io::Error) -> io::Error {
        let kind = error.kind();
        self.error.get_or_insert(error);
        kind.into()
    }
}

impl<R: Read> Read for Witness<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.reader.read(buffer) {
            // Tried again.
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            other => other.map_err(|error| self.keep(error)),
        }
    }
}

impl<R: Seek> Seek for Witness<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self.reader.seek(to) {
            // A place that no file has, which a damaged archive may name.
            Err(error) if error.kind() == ErrorKind::InvalidInput => Err(error),
            other => other.map_err(|error| self.keep(error)),
        }
    }
}
