//! The shapes of containers: nested vectors, maps of members, tuples; and the typed slice.

use super::Tables;
use crate::measure::{Table, Target, Unit, clock};
use crate::setup::Setup;
use ndarray::Array2;
use serde_npy::{View, npz};
use std::collections::BTreeMap;

const ROWS: usize = 1_000;
const COLUMNS: usize = 1_000;

pub fn tables(setup: &Setup, tables: &mut Tables) {
    let mut random = setup.random();
    let rows: Vec<Vec<f32>> = (0..ROWS).map(|_| (0..COLUMNS).map(|_| random.normal() as f32).collect()).collect();
    let (rows, file) = (&rows, &serde_npy::to_vec(&rows).unwrap());

    let title = "shapes in memory, read 1M <f4";
    tables.add(setup, title, || {
        let flat = serde_npy::to_vec(&rows.concat()).unwrap();
        let pairs = serde_npy::to_vec(&rows.iter().map(|row| (row[0], f64::from(row[1]))).collect::<Vec<_>>()).unwrap();
        Table::new(title, Unit::Milliseconds)
            .limit("copy of the bytes", move || clock(|| file.clone()))
            .peer("ndarray-npy, Array2<f32>", move || {
                use ndarray_npy::ReadNpyExt as _;
                clock(|| Array2::<f32>::read_npy(&file[..]).unwrap())
            })
            .peer("npyz into_vec::<f32>", move || {
                clock(|| npyz::NpyFile::new(&file[..]).unwrap().into_vec::<f32>().unwrap())
            })
            .ours("Vec<f32>", Target::NONE, {
                let flat = flat.clone();
                move || clock(|| serde_npy::from_slice::<Vec<f32>>(&flat).unwrap())
            })
            .ours("Vec<Vec<f32>>", Target::NONE, move || {
                clock(|| serde_npy::from_slice::<Vec<Vec<f32>>>(file).unwrap())
            })
            .ours("Vec<[f32; 25]>", Target::NONE, {
                let flat = rows.concat();
                let blocks: Vec<[f32; 25]> = flat.chunks_exact(25).map(|row| row.try_into().unwrap()).collect();
                let blocks = serde_npy::to_vec(&blocks).unwrap();
                move || clock(|| serde_npy::from_slice::<Vec<[f32; 25]>>(&blocks).unwrap())
            })
            .ours("Array2<f32>", Target::NONE, move || clock(|| serde_npy::from_slice::<Array2<f32>>(file).unwrap()))
            .ours("Vec<Vec<f64>>, widened", Target::NONE, move || {
                clock(|| serde_npy::from_slice::<Vec<Vec<f64>>>(file).unwrap())
            })
            .ours("Vec<(f32, f64)>, 1000 of them", Target::NONE, move || {
                clock(|| serde_npy::from_slice::<Vec<(f32, f64)>>(&pairs).unwrap())
            })
            .ours("View::transpose into Vec<Vec<f32>>", Target::NONE, move || {
                clock(|| View::new(file).unwrap().transpose().deserialize::<Vec<Vec<f32>>>().unwrap())
            })
            .ours("View::as_slice::<f32>", Target::NONE, {
                // Typed slices want the memory aligned: to 64, as a memory map is.
                let aligned = Aligned::new(&flat);
                move || clock(|| View::new(aligned.bytes()).unwrap().as_slice::<f32>().unwrap().iter().sum::<f32>())
            })
    });

    let title = "shapes in memory, write 1M <f4";
    tables.add(setup, title, || {
        let array = Array2::from_shape_vec((ROWS, COLUMNS), rows.concat()).unwrap();
        let flat = rows.concat();
        let same = array.clone();
        Table::new(title, Unit::Milliseconds)
            .limit("copy of the bytes", move || clock(|| file.clone()))
            .peer("ndarray-npy, Array2<f32>", move || {
                use ndarray_npy::WriteNpyExt as _;
                clock(|| {
                    let mut bytes = Vec::with_capacity(file.len());
                    array.write_npy(&mut bytes).unwrap();
                    bytes
                })
            })
            .ours("Vec<f32>", Target::NONE, move || clock(|| serde_npy::to_vec(&flat).unwrap()))
            .ours("Vec<Vec<f32>>", Target::NONE, move || clock(|| serde_npy::to_vec(rows).unwrap()))
            .ours("Array2<f32>", Target::NONE, move || clock(|| serde_npy::to_vec(&same).unwrap()))
    });

    let title = "shapes of archives in memory";
    tables.add(setup, title, || {
        let map: BTreeMap<String, Vec<f32>> =
            rows.iter().enumerate().map(|(i, row)| (format!("row_{i:03}"), row.clone())).collect();
        let tuple = (rows.clone(), vec![0.5f64; 100_000], String::from("text"));
        let [of_map, of_tuple] = [npz::to_vec(&map).unwrap(), npz::to_vec(&tuple).unwrap()];
        Table::new(title, Unit::Milliseconds)
            .ours("read a map of 1000 members", Target::NONE, move || {
                clock(|| npz::from_slice::<BTreeMap<String, Vec<f32>>>(&of_map).unwrap())
            })
            .ours("write a map of 1000 members", Target::NONE, move || clock(|| npz::to_vec(&map).unwrap()))
            .ours("read a tuple of 3 members", Target::NONE, move || {
                clock(|| npz::from_slice::<(Vec<Vec<f32>>, Vec<f64>, String)>(&of_tuple).unwrap())
            })
            .ours("write a tuple of 3 members", Target::NONE, move || clock(|| npz::to_vec(&tuple).unwrap()))
    });
}

/// Bytes that begin at a multiple of 64.
struct Aligned {
    memory: Vec<u8>,
    begin: usize,
    length: usize,
}

impl Aligned {
    fn new(bytes: &[u8]) -> Self {
        let mut memory = vec![0; bytes.len() + 64];
        let begin = memory.as_ptr().align_offset(64);
        memory[begin..begin + bytes.len()].copy_from_slice(bytes);
        Aligned { memory, begin, length: bytes.len() }
    }

    fn bytes(&self) -> &[u8] {
        &self.memory[self.begin..self.begin + self.length]
    }
}
