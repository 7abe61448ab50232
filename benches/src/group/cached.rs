//! Records in memory, few enough for the caches: what the code itself costs, each record.

use super::Tables;
use crate::by_hand::{ByHand, decode_all, encode_all, samples};
use crate::data::thousand_columns;
use crate::measure::{Table, Target, Unit, clock};
use crate::setup::Setup;
use crate::types::{Five, Flat, Nested, Optional, Order, Part, Particle, Reordered, Side, Tick, Wide, Widened, Xyz};
use crate::verbs::{self, Reused};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_npy::{ByteOrder, Header, Reader, View, WriteOptions, Writer};
use std::hint::black_box;
use std::io;
use std::time::Duration;

const RECORDS: usize = 10_000;
/// Runs in a sample, so that a sample takes a millisecond or so.
const RUNS: u32 = 30;

pub fn tables(setup: &Setup, tables: &mut Tables) {
    both::<Tick>(setup, tables, "Tick", Target::new(1.8, 0.3), Target::new(1.3, 0.1));
    let goal = Target::new(2.0, 0.4);
    both::<Xyz>(setup, tables, "Xyz, 3 fields", Target::NONE, Target::NONE);
    both::<Flat>(setup, tables, "Flat, 8 fields", Target::NONE, Target::NONE);
    both::<Wide>(setup, tables, "Wide, 20 fields", goal, goal);
    both::<Particle>(setup, tables, "Particle, [T; N] fields", goal, goal);
    both::<Nested>(setup, tables, "Nested, records in records", goal, goal);
    subset(setup, tables, goal);
    variants(setup, tables);
    by_record(setup, tables);
}

/// Some runs, of which the mean.
fn mean<T>(mut run: impl FnMut() -> T) -> Duration {
    clock(|| {
        for _ in 0..RUNS {
            black_box(run());
        }
    }) / RUNS
}

fn both<T>(setup: &Setup, tables: &mut Tables, name: &str, read: Target, write: Target)
where
    T: ByHand + Serialize + DeserializeOwned + npyz::Deserialize + npyz::AutoSerialize + Copy + PartialEq,
{
    let (records, file) = samples::<T>(RECORDS);
    let (records, file) = (&records[..], &file[..]);
    let begin = file.len() - RECORDS * T::ITEMSIZE;
    let title = format!("decode {name}");
    tables.add(setup, &title, || {
        assert!(serde_npy::records_from_slice::<T>(file).unwrap() == records);
        assert!(verbs::npyz_read::<T>(file) == records);
        let mut ours: Vec<T> = Vec::with_capacity(RECORDS);
        let mut by_hand: Vec<T> = Vec::with_capacity(RECORDS);
        Table::new(title.clone(), Unit::NanosecondsEach(RECORDS as u64))
            .limit("hand-written, into a Vec used before", move || {
                mean(|| {
                    by_hand.clear();
                    assert!(decode_all(black_box(&file[begin..]), &mut by_hand));
                })
            })
            .aside("hand-written, into a new Vec", move || {
                mean(|| {
                    let mut records: Vec<T> = Vec::new();
                    assert!(decode_all(black_box(&file[begin..]), &mut records));
                    records
                })
            })
            .aside("copy of the bytes", move || mean(|| black_box(&file[begin..]).to_vec()))
            .peer("npyz into_vec, slice", move || mean(|| verbs::npyz_read::<T>(black_box(file))))
            .ours("records_into a Vec used before", read, move || mean(|| verbs::read(black_box(file), &mut ours)))
            .ours("records_from_slice", read, move || {
                mean(|| serde_npy::records_from_slice::<T>(black_box(file)).unwrap())
            })
            .ours("from_slice::<Vec<T>>", Target::NONE, move || {
                mean(|| serde_npy::from_slice::<Vec<T>>(black_box(file)).unwrap())
            })
    });

    let title = format!("encode {name}");
    tables.add(setup, &title, || {
        let dtype = Header::read(file).unwrap().dtype().clone();
        let options = WriteOptions::default().dtype(dtype);
        let mut by_hand = vec![0; file.len()];
        let sink = Vec::with_capacity(file.len() + 4096);
        let [mut first, mut second, mut third, mut fourth] = std::array::from_fn(|_| {
            let mut bytes = sink.clone();
            bytes.reserve(file.len() + 4096);
            bytes
        });
        let mut writer = Writer::new_with(io::sink(), u64::MAX / T::ITEMSIZE as u64 / 4, &options);
        Table::new(title.clone(), Unit::NanosecondsEach(RECORDS as u64))
            .limit("hand-written", move || mean(|| encode_all(black_box(records), &mut by_hand)))
            .aside("copy of the bytes into memory used before", move || {
                mean(|| {
                    first.clear();
                    first.extend_from_slice(black_box(file));
                })
            })
            .peer("npyz extend, into memory used before", move || {
                mean(|| {
                    second.clear();
                    verbs::npyz_write(black_box(records), Reused { bytes: &mut second });
                })
            })
            .ours("Writer::write_block, sink", write, move || mean(|| writer.write_block(black_box(records)).unwrap()))
            .ours("records_to_writer, into memory used before", write, move || {
                mean(|| {
                    third.clear();
                    serde_npy::records_to_writer(Reused { bytes: &mut third }, black_box(records)).unwrap();
                })
            })
            .ours("to_writer(&[T]), into memory used before", Target::NONE, move || {
                mean(|| {
                    fourth.clear();
                    serde_npy::to_writer(Reused { bytes: &mut fourth }, black_box(records)).unwrap();
                })
            })
    });
}

/// Five columns of a thousand; the header of a thousand fields is outside.
fn subset(setup: &Setup, tables: &mut Tables, goal: Target) {
    let title = "decode 5 columns of 1000";
    tables.add(setup, title, || {
        let count = 1_000;
        let (records, file) = thousand_columns(count);
        let file: &'static [u8] = file.leak();
        let begin = file.len() - count * Five::ITEMSIZE;
        let view = View::new(file).unwrap();
        assert!(view.records::<Five>(..).unwrap() == records);
        Table::new(title, Unit::NanosecondsEach(count as u64))
            .limit("hand-written", move || {
                mean(|| {
                    let mut records: Vec<Five> = Vec::new();
                    assert!(decode_all(black_box(&file[begin..]), &mut records));
                    records
                })
            })
            .ours("View::records", Target { peer: None, ..goal }, move || mean(|| view.records::<Five>(..).unwrap()))
            .ours("records_from_slice, header included", Target::NONE, move || {
                mean(|| serde_npy::records_from_slice::<Five>(black_box(file)).unwrap())
            })
            .aside("Header::read", move || mean(|| Header::read(black_box(file)).unwrap()))
    });
}

/// `Tick` as the file does not have it.
fn variants(setup: &Setup, tables: &mut Tables) {
    let title = "decode Tick otherwise";
    tables.add(setup, title, || {
        let (records, file) = samples::<Tick>(RECORDS);
        let file: &'static [u8] = file.leak();
        let begin = file.len() - RECORDS * Tick::ITEMSIZE;
        let big = WriteOptions::default().byteorder(ByteOrder::Big);
        let big: &'static [u8] = serde_npy::records_to_vec_with(&records, &big).unwrap().leak();
        assert!(serde_npy::records_from_slice::<Tick>(big).unwrap() == records);
        let orders: Vec<Order> = (0..RECORDS)
            .map(|i| Order { id: i as u32, side: if i % 3 == 0 { Side::Buy } else { Side::Sell }, price: i as f64 })
            .collect();
        let orders: &'static [u8] = serde_npy::records_to_vec(&orders).unwrap().leak();
        Table::new(title, Unit::NanosecondsEach(RECORDS as u64))
            .limit("Tick, hand-written, into a new Vec", move || {
                mean(|| {
                    let mut records: Vec<Tick> = Vec::new();
                    assert!(decode_all(black_box(&file[begin..]), &mut records));
                    records
                })
            })
            .ours("Tick as it is", Target::NONE, move || from_slice::<Tick>(file))
            .ours("big-endian", Target::NONE, move || from_slice::<Tick>(big))
            .peer("big-endian, npyz into_vec", move || mean(|| verbs::npyz_read::<Tick>(black_box(big))))
            .ours("fields in another order", Target::NONE, move || from_slice::<Reordered>(file))
            .ours("wider integers", Target::NONE, move || from_slice::<Widened>(file))
            .ours("Option fields", Target::NONE, move || from_slice::<Optional>(file))
            .ours("three of six fields", Target::NONE, move || from_slice::<Part>(file))
            .ours("an enum out of <U4, three fields", Target::NONE, move || from_slice::<Order>(orders))
            .ours("tuple (i64, f64, u32, u16, u8, bool)", Target::NONE, move || {
                from_slice::<(i64, f64, u32, u16, u8, bool)>(file)
            })
    });
    let title = "encode Tick otherwise";
    tables.add(setup, title, || {
        let (records, _) = samples::<Tick>(RECORDS);
        let records: &'static [Tick] = records.leak();
        let optional: Vec<Optional> = records
            .iter()
            .map(|t| Optional {
                time: t.time,
                price: Some(t.price),
                size: Some(t.size),
                flags: t.flags,
                side: t.side,
                ok: t.ok,
            })
            .collect();
        let orders: Vec<Order> = (0..RECORDS)
            .map(|i| Order { id: i as u32, side: if i % 3 == 0 { Side::Buy } else { Side::Sell }, price: i as f64 })
            .collect();
        let mut by_hand = vec![0; RECORDS * Tick::ITEMSIZE];
        let big = WriteOptions::default().byteorder(ByteOrder::Big);
        let dtype =
            "[('time', '<i8'), ('price', '<f8'), ('size', '<u8'), ('flags', '<u4'), ('side', '<u2'), ('ok', '|b1')]";
        let wider = WriteOptions::default().dtype(dtype.parse().unwrap());
        Table::new(title, Unit::NanosecondsEach(RECORDS as u64))
            .limit("Tick, hand-written", move || mean(|| encode_all(black_box(records), &mut by_hand)))
            .ours("Tick as it is", Target::NONE, move || to_sink(records, &WriteOptions::default()))
            .ours("big-endian", Target::NONE, move || to_sink(records, &big))
            .ours("into wider integers", Target::NONE, move || to_sink(records, &wider))
            .ours("Option fields", Target::NONE, move || to_sink(&optional, &WriteOptions::default()))
            .ours("an enum as <U4, three fields", Target::NONE, move || to_sink(&orders, &WriteOptions::default()))
    });
}

fn from_slice<T: DeserializeOwned>(file: &[u8]) -> Duration {
    mean(|| serde_npy::records_from_slice::<T>(black_box(file)).unwrap())
}

fn to_sink<T: Serialize>(records: &[T], options: &WriteOptions) -> Duration {
    mean(|| serde_npy::records_to_writer_with(io::sink(), black_box(records), options).unwrap())
}

/// Records that come and go one at a time.
fn by_record(setup: &Setup, tables: &mut Tables) {
    let title = "one record at a time, in memory";
    tables.add(setup, title, || {
        let (records, file) = samples::<Tick>(RECORDS);
        let (records, file): (&'static [Tick], &'static [u8]) = (records.leak(), file.leak());
        let options = WriteOptions::default().dtype(Header::read(file).unwrap().dtype().clone());
        Table::new(title, Unit::NanosecondsEach(RECORDS as u64))
            .peer("npyz iterator over a slice", move || {
                mean(|| {
                    let data = npyz::NpyFile::new(black_box(file)).unwrap().data::<Tick>().unwrap();
                    data.map(|tick| tick.unwrap().price).sum::<f64>()
                })
            })
            .ours("Reader::records over a slice, sum", Target::NONE, move || {
                mean(|| {
                    let mut reader = Reader::new(black_box(file)).unwrap();
                    reader.records::<Tick>().map(|tick| tick.unwrap().price).sum::<f64>()
                })
            })
            .ours("View::iter, sum", Target::NONE, move || {
                mean(|| {
                    let view = View::new(black_box(file)).unwrap();
                    view.iter::<Tick>().map(|tick| tick.unwrap().price).sum::<f64>()
                })
            })
            .ours("View::get of every record", Target::NONE, move || {
                mean(|| {
                    let view = View::new(black_box(file)).unwrap();
                    (0..RECORDS as u64).map(|i| view.get::<Tick>(i).unwrap().price).sum::<f64>()
                })
            })
            .ours("Writer::write of every record, sink", Target::NONE, move || {
                mean(|| {
                    let mut writer = Writer::new_with(io::sink(), RECORDS as u64, &options);
                    for tick in black_box(records) {
                        writer.write(tick).unwrap();
                    }
                    writer.finish().unwrap();
                })
            })
    });
}
