//! The most memory that the big workloads need, each in a process of its own.

use crate::data::TICKS;
use crate::setup::Setup;
use crate::types::{Text, Tick};
use serde_npy::{Array, Reader, npz};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::Command;

/// Name, and what it does: the bytes of its result, and the most resident memory before it ran, in KiB.
type Workload = (&'static str, fn(&Setup) -> (usize, usize));
type Members = BTreeMap<String, Vec<f32>>;

const WORKLOADS: [Workload; 13] = [
    ("1 from_path::<Array<f64>>", |s| {
        read(|| serde_npy::from_path::<Array<f64>>(s.path("f8.npy")).unwrap(), |v| 8 * v.data().len())
    }),
    ("1 from_path::<Vec<f64>>", |s| {
        read(|| serde_npy::from_path::<Vec<f64>>(s.path("f8.npy")).unwrap(), |v| 8 * v.len())
    }),
    ("5 from_path::<Vec<f64>>, big-endian", |s| {
        read(|| serde_npy::from_path::<Vec<f64>>(s.path("f8_be.npy")).unwrap(), |v| 8 * v.len())
    }),
    ("3 records_from_path::<Tick>", |s| {
        read(|| serde_npy::records_from_path::<Tick>(ticks(s)).unwrap(), |v| 24 * v.len())
    }),
    ("3 from_path::<Vec<Tick>>", |s| read(|| serde_npy::from_path::<Vec<Tick>>(ticks(s)).unwrap(), |v| 24 * v.len())),
    ("3 npyz into_vec::<Tick>", |s| {
        let open = || std::io::BufReader::new(std::fs::File::open(ticks(s)).unwrap());
        read(|| npyz::NpyFile::new(open()).unwrap().into_vec::<Tick>().unwrap(), |v| 24 * v.len())
    }),
    ("3 streamed", |s| {
        read(
            || {
                let mut reader = Reader::from_path(ticks(s)).unwrap();
                reader.records::<Tick>().map(|tick| tick.unwrap().price).sum::<f64>()
            },
            |_| 8,
        )
    }),
    ("6 records_from_path::<Text>", |s| {
        let owned = |text: &Text| size_of::<Text>() + text.name.len() + text.tag.len();
        read(|| serde_npy::records_from_path::<Text>(s.path("texts.npy")).unwrap(), move |v| v.iter().map(owned).sum())
    }),
    ("7 npz::from_path, stored", |s| read(|| npz::from_path::<Members>(s.path("u.npz")).unwrap(), members)),
    ("7 npz::from_path, deflated", |s| read(|| npz::from_path::<Members>(s.path("c.npz")).unwrap(), members)),
    ("4 records_to_path (beside the value)", |s| {
        let value: Vec<Tick> = serde_npy::records_from_path(ticks(s)).unwrap();
        read(|| serde_npy::records_to_path(s.out(), &value).unwrap(), |()| 0)
    }),
    ("2 to_path(&Vec<f64>) (beside the value)", |s| {
        let value: Vec<f64> = serde_npy::from_path(s.path("f8.npy")).unwrap();
        read(|| serde_npy::to_path(s.out(), &value).unwrap(), |()| 0)
    }),
    ("7 npz::to_path_with FAST (beside the value)", |s| {
        let value: Members = npz::from_path(s.path("u.npz")).unwrap();
        let options = npz::WriteOptions::default().compression(npz::Compression::FAST);
        read(|| npz::to_path_with(s.out(), &value, &options).unwrap(), |()| 0)
    }),
];

fn ticks(setup: &Setup) -> PathBuf {
    setup.path(&format!("ticks_{TICKS}.npy"))
}

fn members(members: &Members) -> usize {
    members.values().map(|values| 4 * values.len()).sum()
}

fn read<T>(run: impl FnOnce() -> T, size: impl Fn(&T) -> usize) -> (usize, usize) {
    let before = peak();
    let value = black_box(run());
    (size(&value), before)
}

/// The most resident memory of this process so far, in KiB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// What a process of its own does: one workload, and two numbers.
pub fn child(setup: &Setup, name: &str) {
    let (_, workload) = WORKLOADS.iter().find(|(other, _)| *other == name).expect("a workload of this name");
    let (result, before) = workload(setup);
    println!("{result} {}", peak().saturating_sub(before));
}

pub fn table(setup: &Setup) {
    if peak() == 0 {
        println!("skipped: peak memory, since there is no VmHWM in /proc/self/status");
        return;
    }
    println!("\n### Peak resident memory, beyond what there was before\n");
    println!("| {:45} | result MB | peak MB | x result |", "workload");
    println!("|{}|-----------|---------|----------|", "-".repeat(47));
    for (name, _) in WORKLOADS {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--child", name, "--folder"])
            .arg(&setup.folder)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        let [result, peak] = numbers[..] else {
            panic!("{name}: {}", String::from_utf8_lossy(&output.stderr));
        };
        let (result, peak) = (result / 1e6, peak * 1024.0 / 1e6);
        let ratio = if result > 0.1 { format!("{:.2}", peak / result) } else { String::new() };
        println!("| {name:45} | {result:9.1} | {peak:7.1} | {ratio:>8} |");
    }
}
