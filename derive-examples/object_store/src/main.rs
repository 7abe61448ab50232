//! A file in an object store, read by range requests: a small one for the header, then one for each part.
//!
//! The stores here are a folder and memory; those of the clouds are of the same trait.

use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStore, PutPayload};
use serde::{Deserialize, Serialize};
use serde_npy::{Category, Header, View};
use std::error::Error;

#[derive(Serialize, Deserialize)]
struct Reading {
    sensor: u32,
    value: f64,
}

/// The header of a file, by as few requests as it takes: nearly all are in the first.
async fn read_header(store: &dyn ObjectStore, path: &Path) -> Result<Header, Box<dyn Error>> {
    let size = store.head(path).await?.size;
    let mut length = size.min(4096);
    loop {
        let start = store.get_range(path, 0..length).await?;
        match Header::read(&start[..]) {
            Err(error) if error.category() == Category::Eof && length < size => length = size.min(length * 8),
            header => return Ok(header?),
        }
    }
}

/// The sum over the readings of one sensor, by `parts` requests.
async fn sum(store: &dyn ObjectStore, path: &Path, sensor: u32, parts: usize) -> Result<f64, Box<dyn Error>> {
    let header = read_header(store, path).await?;
    let mut ranges = Vec::new();
    for records in header.split(parts) {
        ranges.push(header.byte_range(records)?);
    }
    // A cluster would give each of its tasks one of them.
    let mut sum = 0.0;
    for (records, bytes) in header.split(parts).zip(store.get_ranges(path, &ranges).await?) {
        for reading in View::part(&header, records, &bytes)?.iter::<Reading>() {
            let reading = reading?;
            if reading.sensor == sensor {
                sum += reading.value;
            }
        }
    }
    Ok(sum)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let readings: Vec<Reading> = (0..10_000).map(|i| Reading { sensor: i % 7, value: f64::from(i) }).collect();
    let expected: f64 = (0..10_000).filter(|i| i % 7 == 3).map(f64::from).sum();
    let bytes = serde_npy::records_to_vec(&readings)?;
    let path = Path::from("measured/readings.npy");

    let folder = tempfile::tempdir()?;
    let local = LocalFileSystem::new_with_prefix(folder.path())?;
    let memory = InMemory::new();
    let stores: [(&str, &dyn ObjectStore); 2] = [("folder", &local), ("memory", &memory)];
    for (name, store) in stores {
        store.put(&path, PutPayload::from(bytes.clone())).await?;
        for parts in [1, 4, 100] {
            assert_eq!(sum(store, &path, 3, parts).await?, expected);
        }
        println!("sensor 3 in the {name}: {expected}");
    }
    Ok(())
}
