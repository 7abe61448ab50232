//! Every prefix and every changed byte of the small golden files: a value or an error, the same by every route.

use crate::damage::others;
use crate::source::OneByte;
use crate::tree::Tree;
use serde::Deserialize as _;
use serde_npy::{Array, Category, Deserializer, Header, Limits, ReadOptions, Reader, Result, View};
use std::fs;
use std::path::Path;

/// The elements under so many axes, in C order.
fn elements(tree: &Tree, ndim: usize) -> Vec<&Tree> {
    match tree {
        Tree::Seq(items) if ndim > 0 => items.iter().flat_map(|item| elements(item, ndim - 1)).collect(),
        _ => vec![tree],
    }
}

/// The records of an array of one axis, as the sequence that they are.
fn sequence(records: Result<Vec<Tree>>) -> Result<Tree> {
    records.map(Tree::Seq)
}

/// What the routes make of bytes: nothing where they are refused.
#[track_caller]
fn read(bytes: &[u8], what: &dyn Fn() -> String) -> Option<Tree> {
    // An empty array may have any number of rows.
    let options = &ReadOptions::default().limits(Limits::default().empty_items(1000));
    let slice = serde_npy::from_slice_with::<Tree>(bytes, options);
    let category = slice.as_ref().err().map(serde_npy::Error::category);
    let slice = slice.ok();
    let header = Header::read(bytes);
    let ndim = header.as_ref().map_or(0, Header::ndim);
    assert!(header.is_ok() || slice.is_none(), "header, {}", what());

    type Route<'a> = &'a dyn Fn() -> Result<Tree>;
    let routes: [(&str, Route<'_>); 5] = [
        ("reader", &|| serde_npy::from_reader_with(bytes, options)),
        ("one byte at a time", &|| serde_npy::from_reader_with(OneByte::new(bytes), options)),
        ("Deserializer", &|| {
            let mut deserializer = Deserializer::from_slice_with(bytes, options)?;
            let tree = Tree::deserialize(&mut deserializer)?;
            deserializer.end().map(|()| tree)
        }),
        ("Deserializer of a reader", &|| {
            let mut deserializer = Deserializer::from_reader_with(bytes, options)?;
            let tree = Tree::deserialize(&mut deserializer)?;
            deserializer.end().map(|()| tree)
        }),
        ("View", &|| View::new_with(bytes, options)?.deserialize()),
    ];
    for (route, read) in routes {
        match read() {
            Ok(tree) => assert_eq!(Some(&tree), slice.as_ref(), "{route}, {}", what()),
            // Where data is short, some know it from the start, others after what came before.
            Err(error) if category != Some(Category::Eof) => {
                assert_eq!(Some(error.category()), category, "{route}, {}", what());
            }
            Err(_) => assert!(slice.is_none(), "{route}, {}", what()),
        }
    }
    let records: [(&str, Route<'_>); 2] = [
        ("records by slice", &|| sequence(serde_npy::records_from_slice_with(bytes, options))),
        ("records by reader", &|| sequence(serde_npy::records_from_reader_with(bytes, options))),
    ];
    for (route, read) in records {
        let records = read().ok();
        assert_eq!(records.as_ref(), slice.as_ref().filter(|_| ndim == 1), "{route}, {}", what());
    }
    let array = serde_npy::from_slice_with::<Array<Tree>>(bytes, options).ok();
    let array = array.as_ref().map(|array| array.iter().collect::<Vec<_>>());
    // It has no rows, so that their number is no matter.
    if category != Some(Category::Limit) {
        assert_eq!(array, slice.as_ref().map(|tree| elements(tree, ndim)), "Array, {}", what());
    }

    let streamed = Reader::new_with(bytes, options).and_then(|mut reader| {
        let records = reader.records::<Tree>().collect::<Result<Vec<_>>>()?;
        Ok((reader.header().ndim(), records))
    });
    match (streamed, &slice) {
        (Ok((0, records)), Some(value)) => assert_eq!(records, std::slice::from_ref(value), "stream, {}", what()),
        (Ok((_, records)), Some(value)) => assert_eq!(Tree::Seq(records), *value, "stream, {}", what()),
        (Ok((_, records)), None) => panic!("stream, {}: {records:?}, {category:?}", what()),
        // Rows in Fortran order do not come one after the other.
        (Err(error), Some(_)) => assert_eq!(error.category(), Category::Unsupported, "stream, {}", what()),
        (Err(_), None) => {}
    }
    slice
}

/// All golden files of up to 192 bytes, with their names.
fn small_files() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| {
        path.extension().is_some_and(|extension| extension == "npy") && fs::metadata(path).unwrap().len() <= 192
    });
    assert!(paths.len() > 300, "{}", paths.len());
    paths.into_iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect()
}

#[test]
fn every_prefix_of_a_small_file_is_an_error_by_every_route() {
    for (name, file) in small_files() {
        for length in 0..file.len() {
            let value = read(&file[..length], &|| format!("{length} bytes of {name}"));
            assert!(value.is_none(), "{length} bytes of {name}: {value:?}");
        }
    }
}

#[test]
fn every_changed_byte_of_a_small_file_is_a_value_or_an_error_by_every_route() {
    let (mut changes, mut values) = (0, 0);
    for (name, mut file) in small_files() {
        for place in 0..file.len() {
            let byte = file[place];
            for other in others(byte, place) {
                file[place] = other;
                let value = read(&file, &|| format!("byte {place} as {other:#04x} of {name}"));
                values += usize::from(value.is_some());
                changes += 1;
            }
            file[place] = byte;
        }
    }
    println!("{changes} changed bytes, of which {values} gave a value");
    assert!(values > 1000 && values < changes, "{values} of {changes}");
}
