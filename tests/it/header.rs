//! Headers: what NumPy made of their texts, what is wrong with others, and the bytes of our own.

use crate::python::python;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_npy::{Category, DType, Error, Field, Header, Struct, Subarray, Version};
use std::io::{self, Read};

/// A file of version 1 (or 2 and 3) with a given text as its header.
fn file(version: u8, text: &str) -> Vec<u8> {
    let text: Vec<u8> = if version < 3 { text.chars().map(|c| c as u8).collect() } else { text.into() };
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    match version {
        1 => bytes.extend((text.len() as u16).to_le_bytes()),
        _ => bytes.extend((text.len() as u32).to_le_bytes()),
    }
    bytes.extend(text);
    bytes
}

/// A header with a given descr and shape.
fn text(descr: &str, shape: &str) -> String {
    format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}")
}

/// Reads by three routes that must agree.
#[track_caller]
fn read(bytes: &[u8]) -> Result<Header, Error> {
    let from_slice = Header::read(bytes);
    for interrupting in [false, true] {
        let mut reader = Drip { rest: bytes, interrupting, turn: false };
        let dripped = Header::read(&mut reader);
        match (&from_slice, &dripped) {
            (Ok(header), Ok(other)) => {
                assert_eq!(header, other);
                assert_eq!((bytes.len() - reader.rest.len()) as u64, header.data_offset());
            }
            (Err(error), Err(other)) => assert_eq!(format!("{error:?}"), format!("{other:?}")),
            _ => panic!("{from_slice:?}, {dripped:?}"),
        }
    }
    from_slice
}

/// A reader that gives one byte at a time and, if asked to, is interrupted before each.
struct Drip<'a> {
    rest: &'a [u8],
    interrupting: bool,
    turn: bool,
}

impl Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.turn = !self.turn;
        if self.interrupting && self.turn {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let length = buffer.len().min(1);
        self.rest.read(&mut buffer[..length])
    }
}

#[test]
fn texts_mean_what_numpy_says() {
    let tables: Value = serde_json::from_str(include_str!("../data/texts.json")).unwrap();
    let rows = tables["header"].as_array().unwrap();
    let mut accepted = 0;
    for row in rows {
        let (version, text) = (row[0].as_u64().unwrap() as u8, row[1].as_str().unwrap());
        let found = read(&file(version, text));
        let expected = &row[2];
        if expected.is_null() {
            assert!(found.is_err(), "{text:?}: {found:?}");
            continue;
        }
        let header = found.unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(header.dtype().to_string(), expected["descr"].as_str().unwrap(), "{text:?}");
        assert_eq!(header.dtype().itemsize() as u64, expected["itemsize"].as_u64().unwrap(), "{text:?}");
        assert_eq!(header.shape(), serde_json::from_value::<Vec<u64>>(expected["shape"].clone()).unwrap(), "{text:?}");
        assert_eq!(header.fortran_order(), expected["fortran_order"].as_bool().unwrap(), "{text:?}");
        assert_eq!(header.version().major(), version, "{text:?}");
        let printed: Vec<u8> = expected["bytes"].as_str().unwrap().chars().map(|c| c as u8).collect();
        assert_eq!(header.to_bytes().unwrap().escape_ascii().to_string(), printed.escape_ascii().to_string());
        assert_eq!(header.is_canonical(), printed == file(version, text), "{text:?}");
        let canonical = read(&printed).unwrap();
        assert!(canonical.is_canonical() && canonical == header, "{text:?}");
        accepted += 1;
    }
    assert!(rows.len() > 200 && accepted > 100, "{} rows, {accepted} accepted", rows.len());
}

#[test]
fn metadata_is_stepped_over() {
    let rows = [
        ("[('b', ('|S3', {'k': 'v'}))]", "[('b', '|S3')]"),
        ("[('b', ('|O', {'vlen': dtype('float64')}))]", "[('b', '|O')]"),
        ("[('b', ('|O', {'vlen': <class 'str'>}))]", "[('b', '|O')]"),
        (
            "[('b', ('|i1', {'enum': ({'A': 0, 'B': [1, {2}]}, np.dtype([('a', 'i1')], align=True))}), (2,))]",
            "[('b', '|i1', (2,))]",
        ),
        ("('<f8', {'unit': 'm'})", "'<f8'"),
    ];
    for (descr, expected) in rows {
        let header = read(&file(1, &text(descr, "(2,)"))).unwrap();
        assert_eq!(header.dtype().to_string(), expected);
        assert!(!header.is_canonical());
    }
}

#[test]
fn errors_say_what_and_where() {
    let plain = text("'<i4'", "(2,)");
    let syntax = Category::Syntax;
    let rows: &[(Vec<u8>, Category, &str)] = &[
        (vec![], Category::Eof, "expected a .npy file, found an empty one (byte 0)"),
        (b"\x93NUM".to_vec(), Category::Eof, "the file ends within the magic string, after 4 bytes (byte 4)"),
        (b"\x93NUMPY".to_vec(), Category::Eof, "the file ends within the magic string, after 6 bytes (byte 6)"),
        (
            b"\x93NUMPY\x01\0\x40".to_vec(),
            Category::Eof,
            "the file ends within the length of its header, after 9 bytes (byte 9)",
        ),
        (
            b"\x93NUMPY\x01\0\x40\0{'a".to_vec(),
            Category::Eof,
            "the file ends within its header, after 3 of 64 bytes (byte 13)",
        ),
        (
            b"\x93NUMPY\x02\0\xf0\xff\xff\xff".to_vec(),
            Category::Limit,
            "a header of 4294967280 bytes, over the limit `max_header_size` of 16777216 (byte 8)",
        ),
        (
            b"\x93NUMPY\x04\0\x40\0".to_vec(),
            Category::Unsupported,
            "expected version 1.0, 2.0 or 3.0 of the .npy format, found 4.0 (byte 6)",
        ),
        (
            b"\x93NUMPY\x01\x01\x40\0".to_vec(),
            Category::Unsupported,
            "expected version 1.0, 2.0 or 3.0 of the .npy format, found 1.1 (byte 6)",
        ),
        (b"PK\x03\x04....".to_vec(), syntax, "expected a .npy file, found a zip archive such as a .npz file (byte 0)"),
        (b"\x1f\x8b\x08\0....".to_vec(), syntax, "expected a .npy file, found a gzip file (byte 0)"),
        (b"\x80\x04\x95\0....".to_vec(), syntax, "expected a .npy file, found a pickle (byte 0)"),
        (b"\x89HDF\r\n\x1a\n".to_vec(), syntax, "expected a .npy file, found an HDF5 file (byte 0)"),
        (
            b"hello, world".to_vec(),
            syntax,
            "expected a .npy file, which starts with `\\x93NUMPY`, found `hello, w` (byte 0)",
        ),
        (
            file(1, &" ".repeat(53)),
            Category::Eof,
            "the file is not finished: its header is blank, as it is until the writer's `flush` or `finish` (byte 10)",
        ),
        (file(1, ""), syntax, "expected a value, found the end of the text (byte 10)"),
        (file(1, &format!("{plain}\0\0")), syntax, "a NUL character in the text (byte 67)"),
        (file(1, &format!("{plain}x")), syntax, "expected the end of the text, found `x` (byte 67)"),
        (file(1, "[1]"), syntax, "expected a dict as the header, found a list (byte 10)"),
        (
            file(1, &text("'<i4'", "(184)")),
            syntax,
            "expected a tuple of integers as shape, found `184` (a missing comma: one axis is `(184,)`) (byte 61)",
        ),
        (file(1, &text("'<i4'", "[2]")), syntax, "expected a tuple of integers as shape, found a list (byte 60)"),
        (file(1, &text("'<i4'", "(np.int64(3),)")), syntax, "expected a value, found `np.int64(3)` (byte 61)"),
        (file(1, &text("'<i4'", "(True, 2)")), syntax, "expected an integer in the shape, found `True` (byte 61)"),
        (file(1, &text("'<i4'", "(2, 2.5)")), syntax, "expected an integer in the shape, found `2.5` (byte 64)"),
        (file(1, &text("'<i4'", "(-1,)")), syntax, "expected a length of 0 or more in the shape, found `-1` (byte 61)"),
        (
            file(1, &text("'<i4'", "(18446744073709551616,)")),
            Category::Limit,
            "an axis over 9223372036854775807 elements, `18446744073709551616` (byte 61)",
        ),
        (
            file(1, &text("'<i4'", "(4294967296, 4294967296)")),
            Category::Limit,
            "an array over 9223372036854775807 bytes (byte 60)",
        ),
        (
            file(1, &text("'<i4'", "(0, 9223372036854775807, 2)")),
            Category::Limit,
            "an array over 9223372036854775807 bytes (byte 60)",
        ),
        (
            file(1, &text("[]", "(4294967296, 4294967296)")),
            Category::Limit,
            "an array over 9223372036854775807 bytes (byte 57)",
        ),
        (
            file(1, &text("'<i4'", &format!("({})", "1,".repeat(65)))),
            Category::Limit,
            "an array of over 64 axes (byte 189)",
        ),
        (
            file(1, &plain.replace("False", "0")),
            syntax,
            "expected `True` or `False` as fortran_order, found `0` (byte 44)",
        ),
        (file(1, &plain.replace(", 'shape': (2,)", "")), syntax, "the header lacks the key `shape` (byte 10)"),
        (
            file(1, &plain.replace("'descr'", "'dtype'")),
            syntax,
            "expected the keys `descr`, `fortran_order` and `shape`, found `'dtype'` (byte 11)",
        ),
        (
            file(1, &plain.replace("'descr'", "1")),
            syntax,
            "expected the keys `descr`, `fortran_order` and `shape`, found `1` (byte 11)",
        ),
        (
            file(1, &text("('<i4', (2,))", "(2,)")),
            Category::Unsupported,
            "the subarray `('<i4', (2,))` as the dtype of a whole array (byte 20)",
        ),
        (
            file(1, &text("{'names': ['a']}", "(2,)")),
            Category::Unsupported,
            "a dtype given as a dict, which NumPy's own reader refuses as well (byte 20)",
        ),
        (
            file(1, &text("None", "(2,)")),
            syntax,
            "expected a typestring, a list of fields or a pair of a type and a shape, found `None` (byte 20)",
        ),
        (file(1, &text("'zz'", "(2,)")), syntax, "expected a dtype such as `<f8`, found `zz` (byte 20)"),
        (
            file(1, &text("['ab']", "(2,)")),
            syntax,
            "expected a field such as `('name', '<f8')` or `('name', '<f8', (3,))`, found `'ab'` (byte 21)",
        ),
        (
            file(1, &text("[('a',)]", "(2,)")),
            syntax,
            "expected a field such as `('name', '<f8')` or `('name', '<f8', (3,))`, found a tuple of 1 (byte 21)",
        ),
        (
            file(1, &text("[(b'a', '<i4')]", "(2,)")),
            syntax,
            "expected a string as the name of a field, found `b'a'` (byte 22)",
        ),
        (
            file(1, &text("[((1, 'a'), '<i4')]", "(2,)")),
            Category::Unsupported,
            "a title that is no string, `1` (byte 23)",
        ),
        (
            file(1, &text("[('a', '<i4'), ('b', '<i4'), ('a', '<i4')]", "(2,)")),
            Category::Data,
            "the field name `a` occurs twice (byte 50)",
        ),
        (
            file(1, &text("[(('T', 'a'), '<i4'), (('T', 'b'), '<i4')]", "(2,)")),
            Category::Data,
            "the title `T` is a name or a title already (byte 43)",
        ),
        (
            file(1, &text("[('a', '<i4', (2, 'x'))]", "(2,)")),
            syntax,
            "expected an integer in the shape, found `'x'` (byte 38)",
        ),
        (
            file(1, &text("[('a', '<i4', -1)]", "(2,)")),
            Category::Data,
            "expected a length of 0 or more, found `-1` (byte 34)",
        ),
        (
            file(1, &text("[('a', '|V2147483647', (65536, 65536))]", "(2,)")),
            Category::Limit,
            "a dtype over 2147483647 bytes (byte 43)",
        ),
        (
            file(1, &text("[('a', '|V2147483647'), ('b', '|u1')]", "(2,)")),
            Category::Limit,
            "a dtype over 2147483647 bytes (byte 20)",
        ),
        (
            file(1, &text("[('\\ud800', '<i4')]", "(2,)")),
            Category::Unsupported,
            "the lone surrogate `\\ud800`, which is no character of a Rust string (byte 23)",
        ),
        (
            file(1, &text("[('\\N{BULLET}', '<i4')]", "(2,)")),
            Category::Unsupported,
            "a character by its name, `\\N{...}` (byte 23)",
        ),
        (file(1, &text("[('\\x4', '<i4')]", "(2,)")), syntax, "an escape of fewer than 2 hexadecimal digits (byte 23)"),
        (
            file(1, &text("[('\\U00110000', '<i4')]", "(2,)")),
            syntax,
            "an escape beyond the last Unicode character (byte 23)",
        ),
        (file(1, &text("[(f'a', '<i4')]", "(2,)")), syntax, "an f-string, which is no literal (byte 22)"),
        (file(1, &text("[(ur'a', '<i4')]", "(2,)")), syntax, "an unknown prefix of a string (byte 22)"),
        (file(1, &text("[('a' b'b', '<i4')]", "(2,)")), syntax, "a string and bytes side by side (byte 26)"),
        (file(1, &text("[('a\n', '<i4')]", "(2,)")), syntax, "a string without a closing quote (byte 22)"),
        (file(1, &text("'<i4'", "(02,)")), syntax, "an integer with leading zeros (byte 61)"),
        (file(1, &text("'<i4'", "(2_,)")), syntax, "a malformed number (byte 61)"),
        (file(1, &text("'<i4'", "(2LL,)")), syntax, "expected the end of the number, found `LL` (byte 62)"),
        (file(3, &text("'<i4'", "(2L,)")), syntax, "expected the end of the number, found `L` (byte 64)"),
        (file(1, &format!("\n {plain}")), syntax, "an indented line (byte 12)"),
        (file(1, &format!("{}\r  ", plain.trim_end())), syntax, "an indented line (byte 70)"),
        (file(3, &format!("{}\r  ", plain.trim_end())), syntax, "an indented line (byte 72)"),
        (
            file(1, &format!("{{'descr': {}", "[".repeat(60_000))),
            Category::Limit,
            "over 200 brackets inside each other (byte 219)",
        ),
        (file(1, &text("[('é', 'zz')]", "(2,)")), syntax, "expected a dtype such as `<f8`, found `zz` (byte 27)"),
        (file(3, &text("[('é', 'zz')]", "(2,)")), syntax, "expected a dtype such as `<f8`, found `zz` (byte 30)"),
        (b"\x93NUMPY\x03\0\x03\0\0\0{\xe9}".to_vec(), syntax, "expected UTF-8 in a header of version 3.0 (byte 13)"),
    ];
    for (bytes, category, message) in rows {
        let error = read(bytes).unwrap_err();
        assert_eq!(error.to_string(), *message, "{}", bytes.escape_ascii());
        assert_eq!(error.category(), *category, "{message}");
        assert!(error.offset().is_some());
    }
}

#[test]
fn every_prefix_of_a_header_ends_too_early() {
    let bytes =
        Header::new("[('a', '<f8', (2,)), ('b', 'U3')]".parse().unwrap(), vec![3, 4]).unwrap().to_bytes().unwrap();
    for length in 0..bytes.len() {
        assert_eq!(read(&bytes[..length]).unwrap_err().category(), Category::Eof, "{length}");
    }
    assert!(read(&bytes).is_ok());
}

#[test]
fn no_byte_of_a_header_can_be_changed_into_a_panic() {
    let bytes =
        Header::new("[('a', '<f8', (2,)), ('b', 'U3')]".parse().unwrap(), vec![3, 4]).unwrap().to_bytes().unwrap();
    for position in 0..bytes.len() {
        for value in 0..=255 {
            let mut changed = bytes.clone();
            changed[position] = value;
            if let Ok(header) = Header::read(&changed[..]) {
                header.to_bytes().unwrap();
            }
        }
    }
}

#[test]
fn long_headers_take_version_2_where_numpy_does() {
    // NumPy pads to a multiple of 64 behind at least one space, which decides the last lengths that fit version 1.
    let name = |length| format!("[('{}', '<f4')]", "x".repeat(length)).parse::<DType>().unwrap();
    let mut last = None;
    for length in 65_380..65_480 {
        let header = Header::new(name(length), vec![3]).unwrap();
        let bytes = header.to_bytes().unwrap();
        assert_eq!(bytes.len() % 64, 0);
        assert_eq!(bytes.len() as u64, header.data_offset());
        assert_eq!(Header::read(&bytes[..]).unwrap(), header);
        if header.version() == Version::V1_0 {
            last = Some(length);
        } else {
            let error = header.with_version(Version::V1_0).unwrap_err();
            assert_eq!(error.category(), Category::Limit);
        }
    }
    assert_eq!(last, Some(LONGEST_NAME_IN_VERSION_1));
}

/// As `numpy.lib.format` has it for one field of `<f4` and the shape `(3,)`.
const LONGEST_NAME_IN_VERSION_1: usize = 65_439;

#[test]
fn what_numpy_would_not_load_cannot_be_written() {
    let f4 = || "<f4".parse::<DType>().unwrap();
    let record = |name: &str, dtype| DType::Struct(Struct::packed(vec![Field::new(name, dtype)]).unwrap());
    let rows: Vec<(DType, Vec<u64>, String)> = vec![
        (f4(), vec![1; 65], "an array of over 64 axes".into()),
        (f4(), vec![1 << 40, 1 << 40, 0], "an array over 9223372036854775807 bytes".into()),
        (
            Subarray::new(f4(), vec![2]).unwrap().into(),
            vec![1],
            "a subarray as the dtype of a whole array; take its base, and add its shape to the array's".into(),
        ),
        (
            record("x", Subarray::new("S0".parse().unwrap(), vec![2]).unwrap().into()),
            vec![1],
            "a subarray of `'|S0'`, which NumPy does not load (at `x`)".into(),
        ),
    ];
    for (dtype, shape, message) in rows {
        assert_eq!(Header::new(dtype, shape).unwrap_err().to_string(), message);
    }
    // These it does load.
    for descr in [
        "[('', '<i4')]",
        "[('', [('a', '<i2')])]",
        "[(('T', ''), '|V2')]",
        "[((None, ''), '|V2')]",
        "[('x', [((None, ''), '<i4', (2,))])]",
        "[]",
        "[('a', '|V0')]",
        "[('a', [], (2,))]",
    ] {
        let header = Header::new(descr.parse().unwrap(), vec![2, 0]).unwrap();
        assert_eq!(read(&header.to_bytes().unwrap()).unwrap(), header);
    }
}

/// By itself it would be padding.
#[test]
fn an_empty_name_on_a_subarray_is_written_as_one() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Blank {
        #[serde(rename = "")]
        all: [u16; 2],
        #[serde(rename = "x")]
        last: u8,
    }
    let blanks = vec![Blank { all: [1, 2], last: 3 }, Blank { all: [4, 5], last: 6 }];
    let descr = "[((None, ''), '<u2', (2,)), ('x', '|u1')]";
    let options = serde_npy::WriteOptions::default().dtype(descr.parse().unwrap());
    let file = serde_npy::to_vec_with(&blanks, &options).unwrap();
    assert_eq!(Header::read(&file[..]).unwrap().dtype().to_string(), descr);
    assert_eq!(serde_npy::from_slice::<Vec<Blank>>(&file).unwrap(), blanks);
    let script = "import io, sys, numpy as np; a = np.load(io.BytesIO(sys.stdin.buffer.read())); \
                  print(a.dtype.names, a.dtype.itemsize, a[''].tolist(), a['x'].tolist())";
    let Some(printed) = python(script, &file) else { return };
    assert_eq!(String::from_utf8(printed).unwrap(), "('', 'x') 5 [[1, 2], [4, 5]] [3, 6]\n");
}

#[test]
fn a_header_counts_its_data() {
    let rows: &[(&str, &str, u64, u64)] = &[
        ("'<f8'", "()", 1, 8),
        ("'<f8'", "(3,)", 3, 24),
        ("'<f8'", "(2, 3)", 6, 48),
        ("'<f8'", "(2, 0, 3)", 0, 0),
        ("'|S0'", "(1000000000000,)", 1_000_000_000_000, 0),
        ("[('a', '<i4', (4, 0, 4))]", "(3,)", 3, 0),
        ("'|u1'", "(9223372036854775807,)", i64::MAX as u64, i64::MAX as u64),
    ];
    for &(descr, shape, size, data_len) in rows {
        let header = read(&file(1, &text(descr, shape))).unwrap();
        assert_eq!((header.size(), header.data_len()), (size, data_len), "{descr} {shape}");
        assert_eq!(Header::new(header.dtype().clone(), header.shape().to_vec()).unwrap(), header);
    }
}

#[test]
fn a_deep_record_is_parsed_printed_and_dropped() {
    let descr = format!("{}'<i4'{}", "[('y', ".repeat(99), ")]".repeat(99));
    let header = read(&file(1, &text(&descr, "(1,)"))).unwrap();
    assert_eq!(header.dtype().to_string(), descr);
    assert_eq!(read(&header.to_bytes().unwrap()).unwrap(), header);
    let too_deep = format!("[('y', {descr})]");
    assert_eq!(read(&file(1, &text(&too_deep, "(1,)"))).unwrap_err().category(), Category::Limit);
}

#[test]
fn a_reader_s_error_is_handed_on() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::PermissionDenied.into())
        }
    }
    let error = Header::read(Broken).unwrap_err();
    assert_eq!(error.io_error_kind(), Some(io::ErrorKind::PermissionDenied));
}
