//! How fast reading and writing are, against the limits of the machine, the other crates and NumPy.
//!
//! `cargo run --release --manifest-path benches/Cargo.toml -- --help` tells the options.

mod by_hand;
mod data;
mod deflate;
mod group;
mod measure;
mod memory;
mod plot;
mod random;
mod report;
mod setup;
mod types;
mod verbs;

use crate::group::Tables;
use crate::measure::Pages;
use crate::setup::Setup;
use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help") {
        print!("{}", setup::USAGE);
        return Ok(());
    }
    let mut setup = Setup::from_arguments(arguments.clone())?;
    if let Some(name) = &setup.child {
        memory::child(&setup, name);
        return Ok(());
    }
    let folder = setup::folder();
    setup.folder = folder.path().to_owned();
    println!("{}", machine());
    println!("data in {}, {} rounds", setup.folder.display(), setup.rounds);
    data::make(&setup);
    let inner = setup.inner.is_some();
    let mut tables = Tables { quiet: inner || setup.huge, ..Tables::default() };
    if setup.speed {
        if !inner {
            setup.numpy = numpy(&setup);
        }
        group::all(&setup, &mut tables);
    }
    if let Some(path) = &setup.inner {
        return Ok(fs::write(path, times(&tables))?);
    }
    if setup.speed && setup.huge {
        add_huge(&setup, &arguments, &mut tables)?;
        for table in &tables.measured {
            println!("{}", report::text(table));
        }
    }
    if setup.memory && setup.only.is_none() {
        memory::table(&setup);
    }
    if let Some(path) = &setup.json {
        fs::write(path, report::json(&machine(), &tables.measured))?;
    }
    if let Some(path) = &setup.svg {
        fs::write(path, plot::svg(&machine(), &tables.measured))?;
    }
    println!("\n### Targets\n\n{}", report::summary(&tables.measured, Pages::Small));
    if setup.huge {
        println!("\n### Targets, huge pages\n\n{}", report::summary(&tables.measured, Pages::Huge));
    }
    let met = |met| {
        let rows = tables.measured.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
        rows.filter(|(table, row)| table.met(row, Pages::Small) == Some(met)).count()
    };
    println!("\ntargets: {} met, {} not met", met(true), met(false));
    Ok(())
}

fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name =
        info.lines().find_map(|line| line.strip_prefix("model name")?.split(':').nth(1)).unwrap_or("a processor");
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!("{} x {}, {}", cores, name.trim(), std::env::consts::OS)
}

/// NumPy's own times, by a script.
fn numpy(setup: &Setup) -> HashMap<String, f64> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let environment = folder.join("../target/venv/bin/python3");
    let python = if environment.exists() { environment } else { "python3".into() };
    let there = Command::new(&python).args(["-c", "import numpy"]).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        println!("skipped: NumPy's times, since {} has no numpy", python.display());
        return HashMap::new();
    }
    let output = Command::new(&python)
        .arg(folder.join("src/numpy_times.py"))
        .arg(&setup.folder)
        .args([setup.rounds.to_string().as_str(), if setup.quick { "quick" } else { "full" }])
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    assert!(output.status.success(), "NumPy does not read the files of this benchmark");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(name, seconds)| Some((name.to_owned(), seconds.parse().ok()?)))
        .collect()
}

/// Title, name and seconds of each row, a line each.
fn times(tables: &Tables) -> String {
    let rows = tables
        .measured
        .iter()
        .flat_map(|table| table.rows.iter().map(|row| format!("{}\t{}\t{}\n", table.title, row.name, row.seconds)));
    rows.collect()
}

/// The same once more in a process whose malloc asks for huge pages.
fn add_huge(setup: &Setup, arguments: &[String], tables: &mut Tables) -> Result<(), Box<dyn Error>> {
    let path = setup.path("huge.txt");
    let status = Command::new(std::env::current_exe()?)
        .args(arguments)
        .arg("--inner")
        .arg(&path)
        .env("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
        .stdout(Stdio::null())
        .status()?;
    if !status.success() {
        return Err("the process with huge pages failed".into());
    }
    let text = fs::read_to_string(path)?;
    let found: HashMap<(&str, &str), f64> = text
        .lines()
        .filter_map(|line| {
            let mut parts = line.split('\t');
            Some(((parts.next()?, parts.next()?), parts.next()?.parse().ok()?))
        })
        .collect();
    for table in &mut tables.measured {
        for row in &mut table.rows {
            row.huge = found.get(&(table.title.as_str(), row.name.as_str())).copied();
        }
    }
    Ok(())
}
