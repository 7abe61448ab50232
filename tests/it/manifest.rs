//! The two lists of test files: our golden files, and a corpus of files by other writers.
//!
//! `tests/data/make.py` documents the columns of the first; the README beside the corpus those of the second, which is
//! read where `SERDE_NPY_CORPUS` points to it.

use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What a manifest says of the data of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    /// SHA-256 over the data in C order.
    Sha256(String),
    /// Pickled.
    Object,
    /// What NumPy raises.
    Error(String),
}

/// What a header says, as both manifests list it; nothing where NumPy cannot read the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Described {
    pub(crate) version: String,
    pub(crate) descr: String,
    pub(crate) fortran_order: bool,
    pub(crate) shape: Vec<u64>,
}

/// A row of `tests/data/golden/MANIFEST.tsv`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Golden {
    pub(crate) file: String,
    /// How many arrays stand before this one in the file.
    pub(crate) position: usize,
    pub(crate) header: Described,
    pub(crate) data: Data,
    pub(crate) itemsize: usize,
    pub(crate) canonical: bool,
    /// `yes`, or why a reader with default options refuses.
    pub(crate) reads: String,
    pub(crate) values: Option<serde_json::Value>,
}

impl Golden {
    /// The whole file, with the other arrays that it may hold.
    pub(crate) fn read(&self) -> Vec<u8> {
        read(&golden_dir().join(&self.file))
    }
}

/// A row of a corpus's `MANIFEST.tsv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Corpus {
    pub(crate) path: PathBuf,
    /// The name of an archive's member, or `[1]`, `[2]`... for an array behind the first one of a file.
    pub(crate) member: String,
    pub(crate) header: Option<Described>,
    pub(crate) data: Data,
    pub(crate) note: String,
    pub(crate) file_sha256: String,
}

/// The golden files, in the order of their names.
pub(crate) fn golden() -> Vec<Golden> {
    let text = String::from_utf8(read(&golden_dir().join("MANIFEST.tsv"))).unwrap();
    rows(&text).map(|row| golden_row(&row)).collect()
}

/// The files of the corpus, or `None` where there is none; prints which.
pub(crate) fn corpus() -> Option<Vec<Corpus>> {
    let Some(folder) = std::env::var_os("SERDE_NPY_CORPUS") else {
        eprintln!("skipped: SERDE_NPY_CORPUS is not set, so no files by other writers are read");
        return None;
    };
    let folder = PathBuf::from(folder);
    let text = String::from_utf8(read(&folder.join("MANIFEST.tsv"))).unwrap();
    let corpus: Vec<Corpus> = rows(&text).map(|row| corpus_row(&row, &folder.join("files"))).collect();
    eprintln!("corpus: {} arrays by other writers", corpus.len());
    Some(corpus)
}

pub(crate) fn golden_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden")
}

/// In the lower-case hexadecimal digits of the manifests.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[track_caller]
fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Each row as column name → text.
fn rows(text: &str) -> impl Iterator<Item = HashMap<&str, &str>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    lines.map(move |line| {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), names.len(), "{line}");
        names.iter().copied().zip(cells).collect()
    })
}

fn golden_row(row: &HashMap<&str, &str>) -> Golden {
    Golden {
        file: row["file"].to_owned(),
        position: match row["member"] {
            "" => 0,
            member => member.trim_matches(['[', ']']).parse().unwrap(),
        },
        header: described(row).unwrap(),
        data: data(row["sha256"]),
        itemsize: row["itemsize"].parse().unwrap(),
        canonical: yes_or_no(row["canonical"], "yes", "no"),
        reads: row["reads"].to_owned(),
        values: match row["values"] {
            "" => None,
            values => Some(serde_json::from_str(values).unwrap()),
        },
    }
}

fn corpus_row(row: &HashMap<&str, &str>, files: &Path) -> Corpus {
    Corpus {
        path: files.join(row["file"]),
        member: row["member"].to_owned(),
        header: described(row),
        data: data(row["sha256"]),
        note: row["note"].to_owned(),
        file_sha256: row["file_sha256"].to_owned(),
    }
}

fn described(row: &HashMap<&str, &str>) -> Option<Described> {
    if row["descr"].is_empty() || row["shape"].is_empty() {
        return None;
    }
    let axes = row["shape"].strip_prefix('(').unwrap().strip_suffix(')').unwrap();
    let axes = axes.split(',').map(str::trim).filter(|axis| !axis.is_empty());
    Some(Described {
        version: row["version"].to_owned(),
        descr: row["descr"].to_owned(),
        fortran_order: yes_or_no(row["fortran_order"], "True", "False"),
        shape: axes.map(|axis| axis.parse().unwrap()).collect(),
    })
}

fn data(cell: &str) -> Data {
    match cell.strip_prefix("ERROR: ") {
        Some(error) => Data::Error(error.to_owned()),
        None if cell == "OBJECT" => Data::Object,
        None => Data::Sha256(cell.to_owned()),
    }
}

fn yes_or_no(cell: &str, yes: &str, no: &str) -> bool {
    assert!(cell == yes || cell == no, "expected {yes} or {no}, found {cell}");
    cell == yes
}

#[test]
fn the_golden_manifest_lists_every_file_in_the_folder() {
    let golden = golden();
    let mut listed: Vec<&str> = golden.iter().map(|row| row.file.as_str()).collect();
    listed.dedup();
    let mut found: Vec<String> = std::fs::read_dir(golden_dir())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "MANIFEST.tsv")
        .collect();
    found.sort();
    assert_eq!(listed, found);
}

#[test]
fn a_golden_row_is_read_in_full() {
    let golden = golden();
    let row = golden.iter().find(|row| row.file == "gap-aligned-aa.npy").unwrap();
    let data = row.read().split_off(128 + 64);
    let expected = Golden {
        file: "gap-aligned-aa.npy".to_owned(),
        position: 0,
        header: Described {
            version: "1.0".to_owned(),
            descr: "[('flag', '|u1'), ('', '|V7'), ('value', '<f8'), ('count', '<i2'), ('end', '|b1'), ('', '|V5')]"
                .to_owned(),
            fortran_order: false,
            shape: vec![3],
        },
        data: Data::Sha256(sha256(&data)),
        itemsize: 24,
        canonical: true,
        reads: "yes".to_owned(),
        values: Some(serde_json::json!([
            {"flag": 255, "value": -318057.304, "count": 32767, "end": true},
            {"flag": 0, "value": -703550.988, "count": -32768, "end": true},
            {"flag": 1, "value": 267417.318, "count": 1, "end": true},
        ])),
    };
    assert_eq!(*row, expected);
    let positions: Vec<usize> =
        golden.iter().filter(|row| row.file == "several-arrays.npy").map(|row| row.position).collect();
    assert_eq!(positions, [0, 1, 2, 3, 4]);
}

#[test]
fn the_corpus_holds_the_files_that_its_manifest_lists() {
    for row in corpus().unwrap_or_default() {
        assert_eq!(sha256(&read(&row.path)), row.file_sha256, "{}", row.path.display());
        // What NumPy cannot read has no header to compare, and says why.
        match &row.data {
            Data::Sha256(digest) => assert_eq!(digest.len(), 64, "{row:?}"),
            Data::Object => assert!(row.header.is_some(), "{row:?}"),
            Data::Error(error) => assert!(!error.is_empty() && !row.note.is_empty(), "{row:?}"),
        }
        assert!(row.header.is_some() || !row.member.ends_with(".npy") || matches!(row.data, Data::Error(_)), "{row:?}");
    }
}
