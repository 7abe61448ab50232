//! The crate from outside, with NumPy as the judge.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may fail anywhere"
)]

mod npz;
mod npz_corpus;
