//! Members that NumPy's `savez` is given or cannot be given: reserved names, `None`, dicts, masked and empty arrays.

use crate::python::python;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_npy::npz;
use serde_npy::{Array, Category};
use std::fs;
use std::io::{Cursor, Read as _};

/// The names of arguments of `numpy.savez`, under which it cannot save, or could not once.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Reserved {
    file: i32,
    like: f64,
    args: Vec<i32>,
    kwds: [bool; 2],
    allow_pickle: bool,
    #[serde(rename = "self")]
    this: String,
}

/// What one library calls `row` and `col` has other names in another.
#[derive(Deserialize, PartialEq, Debug)]
struct Aliased {
    #[serde(alias = "coords_row")]
    row: Vec<i64>,
    #[serde(alias = "values")]
    data: Vec<f64>,
}

/// `numpy.ma` has no form of its own in an archive: two members are one.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Masked {
    data: Array<f32>,
    mask: Array<bool>,
}

impl Masked {
    fn values(&self) -> Vec<Option<f32>> {
        let items = self.data.data().iter().zip(self.mask.data());
        items.map(|(value, masked)| (!masked).then_some(*value)).collect()
    }
}

#[test]
fn odd_members_are_those_of_numpy() {
    let folder = tempfile::tempdir().unwrap();
    let reserved = Reserved {
        file: -1,
        like: 0.5,
        args: vec![1, 2],
        kwds: [true, false],
        allow_pickle: true,
        this: "me".to_owned(),
    };
    npz::to_path(folder.path().join("reserved.npz"), &reserved).unwrap();
    let masked = Masked {
        data: Array::new(vec![2, 2], vec![1.5, 2.5, 3.5, 4.5]).unwrap(),
        mask: Array::new(vec![2, 2], vec![false, true, false, false]).unwrap(),
    };
    npz::to_path(folder.path().join("masked.npz"), &masked).unwrap();
    let script = r#"
import io, json, sys, zipfile
import numpy as np
folder = json.load(sys.stdin)["folder"]
reserved = np.load(f"{folder}/reserved.npz")
assert reserved.files == ["file", "like", "args", "kwds", "allow_pickle", "self"], reserved.files
assert [reserved[name].tolist() for name in reserved.files] == [-1, 0.5, [1, 2], [True, False], True, "me"]
ours = np.load(f"{folder}/masked.npz")
masked = np.ma.MaskedArray(ours["data"], ours["mask"])
assert masked.tolist() == [[1.5, None], [3.5, 4.5]], masked
np.savez(f"{folder}/masked.again.npz", data=masked.data, mask=masked.mask)
np.savez(f"{folder}/odd.npz", none=None, settings={"k": {"a": 1}}, empty=[], like=4, text="abc", bytes=b"abc\0")
np.savez(f"{folder}/alias.npz", coords_row=np.arange(3), values=np.ones(3))
with zipfile.ZipFile(f"{folder}/twice.npz", "w") as z:
    for number in (1, 2):
        file = io.BytesIO()
        np.save(file, np.int64(number))
        z.writestr("x.npy", file.getvalue())
        z.writestr(f"y{number}.npy", file.getvalue())
assert int(np.load(f"{folder}/twice.npz")["x"]) == 2
"#;
    if python(script, json!({"folder": folder.path()}).to_string().as_bytes()).is_none() {
        return;
    }
    let read = |file: &str| fs::read(folder.path().join(file)).unwrap();
    assert_eq!(npz::from_slice::<Reserved>(&read("reserved.npz")).unwrap(), reserved);
    let again: Masked = npz::from_slice(&read("masked.again.npz")).unwrap();
    assert_eq!(again, masked);
    assert_eq!(again.values(), [Some(1.5), None, Some(3.5), Some(4.5)]);
    let aliased: Aliased = npz::from_slice(&read("alias.npz")).unwrap();
    assert_eq!(aliased, Aliased { row: vec![0, 1, 2], data: vec![1.0; 3] });

    // An object harms nobody who does not ask for it.
    #[derive(Deserialize, PartialEq, Debug)]
    struct Asked {
        empty: Vec<f64>,
        like: i64,
        text: String,
        bytes: String,
        #[serde(default)]
        missing: Option<u8>,
    }
    let odd = read("odd.npz");
    let asked: Asked = npz::from_slice(&odd).unwrap();
    assert_eq!(asked, Asked { empty: vec![], like: 4, text: "abc".into(), bytes: "abc".into(), missing: None });
    let mut reader = npz::Reader::from_slice(&odd).unwrap();
    assert_eq!(reader.names().collect::<Vec<_>>(), ["none", "settings", "empty", "like", "text", "bytes"]);
    for name in ["none", "settings"] {
        assert_eq!(reader.header(name).unwrap().shape(), [0u64; 0]);
        let error = reader.get::<Option<i64>>(name).unwrap_err();
        assert_eq!((error.category(), error.member()), (Category::Unsupported, Some(name)));
        assert_eq!(
            error.to_string(),
            format!(
                "the dtype is `|O`: Python objects, for which NumPy saves the whole array as a pickle; save it with \
                 fixed-width strings or numbers instead, such as `astype('U16')`, or `column_dtypes` of \
                 `DataFrame.to_records`, and times with a zone after `dt.tz_convert(None)` (member `{name}`)"
            )
        );
    }

    let twice = read("twice.npz");
    let mut reader = npz::Reader::from_slice(&twice).unwrap();
    assert_eq!(reader.names().collect::<Vec<_>>(), ["x", "y1", "y2"]);
    assert_eq!(reader.get::<i64>("x").unwrap(), 2);
}

/// One array is replaced by writing the archive again: what stays is copied as the bytes that it is.
#[test]
fn an_array_is_replaced_by_writing_the_others_again() {
    let archive = npz::to_vec(&(1, vec![0.5, 1.5], "text")).unwrap();
    let mut reader = npz::Reader::from_slice(&archive).unwrap();
    let mut writer = npz::Writer::new(Cursor::new(Vec::new()));
    let names: Vec<_> = reader.names().map(str::to_owned).collect();
    for name in names {
        if name == "arr_1" {
            writer.add(&name, &[2.5f32; 3]).unwrap();
        } else {
            let member = format!("{name}.npy");
            let mut bytes = Vec::new();
            reader.raw(&member).unwrap().read_to_end(&mut bytes).unwrap();
            writer.add_bytes(&member, &bytes).unwrap();
        }
    }
    let archive = writer.finish().unwrap().into_inner();
    let replaced: (i32, Vec<f32>, String) = npz::from_slice(&archive).unwrap();
    assert_eq!(replaced, (1, vec![2.5; 3], "text".to_owned()));
}
