//! Reading more records than fit into memory, one by one, block by block and out of a compressed stream.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use indicatif::ProgressBar;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde::Deserialize;
use serde_npy::Reader;
use std::error::Error;
use std::fs::File;
use std::io::Write;

/// The fields that are wanted; the others are passed over.
#[derive(Deserialize)]
struct Trade {
    price: f64,
    volume: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("trades.npy");
    let trades: Vec<(i32, f64, u32)> = (0..100_000).map(|time| (time, 100.0 + f64::from(time % 256), 5)).collect();
    let fields = "[('time', '<i8'), ('price', '<f8'), ('volume', '<u4')]".parse()?;
    serde_npy::records_to_path_with(&path, &trades, &serde_npy::WriteOptions::default().dtype(fields))?;

    // One by one. A record that does not fit the type is an error after which the next one can be read.
    let mut reader = Reader::from_path(&path)?;
    println!("{} records of dtype {}", reader.remaining(), reader.header().dtype());
    let mut turnover = 0.0;
    for trade in reader.records::<Trade>() {
        let trade = trade?;
        turnover += trade.price * f64::from(trade.volume);
    }
    println!("turnover {turnover}");

    // Any part of it, without reading what stands before.
    let late: Vec<Trade> = reader.range(99_998..)?.collect::<serde_npy::Result<_>>()?;
    assert_eq!(late.len(), 2);

    // Block by block is faster; a bar shows how far it has come.
    let bar = ProgressBar::new(reader.header().data_len());
    let shown = bar.clone();
    let mut reader = Reader::from_path(&path)?.on_progress(move |progress| shown.set_position(progress.bytes));
    let mut records = reader.records::<Trade>();
    let mut highest = f64::MIN;
    while let Some(block) = records.next_block()? {
        highest = block.iter().map(|trade| trade.price).fold(highest, f64::max);
    }
    bar.finish();
    println!("highest {highest}");

    // Out of anything that can be read: here two arrays that follow each other in one compressed stream.
    let mut compressor = GzEncoder::new(Vec::new(), Compression::fast());
    serde_npy::to_writer(&mut compressor, &[1.5, 2.5])?;
    serde_npy::to_writer(&mut compressor, &[10.0, 20.0, 30.0])?;
    compressor.flush()?;
    let compressed = compressor.finish()?;

    let mut reader = Reader::new(GzDecoder::new(&compressed[..]))?;
    let mut sums = Vec::new();
    loop {
        sums.push(reader.records::<f64>().sum::<serde_npy::Result<f64>>()?);
        if reader.next_array()?.is_none() {
            break;
        }
    }
    assert_eq!(sums, [4.0, 60.0]);

    // Whichever way it is compressed, as long as the decoder can be read from: a file by Zstandard.
    let compressed = compress_to_vec(File::open(&path)?, CompressionLevel::Fastest);
    let mut reader = Reader::new(StreamingDecoder::new(&compressed[..])?)?;
    let count = reader.records::<Trade>().count();
    println!("{count} records out of {} compressed bytes", compressed.len());
    assert_eq!(count, trades.len());
    Ok(())
}
