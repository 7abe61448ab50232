//! Names and titles of fields, each rule of the guide checked with NumPy.

use crate::python::python;
use crate::routes::npy;
use serde::Deserialize;
use serde_json::json;
use serde_npy::{DType, Header, WriteOptions};
use std::collections::BTreeMap;
use std::fs;

/// What becomes of a descr whose fields are all `<i2`, apart from gaps.
enum Outcome {
    /// NumPy and we read these names and titles, and save the same file.
    Same(&'static [(&'static str, Option<&'static str>)]),
    /// NumPy refuses it, and so do we.
    Refused(&'static str),
    /// Only we do.
    OnlyHere(&'static str),
}

use Outcome::{OnlyHere, Refused, Same};

const ROWS: &[(&str, Outcome)] = &[
    ("[(('The speed', 'a'), '<i2'), ('b', '<i2')]", Same(&[("a", Some("The speed")), ("b", None)])),
    ("[(('', 'a'), '<i2')]", Same(&[("a", Some(""))])),
    ("[((None, 'a'), '<i2'), ('b', '<i2')]", Same(&[("a", None), ("b", None)])),
    ("[('a', '<i2'), (('a', 'b'), '<i2')]", Refused("the title `a` is a name or a title already (byte 23)")),
    ("[(('b', 'a'), '<i2'), ('b', '<i2')]", Refused("the title `b` is a name or a title already (byte 23)")),
    ("[(('a', 'a'), '<i2')]", Refused("the title `a` is a name or a title already (byte 23)")),
    ("[(('t', 'a'), '<i2'), (('t', 'b'), '<i2')]", Refused("the title `t` is a name or a title already (byte 23)")),
    ("[('a', '<i2'), ('a', '<i2')]", Refused("the field name `a` occurs twice (byte 23)")),
    ("[((1, 'a'), '<i2')]", OnlyHere("a title that is no string, `1` (byte 23)")),
    ("[('a', '<i2'), ('', '|V3'), ('b', '<i2'), ('', '|V1')]", Same(&[("a", None), ("b", None)])),
    ("[('', '<i2'), ('b', '<i2')]", Same(&[("", None), ("b", None)])),
    (
        "[('descr', '<i2'), ('shape', '<i2'), ('fortran_order', '<i2')]",
        Same(&[("descr", None), ("shape", None), ("fortran_order", None)]),
    ),
    (
        "[('a b', '<i2'), ('1st', '<i2'), ('class', '<i2'), ('x-y', '<i2'), ('# no', '<i2'), ('}', '<i2'), ('0', '<i2')]",
        Same(&[("a b", None), ("1st", None), ("class", None), ("x-y", None), ("# no", None), ("}", None), ("0", None)]),
    ),
    (
        r#"[("it's", '<i2'), ('"', '<i2'), ('a\\b', '<i2'), ('a\nb', '<i2'), ('a\tb', '<i2'), ('a\x00b', '<i2')]"#,
        Same(&[("it's", None), ("\"", None), ("a\\b", None), ("a\nb", None), ("a\tb", None), ("a\0b", None)]),
    ),
    ("[('a', '<i2'), ('A', '<i2')]", Same(&[("a", None), ("A", None)])),
    // One code point and two, which look alike.
    (r"[('\xe9', '<i2'), ('e\u0301', '<i2')]", Same(&[("é", None), ("e\u{301}", None)])),
    (r"[(('\u65e5', '\u672c'), '<i2'), ('\U0001f600', '<i2')]", Same(&[("本", Some("日")), ("😀", None)])),
    (
        r"[('\ud800', '<i2')]",
        OnlyHere("the lone surrogate `\\ud800`, which is no character of a Rust string (byte 23)"),
    ),
    (
        r"[(('\udfff', 'a'), '<i2')]",
        OnlyHere("the lone surrogate `\\udfff`, which is no character of a Rust string (byte 23)"),
    ),
    (
        r"[('\ud83d\ude00', '<i2')]",
        OnlyHere("the lone surrogate `\\ud83d`, which is no character of a Rust string (byte 23)"),
    ),
];

/// The message without the place, which is another row's affair.
fn placeless(message: &str) -> &str {
    message.rsplit_once(" (byte ").map_or(message, |(message, _)| message)
}

#[test]
fn names_and_titles_are_those_of_numpy() {
    let folder = tempfile::tempdir().unwrap();
    let mut read = Vec::new();
    for (i, (descr, outcome)) in ROWS.iter().enumerate() {
        let data: Vec<u8> = (0..=u8::MAX).take(64).collect();
        let file = npy(descr, "(2,)", &data);
        fs::write(folder.path().join(format!("{i}.npy")), &file).unwrap();
        let header = Header::read(&file[..]);
        match outcome {
            Same(names) => {
                let header = header.unwrap_or_else(|error| panic!("{descr}: {error}"));
                let DType::Struct(dtype) = header.dtype() else { panic!("{descr}") };
                let fields = dtype.fields();
                let found: Vec<_> = fields.iter().map(|field| (field.name(), field.title())).collect();
                assert_eq!(found, *names, "{descr}");
                let records: Vec<BTreeMap<String, i16>> = serde_npy::from_slice(&file).unwrap();
                assert_eq!(records[1].len(), names.len(), "{descr}");
                let options = WriteOptions::default().dtype(header.dtype().clone());
                let ours = serde_npy::to_vec_with(&records, &options).unwrap();
                fs::write(folder.path().join(format!("{i}.ours.npy")), &ours).unwrap();
                read.push(json!(records));
            }
            Refused(message) | OnlyHere(message) => {
                let error = header.unwrap_err().to_string();
                assert_eq!(placeless(&error), placeless(message), "{descr}");
                read.push(json!(null));
            }
        }
    }
    let refused: Vec<bool> = ROWS.iter().map(|(_, outcome)| matches!(outcome, Refused(_))).collect();
    let script = r#"
import json, sys, warnings
import numpy as np
warnings.simplefilter("ignore")
task = json.load(sys.stdin)
for i, (refused, records) in enumerate(zip(task["refused"], task["read"])):
    try:
        array = np.load(f"{task['folder']}/{i}.npy")
    except ValueError as error:
        assert refused, (i, error)
        continue
    assert not refused, (i, array.dtype)
    if records is None:
        continue
    assert [{name: int(record[name]) for name in array.dtype.names} for record in array] == records, (i, array, records)
    np.save(f"{task['folder']}/{i}.again.npy", array)
    ours = np.load(f"{task['folder']}/{i}.ours.npy")
    assert ours.dtype.names == array.dtype.names and ours.tolist() == array.tolist(), i
# What the guide says of names that `dtype` makes up.
assert np.dtype([("", "i4")]).names == ("f0",)
"#;
    let task = json!({"folder": folder.path(), "refused": refused, "read": read});
    if python(script, task.to_string().as_bytes()).is_none() {
        return;
    }
    for (i, (descr, outcome)) in ROWS.iter().enumerate() {
        let load = |kind: &str| fs::read(folder.path().join(format!("{i}.{kind}.npy"))).unwrap();
        let header = |file: &[u8]| file[..Header::read(file).unwrap().data_offset() as usize].to_vec();
        if let Same(_) = outcome {
            // What padding holds is not compared.
            assert_eq!(header(&load("again")), header(&load("ours")), "{descr}");
        }
    }
}

#[test]
fn structs_find_fields_by_name_or_title() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Odd {
        #[serde(rename = "")]
        empty: i16,
        #[serde(rename = "descr")]
        header_key: i16,
        #[serde(rename = "The speed")]
        by_title: i16,
    }
    let data: Vec<u8> = vec![1, 0, 2, 0, 3, 0];
    let file = npy("[(('The speed', 'v'), '<i2'), ('descr', '<i2'), ('', '<i2')]", "()", &data);
    assert_eq!(serde_npy::from_slice::<Odd>(&file).unwrap(), Odd { empty: 3, header_key: 2, by_title: 1 });
    // By both: the name takes the field.
    #[derive(Deserialize, PartialEq, Debug)]
    struct Both {
        #[serde(rename = "The speed")]
        by_title: Option<i16>,
        v: i16,
    }
    assert_eq!(serde_npy::from_slice::<Both>(&file).unwrap(), Both { by_title: None, v: 1 });
}
