//! Files by other writers, where `SERDE_NPY_CORPUS` points to a folder of them: what we read is what NumPy reads.

use crate::array_file::ArrayFile;
use crate::manifest::{self, Corpus, Data};
use crate::source::OneByte;
use crate::tree::Tree;
use serde_npy::{BytesAs, Category, Header, Limits, LongDouble, ReadOptions};
use std::ffi::OsStr;
use std::fs;

/// The error that fits a file that NumPy refuses: its category and a piece of its text.
const REFUSED: &[(&str, Category, &str)] = &[
    (
        "chainercv-cub-ids-mangled.npy",
        Category::Syntax,
        r"expected a .npy file, which starts with `\x93NUMPY`, found `\xe5\x93\xb2UMPY\x01`",
    ),
    ("jetbrains-npy-overflow.npy", Category::Syntax, "an indented line (byte 128)"),
    (
        "yukawa-hs-test-write-2.npy",
        Category::Syntax,
        r"expected a .npy file, which starts with `\x93NUMPY`, found `\x05`",
    ),
];

/// The error of values that are none of their dtype, in files whose bytes NumPy hands on as they are.
const NO_VALUES: &[(&str, Category, &str)] = &[
    ("ndarray-npy-bool-bad-value.npy", Category::Data, "expected a bool, byte 0 or 1, found byte 98"),
    ("npyz-surrogate.npy", Category::Data, "expected Unicode text, found the surrogate U+D805 at position 0"),
];

/// Options that read as many of the files as any do.
pub(crate) fn options() -> ReadOptions {
    ReadOptions::default()
        .bytes_as(BytesAs::Latin1)
        .long_double(LongDouble::X87)
        .round_floats(true)
        .limits(Limits::default().empty_items(1 << 24))
}

#[test]
fn files_by_other_writers_are_read_as_numpy_reads_them() {
    let Some(corpus) = manifest::corpus() else { return };
    let arrays: Vec<&Corpus> = corpus.iter().filter(|row| row.path.extension() == Some(OsStr::new("npy"))).collect();
    let (mut files, mut checked, mut refused) = (0, 0, 0);
    for group in arrays.chunk_by(|a, b| a.path == b.path) {
        let file = fs::read(&group[0].path).unwrap();
        let mut rest = &file[..];
        // One reader for all arrays of the file, which must stop behind each.
        let mut reader = &file[..];
        for row in group {
            let name = format!("{}{}", row.path.file_name().unwrap().to_str().unwrap(), row.member);
            match &row.data {
                Data::Sha256(digest) => {
                    check(row, digest, &name, &mut rest, &mut reader);
                    checked += 1;
                }
                Data::Object => {
                    let header = Header::read(rest).unwrap_or_else(|error| panic!("{name}: {error}"));
                    check_header(row, &header, &name);
                    let error = serde_npy::from_slice::<Tree>(rest).unwrap_err();
                    assert_eq!(error.category(), Category::Unsupported, "{name}: {error}");
                    assert!(error.to_string().contains("pickle"), "{name}: {error}");
                    refused += 1;
                }
                Data::Error(_) => {
                    let found = serde_npy::from_slice::<Tree>(rest).map(|_| "a value");
                    assert_error(REFUSED, &name, &found.unwrap_err());
                    refused += 1;
                }
            }
        }
        files += 1;
    }
    println!("corpus: {checked} arrays in {files} files are what NumPy reads, {refused} are refused");
    assert_eq!(checked + refused, arrays.len());
}

fn check_header(row: &Corpus, header: &Header, name: &str) {
    let described = row.header.as_ref().unwrap();
    assert_eq!(header.version().to_string(), described.version, "{name}");
    assert_eq!(header.dtype().to_string(), described.descr, "{name}");
    assert_eq!(header.fortran_order(), described.fortran_order, "{name}");
    assert_eq!(header.shape(), described.shape, "{name}");
}

/// Checks the array at the start of `rest`, and takes it off there and from the reader.
fn check(row: &Corpus, digest: &str, name: &str, rest: &mut &[u8], reader: &mut &[u8]) {
    let array = ArrayFile::first_of(rest).unwrap_or_else(|error| panic!("{name}: {error}"));
    check_header(row, &array.header, name);
    assert_eq!(array.sha256(), digest, "{name}");
    *rest = &rest[array.bytes.len()..];

    let slice = serde_npy::from_slice_with::<Tree>(array.bytes, &options());
    let streamed = serde_npy::from_reader_with::<Tree>(&mut *reader, &options());
    if NO_VALUES.iter().any(|(file, ..)| *file == name) {
        assert_error(NO_VALUES, name, &slice.unwrap_err());
        assert_error(NO_VALUES, name, &streamed.unwrap_err());
        return;
    }
    let slice = slice.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(slice == streamed.unwrap_or_else(|error| panic!("{name}: {error}")), "{name}: the reader differs");
    assert_eq!(reader.len(), rest.len(), "{name}: left in the reader");
    if array.bytes.len() < 1 << 16 {
        let one_byte = serde_npy::from_reader_with::<Tree>(OneByte::new(array.bytes), &options());
        assert!(slice == one_byte.unwrap_or_else(|error| panic!("{name}: {error}")), "{name}: byte by byte");
    }
    assert_eq!(leaves(&slice), shape_of(&array.header), "{name}");
}

/// How many elements the nested sequences of the axes hold.
fn leaves(tree: &Tree) -> Vec<u64> {
    match tree {
        Tree::Seq(items) => {
            let mut shape = vec![u64::try_from(items.len()).unwrap()];
            shape.extend(items.first().map(leaves).unwrap_or_default());
            shape
        }
        _ => Vec::new(),
    }
}

/// The lengths of all sequences that an element is in, as far as there is one.
fn shape_of(header: &Header) -> Vec<u64> {
    let mut shape = header.shape().to_vec();
    if header.dtype().to_string().starts_with("'<c") || header.dtype().to_string().starts_with("'>c") {
        // A complex number is a pair.
        shape.push(2);
    }
    match shape.iter().position(|&length| length == 0) {
        Some(zero) => shape[..=zero].to_vec(),
        None => shape,
    }
}

#[track_caller]
fn assert_error(table: &[(&str, Category, &str)], name: &str, error: &serde_npy::Error) {
    let row = table.iter().find(|(file, ..)| *file == name);
    let (_, category, piece) = row.unwrap_or_else(|| panic!("{name}: {error}"));
    assert_eq!(error.category(), *category, "{name}: {error}");
    assert!(error.to_string().contains(piece), "{name}: {error}");
}
