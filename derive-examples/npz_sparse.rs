//! Sparse matrices as `scipy.sparse.save_npz` writes them: plain structs, and `sprs` for the mathematics.

use serde::{Deserialize, Serialize};
use serde_npy::npz;
use sprs::{CsMat, TriMat};
use std::io::Cursor;

/// CSR and CSC. SciPy has indices of `<i4` or `<i8`; both fit an `i64`.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Compressed {
    indices: Vec<i64>,
    indptr: Vec<i64>,
    /// `|S3` in files by SciPy, which takes text too.
    format: String,
    shape: (i64, i64),
    data: Vec<f64>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Coo {
    row: Vec<i64>,
    col: Vec<i64>,
    format: String,
    shape: (i64, i64),
    data: Vec<f64>,
}

/// Blocks of 2 by 2; `Vec<Vec<Vec<f64>>>` takes any.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Bsr {
    indices: Vec<i64>,
    indptr: Vec<i64>,
    format: String,
    shape: (i64, i64),
    data: Vec<[[f64; 2]; 2]>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Dia {
    offsets: Vec<i64>,
    format: String,
    shape: (i64, i64),
    data: Vec<Vec<f64>>,
}

/// Any of them as a matrix of `sprs`.
fn read(archive: &[u8]) -> Result<CsMat<f64>, Box<dyn std::error::Error>> {
    let size =
        |(rows, columns): (i64, i64)| Ok::<_, std::num::TryFromIntError>((rows.try_into()?, columns.try_into()?));
    let indices = |values: Vec<i64>| values.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>();
    let format: String = npz::Reader::new(Cursor::new(archive))?.get("format")?;
    Ok(match format.as_str() {
        "csr" | "csc" => {
            let Compressed { indices: inner, indptr, shape, data, .. } = npz::from_slice(archive)?;
            let make = if format == "csr" { CsMat::try_new } else { CsMat::try_new_csc };
            make(size(shape)?, indices(indptr)?, indices(inner)?, data).map_err(|(.., error)| error)?.to_csr()
        }
        "coo" => {
            let Coo { row, col, shape, data, .. } = npz::from_slice(archive)?;
            TriMat::from_triplets(size(shape)?, indices(row)?, indices(col)?, data).to_csr()
        }
        "bsr" => {
            let Bsr { indices: inner, indptr, shape, data, .. } = npz::from_slice(archive)?;
            let (inner, indptr) = (indices(inner)?, indices(indptr)?);
            let mut matrix = TriMat::new(size(shape)?);
            for (row, bounds) in indptr.windows(2).enumerate() {
                let blocks = bounds.first().copied().unwrap_or(0)..bounds.last().copied().unwrap_or(0);
                for (column, block) in inner.iter().zip(&data).take(blocks.end).skip(blocks.start) {
                    for (r, line) in block.iter().enumerate() {
                        for (c, value) in line.iter().enumerate() {
                            matrix.add_triplet(row * 2 + r, column * 2 + c, *value);
                        }
                    }
                }
            }
            matrix.to_csr()
        }
        "dia" => {
            let Dia { offsets, shape, data, .. } = npz::from_slice(archive)?;
            let (rows, columns) = size(shape)?;
            let mut matrix = TriMat::new((rows, columns));
            for (offset, diagonal) in offsets.iter().zip(&data) {
                for (column, value) in diagonal.iter().enumerate().take(columns) {
                    let row = i64::try_from(column)? - offset;
                    if let Some(row) = usize::try_from(row).ok().filter(|row| *row < rows) {
                        matrix.add_triplet(row, column, *value);
                    }
                }
            }
            matrix.to_csr()
        }
        other => return Err(format!("expected csr, csc, coo, bsr or dia, found `{other}`").into()),
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // [[1, 0, 2, 0],
    //  [0, 3, 0, 0]]
    let shape = (2, 4);
    let csr = Compressed {
        indices: vec![0, 2, 1],
        indptr: vec![0, 2, 3],
        format: "csr".into(),
        shape,
        data: vec![1.0, 2.0, 3.0],
    };
    let csc = Compressed {
        indices: vec![0, 1, 0],
        indptr: vec![0, 1, 2, 3, 3],
        format: "csc".into(),
        shape,
        data: vec![1.0, 3.0, 2.0],
    };
    let coo = Coo { row: vec![0, 0, 1], col: vec![0, 2, 1], format: "coo".into(), shape, data: vec![1.0, 2.0, 3.0] };
    let bsr = Bsr {
        indices: vec![0, 1],
        indptr: vec![0, 2],
        format: "bsr".into(),
        shape,
        data: vec![[[1.0, 0.0], [0.0, 3.0]], [[2.0, 0.0], [0.0, 0.0]]],
    };
    let dia = Dia {
        offsets: vec![0, 2],
        format: "dia".into(),
        shape,
        data: vec![vec![1.0, 3.0, 0.0, 0.0], vec![0.0, 0.0, 2.0, 0.0]],
    };
    let archives = [
        ("csr", npz::to_vec(&csr)?),
        ("csc", npz::to_vec(&csc)?),
        ("coo", npz::to_vec(&coo)?),
        ("bsr", npz::to_vec(&bsr)?),
        ("dia", npz::to_vec(&dia)?),
    ];
    for (format, archive) in &archives {
        let dense = read(archive)?.to_dense();
        println!("{format}: {dense:?}");
        assert_eq!(dense.into_raw_vec_and_offset().0, [1.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
    }

    // Files of SciPy's own, if some are named; ours go where the first argument says.
    let mut arguments = std::env::args().skip(1);
    if let Some(folder) = arguments.next() {
        for (format, archive) in &archives {
            std::fs::write(format!("{folder}/{format}.npz"), archive)?;
        }
    }
    for path in arguments {
        println!("{path}: {:?}", read(&std::fs::read(&path)?)?.to_dense().into_raw_vec_and_offset().0);
    }
    Ok(())
}
