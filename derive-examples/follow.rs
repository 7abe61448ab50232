//! Reading a file while another process appends to it.
//!
//! `cargo run --example follow LOG.npy`: prints the records of a file and waits for more until it is stopped. Without an
//! argument it follows a file that it appends to itself.

use serde_npy::{Reader, Writer};
use std::error::Error;
use std::thread;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    if let Some(path) = std::env::args().nth(1) {
        // Any dtype: each record as the JSON that fits it.
        let mut reader = Reader::from_path(path)?;
        for record in reader.follow::<serde_json::Value>(Duration::from_millis(200), || false) {
            println!("{}", record?);
        }
        return Ok(());
    }

    let folder = tempfile::tempdir()?;
    let path = folder.path().join("measured.npy");
    serde_npy::to_path(&path, &[(0u32, 20.5f32)])?;

    thread::scope(|scope| {
        let measuring = scope.spawn(|| -> serde_npy::Result<()> {
            let mut writer = Writer::append(&path)?;
            for index in 1..=5u16 {
                writer.write(&(index, 20.5 + f32::from(index)))?;
                // Others see it from here on.
                writer.flush()?;
                thread::sleep(Duration::from_millis(5));
            }
            writer.finish().map(|_| ())
        });

        // Ends once the other has ended and all of its records have been read.
        let mut reader = Reader::from_path(&path)?;
        let mut last = 0;
        for record in reader.follow(Duration::from_millis(1), || measuring.is_finished()) {
            let (index, temperature): (u32, f32) = record?;
            println!("{index}: {temperature}");
            last = index;
        }
        assert_eq!(last, 5);
        Ok(())
    })
}
