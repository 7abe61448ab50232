//! The tests of the public face, in one binary.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the helpers of tests stand outside of test functions, where clippy.toml does not reach"
)]

mod fuzz;
mod header;
mod layers;
mod manifest;
mod of;
mod python;
mod typestring;
mod with;
