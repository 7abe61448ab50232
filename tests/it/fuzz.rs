//! The bodies of the fuzz targets, over their seeds and over cheap mutations of them.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

#[path = "../../fuzz/src/bodies/descr.rs"]
mod descr;
#[path = "../../fuzz/src/bodies/header.rs"]
mod header;
#[cfg(feature = "unstable-fuzzing")]
#[path = "../../fuzz/src/bodies/literal.rs"]
mod literal;

/// How often each seed is changed; a real run of the fuzzer goes further.
const MUTATIONS: usize = 100;

#[test]
fn headers_survive() {
    replay("header", header::check);
}

#[test]
fn descrs_survive() {
    replay("descr", descr::check);
}

#[test]
#[cfg(feature = "unstable-fuzzing")]
fn literals_agree_with_the_reference() {
    replay("literal", literal::check);
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
        literal::check(format!("\x01{text}").as_bytes());
    }
    let Some(answers) = crate::python::python(script, texts.join("\0").as_bytes()) else { return };
    assert_eq!(answers.len(), texts.len());
    for (text, answer) in texts.iter().zip(answers) {
        let ours = if serde_npy::fuzzing::literal(text, false).is_ok() { b'1' } else { b'0' };
        assert_eq!(ours as char, answer as char, "{text:?}");
    }
}

#[track_caller]
fn replay(target: &str, check: fn(&[u8])) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let words = words(&fs::read_to_string(root.join("npy.dict")).unwrap());
    let mut paths: Vec<_> = fs::read_dir(root.join("seeds").join(target)).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for path in paths {
        let seed = fs::read(&path).unwrap();
        run(check, &seed);
        for _ in 0..MUTATIONS {
            let mut data = seed.clone();
            for _ in 0..=random.below(3) {
                mutate(&mut data, &words, &mut random);
            }
            run(check, &data);
        }
    }
}

/// Runs the body, and says which input it was if it panics.
#[track_caller]
fn run(check: fn(&[u8]), data: &[u8]) {
    if catch_unwind(|| check(data)).is_err() {
        panic!("input: b\"{}\"", data.escape_ascii());
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
