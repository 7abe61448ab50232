//! Whether an archive stays whole when members are added to it, found out before its first byte is changed.

use crate::error::{Category, Error, Result};
use crate::limits::Limits;
use crate::npz::directory::Directory;
use crate::npz::gate::Latch;
use crate::npz::member::{HEADER_MOST, Shared, data_start};
use crate::npz::sink::Sink;
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom, Write};

/// Refuses an archive whose members would not all outlive an addition.
///
/// New members overwrite the list of those that are there, and what follows it. The list is written anew behind them, out
/// of what the zip crate has understood of each entry, which for a damaged one is not what it was read from.
pub(crate) fn rehearse(archive: &mut (impl Read + Seek), directory: &Directory) -> Result<()> {
    check_places(archive, directory)?;
    let anew = Rehearsal::new(archive, directory.start()).map_err(Error::io).and_then(|rehearsal| {
        let written = Sink::append(rehearsal, Latch::default())?.finish()?;
        Directory::read(written, &Limits::default())
    });
    match anew {
        Ok(anew) if anew.entries() == directory.entries() => Ok(()),
        // A reader that fails, and a comment that is refused; but an end within an entry is the zip crate's own.
        Err(error) if error.category() == Category::Unsupported => Err(error),
        Err(error) if error.io_error_kind().is_some_and(|kind| kind != ErrorKind::UnexpectedEof) => Err(error),
        _ => Err(Error::unsupported(
            "an archive whose list of members would not be the same if it were written anew is not added to; write a new one",
        )),
    }
}

/// Refuses members that do not lie in front of the list.
fn check_places(archive: &mut (impl Read + Seek), directory: &Directory) -> Result<()> {
    let archive = Shared::new(archive);
    for entry in directory.entries() {
        let least = entry.header_start.saturating_add(entry.packed);
        if least.saturating_add(HEADER_MOST) <= directory.start() {
            continue;
        }
        let end = match data_start(&archive, entry) {
            Ok(start) => start.saturating_add(entry.packed),
            Err(error) if error.category() == Category::Io => return Err(error),
            // Of a member that is lost, what stands in its place must stay as well: it may not become one.
            Err(_) => least,
        };
        if end > directory.start() {
            let message = "an archive with a member in or behind its list of members is not added to; write a new one";
            return Err(Error::unsupported(message).in_member(entry.array_name()));
        }
    }
    Ok(())
}

/// An archive as far as its list of members, with a copy of what follows, which can be written to.
struct Rehearsal<R> {
    front: R,
    start: u64,
    rest: Cursor<Vec<u8>>,
    position: u64,
}

impl<R: Read + Seek> Rehearsal<R> {
    fn new(mut front: R, start: u64) -> io::Result<Self> {
        let mut rest = Vec::new();
        front.seek(SeekFrom::Start(start))?;
        front.read_to_end(&mut rest)?;
        Ok(Rehearsal { front, start, rest: Cursor::new(rest), position: 0 })
    }

    fn moved(&mut self, count: usize) -> usize {
        self.position = self.position.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        count
    }
}

impl<R: Read + Seek> Read for Rehearsal<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match self.position.checked_sub(self.start) {
            Some(position) => {
                self.rest.set_position(position);
                self.rest.read(buffer)?
            }
            None => {
                self.front.seek(SeekFrom::Start(self.position))?;
                self.front.by_ref().take(self.start.saturating_sub(self.position)).read(buffer)?
            }
        };
        Ok(self.moved(count))
    }
}

impl<R: Read + Seek> Write for Rehearsal<R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // What lies in front is not written to by anything that adds.
        let position = self.position.checked_sub(self.start).ok_or(ErrorKind::Unsupported)?;
        self.rest.set_position(position);
        let count = self.rest.write(bytes)?;
        Ok(self.moved(count))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<R> Seek for Rehearsal<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let end = u64::try_from(self.rest.get_ref().len()).ok().and_then(|rest| self.start.checked_add(rest));
        let target = match to {
            SeekFrom::Start(target) => Some(target),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => end.and_then(|end| end.checked_add_signed(by)),
        };
        self.position = target.ok_or(ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}
