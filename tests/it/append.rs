//! Files that grow: appended to, followed, and left behind by a process that was killed.

use crate::fuzz::bodies::append::unlocked;
use crate::python::command;
use serde::{Deserialize, Serialize};
use serde_npy::{Category, Header, Reader, Result, WriteOptions, Writer};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
struct Entry {
    index: u64,
    check: u32,
    flag: u8,
}

fn entry(index: u64) -> Entry {
    Entry { index, check: u32::try_from(index.wrapping_mul(2_654_435_761) % (1 << 32)).unwrap(), flag: 7 }
}

fn entries(count: u64) -> Vec<Entry> {
    (0..count).map(entry).collect()
}

fn entry_dtype() -> WriteOptions {
    WriteOptions::default().dtype("[('index', '<u8'), ('check', '<u4'), ('flag', '|u1')]".parse().unwrap())
}

fn text(result: Result<impl Sized>, path: &Path) -> String {
    let error = result.err().map_or_else(|| "no error".to_owned(), |error| error.to_string());
    error.replace(&path.display().to_string(), "PATH")
}

/// A NumPy that loads one file after the other, where there is one.
struct NumPy {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl NumPy {
    fn start() -> Option<NumPy> {
        let program = "import sys, numpy\nprint('ready', flush=True)\nfor line in sys.stdin:\n  \
                       try:\n    a = numpy.load(line.rstrip('\\n'))\n    print(eval(sys.argv[1]), flush=True)\n  \
                       except Exception as e:\n    print(type(e).__name__, str(e).replace('\\n', ' '), flush=True)";
        // How many elements, and whether each is the one that belongs there.
        let sound = "len(a), bool((a['index'] == numpy.arange(len(a))).all() and (a['check'] == a['index'] * \
                     numpy.uint64(2654435761) % numpy.uint64(2**32)).all() and (a['flag'] == 7).all())";
        let mut command = command(program, &[sound])?;
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut numpy = NumPy { child, input, output };
        assert_eq!(numpy.line(), "ready");
        Some(numpy)
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn load(&mut self, path: &Path) -> String {
        writeln!(self.input, "{}", path.display()).unwrap();
        self.line()
    }
}

impl Drop for NumPy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn file(folder: &tempfile::TempDir, header: &[u8], records: u64) -> PathBuf {
    let path = folder.path().join("file.npy");
    let mut file = File::create(&path).unwrap();
    file.write_all(header).unwrap();
    for entry in entries(records) {
        file.write_all(&entry.index.to_le_bytes()).unwrap();
        file.write_all(&entry.check.to_le_bytes()).unwrap();
        file.write_all(&[entry.flag]).unwrap();
    }
    path
}

/// A header with the text as it is, padded to a multiple of `align` as old writers do.
fn header(text: &str, align: usize) -> Vec<u8> {
    let padding = align - (10 + text.len() + 1) % align;
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(text.len() + padding + 1).unwrap().to_le_bytes());
    bytes.extend(text.bytes());
    bytes.extend(std::iter::repeat_n(b' ', padding));
    bytes.push(b'\n');
    bytes
}

const DESCR: &str = "[('index', '<u8'), ('check', '<u4'), ('flag', '|u1')]";

#[test]
fn an_appended_file_is_the_one_written_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    for start in [0, 1, 9, 10, 99, 1000] {
        let options = entry_dtype();
        serde_npy::records_to_path_with(&path, &entries(start), &options).unwrap();
        let mut next = start;
        for step in [1, 0, 8, 200, 40_000] {
            let mut writer = unlocked(|| Writer::append(&path)).unwrap();
            assert_eq!(writer.count(), next);
            writer.write_all((next..next + step).map(entry)).unwrap();
            writer.finish().unwrap();
            next += step;
            let whole = serde_npy::records_to_vec_with(&entries(next), &options).unwrap();
            assert!(fs::read(&path).unwrap() == whole, "{start} and more, {next}");
        }
    }
}

#[test]
fn files_by_other_writers_grow() {
    let tight = |length: u64, align| {
        header(&format!("{{'descr': {DESCR}, 'fortran_order': False, 'shape': ({length},), }}"), align)
    };
    let foreign = header(
        &format!("{{\n 'shape':({},),\n 'descr': {}, # comment\n 'fortran_order':False}}", 3, DESCR.replace(", ", ",")),
        64,
    );
    let mut numpy = NumPy::start();
    for (header, length) in [(tight(3, 16), 3), (tight(3, 64), 3), (foreign, 3), (tight(0, 64), 0)] {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, &header, length);
        let mut writer = unlocked(|| Writer::append(&path)).unwrap();
        writer.write_all((length..9).map(entry)).unwrap();
        writer.flush().unwrap();
        assert_eq!(serde_npy::records_from_path::<Entry>(&path).unwrap(), entries(9));
        writer.write(&entry(9)).unwrap();
        writer.finish().unwrap();
        assert_eq!(serde_npy::records_from_path::<Entry>(&path).unwrap(), entries(10));
        if let Some(numpy) = &mut numpy {
            assert_eq!(numpy.load(&path), "(10, True)");
        }
    }
}

#[test]
fn nothing_is_touched_of_a_file_that_cannot_grow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    let ours = |shape: Vec<u64>, descr: &str| Header::new(descr.parse().unwrap(), shape).unwrap();
    let with_data = |header: Header| {
        let mut bytes = header.to_bytes().unwrap();
        bytes.resize(bytes.len() + usize::try_from(header.data_len()).unwrap(), 1);
        bytes
    };
    let no_room = {
        let text = "{'descr': '<u1', 'fortran_order': False, 'shape': (9,), }";
        // One space fewer than the least padding: no digit more.
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend(u16::try_from(text.len() + 1).unwrap().to_le_bytes());
        bytes.extend(format!("{text}\n").bytes());
        [&bytes[..], &[1; 9]].concat()
    };
    let short = {
        let mut bytes = with_data(ours(vec![3], "<u4"));
        bytes.truncate(bytes.len() - 1);
        bytes
    };
    let two = [with_data(ours(vec![3], "<u4")), with_data(ours(vec![3], "<u4"))].concat();
    let rows: [(Vec<u8>, &str); 8] = [
        (no_room, "the header has only room for a length of up to 9; make more by `Writer::rewrite` (file `PATH`)"),
        (
            with_data(ours(vec![2, 3], "<u4").with_fortran_order(true)),
            "an array of shape (2, 3) in Fortran order, whose rows do not lie one after the other; put it into C order \
             by `Writer::rewrite` (file `PATH`)",
        ),
        (with_data(ours(vec![], "<u4")), "an array without axes, to which nothing can be appended (file `PATH`)"),
        (short, "the array needs 12 bytes of data, found 11 (file `PATH`)"),
        (
            ours(vec![0, 250_000_000_000_000_000], "<u4").to_bytes().unwrap(),
            "no memory for 1000000000000000000 bytes (file `PATH`)",
        ),
        (two.clone(), "another array follows in the file, which would be lost (byte 140, file `PATH`)"),
        (
            b"PK\x03\x04......".to_vec(),
            "expected a .npy file, found a zip archive such as a .npz file (byte 0, file `PATH`)",
        ),
        (Vec::new(), "expected a .npy file, found an empty one (byte 0, file `PATH`)"),
    ];
    for (bytes, message) in rows {
        fs::write(&path, &bytes).unwrap();
        assert_eq!(text(unlocked(|| Writer::append(&path)), &path), message);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }

    fs::write(&path, &two).unwrap();
    assert_eq!(
        text(unlocked(|| Writer::rewrite(&path)), &path),
        "another array follows in the file, which would be lost (byte 140, file `PATH`)"
    );
    assert_eq!(fs::read(&path).unwrap(), two);

    let objects = with_data(ours(vec![3], "|O"));
    fs::write(&path, &objects).unwrap();
    assert_eq!(unlocked(|| Writer::append(&path)).unwrap_err().category(), Category::Unsupported);

    fs::remove_file(&path).unwrap();
    let error = unlocked(|| Writer::append(&path)).unwrap_err();
    assert_eq!(error.io_error_kind(), Some(ErrorKind::NotFound));
    #[cfg(unix)]
    assert_eq!(
        text(Err::<(), _>(error), &path),
        "No such file or directory (os error 2); `Writer::append_with` makes the file where the options have a dtype \
         (file `PATH`)"
    );
    assert!(!path.exists());
}

#[test]
fn records_that_do_not_fit_leave_the_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    serde_npy::to_path(&path, &[[1u8, 2, 3], [4, 5, 6]]).unwrap();
    let before = fs::read(&path).unwrap();
    let mut writer = unlocked(|| Writer::append(&path)).unwrap();
    assert_eq!(text(writer.write(&[1, 2]), &path), "expected 3 items, found 2 (at `[2]`, file `PATH`)");
    assert_eq!(
        text(writer.write(&[1, 2, 300]), &path),
        "expected `|u1`, found integer `300`, which is beyond its range (at `[2][2]`, file `PATH`)"
    );
    assert_eq!(text(writer.write(&entry(1)), &path), "expected 3 items, found a record (at `[2]`, file `PATH`)");
    writer.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), before);

    serde_npy::to_path(&path, &["abc"]).unwrap();
    let mut writer = unlocked(|| Writer::append(&path)).unwrap();
    assert_eq!(text(writer.write("four"), &path), "expected at most 3 code points, found 4 (at `[1]`, file `PATH`)");
    writer.write("x").unwrap();
    writer.finish().unwrap();
    assert_eq!(serde_npy::from_path::<Vec<String>>(&path).unwrap(), ["abc", "x"]);

    let other = WriteOptions::default().dtype("<U4".parse().unwrap());
    assert_eq!(
        text(unlocked(|| Writer::append_with(&path, &other)), &path),
        "expected a file of dtype '<U4', found '<U3' (file `PATH`)"
    );
}

#[test]
fn room_runs_out_before_a_record_too_many() {
    let folder = tempfile::tempdir().unwrap();
    let tight = header(&format!("{{'descr': {DESCR}, 'fortran_order': False, 'shape': (3,), }}"), 2);
    let path = file(&folder, &tight, 3);
    let room = 99; // two spaces, of which one stays for the form's sake
    let mut writer = unlocked(|| Writer::append(&path)).unwrap();
    let error = writer.write_all((3..2000).map(entry)).unwrap_err();
    assert!(error.to_string().starts_with("the header has only room for a length of up to"), "{error}");
    let count = writer.count();
    assert!(count >= room, "{count}");
    writer.finish().unwrap();
    assert_eq!(serde_npy::records_from_path::<Entry>(&path).unwrap(), entries(count));

    unlocked(|| Writer::rewrite(&path)).unwrap();
    let mut writer = unlocked(|| Writer::append(&path)).unwrap();
    writer.write_all((count..2000).map(entry)).unwrap();
    writer.finish().unwrap();
    assert_eq!(serde_npy::records_from_path::<Entry>(&path).unwrap(), entries(2000));
}

#[test]
fn rewriting_keeps_the_array() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    let cube: Vec<Vec<Vec<u16>>> =
        (0..3).map(|a| (0..4).map(|b| (0..5).map(|c| a * 100 + b * 10 + c).collect()).collect()).collect();
    serde_npy::to_path_with(&path, &cube, &WriteOptions::default().fortran_order(true)).unwrap();
    unlocked(|| Writer::rewrite(&path)).unwrap();
    assert_eq!(fs::read(&path).unwrap(), serde_npy::to_vec(&cube).unwrap());
    unlocked(|| Writer::rewrite(&path)).unwrap();
    assert_eq!(fs::read(&path).unwrap(), serde_npy::to_vec(&cube).unwrap());

    let empty = Header::new("<f8".parse().unwrap(), vec![0, 3]).unwrap().with_fortran_order(true);
    fs::write(&path, empty.to_bytes().unwrap()).unwrap();
    unlocked(|| Writer::rewrite(&path)).unwrap();
    assert!(!Header::read(File::open(&path).unwrap()).unwrap().fortran_order());

    fs::write(&path, &serde_npy::to_vec(&[1, 2, 3]).unwrap()[..135]).unwrap();
    assert_eq!(
        text(unlocked(|| Writer::rewrite(&path)), &path),
        "the array needs 12 bytes of data, found 7: element 1 is cut (byte 135, file `PATH`)"
    );
}

#[test]
fn a_torn_tail_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    for tail in [1, 6, 13, 14, 100_000] {
        serde_npy::to_path(&path, &entries(5)).unwrap();
        File::options().append(true).open(&path).unwrap().write_all(&vec![0xee; tail]).unwrap();
        let mut writer = unlocked(|| Writer::append(&path)).unwrap();
        writer.write_all((5..12).map(entry)).unwrap();
        writer.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), serde_npy::to_vec(&entries(12)).unwrap());
    }
}

#[test]
fn two_do_not_append_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    serde_npy::to_path(&path, &entries(1)).unwrap();
    let mut first = unlocked(|| Writer::append(&path)).unwrap();
    let error = Writer::append(&path).unwrap_err();
    assert_eq!(error.io_error_kind(), Some(ErrorKind::WouldBlock));
    assert_eq!(text(Err::<(), _>(error), &path), "another writer is appending to the file (file `PATH`)");
    assert_eq!(Writer::rewrite(&path).unwrap_err().io_error_kind(), Some(ErrorKind::WouldBlock));
    first.write(&entry(1)).unwrap();
    // The lock goes with `finish`, also while the file stays open, and with a writer that is dropped.
    let open = first.finish().unwrap();
    let mut second = unlocked(|| Writer::append(&path)).unwrap();
    second.write(&entry(2)).unwrap();
    drop(second);
    drop(open);
    let mut third = unlocked(|| Writer::append(&path)).unwrap();
    assert_eq!(third.count(), 2);
    third.write(&entry(2)).unwrap();
    third.finish().unwrap();
    assert_eq!(serde_npy::records_from_path::<Entry>(&path).unwrap(), entries(3));

    // Many that want to, in turn.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..25 {
                    let mut writer = loop {
                        match Writer::append(&path) {
                            Ok(writer) => break writer,
                            Err(error) => assert_eq!(error.io_error_kind(), Some(ErrorKind::WouldBlock), "{error}"),
                        }
                        std::thread::sleep(Duration::from_micros(200));
                    };
                    let next = writer.count();
                    writer.write(&entry(next)).unwrap();
                    writer.finish().unwrap();
                }
            });
        }
    });
    assert_eq!(serde_npy::records_from_path::<Entry>(&path).unwrap(), entries(103));
}

#[test]
fn a_file_that_is_not_there_is_made_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut writer = loop {
                    match Writer::append_with(&path, &entry_dtype()) {
                        Ok(writer) => break writer,
                        Err(error) => assert_eq!(error.io_error_kind(), Some(ErrorKind::WouldBlock), "{error}"),
                    }
                    std::thread::sleep(Duration::from_micros(200));
                };
                let next = writer.count();
                writer.write(&entry(next)).unwrap();
                writer.finish().unwrap();
            });
        }
    });
    assert_eq!(serde_npy::records_from_path::<Entry>(&path).unwrap(), entries(4));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_header_is_changed_in_one_write_after_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    serde_npy::to_path(&path, &entries(9)).unwrap();
    let before = fs::read(&path).unwrap();
    let mut writer = unlocked(|| Writer::append(&path)).unwrap();
    // More than a block: the data is there, and the array is still the old one.
    writer.write_all((9..30_000).map(entry)).unwrap();
    let during = fs::read(&path).unwrap();
    assert!(during.len() > before.len() + 200_000);
    assert!(during.starts_with(&before));
    assert_eq!(serde_npy::records_from_path::<Entry>(&path).unwrap(), entries(9));
    writer.finish().unwrap();
    assert_eq!(serde_npy::records_from_path::<Entry>(&path).unwrap(), entries(30_000));
}

const CHILD: &str = "SERDE_NPY_APPENDING_CHILD";

/// Not a test by itself: what the killed process runs.
#[test]
fn appending_child() {
    let Ok(path) = std::env::var(CHILD) else { return };
    let mut writer = loop {
        // The one before may not be quite dead yet.
        match Writer::append_with(&path, &entry_dtype()) {
            Err(error) if error.io_error_kind() == Some(ErrorKind::WouldBlock) => {
                std::thread::sleep(Duration::from_millis(1));
            }
            other => break other.unwrap(),
        }
    };
    let mut acknowledged = std::io::stderr();
    for burst in 0.. {
        let next = writer.count();
        // Mostly a few, sometimes more than a block.
        let step = if burst % 50 == 49 { 25_000 } else { burst % 7 };
        writer.write_all((next..next + step).map(entry)).unwrap();
        writer.flush().unwrap();
        acknowledged.write_all(format!("{}\n", writer.count()).as_bytes()).unwrap();
    }
}

/// Kills an appending child again and again; how many records there are in the end.
fn kill_over_and_over(times: u32, mut check: impl FnMut(&Path)) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut count = 0;
    for round in 0..times {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["append::appending_child", "--exact", "--nocapture", "--test-threads=1"])
            .env(CHILD, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut acknowledged = BufReader::new(child.stderr.take().unwrap());
        let mut lines = String::new();
        // Mostly killed only after it has begun, at once or up to some milliseconds later.
        if round % 5 != 0 {
            acknowledged.read_line(&mut lines).unwrap();
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        std::thread::sleep(Duration::from_micros(random % 8000));
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.read_to_string(&mut lines).unwrap();
        let promised: u64 = lines.split_terminator('\n').next_back().map_or(0, |line| line.parse().unwrap());

        if promised == 0 && count == 0 && !path.exists() {
            continue;
        }
        let found = serde_npy::records_from_path::<Entry>(&path).unwrap();
        let length = u64::try_from(found.len()).unwrap();
        assert!(length >= promised, "{length} of {promised} records that were promised");
        assert!(length >= count);
        assert!(found.iter().zip(0..).all(|(found, index)| *found == entry(index)));
        count = length;
        check(&path);
        if count > 80_000 {
            fs::remove_file(&path).unwrap();
            count = 0;
        }
    }
    count
}

#[test]
fn a_killed_process_leaves_whole_records() {
    let mut numpy = NumPy::start();
    kill_over_and_over(200, |path| {
        if let Some(numpy) = &mut numpy {
            let length = Header::read(File::open(path).unwrap()).unwrap().size();
            assert_eq!(numpy.load(path), format!("({length}, True)"));
        }
    });
}

#[test]
fn numpy_refuses_an_unfinished_file() {
    let Some(mut numpy) = NumPy::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    let mut writer = Writer::open_length(File::create(&path).unwrap()).unwrap();
    writer.write_all(entries(50_000)).unwrap();
    assert!(fs::metadata(&path).unwrap().len() > 500_000);
    assert!(numpy.load(&path).starts_with("ValueError Cannot parse header"));
    writer.flush().unwrap();
    assert_eq!(numpy.load(&path), "(50000, True)");
    writer.write_all((50_000..90_000).map(entry)).unwrap();
    drop(writer);
    assert_eq!(numpy.load(&path), "(50000, True)");
}

#[test]
fn a_follower_sees_every_record_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    serde_npy::to_path(&path, &entries(3)).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut next = 3;
            for burst in 0..60 {
                let mut writer = unlocked(|| Writer::append(&path)).unwrap();
                let step = if burst % 20 == 19 { 30_000 } else { burst };
                writer.write_all((next..next + step).map(entry)).unwrap();
                writer.flush().unwrap();
                writer.write(&entry(next + step)).unwrap();
                writer.finish().unwrap();
                next += step + 1;
                std::thread::sleep(Duration::from_micros(300));
            }
            done.store(true, Ordering::Release);
        });
        let mut reader = Reader::from_path(&path).unwrap();
        let mut next = 0;
        let follow = reader.follow::<Entry>(Duration::from_micros(100), || done.load(Ordering::Acquire));
        for found in follow {
            assert_eq!(found.unwrap(), entry(next));
            next += 1;
        }
        let header = Header::read(File::open(&path).unwrap()).unwrap();
        assert_eq!(next, header.size());
        assert!(next > 90_000);
    });
}

#[test]
fn a_follower_believes_only_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    let whole = serde_npy::to_vec(&entries(10)).unwrap();
    let start = whole.len() - 130;
    // The header tells of ten, two and a half are there.
    fs::write(&path, &whole[..start + 33]).unwrap();
    let mut reader = Reader::from_path(&path).unwrap();
    let found: Vec<Entry> = reader.follow(Duration::ZERO, || true).collect::<Result<_>>().unwrap();
    assert_eq!(found, entries(2));
    assert_eq!(reader.refresh().unwrap(), 0);
    fs::write(&path, &whole[..start + 40]).unwrap();
    assert_eq!(reader.refresh().unwrap(), 1);
    fs::write(&path, &whole).unwrap();
    let mut asked = 0;
    let stop = || {
        asked += 1;
        asked > 3
    };
    assert_eq!(reader.follow::<Entry>(Duration::from_millis(1), stop).count(), 8);
    assert_eq!(asked, 4, "once to look at the file, then until told to stop");

    serde_npy::to_path(folder.path().join("other.npy"), &entries(4)).unwrap();
    fs::write(&path, fs::read(folder.path().join("other.npy")).unwrap()).unwrap();
    assert_eq!(
        text(reader.refresh(), &path),
        "the array has shrunk to 4 records, 10 of it have been read (file `PATH`)"
    );
    serde_npy::to_path(folder.path().join("other.npy"), &vec![0.5; 100]).unwrap();
    fs::write(&path, fs::read(folder.path().join("other.npy")).unwrap()).unwrap();
    assert_eq!(
        text(reader.refresh(), &path),
        "the header has become that of another array since it was first read (file `PATH`)"
    );
}

#[test]
fn a_buffered_reader_can_follow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    serde_npy::to_path(&path, &entries(3)).unwrap();
    let mut source = File::open(&path).unwrap();
    source.seek(SeekFrom::Start(0)).unwrap();
    let mut reader = Reader::new(BufReader::new(source)).unwrap();
    assert_eq!(reader.records::<Entry>().count(), 3);
    let mut writer = unlocked(|| Writer::append(&path)).unwrap();
    writer.write(&entry(3)).unwrap();
    writer.finish().unwrap();
    assert_eq!(reader.refresh().unwrap(), 1);
    assert_eq!(reader.records::<Entry>().next().unwrap().unwrap(), entry(3));
}
