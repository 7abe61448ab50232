//! Readers after a call that failed: what they give then is right, or an error.

use crate::routes::npy;
use serde::Deserialize;
use serde_npy::{Deserializer, ReadOptions, Reader, Result, Writer};
use std::cell::Cell;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::rc::Rc;
use std::time::Duration;

/// How many records the array has, which are several blocks.
const COUNT: u32 = 3200;

/// A number, and bytes that make the record longer.
#[derive(Deserialize)]
struct Record {
    n: u32,
}

/// Fails once, so many calls after it was told to; a seek that fails leaves it somewhere else, unless it
/// was only asked where it stands.
struct Flaky {
    file: Cursor<Vec<u8>>,
    fails_in: Rc<Cell<Option<u32>>>,
}

impl Flaky {
    fn call(&mut self) -> io::Result<()> {
        let left = self.fails_in.get();
        self.fails_in.set(left.and_then(|left| left.checked_sub(1)));
        if left == Some(0) { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
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
            if to != SeekFrom::Current(0) {
                self.file.set_position(7);
            }
            return Err(error);
        }
        self.file.seek(to)
    }
}

/// An array behind bytes of something else, and what comes behind it.
fn file(behind: &[u8]) -> (Vec<u8>, u64) {
    let start = b"something else, of odd length";
    let mut file = start.to_vec();
    let records: Vec<u8> = (0..COUNT).flat_map(|n| [&n.to_le_bytes()[..], &[n as u8; 252]].concat()).collect();
    file.extend(npy("[('n', '<u4'), ('more', '|V252')]", &format!("({COUNT},)"), &records));
    file.extend(behind);
    (file, start.len() as u64)
}

/// A reader of that file, and what makes it fail.
fn reader((file, start): &(Vec<u8>, u64)) -> (Reader<Flaky>, Rc<Cell<Option<u32>>>) {
    let mut file = Cursor::new(file.clone());
    file.set_position(*start);
    let fails_in = Rc::default();
    let flaky = Flaky { file, fails_in: Rc::clone(&fails_in) };
    (Reader::new_with(flaky, &ReadOptions::default().trailing(false)).unwrap(), fails_in)
}

/// A call, by its name.
type Call = (&'static str, fn(&mut Reader<Flaky>) -> Result<()>);

/// What fails.
const CALLS: [Call; 8] = [
    ("end", |reader| reader.end()),
    ("next_array", |reader| reader.next_array().map(|_| ())),
    ("refresh", |reader| reader.refresh().map(|_| ())),
    ("seek", |reader| reader.seek(2500)),
    ("range", |reader| reader.range::<Record>(1100..).map(|_| ())),
    ("read_into", |reader| reader.read_into::<Record>(&mut Vec::new(), 2500).map(|_| ())),
    ("all", |reader| reader.read_into::<Record>(&mut Vec::new(), usize::MAX).map(|_| ())),
    ("follow", |reader| reader.follow::<Record>(Duration::ZERO, || true).try_for_each(|record| record.map(|_| ()))),
];

/// The records that follow, up to an error; they must be those from the position on.
#[track_caller]
fn reads_on(reader: &mut Reader<Flaky>, name: &str) -> bool {
    let from = reader.position();
    let mut records: Vec<Record> = Vec::new();
    let done = reader.read_into(&mut records, usize::MAX);
    let from = u32::try_from(from).unwrap();
    assert!(
        records.iter().map(|record| record.n).eq((from..COUNT).take(records.len())),
        "{name}: others from {from} on"
    );
    done.is_ok() && reader.position() == u64::from(COUNT)
}

#[test]
fn what_is_read_after_a_failure_is_right() {
    let number = |record: Result<Record>| record.unwrap().n;
    let other = npy("'<u4'", "(2,)", &[1, 0, 0, 0, 2, 0, 0, 0]);
    let mut failures = 0;
    let mut went_on = 0;
    for behind in [&b""[..], b"x", b"some junk that is no array", &other[..100], &other] {
        let file = file(behind);
        for first in [0, 3, u64::from(COUNT)] {
            for (name, call) in CALLS {
                for fails_at in 0.. {
                    let (mut reader, fails_in) = reader(&file);
                    reader.read_into::<Record>(&mut Vec::new(), usize::try_from(first).unwrap()).unwrap();
                    let at_first = reader.header().clone();
                    let place = format!("{name} failed at call {fails_at} after {first} and before {behind:.9?}");
                    fails_in.set(Some(fails_at));
                    let failed = call(&mut reader).is_err();
                    let has_come_to_it = fails_in.take().is_none();
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
                    let numbers: Vec<u32> = reader.records().take(4).map(number).collect();
                    assert_eq!(numbers, [100, 101, 102, 103], "{place}");
                    let numbers: Vec<u32> = reader.range(3198..).unwrap().map(number).collect();
                    assert_eq!(numbers, [3198, 3199], "{place}");
                    assert_eq!(reader.end().is_ok(), behind.is_empty(), "{place}");
                    assert_eq!(reader.refresh().unwrap(), 0, "{place}");
                    reader.seek(0).unwrap();
                    assert!(reads_on(&mut reader, &place), "{place}");
                    if !has_come_to_it {
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
    let file = file(b"");
    for fails_at in 0.. {
        let (mut reader, fails_in) = reader(&file);
        fails_in.set(Some(fails_at));
        if reader.refresh().is_ok() {
            assert!(fails_at > 5);
            break;
        }
        if fails_at == 0 {
            // It was only asked where it stands, and still does.
            assert_eq!(reader.records().next().unwrap().map(|record: Record| record.n).unwrap(), 0);
            continue;
        }
        let message = "the reader has failed on its way to another place of the file; `seek` finds the records again";
        let error = reader.records::<Record>().map(|record| record.map(|_| ())).next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(reader.end().unwrap_err().to_string(), message);
        assert_eq!(reader.next_array().unwrap_err().to_string(), message);
        assert!(reader.records::<Record>().next().is_none());
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
