//! Random arrays of random dtypes: NumPy writes, we read and write again, NumPy compares.

use crate::array_file::ArrayFile;
use crate::manifest;
use crate::python::python;
use crate::tree::Tree;
use serde::Deserialize;
use serde_json::{Value, json};
use serde_npy::{BytesAs, ReadOptions, WriteOptions};
use std::fs;

/// What NumPy says of a file that it wrote.
#[derive(Deserialize)]
struct Case {
    version: String,
    descr: String,
    shape: Vec<u64>,
    fortran_order: bool,
    encoding: String,
    values: Value,
}

#[test]
fn random_arrays_pass_to_us_and_back() {
    let number = |name: &str, default: u64| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (seed, count) = (number("SERDE_NPY_SEED", 20_260_301), number("SERDE_NPY_ARRAYS", 500));
    let folder = tempfile::tempdir().unwrap();
    let data = manifest::golden_dir();
    let task = json!({"folder": folder.path(), "data": data.parent().unwrap(), "seed": seed, "count": count});
    let Some(printed) = python(include_str!("arrays.py"), task.to_string().as_bytes()) else { return };
    let printed = String::from_utf8(printed).unwrap();

    let mut back = Vec::new();
    for (position, line) in printed.lines().enumerate() {
        let case: Case = serde_json::from_str(line).unwrap();
        let name = format!("array {position} of seed {seed}, {}, {:?}", case.descr, case.shape);
        let file = fs::read(folder.path().join(format!("{position}.npy"))).unwrap();
        let array = ArrayFile::first_of(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let header = &array.header;
        assert_eq!(header.version().to_string(), case.version, "{name}");
        assert_eq!(header.dtype().to_string(), case.descr, "{name}");
        assert_eq!(header.shape(), case.shape, "{name}");
        assert_eq!(header.fortran_order(), case.fortran_order, "{name}");
        assert!(header.is_canonical(), "{name}");
        assert_eq!(array.bytes.len(), file.len(), "{name}");

        let bytes_as = if case.encoding == "utf-8" { BytesAs::Text } else { BytesAs::Latin1 };
        let options = ReadOptions::default().bytes_as(bytes_as).trailing(false);
        let tree: Tree = serde_npy::from_slice_with(&file, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        if let Some(difference) = tree.differs_from(&case.values) {
            panic!("{name}{difference}");
        }
        assert_eq!(serde_npy::from_reader_with::<Tree>(&file[..], &options).unwrap(), tree, "{name}");

        if !array.nesting_tells_shape() {
            continue;
        }
        let exact = match bytes_as {
            BytesAs::Text => tree,
            _ => serde_npy::from_slice_with(&file, &options.bytes_as(BytesAs::Bytes)).unwrap(),
        };
        let options = WriteOptions::default().dtype(header.dtype().clone()).fortran_order(header.fortran_order());
        let written =
            serde_npy::to_vec_with(&exact, &options).unwrap_or_else(|error| panic!("{name}: written again: {error}"));
        let data = array.data_without_padding();
        let start = file.len() - data.len();
        assert_eq!(written[..start], file[..start], "{name}: header written again");
        assert_eq!(written[start..], data, "{name}: data written again");
        fs::write(folder.path().join(format!("{position}.back.npy")), written).unwrap();
        back.push(position);
    }
    assert_eq!(u64::try_from(printed.lines().count()).unwrap(), count);
    assert!(10 * back.len() > 8 * printed.lines().count(), "{} of {count} written again", back.len());
    let task = json!({"folder": folder.path(), "stems": back});
    let judged = python(include_str!("judge.py"), task.to_string().as_bytes()).unwrap();
    assert_eq!(String::from_utf8(judged).unwrap(), back.len().to_string());
    println!("{count} arrays read, {} written again and compared by NumPy", back.len());
}
