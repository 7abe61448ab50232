//! NumPy's reader of headers and ours, on mutated headers: the same answer, or a difference that is documented.
//!
//! 2,000 headers; `SERDE_NPY_HEADERS` raises it, and `SERDE_NPY_SEED` chooses others.

use crate::python::python_with;
use serde_json::{Value, json};
use serde_npy::{Error, Header, ReadOptions};
use std::collections::{BTreeMap, BTreeSet};

/// The table in the documentation of `Header`.
const DIFFERENCES: &str = include_str!("../../docs/differences.md");

/// Rules under which we refuse what NumPy takes, by how our message starts.
const ONLY_NUMPY: [(&str, &str); 20] = [
    ("field", "expected a field such as"),
    ("field", "a dtype given as a dict"),
    ("subarray shape", "expected the shape of a subarray"),
    ("third item", "expected a pair of a type and a shape, found a tuple"),
    ("title", "a title that is no string"),
    ("time count", "expected a time with a unit"),
    ("type number", "expected a dtype such as `<f8`, found `"),
    ("variable width", "strings of variable width"),
    ("surrogate", "the lone surrogate"),
    ("character name", "a character by its name"),
    ("whole subarray", "the subarray `"),
    ("zero axis", "an array over 9223372036854775807 bytes"),
    ("zero axis", "a dtype over 2147483647 bytes"),
    ("many axes", "a subarray of over 64 axes"),
    ("no bytes", "a shape around a type of 0 bytes"),
    ("odd blank", "a carriage return that ends"),
    ("odd blank", "a form feed"),
    ("indented line", "an indented line"),
    ("negative length", "expected a length of 0 or more in the shape"),
    ("dict that is not used", "a dict or a set inside of the header"),
];

/// Headers of which the answers are known to differ, by rule: descr and shape, in version 1.
const KNOWN: [(&str, &str, &str); 22] = [
    ("metadata", "('|S3', {'k': 'v'})", "(2,)"),
    ("metadata", "[('a', ('<i4', {}), (2,))]", "(2,)"),
    ("field", "['ab']", "(2,)"),
    ("field", "[('a', {})]", "(2,)"),
    ("field", "{}", "(2,)"),
    ("subarray shape", r"[('a', '<f8', b'\x02\x03')]", "(2,)"),
    ("subarray shape", "('<f8', None)", "(2,)"),
    ("subarray shape", "[('a', '|V8', '<f8')]", "(2,)"),
    ("third item", "[('a', ('<i2', (3,), 2))]", "(2,)"),
    ("title", "[((1, 'a'), '<i4')]", "(2,)"),
    ("time count", "'<M8[0s]'", "(2,)"),
    ("type number", r"'\x01'", "(2,)"),
    ("type number", r"'\x00'", "(2,)"),
    ("variable width", "'T'", "(2,)"),
    ("surrogate", r"[('\ud800', '<i4')]", "(2,)"),
    ("character name", r"[('\N{BULLET}', '<i4')]", "(2,)"),
    ("whole subarray", "('<i4', (2,))", "(0,)"),
    ("whole subarray", "('<i4', (1,))", "(3,)"),
    ("zero axis", "'|S0'", "(0, 9223372036854775807, 2)"),
    ("zero axis", "[('a', '|u1', (0, 2147483647, 2147483647))]", "(2,)"),
    ("no bytes", "[('a', ('<i2', (0,)), 2)]", "(2,)"),
    ("negative length", "'<i4'", "(-1,)"),
];

/// The other known ones, with their version.
fn known() -> Vec<(&'static str, u8, String)> {
    let text = |descr: &str, shape: &str| format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
    let mut known: Vec<_> = KNOWN.iter().map(|&(rule, descr, shape)| (rule, 1, text(descr, shape))).collect();
    let axes = "1, ".repeat(40);
    known.push(("many axes", 1, text(&format!("[('a', ('<i4', ({axes})), ({axes}))]"), "(2,)")));
    known.push(("long header", 1, text("'<i4'", "(2,)") + &" ".repeat(10_000)));
    known.push(("odd blank", 1, "#\r".to_owned() + &text("'<i4'", "(2L,)")));
    known.push(("indented line", 1, "\n \\\n".to_owned() + &text("'<i4'", "(2,)")));
    known.push(("dict that is not used", 1, text("{}, 'descr': '<i4'", "(2,)")));
    known
}

struct Row {
    file: Vec<u8>,
    /// `null`, or descr, shape, order and itemsize.
    numpy: Value,
}

impl Row {
    fn text(&self) -> String {
        self.file.escape_ascii().to_string()
    }

    /// Under which rule the answers differ; nothing where they are the same.
    ///
    /// # Panics
    ///
    /// If they differ under no rule.
    #[track_caller]
    fn rule(&self, strict: bool) -> Option<&'static str> {
        let ours = Header::read_with(&self.file[..], &ReadOptions::default().strict(strict));
        match (ours, self.numpy.is_null()) {
            (Err(_), true) => None,
            (Ok(header), false) => {
                let found = json!([
                    // NumPy writes this name as it stands, and would take it for padding.
                    header.dtype().to_string().replace("((None, ''), ", "('', "),
                    header.shape(),
                    header.fortran_order(),
                    header.dtype().itemsize()
                ]);
                assert_eq!(found, self.numpy, "{}", self.text());
                None
            }
            (Ok(header), true) => Some(self.only_ours(strict).unwrap_or_else(|| {
                panic!("only we take {}: {} {:?}, strict: {strict}", self.text(), header.dtype(), header.shape())
            })),
            (Err(error), false) => Some(only_numpys(&error, strict).unwrap_or_else(|| {
                panic!("only NumPy takes {}: {}, but we say: {error}, strict: {strict}", self.text(), self.numpy)
            })),
        }
    }

    fn only_ours(&self, strict: bool) -> Option<&'static str> {
        if self.file.len() > 10_000 {
            return Some("long header");
        }
        if strict {
            return None;
        }
        // The strict mode knows why NumPy refuses it.
        let refused = Header::read_with(&self.file[..], &ReadOptions::default().strict(true)).err()?.to_string();
        let rules = [
            ("metadata", "a dict or a set inside of the header"),
            ("odd blank", "a carriage return that ends"),
            ("odd blank", "a form feed"),
        ];
        rules.into_iter().find_map(|(rule, start)| refused.starts_with(start).then_some(rule))
    }
}

fn only_numpys(error: &Error, strict: bool) -> Option<&'static str> {
    let message = error.to_string();
    let mut rules = ONLY_NUMPY.into_iter().filter_map(|(rule, start)| Some((rule, message.strip_prefix(start)?)));
    let (rule, rest) = rules.next()?;
    let holds = match rule {
        "type number" => rest.trim_start_matches(['<', '>', '=', '|']).starts_with(|c| matches!(c, '\0'..='\x17')),
        "dict that is not used" | "odd blank" => strict,
        _ => true,
    };
    holds.then_some(rule)
}

fn rows(seed: &str, count: &str) -> Option<Vec<Row>> {
    let texts: Vec<_> = known().into_iter().map(|(_, version, text)| json!([version, text])).collect();
    let script = include_str!("differential.py");
    let printed = python_with(script, &[seed, count], json!(texts).to_string().as_bytes())?;
    let rows = std::str::from_utf8(&printed).unwrap().lines().map(|line| {
        let row: Value = serde_json::from_str(line).unwrap();
        let digits = row[0].as_str().unwrap();
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        Row { file: (0..digits.len()).step_by(2).map(byte).collect(), numpy: row[1].clone() }
    });
    Some(rows.collect())
}

#[test]
fn headers_mean_what_they_mean_to_numpy() {
    let seed = std::env::var("SERDE_NPY_SEED").unwrap_or_else(|_| "1".to_owned());
    let count = std::env::var("SERDE_NPY_HEADERS").unwrap_or_else(|_| "2000".to_owned());
    let Some(rows) = rows(&seed, &count) else { return };
    let known = known();
    assert_eq!(rows.len(), known.len() + count.parse::<usize>().unwrap());

    let mut seen = BTreeMap::<&str, usize>::new();
    let mut taken = 0;
    for row in &rows {
        for strict in [false, true] {
            if let Some(rule) = row.rule(strict) {
                *seen.entry(rule).or_default() += 1;
            }
        }
        taken += usize::from(!row.numpy.is_null());
    }
    assert!(taken > rows.len() / 20, "NumPy takes {taken} of {}", rows.len());
    println!("{} headers, {taken} taken by NumPy, differences by rule: {seen:?}", rows.len());

    // Each rule has a header of its own that shows it.
    for (row, (rule, ..)) in rows.iter().zip(&known) {
        let by_rule = [row.rule(false), row.rule(true)];
        assert!(by_rule.contains(&Some(rule)), "{rule}: {by_rule:?} for {}", row.text());
    }
    let documented: BTreeSet<&str> =
        DIFFERENCES.lines().skip(2).map(|line| line.split('|').nth(1).unwrap().trim()).collect();
    assert_eq!(documented, known.iter().map(|(rule, ..)| *rule).collect());
    assert_eq!(documented.len(), DIFFERENCES.lines().count() - 2);
}
