//! How many records a writer will write, and where that is said.

use std::io::{self, Seek, SeekFrom, Write};

/// How many records there will be, and where that is said.
pub(crate) enum Length<W> {
    /// In the header, which stands before the first record.
    Known(u64),
    /// In the header, which is written over once it is known; at this byte of the file.
    Open { start: u64, patch: Patch<W> },
}

/// Writes bytes at a place before the end and comes back.
pub(crate) type Patch<W> = fn(&mut W, u64, &[u8]) -> io::Result<()>;

pub(crate) fn patch<W: Write + Seek>(writer: &mut W, at: u64, bytes: &[u8]) -> io::Result<()> {
    let end = writer.stream_position()?;
    writer.seek(SeekFrom::Start(at))?;
    writer.write_all(bytes)?;
    writer.seek(SeekFrom::Start(end))?;
    Ok(())
}
