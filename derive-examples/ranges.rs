//! One file read by many: each thread, process or task takes its own range of bytes.

use serde::{Deserialize, Serialize};
use serde_npy::{Header, View};
use std::error::Error;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

#[derive(Serialize, Deserialize)]
struct Reading {
    sensor: u32,
    value: f64,
}

/// What a server, a disk or an object store does: some bytes of a file.
fn read_range(path: &Path, range: std::ops::Range<u64>) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(range.start))?;
    let mut bytes = Vec::new();
    file.take(range.end - range.start).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("readings.npy");
    let reading = |i: u32| Reading { sensor: i % 7, value: f64::from(i) };
    serde_npy::records_to_path(&path, &(0..10_000).map(reading).collect::<Vec<_>>())?;

    // The header first. How long it is, it says itself; nearly all fit into the first bytes.
    let start = read_range(&path, 0..4096)?;
    let header = Header::read(&start[..])?;
    println!("{} records of {} bytes", header.records(), header.dtype().itemsize());

    // Then each part by itself: whole records, whose lengths differ by one at most.
    let sums = std::thread::scope(|scope| {
        let parts: Vec<_> = header
            .split(4)
            .map(|records| {
                let (header, path) = (&header, &path);
                scope.spawn(move || -> Result<f64, Box<dyn Error + Send + Sync>> {
                    let bytes = read_range(path, header.byte_range(records.clone())?)?;
                    let part = View::part(header, records, &bytes)?;
                    let mut sum = 0.0;
                    for reading in part.iter::<Reading>() {
                        let reading = reading?;
                        if reading.sensor == 3 {
                            sum += reading.value;
                        }
                    }
                    Ok(sum)
                })
            })
            .collect();
        parts.into_iter().map(|part| part.join().map_err(|_| "a thread that panicked")).collect::<Result<Vec<_>, _>>()
    })?;
    let mut total = 0.0;
    for sum in sums {
        total += sum.map_err(|error| error.to_string())?;
    }
    println!("sensor 3: {total}");
    assert_eq!(total, (0..10_000).filter(|i| i % 7 == 3).map(f64::from).sum::<f64>());
    Ok(())
}
