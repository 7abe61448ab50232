//! A reader that gives little at a time.

use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom};

/// Gives at most so many bytes at a time, and an interruption before each.
pub(crate) struct Reluctant<'a> {
    inner: Cursor<&'a [u8]>,
    most: usize,
    ready: bool,
}

impl<'a> Reluctant<'a> {
    pub(crate) fn new(bytes: &'a [u8], most: usize) -> Self {
        Reluctant { inner: Cursor::new(bytes), most, ready: false }
    }

    /// How many bytes have been taken.
    pub(crate) fn position(&self) -> u64 {
        self.inner.position()
    }
}

impl Read for Reluctant<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.ready = !self.ready;
        if self.ready {
            return Err(ErrorKind::Interrupted.into());
        }
        let length = buffer.len().min(self.most);
        self.inner.read(&mut buffer[..length])
    }
}

impl Seek for Reluctant<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}
