//! Headers that NumPy reads only with `max_header_size` raised.

use crate::manifest;
use crate::python::python;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_npy::{Category, Header, Limits, ReadOptions, Version};
use std::collections::BTreeMap;
use std::fs;

const COLUMNS: usize = 1000;
const ROWS: usize = 4;

/// Over 64 bytes each, so that a thousand of them do not fit into a header of version 1.0.
fn name(column: usize) -> String {
    format!("column {column:04} of a table that somebody exported with all it had")
}

/// Five of the thousand, in another order than that of the file.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Five {
    #[serde(rename = "column 0999 of a table that somebody exported with all it had")]
    last: f64,
    #[serde(rename = "column 0000 of a table that somebody exported with all it had")]
    first: f64,
    #[serde(rename = "column 0500 of a table that somebody exported with all it had")]
    middle: f64,
    #[serde(rename = "column 0007 of a table that somebody exported with all it had")]
    seventh: f64,
    #[serde(rename = "column 0998 of a table that somebody exported with all it had", default)]
    last_but_one: Option<f64>,
}

fn cell(row: usize, column: usize) -> f64 {
    f64::from(u32::try_from(row * COLUMNS + column).unwrap()) / 8.0
}

fn five(row: usize) -> Five {
    Five {
        last: cell(row, 999),
        first: cell(row, 0),
        middle: cell(row, 500),
        seventh: cell(row, 7),
        last_but_one: Some(cell(row, 998)),
    }
}

#[test]
fn a_header_of_a_thousand_columns_passes_both_ways() {
    let table: Vec<BTreeMap<String, f64>> =
        (0..ROWS).map(|row| (0..COLUMNS).map(|column| (name(column), cell(row, column))).collect()).collect();
    let ours = serde_npy::to_vec(&table).unwrap();
    let header = Header::read(&ours[..]).unwrap();
    assert_eq!(header.version(), Version::V2_0);
    assert!(header.data_offset() > 65_536, "{}", header.data_offset());
    let expected: Vec<Five> = (0..ROWS).map(five).collect();
    assert_eq!(serde_npy::from_slice::<Vec<Five>>(&ours).unwrap(), expected);
    assert_eq!(serde_npy::records_from_reader::<Five>(&ours[..]).unwrap(), expected);

    // Of those that a limit of NumPy's size refuses, the error tells how long the header is.
    let limited = ReadOptions::default().limits(Limits::default().max_header_size(10_000));
    let error = serde_npy::from_slice_with::<Vec<Five>>(&ours, &limited).unwrap_err();
    let length = header.data_offset() - 12;
    let message = format!("a header of {length} bytes, over the limit `max_header_size` of 10000 (byte 8)");
    assert_eq!((error.category(), error.to_string()), (Category::Limit, message));

    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ours.npy"), &ours).unwrap();
    let names: Vec<String> = (0..COLUMNS).map(name).collect();
    let script = r#"
import io, json, sys, warnings
import numpy as np
warnings.simplefilter("ignore")
task = json.load(sys.stdin)
path = task["folder"] + "/ours.npy"
try:
    np.load(path)
    sys.exit("NumPy reads a header of over 10 000 characters")
except ValueError as error:
    assert "max_header_size" in str(error), error
array = np.load(path, max_header_size=200_000)
assert array.dtype == np.dtype([(name, "<f8") for name in task["names"]])
table = np.arange(task["rows"] * len(task["names"])).reshape(task["rows"], -1) / 8
assert (np.array(array.tolist()) == table).all()
np.save(task["folder"] + "/again.npy", array)
# The same columns, but of every width and byteorder, and with gaps between them.
formats = ["<f8", ">f4", "<f4", ">f8", "<i4", ">i4", "<u4", ">i8"]
names = task["names"]
mixed = np.zeros(task["rows"], np.dtype({
    "names": names, "formats": [formats[i % 8] for i in range(len(names))], "offsets": [9 * i for i in range(len(names))]}))
for column, name in enumerate(names):
    mixed[name] = np.arange(task["rows"]) * 1000 + column
np.save(task["folder"] + "/mixed.npy", mixed)
# Over 10 000, but not over 64 KiB, as most tables that are too wide for NumPy's default are.
np.save(task["folder"] + "/version-1.npy", array[names[:200]].astype([(name, "<f8") for name in names[:200]]))
"#;
    let task = json!({"folder": folder.path(), "names": names, "rows": ROWS});
    if python(script, task.to_string().as_bytes()).is_none() {
        return;
    }
    let read = |file: &str| fs::read(folder.path().join(file)).unwrap();
    assert!(read("again.npy") == ours, "NumPy saves other bytes than we do");

    let mixed = read("mixed.npy");
    let fives: Vec<Five> = serde_npy::from_slice(&mixed).unwrap();
    for (row, five) in fives.iter().enumerate() {
        let at = |column: usize| f64::from(u32::try_from(row * 1000 + column).unwrap());
        let expected =
            Five { last: at(999), first: at(0), middle: at(500), seventh: at(7), last_but_one: Some(at(998)) };
        assert_eq!(*five, expected);
    }
    let columns: Vec<BTreeMap<String, f64>> = serde_npy::records_from_slice(&mixed).unwrap();
    assert_eq!(columns[2][&name(123)], 2123.0);
    assert_eq!(columns[3].len(), COLUMNS);

    let version_1 = read("version-1.npy");
    let header = Header::read(&version_1[..]).unwrap();
    assert_eq!((header.version(), header.is_canonical()), (Version::V1_0, true));
    assert!(header.data_offset() > 10_000, "{}", header.data_offset());
    let columns: Vec<BTreeMap<String, f64>> = serde_npy::from_slice(&version_1).unwrap();
    assert_eq!(columns[1][&name(199)], cell(1, 199));
    assert_eq!(serde_npy::to_vec(&columns).unwrap(), version_1);
}

/// The same without Python: a golden file whose thousand columns are `u1`.
#[test]
fn a_golden_header_of_a_thousand_columns_is_read_by_name() {
    #[derive(Deserialize)]
    struct Two {
        #[serde(rename = "column 0999 of a table that is wider than one would like")]
        last: u8,
        #[serde(rename = "column 0001 of a table that is wider than one would like")]
        second: u16,
    }
    let bytes = fs::read(manifest::golden_dir().join("version-2-forced.npy")).unwrap();
    let two: [Two; 1] = serde_npy::from_slice(&bytes).unwrap();
    let data = &bytes[bytes.len() - 1000..];
    assert_eq!((two[0].last, two[0].second), (data[999], data[1].into()));
}
