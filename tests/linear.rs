//! Headers are parsed in linear time: instructions counted by callgrind, where valgrind is installed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests stand outside of test functions")]

use serde_npy::Header;
use std::process::Command;

/// What the process that is counted does, and for which size.
const WORK: &str = "SERDE_NPY_LINEAR";

/// A header whose text, or number of fields, is about so long.
fn header(kind: &str, size: usize) -> Vec<u8> {
    let descr = match kind {
        "blanks" => format!("{}'<i4'", " ".repeat(size)),
        "comments" => format!("{}'<i4'", "#\n".repeat(size / 2)),
        "fields" => {
            let fields: Vec<_> = (0..size / 20).map(|field| format!("('f{field}', '<i4')")).collect();
            format!("[{}]", fields.join(", "))
        }
        "titles" => {
            let fields: Vec<_> = (0..size / 20).map(|field| format!("(('t{field}', 'f{field}'), '<i4')")).collect();
            format!("[{}]", fields.join(", "))
        }
        "subarrays" => {
            let axes = "1,".repeat(16);
            let fields: Vec<_> = (0..size / 200).map(|field| format!("('f{field}', '<i4', ({axes}))")).collect();
            format!("[{}]", fields.join(", "))
        }
        "repeated name" => {
            let fields: Vec<_> = (0..size / 20).map(|field| format!("('f{field}', '<i4'), ")).collect();
            format!("[{}('f0', '<i4')]", fields.concat())
        }
        "long name" => format!("[('{}', '<i4')]", "x".repeat(size)),
        "escapes" => format!("[('{}', '<i4')]", r"\x41".repeat(size / 4)),
        "pieces" => format!("[({}, '<i4')]", "'a'".repeat(size / 3)),
        "list of types" => format!("'{}'", "b,".repeat(size / 8)),
        "metadata" => format!("('<i4', {{{}}})", "1: [2], ".repeat(size / 8)),
        "lists" => format!("[{}]", "[], ".repeat(size / 4)),
        _ => format!("{}'<i4'{}", "[('y', ".repeat(size), ")]".repeat(size)),
    };
    let text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (1,), }}");
    let length = u32::try_from(text.len()).unwrap().to_le_bytes();
    [b"\x93NUMPY\x02\0", &length[..], text.as_bytes()].concat()
}

const KINDS: [&str; 12] = [
    "blanks",
    "comments",
    "fields",
    "titles",
    "subarrays",
    "repeated name",
    "long name",
    "escapes",
    "pieces",
    "list of types",
    "metadata",
    "lists",
];

/// Run under callgrind by the others.
#[test]
fn work() {
    let Ok(work) = std::env::var(WORK) else { return };
    let (kind, size) = work.split_once('/').unwrap();
    let size = size.parse().unwrap();
    let file = header(kind, size);
    let read = Header::read(&file[..]);
    assert_eq!(read.is_ok(), !["lists", "repeated name"].contains(&kind), "{read:?}");
    if let Ok(header) = &read {
        assert_eq!(Header::read(&header.to_bytes().unwrap()[..]).unwrap().dtype(), header.dtype());
    }
}

/// Instructions of reading, printing and reading again; nothing where there is no valgrind.
fn instructions(kind: &str, size: usize) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "work", "--test-threads=1"])
        .env(WORK, format!("{kind}/{size}"))
        .output();
    let Ok(output) = output else {
        assert!(std::env::var_os("CI").is_none(), "skipped in CI: valgrind cannot be started");
        println!("skipped: valgrind cannot be started");
        return None;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let counted = said.lines().find_map(|line| line.split_once("Collected : "));
    Some(counted.unwrap_or_else(|| panic!("{said}")).1.trim().parse().unwrap())
}

#[test]
fn headers_are_parsed_in_linear_time() {
    // Callgrind is 50 times slower: the rest is for the release build.
    let debug = cfg!(debug_assertions);
    let sizes: &[usize] = if debug { &[1_000, 10_000] } else { &[100, 1_000, 10_000, 100_000, 1_000_000] };
    let kinds = if debug { &["fields", "titles", "subarrays", "list of types", "pieces"][..] } else { &KINDS };
    for &kind in kinds {
        let Some(base) = instructions(kind, 20) else { return };
        let counts: Vec<u64> =
            sizes.iter().map(|&size| instructions(kind, size).unwrap().saturating_sub(base)).collect();
        println!("{kind}: {counts:?} for {sizes:?}, over {base}");
        // Ten times the size takes about ten times the instructions, and some more or less for starting the process.
        for pair in counts.windows(2) {
            assert!(pair[1] <= 13 * pair[0] + 200_000, "{kind}: {counts:?} for {sizes:?}");
        }
    }
}

#[test]
fn nesting_costs_no_more_the_deeper_it_is() {
    let Some(base) = instructions("nested", 1) else { return };
    let counts: Vec<u64> =
        [24, 49, 98].iter().map(|&depth| instructions("nested", depth).unwrap().saturating_sub(base)).collect();
    println!("nested: {counts:?} for 24, 49 and 98 levels, over {base}");
    assert!(counts.windows(2).all(|pair| pair[1] <= 4 * pair[0]), "{counts:?}");
}
