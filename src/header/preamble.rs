//! What stands around the text of a header: the magic string, the version, the length, the padding.

use crate::error::{Count, Error, Result};
use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};

const MAGIC_PREFIX: [u8; 6] = *b"\x93NUMPY";

/// The magic string with the two bytes of the version.
const MAGIC_LEN: usize = 8;

/// The data starts at a multiple of this, so that it can be mapped into memory and used in place.
const ARRAY_ALIGN: usize = 64;

/// The version of the `.npy` format.
///
/// They differ in how long the header can be, 64 KiB in 1.0 and 4 GiB in the others, and in its encoding, Latin-1 in 1.0
/// and 2.0 and UTF-8 in 3.0.
///
/// # Examples
///
/// ```
/// use serde_npy::{Header, Version};
///
/// # fn main() -> serde_npy::Result<()> {
/// let header = Header::new("[('é', '<f8')]".parse()?, vec![3])?;
/// assert_eq!(header.version(), Version::V1_0);
/// let header = Header::new("[('λ', '<f8')]".parse()?, vec![3])?;
/// assert_eq!(header.version(), Version::V3_0); // not in Latin-1
/// assert_eq!(header.version().to_string(), "3.0");
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Version {
    /// 1.0, which every reader knows.
    V1_0,
    /// 2.0, since NumPy 1.9: long headers.
    V2_0,
    /// 3.0, since NumPy 1.17: names in any script.
    V3_0,
}

impl Version {
    const ALL: [Version; 3] = [Version::V1_0, Version::V2_0, Version::V3_0];

    /// The first of the two numbers; the second is 0.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(serde_npy::Version::V2_0.major(), 2);
    /// ```
    #[must_use]
    pub fn major(self) -> u8 {
        match self {
            Version::V1_0 => 1,
            Version::V2_0 => 2,
            Version::V3_0 => 3,
        }
    }

    /// Bytes of the header's length.
    fn length_len(self) -> usize {
        if self == Version::V1_0 { 2 } else { 4 }
    }

    /// Whether the text is Latin-1, and may have been written by Python 2.
    pub(crate) fn is_latin1(self) -> bool {
        self < Version::V3_0
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.0", self.major())
    }
}

/// All bytes of a file before its data.
#[derive(Clone, Debug)]
pub(crate) struct Preamble {
    pub(crate) version: Version,
    pub(crate) bytes: Vec<u8>,
}

impl Preamble {
    /// Reads up to the first byte of the data and no further.
    ///
    /// Memory follows the bytes that arrive, not the length that the file claims.
    pub(crate) fn read<R: Read>(mut reader: R, max_header_size: usize) -> Result<Preamble> {
        const STEP: usize = 64 << 10;
        let mut start = [0; MAGIC_LEN + 4];
        let received = fill(&mut reader, start.get_mut(..MAGIC_LEN).unwrap_or_default(), 0)?;
        let version = version_of(start.get(..received).unwrap_or_default())?;
        let text_at = MAGIC_LEN.saturating_add(version.length_len());
        let field = start.get_mut(MAGIC_LEN..text_at).unwrap_or_default();
        let received = fill(&mut reader, field, MAGIC_LEN)?;
        let length = match *field.get(..received).unwrap_or_default() {
            [a, b] if text_at == MAGIC_LEN + 2 => u64::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
            _ => return Err(cut(MAGIC_LEN.saturating_add(received), "the length of its header")),
        };
        let length = usize::try_from(length).ok().filter(|&length| length <= max_header_size).ok_or_else(|| {
            let message =
                format!("a header of {}, over the limit `max_header_size` of {max_header_size}", Count(length, "byte"));
            Error::limit(message).at_offset(place(MAGIC_LEN))
        })?;
        let end = text_at.saturating_add(length);
        // As long as it will be, if it is an ordinary one, so that it is kept without another copy.
        let mut bytes = Vec::with_capacity(end.min(STEP));
        bytes.extend(start.get(..text_at).unwrap_or_default());
        while bytes.len() < end {
            // Filled up before the next step, so that a reader of single bytes does not cost a step each.
            let from = bytes.len();
            // Twice as many, but never more than there will be.
            if bytes.capacity() < end.min(from.saturating_add(STEP)) {
                bytes.reserve_exact(end.saturating_sub(from).min(from));
            }
            bytes.resize(end.min(from.saturating_add(STEP)), 0);
            let filled = from.saturating_add(fill(&mut reader, bytes.get_mut(from..).unwrap_or_default(), from)?);
            if filled < bytes.len() {
                let received = filled.saturating_sub(text_at);
                let message = format!("the file ends within its header, after {received} of {}", Count(length, "byte"));
                return Err(Error::eof(message).at_offset(place(filled)));
            }
        }
        Ok(Preamble { version, bytes })
    }

    /// Where the text starts.
    pub(crate) fn text_at(&self) -> usize {
        MAGIC_LEN.saturating_add(self.version.length_len())
    }

    /// The text of the header.
    pub(crate) fn text(&self) -> Result<Cow<'_, str>> {
        let bytes = self.bytes.get(self.text_at()..).unwrap_or_default();
        if !bytes.is_empty() && bytes.iter().all(|byte| matches!(byte, b' ' | b'\n')) {
            let message =
                "the file is not finished: its header is blank, as it is until the writer's `flush` or `finish`";
            return Err(Error::eof(message).at_offset(place(self.text_at())));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) if !self.version.is_latin1() || is_ascii(bytes) => Ok(Cow::Borrowed(text)),
            _ if self.version.is_latin1() => {
                let beyond_ascii = bytes.iter().filter(|byte| !byte.is_ascii()).count();
                let mut text = String::with_capacity(bytes.len().saturating_add(beyond_ascii));
                text.extend(bytes.iter().copied().map(char::from));
                Ok(Cow::Owned(text))
            }
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(error) => {
                let offset = place(self.text_at().saturating_add(error.valid_up_to()));
                Err(Error::syntax("expected UTF-8 in a header of version 3.0").at_offset(offset))
            }
        }
    }

    /// Puts preamble and padding around a text, or says why the version cannot hold it.
    pub(crate) fn wrap(version: Version, text: &str) -> Result<Preamble> {
        let mut bytes = Vec::with_capacity(text.len().saturating_add(MAGIC_LEN + 4 + 1 + ARRAY_ALIGN));
        bytes.extend(MAGIC_PREFIX);
        bytes.extend([version.major(), 0]);
        let text_at = MAGIC_LEN.saturating_add(version.length_len());
        bytes.resize(text_at, 0);
        if version.is_latin1() && !text.is_ascii() {
            for char in text.chars() {
                let byte = u8::try_from(char).map_err(|_| {
                    Error::data(format!("the character `{char}` in a header of version {version}, which is Latin-1"))
                })?;
                bytes.push(byte);
            }
        } else {
            bytes.extend(text.as_bytes());
        }
        // NumPy pads by 1 to 64 spaces, never by none, and ends the line.
        let unpadded = bytes.len().saturating_add(1);
        let padding = ARRAY_ALIGN.saturating_sub(unpadded % ARRAY_ALIGN);
        bytes.resize(bytes.len().saturating_add(padding), b' ');
        bytes.push(b'\n');
        set_length(version, &mut bytes)?;
        Ok(Preamble { version, bytes })
    }

    /// As [`wrap`](Self::wrap), but the bytes are as many as they were; an error where the text needs more.
    pub(crate) fn wrap_to(version: Version, text: &str, data_offset: u64) -> Result<Vec<u8>> {
        let Preamble { mut bytes, .. } = Preamble::wrap(version, text)?;
        let text_at = MAGIC_LEN.saturating_add(version.length_len());
        let needed =
            bytes.iter().rposition(|&byte| !matches!(byte, b' ' | b'\n')).map_or(0, |last| last.saturating_add(1));
        let needed = needed.max(text_at).saturating_add(1);
        let length = usize::try_from(data_offset).unwrap_or(usize::MAX);
        if needed > length {
            let (needed, room) = (needed.saturating_sub(text_at), length.saturating_sub(text_at));
            return Err(Error::limit(format!("a header of {needed} bytes, for which there is only room of {room}")));
        }
        bytes.truncate(needed.saturating_sub(1));
        bytes.resize(length.saturating_sub(1), b' ');
        bytes.push(b'\n');
        set_length(version, &mut bytes)?;
        Ok(bytes)
    }

    /// As [`wrap`](Self::wrap), in the lowest version that can hold the text.
    pub(crate) fn wrap_lowest(text: &str) -> Result<Preamble> {
        Preamble::wrap(Version::V1_0, text)
            .or_else(|_| Preamble::wrap(Version::V2_0, text))
            .or_else(|_| Preamble::wrap(Version::V3_0, text))
    }
}

/// As std's, but for texts of a few hundred bytes, of which that goes through many one by one.
fn is_ascii(bytes: &[u8]) -> bool {
    bytes.iter().fold(0, |bits, byte| bits | byte) < 0x80
}

/// Writes the length of the text in front of it.
fn set_length(version: Version, bytes: &mut [u8]) -> Result<()> {
    let text_at = MAGIC_LEN.saturating_add(version.length_len());
    let length = bytes.len().saturating_sub(text_at);
    let too_long = || Error::limit(format!("a header of {length} bytes, too long for version {version}"));
    let field = bytes.get_mut(MAGIC_LEN..text_at).unwrap_or_default();
    if version == Version::V1_0 {
        field.copy_from_slice(&u16::try_from(length).map_err(|_| too_long())?.to_le_bytes());
    } else {
        field.copy_from_slice(&u32::try_from(length).map_err(|_| too_long())?.to_le_bytes());
    }
    Ok(())
}

/// A place in the file.
fn place(position: usize) -> u64 {
    u64::try_from(position).unwrap_or(u64::MAX)
}

/// Reads bytes of the file from a position on, until there are as many as asked for or the input ends; how many there
/// are.
fn fill<R: Read>(reader: &mut R, bytes: &mut [u8], position: usize) -> Result<usize> {
    let mut filled = 0usize;
    while let Some(free @ [_, ..]) = bytes.get_mut(filled..) {
        match reader.read(free) {
            Ok(0) => return Ok(filled),
            Ok(read) if read > free.len() => return Err(Error::overcounted()),
            Ok(read) => filled = filled.saturating_add(read),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io(error).at_offset(place(position.saturating_add(filled)))),
        }
    }
    Ok(filled)
}

#[cold]
fn cut(length: usize, within: &str) -> Error {
    Error::eof(format!("the file ends within {within}, after {}", Count(length, "byte"))).at_offset(place(length))
}

fn version_of(bytes: &[u8]) -> Result<Version> {
    if bytes.is_empty() {
        return Err(Error::eof("expected a .npy file, found an empty one").at_offset(0));
    }
    let found = bytes.get(..MAGIC_PREFIX.len()).unwrap_or(bytes);
    if !MAGIC_PREFIX.starts_with(found) {
        return Err(no_magic(bytes).at_offset(0));
    }
    let &[.., major, minor] = bytes else { return Err(cut(bytes.len(), "the magic string")) };
    if bytes.len() < MAGIC_LEN {
        return Err(cut(bytes.len(), "the magic string"));
    }
    Version::ALL.into_iter().find(|version| (version.major(), 0) == (major, minor)).ok_or_else(|| {
        let message = format!("expected version 1.0, 2.0 or 3.0 of the .npy format, found {major}.{minor}");
        Error::unsupported(message).at_offset(place(MAGIC_PREFIX.len()))
    })
}

/// The error for a file that is none of ours, with a guess at what it is.
#[cold]
fn no_magic(bytes: &[u8]) -> Error {
    match looks_like(bytes) {
        None => {
            let found = bytes.escape_ascii();
            Error::syntax(format!("expected a .npy file, which starts with `\\x93NUMPY`, found `{found}`"))
        }
        Some(guess) => Error::syntax(format!("expected a .npy file, found {guess}")),
    }
}

/// What a file may be, by its first eight bytes.
pub(crate) fn looks_like(bytes: &[u8]) -> Option<&'static str> {
    Some(match bytes {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => "a zip archive such as a .npz file",
        [0x1f, 0x8b, ..] => "a gzip file",
        [0x80, 2..=5, ..] => "a pickle",
        [0x89, b'H', b'D', b'F', ..] => "an HDF5 file",
        [0x89, b'P', b'N', b'G', ..] => "a PNG image",
        b"version " => "a Git LFS pointer or other text",
        _ => return None,
    })
}
