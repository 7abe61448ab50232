//! Instructions per record as callgrind counts them: no noise at all, where valgrind is installed.

use crate::Checks;
use crate::by_hand::{ByHand, samples};
use crate::types::{Nested, Particle, Tick, Wide};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_npy::Header;
use std::collections::VecDeque;
use std::hint::black_box;
use std::io;
use std::process::Command;

const FEW: u64 = 20_000;
const MORE: u64 = 60_000;
/// The records that come again and again.
const BLOCK: usize = 2_000;

/// Workload, and the most instructions a record may cost.
const WORKLOADS: [(&str, f64); 12] = [
    ("read Tick", 110.0),
    ("read Particle", 260.0),
    ("read Nested", 190.0),
    ("read Wide", 280.0),
    ("write Tick", 60.0),
    ("write Particle", 62.0),
    ("write Nested", 100.0),
    ("write Wide", 125.0),
    ("read a Vec of Tick", 300.0),
    ("read a Vec of f64", 62.0),
    ("write a Vec of Tick", 70.0),
    ("write a Vec of f64", 20.0),
];

/// What runs under callgrind: so many records of a workload.
pub fn work(workload: &str, count: u64) {
    match workload {
        "read Tick" => read::<Tick>(count),
        "read Particle" => read::<Particle>(count),
        "read Nested" => read::<Nested>(count),
        "read Wide" => read::<Wide>(count),
        "write Tick" => write::<Tick>(count),
        "write Particle" => write::<Particle>(count),
        "write Nested" => write::<Nested>(count),
        "write Wide" => write::<Wide>(count),
        "read a Vec of Tick" => read_vec::<Tick>(count),
        "read a Vec of f64" => read_numbers(count),
        "write a Vec of Tick" => write_vec::<Tick>(count),
        "write a Vec of f64" => write_vec::<f64>(count),
        other => panic!("there is no workload {other}"),
    }
}

/// One stream, so that what is set up once does not count.
fn read<T: ByHand + DeserializeOwned>(count: u64) {
    let mut reader = serde_npy::Reader::new(source::<T>(count)).unwrap();
    let mut records = reader.records::<T>();
    while let Some(block) = records.next_block().unwrap() {
        black_box(block);
    }
}

/// By way of serde's own `Vec`.
fn read_vec<T: ByHand + DeserializeOwned>(count: u64) {
    black_box(serde_npy::from_reader::<Vec<T>>(source::<T>(count)).unwrap());
}

fn read_numbers(count: u64) {
    let block = vec![0; BLOCK * size_of::<f64>()];
    let left = count as usize / BLOCK * block.len();
    let header = crate::by_hand::header("'<f8'", &[count as usize]).into();
    black_box(serde_npy::from_reader::<Vec<f64>>(Repeated { header, block, left, at: 0 }).unwrap());
}

fn source<T: ByHand>(count: u64) -> Repeated {
    let (_, mut file) = samples::<T>(BLOCK);
    let block = file.split_off(file.len() - BLOCK * T::ITEMSIZE);
    let left = count as usize / BLOCK * block.len();
    Repeated { header: crate::by_hand::header(T::DESCR, &[count as usize]).into(), block, left, at: 0 }
}

fn write_vec<T: Default + Clone + Serialize>(count: u64) {
    serde_npy::to_writer(io::sink(), &vec![T::default(); count as usize]).unwrap();
}

fn write<T: ByHand + Serialize>(count: u64) {
    let (records, file) = samples::<T>(BLOCK);
    let dtype = Header::read(&file[..]).unwrap().dtype().clone();
    let options = serde_npy::WriteOptions::default().dtype(dtype);
    let mut writer = serde_npy::Writer::new_with(io::sink(), count, &options);
    for _ in 0..count as usize / BLOCK {
        writer.write_block(black_box(&records)).unwrap();
    }
    writer.finish().unwrap();
}

/// A file of one block again and again.
struct Repeated {
    header: VecDeque<u8>,
    block: Vec<u8>,
    left: usize,
    at: usize,
}

impl io::Read for Repeated {
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

pub fn check(checks: &mut Checks) {
    if Command::new("valgrind").arg("--version").output().is_err() {
        let why = "skipped: valgrind is not installed, so instructions are not counted";
        if std::env::var_os("CI").is_some() {
            checks.check(false, why);
        } else {
            println!("{why}");
        }
        return;
    }
    for (workload, most) in WORKLOADS {
        let each = match (instructions(workload, FEW), instructions(workload, MORE)) {
            (Some(few), Some(more)) => (more - few) / (MORE - FEW) as f64,
            _ => {
                checks.check(false, &format!("{workload}: callgrind gave no count"));
                continue;
            }
        };
        checks.check(each <= most, &format!("{workload}: {each:.1} instructions a record (expected at most {most})"));
    }
}

fn instructions(workload: &str, count: u64) -> Option<f64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().ok()?)
        .args(["work", workload, &count.to_string()])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let (_, collected) = text.split_once("Collected : ")?;
    collected.split_whitespace().next()?.parse().ok()
}
