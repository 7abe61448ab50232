//! Readers and writers of records, over every kind of input and output.

use crate::fuzz::bodies::append::unlocked;
use serde::{Deserialize, Serialize};
use serde_npy::{Category, DType, Error, Header, Progress, ReadOptions, Reader, Result, WriteOptions, Writer};
use std::io::{self, Cursor, ErrorKind, Read, Write};
use std::sync::{Arc, Mutex};

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
struct Tick {
    time: i64,
    price: f32,
    sizes: [u16; 3],
}

fn tick(index: usize) -> Tick {
    let number = u16::try_from(index % 60_000).unwrap();
    Tick { time: i64::try_from(index).unwrap(), price: f32::from(number) / 4.0, sizes: [number, 1, 2] }
}

fn ticks(count: usize) -> Vec<Tick> {
    (0..count).map(tick).collect()
}

/// Gives or takes a few bytes at a time, with interruptions.
struct Trickle<T> {
    inner: T,
    step: usize,
    calls: usize,
}

fn trickle<T>(inner: T, step: usize) -> Trickle<T> {
    Trickle { inner, step, calls: 0 }
}

impl<T> Trickle<T> {
    fn next_step(&mut self) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(3) { Err(ErrorKind::Interrupted.into()) } else { Ok(self.step) }
    }
}

impl<R: Read> Read for Trickle<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let step = self.next_step()?.min(buffer.len());
        self.inner.read(&mut buffer[..step])
    }
}

impl<W: Write> Write for Trickle<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let step = self.next_step()?.min(buffer.len());
        self.inner.write(&buffer[..step])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Fails for good after some bytes.
#[derive(Debug)]
struct Broken<T> {
    inner: T,
    left: usize,
}

impl<R: Read> Read for Broken<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(ErrorKind::ConnectionReset.into());
        }
        let count = self.left.min(buffer.len());
        let count = self.inner.read(&mut buffer[..count])?;
        self.left -= count;
        Ok(count)
    }
}

impl<W: Write> Write for Broken<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(ErrorKind::StorageFull.into());
        }
        let count = self.left.min(buffer.len());
        let count = self.inner.write(&buffer[..count])?;
        self.left -= count;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn text(result: Result<impl Sized>) -> String {
    result.err().map_or_else(|| "no error".to_owned(), |error| error.to_string())
}

/// The file that the root's functions write is the one that every writer writes.
#[track_caller]
fn same_by_every_writer<T: Serialize>(records: &[T]) {
    let expected = serde_npy::to_vec(records).unwrap();
    let count = u64::try_from(records.len()).unwrap();

    let mut known = Writer::new(Vec::new(), count);
    known.write_all(records).unwrap();
    assert_eq!(known.finish().unwrap(), expected, "known length");

    let mut slow = Writer::new(trickle(Vec::new(), 7), count);
    slow.write_all(records).unwrap();
    assert_eq!(slow.finish().unwrap().inner, expected, "short writes");

    let mut blocks = Writer::new(Vec::new(), count);
    for block in records.chunks(1000) {
        blocks.write_block(block).unwrap();
    }
    assert_eq!(blocks.finish().unwrap(), expected, "blocks");

    let mut open = Writer::open_length(Cursor::new(Vec::new())).unwrap();
    for (index, record) in records.iter().enumerate() {
        open.write(record).unwrap();
        if index % 5000 == 1 {
            open.flush().unwrap();
        }
    }
    assert_eq!(open.finish().unwrap().into_inner(), expected, "open length");

    let mut spooled = Writer::open_length(Cursor::new(Vec::new())).unwrap().spool(10);
    spooled.write_all(records).unwrap();
    assert_eq!(spooled.finish().unwrap().into_inner(), expected, "spooled");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    let mut created = Writer::create(&path).unwrap();
    created.write_block(records).unwrap();
    assert!(!path.exists());
    created.finish().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), expected, "created");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn every_writer_writes_the_same_file() {
    same_by_every_writer(&[1.5f64]);
    same_by_every_writer(&ticks(3));
    same_by_every_writer(&ticks(30_000));
    same_by_every_writer(&[[1i8, 2], [3, 4], [5, 6]]);
    same_by_every_writer(&[vec![[1u8; 3]; 2], vec![[2; 3]; 2]]);
    same_by_every_writer(&[vec![0.5; 40_000], vec![1.5; 40_000]]); // rows of over a block
    same_by_every_writer(&[(1u8, 'a'), (2, 'ß')]);
    same_by_every_writer(&[(), (), ()]);
}

#[test]
fn every_reader_reads_the_same_records() {
    let records = ticks(30_000);
    let file = serde_npy::to_vec(&records).unwrap();
    let sources: [&mut dyn Read; 2] = [&mut &file[..], &mut trickle(&file[..], 5)];
    for source in sources {
        let mut reader = Reader::new(source).unwrap();
        assert_eq!(reader.records::<Tick>().collect::<Result<Vec<_>>>().unwrap(), records);
    }

    for step in [5, 100, 1 << 20] {
        let mut reader = Reader::new(trickle(&file[..], step)).unwrap();
        let mut all = Vec::new();
        let mut blocks = reader.records::<Tick>();
        while let Some(block) = blocks.next_block().unwrap() {
            all.extend_from_slice(block);
        }
        assert_eq!(all, records);
    }

    let mut reader = Reader::new(&file[..]).unwrap();
    let mut all = Vec::new();
    assert_eq!(reader.read_into::<Tick>(&mut all, 7).unwrap(), 7);
    assert_eq!(reader.records::<Tick>().next().unwrap().unwrap(), records[7]);
    assert_eq!(reader.records::<Tick>().next_block().unwrap().unwrap()[0], records[8]);
    let position = usize::try_from(reader.position()).unwrap();
    all.clear();
    assert_eq!(reader.read_into(&mut all, usize::MAX).unwrap(), 30_000 - position);
    assert_eq!(all, records[position..]);
    assert_eq!(reader.read_into(&mut all, 1).unwrap(), 0);
}

#[test]
fn the_iterator_and_the_blocks_take_turns() {
    let file = serde_npy::to_vec(&(0..1000).collect::<Vec<i32>>()).unwrap();
    let mut reader = Reader::new(trickle(&file[..], 400)).unwrap();
    let mut records = reader.records::<i32>();
    let mut found = Vec::new();
    while let Some(record) = records.next() {
        found.push(record.unwrap());
        if let Some(block) = records.next_block().unwrap() {
            found.extend_from_slice(block);
        }
    }
    assert_eq!(found, (0..1000).collect::<Vec<_>>());
}

#[test]
fn rows_are_what_lies_along_the_first_axis() {
    let cube = vec![[[1u8, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]];
    let file = serde_npy::to_vec(&cube).unwrap();
    let mut reader = Reader::new(&file[..]).unwrap();
    assert_eq!(reader.records::<[[u8; 3]; 2]>().collect::<Result<Vec<_>>>().unwrap(), cube);

    let mut reader = Reader::new(&file[..]).unwrap();
    assert_eq!(
        text(reader.records::<[[u8; 2]; 2]>().next().unwrap()),
        "expected an array of length 2, found 3 items (at `[0][0]`, byte 128)"
    );

    let single = serde_npy::to_vec(&2.5).unwrap();
    let mut reader = Reader::new(&single[..]).unwrap();
    assert_eq!(reader.records::<f64>().collect::<Result<Vec<_>>>().unwrap(), [2.5]);

    // Column-major, but of one column.
    let header = Header::new("<i2".parse().unwrap(), vec![3, 1]).unwrap().with_fortran_order(true);
    let mut file = header.to_bytes().unwrap();
    file.extend([1, 0, 2, 0, 3, 0]);
    let mut reader = Reader::new(&file[..]).unwrap();
    assert_eq!(reader.records::<[i16; 1]>().collect::<Result<Vec<_>>>().unwrap(), [[1], [2], [3]]);
}

#[test]
fn arrays_that_have_no_rows_in_order_are_refused() {
    let fortran = WriteOptions::default().fortran_order(true);
    let file = serde_npy::to_vec_with(&[[1, 2], [3, 4]], &fortran).unwrap();
    let mut reader = Reader::new(Cursor::new(&file)).unwrap();
    let message = "the rows of an array of shape (2, 2) in Fortran order do not lie one after the other; read it as a \
                   whole by `from_reader` or `from_path`";
    let mut records = reader.records::<[i32; 2]>();
    assert_eq!(text(records.next().unwrap()), message);
    assert!(records.next().is_none());
    assert_eq!(text(reader.seek(0)), message);
    // But they can be passed over.
    assert!(reader.next_array().unwrap().is_none());

    let mut file = Header::new("|O".parse().unwrap(), vec![3]).unwrap().to_bytes().unwrap();
    file.extend(b"\x80\x04pickle");
    let mut reader = Reader::new(&file[..]).unwrap();
    assert_eq!(reader.records::<u8>().next().unwrap().unwrap_err().category(), Category::Unsupported);
    assert_eq!(reader.next_array().unwrap_err().category(), Category::Unsupported);

    // Nor are there no records where there are no rows.
    let file = Header::new("|O".parse().unwrap(), vec![0]).unwrap().to_bytes().unwrap();
    let mut reader = Reader::new(&file[..]).unwrap();
    let mut records = reader.records::<u8>();
    assert_eq!(records.next().unwrap().unwrap_err().category(), Category::Unsupported);
    assert!(records.next().is_none());
    let mut reader = Reader::new(&file[..]).unwrap();
    assert_eq!(reader.read_into(&mut Vec::<u8>::new(), 1).unwrap_err().category(), Category::Unsupported);

    let mut writer = Writer::new_with(Vec::new(), 2, &fortran);
    assert_eq!(
        text(writer.write(&[1, 2])),
        "records are written row after row, which is C order; use `to_writer` for Fortran order"
    );
    writer.write(&1).unwrap();
}

#[test]
fn a_record_that_does_not_fit_is_passed_over() {
    let file = serde_npy::to_vec(&[1, 2, 3000, 4, -5]).unwrap();
    let messages = [
        "expected u8, found integer `3000` (dtype `<i4`, at `[2]`, byte 136)",
        "expected u8, found integer `-5` (dtype `<i4`, at `[4]`, byte 144)",
    ];
    let sorted = |items: Vec<Result<u8>>| -> (Vec<u8>, Vec<String>) {
        let (good, bad): (Vec<_>, Vec<_>) = items.into_iter().partition(Result::is_ok);
        (good.into_iter().map(Result::unwrap).collect(), bad.into_iter().map(text).collect())
    };
    for step in [3, 1000] {
        let mut reader = Reader::new(trickle(&file[..], step)).unwrap();
        assert_eq!(reader.records::<u8>().size_hint().1, Some(5));
        let items = reader.records().collect();
        assert_eq!(sorted(items), (vec![1, 2, 4], messages.map(str::to_owned).to_vec()));

        let mut reader = Reader::new(trickle(&file[..], step)).unwrap();
        let mut records = reader.records::<u8>();
        let mut items = Vec::new();
        loop {
            match records.next_block() {
                Ok(Some(block)) => items.extend(block.iter().copied().map(Ok)),
                Ok(None) => break,
                Err(error) => items.push(Err(error)),
            }
        }
        assert_eq!(sorted(items), (vec![1, 2, 4], messages.map(str::to_owned).to_vec()));

        let mut reader = Reader::new(trickle(&file[..], step)).unwrap();
        let mut good = Vec::new();
        assert_eq!(text(reader.read_into::<u8>(&mut good, 10)), messages[0]);
        assert_eq!(text(reader.read_into::<u8>(&mut good, 10)), messages[1]);
        assert_eq!(reader.read_into(&mut good, 10).unwrap(), 0);
        assert_eq!(good, [1, 2, 4]);
    }
}

#[test]
fn a_short_file_gives_its_whole_records_and_ends() {
    let records = ticks(5);
    let file = serde_npy::to_vec(&records).unwrap();
    let start = file.len() - 5 * 18;
    for cut in start..file.len() {
        let whole = (cut - start) / 18;
        let verb = if (cut - start).is_multiple_of(18) { "is missing" } else { "is cut" };
        let message =
            format!("the array needs 90 bytes of data, found {}: record {whole} {verb} (byte {cut})", cut - start);
        for step in [1, 1000] {
            let mut reader = Reader::new(trickle(&file[..cut], step)).unwrap();
            let mut items = reader.records::<Tick>();
            for record in &records[..whole] {
                assert_eq!(items.next().unwrap().unwrap(), *record);
            }
            assert_eq!(text(items.next().unwrap()), message);
            assert!(items.next().is_none());
            assert_eq!(items.size_hint(), (0, Some(0)));
            assert!(reader.records::<Tick>().next_block().unwrap().is_none());
        }
    }
    for cut in 0..start {
        assert!(Reader::new(&file[..cut]).is_err());
    }
}

#[test]
fn a_reader_that_fails_gives_what_came_before() {
    let file = serde_npy::to_vec(&[1u32, 2, 3]).unwrap();
    let mut reader = Reader::new(Broken { inner: &file[..], left: 128 + 9 }).unwrap();
    let mut records = reader.records::<u32>();
    assert_eq!(records.next().unwrap().unwrap(), 1);
    assert_eq!(records.next().unwrap().unwrap(), 2);
    assert_eq!(records.next().unwrap().unwrap_err().io_error_kind(), Some(ErrorKind::ConnectionReset));
    assert!(records.next().is_none());
}

#[test]
fn records_come_as_soon_as_they_have_arrived() {
    let (output, mut input) = io::pipe().unwrap();
    input.write_all(&Header::new("<u2".parse().unwrap(), vec![3]).unwrap().to_bytes().unwrap()).unwrap();
    let mut reader = Reader::new(output).unwrap();
    let mut records = reader.records::<u16>();
    for number in 1u16..=3 {
        // Nothing but this record is in the pipe, which stays open.
        input.write_all(&number.to_le_bytes()).unwrap();
        assert_eq!(records.next().unwrap().unwrap(), number);
    }
    assert!(records.next().is_none());
}

#[test]
fn arrays_that_follow_each_other_are_read_in_turn() {
    let mut file = serde_npy::to_vec(&[1, 2, 3]).unwrap();
    file.extend(serde_npy::to_vec(&[[0.5, 1.5]]).unwrap());
    file.extend(serde_npy::to_vec("text").unwrap());
    file.extend(serde_npy::to_vec(&[7u8]).unwrap());
    for step in [1, 1000] {
        let mut reader = Reader::new(trickle(&file[..], step)).unwrap();
        assert_eq!(reader.records::<i32>().next().unwrap().unwrap(), 1);
        assert_eq!(reader.next_array().unwrap().unwrap().shape(), [1, 2]);
        assert_eq!(reader.records::<[f64; 2]>().collect::<Result<Vec<_>>>().unwrap(), [[0.5, 1.5]]);
        assert_eq!(reader.next_array().unwrap().unwrap().ndim(), 0);
        assert_eq!(reader.next_array().unwrap().unwrap().shape(), [1]);
        assert_eq!(reader.records::<u8>().collect::<Result<Vec<_>>>().unwrap(), [7]);
        assert!(reader.next_array().unwrap().is_none());
        assert!(reader.next_array().unwrap().is_none());
        assert!(reader.records::<u8>().next().is_none());
    }

    // The last one has no records, and is cut everywhere.
    let first = serde_npy::to_vec(&[1, 2, 3]).unwrap();
    let second = serde_npy::to_vec(&[4, 5]).unwrap();
    for cut in 1..second.len() {
        let both = [&first[..], &second[..cut]].concat();
        let mut reader = Reader::new(&both[..]).unwrap();
        let next = reader.next_array().map(|header| header.map(Header::size));
        let error: Error = match next {
            Ok(size) => {
                assert_eq!(size, Some(2));
                reader.next_array().unwrap_err()
            }
            Err(error) => error,
        };
        assert_eq!(error.category(), Category::Eof, "{error}");
    }
    let mut junk = first;
    junk.extend(b"junk that is no array");
    let mut reader = Reader::new(&junk[..]).unwrap();
    assert_eq!(
        text(reader.next_array()),
        "expected a .npy file, which starts with `\\x93NUMPY`, found `junk tha` (byte 140)"
    );
    // What follows the junk is not looked at, and its end is not the end of arrays.
    for _ in 0..2 {
        assert_eq!(
            text(reader.next_array()),
            "it is not known where the next array starts, since there was none behind the one before (byte 140)"
        );
    }
}

#[test]
fn exactly_the_bytes_of_the_array_are_taken() {
    let mut file = serde_npy::to_vec(&ticks(20_000)).unwrap();
    file.extend(b"rest");
    let mut source = &file[..];
    let mut reader = Reader::new(&mut source).unwrap();
    assert_eq!(reader.records::<Tick>().count(), 20_000);
    assert_eq!(source, b"rest");
}

#[test]
fn bytes_behind_the_array_are_refused_on_request() {
    let mut file = serde_npy::to_vec(&[1u8, 2]).unwrap();
    let strict = ReadOptions::default().trailing(false);
    let mut reader = Reader::new_with(&file[..], &strict).unwrap();
    assert_eq!(text(reader.end()), "expected the end of the array, found 2 more records (byte 128)");
    assert_eq!(reader.records::<u8>().count(), 2);
    reader.end().unwrap();
    file.push(0);
    let mut reader = Reader::new_with(&file[..], &strict).unwrap();
    assert_eq!(reader.records::<u8>().count(), 2);
    assert_eq!(text(reader.end()), "expected the end of the file, found more bytes behind the array (byte 130)");
}

#[test]
fn records_are_found_by_their_index() {
    let records = ticks(40_000);
    let mut file = b"something before".to_vec();
    file.extend(serde_npy::to_vec(&records).unwrap());
    let mut cursor = Cursor::new(&file);
    cursor.set_position(16);
    let mut reader = Reader::new(cursor).unwrap();
    for index in [39_999, 0, 20_000, 20_001, 3, 39_999] {
        reader.seek(index).unwrap();
        assert_eq!(reader.position(), index);
        assert_eq!(reader.records::<Tick>().next().unwrap().unwrap(), records[usize::try_from(index).unwrap()]);
    }
    reader.seek(40_000).unwrap();
    assert!(reader.records::<Tick>().next().is_none());
    assert_eq!(text(reader.seek(40_001)), "expected an index of at most 40000, found 40001");

    let range: Vec<Tick> = reader.range(5..=7).unwrap().collect::<Result<_>>().unwrap();
    assert_eq!(range, records[5..=7]);
    let mut tail = reader.range::<Tick>(39_990..).unwrap();
    assert_eq!(tail.remaining(), 10);
    assert_eq!(tail.next_block().unwrap().unwrap(), &records[39_990..]);
    assert!(tail.next_block().unwrap().is_none());
    let mut middle = reader.range::<Tick>(100..30_000).unwrap();
    let mut found = Vec::new();
    while let Some(block) = middle.next_block().unwrap() {
        found.extend_from_slice(block);
    }
    assert_eq!(found, records[100..30_000]);
    assert_eq!(text(reader.range::<Tick>(7..40_001)), "expected a range within 0..40000, found 7..40001");
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is refused")]
    let reversed = text(reader.range::<Tick>(7..5));
    assert_eq!(reversed, "expected a range within 0..40000, found 7..5");
}

#[test]
fn elements_without_bytes_count_against_the_limit() {
    let file = Header::new("|S0".parse::<DType>().unwrap(), vec![1 << 40]).unwrap().to_bytes().unwrap();
    let options = ReadOptions::default().limits(serde_npy::Limits::default().empty_items(1000));
    let message = "more than 1000 values that take no bytes; raise `Limits::empty_items` if they are wanted (at \
                   `[1000]`, byte 128)";
    let mut reader = Reader::new_with(&file[..], &options).unwrap();
    let mut records = reader.records::<String>();
    assert_eq!(records.by_ref().take(1000).filter(Result::is_ok).count(), 1000);
    assert_eq!(text(records.next().unwrap()), message);
    assert!(records.next().is_none());

    let mut reader = Reader::new_with(&file[..], &options).unwrap();
    let mut all: Vec<String> = Vec::new();
    assert_eq!(text(reader.read_into(&mut all, usize::MAX)), message);
    assert_eq!(all.len(), 1000);

    let mut reader = Reader::new_with(&file[..], &options).unwrap();
    let mut records = reader.records::<String>();
    let mut count = 0;
    let error = loop {
        match records.next_block() {
            Ok(block) => count += block.unwrap().len(),
            Err(error) => break error,
        }
    };
    assert_eq!((count, error.to_string().as_str()), (1000, message));
}

#[test]
fn a_header_that_lies_costs_nothing() {
    let file = Header::new("<f8".parse().unwrap(), vec![1 << 59]).unwrap().to_bytes().unwrap();
    let mut reader = Reader::new(&file[..]).unwrap();
    let hint = reader.records::<f64>().size_hint();
    assert_eq!(hint, (0, Some(1 << 59)));
    // A `Vec` sets aside what the hint says at least.
    let items: Vec<Result<f64>> = reader.records().collect();
    assert_eq!(items.len(), 1);
}

#[test]
fn the_first_record_decides_and_the_others_must_fit() {
    let mut writer = Writer::new(Vec::new(), 3);
    writer.write(&[1u8, 2]).unwrap();
    type Step<'a> = &'a dyn Fn(&mut Writer<Vec<u8>>) -> Result<()>;
    let rows: [(Step<'_>, &str); 4] = [
        (
            &|writer| writer.write(&[1, 300]),
            "expected `|u1`, found integer `300`, which is beyond its range (at `[1][1]`)",
        ),
        (&|writer| writer.write(&[1, 2, 3]), "expected 2 items, found 3 (at `[1]`)"),
        (&|writer| writer.write(&7), "expected 2 items, found integer `7` (at `[1]`)"),
        (&|writer| writer.write(&[Some(1), None]), "found None, for which no dtype but a time has a value"),
    ];
    for (write, message) in rows {
        let found = text(write(&mut writer));
        assert!(found.starts_with(message), "{found}");
    }
    // A block in the middle of which there is one that does not fit.
    assert_eq!(
        text(writer.write_block(&[[3, 4], [500, 6], [7, 8]])),
        "expected `|u1`, found integer `500`, which is beyond its range (at `[2][0]`)"
    );
    writer.write(&[5, 6]).unwrap();
    assert_eq!(text(writer.write(&[7, 8])), "expected 3 records, found more");
    let file = writer.finish().unwrap();
    assert_eq!(serde_npy::from_slice::<Vec<[u8; 2]>>(&file).unwrap(), [[1, 2], [3, 4], [5, 6]]);
}

#[test]
fn open_widths_are_refused_with_their_path() {
    #[derive(Serialize)]
    struct Named<'a> {
        id: u32,
        name: &'a str,
    }
    #[derive(Serialize)]
    enum Side {
        Buy,
    }
    let ways = "give the dtype by `WriteOptions::dtype` or `dtype_of`, or see more records first by `Writer::spool`";
    let (of_text, of_bytes) = ("say how long by `with::U`", "say how many by `with::V` or `with::S`");
    let of_items = "use an array `[T; N]`";
    let mut writer = Writer::new(Vec::new(), 1);
    let rows = [
        (text(writer.write(&Named { id: 1, name: "ab" })), "text", "2 characters", of_text, "[0].name"),
        (text(writer.write(&(1, Side::Buy))), "text", "3 characters", of_text, "[0][1]"),
        (text(writer.write(&(1, vec![1, 2]))), "a sequence", "2 items", of_items, "[0][1]"),
        (text(writer.write(&(1, vec![[0.5; 2]; 3]))), "a sequence", "3 items", of_items, "[0][1]"),
        (text(writer.write(&(1, vec!["abc"]))), "a sequence", "1 item", of_items, "[0][1]"),
        (text(writer.write(&(1, ndarray::arr2(&[[1, 2]])))), "an array", "of shape [1, 2]", of_items, "[0][1]"),
        (text(writer.write(&(1, serde_bytes::Bytes::new(b"abc")))), "bytes", "3 of them", of_bytes, "[0][1]"),
        (text(writer.write("abc")), "text", "3 characters", of_text, "[0]"),
    ];
    for (found, what, width, way, path) in rows {
        let message = format!("{what} may be longer in later records than here, {width}; {way}, {ways} (at `{path}`)");
        assert_eq!(found, message);
    }
    writer.write(&(1, 'x')).unwrap(); // a `char` is one character for good
    assert_eq!(
        Header::read(&writer.finish().unwrap()[..]).unwrap().dtype().to_string(),
        "[('f0', '<i4'), ('f1', '<U1')]"
    );

    let options = WriteOptions::default().dtype("[('id', '<u4'), ('name', '<U5')]".parse().unwrap());
    let mut writer = Writer::new_with(Vec::new(), 1, &options);
    assert_eq!(
        text(writer.write(&Named { id: 1, name: "abcdef" })),
        "expected at most 5 code points, found 6 (at `[0].name`)"
    );
    writer.write(&Named { id: 1, name: "ab" }).unwrap();
    writer.finish().unwrap();
}

#[test]
fn spooled_records_find_the_widths() {
    let options = WriteOptions::default();
    let mut writer = Writer::open_length_with(Cursor::new(Vec::new()), &options).unwrap().spool(3);
    for (index, name) in ["a", "abcd", "ab", "abc"].into_iter().enumerate() {
        writer.write(&(index, name)).unwrap();
        assert_eq!(writer.count(), u64::try_from(index).unwrap() + 1);
    }
    let file = writer.finish().unwrap().into_inner();
    assert_eq!(Header::read(&file[..]).unwrap().dtype().to_string(), "[('f0', '<u8'), ('f1', '<U4')]");

    // Fewer than asked for.
    let mut writer = Writer::new(Vec::new(), 2).spool(usize::MAX);
    writer.write_all(["abc", "x"]).unwrap();
    assert_eq!(text(writer.write("more")), "expected 2 records, found more");
    assert_eq!(serde_npy::from_slice::<Vec<String>>(&writer.finish().unwrap()).unwrap(), ["abc", "x"]);

    let mut writer = Writer::new(Vec::new(), 2).spool(2);
    writer.write(&(1, "a")).unwrap();
    assert_eq!(text(writer.write(&(1, 2))), "expected text, found a number (at `[1][1]`, unlike `[0][1]`)");
    assert_eq!(text(writer.finish()), "the writer has failed before, the file is not complete");
}

#[test]
fn the_length_is_kept() {
    let mut writer = Writer::new(Vec::new(), 3);
    writer.write_all([1, 2]).unwrap();
    assert_eq!(text(writer.finish()), "expected 3 records, found 2");

    let empty = WriteOptions::default().dtype("<f8".parse().unwrap());
    let file = Writer::new_with(Vec::new(), 0, &empty).finish().unwrap();
    assert_eq!(file, Header::new("<f8".parse().unwrap(), vec![0]).unwrap().to_bytes().unwrap());
    let untyped = text(Writer::new(Vec::new(), 0).finish());
    assert_eq!(untyped, "there is no record to tell the dtype of; give it by `WriteOptions::dtype`");
}

#[test]
fn an_unfinished_file_is_no_array() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("unfinished.npy");
    let mut writer = Writer::open_length(std::fs::File::create(&path).unwrap()).unwrap();
    writer.write_all(ticks(50_000)).unwrap();
    drop(writer);
    assert!(std::fs::metadata(&path).unwrap().len() > 500_000);
    let message = format!(
        "the file is not finished: its header is blank, as it is until the writer's `flush` or `finish` (byte 10, \
         file `{}`)",
        path.display()
    );
    assert_eq!(text(serde_npy::from_path::<Vec<Tick>>(&path)), message);
    assert_eq!(text(Reader::from_path(&path)), message);
    assert_eq!(text(Writer::append(&path)), message);

    let path = folder.path().join("created.npy");
    std::fs::write(&path, "old").unwrap();
    let mut writer = Writer::create(&path).unwrap();
    writer.write_all(ticks(50_000)).unwrap();
    writer.flush().unwrap();
    drop(writer);
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_writer_that_fails_says_so_for_good() {
    let mut writer = Writer::new(Broken { inner: Vec::new(), left: 300_000 }, 100_000);
    let error = writer.write_all((0..100_000).map(f64::from)).unwrap_err();
    assert_eq!(error.io_error_kind(), Some(ErrorKind::StorageFull));
    let message = "the writer has failed before, the file is not complete";
    assert_eq!(text(writer.write(&1.0)), message);
    assert_eq!(text(writer.flush()), message);
    assert_eq!(text(writer.finish()), message);
}

/// What a buffer held back is an error too, if it cannot be written in the end.
#[test]
fn finishing_flushes_and_reports() {
    let full = || io::BufWriter::with_capacity(1 << 20, Broken { inner: Vec::new(), left: 100 });
    let mut writer = Writer::new(full(), 3);
    writer.write_all([1.0, 2.0, 3.0]).unwrap();
    assert_eq!(writer.finish().unwrap_err().io_error_kind(), Some(ErrorKind::StorageFull));
    let mut writer = Writer::new(io::BufWriter::with_capacity(1 << 20, Vec::new()), 3);
    writer.write_all([1.0, 2.0, 3.0]).unwrap();
    let written = writer.finish().unwrap();
    assert!(written.buffer().is_empty());
    assert_eq!(*written.get_ref(), serde_npy::to_vec(&[1.0, 2.0, 3.0]).unwrap());
}

#[test]
fn an_array_can_start_anywhere() {
    let mut cursor = Cursor::new(b"before".to_vec());
    cursor.set_position(6);
    let mut writer = Writer::open_length(cursor).unwrap();
    writer.write_all([1u8, 2]).unwrap();
    writer.flush().unwrap();
    writer.write(&3u8).unwrap();
    let mut cursor = writer.finish().unwrap();
    cursor.write_all(b"after").unwrap();
    let file = cursor.into_inner();
    assert_eq!(file, [b"before", &serde_npy::to_vec(&[1u8, 2, 3]).unwrap()[..], b"after"].concat());
}

#[test]
fn progress_tells_of_records_and_bytes() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let callback = |log: &Arc<Mutex<Vec<Progress>>>| {
        let log = Arc::clone(log);
        move |progress| log.lock().unwrap().push(progress)
    };
    let mut writer = Writer::open_length(Cursor::new(Vec::new())).unwrap().on_progress(callback(&log));
    writer.write_all(ticks(20_000)).unwrap();
    let file = writer.finish().unwrap().into_inner();
    let of = |log: &Arc<Mutex<Vec<Progress>>>| {
        let taken = std::mem::take(&mut *log.lock().unwrap());
        taken.iter().map(|progress| (progress.records, progress.bytes, progress.length)).collect::<Vec<_>>()
    };
    assert_eq!(of(&log), [(14_563, 262_134, None), (20_000, 360_000, None)]);

    let mut reader = Reader::new(&file[..]).unwrap().on_progress(callback(&log));
    assert_eq!(reader.records::<Tick>().count(), 20_000);
    assert_eq!(of(&log), [(14_563, 262_134, Some(20_000)), (20_000, 360_000, Some(20_000))]);
}

#[test]
fn readers_and_writers_can_go_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Reader<std::fs::File>>();
    is_send::<Writer<std::fs::File>>();
}

#[test]
fn create_refuses_what_cannot_be_completed() {
    if cfg!(unix) {
        assert_eq!(
            text(Writer::create("/dev/null")),
            "a pipe or a device, in which the header cannot be completed; use `Writer::new` (file `/dev/null`)"
        );
    }
}

const CHILD: &str = "SERDE_NPY_STREAMING_CHILD";
const RECORDS: &str = "SERDE_NPY_STREAMING_RECORDS";
const WIDTH: usize = 4096;

/// Not a test by itself: the process whose memory is measured. A file is written, read whole by one reader, then
/// appended to while another one follows it.
#[test]
fn streaming_child() {
    let Ok(path) = std::env::var(CHILD) else { return };
    let records: usize = std::env::var(RECORDS).unwrap().parse().unwrap();
    let before = records / 5 * 4;
    let options = WriteOptions::default().dtype(format!("V{WIDTH}").parse().unwrap());
    let record = |index: usize| {
        let mut bytes = serde_bytes::ByteBuf::from(vec![7; WIDTH]);
        bytes[..8].copy_from_slice(&index.to_le_bytes());
        bytes
    };
    let rest = vec![7; WIDTH - 8];
    let is_record = |index: usize, found: &[u8]| found[..8] == index.to_le_bytes() && found[8..] == rest;
    let mut writer = Writer::create_with(&path, &options).unwrap();
    (0..before).for_each(|index| writer.write(&record(index)).unwrap());
    writer.finish().unwrap();

    std::thread::scope(|scope| {
        let mut reader = Reader::from_path(&path).unwrap();
        let last = std::cell::Cell::new(0);
        let following = scope.spawn(move || {
            let poll = std::time::Duration::from_millis(1);
            let stop = || last.get() == records;
            for (index, found) in reader.follow::<serde_bytes::ByteBuf>(poll, stop).enumerate() {
                assert!(is_record(index, &found.unwrap()));
                last.set(index + 1);
            }
            last.get()
        });
        let mut writer = Writer::append(&path).unwrap();
        for index in before..records {
            writer.write(&record(index)).unwrap();
            if index % 1000 == 0 {
                writer.flush().unwrap();
            }
        }
        writer.finish().unwrap();
        assert_eq!(following.join().unwrap(), records);
    });

    let mut reader = Reader::from_path(&path).unwrap();
    let half = records / 2;
    let mut count = 0;
    for found in reader.records::<serde_bytes::ByteBuf>().take(half) {
        assert!(is_record(count, &found.unwrap()));
        count += 1;
    }
    let mut blocks = reader.records::<serde_bytes::ByteBuf>();
    while let Some(block) = blocks.next_block().unwrap() {
        assert!(block.iter().zip(count..).all(|(found, index)| is_record(index, found)));
        count += block.len();
    }
    assert_eq!(count, records);
    // Told by the process itself: from outside it has the memory of its parent until it runs. Its own code does not count,
    // of which a test program has much.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of = |name: &str| -> u64 {
        let found = status.lines().find_map(|line| line.strip_prefix(name)?.strip_suffix("kB"));
        found.map_or(0, |size| size.trim().parse().unwrap())
    };
    let peak = of("VmHWM:") - of("RssFile:");
    std::fs::write(format!("{path}.peak"), peak.to_string()).unwrap();
}

/// The most memory that the child has had with so many records, in kB, as the system counts it; zero where it does not.
fn memory_with(records: usize) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.npy");
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["stream::streaming_child", "--exact", "--test-threads=1"])
        .env(CHILD, &path)
        .env(RECORDS, records.to_string())
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let most = std::fs::read_to_string(folder.path().join("large.npy.peak")).unwrap().parse().unwrap();
    let length = std::fs::metadata(folder.path().join("large.npy")).unwrap().len();
    assert_eq!(length, u64::try_from(records * WIDTH + 128).unwrap());
    println!("{most} kB of memory for a file of {length} bytes");
    assert!(most < 8 << 10, "{most} kB for a file of {length} bytes");
    most
}

#[test]
fn memory_is_constant() {
    assert!(memory_with(20_480) > 0 || !cfg!(target_os = "linux"));
}

#[test]
#[ignore = "takes a minute and 3 GB of disk: for the `long` script"]
fn memory_is_constant_for_three_gigabytes() {
    memory_with(750_000);
}

/// Rows are structs by position only where there are as many items as fields, as in a whole read.
#[test]
fn rows_too_short_for_a_struct_are_refused() {
    #[derive(Deserialize, PartialEq, Debug, Default)]
    struct Three {
        #[serde(default)]
        a: u8,
        #[serde(default)]
        x: f32,
        #[serde(default)]
        c: u16,
    }
    let file = serde_npy::to_vec(&[[0, 1], [2, 3], [4, 5]]).unwrap();
    let whole = serde_npy::from_slice::<Vec<Three>>(&file).unwrap_err();
    assert_eq!(whole.to_string(), "expected struct Three, found 2 items (at `[0]`)");
    let mut reader = Reader::new(&file[..]).unwrap();
    let row = reader.records::<Three>().next().unwrap().unwrap_err();
    assert_eq!(row.to_string(), "expected struct Three, found 2 items (at `[0]`, byte 128)");
    let file = serde_npy::to_vec(&[[0, 1, 2]]).unwrap();
    let mut reader = Reader::new(&file[..]).unwrap();
    assert_eq!(reader.records::<Three>().next().unwrap().unwrap(), Three { a: 0, x: 1.0, c: 2 });
}

/// Nobody asked for the narrower dtype.
#[test]
fn no_float_is_rounded_to_a_dtype_that_was_found() {
    #[derive(Serialize)]
    struct Narrow {
        p: f32,
    }
    #[derive(Serialize)]
    struct Wide {
        p: f64,
    }
    let refused = |dtype: &str, found: &str, place: &str| {
        format!(
            "expected `{dtype}`, found the wider float `{found}`; give the dtype by `WriteOptions::dtype` to have it \
             rounded ({place})"
        )
    };
    let open = || Writer::open_length(Cursor::new(Vec::new())).unwrap();
    let mut writer = open();
    writer.write(&Narrow { p: 1.5 }).unwrap();
    for (value, text) in [(0.1, "0.1"), (1.5, "1.5"), (f64::NAN, "NaN")] {
        let error = writer.write(&Wide { p: value }).unwrap_err().to_string();
        assert_eq!(error, refused("<f4", text, "at `[1].p`"));
    }
    let error = writer.write_block(&[Wide { p: 2.5 }]).unwrap_err().to_string();
    assert_eq!(error, refused("<f4", "2.5", "at `[1].p`"));
    writer.write(&Narrow { p: 2.5 }).unwrap();
    assert_eq!(Header::read(writer.finish().unwrap().get_ref().as_slice()).unwrap().shape(), [2]);

    let mut writer = open();
    writer.write(&[1.5f32, 2.0]).unwrap();
    assert_eq!(writer.write(&[0.5, 0.1]).unwrap_err().to_string(), refused("<f4", "0.5", "at `[1][0]`"));
    // Into a wider one they go.
    let mut writer = open();
    writer.write(&Wide { p: 0.1 }).unwrap();
    writer.write(&Narrow { p: 1.5 }).unwrap();
    writer.finish().unwrap();

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    let in_file = format!("file `{}`", path.display());
    for (dtype, found, place) in [
        ("<f4", "<f4", "at `[0]`"),
        ("<f2", "<f2", "at `[0]`"),
        ("[('p', '>f4')]", ">f4", "at `[0].p`"),
        ("<c8", "<f4", "at `[0][0]`"),
    ] {
        let given = WriteOptions::default().dtype(dtype.parse().unwrap());
        serde_npy::to_path_with(&path, &[0i8; 0], &given).unwrap();
        let append = |options: &WriteOptions| {
            let mut writer = unlocked(|| Writer::append_with(&path, options)).unwrap();
            let written = match dtype {
                "<c8" => writer.write(&(0.1, 0.2)),
                _ if dtype.starts_with('[') => writer.write(&Wide { p: 0.1 }),
                _ => writer.write(&0.1),
            };
            written.and_then(|()| writer.finish().map(|_| ()))
        };
        let error = append(&WriteOptions::default()).unwrap_err().to_string();
        assert_eq!(error, refused(found, "0.1", &format!("{place}, {in_file}")));
        append(&given).unwrap();
        assert_eq!(Header::read(&std::fs::read(&path).unwrap()[..]).unwrap().shape(), [1]);
    }
    // What a helper asks for is asked for.
    #[derive(Serialize)]
    struct Half(#[serde(with = "serde_npy::with::F2")] f64);
    let mut writer = open();
    writer.write(&Half(0.5)).unwrap();
    writer.write(&Half(0.1)).unwrap();
    writer.finish().unwrap();
}
