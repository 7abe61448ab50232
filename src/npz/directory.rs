//! The members of an archive, as its central directory lists them.

use crate::error::{Count, Error, Result};
use crate::header::looks_like;
use crate::limits::Limits;
use crate::npz::fault::{fault_of_list, lacks_list};
use crate::npz::name::array_name;
use crate::npz::witness::Witness;
use std::io::{BufReader, Read, Seek, SeekFrom};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

/// How a member is packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Stored,
    Deflated,
    /// Something that NumPy does not write, by its name.
    Other(Box<str>),
}

/// What the central directory says of a member; the local headers are only asked where its data starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The name in the archive, `.npy` included.
    pub(crate) name: Box<str>,
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
    arrays: Vec<u32>,
    /// Positions in the order of the names of the arrays, each of which is here once; so are the members by their own
    /// below. Archives may have a million members, of which each is to cost little.
    by_array: Vec<u32>,
    /// Positions in the order of the names in the archive.
    by_member: Vec<u32>,
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
        let start = archive.central_directory_start();
        let mut directory = Directory { start, entries: Vec::with_capacity(count), ..Directory::default() };
        let mut last = None;
        for index in 0..archive.len() {
            // Names that the archive has twice come once from here: the last wins, at the place of the first.
            let entry = archive.by_index_data(index).map_err(fault_of_list)?;
            let name = match std::str::from_utf8(entry.name_raw()) {
                // Some writers forget to say that it is UTF-8; other text that happens to be is not to be expected.
                Ok(name) => name.into(),
                Err(_) => entry.name().map_err(fault_of_list)?.into(),
            };
            last = last.max(Some(entry.central_header_start()));
            directory.entries.push(Entry {
                name,
                packing: match entry.compression() {
                    CompressionMethod::Stored => Packing::Stored,
                    CompressionMethod::Deflated => Packing::Deflated,
                    other => Packing::Other(other.to_string().into()),
                },
                encrypted: entry.encrypted(),
                crc: entry.crc32(),
                header_start: entry.header_start(),
                packed: entry.compressed_size(),
                size: entry.size(),
            });
        }
        // Some hundreds of bytes for each member.
        drop(archive);
        check_count(&mut reader, directory.start, last, count)?;
        directory.index();
        Ok(directory)
    }

    fn index(&mut self) {
        let Directory { entries, arrays, by_array, by_member, .. } = self;
        let positions = || (0u32..).zip(entries.iter());
        let at = |position: u32| usize::try_from(position).ok().and_then(|position| entries.get(position));
        let name = |position: u32| at(position).map_or("", |entry| &*entry.name);
        let array = |position: u32| at(position).map_or("", Entry::array_name);
        let is_array = |position: u32| array_name(name(position)).is_some();

        by_member.extend(positions().map(|(position, _)| position));
        by_member.sort_unstable_by(|&a, &b| name(a).cmp(name(b)).then(b.cmp(&a)));
        // Of equal names the last.
        by_member.dedup_by(|further, first| name(*further) == name(*first));

        by_array.extend(positions().filter(|(_, entry)| !entry.is_folder()).map(|(position, _)| position));
        // As NumPy does it: a member `a` comes before a member `a.npy` where `a` is asked for.
        let order = |&a: &u32, &b: &u32| array(a).cmp(array(b)).then(is_array(a).cmp(&is_array(b))).then(b.cmp(&a));
        by_array.sort_unstable_by(order);
        // Each at the place of the first that is named as an array.
        let same = by_array.chunk_by(|&a, &b| array(a) == array(b));
        let first = |group: &[u32]| group.iter().copied().filter(|&position| is_array(position)).min();
        let mut places: Vec<_> = same.filter_map(|group| Some((first(group)?, *group.first()?))).collect();
        by_array.dedup_by(|further, first| array(*further) == array(*first));
        places.sort_unstable();
        arrays.extend(places.into_iter().map(|(_, position)| position));
    }

    fn at(&self, position: u32) -> Option<&Entry> {
        self.entries.get(usize::try_from(position).ok()?)
    }

    /// The position of the member of a name among positions in the order of such names.
    fn search<'d>(&'d self, positions: &[u32], name: &str, of: impl Fn(&'d Entry) -> &'d str) -> Option<usize> {
        let found = positions.binary_search_by(|&position| self.at(position).map_or("", &of).cmp(name)).ok()?;
        usize::try_from(*positions.get(found)?).ok()
    }

    fn by_member(&self, name: &str) -> Option<usize> {
        self.search(&self.by_member, name, |entry| &entry.name)
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
        self.arrays.iter().filter_map(|&position| self.at(position)).collect::<Vec<_>>().into_iter()
    }

    /// The names of the arrays, in file order.
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.arrays.iter().map(|&position| self.at(position).map_or("", Entry::array_name))
    }

    /// The names of all members as the archive has them, in file order.
    pub(crate) fn members(&self) -> impl ExactSizeIterator<Item = &str> {
        self.entries.iter().map(|entry| &*entry.name)
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The member of an array: by the name of the array, or else by its own.
    pub(crate) fn find(&self, name: &str) -> Option<&Entry> {
        let position = self.search(&self.by_array, name, Entry::array_name).or_else(|| self.by_member(name))?;
        self.entries.get(position)
    }

    /// The member of an array; an error that lists those there are.
    pub(crate) fn array(&self, name: &str) -> Result<&Entry> {
        self.find(name).ok_or_else(|| Error::missing_member(name, self.names()))
    }

    /// The position of a member among all.
    pub(crate) fn position(&self, entry: &Entry) -> Option<usize> {
        self.by_member(&entry.name)
    }

    /// The member of a name as the archive has it.
    pub(crate) fn member(&self, name: &str) -> Result<&Entry> {
        let entry = self.by_member(name).and_then(|position| self.entries.get(position));
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
