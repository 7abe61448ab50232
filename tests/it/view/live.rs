//! NumPy's own indexing as the judge: the same arrays, the same indices.

use crate::python::python;
use crate::tree::Tree;
use serde::Deserialize;
use serde_json::{Value, json};
use serde_npy::{BytesAs, Header, ReadOptions, View};
use std::fs;

const SCRIPT: &str = r#"
import json, sys
import numpy as np
from numpy.lib.format import write_array

folder = json.load(sys.stdin)["folder"]
dtypes = [
    "|b1", "|i1", "<i2", ">i4", "<i8", "|u1", ">u2", "<u4", ">u8", "<f2", "<f4", ">f8", "<c8", ">c16", "|S3", "<U2",
    ">U2", "|V3", [("a", "<i4"), ("b", ">f8")],
    {"names": ["a", "b"], "formats": ["|u1", "<f4"], "offsets": [2, 8], "itemsize": 16},
    [("a", [("x", "<i2"), ("y", "|S2")]), ("b", ">u2", (2, 2))],
]
shapes = [(), (0,), (1,), (7,), (3, 4), (4, 1), (1, 5), (2, 0), (2, 3, 4), (3, 1, 2)]

def plain(value):
    if isinstance(value, np.void) and value.dtype.names is not None:
        return {name: plain(value[name]) for name in value.dtype.names}
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value] if value.ndim else plain(value[()])
    if isinstance(value, np.void):
        return list(value.tobytes())
    if isinstance(value, np.complexfloating):
        return [float(value.real), float(value.imag)]
    if isinstance(value, np.bytes_):
        return value.decode("latin-1")
    if isinstance(value, np.str_):
        return str(value)
    return value.item()

number = 0
for dtype in dtypes:
    dtype = np.dtype(dtype)
    for shape in shapes:
        count = int(np.prod(shape))
        for order in "CF":
            raw = bytes((i * 7 + 1) % 100 for i in range(count * dtype.itemsize))
            if dtype.kind == "b":
                raw = bytes(i % 2 for i in range(count))
            flat = np.frombuffer(raw, dtype, count) if dtype.kind != "U" else np.array(
                [chr(65 + i % 50) + chr(955) * (i % 2) for i in range(count)], dtype)
            array = np.array(flat.reshape(shape), order=order)
            path = f"{folder}/{number}.npy"
            with open(path, "wb") as file:
                write_array(file, array)
            known = []
            def ask(op, result):
                known.append({"op": op, "result": plain(result)})
            for i in range(shape[0] if shape else 0):
                ask(["row", i], array[i])
            if shape:
                for lo in range(0, shape[0] + 1, 2):
                    for hi in range(lo, shape[0] + 1, 3):
                        ask(["slice", lo, hi], array[lo:hi])
            for axis in range(len(shape)):
                for i in range(shape[axis]):
                    ask(["axis", axis, i], np.take(array, i, axis) if not dtype.names else array[(slice(None),) * axis + (i,)])
            ask(["T"], array.T)
            for name in dtype.names or ():
                ask(["field", name], array[name])
                ask(["field T", name], array[name].T if dtype[name].shape == () else array.T[name])
                if dtype[name].names:
                    ask(["field", name, "y"], array[name]["y"])
            print(json.dumps({"file": f"{number}.npy", "known": known, "what": f"{dtype} {shape} {order}"}))
            number += 1
"#;

#[derive(Deserialize)]
struct Case {
    file: String,
    what: String,
    known: Vec<Known>,
}

#[derive(Deserialize)]
struct Known {
    op: Vec<Value>,
    result: Value,
}

#[test]
fn indexing_is_that_of_numpy() {
    let folder = tempfile::tempdir().unwrap();
    let task = json!({"folder": folder.path()});
    let Some(printed) = python(SCRIPT, task.to_string().as_bytes()) else { return };
    let options = ReadOptions::default().bytes_as(BytesAs::Latin1);
    let mut compared = 0;
    for line in String::from_utf8(printed).unwrap().lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let file = fs::read(folder.path().join(&case.file)).unwrap();
        let view = View::new_with(&file, &options).unwrap();
        for Known { op, result } in &case.known {
            let number = |place: usize| op[place].as_u64().unwrap();
            let names: Vec<&str> = op[1..].iter().filter_map(Value::as_str).collect();
            let part = match op[0].as_str().unwrap() {
                "row" => view.row(number(1)),
                "slice" => view.slice(number(1)..number(2)),
                "axis" => view.axis(usize::try_from(number(1)).unwrap(), number(2)),
                "T" => Ok(view.transpose()),
                "field" => view.field(&names),
                _ => Ok(view.field(&names).unwrap().transpose()),
            };
            let part = part.unwrap_or_else(|error| panic!("{} {op:?}: {error}", case.what));
            let tree: Tree = part.deserialize().unwrap_or_else(|error| panic!("{} {op:?}: {error}", case.what));
            if let Some(difference) = tree.differs_from(result) {
                panic!("{} {op:?}{difference}", case.what);
            }
            if part.ndim() > 0 {
                let items: Vec<Tree> = part.iter().map(Result::unwrap).collect();
                assert_eq!(Tree::Seq(items), tree, "{} {op:?}: one by one", case.what);
                assert_eq!(Tree::Seq(part.records(..).unwrap()), tree, "{} {op:?}: at once", case.what);
            }
            compared += 1;
        }
        let header = Header::read(&file[..]).unwrap();
        if let Ok(place) = header.byte_range(0..header.records()) {
            let bytes = &file[usize::try_from(place.start).unwrap()..usize::try_from(place.end).unwrap()];
            let part = View::part_with(&header, 0..header.records(), bytes, &options).unwrap();
            assert_eq!(part.deserialize::<Tree>().unwrap(), view.deserialize::<Tree>().unwrap(), "{}", case.what);
        }
    }
    println!("{compared} results of indexing compared with NumPy");
    assert!(compared > 4000, "{compared} compared");
}
