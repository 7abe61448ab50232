//! The tests of the public face, in one binary.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "a test may say what it expects in the shortest way"
)]

mod fuzz;
mod header;
mod layers;
mod manifest;
mod of;
mod python;
mod shaped;
mod typestring;
mod with;
