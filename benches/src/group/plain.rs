//! Plain arrays of `<f8` and `>f8`: workloads 1, 2 and 5, and matrices.

use super::Tables;
use crate::measure::{Table, Target, Unit, clock};
use crate::setup::Setup;
use ndarray::{Array1, Array2};
use serde_npy::Array;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::Path;

const BULK: Target = Target { limit: Some(1.05), peer: Some(1.0), ..Target::NONE };
const SERDE: Target = Target { limit: Some(1.15), peer: Some(1.0), ..Target::NONE };

pub fn tables(setup: &Setup, tables: &mut Tables) {
    read(setup, tables, "1 read <f8", "f8.npy", "read f8");
    write(setup, tables);
    read(setup, tables, "5 read >f8", "f8_be.npy", "read big-endian");
    matrix(setup, tables);
}

fn npyz(path: &Path, buffer: usize) -> Vec<f64> {
    let file = BufReader::with_capacity(buffer, File::open(path).unwrap());
    npyz::NpyFile::new(file).unwrap().into_vec().unwrap()
}

fn read(setup: &Setup, tables: &mut Tables, title: &str, file: &str, numpy: &str) {
    tables.add(setup, title, || {
        let path = setup.path(file);
        assert!(serde_npy::from_path::<Vec<f64>>(&path).unwrap() == npyz(&path, 1 << 20));
        let path: &'static Path = Box::leak(path.into_boxed_path());
        Table::new(title, Unit::Milliseconds)
            .limit("fs::read", move || clock(|| fs::read(path).unwrap()))
            .peer("ndarray-npy read_npy", move || clock(|| ndarray_npy::read_npy::<_, Array1<f64>>(path).unwrap()))
            .peer("npyz into_vec, BufReader 1M", move || clock(|| npyz(path, 1 << 20)))
            .peer("npyz into_vec, BufReader 8K", move || clock(|| npyz(path, 1 << 13)))
            .ours("from_path::<Array<f64>>", BULK, move || clock(|| serde_npy::from_path::<Array<f64>>(path).unwrap()))
            .ours("from_path::<Vec<f64>>", SERDE, move || clock(|| serde_npy::from_path::<Vec<f64>>(path).unwrap()))
            .ours("records_from_path::<f64>", SERDE, move || {
                clock(|| serde_npy::records_from_path::<f64>(path).unwrap())
            })
            .numpy("numpy load", setup.numpy(numpy))
    });
}

fn write(setup: &Setup, tables: &mut Tables) {
    let title = "2 write <f8";
    tables.add(setup, title, || {
        let path = setup.path("f8.npy");
        let bytes = fs::read(&path).unwrap();
        let values: Vec<f64> = serde_npy::from_path(&path).unwrap();
        let array = Array1::from(values.clone());
        let ours = Array::new(vec![values.len() as u64], values.clone()).unwrap();
        serde_npy::to_path(setup.out(), &values).unwrap();
        assert!(fs::read(setup.out()).unwrap() == bytes);
        let length = values.len() as u64;
        let (values, out) = (std::rc::Rc::new(values), setup.out());
        let removed = move || {
            let _ = fs::remove_file(&out);
            out.clone()
        };
        let [a, b, c, d, e, f] = std::array::from_fn(|_| removed.clone());
        let (first, second, third) = (values.clone(), values.clone(), values.clone());
        Table::new(title, Unit::Milliseconds)
            .limit("fs::write", move || {
                let out = a();
                clock(|| fs::write(out, &bytes).unwrap())
            })
            .peer("ndarray-npy write_npy", move || {
                let out = b();
                clock(|| ndarray_npy::write_npy(out, &array).unwrap())
            })
            .peer("npyz extend, BufWriter 1M", move || {
                use npyz::WriterBuilder as _;
                let out = c();
                clock(|| {
                    let file = BufWriter::with_capacity(1 << 20, File::create(out).unwrap());
                    let options = npyz::WriteOptions::new().default_dtype().shape(&[length]);
                    let mut writer = options.writer(file).begin_nd().unwrap();
                    writer.extend(first.iter().copied()).unwrap();
                    writer.finish().unwrap();
                })
            })
            .ours("to_path(&Array<f64>)", BULK, move || {
                let out = d();
                clock(|| serde_npy::to_path(out, &ours).unwrap())
            })
            .ours("to_path(&Vec<f64>)", SERDE, move || {
                let out = e();
                clock(|| serde_npy::to_path(out, &*second).unwrap())
            })
            .ours("records_to_path(&[f64])", SERDE, move || {
                let out = f();
                clock(|| serde_npy::records_to_path(out, &third).unwrap())
            })
            .numpy("numpy save", setup.numpy("write f8"))
    });
}

fn matrix(setup: &Setup, tables: &mut Tables) {
    let title = "ndarray::Array2<f64>, read";
    tables.add(setup, title, || {
        let path = setup.path("f8_2d.npy");
        Table::new(title, Unit::Milliseconds)
            .limit("fs::read", {
                let path = path.clone();
                move || clock(|| fs::read(&path).unwrap())
            })
            .peer("ndarray-npy read_npy", {
                let path = path.clone();
                move || clock(|| ndarray_npy::read_npy::<_, Array2<f64>>(&path).unwrap())
            })
            .ours("from_path::<Array2<f64>>", Target::NONE, {
                let path = path.clone();
                move || clock(|| serde_npy::from_path::<Array2<f64>>(&path).unwrap())
            })
            .ours("from_path::<Array<f64>>", Target::NONE, {
                let path = path.clone();
                move || clock(|| serde_npy::from_path::<Array<f64>>(&path).unwrap())
            })
            .ours("from_path::<Vec<Vec<f64>>>", Target::NONE, move || {
                clock(|| serde_npy::from_path::<Vec<Vec<f64>>>(&path).unwrap())
            })
    });
    let title = "ndarray::Array2<f64>, write";
    tables.add(setup, title, || {
        let bytes = fs::read(setup.path("f8_2d.npy")).unwrap();
        let array: Array2<f64> = ndarray_npy::read_npy(setup.path("f8_2d.npy")).unwrap();
        let same = array.clone();
        let out = setup.out();
        let removed = move || {
            let _ = fs::remove_file(&out);
            out.clone()
        };
        let [a, b, c] = std::array::from_fn(|_| removed.clone());
        Table::new(title, Unit::Milliseconds)
            .limit("fs::write", move || {
                let out = a();
                clock(|| fs::write(out, &bytes).unwrap())
            })
            .peer("ndarray-npy write_npy", move || {
                let out = b();
                clock(|| ndarray_npy::write_npy(out, &array).unwrap())
            })
            .ours("to_path(&Array2<f64>)", Target::NONE, move || {
                let out = c();
                clock(|| serde_npy::to_path(out, &same).unwrap())
            })
    });
}
