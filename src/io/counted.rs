//! Where a reader stands.

use crate::error::{Error, Result};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

/// A reader that knows where it stands whatever is read through it, and can look at what comes next.
///
/// Places count from where the reader stood at first.
pub(crate) struct Counted<R> {
    reader: R,
    /// `None` where a seek has failed.
    place: Option<u64>,
    /// The byte that comes next, where it has been looked at.
    next: Option<u8>,
    /// The place in the file where the reader stood at first. Kept from the first time it is asked for, since a seek that
    /// fails leaves the reader anywhere.
    origin: Option<u64>,
}

impl<R> Counted<R> {
    pub(crate) fn new(reader: R) -> Self {
        Counted { reader, place: Some(0), next: None, origin: None }
    }

    /// The place of the byte that comes next, where it is known.
    pub(crate) fn place(&self) -> Option<u64> {
        self.place
    }

    pub(crate) fn get_ref(&self) -> &R {
        &self.reader
    }

    pub(crate) fn into_inner(self) -> R {
        self.reader
    }
}

impl<R: Read> Counted<R> {
    /// Whether nothing comes next.
    pub(crate) fn is_at_end(&mut self) -> Result<bool> {
        let mut byte = [0];
        while self.next.is_none() {
            match self.reader.read(&mut byte) {
                Ok(0) => return Ok(true),
                Ok(_) => self.next = byte.first().copied(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(error)),
            }
        }
        Ok(false)
    }
}

impl<R: Read> Read for Counted<R> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match (self.next, buffer.first_mut()) {
            (Some(byte), Some(first)) => {
                *first = byte;
                self.next = None;
                1
            }
            _ => self.reader.read(buffer)?,
        };
        self.place = self.place.map(|place| place.saturating_add(u64::try_from(count).unwrap_or(u64::MAX)));
        Ok(count)
    }
}

impl<R: Seek> Counted<R> {
    /// Goes to a place.
    pub(crate) fn go(&mut self, place: u64) -> Result<()> {
        let target = self.origin()?.checked_add(place).ok_or_else(|| Error::limit("a place beyond 2^64 bytes"))?;
        self.seek(SeekFrom::Start(target))?;
        self.place = Some(place);
        Ok(())
    }

    /// Goes to the end; which place that is.
    pub(crate) fn go_to_end(&mut self) -> Result<u64> {
        let origin = self.origin()?;
        let end = self.seek(SeekFrom::End(0))?.saturating_sub(origin);
        self.place = Some(end);
        Ok(end)
    }

    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        (self.place, self.next) = (None, None);
        self.reader.seek(to).map_err(Error::io)
    }

    fn origin(&mut self) -> Result<u64> {
        if let Some(origin) = self.origin {
            return Ok(origin);
        }
        // Known as yet, since no seek comes before this.
        let taken = self.place.unwrap_or_default().saturating_add(u64::from(self.next.is_some()));
        let origin = self.reader.stream_position().map_err(Error::io)?.saturating_sub(taken);
        self.origin = Some(origin);
        Ok(origin)
    }
}
