//! The bodies of the fuzz targets, over their seeds and over cheap mutations of them.

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

#[path = "../../fuzz/src/bodies/mod.rs"]
pub(crate) mod bodies;

// How often each seed is changed is the last number; a real run of the fuzzer goes further.

#[test]
fn headers_survive() {
    replay("header", bodies::header::check, &["header", "npy"], 60);
}

#[test]
fn descrs_survive() {
    replay("descr", bodies::descr::check, &["descr"], 100);
}

#[test]
#[cfg(feature = "unstable-fuzzing")]
fn literals_agree_with_the_reference() {
    replay("literal", bodies::literal::check, &["literal"], 100);
}

#[test]
fn any_bytes_are_a_value_or_an_error() {
    replay("from_slice", bodies::from_slice::check, &["npy"], 30);
}

#[test]
fn every_route_gives_the_same() {
    replay("slice_vs_reader", bodies::slice_vs_reader::check, &["npy"], 30);
}

#[test]
fn any_value_is_read_as_it_was_written() {
    replay("roundtrip", bodies::roundtrip::check, &["roundtrip"], 60);
}

#[test]
#[cfg(feature = "npz")]
fn any_archive_is_a_value_or_an_error() {
    replay("npz", bodies::npz::check, &["npz"], 60);
}

#[test]
fn any_file_is_appended_to_or_left_as_it_was() {
    let seeds: &[&str] = if cfg!(feature = "npz") { &["npy", "npz"] } else { &["npy"] };
    replay("append", bodies::append::check, seeds, 10);
}

/// Golden files go through the bodies as they are: that they are read right is checked elsewhere.
#[test]
fn golden_files_go_by_every_route() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden");
    let mut count = 0;
    for path in paths(&folder) {
        let file = fs::read(&path).unwrap();
        if path.extension().is_some_and(|extension| extension == "npy") && file.len() < 1000 {
            run("from_slice", bodies::from_slice::check, &file);
            run("slice_vs_reader", bodies::slice_vs_reader::check, &file);
            run("append", bodies::append::check, &file);
            count += 1;
        }
    }
    assert!(count > 300, "{count}");
}

/// Every row of up to six characters of these, behind a literal and before it: taken where Python takes it.
#[test]
#[cfg(feature = "unstable-fuzzing")]
fn trivia_around_a_literal_is_what_python_takes() {
    let mut rows = vec![String::new()];
    let mut from = 0;
    for _ in 0..6 {
        let to = rows.len();
        for index in from..to {
            rows.extend([' ', '\n', '\\', '#', '\x0c'].map(|char| format!("{}{char}", rows[index])));
        }
        from = to;
    }
    let texts: Vec<String> = rows.iter().flat_map(|row| [format!("4{row}"), format!("{row}4")]).collect();
    let script = "
import ast, sys
for text in sys.stdin.buffer.read().decode().split('\\0'):
    try:
        sys.stdout.write('1' if ast.literal_eval(text) == 4 else '?')
    except (SyntaxError, ValueError):
        sys.stdout.write('0')
";
    for text in &texts {
        bodies::literal::check(format!("\x01{text}").as_bytes());
    }
    let Some(answers) = crate::python::python(script, texts.join("\0").as_bytes()) else { return };
    assert_eq!(answers.len(), texts.len());
    for (text, answer) in texts.iter().zip(answers) {
        let ours = if serde_npy::fuzzing::literal(text, false).is_ok() { b'1' } else { b'0' };
        assert_eq!(ours as char, answer as char, "{text:?}");
    }
}

/// Runs a body over seeds and over changes of each, each in turn so often.
#[track_caller]
fn replay(target: &str, check: fn(&[u8]), seeds: &[&str], changes: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let words = words(&fs::read_to_string(root.join("npy.dict")).unwrap());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for path in seeds.iter().flat_map(|folder| paths(&root.join("seeds").join(folder))) {
        let seed = fs::read(&path).unwrap();
        run(target, check, &seed);
        for _ in 0..changes {
            let mut data = seed.clone();
            for _ in 0..=random.below(3) {
                mutate(&mut data, &words, &mut random);
            }
            run(target, check, &data);
        }
    }
}

/// The files of a folder, in the same order everywhere.
#[track_caller]
fn paths(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// Runs the body, and says which input it was if it panics.
#[track_caller]
fn run(target: &str, check: fn(&[u8]), data: &[u8]) {
    if catch_unwind(|| check(data)).is_err() {
        panic!("the body of `{target}` on b\"{}\"", data.escape_ascii());
    }
}

fn mutate(data: &mut Vec<u8>, words: &[Vec<u8>], random: &mut Random) {
    let at = random.below(data.len() + 1);
    match random.below(5) {
        0 => data.truncate(at),
        1 if at < data.len() => data[at] = random.below(256) as u8,
        2 if at < data.len() => drop(data.remove(at)),
        3 => {
            let from = random.below(data.len() + 1);
            let piece = data[from..data.len().min(from + 16)].to_vec();
            data.splice(at..at, piece);
        }
        _ => drop(data.splice(at..at, words[random.below(words.len())].iter().copied())),
    }
}

/// The entries of a dictionary as libFuzzer takes it: `"\x93NUMPY"`, one a line.
fn words(text: &str) -> Vec<Vec<u8>> {
    let quoted = text.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    quoted.map(unescaped).collect()
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(code) = rest.strip_prefix("\\x") {
            bytes.push(u8::from_str_radix(&code[..2], 16).unwrap());
            rest = &code[2..];
        } else {
            let escaped = rest.strip_prefix('\\').unwrap_or(rest);
            bytes.push(escaped.as_bytes()[0]);
            rest = if first == '\\' { &escaped[1..] } else { &rest[1..] };
        }
    }
    bytes
}

/// Xorshift: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}
