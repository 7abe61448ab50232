//! The files of the workloads, made without the library that is measured.

use crate::by_hand::{ByHand, header, samples};
use crate::random::Random;
use crate::setup::Setup;
use crate::types::{Five, Text, Tick};
use ndarray::Array1;
use ndarray_npy::NpzWriter;
use std::fs::{self, File};
use std::io::BufWriter;

pub const FLOATS: usize = 10_000_000;
pub const TICKS: usize = 5_000_000;
pub const TEXTS: usize = 1_000_000;
pub const MEMBERS: usize = 8;
pub const MEMBER: usize = 1_000_000;
pub const TEXT_DESCR: &str = "[('id', '<u8'), ('name', '<U16'), ('tag', '|S8'), ('v', '<f4', (4,))]";

/// Every file that more than one table, NumPy or another process wants.
pub fn make(setup: &Setup) {
    floats(setup);
    for count in [10_000, 100_000, 1_000_000, TICKS] {
        let (_, file) = samples::<Tick>(setup.count(count));
        fs::write(setup.path(&format!("ticks_{count}.npy")), file).unwrap();
    }
    fs::write(setup.path("texts.npy"), texts(setup.count(TEXTS))).unwrap();
    archives(setup);
}

fn floats(setup: &Setup) {
    let count = setup.count(FLOATS);
    let mut random = setup.random();
    let values: Vec<f64> = (0..count).map(|_| random.normal()).collect();
    let file = |descr: &str, shape: &[usize], bytes: fn(f64) -> [u8; 8]| {
        let mut file = header(descr, shape);
        file.extend(values.iter().flat_map(|value| bytes(*value)));
        file
    };
    fs::write(setup.path("f8.npy"), file("'<f8'", &[count], f64::to_le_bytes)).unwrap();
    fs::write(setup.path("f8_be.npy"), file("'>f8'", &[count], f64::to_be_bytes)).unwrap();
    fs::write(setup.path("f8_2d.npy"), file("'<f8'", &[count / 1000, 1000], f64::to_le_bytes)).unwrap();
}

/// Names of 5 to 16 letters, one in twenty of which begins with two that are not ASCII, and tags of 1 to 8.
fn text(random: &mut Random, id: u64) -> Text {
    let length = random.range(5, 17);
    let mut name: String = (0..length).map(|_| random.range(b'a'.into(), b'{'.into()) as u8 as char).collect();
    if random.range(0, 20) == 0 {
        name.replace_range(..2, "\u{e9}\u{4e2d}");
    }
    let length = random.range(1, 9);
    let tag = (0..length).map(|_| random.range(b'A'.into(), b'['.into()) as u8 as char).collect();
    Text { id, name, tag, v: std::array::from_fn(|_| random.normal() as f32) }
}

pub fn texts(count: usize) -> Vec<u8> {
    let mut random = Random::new(42);
    let mut file = header(TEXT_DESCR, &[count]);
    for id in 0..count as u64 {
        let Text { id, name, tag, v } = text(&mut random, id);
        file.extend(id.to_le_bytes());
        let end = file.len() + 64;
        file.extend(name.chars().flat_map(|c| u32::from(c).to_le_bytes()));
        file.resize(end, 0);
        file.extend(tag.bytes());
        file.resize(end + 8, 0);
        file.extend(v.iter().flat_map(|value| value.to_le_bytes()));
    }
    file
}

/// Normal values rounded to two decimals, as measurements are.
pub fn rounded(random: &mut Random, count: usize) -> Vec<f32> {
    (0..count).map(|_| ((random.normal() * 100.0).round() / 100.0) as f32).collect()
}

fn archives(setup: &Setup) {
    let mut random = setup.random();
    let create = |name: &str| BufWriter::new(File::create(setup.path(name)).unwrap());
    let mut stored = NpzWriter::new(create("u.npz"));
    let mut deflated = NpzWriter::new_compressed(create("c.npz"));
    for i in 0..MEMBERS {
        let values = Array1::from(rounded(&mut random, setup.count(MEMBER)));
        stored.add_array(member(i), &values).unwrap();
        deflated.add_array(member(i), &values).unwrap();
    }
    stored.finish().unwrap();
    deflated.finish().unwrap();
}

pub fn member(i: usize) -> String {
    format!("a{i}")
}

/// Records of a thousand columns, and the five of them that are wanted.
pub fn thousand_columns(count: usize) -> (Vec<Five>, Vec<u8>) {
    let columns: Vec<String> = (0..1000).map(|i| format!("('f{i:03}', '<f8')")).collect();
    let mut file = header(&format!("[{}]", columns.join(", ")), &[count]);
    let mut random = Random::new(42);
    let mut records = Vec::new();
    for _ in 0..count {
        let five = Five::sample(&mut random);
        let begin = file.len();
        file.resize(begin + Five::ITEMSIZE, 0x3f);
        five.encode(&mut file[begin..]);
        records.push(five);
    }
    (records, file)
}
