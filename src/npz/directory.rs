//! The members of an archive, as its central directory lists them.

use crate::error::{Count, Error, Result};
use crate::header::looks_like;
use crate::limits::Limits;
use crate::npz::fault::{fault_of_list, lacks_list};
use crate::npz::name::array_name;
use crate::npz::witness::Witness;
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::io::{BufReader, Read, Seek, SeekFrom};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

/// How a member is packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Stored,
    Deflated,
    /// Something that NumPy does not write, by its name.
    Other(String),
}

/// What the central directory says of a member; the local headers are only asked where its data starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The name in the archive, `.npy` included.
    pub(crate) name: String,
    pub(crate) packing: Packing,
    pub(crate) encrypted: bool,
    pub(crate) crc: u32,
    pub(crate) header_start: u64,
    /// How many bytes the member takes in the archive.
    pub(crate) packed: u64,
    /// How many bytes it holds.
    pub(crate) size: u64,
}

impl Entry {
    /// The name of the array, or of the member where it is not named as one.
    pub(crate) fn array_name(&self) -> &str {
        array_name(&self.name).unwrap_or(&self.name)
    }

    fn is_folder(&self) -> bool {
        self.name.ends_with('/') || self.name.ends_with('\\')
    }
}

/// All members, in file order and by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directory {
    /// The byte of the file with which the list starts.
    start: u64,
    entries: Vec<Entry>,
    /// Positions of the members named `*.npy`, or of those that stand in for one.
    arrays: Vec<usize>,
    /// Positions by the name of the array.
    by_array: HashMap<String, usize>,
    /// Positions by the name in the archive.
    by_member: HashMap<String, usize>,
}

impl Directory {
    /// Reads the central directory.
    pub(crate) fn read(reader: impl Read + Seek, limits: &Limits) -> Result<Self> {
        let mut witness = Witness::new(reader);
        let directory = Directory::list(&mut witness, limits);
        // Whatever has been made of it: that the reader failed comes first.
        witness.testimony().and(directory)
    }

    fn list(mut reader: impl Read + Seek, limits: &Limits) -> Result<Self> {
        let archive = match ZipArchive::new(BufReader::new(&mut reader)) {
            Ok(archive) => archive,
            Err(error) => return Err(no_archive(&mut reader, &error).unwrap_or_else(|| fault_of_list(error))),
        };
        let (count, most) = (archive.len(), limits.max_members);
        if count > most {
            return Err(Error::limit(format!(
                "an archive of {}, over the limit `max_members` of {most}",
                Count(count, "member")
            )));
        }
        let mut directory = Directory { start: archive.central_directory_start(), ..Directory::default() };
        let mut last = None;
        for index in 0..archive.len() {
            // Names that the archive has twice come once from here: the last wins, at the place of the first.
            let entry = archive.by_index_data(index).map_err(fault_of_list)?;
            let name = match std::str::from_utf8(entry.name_raw()) {
                // Some writers forget to say that it is UTF-8; other text that happens to be is not to be expected.
                Ok(name) => name.to_owned(),
                Err(_) => entry.name().map_err(fault_of_list)?.into_owned(),
            };
            last = last.max(Some(entry.central_header_start()));
            directory.entries.push(Entry {
                name,
                packing: match entry.compression() {
                    CompressionMethod::Stored => Packing::Stored,
                    CompressionMethod::Deflated => Packing::Deflated,
                    other => Packing::Other(other.to_string()),
                },
                encrypted: entry.encrypted(),
                crc: entry.crc32(),
                header_start: entry.header_start(),
                packed: entry.compressed_size(),
                size: entry.size(),
            });
        }
        drop(archive);
        check_count(&mut reader, directory.start, last, count)?;
        directory.index();
        Ok(directory)
    }

    fn index(&mut self) {
        for (position, entry) in self.entries.iter().enumerate() {
            self.by_member.insert(entry.name.clone(), position);
            if entry.is_folder() {
                continue;
            }
            if let Some(name) = array_name(&entry.name) {
                match self.by_array.entry(name.to_owned()) {
                    Slot::Occupied(mut slot) => _ = slot.insert(position),
                    Slot::Vacant(slot) => {
                        slot.insert(position);
                        self.arrays.push(position);
                    }
                }
            }
        }
        // As NumPy does it: a member `a` comes before a member `a.npy` where `a` is asked for.
        for (position, entry) in self.entries.iter().enumerate() {
            if entry.is_folder() || array_name(&entry.name).is_some() {
                continue;
            }
            if let Some(shadowed) = self.by_array.insert(entry.name.clone(), position)
                && let Some(array) = self.arrays.iter_mut().find(|array| **array == shadowed)
            {
                *array = position;
            }
        }
    }

    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// All members, in file order.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The members that are arrays by their name, in file order.
    pub(crate) fn arrays(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.arrays.iter().filter_map(|&position| self.entries.get(position)).collect::<Vec<_>>().into_iter()
    }

    /// The names of the arrays, in file order.
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.arrays.iter().map(|&position| self.entries.get(position).map_or("", Entry::array_name))
    }

    /// The names of all members as the archive has them, in file order.
    pub(crate) fn members(&self) -> impl ExactSizeIterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The member of an array: by the name of the array, or else by its own.
    pub(crate) fn find(&self, name: &str) -> Option<&Entry> {
        let position = self.by_array.get(name).or_else(|| self.by_member.get(name))?;
        self.entries.get(*position)
    }

    /// The member of an array; an error that lists those there are.
    pub(crate) fn array(&self, name: &str) -> Result<&Entry> {
        self.find(name).ok_or_else(|| Error::missing_member(name, self.names()))
    }

    /// The position of a member among all.
    pub(crate) fn position(&self, entry: &Entry) -> Option<usize> {
        self.by_member.get(&entry.name).copied()
    }

    /// The member of a name as the archive has it.
    pub(crate) fn member(&self, name: &str) -> Result<&Entry> {
        let position = self.by_member.get(name);
        let entry = position.and_then(|&position| self.entries.get(position));
        entry.ok_or_else(|| Error::missing_member(name, self.members()))
    }
}

/// Refuses a list that goes on behind the last member that the end of the archive counts.
fn check_count(reader: &mut (impl Read + Seek), start: u64, last: Option<u64>, count: usize) -> Result<()> {
    // In an entry the lengths of the name, of the extra fields and of the comment, which follow it.
    const LENGTHS: u64 = 28;
    const ENTRY: u64 = 46;
    let behind = match last {
        None => start,
        Some(last) => {
            let mut lengths = [0; 6];
            reader.seek(SeekFrom::Start(last.saturating_add(LENGTHS))).map_err(Error::io)?;
            reader.read_exact(&mut lengths).map_err(Error::io)?;
            let [n0, n1, x0, x1, c0, c1] = lengths;
            let lengths = [[n0, n1], [x0, x1], [c0, c1]].map(|length| u64::from(u16::from_le_bytes(length)));
            lengths.iter().fold(last.saturating_add(ENTRY), |at, &length| at.saturating_add(length))
        }
    };
    let mut next = Vec::new();
    reader.seek(SeekFrom::Start(behind)).map_err(Error::io)?;
    reader.take(16).read_to_end(&mut next).map_err(Error::io)?;
    let goes_on = match *next.as_slice() {
        [b'P', b'K', 1, 2, ..] => true,
        // The end, which is where the zip crate has an empty list start; it knows the length of the list too.
        [b'P', b'K', 5, 6, _, _, _, _, _, _, _, _, ref length @ ..] if last.is_none() => *length != [0; 4],
        _ => false,
    };
    if goes_on {
        let count = Count(count, "member");
        return Err(Error::syntax(format!(
            "expected {count}, as the end of the archive declares, found more in its list"
        )));
    }
    Ok(())
}

/// What a file is that is no archive, where its start tells.
fn no_archive(reader: &mut (impl Read + Seek), reason: &ZipError) -> Option<Error> {
    let mut start = Vec::new();
    reader.seek(SeekFrom::Start(0)).ok()?;
    reader.take(8).read_to_end(&mut start).ok()?;
    match start.as_slice() {
        [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => Some(Error::syntax(
            "expected an archive of arrays, found a single one in a `.npy` file; read it with `serde_npy::from_*`",
        )),
        b"" => Some(Error::eof("expected an archive, found an empty file")),
        // An archive may stand behind something else, whose list of members is then found, and has a fault of its own.
        _ if !lacks_list(reason) => None,
        [b'P', b'K', ..] => {
            Some(Error::eof("expected an archive, found no list of its members at the end: the file is cut"))
        }
        other => Some(Error::syntax(match looks_like(other) {
            Some(guess) => format!("expected an archive, found {guess}"),
            None => format!("expected an archive, which starts with `PK`, found `{}`", other.escape_ascii()),
        })),
    }
}
