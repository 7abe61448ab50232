//! Readers and writers that fail at one byte.

use serde_npy::Category;
use std::io::{Cursor, Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};

/// Kinds of errors: some that happen, and those by which std's own traits report what they find.
pub(crate) const KINDS: [ErrorKind; 5] = [
    ErrorKind::ConnectionReset,
    ErrorKind::WouldBlock,
    ErrorKind::UnexpectedEof,
    ErrorKind::InvalidData,
    ErrorKind::InvalidInput,
];

/// What a reader or a writer does at one of its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    /// Before this byte.
    pub(crate) at: usize,
    pub(crate) kind: ErrorKind,
    /// Whether it fails the first time only.
    pub(crate) once: bool,
    /// Whether one byte goes at a time before it, and `Interrupted` comes before each.
    pub(crate) halting: bool,
}

impl Fault {
    /// None, but at the pace that is asked for.
    pub(crate) fn none(halting: bool) -> Self {
        Fault { at: usize::MAX, kind: ErrorKind::Other, once: false, halting }
    }

    /// The faults at a byte: for good, once, and at one byte at a time. The kinds take turns from byte to byte.
    pub(crate) fn each(at: usize) -> [Fault; 3] {
        let kind = |turn: usize| KINDS[(at + turn) % KINDS.len()];
        [
            Fault { at, kind: kind(0), once: false, halting: false },
            Fault { at, kind: kind(1), once: true, halting: false },
            Fault { at, kind: kind(2), once: false, halting: true },
        ]
    }

    /// The error, which tells the byte, so that no other can be taken for it.
    fn error(&self) -> Error {
        Error::new(self.kind, format!("byte {} is out of order", self.at))
    }

    /// Whether an error is this one and no other.
    #[track_caller]
    pub(crate) fn assert_is(&self, error: &Failure, what: &str) {
        let Failure { category, kind, text } = error;
        assert_eq!((*category, *kind), (Category::Io, Some(self.kind)), "{what}, {self:?}: {text}");
        let own = format!("byte {} is out of order", self.at);
        assert!(*text == own || text.starts_with(&format!("{own} (")), "{what}, {self:?}: {text}");
    }
}

/// What has gone wrong, in an error of ours or of std's.
#[derive(Debug)]
pub(crate) struct Failure {
    category: Category,
    kind: Option<ErrorKind>,
    text: String,
}

impl From<serde_npy::Error> for Failure {
    fn from(error: serde_npy::Error) -> Self {
        Failure { category: error.category(), kind: error.io_error_kind(), text: error.to_string() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure { category: Category::Io, kind: Some(error.kind()), text: error.to_string() }
    }
}

/// Something with a fault: bytes to be read, or to be written to.
#[derive(Debug)]
pub(crate) struct Faulty<B> {
    pub(crate) bytes: Cursor<B>,
    fault: Fault,
    /// Bytes that have been written in all.
    pub(crate) taken: usize,
    /// Whether it has failed.
    failed: bool,
    halted: bool,
}

impl<'a> Faulty<&'a [u8]> {
    pub(crate) fn reader(bytes: &'a [u8], fault: Fault) -> Self {
        Faulty { bytes: Cursor::new(bytes), fault, taken: 0, failed: false, halted: false }
    }
}

impl Faulty<Vec<u8>> {
    pub(crate) fn writer(fault: Fault) -> Self {
        Faulty { bytes: Cursor::new(Vec::new()), fault, taken: 0, failed: false, halted: false }
    }
}

impl<B> Faulty<B> {
    /// How many of `most` bytes go at a place.
    fn step(&mut self, place: usize, most: usize) -> Result<usize> {
        if self.fault.halting {
            self.halted = !self.halted;
            if self.halted {
                return Err(ErrorKind::Interrupted.into());
            }
        }
        if self.failed && self.fault.once {
            return Ok(most);
        }
        let most = if self.fault.halting { most.min(1) } else { most };
        match self.fault.at.checked_sub(place) {
            Some(0) if most > 0 => {
                self.failed = true;
                Err(self.fault.error())
            }
            Some(before) => Ok(most.min(before)),
            None => Ok(most),
        }
    }
}

/// Fails where the byte is; what lies behind it can be read.
impl Read for Faulty<&[u8]> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let place = usize::try_from(self.bytes.position()).unwrap();
        let most = self.step(place, buffer.len())?;
        self.bytes.read(&mut buffer[..most])
    }
}

/// Fails once so many bytes have been written, wherever; for good, unless once only.
impl Write for Faulty<Vec<u8>> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let most = self.step(self.taken, bytes.len())?;
        let count = self.bytes.write(&bytes[..most])?;
        self.taken += count;
        Ok(count)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl<B: AsRef<[u8]>> Seek for Faulty<B> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.bytes.seek(to)
    }
}
