//! The zip crate's two writers, one for sinks that seek and one for those that cannot.

use crate::error::{Error, Result};
use crate::npz::fault::fault;
use crate::npz::gate::{Gate, Latch};
use crate::npz::options::{Compression, WriteOptions};
use std::io::{self, Read, Seek, Write};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

/// From this size on a member gets the fields of ZIP64, with room for what deflating may add.
const LARGE: u64 = 0xFF00_0000;

/// An archive that is being written.
pub(crate) enum Sink<W: Write> {
    /// Sizes and sums are put into the header of a member when it is complete.
    Seek(ZipWriter<Gate<W>>),
    /// They follow the member.
    Stream(ZipWriter<StreamWriter<Gate<W>>>),
}

impl<W: Write> Sink<W> {
    pub(crate) fn seekable(inner: W, latch: Latch) -> Self
    where
        W: Seek,
    {
        Sink::Seek(ZipWriter::new(Gate::seekable(inner, latch)))
    }

    pub(crate) fn streaming(inner: W, latch: Latch) -> Self {
        Sink::Stream(ZipWriter::new_stream(Gate::new(inner, latch)))
    }

    /// Goes on with an archive: new members overwrite its list of members, which is written anew behind them.
    pub(crate) fn append(inner: W, latch: Latch) -> Result<Self>
    where
        W: Read + Seek,
    {
        const END: [u8; 4] = *b"PK\x05\x06";
        let writer = ZipWriter::new_append(Gate::seekable(inner, latch.clone())).map_err(fault)?;
        if writer.get_raw_comment().windows(END.len()).any(|bytes| bytes == END) {
            // An end is looked for from behind, and what was no list of members in front of this one may be so now.
            latch.close();
            return Err(Error::unsupported(
                "an archive whose comment may be taken for the end of another is not added to; write a new one",
            ));
        }
        Ok(Sink::Seek(writer))
    }

    /// Starts a member; of a length that is known, or else of any.
    pub(crate) fn start(&mut self, name: &str, length: Option<u64>, options: &WriteOptions) -> Result<()> {
        let file = SimpleFileOptions::default()
            // As NumPy does: the same values make the same bytes.
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644)
            .large_file(length.is_none_or(|length| length >= LARGE));
        let file = match options.compression {
            Compression::Stored => {
                file.compression_method(CompressionMethod::Stored).with_alignment(options.alignment.max(1))
            }
            Compression::Deflated(level) => file
                .compression_method(CompressionMethod::Deflated)
                .compression_level(Some(i64::from(level.clamp(1, 9)))),
        };
        match self {
            Sink::Seek(writer) => writer.start_file(name, file),
            Sink::Stream(writer) => writer.start_file(name, file),
        }
        .map_err(fault)
    }

    /// Writes the list of members.
    pub(crate) fn finish(self) -> Result<W> {
        let mut gate = match self {
            Sink::Seek(writer) => writer.finish().map_err(fault)?,
            Sink::Stream(writer) => writer.finish().map_err(fault)?.into_inner(),
        };
        gate.flush().map_err(Error::io)?;
        Ok(gate.into_inner())
    }
}

impl<W: Write> Write for Sink<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Seek(writer) => writer.write(bytes),
            Sink::Stream(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Seek(writer) => writer.flush(),
            Sink::Stream(writer) => writer.flush(),
        }
    }
}
