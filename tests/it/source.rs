//! Readers that behave worse than a slice.

use std::io::{Error, ErrorKind, Read, Result};

/// Gives one byte at a time, and `Interrupted` before each.
pub(crate) struct OneByte<'a> {
    rest: &'a [u8],
    ready: bool,
}

impl<'a> OneByte<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        OneByte { rest: bytes, ready: false }
    }

    /// What has not been taken.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl Read for OneByte<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.ready = !self.ready;
        if self.ready {
            return Err(Error::from(ErrorKind::Interrupted));
        }
        let length = buffer.len().min(1);
        self.rest.read(&mut buffer[..length])
    }
}
