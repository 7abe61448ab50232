//! The bytes of one member: found, inflated, counted and checked.

use crate::error::{Count, Error, Result};
use crate::npz::directory::{Entry, Packing};
use crc32fast::Hasher;
use flate2::bufread::DeflateDecoder;
use std::cell::RefCell;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::rc::Rc;

/// Compressed bytes read at a time.
const CHUNK: usize = 128 << 10;

/// Bytes of an archive: borrowed for as long as values may live, or out of a reader.
pub(crate) enum Bytes<'de> {
    Slice(&'de [u8]),
    Reader(Box<dyn BufRead + 'de>),
}

impl<'de> Bytes<'de> {
    fn reader(self) -> Box<dyn BufRead + 'de> {
        match self {
            Bytes::Slice(bytes) => Box::new(bytes),
            Bytes::Reader(reader) => reader,
        }
    }
}

/// An archive from which members are opened.
pub(crate) trait Archive<'de> {
    /// The bytes from a position of the file; fewer where it ends before.
    fn bytes(&self, start: u64, length: u64) -> Bytes<'de>;
}

/// An archive in memory.
pub(crate) struct Slice<'de>(pub(crate) &'de [u8]);

impl<'de> Archive<'de> for Slice<'de> {
    fn bytes(&self, start: u64, length: u64) -> Bytes<'de> {
        let rest = usize::try_from(start).ok().and_then(|start| self.0.get(start..)).unwrap_or_default();
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        Bytes::Slice(rest.get(..length).unwrap_or(rest))
    }
}

/// An archive behind a reader, which the members share.
pub(crate) struct Shared<R>(Rc<RefCell<R>>);

impl<R> Shared<R> {
    pub(crate) fn new(reader: R) -> Self {
        Shared(Rc::new(RefCell::new(reader)))
    }
}

impl<'de, R: Read + Seek + 'de> Archive<'de> for Shared<R> {
    fn bytes(&self, start: u64, length: u64) -> Bytes<'de> {
        let section = Section { reader: Rc::clone(&self.0), position: start, left: length };
        let chunk = usize::try_from(length).unwrap_or(CHUNK).clamp(1, CHUNK);
        Bytes::Reader(Box::new(BufReader::with_capacity(chunk, section)))
    }
}

/// A stretch of a shared reader.
struct Section<R> {
    reader: Rc<RefCell<R>>,
    position: u64,
    left: u64,
}

impl<R: Read + Seek> Read for Section<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let Some(buffer) = buffer.get_mut(..most) else { return Ok(0) };
        if buffer.is_empty() {
            return Ok(0);
        }
        let mut reader = self.reader.try_borrow_mut().map_err(io::Error::other)?;
        // Another member may have been read in between.
        reader.seek(SeekFrom::Start(self.position))?;
        let count = reader.read(buffer)?.min(most);
        let count_wide = u64::try_from(count).unwrap_or(u64::MAX);
        self.position = self.position.saturating_add(count_wide);
        self.left = self.left.saturating_sub(count_wide);
        Ok(count)
    }
}

/// A member that has been found in its archive.
pub(crate) enum Opened<'de> {
    /// All of it, where it is stored in an archive in memory; its checksum has not been looked at.
    Slice(&'de [u8]),
    Stream(Member<'de>),
}

impl<'de> Opened<'de> {
    pub(crate) fn stream(self, entry: &Entry, verify: bool) -> Member<'de> {
        match self {
            Opened::Slice(bytes) => Member::new(Decoder::Stored(Box::new(bytes)), entry, verify),
            Opened::Stream(member) => member,
        }
    }
}

/// The length of a local header without names and extra fields.
const HEADER_LEAST: u64 = 30;

/// The most that these make of it.
pub(crate) const HEADER_MOST: u64 = HEADER_LEAST + 2 * 0xFFFF;

/// Finds the data of a member.
pub(crate) fn open<'de>(archive: &(impl Archive<'de> + ?Sized), entry: &Entry, verify: bool) -> Result<Opened<'de>> {
    if entry.encrypted {
        return Err(Error::unsupported("the member is encrypted, which is not supported"));
    }
    if let Packing::Other(name) = &entry.packing {
        return Err(Error::unsupported(format!(
            "the member is packed with {name}, which is not supported; NumPy stores or deflates its members"
        )));
    }
    let bytes = archive.bytes(data_start(archive, entry)?, entry.packed);
    if entry.packing == Packing::Deflated {
        let packed = Packed { reader: bytes.reader(), failed: false };
        let decoder = Decoder::Deflated(Box::new(DeflateDecoder::new(packed)));
        return Ok(Opened::Stream(Member::new(decoder, entry, verify)));
    }
    if entry.packed != entry.size {
        return Err(Error::syntax(format!(
            "the archive declares {} in the file and {} in all, but the member is stored as it is",
            Count(entry.packed, "byte"),
            entry.size
        )));
    }
    match bytes {
        Bytes::Slice(bytes) if u64::try_from(bytes.len()).ok() == Some(entry.size) => Ok(Opened::Slice(bytes)),
        Bytes::Slice(bytes) => Err(cut(entry.size, u64::try_from(bytes.len()).unwrap_or(u64::MAX))),
        Bytes::Reader(reader) => Ok(Opened::Stream(Member::new(Decoder::Stored(reader), entry, verify))),
    }
}

/// Checks the sum of a stored member that lies in memory.
pub(crate) fn verify(bytes: &[u8], entry: &Entry) -> Result<()> {
    checksum(entry.crc, crc32fast::hash(bytes))
}

/// Where the data starts behind the local header, whose names and extra fields have lengths of their own.
pub(crate) fn data_start<'de>(archive: &(impl Archive<'de> + ?Sized), entry: &Entry) -> Result<u64> {
    let mut header = Vec::new();
    archive.bytes(entry.header_start, HEADER_LEAST).reader().read_to_end(&mut header).map_err(Error::io)?;
    let [b'P', b'K', 3, 4, .., n0, n1, m0, m1] = *header.as_slice() else {
        return Err(Error::syntax(format!(
            "expected the header of the member at byte {} of the archive",
            entry.header_start
        )));
    };
    if header.len() != 30 {
        return Err(Error::eof(format!("the archive ends in the header of the member at byte {}", entry.header_start)));
    }
    let variable = u64::from(u16::from_le_bytes([n0, n1])).saturating_add(u64::from(u16::from_le_bytes([m0, m1])));
    entry
        .header_start
        .checked_add(HEADER_LEAST)
        .and_then(|start| start.checked_add(variable))
        .ok_or_else(|| Error::syntax("the member starts beyond any file"))
}

#[cold]
fn cut(declared: u64, found: u64) -> Error {
    Error::eof(format!("expected a member of {}, as the archive declares, found {found}", Count(declared, "byte")))
}

fn checksum(declared: u32, found: u32) -> Result<()> {
    if declared == found {
        return Ok(());
    }
    Err(Error::syntax(format!("expected checksum {declared:08x}, found {found:08x}: the member is damaged")))
}

/// Deflated bytes.
struct Packed<'a> {
    reader: Box<dyn BufRead + 'a>,
    /// Whether the reader has failed, whose error is then no error in the bytes.
    failed: bool,
}

impl Read for Packed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

impl BufRead for Packed<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let bytes = self.reader.fill_buf();
        self.failed = bytes.is_err();
        bytes
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume(count);
    }
}

enum Decoder<'a> {
    Stored(Box<dyn BufRead + 'a>),
    Deflated(Box<DeflateDecoder<Packed<'a>>>),
}

impl Read for Decoder<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Decoder::Stored(reader) => reader.read(buffer),
            Decoder::Deflated(decoder) => decoder.read(buffer).map_err(|error| match error.kind() {
                _ if decoder.get_ref().failed => error,
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                    Error::syntax("the deflated data of the member is damaged").into()
                }
                io::ErrorKind::UnexpectedEof => Error::eof("the deflated data of the member is cut").into(),
                _ => error,
            }),
        }
    }
}

/// The bytes of one member of an archive, inflated if need be.
///
/// Its length and its checksum are checked when the last byte is read: what has been read is sound once a read has
/// given `0` or the last of the [`size`](Member::size) bytes. After an error, no read gives `0`.
pub struct Member<'a> {
    decoder: Decoder<'a>,
    size: u64,
    left: u64,
    sum: Option<Hasher>,
    crc: u32,
    /// Whether it has been read to its end and checked.
    ended: bool,
    /// Whether a read has failed, behind which there is no end.
    failed: bool,
}

impl<'a> Member<'a> {
    fn new(decoder: Decoder<'a>, entry: &Entry, verify: bool) -> Self {
        let sum = verify.then(Hasher::new);
        Member { decoder, size: entry.size, left: entry.size, sum, crc: entry.crc, ended: false, failed: false }
    }

    /// How many bytes the member has, as the archive declares.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Reads what is left, so that it has been checked.
    pub(crate) fn drain(&mut self) -> Result<()> {
        let mut rest = Vec::new();
        loop {
            // Most members have been read to their end.
            if self.ended {
                return Ok(());
            }
            rest.resize(CHUNK, 0);
            match self.read(&mut rest) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(error)),
            }
        }
    }

    /// Checks that the data ends here, and its sum.
    fn end(&mut self) -> Result<()> {
        loop {
            match self.decoder.read(&mut [0]) {
                Ok(0) => break,
                Ok(_) => {
                    let size = Count(self.size, "byte");
                    return Err(Error::syntax(format!(
                        "expected a member of {size}, as the archive declares, found more"
                    )));
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(error)),
            }
        }
        self.ended = true;
        match self.sum.take() {
            Some(sum) => checksum(self.crc, sum.finalize()),
            None => Ok(()),
        }
    }

    fn read_next(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let mut count = 0;
        if let Some(buffer @ [_, ..]) = buffer.get_mut(..most) {
            count = self.decoder.read(buffer)?;
            let read = buffer.get(..count).unwrap_or_default();
            if read.is_empty() {
                return Err(cut(self.size, self.size.saturating_sub(self.left)).into());
            }
            if let Some(sum) = &mut self.sum {
                sum.update(read);
            }
            self.left = self.left.saturating_sub(u64::try_from(count).unwrap_or(u64::MAX));
        }
        if self.left == 0 {
            self.end()?;
        }
        Ok(count)
    }
}

impl Read for Member<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.failed {
            return Err(io::Error::other("the member could not be read before"));
        }
        if self.ended || buffer.is_empty() {
            return Ok(0);
        }
        let result = self.read_next(buffer);
        self.failed = matches!(&result, Err(error) if error.kind() != io::ErrorKind::Interrupted);
        result
    }
}

impl fmt::Debug for Member<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Member").field("size", &self.size).field("left", &self.left).finish_non_exhaustive()
    }
}
