//! A log that grows by a record at a time, and that survives `kill -9`.
//!
//! `cargo run --example append_log [LOG.npy [TEXT...]]`: appends a record, and prints what is there. Kill it whenever you
//! like: `numpy.load` finds all records that were logged.

use serde::{Deserialize, Serialize};
use serde_npy::{WriteOptions, Writer, with};
use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(Serialize, Deserialize, Debug)]
struct Event {
    #[serde(with = "with::Datetime::<with::Us>")]
    time: i64,
    level: u8,
    text: String,
}

struct Log(Writer<File>);

impl Log {
    fn open(path: &Path) -> serde_npy::Result<Log> {
        // With a dtype, a file that is not there is made, and one of another dtype refused. With `sync`, an event also
        // survives a loss of power once `log` has returned; that takes the time of two writes to the disk for each.
        let dtype = "[('time', '<M8[us]'), ('level', '|u1'), ('text', '<U40')]".parse()?;
        Ok(Log(Writer::append_with(path, &WriteOptions::default().dtype(dtype).sync(true))?))
    }

    fn log(&mut self, level: u8, text: &str) -> Result<(), Box<dyn Error>> {
        let time = SystemTime::now().duration_since(UNIX_EPOCH)?.as_micros().try_into()?;
        // Text that is too long would be refused, so it is cut here, where it may be.
        let text = text.chars().take(40).collect();
        self.0.write(&Event { time, level, text })?;
        // From here on it is part of the array.
        self.0.flush()?;
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().map_or_else(|| folder.path().join("log.npy"), PathBuf::from);
    let texts: Vec<String> = arguments.collect();

    let mut log = Log::open(&path)?;
    log.log(1, "started")?;
    for text in &texts {
        log.log(2, text)?;
    }
    // No `finish`, as if the process had been killed: nothing is lost of what has been flushed.
    drop(log);

    let events: Vec<Event> = serde_npy::from_path(&path)?;
    for event in &events {
        println!("{event:?}");
    }
    assert!(events.len() > texts.len());
    Ok(())
}
