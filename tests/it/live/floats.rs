//! Every half, what is rounded to halves, and long doubles at the edges of both of their encodings.

use crate::python::python;
use half::f16;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_npy::with::F2;
use serde_npy::{LongDouble, ReadOptions, Reader, WriteOptions};
use std::fs;
use std::path::Path;

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Half<T: Serialize + for<'a> Deserialize<'a>>(#[serde(with = "F2")] T);

fn read<T: for<'de> Deserialize<'de>>(folder: &Path, file: &str) -> Vec<T> {
    serde_npy::from_path(folder.join(file)).unwrap()
}

/// All 65,536 of them, NaNs with their payloads.
fn halves_are_read(folder: &Path) {
    let wide: Vec<u32> = read::<f32>(folder, "f2-f4.npy").into_iter().map(f32::to_bits).collect();
    let wider: Vec<u64> = read::<f64>(folder, "f2-f8.npy").into_iter().map(f64::to_bits).collect();
    assert_eq!((wide.len(), wider.len()), (1 << 16, 1 << 16));
    let quiet = |bits: u64| if f64::from_bits(bits).is_nan() { bits | 1 << 51 } else { bits };
    for file in ["f2-le.npy", "f2-be.npy"] {
        let singles = read::<f32>(folder, file);
        let doubles = read::<f64>(folder, file);
        let halves = read::<f16>(folder, file);
        let helped = read::<Half<f32>>(folder, file);
        for bits in 0..=u16::MAX {
            let i = usize::from(bits);
            assert_eq!(singles[i].to_bits(), wide[i], "{file}: {bits:#06x}");
            assert_eq!(helped[i].0.to_bits(), wide[i], "{file}: {bits:#06x}");
            // On its way by a single a NaN becomes a quiet one.
            assert_eq!(quiet(doubles[i].to_bits()), quiet(wider[i]), "{file}: {bits:#06x}");
            assert_eq!(halves[i].to_bits(), bits, "{file}");
        }
    }
    let little = fs::read(folder.join("f2-le.npy")).unwrap();
    assert!(serde_npy::to_vec(&read::<f16>(folder, "f2-le.npy")).unwrap() == little);
    assert!(serde_npy::to_vec(&read::<Half<f32>>(folder, "f2-le.npy")).unwrap() == little);
}

/// Doubles or singles as halves, to nearest even as NumPy rounds, but never to infinity.
fn floats_become_halves<T>(folder: &Path, stem: &str)
where
    T: Serialize + for<'de> Deserialize<'de> + Copy + Into<f64> + 'static,
{
    let values = read::<T>(folder, &format!("{stem}.npy"));
    let expected = read::<f16>(folder, &format!("{stem}-f2.npy"));
    assert_eq!(values.len(), expected.len());
    let (mut fit, mut infinite) = (Vec::new(), Vec::new());
    for (&value, &half) in values.iter().zip(&expected) {
        if half.is_infinite() && value.into().is_finite() { infinite.push(value) } else { fit.push((value, half)) }
    }
    assert!(fit.len() > 150_000 && infinite.len() > 500, "{} and {}", fit.len(), infinite.len());
    let written = serde_npy::to_vec(&fit.iter().map(|&(value, _)| Half(value)).collect::<Vec<_>>()).unwrap();
    let given = WriteOptions::default().dtype("'<f2'".parse().unwrap());
    let bare: Vec<T> = fit.iter().map(|&(value, _)| value).collect();
    assert!(serde_npy::to_vec_with(&bare, &given).unwrap() == written, "{stem}: by the dtype other than by the helper");
    let halves: Vec<f16> = serde_npy::from_slice(&written).unwrap();
    for ((value, expected), half) in fit.iter().zip(&halves) {
        let value: f64 = (*value).into();
        assert_eq!(half.to_bits(), expected.to_bits(), "{stem}: {value:e}");
    }
    for value in infinite {
        let error = serde_npy::to_vec(&Half(value)).unwrap_err().to_string();
        assert!(
            error.starts_with("expected `<f2`, found float `") && error.ends_with("`, which is beyond its range"),
            "{error}"
        );
    }
}

/// What a long double is as a double, by its bits; `None` where it would be infinite.
#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum Expected {
    Double(Option<u64>, bool),
    Invalid(#[allow(dead_code, reason = "there is but one word")] String),
}

/// The wanted outcome, rounding allowed or not.
fn check(expected: &Expected, round: bool, found: Result<u64, String>) -> bool {
    let (rounded, infinite) = ("one that would be rounded", "one that would become infinite");
    match (expected, found) {
        (Expected::Double(Some(bits), exact), Ok(found)) => (*exact || round) && *bits == found,
        (Expected::Double(Some(_), exact), Err(message)) => !exact && !round && message.contains(rounded),
        (Expected::Double(None, _), Err(message)) => {
            message.contains(infinite) || (!round && message.contains(rounded))
        }
        (Expected::Invalid(_), Err(message)) => {
            message.contains("expected an x87 long double, found an invalid encoding (")
        }
        _ => false,
    }
}

fn long_doubles(folder: &Path, name: &str, encoding: LongDouble, expected: &[Expected]) {
    let options = ReadOptions::default().long_double(encoding);
    for order in ["<", ">"] {
        let file = fs::read(folder.join(format!("{name}-{order}f16.npy"))).unwrap();
        let pairs = fs::read(folder.join(format!("{name}-{order}c32.npy"))).unwrap();
        for round in [false, true] {
            let options = options.clone().round_floats(round);
            let mut reader = Reader::new_with(&file[..], &options).unwrap();
            let found = reader.records::<f64>().map(|read| read.map(f64::to_bits).map_err(|error| error.to_string()));
            let mut count = 0;
            for (i, (expected, found)) in expected.iter().zip(found).enumerate() {
                assert!(
                    check(expected, round, found.clone()),
                    "{name} {order} {i}: expected {expected:?}, found {found:?}"
                );
                count += 1;
            }
            assert_eq!(count, expected.len());

            let mut reader = Reader::new_with(&pairs[..], &options).unwrap();
            let mut count = 0;
            for (expected, found) in expected.chunks_exact(2).zip(reader.records::<(f64, f64)>()) {
                let (real, imaginary) = (&expected[0], &expected[1]);
                let found = found.map_err(|error| error.to_string());
                let one = |expected, part: fn((f64, f64)) -> f64| {
                    check(expected, round, found.clone().map(|pair| part(pair).to_bits()))
                };
                let right = match &found {
                    Ok(_) => one(real, |pair| pair.0) && one(imaginary, |pair| pair.1),
                    Err(_) => one(real, |pair| pair.0) || one(imaginary, |pair| pair.1),
                };
                assert!(right, "{name} {order}: expected {expected:?}, found {found:?}");
                count += 1;
            }
            assert_eq!(count, expected.len() / 2);
        }
        // Without a word on the encoding there is no number in it.
        let error = serde_npy::from_slice::<Vec<f64>>(&file).unwrap_err().to_string();
        assert!(error.contains("ReadOptions::long_double"), "{error}");
    }
}

#[test]
fn floats_of_every_width_are_those_of_numpy() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let task = json!({"folder": folder});
    let Some(printed) = python(include_str!("floats.py"), task.to_string().as_bytes()) else { return };
    let printed = String::from_utf8(printed).unwrap();
    let lines: Vec<Vec<Expected>> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [x87, ieee128] = &lines[..] else { panic!("{} lines", lines.len()) };

    halves_are_read(folder);
    floats_become_halves::<f32>(folder, "f4");
    floats_become_halves::<f64>(folder, "f8");

    assert!(x87.len() > 8000 && ieee128.len() > 8000);
    assert!(x87.iter().any(|expected| matches!(expected, Expected::Invalid(_))));
    long_doubles(folder, "X87", LongDouble::X87, x87);
    long_doubles(folder, "Ieee128", LongDouble::Ieee128, ieee128);
}
