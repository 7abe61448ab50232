//! Small things: a file of a hundred bytes or so, records appended one by one.

use super::Tables;
use crate::by_hand::samples;
use crate::measure::{Table, Target, Unit, clock};
use crate::setup::Setup;
use crate::types::Tick;
use ndarray::Array1;
use serde_npy::Writer;
use std::fs::{self, OpenOptions};
use std::hint::black_box;
use std::io::Write;
use std::time::Duration;

const RUNS: u32 = 200;

fn mean<T>(mut run: impl FnMut() -> T) -> Duration {
    clock(|| {
        for _ in 0..RUNS {
            black_box(run());
        }
    }) / RUNS
}

pub fn tables(setup: &Setup, tables: &mut Tables) {
    let title = "one file of 4 <f8 (160 bytes), in and out";
    tables.add(setup, title, || {
        let values = vec![0.5f64, 1.5, 2.5, 3.5];
        let path = setup.path("small.npy");
        serde_npy::to_path(&path, &values).unwrap();
        let bytes = fs::read(&path).unwrap();
        let array = Array1::from(values.clone());
        let [a, b, c, d] = std::array::from_fn(|_| path.clone());
        let [e, f, g] = std::array::from_fn(|_| setup.out());
        let (first, second) = (bytes.clone(), bytes.clone());
        let same = values.clone();
        Table::new(title, Unit::Microseconds)
            .limit("fs::read", move || mean(|| fs::read(&a).unwrap()))
            .peer("read, ndarray-npy read_npy", move || mean(|| ndarray_npy::read_npy::<_, Array1<f64>>(&b).unwrap()))
            .ours("read, from_path::<Vec<f64>>", Target::NONE, move || {
                mean(|| serde_npy::from_path::<Vec<f64>>(&c).unwrap())
            })
            .ours("read, from_path::<[f64; 4]>", Target::NONE, move || {
                mean(|| serde_npy::from_path::<[f64; 4]>(&d).unwrap())
            })
            .ours("read, from_slice::<Vec<f64>>", Target::NONE, move || {
                mean(|| serde_npy::from_slice::<Vec<f64>>(black_box(&first)).unwrap())
            })
            .aside("write, fs::write", move || mean(|| fs::write(&e, &second).unwrap()))
            .aside("write, ndarray-npy write_npy", move || mean(|| ndarray_npy::write_npy(&f, &array).unwrap()))
            .ours("write, to_path (a new file, renamed)", Target::NONE, move || {
                mean(|| serde_npy::to_path(&g, &values).unwrap())
            })
            .ours("write, to_vec", Target::NONE, move || mean(|| serde_npy::to_vec(black_box(&same)).unwrap()))
    });

    let title = "append single records to a file";
    tables.add(setup, title, || {
        let (records, _) = samples::<Tick>(1_000);
        let tick = records[0];
        let (path, plain, open) = (setup.path("log.npy"), setup.path("log"), setup.path("open.npy"));
        serde_npy::records_to_path(&path, &records).unwrap();
        serde_npy::records_to_path(&open, &records).unwrap();
        fs::write(&plain, b"").unwrap();
        let mut writer = Writer::append(&open).unwrap();
        Table::new(title, Unit::Microseconds)
            .limit("open, write_all of 24 bytes", move || {
                mean(|| OpenOptions::new().append(true).open(&plain).unwrap().write_all(&[1; 24]).unwrap())
            })
            .ours("Writer::append, write, finish", Target::NONE, move || {
                mean(|| {
                    let mut writer = Writer::append(&path).unwrap();
                    writer.write(&tick).unwrap();
                    writer.finish().unwrap()
                })
            })
            .ours("write and flush, Writer open", Target::NONE, move || {
                mean(|| {
                    writer.write(&tick).unwrap();
                    writer.flush().unwrap();
                })
            })
    });
}
