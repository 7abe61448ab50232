//! Archives: workload 7, and ten thousand members.

use super::Tables;
use crate::data::{MEMBERS, member};
use crate::deflate;
use crate::measure::{Table, Target, Unit, clock};
use crate::setup::Setup;
use ndarray::{Array1, ArrayView1};
use serde_npy::Array;
use serde_npy::npz::{self, Compression, WriteOptions};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

/// The members of an archive by their names.
type Members = BTreeMap<String, Vec<f32>>;
type Arrays = BTreeMap<String, Array<f32>>;

pub fn tables(setup: &Setup, tables: &mut Tables) {
    stored(setup, tables);
    deflated(setup, tables);
    many(setup, tables);
}

fn ndarray_npy(path: &Path) -> Vec<Array1<f32>> {
    let mut archive = ndarray_npy::NpzReader::new(File::open(path).unwrap()).unwrap();
    (0..MEMBERS).map(|i| archive.by_name(&member(i)).unwrap()).collect()
}

fn npyz(path: &Path) -> Vec<Vec<f32>> {
    let mut archive = npyz::npz::NpzArchive::open(path).unwrap();
    (0..MEMBERS).map(|i| archive.by_name(&member(i)).unwrap().unwrap().into_vec().unwrap()).collect()
}

fn ndarray_npy_write(out: &Path, members: &Members, deflate: bool) {
    let file = BufWriter::new(File::create(out).unwrap());
    let mut writer =
        if deflate { ndarray_npy::NpzWriter::new_compressed(file) } else { ndarray_npy::NpzWriter::new(file) };
    for (name, values) in members {
        writer.add_array(name.as_str(), &ArrayView1::from(values)).unwrap();
    }
    writer.finish().unwrap();
}

fn stored(setup: &Setup, tables: &mut Tables) {
    let path = setup.path("u.npz");
    let path = path.as_path();
    let members: Members = npz::from_path(path).unwrap();
    let arrays: Arrays = npz::from_path(path).unwrap();
    assert!(members.values().eq(npyz(path).iter()));
    let title = "7 npz, stored, read";
    tables.add(setup, title, || {
        let bytes = fs::read(path).unwrap();
        let target = Target::new(1.35, 1.0);
        let names: Vec<String> = (0..MEMBERS).map(member).collect();
        Table::new(title, Unit::Milliseconds)
            .limit("fs::read", move || clock(|| fs::read(path).unwrap()))
            .peer("ndarray-npy NpzReader", move || clock(|| ndarray_npy(path)))
            .peer("npyz NpzArchive", move || clock(|| npyz(path)))
            .ours("npz::from_path, map of Array<f32>", target, move || {
                clock(|| npz::from_path::<Arrays>(path).unwrap())
            })
            .ours("npz::from_path, map of Vec<f32>", target, move || clock(|| npz::from_path::<Members>(path).unwrap()))
            .ours("npz::View in memory, map of Vec<f32> by par_get", Target::NONE, move || {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                clock(|| npz::View::new(&bytes).unwrap().par_get::<Vec<f32>>(&names).unwrap())
            })
            .numpy("numpy load", setup.numpy("read stored"))
    });
    let title = "7 npz, stored, write";
    tables.add(setup, title, || {
        let bytes = fs::read(path).unwrap();
        let (members, arrays) = (&members, &arrays);
        let out = setup.out();
        let removed = move || {
            let _ = fs::remove_file(&out);
            out.clone()
        };
        let [a, b, c, d] = std::array::from_fn(|_| removed.clone());
        Table::new(title, Unit::Milliseconds)
            .limit("fs::write", move || {
                let out = a();
                clock(|| fs::write(out, &bytes).unwrap())
            })
            .peer("ndarray-npy NpzWriter", move || {
                let out = b();
                clock(|| ndarray_npy_write(&out, members, false))
            })
            .ours("npz::to_path, map of Array<f32>", Target::NONE, move || {
                let out = c();
                clock(|| npz::to_path(out, arrays).unwrap())
            })
            .ours("npz::to_path, map of Vec<f32>", Target::NONE, move || {
                let out = d();
                clock(|| npz::to_path(out, members).unwrap())
            })
            .numpy("numpy savez", setup.numpy("write stored"))
    });
}

fn deflated(setup: &Setup, tables: &mut Tables) {
    let path = setup.path("c.npz");
    let path = path.as_path();
    let title = "7 npz, deflated, read";
    tables.add(setup, title, || {
        let bytes = fs::read(path).unwrap();
        let names: Vec<String> = (0..MEMBERS).map(member).collect();
        let members = deflate::members(path);
        Table::new(title, Unit::Milliseconds)
            .aside("libdeflate of the members in memory, and CRC-32", move || clock(|| deflate::inflate(&members)))
            .peer("ndarray-npy NpzReader", move || clock(|| ndarray_npy(path)))
            .peer("npyz NpzArchive", move || clock(|| npyz(path)))
            .ours("npz::from_path, map of Array<f32>", Target::peer(0.7), move || {
                clock(|| npz::from_path::<Arrays>(path).unwrap())
            })
            .ours("npz::from_path, map of Vec<f32>", Target::peer(0.7), move || {
                clock(|| npz::from_path::<Members>(path).unwrap())
            })
            .ours("npz::View in memory, par_get on all cores", Target::peer(0.4), move || {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                clock(|| npz::View::new(&bytes).unwrap().par_get::<Vec<f32>>(&names).unwrap())
            })
            .numpy("numpy load", setup.numpy("read deflated"))
    });
    let title = "7 npz, deflated, write";
    tables.add(setup, title, || {
        let members: Members = npz::from_path(path).unwrap();
        let members: &'static Members = Box::leak(Box::new(members));
        let out = setup.out();
        let removed = move || {
            let _ = fs::remove_file(&out);
            out.clone()
        };
        let write = |level| {
            let options = WriteOptions::default().compression(level);
            npz::to_vec_with(members, &options).unwrap().len() as f64 / 1e6
        };
        let [fast, six] = [write(Compression::FAST), write(Compression::Deflated(6))];
        let [a, b, c] = std::array::from_fn(|_| removed.clone());
        // The same bytes, not even written to a file.
        let inflated: &'static [Vec<u8>] = deflate::inflate(&deflate::members(path)).leak();
        let libdeflate = |level| {
            let (mut compressor, mut sink) = (deflate::level(level), Vec::new());
            let size = deflate::deflate(inflated, &mut compressor, &mut sink) as f64 / 1e6;
            let name = format!("libdeflate level {level} in memory, and CRC-32, {size:.1} MB");
            (name, move || clock(|| deflate::deflate(inflated, &mut compressor, &mut sink)))
        };
        let [(fast_name, libdeflate_fast), (six_name, libdeflate_six)] = [libdeflate(1), libdeflate(6)];
        let numpy = format!("numpy savez_compressed, {:.1} MB", setup.numpy("deflated size").unwrap_or_default());
        Table::new(title, Unit::Milliseconds)
            .aside(&fast_name, libdeflate_fast)
            .aside(&six_name, libdeflate_six)
            .peer("ndarray-npy NpzWriter::new_compressed (level 6)", move || {
                let out = a();
                clock(|| ndarray_npy_write(&out, members, true))
            })
            .ours(&format!("npz::to_path_with Compression::FAST, {fast:.1} MB"), Target::peer(0.2), move || {
                let out = b();
                let options = WriteOptions::default().compression(Compression::FAST);
                clock(|| npz::to_path_with(out, members, &options).unwrap())
            })
            .ours(&format!("npz::to_path_with Deflated(6), {six:.1} MB"), Target::NONE, move || {
                let out = c();
                let options = WriteOptions::default().compression(Compression::Deflated(6));
                clock(|| npz::to_path_with(out, members, &options).unwrap())
            })
            .numpy(&numpy, setup.numpy("write deflated"))
    });
}

fn many(setup: &Setup, tables: &mut Tables) {
    let count = setup.count(10_000);
    let title = "npz of 10,000 members of 4 <f8";
    tables.add(setup, title, || {
        let members: BTreeMap<String, [f64; 4]> =
            (0..count).map(|i| (format!("member_{i:05}"), [i as f64, 0.5, 1.5, 2.5])).collect();
        let path = setup.path("many.npz");
        npz::to_path(&path, &members).unwrap();
        let path: &'static Path = Box::leak(path.into_boxed_path());
        let arrays: BTreeMap<String, Array1<f64>> =
            members.iter().map(|(name, values)| (name.clone(), Array1::from(values.to_vec()))).collect();
        let (out, again) = (setup.out(), setup.out());
        Table::new(title, Unit::Milliseconds)
            .peer("read, ndarray-npy", move || {
                clock(|| {
                    let mut archive = ndarray_npy::NpzReader::new(File::open(path).unwrap()).unwrap();
                    (0..archive.len()).map(|i| archive.by_index(i).unwrap()).collect::<Vec<Array1<f64>>>()
                })
            })
            .ours("read, npz::from_path", Target::NONE, move || {
                clock(|| npz::from_path::<BTreeMap<String, [f64; 4]>>(path).unwrap())
            })
            .ours("read one of them, npz::Reader", Target::NONE, move || {
                clock(|| npz::Reader::open(path).unwrap().get::<[f64; 4]>("member_05000").unwrap())
            })
            .aside("write, ndarray-npy", move || {
                let _ = fs::remove_file(&out);
                clock(|| {
                    let mut writer = ndarray_npy::NpzWriter::new(BufWriter::new(File::create(&out).unwrap()));
                    for (name, array) in &arrays {
                        writer.add_array(name.as_str(), array).unwrap();
                    }
                    writer.finish().unwrap();
                })
            })
            .ours("write, npz::to_path", Target::NONE, move || {
                let _ = fs::remove_file(&again);
                clock(|| npz::to_path(&again, &members).unwrap())
            })
    });
}
