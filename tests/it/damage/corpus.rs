//! Files by other writers, cut and changed: a value or an error, and never one that was not there.

use crate::array_file::ArrayFile;
use crate::corpus::options;
use crate::damage::change_every_byte;
use crate::manifest;
use crate::source::OneByte;
use crate::tree::Tree;
use serde_npy::{Category, Header, Limits};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

/// The files with an extension, each once; nothing where there is no corpus, or no such file.
fn files(extension: &str) -> BTreeSet<PathBuf> {
    let corpus = manifest::corpus().unwrap_or_default();
    corpus.into_iter().map(|row| row.path).filter(|path| path.extension() == Some(OsStr::new(extension))).collect()
}

/// Lengths at which to cut: all within the first `first` and the last `last` bytes, and some 100 in between.
fn lengths(length: usize, first: usize, last: usize) -> impl Iterator<Item = usize> {
    let step = (length / 100).max(1);
    (0..length).filter(move |&cut| cut < first || cut + last >= length || cut.is_multiple_of(step))
}

#[test]
fn every_prefix_of_a_file_by_another_writer_is_an_error() {
    let mut prefixes = 0;
    for path in files("npy") {
        let (file, name) = (fs::read(&path).unwrap(), path.display());
        // Where others follow, the first array of the file; all of it where there is none.
        let (bytes, first) = match Header::read(&file[..]) {
            Ok(header) if header.dtype().first_object().is_none() => {
                (ArrayFile::first_of(&file).unwrap().bytes, usize::try_from(header.data_offset()).unwrap() + 40)
            }
            _ => (&file[..], file.len().min(1000)),
        };
        let readable = serde_npy::from_slice_with::<Tree>(bytes, &options()).is_ok();
        for length in lengths(bytes.len(), first, 40) {
            let prefix = &bytes[..length];
            let check = |route: &str, result: serde_npy::Result<()>| {
                let error = result.expect_err(&format!("{name}: {length} bytes by {route}"));
                let cut = error.category() == Category::Eof || !readable;
                assert!(cut, "{name}: {length} bytes by {route}: {error}");
            };
            check("slice", serde_npy::from_slice_with::<Tree>(prefix, &options()).map(drop));
            check("reader", serde_npy::from_reader_with::<Tree>(prefix, &options()).map(drop));
            check("records", serde_npy::records_from_slice_with::<Tree>(prefix, &options()).map(drop));
            if length < 1000 {
                check("single bytes", serde_npy::from_reader_with::<Tree>(OneByte::new(prefix), &options()).map(drop));
            }
            prefixes += 1;
        }
    }
    println!("{prefixes} prefixes of files by other writers");
}

#[test]
fn a_changed_byte_of_a_file_by_another_writer_is_a_value_or_an_error() {
    let options = options().limits(Limits::default().empty_items(1000));
    let mut changes = 0;
    for path in files("npy") {
        let file = fs::read(&path).unwrap();
        if file.len() < 2000 {
            changes += change_every_byte(&file, &options, &path.display().to_string());
        }
    }
    println!("{changes} changed bytes in files by other writers");
}

#[cfg(feature = "npz")]
mod archives {
    use super::{files, lengths, options};
    use crate::damage::others;
    use crate::tree::Tree;
    use serde_npy::npz::{ReadOptions, Reader, View};
    use std::fs;
    use std::io::Cursor;

    #[test]
    fn no_prefix_of_an_archive_by_another_writer_is_one() {
        let mut prefixes = 0;
        for path in files("npz") {
            let file = fs::read(&path).unwrap();
            // The list of members and its end stand last.
            for length in lengths(file.len(), 64, 200) {
                let prefix = &file[..length];
                let view = View::new(prefix).expect_err(&format!("{}: {length} bytes", path.display()));
                let reader = Reader::new(Cursor::new(prefix)).unwrap_err();
                assert_eq!(view.to_string(), reader.to_string(), "{}: {length} bytes", path.display());
                prefixes += 1;
            }
        }
        println!("{prefixes} prefixes of archives by other writers");
    }

    #[test]
    fn a_changed_byte_of_an_archive_by_another_writer_changes_no_value() {
        let options = ReadOptions::from(options());
        let (mut changes, mut values) = (0, 0);
        for path in files("npz") {
            let file = fs::read(&path).unwrap();
            if file.len() > 500 {
                continue;
            }
            // An archive that is refused as it is has no values.
            let known: Vec<Tree> = View::with_options(&file, &options)
                .map(|view| view.names().filter_map(|name| view.get(name).ok()).collect())
                .unwrap_or_default();
            for place in 0..file.len() {
                let mut bytes = file.clone();
                for (turn, other) in others(file[place], place).into_iter().enumerate() {
                    bytes[place] = other;
                    let name = format!("{}, byte {place} as {other:#04x}", path.display());
                    changes += 1;
                    let view = View::with_options(&bytes, &options);
                    // One in three by the reader as well.
                    let reader = (turn == place % 3).then(|| Reader::with_options(Cursor::new(&bytes), &options));
                    let (view, mut reader) = match (view, reader.transpose()) {
                        (Ok(view), Ok(reader)) => (view, reader),
                        (Err(_), Ok(None)) => continue,
                        (view, reader) => {
                            assert_eq!(view.unwrap_err().to_string(), reader.unwrap_err().to_string(), "{name}");
                            continue;
                        }
                    };
                    for array in view.names() {
                        let one = view.get::<Tree>(array).map_err(|error| error.category());
                        if let Some(reader) = &mut reader {
                            let other = reader.get::<Tree>(array).map_err(|error| error.category());
                            assert_eq!(one, other, "{name}, {array}");
                        }
                        if let Ok(value) = one {
                            // The checksum is over all of the member.
                            assert!(known.contains(&value), "{name}, {array}: {value:?}");
                            values += 1;
                        }
                    }
                }
            }
        }
        println!("{changes} changed bytes in archives by other writers, {values} values as they were");
    }
}
