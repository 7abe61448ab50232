//! Records with text: workload 6.

use super::Tables;
use crate::data::TEXT_DESCR;
use crate::measure::{Table, Target, Unit, clock};
use crate::setup::Setup;
use crate::types::{Borrowing, NpyzText, Text};
use serde_npy::WriteOptions;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};

pub fn tables(setup: &Setup, tables: &mut Tables) {
    read(setup, tables);
    write(setup, tables);
}

fn read(setup: &Setup, tables: &mut Tables) {
    let title = "6 read records with text";
    tables.add(setup, title, || {
        let path = setup.path("texts.npy");
        let path: &'static std::path::Path = Box::leak(path.into_boxed_path());
        let bytes: &'static [u8] = fs::read(path).unwrap().leak();
        let texts: Vec<Text> = serde_npy::records_from_slice(bytes).unwrap();
        let npyz = move |buffer| {
            let file = BufReader::with_capacity(buffer, File::open(path).unwrap());
            npyz::NpyFile::new(file).unwrap().into_vec::<Text>().unwrap()
        };
        assert!(npyz(1 << 13) == texts);
        let target = Target::new(1.9, 0.7);
        Table::new(title, Unit::Milliseconds)
            .limit("clone of the result", move || clock(|| texts.clone()))
            .aside("fs::read", move || clock(|| fs::read(path).unwrap()))
            .peer("npyz into_vec, BufReader 8K", move || clock(|| npyz(1 << 13)))
            .peer("npyz into_vec, BufReader 1M", move || clock(|| npyz(1 << 20)))
            .aside("npyz into_vec, slice", move || {
                clock(|| npyz::NpyFile::new(bytes).unwrap().into_vec::<Text>().unwrap())
            })
            .ours("records_from_path", target, move || clock(|| serde_npy::records_from_path::<Text>(path).unwrap()))
            .ours("from_path::<Vec<Text>>", Target::NONE, move || {
                clock(|| serde_npy::from_path::<Vec<Text>>(path).unwrap())
            })
            .ours("records_from_slice", target, move || clock(|| serde_npy::records_from_slice::<Text>(bytes).unwrap()))
            .ours("records_from_slice, S8 borrowed", Target::NONE, move || {
                clock(|| serde_npy::records_from_slice::<Borrowing<'_>>(bytes).unwrap())
            })
            .numpy("numpy load", setup.numpy("read texts"))
            .numpy("numpy load, text to lists", setup.numpy("read texts to lists"))
    });
}

fn write(setup: &Setup, tables: &mut Tables) {
    let title = "6 write records with text";
    tables.add(setup, title, || {
        let bytes = fs::read(setup.path("texts.npy")).unwrap();
        let texts: Vec<Text> = serde_npy::records_from_slice(&bytes).unwrap();
        let peers: Vec<NpyzText> = texts
            .iter()
            .map(|t| NpyzText { id: t.id, name: t.name.clone(), tag: t.tag.clone().into_bytes(), v: t.v })
            .collect();
        let dtype = npyz::NpyFile::new(&bytes[..]).unwrap().dtype();
        let texts: &'static [Text] = texts.leak();
        let options = WriteOptions::default().dtype(TEXT_DESCR.parse().unwrap());
        let out = setup.out();
        serde_npy::records_to_path_with(&out, texts, &options).unwrap();
        assert!(fs::read(&out).unwrap() == bytes);
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
            .peer("npyz, BufWriter 1M", move || {
                use npyz::WriterBuilder as _;
                let out = b();
                clock(|| {
                    let file = BufWriter::with_capacity(1 << 20, File::create(out).unwrap());
                    let options = npyz::WriteOptions::<NpyzText>::new().dtype(dtype.clone());
                    let mut writer = options.shape(&[peers.len() as u64]).writer(file).begin_nd().unwrap();
                    for text in &peers {
                        writer.push(text).unwrap();
                    }
                    writer.finish().unwrap();
                })
            })
            .ours("records_to_path_with a dtype", Target::new(1.8, 0.4), move || {
                let out = c();
                clock(|| serde_npy::records_to_path_with(out, texts, &options).unwrap())
            })
            .ours("records_to_path, widths found (U8 for S8)", Target::NONE, move || {
                let out = d();
                clock(|| serde_npy::records_to_path(out, texts).unwrap())
            })
            .numpy("numpy save", setup.numpy("write texts"))
    });
}
