//! The modules stand in layers, and imports point down: checked on the text of every file under `src/`.
//!
//! Read are all `crate::` paths, in `use` lines and elsewhere. Comments, strings and test modules do not count, and
//! `lib.rs`, which re-exports from all layers, is exempt.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// Every module of the crate's root, and its layer.
const LAYERS: &[(&str, u8)] = &[
    ("error", 0),
    ("limits", 0),
    ("dtype", 1),
    ("io", 1),
    ("header", 2),
    ("codec", 3),
    ("options", 3),
    ("with", 3),
    ("bulk", 3),
    ("nd", 3),
    ("plan", 4),
    ("program", 4),
    ("trace", 4),
    ("de", 4),
    ("ser", 4),
    ("array", 5),
    ("nested", 5),
    ("columns", 5),
    ("view", 5),
    ("stream", 5),
    ("npz", 6),
    ("cookbook", 7),
    ("guide", 7),
];

/// Modules of one layer that know nothing of each other.
const STRANGERS: &[(&str, &str)] = &[("dtype", "io"), ("de", "ser")];

/// What only the modules of the second column may name: how archives are made, and what a Rust type looks like.
const CONFINED: &[(&str, &[&str])] = &[
    ("zip", &["npz"]),
    (
        "serde",
        &[
            "error", "with", "bulk", "plan", "program", "trace", "de", "ser", "array", "columns", "view", "stream",
            "npz", "cookbook",
        ],
    ),
];

const MAX_LINES: usize = 600;

/// One file: its path below `src/`, and its text.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The path as modules: `dtype/mod.rs` is `dtype`, `dtype/scalar.rs` is `dtype::scalar`.
    fn module(&self) -> Vec<&str> {
        let path = self.path.strip_suffix(".rs").unwrap();
        path.strip_suffix("/mod").unwrap_or(path).split('/').collect()
    }

    fn is_exempt(&self) -> bool {
        self.path == "lib.rs" || self.path.ends_with("/tests.rs") || self.path.contains("/tests/")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token<'a> {
    text: &'a str,
    line: usize,
}

/// Everything that is wrong, in the order of the files.
fn violations(sources: &[Source]) -> Vec<String> {
    let modules: BTreeSet<String> = sources.iter().map(|source| source.module().join("::")).collect();
    let mut imports = BTreeSet::new();
    let mut wrong = Vec::new();
    for source in sources.iter().filter(|source| !source.is_exempt()) {
        let module = source.module();
        let own = module[0];
        let mut say = |line: usize, what: String| wrong.push(format!("src/{}:{line}: {what}", source.path));
        if ["util", "utils"].contains(module.last().unwrap()) {
            say(1, "a file is named after what it holds".to_owned());
        }
        let Some(layer) = layer(own) else {
            say(1, format!("module `{own}` stands in no layer"));
            continue;
        };
        let all = tokens(&source.text);
        let tests = test_modules(&all);
        let lines = source.text.lines().count() - tests.iter().map(|range| lines_of(&all, range)).sum::<usize>();
        if lines > MAX_LINES {
            say(1, format!("expected at most {MAX_LINES} lines without tests, found {lines}"));
        }
        let tokens: Vec<Token<'_>> = (0..all.len())
            .filter(|position| !tests.iter().any(|range| range.contains(position)))
            .map(|position| all[position])
            .collect();
        for (position, token) in tokens.iter().enumerate() {
            let before = position.checked_sub(1).map_or("", |before| tokens[before].text);
            let after = tokens.get(position + 1).map_or("", |token| token.text);
            if let Some((name, allowed)) = CONFINED.iter().find(|(name, _)| *name == token.text) {
                let named = before != "::" && before != "." && (after == "::" || before == "use" || before == "crate");
                if named && !allowed.contains(&own) {
                    say(token.line, format!("`{name}` is named outside of {}", allowed.join(", ")));
                }
            }
            if token.text == "super" && after == "::" {
                say(token.line, "a child imports from its parent (`super::`)".to_owned());
            }
            if token.text != "crate" || after != "::" {
                continue;
            }
            for path in paths(&tokens, position + 2) {
                let target = path[0];
                let Some(target_layer) = self::layer(target) else {
                    say(
                        token.line,
                        format!("`crate::{target}` is no module in a layer: import from where it is defined"),
                    );
                    continue;
                };
                if target_layer > layer {
                    say(token.line, format!("{own} (layer {layer}) imports {target} (layer {target_layer})"));
                } else if target_layer == layer && target != own {
                    let strangers = STRANGERS.iter().any(|pair| [(own, target), (target, own)].contains(pair));
                    if strangers || imports.contains(&(target, own)) {
                        say(token.line, format!("{own} and {target} (layer {layer}) know each other"));
                    }
                    imports.insert((own, target));
                }
                // The longest ancestor that the path goes through; what follows must be a module, not an item.
                let shared = path.iter().zip(&module).take_while(|(a, b)| a == b).count().min(module.len() - 1);
                if shared > 0 && !path.get(..=shared).is_some_and(|path| modules.contains(&path.join("::"))) {
                    say(token.line, format!("a child imports from its parent (`crate::{}`)", path.join("::")));
                }
            }
        }
    }
    wrong
}

fn layer(module: &str) -> Option<u8> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|(_, layer)| *layer)
}

/// The paths of a use tree, or the one path of an expression, from the token behind `crate::`.
fn paths<'a>(tokens: &[Token<'a>], start: usize) -> Vec<Vec<&'a str>> {
    fn tree<'a>(tokens: &[Token<'a>], mut at: usize, prefix: &[&'a str], found: &mut Vec<Vec<&'a str>>) -> usize {
        let mut path = prefix.to_vec();
        loop {
            match tokens.get(at).map(|token| token.text) {
                Some("{") => {
                    at += 1;
                    while tokens.get(at).is_some_and(|token| token.text != "}") {
                        at = tree(tokens, at, &path, found);
                        // Over `as name` and the comma.
                        while tokens.get(at).is_some_and(|token| token.text != "," && token.text != "}") {
                            at += 1;
                        }
                        at += usize::from(tokens.get(at).is_some_and(|token| token.text == ","));
                    }
                    return at + 1;
                }
                Some(text) if text == "*" || text.starts_with(is_identifier) => {
                    if text != "self" {
                        path.push(text);
                    }
                    at += 1;
                }
                _ => return at,
            }
            if tokens.get(at).is_none_or(|token| token.text != "::") {
                found.push(path);
                return at;
            }
            // A turbofish ends the path.
            if tokens.get(at + 1).is_some_and(|token| token.text == "<") {
                found.push(path);
                return at;
            }
            at += 1;
        }
    }
    let mut found = Vec::new();
    tree(tokens, start, &[], &mut found);
    found.retain(|path| !path.is_empty());
    found
}

/// The tokens of each `#[cfg(test)] mod name { ... }`.
fn test_modules(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let matches = ["#", "[", "cfg", "(", "test", ")", "]"]
            .iter()
            .enumerate()
            .all(|(offset, text)| tokens.get(at + offset).is_some_and(|token| token.text == *text));
        let open = (at + 7..tokens.len()).find(|position| ["{", ";"].contains(&tokens[*position].text));
        let is_module = matches && tokens[at + 7..open.unwrap_or(at + 7)].iter().any(|token| token.text == "mod");
        let Some(open) = open.filter(|open| is_module && tokens[*open].text == "{") else {
            at += 1;
            continue;
        };
        let mut depth = 0_usize;
        let end = (open..tokens.len()).find(|position| {
            match tokens[*position].text {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let end = end.map_or(tokens.len(), |end| end + 1);
        found.push(at..end);
        at = end;
    }
    found
}

fn lines_of(tokens: &[Token<'_>], range: &Range<usize>) -> usize {
    tokens[range.end - 1].line - tokens[range.start].line + 1
}

fn is_identifier(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Words, `::` and single signs, without comments, strings and characters.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if let Some(length) = literal(rest) {
            length
        } else {
            let word = rest.find(|c| !is_identifier(c)).unwrap_or(rest.len());
            let length = match word {
                0 if rest.starts_with("::") => 2,
                0 => first.len_utf8(),
                word => word,
            };
            let line = text[..text.len() - rest.len()].matches('\n').count() + 1;
            found.push(Token { text: &rest[..length], line });
            length
        };
        rest = &rest[length..];
    }
    found
}

/// The length of the comment, string, character or lifetime that the text begins with.
fn literal(text: &str) -> Option<usize> {
    let until = |end: &str, from: usize| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        let (mut depth, mut at) = (0_usize, 0);
        loop {
            match text.get(at..).unwrap_or("") {
                "" => return Some(text.len()),
                rest if rest.starts_with("/*") => (depth, at) = (depth + 1, at + 2),
                rest if rest.starts_with("*/") && depth == 1 => return Some(at + 2),
                rest if rest.starts_with("*/") => (depth, at) = (depth - 1, at + 2),
                rest => at += rest.chars().next().map_or(1, char::len_utf8),
            }
        }
    }
    let prefix = text.len() - text.trim_start_matches(['b', 'c', 'r']).len();
    let (prefix, rest) = text.split_at(prefix);
    if prefix.ends_with('r') {
        let signs = rest.len() - rest.trim_start_matches('#').len();
        if rest[signs..].starts_with('"') {
            return Some(until(&format!("\"{}", "#".repeat(signs)), prefix.len() + signs + 1));
        }
    }
    let quote = rest.chars().next().filter(|c| prefix.len() <= 1 && ['"', '\''].contains(c))?;
    // A lifetime has no second quote behind its first character.
    let is_lifetime = quote == '\'' && !rest.starts_with("'\\") && rest.chars().nth(2) != Some('\'');
    if is_lifetime {
        return prefix.is_empty().then_some(1);
    }
    let mut escaped = false;
    let end = rest.char_indices().skip(1).find(|(_, c)| {
        let ends = !escaped && *c == quote;
        escaped = !escaped && *c == '\\';
        ends
    });
    Some(prefix.len() + end.map_or(rest.len(), |(at, _)| at + 1))
}

fn read(folder: &Path, below: &str, found: &mut Vec<Source>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = format!("{below}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            read(&entry.path(), &format!("{path}/"), found);
        } else if path.ends_with(".rs") {
            found.push(Source { text: std::fs::read_to_string(entry.path()).unwrap(), path });
        }
    }
}

#[test]
fn imports_point_down() {
    let mut sources = Vec::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut sources);
    assert!(sources.iter().any(|source| source.path == "dtype/scalar.rs"));
    let wrong = violations(&sources);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The files, each with its path and text, and all that is wrong with them.
type Case<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str]);

#[test]
fn the_check_can_fail() {
    let long = "\n".repeat(601);
    let long_by_tests = format!("{}#[cfg(test)]\nmod tests {{\n{}}}\n", "\n".repeat(590), "\n".repeat(100));
    let cases: &[Case<'_>] = &[
        // Downward, in every spelling.
        (&[("header/mod.rs", "use crate::dtype::{DType, scalar::Scalar};\nuse crate::{error::*, limits};")], &[]),
        (&[("lib.rs", "mod npz; pub use crate::npz::Reader; use zip::read;")], &[]),
        (&[("codec/mod.rs", "fn f() { a.iter().zip(b); std::iter::zip(a, b); crate::dtype::f::<u8>(); }")], &[]),
        (&[("npz/mod.rs", "use zip::ZipArchive;"), ("de/mod.rs", "use serde::de;")], &[]),
        // Not code.
        (
            &[(
                "error.rs",
                "// crate::de::x\n/// [x](crate::de)\n/* /* crate::de */ crate::de */ const A: &str = \"crate::de\";",
            )],
            &[],
        ),
        (
            &[(
                "error.rs",
                r####"const A: &str = r#"" crate::de::x"#; const B: char = '"'; fn f<'a>(a: &'a str) {}"####,
            )],
            &[],
        ),
        (&[("error.rs", "pub(crate) fn f() {}\n#[cfg(test)]\nmod tests { use super::*; use crate::de::f; }")], &[]),
        (&[("dtype/tests.rs", "use super::*;")], &[]),
        // Upward.
        (&[("error.rs", "use crate::dtype::DType;")], &["src/error.rs:1: error (layer 0) imports dtype (layer 1)"]),
        (
            &[(
                "dtype/scalar.rs",
                "use crate::error::Error;\nuse crate::{\n    error::Result,\n    header::{self, literal},\n};",
            )],
            &[
                "src/dtype/scalar.rs:2: dtype (layer 1) imports header (layer 2)",
                "src/dtype/scalar.rs:2: dtype (layer 1) imports header (layer 2)",
            ],
        ),
        (
            &[("io/mod.rs", "fn f<'a>(c: char) {\n    let quote = '\\'';\n    crate::npz::open::<u8>(c)\n}")],
            &["src/io/mod.rs:3: io (layer 1) imports npz (layer 6)"],
        ),
        (
            &[("error.rs", "#[cfg(test)]\nmod tests {}\nuse crate::de::f;")],
            &["src/error.rs:3: error (layer 0) imports de (layer 4)"],
        ),
        // Sideways.
        (&[("dtype/mod.rs", "use crate::io::f;")], &["src/dtype/mod.rs:1: dtype and io (layer 1) know each other"]),
        (&[("io/mod.rs", "use crate::dtype::f;")], &["src/io/mod.rs:1: io and dtype (layer 1) know each other"]),
        (&[("ser/mod.rs", "use crate::de::f;")], &["src/ser/mod.rs:1: ser and de (layer 4) know each other"]),
        (&[("array.rs", "use crate::view::View;"), ("view.rs", "")], &[]),
        (
            &[("array.rs", "use crate::view::View;"), ("view.rs", "use crate::array::Array;")],
            &["src/view.rs:1: view and array (layer 5) know each other"],
        ),
        // Parents.
        (
            &[("dtype/scalar.rs", "use super::Kind;")],
            &["src/dtype/scalar.rs:1: a child imports from its parent (`super::`)"],
        ),
        (
            &[("dtype/mod.rs", ""), ("dtype/kind.rs", ""), ("dtype/scalar.rs", "use crate::dtype::{Kind, kind::K};")],
            &["src/dtype/scalar.rs:1: a child imports from its parent (`crate::dtype::Kind`)"],
        ),
        (
            &[("npz/mod.rs", ""), ("npz/read/mod.rs", ""), ("npz/read/member.rs", "use crate::npz::read::open;")],
            &["src/npz/read/member.rs:1: a child imports from its parent (`crate::npz::read::open`)"],
        ),
        // Names and sizes.
        (&[("array.rs", "use zip::ZipArchive;")], &["src/array.rs:1: `zip` is named outside of npz"]),
        (
            &[("codec/mod.rs", "fn f<T: serde::Serialize>() {}")],
            &[
                "src/codec/mod.rs:1: `serde` is named outside of error, with, bulk, plan, program, trace, de, ser, array, columns, view, stream, npz, cookbook",
            ],
        ),
        (
            &[("error.rs", "use crate::Limits;")],
            &["src/error.rs:1: `crate::Limits` is no module in a layer: import from where it is defined"],
        ),
        (&[("extra.rs", "")], &["src/extra.rs:1: module `extra` stands in no layer"]),
        (&[("dtype/utils.rs", "")], &["src/dtype/utils.rs:1: a file is named after what it holds"]),
        (&[("error.rs", &long)], &["src/error.rs:1: expected at most 600 lines without tests, found 601"]),
        (&[("error.rs", &long_by_tests)], &[]),
    ];
    for (files, expected) in cases {
        let sources: Vec<Source> =
            files.iter().map(|&(path, text)| Source { path: path.to_owned(), text: text.to_owned() }).collect();
        assert_eq!(violations(&sources), *expected, "{files:?}");
    }
}
