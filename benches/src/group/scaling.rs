//! Few records and many: workload 9.

use super::Tables;
use crate::by_hand::{ByHand, header, samples};
use crate::measure::{Table, Target, Unit, clock};
use crate::setup::Setup;
use crate::types::Tick;
use serde_npy::Reader;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};

pub fn tables(setup: &Setup, tables: &mut Tables) {
    for (full, label) in [(10_000, "10k"), (100_000, "100k"), (1_000_000, "1M"), (5_000_000, "5M")] {
        let title = format!("9 scaling, file to Vec, {label} records");
        tables.add(setup, &title, || {
            let path = setup.path(&format!("ticks_{full}.npy"));
            let [a, b, c] = [path.clone(), path.clone(), path];
            Table::new(title.clone(), Unit::NanosecondsEach(setup.count(full) as u64))
                .limit("fs::read", move || clock(|| fs::read(&a).unwrap()))
                .peer("npyz into_vec, BufReader 8K", move || {
                    clock(|| {
                        let file = BufReader::new(File::open(&b).unwrap());
                        npyz::NpyFile::new(file).unwrap().into_vec::<Tick>().unwrap()
                    })
                })
                .ours("records_from_path", Target::peer(0.35), move || {
                    clock(|| serde_npy::records_from_path::<Tick>(&c).unwrap())
                })
                .numpy("numpy load", setup.numpy(&format!("read ticks {full}")))
        });
    }
    // In constant memory, so that no page is touched for the first time: the most against the fewest, each record.
    let title = "9 scaling, streamed out of memory, each record";
    tables.add(setup, title, || {
        let most = if setup.quick { 10_000_000 } else { 100_000_000 };
        let (_, file) = samples::<Tick>(10_000);
        let block: &'static [u8] = file[file.len() - 10_000 * Tick::ITEMSIZE..].to_vec().leak();
        let each = move |count: usize| {
            // A time of one record, whatever the number.
            let runs = (1_000_000 / count).max(1);
            let time = clock(|| (0..runs).for_each(|_| stream(block, count)));
            time.div_f64((count * runs) as f64 / 100_000.0)
        };
        Table::new(title, Unit::NanosecondsEach(100_000))
            .limit("100k records (what the others are held against)", move || each(100_000))
            .ours("1M records", Target::limit(2.0), move || each(1_000_000))
            .ours("3M records", Target::limit(2.0), move || each(3_000_000))
            .ours(&format!("{}M records", most / 1_000_000), Target::limit(2.0), move || each(most))
    });
}

fn stream(block: &[u8], count: usize) {
    let header = header(Tick::DESCR, &[count]);
    let source = Repeated { header: &header, block, left: count * Tick::ITEMSIZE, at: 0 };
    let mut reader = Reader::new(source).unwrap();
    let mut records = reader.records::<Tick>();
    let mut seen = 0;
    while let Some(block) = records.next_block().unwrap() {
        seen += block.len();
    }
    assert_eq!(seen, count);
}

/// A file of the same records again and again.
struct Repeated<'a> {
    header: &'a [u8],
    block: &'a [u8],
    left: usize,
    at: usize,
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.header.is_empty() {
            return self.header.read(buffer);
        }
        let length = buffer.len().min(self.block.len() - self.at).min(self.left);
        buffer[..length].copy_from_slice(&self.block[self.at..self.at + length]);
        self.left -= length;
        self.at = (self.at + length) % self.block.len();
        Ok(length)
    }
}
