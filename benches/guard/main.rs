//! Holds what a change can lose without failing a test: that the compiler puts the loops of the library and the code of
//! derived types together, and that plain records cost no allocation each.
//!
//! Only ratios within this process and counts, with room for the noise of shared machines:
//! `cargo run --release --manifest-path benches/Cargo.toml --no-default-features --bin guard`.

#[path = "../src/by_hand.rs"]
mod by_hand;
#[path = "../src/measure.rs"]
#[allow(dead_code)]
mod measure;
#[path = "../src/random.rs"]
mod random;
#[path = "../src/types.rs"]
#[allow(dead_code)]
mod types;
#[path = "../src/verbs.rs"]
mod verbs;

mod allocations;
mod instructions;
mod ratios;

use serde::Serialize;
use serde_npy::{DType, WriteOptions, Writer};
use std::io::Write;
use std::process::ExitCode;

/// Ours, of a dtype that is known.
fn write<T: Serialize>(records: &[T], dtype: &DType, sink: impl Write) {
    let options = WriteOptions::default().dtype(dtype.clone());
    let mut writer = Writer::new_with(sink, records.len() as u64, &options);
    writer.write_block(records).unwrap();
    writer.finish().unwrap();
}

/// Checks, and how many of them failed.
#[derive(Default)]
struct Checks {
    done: usize,
    failed: usize,
}

impl Checks {
    fn check(&mut self, holds: bool, text: &str) {
        self.done += 1;
        self.failed += usize::from(!holds);
        println!("{} {text}", if holds { "ok  " } else { "FAIL" });
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [what, workload, count] = &arguments[..]
        && what == "work"
    {
        instructions::work(workload, count.parse().unwrap());
        return ExitCode::SUCCESS;
    }
    let mut checks = Checks::default();
    allocations::check(&mut checks);
    ratios::check(&mut checks);
    instructions::check(&mut checks);
    println!("{} checks, {} failed", checks.done, checks.failed);
    if checks.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
