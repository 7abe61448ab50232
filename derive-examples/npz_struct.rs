//! An archive of arrays into a struct and out of it, as `numpy.savez` and `numpy.load` have them.

use serde::{Deserialize, Serialize};
use serde_npy::npz::{self, Compression, WriteOptions};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Model {
    /// `weights.npy`, of shape (3, 2).
    weights: Vec<[f32; 2]>,
    bias: Vec<f32>,
    labels: Vec<String>,
    /// A struct within is a record: `model['settings']['rate']`.
    settings: Settings,
    /// For archives from before there was such a member.
    #[serde(default)]
    epoch: u32,
    /// `None` has no member.
    note: Option<String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Settings {
    rate: f64,
    seed: u64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model {
        weights: vec![[0.5, 1.5], [2.5, 3.5], [4.5, 5.5]],
        bias: vec![-1.0, 1.0],
        labels: vec!["cat".into(), "hedgehog".into()],
        settings: Settings { rate: 0.125, seed: 42 },
        epoch: 7,
        note: None,
    };
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("model.npz");
    npz::to_path_with(&path, &model, &WriteOptions::default().compression(Compression::FAST))?;
    assert_eq!(npz::from_path::<Model>(&path)?, model);

    // One array more; those that are there stay as they are.
    npz::append(&path, |archive| archive.add("history", &vec![0.9, 0.5, 0.3]))?;

    // What is in it, without reading the data.
    let mut reader = npz::Reader::open(&path)?;
    let names: Vec<String> = reader.names().map(str::to_owned).collect();
    for name in &names {
        let header = reader.header(name)?;
        println!("{name}: {} {:?}", header.dtype(), header.shape());
    }
    assert_eq!(names, ["weights", "bias", "labels", "settings", "epoch", "history"]);
    assert_eq!(reader.get::<Vec<f64>>("history")?, [0.9, 0.5, 0.3]);
    Ok(())
}
