//! Values and sinks that panic: what they leave behind is no archive, and the panic is not made worse.

#![cfg(feature = "npz")]

use serde::ser::{SerializeSeq as _, SerializeTuple as _};
use serde::{Serialize, Serializer};
use serde_npy::Header;
use serde_npy::npz::{self, Compression, WriteOptions};
use std::cell::Cell;
use std::io::{self, Cursor, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// As many numbers as fill blocks, which come to no end when they are written.
#[derive(Default)]
struct Unending {
    passes: Cell<u32>,
}

impl Serialize for Unending {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.passes.set(self.passes.get() + 1);
        let mut sequence = serializer.serialize_seq(None)?;
        for number in 0..100_000u32 {
            assert!(self.passes.get() == 1 || number < 99_990, "told to");
            sequence.serialize_element(&number)?;
        }
        sequence.end()
    }
}

/// Half a pair.
struct Half;

impl Serialize for Half {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pair = serializer.serialize_tuple(2)?;
        pair.serialize_element(&7u32)?;
        panic!("told to")
    }
}

fn panics<T>(body: impl FnOnce() -> T) {
    assert!(catch_unwind(AssertUnwindSafe(body)).is_err());
}

const LOST: &str = "the archive cannot be finished, since writing a member to it failed before";

#[test]
fn a_value_that_panics_leaves_no_archive() {
    for compression in [Compression::Stored, Compression::FAST] {
        let options = WriteOptions::default().compression(compression);
        let whole: fn(&mut npz::Writer<&mut Cursor<Vec<u8>>>) =
            |writer| panics(|| writer.add("y", &Unending::default()));
        let stream: fn(&mut npz::Writer<&mut Cursor<Vec<u8>>>) = |writer| {
            let mut pairs = writer.stream("y", Header::new("<u4,<u4".parse().unwrap(), vec![3]).unwrap()).unwrap();
            pairs.push(&(1, 2)).unwrap();
            panics(|| pairs.push(&Half));
        };
        let spool: fn(&mut npz::Writer<&mut Cursor<Vec<u8>>>) = |writer| {
            let mut pairs = writer.spool("y", "<u4,<u4".parse().unwrap()).unwrap();
            pairs.push(&(1, 2)).unwrap();
            panics(|| pairs.push(&Half));
            assert_eq!(pairs.finish().unwrap_err().to_string(), LOST);
        };
        for add in [whole, stream, spool] {
            let mut sink = Cursor::new(Vec::new());
            let mut writer = npz::Writer::with_options(&mut sink, &options);
            writer.add("x", &1).unwrap();
            add(&mut writer);
            assert_eq!(writer.add("z", &1).unwrap_err().to_string(), LOST);
            assert_eq!(writer.finish().unwrap_err().to_string(), LOST);
            npz::Reader::new(sink).unwrap_err();
        }
    }
}

#[test]
fn a_panic_that_is_caught_replaces_no_archive() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npz");
    npz::to_path(&path, &(1,)).unwrap();
    let before = std::fs::read(&path).unwrap();
    let added = npz::append(&path, |archive| {
        panics(|| archive.add("y", &Unending::default()));
        Ok(())
    });
    assert_eq!(added.unwrap_err().to_string(), format!("{LOST} (file `{}`)", path.display()));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Panics at every call from one on.
struct Panicking {
    left: usize,
}

impl Write for Panicking {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        assert!(self.left > 0, "told to");
        self.left -= 1;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Seek for Panicking {
    fn seek(&mut self, _: io::SeekFrom) -> io::Result<u64> {
        Ok(0)
    }
}

/// A second panic on the way would end the process.
#[test]
fn a_sink_that_panics_is_not_written_to_again() {
    for compression in [Compression::Stored, Compression::FAST] {
        let options = WriteOptions::default().compression(compression);
        for seekable in [false, true] {
            let mut finished = 0;
            for left in 0..100 {
                let written = catch_unwind(|| {
                    let sink = Panicking { left };
                    let mut writer = if seekable {
                        npz::Writer::with_options(sink, &options)
                    } else {
                        npz::Writer::streaming(sink, &options)
                    };
                    writer.add("x", &[1, 2, 3]).unwrap();
                    writer.finish().is_ok()
                });
                finished += usize::from(written.is_ok_and(|finished| finished));
            }
            assert!((20..100).contains(&finished), "{finished}");
        }
    }
}
