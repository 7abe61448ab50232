//! Headers: workload 8.

use super::Tables;
use crate::by_hand::header;
use crate::measure::{Table, Target, Unit, clock};
use crate::setup::Setup;
use serde_npy::Header;
use std::hint::black_box;
use std::time::Duration;

pub fn tables(setup: &Setup, tables: &mut Tables) {
    let fields: Vec<String> =
        (0..1000).map(|i| format!("('field_{i:04}', '{}')", ["<f8", "<i4", "|u1", "<U16"][i % 4])).collect();
    let thousand = format!("[{}]", fields.join(", "));
    let target = |seconds| Target { peer: Some(0.02), seconds, ..Target::NONE };
    let cases = [
        ("8 header, '<f8'", "'<f8'", 1_000, target(None)),
        ("8 header, 3 fields", "[('a', '<f8'), ('b', '<i4'), ('c', '|u1')]", 1_000, target(Some(0.5e-6))),
        ("8 header, 1000 fields", thousand.as_str(), 10, target(Some(0.2e-3))),
    ];
    for (title, descr, runs, target) in cases {
        tables.add(setup, title, || {
            let file: &'static [u8] = header(descr, &[0]).leak();
            let mean = move |run: &dyn Fn()| -> Duration { clock(|| (0..runs).for_each(|_| run())) / runs };
            let unit = if runs == 10 { Unit::Milliseconds } else { Unit::Microseconds };
            Table::new(title, unit)
                .peer("npyz NpyFile::new", move || {
                    mean(&|| drop(black_box(npyz::NpyFile::new(black_box(file)).unwrap())))
                })
                .ours("Header::read", target, move || mean(&|| drop(black_box(Header::read(black_box(file)).unwrap()))))
        });
    }
}
