//! Sparse matrices of SciPy: what `save_npz` writes into plain structs, and what these become for `load_npz`.

use crate::python::python;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_npy::npz::{self, Compression, WriteOptions};
use std::fs;
use std::path::Path;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Compressed<I> {
    indices: Vec<I>,
    indptr: Vec<I>,
    format: String,
    shape: [i64; 2],
    data: Vec<f64>,
}

/// In older files `row` and `col`, in those of sparse arrays `coords`.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Coo<I> {
    row: Vec<I>,
    col: Vec<I>,
    format: String,
    shape: [i64; 2],
    data: Vec<f64>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Bsr<I> {
    indices: Vec<I>,
    indptr: Vec<I>,
    format: String,
    shape: [i64; 2],
    data: Vec<[[f64; 3]; 2]>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Dia<I> {
    offsets: Vec<I>,
    format: String,
    shape: [i64; 2],
    data: Vec<Vec<f64>>,
}

const SHAPE: [i64; 2] = [4, 6];

/// [[1, 0, 0, 2, 0, 0], [0, 3, 0, 0, 0, 0], [0; 6], [0, 0, 0, -4.5, 0, 6]]
fn compressed<I: TryFrom<i64>>(format: &str) -> Compressed<I> {
    let (indices, indptr, data) = match format {
        "csr" => (vec![0, 3, 1, 3, 5], vec![0, 2, 3, 3, 5], vec![1.0, 2.0, 3.0, -4.5, 6.0]),
        _ => (vec![0, 1, 0, 3, 3], vec![0, 1, 2, 2, 4, 4, 5], vec![1.0, 3.0, 2.0, -4.5, 6.0]),
    };
    Compressed { indices: all(indices), indptr: all(indptr), format: format.into(), shape: SHAPE, data }
}

fn coo<I: TryFrom<i64>>() -> Coo<I> {
    let data = vec![1.0, 2.0, 3.0, -4.5, 6.0];
    Coo { row: all(vec![0, 0, 1, 3, 3]), col: all(vec![0, 3, 1, 3, 5]), format: "coo".into(), shape: SHAPE, data }
}

/// Blocks of 2 by 3.
fn bsr<I: TryFrom<i64>>() -> Bsr<I> {
    let data = vec![
        [[1.0, 0.0, 0.0], [0.0, 3.0, 0.0]],
        [[2.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
        [[0.0, 0.0, 0.0], [-4.5, 0.0, 6.0]],
    ];
    Bsr { indices: all(vec![0, 1, 1]), indptr: all(vec![0, 2, 3]), format: "bsr".into(), shape: SHAPE, data }
}

/// Diagonals by the column of their items.
fn dia<I: TryFrom<i64>>() -> Dia<I> {
    let data = vec![
        vec![1.0, 3.0, 0.0, -4.5, 0.0, 0.0],
        vec![0.0, 0.0, 0.0, 0.0, 0.0, 6.0],
        vec![0.0, 0.0, 0.0, 2.0, 0.0, 0.0],
    ];
    Dia { offsets: all(vec![0, 2, 3]), format: "dia".into(), shape: SHAPE, data }
}

fn all<I: TryFrom<i64>>(indices: Vec<i64>) -> Vec<I> {
    indices.into_iter().map(|index| I::try_from(index).ok().unwrap()).collect()
}

/// Which file holds which value.
macro_rules! files {
    ($check:ident, $folder:expr) => {
        for bits in ["i4", "i8"] {
            let path = |format: &str| $folder.join(format!("{format}-{bits}.npz"));
            if bits == "i4" {
                $check(&path("csr"), &compressed::<i32>("csr"));
                $check(&path("csc"), &compressed::<i32>("csc"));
                $check(&path("coo"), &coo::<i32>());
                $check(&path("bsr"), &bsr::<i32>());
                $check(&path("dia"), &dia::<i32>());
            }
            if bits == "i8" {
                $check(&path("csr"), &compressed::<i64>("csr"));
                $check(&path("csc"), &compressed::<i64>("csc"));
                $check(&path("coo"), &coo::<i64>());
                $check(&path("bsr"), &bsr::<i64>());
                $check(&path("dia"), &dia::<i64>());
            }
        }
    };
}

fn save<T: Serialize>(path: &Path, matrix: &T) {
    npz::to_path(path, matrix).unwrap();
    let deflated = WriteOptions::default().compression(Compression::FAST);
    npz::to_path_with(path.with_extension("deflated.npz"), matrix, &deflated).unwrap();
}

fn load<T: for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug>(path: &Path, matrix: &T) {
    let bytes = fs::read(path).unwrap();
    assert_eq!(npz::from_slice::<T>(&bytes).unwrap(), *matrix, "{}", path.display());
    assert_eq!(npz::from_path::<T>(path).unwrap(), *matrix, "{}", path.display());
}

#[test]
fn sparse_matrices_pass_both_ways() {
    let folder = tempfile::tempdir().unwrap();
    let (ours, theirs) = (folder.path().join("ours"), folder.path().join("theirs"));
    fs::create_dir(&ours).unwrap();
    fs::create_dir(&theirs).unwrap();
    files!(save, ours);
    let script = r#"
import glob, json, os, sys, zipfile
try:
    import numpy as np, scipy.sparse as sparse
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit()
folder = json.load(sys.stdin)["folder"]
dense = np.array([[1, 0, 0, 2, 0, 0], [0, 3, 0, 0, 0, 0], [0] * 6, [0, 0, 0, -4.5, 0, 6]], "f8")
paths = sorted(glob.glob(folder + "/ours/*.npz"))
assert len(paths) == 20, paths
for path in paths:
    matrix = sparse.load_npz(path)
    assert matrix.format == os.path.basename(path)[:3], (path, matrix.format)
    assert (matrix.toarray() == dense).all() and matrix.dtype == np.float64, (path, matrix.toarray())
    assert zipfile.ZipFile(path).testzip() is None, path

for bits in ["i4", "i8"]:
    index = lambda values: np.array(values, bits)
    def with_indices(matrix):
        if matrix.format == "coo":
            matrix.coords = tuple(axis.astype(bits) for axis in matrix.coords)
        for name in ["indices", "indptr", "offsets"]:
            if hasattr(matrix, name):
                setattr(matrix, name, getattr(matrix, name).astype(bits))
                assert getattr(matrix, name).dtype == np.dtype(bits), (matrix.format, name)
        return matrix
    matrices = {
        "csr": sparse.csr_matrix(dense),
        "csc": sparse.csc_matrix(dense),
        "coo": sparse.coo_matrix(dense),
        "bsr": sparse.bsr_matrix(dense, blocksize=(2, 3)),
        "dia": sparse.dia_matrix(dense),
    }
    for format, matrix in matrices.items():
        matrix = with_indices(matrix)
        assert (matrix.toarray() == dense).all()
        sparse.save_npz(f"{folder}/theirs/{format}-{bits}.npz", matrix, compressed=bits == "i4")
        again = np.load(f"{folder}/theirs/{format}-{bits}.npz")
        kinds = {name: again[name].dtype.str for name in again.files if name in ("indices", "indptr", "row", "col", "offsets")}
        assert set(kinds.values()) == {"<" + bits}, (format, kinds)
"#;
    let task = json!({"folder": folder.path()});
    let Some(printed) = python(script, task.to_string().as_bytes()) else { return };
    if !printed.is_empty() {
        eprint!("{}", String::from_utf8(printed).unwrap());
        return;
    }
    files!(load, theirs);
}
