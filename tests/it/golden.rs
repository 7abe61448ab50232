//! Every file that NumPy wrote for us: read by every route, compared with what NumPy reads, written again.

use crate::array_file::ArrayFile;
use crate::damage;
use crate::manifest::{self, Data, Described};
use crate::source::OneByte;
use crate::tree::Tree;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_npy::{BytesAs, Category, DType, Header, LongDouble, ReadOptions, WriteOptions};
use std::fs;

/// One array of a golden file.
struct Golden {
    row: manifest::Golden,
    name: String,
    /// From the array's magic string to the end of the file.
    bytes: Vec<u8>,
}

impl Golden {
    fn array(&self) -> ArrayFile<'_> {
        ArrayFile::first_of(&self.bytes).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn is_object(&self) -> bool {
        self.row.data == Data::Object
    }

    /// Options that read the file, where there are any.
    fn options(&self) -> ReadOptions {
        let options = ReadOptions::default();
        match &*self.row.reads {
            "long_double" => options.long_double(LongDouble::X87),
            "utf-8" => options.bytes_as(BytesAs::Bytes),
            _ => options,
        }
    }

    /// Whether no options read the values (or one must wait too long for the millions of empty ones).
    fn unreadable(&self) -> bool {
        matches!(&*self.row.reads, "object" | "bool" | "text" | "limit")
    }
}

fn all() -> Vec<Golden> {
    let mut all: Vec<Golden> = Vec::new();
    for row in manifest::golden() {
        let bytes = match all.last() {
            Some(before) if row.position > 0 => before.bytes[before.array().bytes.len()..].to_vec(),
            _ => row.read(),
        };
        let name = format!("{}[{}]", row.file, row.position);
        all.push(Golden { row, name, bytes });
    }
    assert!(all.len() > 300, "{} arrays", all.len());
    all
}

fn golden(file: &str) -> Vec<u8> {
    fs::read(manifest::golden_dir().join(file)).unwrap()
}

#[test]
fn headers_are_what_numpy_reads() {
    for golden in all() {
        let (row, name) = (&golden.row, &golden.name);
        let header = Header::read(&golden.bytes[..]).unwrap_or_else(|error| panic!("{name}: {error}"));
        let described = Described {
            version: header.version().to_string(),
            descr: header.dtype().to_string(),
            fortran_order: header.fortran_order(),
            shape: header.shape().to_vec(),
        };
        assert_eq!(described, row.header, "{name}");
        assert_eq!(header.dtype().itemsize(), row.itemsize, "{name}");
        assert_eq!(header.is_canonical(), row.canonical, "{name}");
        let descr: DType = row.header.descr.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(descr, *header.dtype(), "{name}: the descr parsed on its own");
        if row.file == "crafted-name-escape.npy" {
            let message = "the character `λ` in a header of version 1.0, which is Latin-1";
            assert_eq!(header.to_bytes().unwrap_err().to_string(), message);
        } else {
            let again = header.to_bytes().unwrap_or_else(|error| panic!("{name}: {error}"));
            let offset = usize::try_from(header.data_offset()).unwrap();
            assert_eq!(again == golden.bytes[..offset], row.canonical, "{name}: the header printed again");
            assert_eq!(Header::read(&again[..]).unwrap(), header, "{name}: the header printed and read again");
        }
        match &row.data {
            Data::Sha256(digest) => assert_eq!(golden.array().sha256(), *digest, "{name}"),
            data => assert_eq!(*data, Data::Object, "{name}"),
        }
    }
}

#[test]
fn values_are_what_numpy_reads() {
    let mut compared = 0;
    for golden in all().iter().filter(|golden| !golden.unreadable()) {
        let (row, name) = (&golden.row, &golden.name);
        let tree: Tree = serde_npy::from_slice_with(&golden.bytes, &golden.options())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let Some(values) = &row.values else { continue };
        // The manifest has no bytes of an `S`: there they are text, or null.
        if row.reads != "utf-8"
            && let Some(difference) = tree.differs_from(values)
        {
            panic!("{name}{difference}");
        }
        compared += 1;
        let json = serde_npy::from_slice_with::<Value>(&golden.bytes, &golden.options());
        match tree.json() {
            Some(expected) => assert_eq!(json.unwrap(), expected, "{name}"),
            // serde_json::Value takes no bytes.
            None => {
                let message = json.unwrap_err().to_string();
                assert!(message.starts_with("expected any valid JSON value, found "), "{name}: {message}");
            }
        }
    }
    assert!(compared > 300, "{compared} files compared");
}

#[test]
fn latin_1_reads_every_s() {
    let options = ReadOptions::default().bytes_as(BytesAs::Latin1);
    let file = golden("S-not-UTF-8.npy");
    assert_eq!(serde_npy::from_slice::<Vec<String>>(&file).unwrap_err().category(), Category::Data);
    let expected = ["caf\u{e9}", "ok", "\u{ff}\u{fe}", "\u{c3}"];
    assert_eq!(serde_npy::from_slice_with::<Vec<String>>(&file, &options).unwrap(), expected);
    let texts: Value = serde_npy::from_slice_with(&file, &options).unwrap();
    assert_eq!(texts, serde_json::json!(["caf\u{e9}", "ok", "\u{ff}\u{fe}", "\u{c3}"]));
}

#[test]
fn every_route_gives_the_same() {
    for golden in all().iter().filter(|golden| golden.row.reads != "limit") {
        let (name, options) = (&golden.name, golden.options());
        let outcome = |result: serde_npy::Result<Tree>| result.map_err(|error| error.to_string());
        let slice = outcome(serde_npy::from_slice_with(&golden.bytes, &options));
        assert_eq!(slice.is_err(), golden.unreadable(), "{name}: {slice:?}");

        let mut rest = &golden.bytes[..];
        assert_eq!(outcome(serde_npy::from_reader_with(&mut rest, &options)), slice, "{name}: reader");
        let mut one_byte = OneByte::new(&golden.bytes);
        assert_eq!(outcome(serde_npy::from_reader_with(&mut one_byte, &options)), slice, "{name}: byte by byte");
        if slice.is_ok() {
            // Exactly the array's bytes have been taken.
            let length = golden.bytes.len() - golden.array().bytes.len();
            assert_eq!(rest.len(), length, "{name}: left in the reader");
            assert_eq!(one_byte.rest().len(), length, "{name}: left in the reader of single bytes");
        }
        if golden.row.position == 0 {
            let path = manifest::golden_dir().join(&golden.row.file);
            let result = outcome(serde_npy::from_path_with(&path, &options));
            match (&result, &slice) {
                (Err(error), Err(expected)) => {
                    let expected = expected.strip_suffix(')').unwrap_or(expected);
                    assert!(error.starts_with(expected), "{name}: {error}");
                    assert!(error.contains(&*path.display().to_string()), "{name}: {error}");
                }
                _ => assert_eq!(result, slice, "{name}: path"),
            }
        }
    }
}

#[test]
fn written_again_it_is_the_same_file() {
    let mut written = 0;
    for golden in all().iter().filter(|golden| !golden.unreadable()) {
        let (row, name, array) = (&golden.row, &golden.name, golden.array());
        // Long doubles are only read; where an axis is 0, nested sequences do not tell the axes behind it.
        // The version of this one holds its names only with escapes, which we do not write.
        let escaped = row.file == "crafted-name-escape.npy";
        if row.reads == "long_double" || !array.nesting_tells_shape() || escaped {
            continue;
        }
        let header = &array.header;
        let tree: Tree = serde_npy::from_slice_with(&golden.bytes, &golden.options()).unwrap();
        let options = WriteOptions::default()
            .dtype(header.dtype().clone())
            .fortran_order(header.fortran_order())
            .version(header.version());
        let bytes =
            serde_npy::to_vec_with(&tree, &options).unwrap_or_else(|error| panic!("{name}: written again: {error}"));
        let again = ArrayFile::first_of(&bytes).unwrap();
        let data = array.data_without_padding();
        assert_eq!(again.data(), data, "{name}: data");
        // Where the orders are the same, NumPy and we write `False`.
        if row.canonical && !row.file.starts_with("crafted-F-") {
            let start = array.bytes.len() - data.len();
            assert_eq!(bytes[..start], array.bytes[..start], "{name}: header");
        }
        let mut streamed = Vec::new();
        serde_npy::to_writer_with(&mut streamed, &tree, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(streamed, bytes, "{name}: to_writer");
        written += 1;
    }
    assert!(written > 300, "{written} files written again");
}

#[test]
fn objects_are_refused_by_the_name_of_their_field() {
    let rest = "Python objects, for which NumPy saves the whole array as a pickle; save it with fixed-width strings or \
                numbers instead, such as `astype('U16')`, or `column_dtypes` of `DataFrame.to_records`, and times with a \
                zone after `dt.tz_convert(None)`";
    let mut seen = 0;
    for golden in all().iter().filter(|golden| golden.is_object()) {
        let message = match &*golden.row.file {
            "object-record.npy" => format!("field `who` is of dtype `|O`: {rest}"),
            "object-nested.npy" => format!("field `in.who` is of dtype `|O`: {rest}"),
            _ => format!("the dtype is `|O`: {rest}"),
        };
        for error in [
            serde_npy::from_slice::<Tree>(&golden.bytes).unwrap_err(),
            serde_npy::from_slice::<IgnoredAny>(&golden.bytes).unwrap_err(),
            serde_npy::from_reader::<Tree>(&golden.bytes[..]).unwrap_err(),
            serde_npy::records_from_slice::<Tree>(&golden.bytes).unwrap_err(),
        ] {
            assert_eq!(error.category(), Category::Unsupported, "{}", golden.name);
            assert_eq!(error.to_string(), message, "{}", golden.name);
        }
        seen += 1;
    }
    assert_eq!(seen, 6);
}

#[test]
fn what_default_options_refuse_is_said_in_full() {
    let long_double = "is a long double, and the header does not tell in which encoding; say it by \
                       `ReadOptions::long_double`";
    let not_utf_8 = "read them as bytes, or as Latin-1 by `ReadOptions::bytes_as`";
    for (file, message) in [
        ("b1-byte-2.npy", "expected a bool, byte 0 or 1, found byte 2 (dtype `|b1`, at `[2]`, byte 130)"),
        (
            "U-above-10FFFF.npy",
            "expected Unicode text, found 0x110000, which is beyond U+10FFFF, at position 0 \
             (dtype `<U2`, at `[0]`, byte 128)",
        ),
        (
            "U-lone-surrogate-le.npy",
            "expected Unicode text, found the surrogate U+D800 at position 1 (dtype `<U2`, at `[0]`, byte 128)",
        ),
        (
            "U-lone-surrogate-be.npy",
            "expected Unicode text, found the surrogate U+D800 at position 1 (dtype `>U2`, at `[0]`, byte 128)",
        ),
        ("long-double.npy", &format!("`<f16` {long_double} (at `[0]`, byte 128)")),
        ("long-double-complex.npy", &format!("`<c32` {long_double} (at `[0]`, byte 128)")),
        ("long-double-record.npy", &format!("`<f16` {long_double} (at `[0].x`, byte 132)")),
        (
            "S-not-UTF-8.npy",
            &format!(
                "expected text, found bytes that are not UTF-8 from the one at 3; {not_utf_8} \
                 (dtype `|S4`, at `[0]`, byte 128)"
            ),
        ),
        (
            "S-not-UTF-8-record.npy",
            &format!(
                "expected text, found bytes that are not UTF-8 from the one at 0; {not_utf_8} \
                 (dtype `|S2`, at `[0].name`, byte 132)"
            ),
        ),
        (
            "shape-digits.npy",
            "more than 1048576 values that take no bytes; raise `Limits::empty_items` if they are wanted \
             (at `[1048576]`)",
        ),
    ] {
        let error = serde_npy::from_slice::<Tree>(&golden(file)).unwrap_err();
        assert_eq!(error.to_string(), message, "{file}");
    }
}

#[test]
fn every_prefix_is_an_error_by_every_route() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("prefix.npy");
    for golden in all() {
        let (name, options) = (&golden.name, golden.options());
        // Where the data is a pickle, the header alone says no.
        let bytes = if golden.is_object() { &golden.bytes[..128] } else { golden.array().bytes };
        for length in 0..bytes.len() {
            // Of the files of over 64 KiB not every length.
            if bytes.len() > 5000 && length > 40 && length + 40 < bytes.len() && length % 997 != 0 {
                continue;
            }
            let prefix = &bytes[..length];
            let check = |route: &str, result: serde_npy::Result<()>| match result {
                Ok(()) => panic!("{name}: {length} of {} bytes are read as a whole file by {route}", bytes.len()),
                Err(error) => {
                    let cut = matches!(error.category(), Category::Eof) || golden.unreadable();
                    assert!(cut, "{name}, {length} bytes, {route}: {error}");
                }
            };
            check("slice", serde_npy::from_slice_with::<IgnoredAny>(prefix, &options).map(drop));
            check("reader", serde_npy::from_reader_with::<Tree>(prefix, &options).map(drop));
            check("records", serde_npy::records_from_slice_with::<Tree>(prefix, &options).map(drop));
            if bytes.len() < 5000 {
                check("single bytes", serde_npy::from_reader_with::<Tree>(OneByte::new(prefix), &options).map(drop));
            }
            if length % 23 == 0 || length + 1 == bytes.len() {
                fs::write(&path, prefix).unwrap();
                check("path", serde_npy::from_path_with::<IgnoredAny>(&path, &options).map(drop));
            }
        }
    }
}

#[test]
fn bytes_behind_the_array_are_accepted_or_refused() {
    for golden in all().iter().filter(|golden| !golden.unreadable()) {
        let (name, options) = (&golden.name, golden.options());
        let array = golden.array();
        let exact = options.clone().trailing(false);
        let value: Tree = serde_npy::from_slice_with(array.bytes, &exact).unwrap();
        assert_eq!(serde_npy::from_reader_with::<Tree>(array.bytes, &exact).unwrap(), value, "{name}");

        let itemsize = array.header.dtype().itemsize();
        for behind in [1, itemsize, 2 * itemsize + 1].into_iter().filter(|&behind| behind > 0) {
            let mut longer = array.bytes.to_vec();
            longer.resize(array.bytes.len() + behind, 0xA5);
            assert_eq!(serde_npy::from_slice_with::<Tree>(&longer, &options).unwrap(), value, "{name}");
            assert_eq!(serde_npy::from_reader_with::<Tree>(&longer[..], &options).unwrap(), value, "{name}");
            let error = serde_npy::from_slice_with::<Tree>(&longer, &exact).unwrap_err();
            let s = if behind == 1 { "" } else { "s" };
            let start = format!("expected the end of the file, found {behind} byte{s}");
            assert!(error.to_string().starts_with(&start), "{name}: {error}");
            assert_eq!(error.offset(), Some(u64::try_from(array.bytes.len()).unwrap()), "{name}");
            let error = serde_npy::from_reader_with::<Tree>(&longer[..], &exact).unwrap_err();
            assert!(error.to_string().starts_with("expected the end of the file, found "), "{name}: {error}");
        }
    }
}

#[test]
fn a_changed_byte_never_panics_and_all_routes_agree() {
    let limits = serde_npy::Limits::default().empty_items(1000);
    let mut changes = 0;
    for golden in all().iter().filter(|golden| golden.bytes.len() < 5000) {
        changes += damage::change_every_byte(&golden.bytes, &golden.options().limits(limits), &golden.name);
    }
    println!("{changes} changed bytes");
}
