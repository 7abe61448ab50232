//! Readers after a call that failed: what they give then is right, or an error.

use crate::routes::npy;
use serde::Deserialize as _;
use serde_npy::{Deserializer, ReadOptions, Reader, Result, Writer};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::time::Duration;

/// How many numbers the array has, which are several blocks.
const COUNT: u32 = 200_000;

/// Fails once, at one of its calls; a seek that fails leaves it somewhere else.
struct Flaky {
    file: Cursor<Vec<u8>>,
    calls: u32,
    fails_at: u32,
}

impl Flaky {
    fn call(&mut self) -> io::Result<()> {
        self.calls += 1;
        if self.calls == self.fails_at { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
    }
}

impl Read for Flaky {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.call()?;
        self.file.read(buffer)
    }
}

impl Seek for Flaky {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if let Err(error) = self.call() {
            self.file.set_position(7);
            return Err(error);
        }
        self.file.seek(to)
    }
}

/// An array behind bytes of something else, and what comes behind it.
fn file(behind: &[u8]) -> (Vec<u8>, u64) {
    let start = b"something else, of odd length";
    let mut file = start.to_vec();
    file.extend(serde_npy::to_vec(&(0..COUNT).collect::<Vec<_>>()).unwrap());
    file.extend(behind);
    (file, start.len() as u64)
}

fn reader(behind: &[u8], fails_at: u32) -> Result<Reader<Flaky>> {
    let (file, start) = file(behind);
    let mut file = Cursor::new(file);
    file.set_position(start);
    Reader::new_with(Flaky { file, calls: 0, fails_at }, &ReadOptions::default().trailing(false))
}

/// What fails.
const CALLS: [(&str, fn(&mut Reader<Flaky>) -> Result<()>); 8] = [
    ("end", |reader| reader.end()),
    ("next_array", |reader| reader.next_array().map(|_| ())),
    ("refresh", |reader| reader.refresh().map(|_| ())),
    ("seek", |reader| reader.seek(150_000)),
    ("range", |reader| reader.range::<u32>(70_000..).map(|_| ())),
    ("read_into", |reader| reader.read_into::<u32>(&mut Vec::new(), 150_000).map(|_| ())),
    ("all", |reader| reader.read_into::<u32>(&mut Vec::new(), usize::MAX).map(|_| ())),
    ("follow", |reader| reader.follow::<u32>(Duration::ZERO, || true).try_for_each(|number| number.map(|_| ()))),
];

/// The numbers that follow, up to an error; they must be those from the position on.
#[track_caller]
fn reads_on(reader: &mut Reader<Flaky>, name: &str) -> bool {
    let from = reader.position();
    let mut numbers: Vec<u32> = Vec::new();
    let done = reader.read_into(&mut numbers, usize::MAX);
    let expected: Vec<u32> = (u32::try_from(from).unwrap()..COUNT).take(numbers.len()).collect();
    assert!(numbers == expected, "{name}: {} from {from} on are others", numbers.len());
    done.is_ok() && reader.position() == u64::from(COUNT)
}

#[test]
fn what_is_read_after_a_failure_is_right() {
    let other = npy("'<u4'", "(2,)", &[1, 0, 0, 0, 2, 0, 0, 0]);
    let mut failures = 0;
    let mut went_on = 0;
    for behind in [&b""[..], b"x", b"some junk that is no array", &other[..100], &other] {
        for first in [0, 3, u64::from(COUNT)] {
            for (name, call) in CALLS {
                for fails_at in 0..60 {
                    let mut reader = match reader(behind, fails_at) {
                        Ok(reader) => reader,
                        Err(error) => {
                            assert_eq!(error.io_error_kind(), Some(io::ErrorKind::WouldBlock));
                            continue;
                        }
                    };
                    if reader.read_into::<u32>(&mut Vec::new(), usize::try_from(first).unwrap()).is_err() {
                        continue;
                    }
                    let at_first = reader.header().clone();
                    let place = format!("{name} failed at call {fails_at} after {first} and before {behind:.9?}");
                    let failed = call(&mut reader).is_err();
                    if reader.header() != &at_first {
                        // It went on to the next array.
                        assert_eq!(reader.read_into::<u32>(&mut Vec::new(), 9).unwrap(), 2, "{place}");
                        break;
                    }
                    failures += u32::from(failed);
                    match fails_at % 4 {
                        0 => went_on += u32::from(failed && reads_on(&mut reader, &place)),
                        1 => {
                            // Once more, which goes wrong for another reason or none.
                            let again = reader.refresh();
                            went_on += u32::from(failed && again.is_ok() && reads_on(&mut reader, &place));
                        }
                        2 => {
                            drop(reader.end());
                            drop(reader.next_array().map(|_| ()));
                            if reader.header() != &at_first {
                                continue;
                            }
                        }
                        _ => {}
                    }
                    // It failed once; from then on it can go anywhere.
                    reader.seek(100).unwrap();
                    let numbers: Vec<u32> = reader.records().take(4).map(Result::unwrap).collect();
                    assert_eq!(numbers, [100, 101, 102, 103], "{place}");
                    let numbers: Vec<u32> = reader.range(199_998..).unwrap().map(Result::unwrap).collect();
                    assert_eq!(numbers, [199_998, 199_999], "{place}");
                    assert_eq!(reader.end().is_ok(), behind.is_empty(), "{place}");
                    assert_eq!(reader.refresh().unwrap(), 0, "{place}");
                    reader.seek(0).unwrap();
                    assert!(reads_on(&mut reader, &place), "{place}");
                    if fails_at > reader.get_ref().calls {
                        break;
                    }
                }
            }
        }
    }
    assert!(failures > 100 && went_on > 20, "{failures} {went_on}");
}

#[test]
fn the_end_is_looked_at_and_left_where_it_is() {
    let (numbers, other) = ([1i32, 2, 3], [40i32]);
    let mut file = serde_npy::to_vec(&numbers).unwrap();
    file.extend(serde_npy::to_vec(&other).unwrap());
    let strict = ReadOptions::default().trailing(false);
    let mut reader = Reader::new_with(Cursor::new(&file), &strict).unwrap();
    assert_eq!(reader.records::<i32>().collect::<Result<Vec<_>>>().unwrap(), numbers);
    for _ in 0..3 {
        assert_eq!(
            reader.end().unwrap_err().to_string(),
            "expected the end of the file, found more bytes behind the array (byte 140)"
        );
    }
    reader.seek(0).unwrap();
    assert_eq!(reader.records::<i32>().collect::<Result<Vec<_>>>().unwrap(), numbers);
    reader.end().unwrap_err();
    assert_eq!(reader.next_array().unwrap().unwrap().shape(), [1]);
    assert_eq!(reader.records::<i32>().collect::<Result<Vec<_>>>().unwrap(), other);
    reader.end().unwrap();
}

#[test]
fn what_failed_on_its_way_tells_how_to_go_on() {
    for fails_at in 0.. {
        let Ok(mut reader) = reader(b"", fails_at) else { continue };
        if reader.refresh().is_ok() {
            assert!(fails_at > 5);
            break;
        }
        let message = "the reader has failed on its way to another place of the file; `seek` finds the records again";
        let error = reader.records::<u32>().next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(reader.end().unwrap_err().to_string(), message);
        assert_eq!(reader.next_array().unwrap_err().to_string(), message);
        assert!(reader.records::<u32>().next().is_none());
    }
}

/// A reader is read once: what a second reading would get is not the array.
#[test]
fn a_deserializer_over_a_reader_gives_its_array_once() {
    let mut file = serde_npy::to_vec(&[1u16, 2, 3]).unwrap();
    file.push(9);
    for trailing in [false, true] {
        let options = ReadOptions::default().trailing(trailing);
        let mut deserializer = Deserializer::from_reader_with(&file[..], &options).unwrap();
        let unread = "expected the end of the array, whose data has not been read (byte 128)";
        assert_eq!(deserializer.end().map_err(|error| error.to_string()).err(), (!trailing).then(|| unread.to_owned()));
        assert_eq!(Vec::<u16>::deserialize(&mut deserializer).unwrap(), [1, 2, 3]);
        let behind = "expected the end of the file, found more bytes behind the array (byte 134)";
        for _ in 0..2 {
            let end = deserializer.end().map_err(|error| error.to_string()).err();
            assert_eq!(end, (!trailing).then(|| behind.to_owned()));
        }
        assert_eq!(
            Vec::<u16>::deserialize(&mut deserializer).unwrap_err().to_string(),
            "the array has been read already, which can be done only once out of a reader"
        );
    }
    // Nor is the rest of it what a type that gave up would get.
    let mut deserializer = Deserializer::from_reader(&file[..]).unwrap();
    Vec::<bool>::deserialize(&mut deserializer).unwrap_err();
    assert_eq!(
        Vec::<u16>::deserialize(&mut deserializer).unwrap_err().to_string(),
        "the array has been read already, which can be done only once out of a reader"
    );
    // In memory it is there as often as it is asked for.
    let mut deserializer = Deserializer::from_slice(&file).unwrap();
    for _ in 0..2 {
        assert_eq!(Vec::<u16>::deserialize(&mut deserializer).unwrap(), [1, 2, 3]);
    }
}

#[test]
fn a_folder_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let expected = format!("is a directory (file `{}`)", folder.path().display());
    assert_eq!(serde_npy::to_path(folder.path(), &[1]).unwrap_err().to_string(), expected);
    assert_eq!(Writer::create(folder.path()).unwrap_err().to_string(), expected);
}
