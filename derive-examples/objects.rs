//! Text that NumPy saved as Python objects: its pickle, read by a crate of its own.
//!
//! This crate reads no objects, since their bytes are no array: NumPy hands the whole array to Python's `pickle`. Where
//! such files cannot be saved in another way, the payload can be had as bytes, to be read by the crate `serde-pickle`.
//! That should be a conscious act:
//!
//! * A pickle is a program. Python runs what it names, so that `numpy.load(..., allow_pickle=True)` runs what its author
//!   wanted. `serde-pickle` runs nothing: it resolves no names, and leaves out what would have been called.
//! * So nothing says that a value is what it claims to be. All that a header promises for other dtypes is up to the
//!   reader of the pickle: its shape, its order and the types of its items stand in the pickle once more, and whoever
//!   wrote the file may have written something else.
//! * A few bytes can stand for many: a pickle can repeat itself and nest deeply. Do not take one from strangers.

use serde::de::IgnoredAny;
use serde_npy::{Header, npz};
use std::error::Error;
use std::fs::File;
use std::io::{Cursor, Read};

/// What NumPy puts on record of an array: a version, shape, dtype, whether it is in Fortran order, the items.
type Pickled = (u32, Vec<usize>, IgnoredAny, bool, Vec<String>);

/// Far more than the labels of any table have.
const LONGEST: u64 = 1 << 20;

/// The text in an array of objects, which is what follows the header.
fn labels(header: &Header, payload: impl Read) -> Result<Vec<String>, Box<dyn Error>> {
    if header.dtype().to_string() != "'|O'" {
        return Err(format!("expected an array of objects, found one of dtype {}", header.dtype()).into());
    }
    let mut pickle = Vec::new();
    payload.take(LONGEST).read_to_end(&mut pickle)?;
    let options = serde_pickle::DeOptions::new();
    let (_, shape, _, fortran_order, items): Pickled = serde_pickle::from_slice(&pickle, options)?;
    // The header has said the same, or the file is not what it seems.
    let lengths = shape.iter().map(|&length| u64::try_from(length)).collect::<Result<Vec<_>, _>>()?;
    if lengths != header.shape() || header.fortran_order() != fortran_order {
        return Err(format!("expected an array of shape {:?}, found a pickle of {shape:?}", header.shape()).into());
    }
    if u64::try_from(items.len()).ok() != Some(header.size()) {
        return Err(format!("expected {} items, found {}", header.size(), items.len()).into());
    }
    Ok(items)
}

fn main() -> Result<(), Box<dyn Error>> {
    // numpy.save("labels.npy", numpy.array([["ask", "bid"], ["größe", "日本"]], dtype=object), allow_pickle=True)
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/labels.npy");
    if let Err(refused) = serde_npy::from_path::<Vec<Vec<String>>>(path) {
        println!("{refused}");
    }

    // A header leaves its reader at the first byte of the data.
    let mut file = File::open(path)?;
    let header = Header::read(&mut file)?;
    let found = labels(&header, file)?;
    assert_eq!(found, ["ask", "bid", "größe", "日本"]);

    // In an archive, only the member itself is closed to other types.
    let mut archive = npz::Writer::new(Cursor::new(Vec::new()));
    archive.add_bytes("labels.npy", &std::fs::read(path)?)?;
    archive.add("prices", &[[1.0, 2.0], [3.0, 4.0]])?;
    let mut archive = npz::Reader::new(archive.finish()?)?;
    assert_eq!(archive.get::<[[f64; 2]; 2]>("prices")?[1][0], 3.0);
    let mut member = archive.raw("labels.npy")?;
    let header = Header::read(&mut member)?;
    assert_eq!(labels(&header, member)?, found);
    println!("{found:?} of shape {:?}", header.shape());
    Ok(())
}
