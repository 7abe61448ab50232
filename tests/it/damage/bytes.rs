//! Every prefix and every changed bit of small golden files: a value or an error, the same by every route.

use crate::source::OneByte;
use crate::tree::Tree;
use serde_npy::{Category, Reader};
use std::fs;
use std::path::Path;

/// What the routes make of bytes: nothing where they are refused.
#[track_caller]
fn read(bytes: &[u8], what: &dyn Fn() -> String) -> Option<Tree> {
    let slice = serde_npy::from_slice::<Tree>(bytes);
    let category = slice.as_ref().err().map(serde_npy::Error::category);
    let slice = slice.ok();
    assert_eq!(serde_npy::from_reader::<Tree>(bytes).ok(), slice, "reader, {}", what());
    assert_eq!(serde_npy::from_reader::<Tree>(OneByte::new(bytes)).ok(), slice, "one byte at a time, {}", what());
    let streamed = Reader::new(bytes).and_then(|mut reader| {
        let (ndim, fortran) = (reader.header().ndim(), reader.header().fortran_order());
        Ok((ndim, fortran, reader.records::<Tree>().collect::<Result<Vec<_>, _>>()?))
    });
    match (streamed, &slice) {
        (Ok((0, _, records)), Some(value)) => assert_eq!(records, std::slice::from_ref(value), "stream, {}", what()),
        (Ok((_, _, records)), Some(value)) => assert_eq!(Tree::Seq(records), *value, "stream, {}", what()),
        (Ok((_, _, records)), None) => panic!("stream, {}: {records:?}, {category:?}", what()),
        // Rows in Fortran order do not come one after the other.
        (Err(error), Some(_)) => assert_eq!(error.category(), Category::Unsupported, "stream, {}", what()),
        (Err(_), None) => {}
    }
    slice
}

#[test]
fn damaged_files_are_a_value_or_an_error_by_every_route() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| {
        path.extension().is_some_and(|extension| extension == "npy") && fs::metadata(path).unwrap().len() <= 300
    });
    assert!(paths.len() > 300, "{}", paths.len());
    let (mut prefixes, mut changes, mut values) = (0, 0, 0);
    for (position, path) in paths.iter().enumerate() {
        let file = fs::read(path).unwrap();
        let name = path.display();
        // The start of the header is much the same in all.
        for length in if position % 16 == 0 { 0 } else { 118 }..file.len() {
            let value = read(&file[..length], &|| format!("{length} bytes of {name}"));
            assert!(value.is_none(), "{length} bytes of {name}: {value:?}");
            prefixes += 1;
        }
        if position % 4 > 0 {
            continue;
        }
        let first = if position % 64 == 0 { 0 } else { 128.min(file.len()) };
        for byte in first..file.len() {
            for bit in 0..8 {
                let mut changed = file.clone();
                changed[byte] ^= 1 << bit;
                let value = read(&changed, &|| format!("bit {bit} of byte {byte} of {name}"));
                values += usize::from(value.is_some());
                changes += 1;
            }
        }
    }
    println!("{} files, {prefixes} prefixes, {changes} changed bits, of which {values} gave a value", paths.len());
    assert!(values > 1000 && values < changes, "{values} of {changes}");
}
