//! A file larger than memory: mapped, and looked into where something is wanted.

use bytemuck::AnyBitPattern;
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use serde_npy::{View, npz};
use std::error::Error;
use std::fs::File;
use std::path::Path;

/// In memory what it is in the file: `repr(C)`, and no padding between the fields.
#[derive(Serialize, Deserialize, AnyBitPattern, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Tick {
    time: i64,
    price: f64,
    volume: u32,
    venue: u32,
}

#[allow(unsafe_code, reason = "only the caller knows that nobody changes a mapped file")]
fn map(path: &Path) -> std::io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: nothing else writes to this file while it is mapped.
    unsafe { Mmap::map(&file) }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("ticks.npy");
    let tick = |i: u32| Tick { time: i64::from(i), price: 100.0 + f64::from(i % 64), volume: i % 10, venue: 1 };
    serde_npy::to_path(&path, &(0..100_000).map(tick).collect::<Vec<_>>())?;

    // Opening reads the header, and nothing of the data.
    let file = map(&path)?;
    let view = View::new(&file)?;
    println!("{} records of dtype {}", view.len(), view.dtype());

    // Any record, decoded when it is asked for.
    assert_eq!(view.get::<Tick>(99_999)?, tick(99_999));
    let last: Vec<Tick> = view.iter().rev().take(3).collect::<serde_npy::Result<_>>()?;
    assert_eq!(last, [99_999, 99_998, 99_997].map(tick));

    // All records in place, without decoding. Where the type and the file differ, the error says in what.
    let ticks: &[Tick] = view.as_slice()?;
    println!("highest price {}", ticks.iter().map(|tick| tick.price).fold(f64::MIN, f64::max));
    if let Err(error) = view.as_slice::<f64>() {
        println!("not as floats: {error}");
    }

    // The same for a member of an archive that `numpy.savez` or this crate has written. Without the checksum, for which
    // all of the member would be read, it is open in microseconds whatever its size.
    let path = folder.path().join("model.npz");
    npz::to_path(&path, &(vec![[0.5f32, 1.5], [2.5, 3.5]], "a text"))?;
    let file = map(&path)?;
    let archive = npz::View::with_options(&file, &npz::ReadOptions::default().verify(false))?;
    let weights = archive.member("arr_0")?;
    assert_eq!(weights.as_slice::<f32>()?, [0.5, 1.5, 2.5, 3.5]);
    assert_eq!(weights.as_slice::<[f32; 2]>()?, [[0.5, 1.5], [2.5, 3.5]]);
    Ok(())
}
