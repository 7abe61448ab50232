//! Times against a hand-written loop and against npyz, in turn within each round.

use crate::Checks;
use crate::by_hand::{ByHand, decode_all, encode_all, samples};
use crate::measure::{Pages, Role, Table, Target, Unit, clock};
use crate::types::{Nested, Particle, Tick, Wide};
use crate::verbs::{self, Reused};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_npy::{Header, WriteOptions};
use std::hint::black_box;

/// Few enough for the caches, and enough that the header does not show.
const RECORDS: usize = 10_000;
const ROUNDS: usize = 15;
/// A neighbour on the machine can slow down one measurement, where what is lost with the inlining is lost in all.
const ATTEMPTS: usize = 3;

pub fn check(checks: &mut Checks) {
    // What is lost with the inlining is a factor of four and more against the loop, and the lead over npyz.
    ratio::<Tick>(checks, "Tick", [6.0, 0.7], [6.0, 0.4]);
    ratio::<Particle>(checks, "Particle", [18.0, 1.3], [8.0, 0.4]);
    ratio::<Nested>(checks, "Nested", [8.0, 0.8], [8.0, 0.4]);
    ratio::<Wide>(checks, "Wide", [8.0, 0.8], [8.0, 0.4]);
}

fn ratio<T>(checks: &mut Checks, name: &str, read: [f64; 2], write: [f64; 2])
where
    T: ByHand + Serialize + DeserializeOwned + npyz::Deserialize + npyz::AutoSerialize + Copy + PartialEq,
{
    let (records, file) = samples::<T>(RECORDS);
    let begin = file.len() - RECORDS * T::ITEMSIZE;
    let mut by_hand: Vec<T> = Vec::with_capacity(RECORDS);
    let mut ours: Vec<T> = Vec::with_capacity(RECORDS);
    verbs::read(&file, &mut ours);
    assert!(ours == records, "what is measured must be right");

    let each = Unit::NanosecondsEach(RECORDS as u64);
    let table = Table::new(format!("read {name}"), each)
        .limit("hand-written", || {
            by_hand.clear();
            clock(|| assert!(decode_all(black_box(&file[begin..]), &mut by_hand)))
        })
        .peer("npyz", || clock(|| verbs::npyz_read::<T>(black_box(&file))))
        .ours("ours", Target::new(read[0], read[1]), || clock(|| verbs::read(black_box(&file), &mut ours)));
    report(checks, table);

    let dtype = Header::read(&file[..]).unwrap().dtype().clone();
    let [mut first, mut second, mut third, mut fourth] = [const { Vec::new() }; 4].map(|mut bytes: Vec<u8>| {
        bytes.reserve(file.len() + 4096);
        bytes
    });
    crate::write(&records, &dtype, Reused { bytes: &mut second });
    assert!(second == file, "what is measured must be right");
    first.resize(RECORDS * T::ITEMSIZE, 0);
    let table = Table::new(format!("write {name}"), each)
        .limit("hand-written", || clock(|| encode_all(black_box(&records), &mut first)))
        .peer("npyz", || {
            third.clear();
            clock(|| verbs::npyz_write(black_box(&records), Reused { bytes: &mut third }))
        })
        .ours("ours", Target::new(write[0], write[1]), || {
            second.clear();
            clock(|| crate::write(black_box(&records), &dtype, Reused { bytes: &mut second }))
        })
        .ours("ours, its dtype found", Target::new(2.0 * write[0], 2.0 * write[1]), || {
            fourth.clear();
            let sink = Reused { bytes: &mut fourth };
            clock(|| serde_npy::records_to_writer_with(sink, black_box(&records), &WriteOptions::default()).unwrap())
        });
    report(checks, table);
}

fn report(checks: &mut Checks, mut measuring: Table<'_>) {
    let mut table = measuring.measure(ROUNDS);
    for _ in 1..ATTEMPTS {
        if table.rows.iter().all(|row| table.met(row, Pages::Small) != Some(false)) {
            break;
        }
        println!("     {}: measured again", table.title);
        table = measuring.measure(ROUNDS);
    }
    for row in &table.rows {
        let time = table.unit.of(row.seconds);
        if row.role != Role::Ours {
            println!("     {}: {} {time:.2} {}", table.title, row.name, table.unit.name());
            continue;
        }
        let (Some(of_limit), Some(of_peer)) = (table.of_limit(row, Pages::Small), table.of_peer(row, Pages::Small))
        else {
            continue;
        };
        let text = format!(
            "{}: {} {time:.2} {}, {of_limit:.2} x hand-written (expected at most {}), {of_peer:.2} x npyz (at most {})",
            table.title,
            row.name,
            table.unit.name(),
            row.target.limit.unwrap_or(f64::INFINITY),
            row.target.peer.unwrap_or(f64::INFINITY),
        );
        checks.check(table.met(row, Pages::Small) == Some(true), &text);
    }
}
