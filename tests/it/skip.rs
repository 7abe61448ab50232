//! Checks that are left out where a tool is missing.

use std::process::{Command, Stdio};

/// Says that a check is left out, and why.
///
/// # Panics
///
/// Where `CI` is set: a check that is skipped where nobody looks at what is printed would be none.
#[track_caller]
pub(crate) fn skipped(why: &str) {
    assert!(std::env::var_os("CI").is_none(), "skipped in CI: {why}");
    eprintln!("skipped: {why}");
}

/// Whether the tool can be started with this argument.
#[track_caller]
pub(crate) fn has(tool: &str, argument: &str) -> bool {
    let found = Command::new(tool).arg(argument).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        skipped(&format!("there is no {tool}"));
    }
    found
}
