//! Records in files: workloads 3 and 4.

use super::Tables;
use crate::by_hand::{encode_all, header};
use crate::data::TICKS;
use crate::measure::{Table, Target, Unit, clock};
use crate::setup::Setup;
use crate::types::{Tick, TickColumns};
use crate::verbs;
use serde_npy::{Columns, Reader, View, Writer};
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::rc::Rc;

pub fn tables(setup: &Setup, tables: &mut Tables) {
    let path = setup.path(&format!("ticks_{TICKS}.npy"));
    read(setup, tables, &path);
    stream(setup, tables, &path);
    write(setup, tables, &path);
    columns(setup, tables, &path);
}

fn npyz(path: &PathBuf, buffer: usize) -> npyz::NpyFile<BufReader<File>> {
    npyz::NpyFile::new(BufReader::with_capacity(buffer, File::open(path).unwrap())).unwrap()
}

fn read(setup: &Setup, tables: &mut Tables, path: &PathBuf) {
    let title = "3 read records into a Vec";
    tables.add(setup, title, || {
        assert!(serde_npy::records_from_path::<Tick>(path).unwrap() == npyz(path, 1 << 20).into_vec::<Tick>().unwrap());
        let mut reused: Vec<Tick> = Vec::new();
        let records = Target { limit: Some(1.10), huge_limit: Some(1.45), peer: Some(0.35), ..Target::NONE };
        Table::new(title, Unit::Milliseconds)
            .limit("fs::read", move || clock(|| fs::read(path).unwrap()))
            .peer("npyz into_vec, BufReader 1M", move || clock(|| npyz(path, 1 << 20).into_vec::<Tick>().unwrap()))
            .peer("npyz into_vec, BufReader 8K", move || clock(|| npyz(path, 1 << 13).into_vec::<Tick>().unwrap()))
            .ours("records_from_path", records, move || clock(|| serde_npy::records_from_path::<Tick>(path).unwrap()))
            .ours("from_path::<Vec<Tick>>", Target::new(1.5, 0.5), move || {
                clock(|| serde_npy::from_path::<Vec<Tick>>(path).unwrap())
            })
            .ours("records_into a Vec used before", Target::NONE, move || {
                reused.clear();
                clock(|| serde_npy::records_into(File::open(path).unwrap(), &mut reused).unwrap())
            })
            .ours("fs::read, View, par_records", Target::NONE, move || {
                clock(|| {
                    let bytes = fs::read(path).unwrap();
                    View::new(&bytes).unwrap().par_records::<Tick>(..).unwrap()
                })
            })
            .numpy("numpy load", setup.numpy(&format!("read ticks {TICKS}")))
    });
}

/// All fields of a record, so that none is left out.
fn sum(total: (i64, f64), tick: &Tick) -> (i64, f64) {
    let whole = tick
        .time
        .wrapping_add(i64::from(tick.size))
        .wrapping_add(i64::from(tick.flags))
        .wrapping_add(i64::from(tick.side))
        .wrapping_add(i64::from(tick.ok));
    (total.0.wrapping_add(whole), total.1 + tick.price)
}

fn stream(setup: &Setup, tables: &mut Tables, path: &PathBuf) {
    let title = "3 stream records, sum";
    let npyz_sum = |buffer| {
        let data = npyz(path, buffer).data::<Tick>().unwrap();
        data.fold((0, 0.0), |total, tick| sum(total, &tick.unwrap()))
    };
    let by_record = || {
        let mut reader = Reader::from_path(path).unwrap();
        reader.records::<Tick>().fold((0, 0.0), |total, tick| sum(total, &tick.unwrap()))
    };
    let by_block = || {
        let mut reader = Reader::from_path(path).unwrap();
        let mut records = reader.records::<Tick>();
        let mut total = (0, 0.0);
        while let Some(block) = records.next_block().unwrap() {
            total = block.iter().fold(total, sum);
        }
        total
    };
    tables.add(setup, title, || {
        let expected = npyz_sum(1 << 20);
        assert_eq!(by_record(), expected);
        assert_eq!(by_block(), expected);
        let mut buffer = vec![0; 1 << 17];
        Table::new(title, Unit::Milliseconds)
            .limit("read 128K pieces and discard", move || {
                clock(|| {
                    let mut file = File::open(path).unwrap();
                    while file.read(&mut buffer).unwrap() > 0 {}
                })
            })
            .peer("npyz iterator, BufReader 1M", move || clock(|| npyz_sum(1 << 20)))
            .peer("npyz iterator, BufReader 8K", move || clock(|| npyz_sum(1 << 13)))
            .ours("Reader::records, next_block", Target::new(3.0, 0.25), move || clock(by_block))
            .ours("Reader::records, iterator", Target::new(3.0, 0.25), move || clock(by_record))
    });
}

fn write(setup: &Setup, tables: &mut Tables, path: &PathBuf) {
    let title = "4 write records";
    tables.add(setup, title, || {
        let bytes = fs::read(path).unwrap();
        let ticks: Rc<Vec<Tick>> = Rc::new(serde_npy::records_from_slice(&bytes).unwrap());
        let out = setup.out();
        serde_npy::records_to_path(&out, &ticks).unwrap();
        assert!(fs::read(&out).unwrap() == bytes);
        let removed = {
            let ticks = ticks.clone();
            move || {
                let _ = fs::remove_file(&out);
                (out.clone(), ticks.clone())
            }
        };
        let [a, b, c, d, e, f] = std::array::from_fn(|_| removed.clone());
        Table::new(title, Unit::Milliseconds)
            .limit("fs::write", move || {
                let (out, _) = a();
                clock(|| fs::write(out, &bytes).unwrap())
            })
            .aside("hand-written loop, 256K pieces", move || {
                let (out, ticks) = f();
                clock(|| {
                    let mut file = File::create(out).unwrap();
                    file.write_all(&header(<Tick as crate::by_hand::ByHand>::DESCR, &[ticks.len()])).unwrap();
                    let mut buffer = vec![0; 24 * 10_000];
                    for ticks in ticks.chunks(10_000) {
                        encode_all(ticks, &mut buffer);
                        file.write_all(&buffer[..24 * ticks.len()]).unwrap();
                    }
                })
            })
            .peer("npyz, BufWriter 1M", move || {
                let (out, ticks) = b();
                clock(|| verbs::npyz_write(&ticks, BufWriter::with_capacity(1 << 20, File::create(out).unwrap())))
            })
            .ours("records_to_path", Target::new(1.2, 0.3), move || {
                let (out, ticks) = c();
                clock(|| serde_npy::records_to_path(out, &ticks).unwrap())
            })
            .ours("to_path(&Vec<Tick>)", Target::new(1.2, 0.3), move || {
                let (out, ticks) = d();
                clock(|| serde_npy::to_path(out, &*ticks).unwrap())
            })
            .ours("Writer::create, a record at a time", Target::NONE, move || {
                let (out, ticks) = e();
                clock(|| {
                    let mut writer = Writer::create(out).unwrap();
                    for tick in ticks.iter() {
                        writer.write(tick).unwrap();
                    }
                    writer.finish().unwrap()
                })
            })
            .numpy("numpy save", setup.numpy("write ticks"))
    });
}

fn columns(setup: &Setup, tables: &mut Tables, path: &PathBuf) {
    let title = "columns of records, read";
    tables.add(setup, title, || {
        let bytes: Rc<Vec<u8>> = Rc::new(fs::read(path).unwrap());
        let [first, second, third] = std::array::from_fn(|_| bytes.clone());
        Table::new(title, Unit::Milliseconds)
            .limit("fs::read", move || clock(|| fs::read(path).unwrap()))
            .ours("from_path::<Columns<TickColumns>>", Target::NONE, move || {
                clock(|| serde_npy::from_path::<Columns<TickColumns>>(path).unwrap())
            })
            .ours("View::column of price, to_vec", Target::NONE, move || {
                clock(|| View::new(&first).unwrap().column::<f64>(&["price"]).unwrap().to_vec().unwrap())
            })
            .ours("View::column of price, sum", Target::NONE, move || {
                clock(|| {
                    let view = View::new(&second).unwrap();
                    view.column::<f64>(&["price"]).unwrap().sum::<serde_npy::Result<f64>>().unwrap()
                })
            })
            .aside("hand-written sum of price", move || {
                let begin = third.len() - 24 * setup.count(TICKS);
                clock(|| {
                    let records = third[begin..].chunks_exact(24);
                    records.map(|bytes| f64::from_le_bytes(bytes[8..16].try_into().unwrap())).sum::<f64>()
                })
            })
    });
    let title = "columns of records, write";
    tables.add(setup, title, || {
        let bytes = fs::read(path).unwrap();
        let columns: Columns<TickColumns> = serde_npy::from_slice(&bytes).unwrap();
        let out = setup.out();
        let removed = move || {
            let _ = fs::remove_file(&out);
            out.clone()
        };
        let again = removed.clone();
        Table::new(title, Unit::Milliseconds)
            .limit("fs::write", move || {
                let out = removed();
                clock(|| fs::write(out, &bytes).unwrap())
            })
            .ours("to_path(&Columns<TickColumns>)", Target::NONE, move || {
                let out = again();
                clock(|| serde_npy::to_path(out, &columns).unwrap())
            })
    });
}
