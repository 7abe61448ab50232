//! Archives by other writers, where `SERDE_NPY_CORPUS` points to a folder of them: every member by the sum of its values.

#![cfg(feature = "npz")]

use serde_npy::npz;
use sha2::{Digest as _, Sha256};
use std::io::Read as _;
use std::path::PathBuf;

/// The values as the manifest sums them: in C order, in the byteorder of the file.
fn sum(file: &[u8]) -> serde_npy::Result<String> {
    let mut rest = file;
    let header = serde_npy::Header::read(&mut rest)?;
    let data = &rest[..usize::try_from(header.data_len()).unwrap()];
    let mut values = data.to_vec();
    if header.fortran_order() && header.ndim() > 1 {
        let (itemsize, shape) = (header.dtype().itemsize(), header.shape());
        values.clear();
        for position in 0..header.size() {
            let (mut rest, mut source, mut step) = (position, 0, 1);
            let indices: Vec<u64> = shape.iter().rev().map(|length| (rest % length, rest /= length).0).collect();
            for (index, length) in indices.iter().rev().zip(shape) {
                source += index * step;
                step *= length;
            }
            let start = usize::try_from(source).unwrap() * itemsize;
            values.extend(&data[start..start + itemsize]);
        }
    }
    Ok(hex(&values))
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_member_of_the_corpus_has_the_values_that_numpy_read() {
    let Some(corpus) = std::env::var_os("SERDE_NPY_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: SERDE_NPY_CORPUS is not set");
        return;
    };
    let manifest = std::fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    let (mut members, mut refused) = (0, 0);
    for line in manifest.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (file, member, expected) = (columns[0], columns[1], columns[9]);
        if !file.ends_with(".npz") {
            continue;
        }
        let bytes = std::fs::read(corpus.join("files").join(file)).unwrap();
        if member.is_empty() {
            assert!(expected.starts_with("ERROR"), "{file}");
            npz::Reader::from_slice(&bytes).unwrap_err();
            refused += 1;
            continue;
        }
        let mut reader = npz::Reader::from_slice(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut content = Vec::new();
        let read = reader.raw(member).map(|mut raw| raw.read_to_end(&mut content));
        read.unwrap_or_else(|error| panic!("{file} {member}: {error}"))
            .unwrap_or_else(|error| panic!("{file} {member}: {error}"));
        let name = member.strip_suffix(".npy").unwrap_or(member);
        if expected == "OBJECT" {
            let error = reader.get::<serde::de::IgnoredAny>(name).unwrap_err();
            assert_eq!((error.category(), error.member()), (serde_npy::Category::Unsupported, Some(name)), "{file}");
            refused += 1;
            continue;
        }
        if expected.starts_with("ERROR") {
            eprintln!("{file} {member}: {expected}, here {:?}", sum(&content));
            refused += 1;
            continue;
        }
        let found = if content.starts_with(b"\x93NUMPY") { sum(&content).unwrap() } else { hex(&content) };
        assert_eq!(found, expected, "{file} {member}");
        if content.starts_with(b"\x93NUMPY") {
            // By the slice and by the reader, with the same outcome.
            let view = npz::View::new(&bytes).unwrap();
            let one = view.get::<serde_json::Value>(name).map_err(|error| error.to_string());
            let other = reader.get::<serde_json::Value>(name).map_err(|error| error.to_string());
            assert_eq!(one, other, "{file} {member}");
        }
        members += 1;
    }
    eprintln!("{members} members of the corpus read, {refused} refused");
}
