//! The tests of the public face, in one binary.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the helpers of tests stand outside of test functions, where clippy.toml does not reach"
)]

mod append;
mod array_file;
mod byteorder;
mod complex;
mod corpus;
mod damage;
mod deep;
mod differential;
mod fuzz;
mod golden;
mod header;
mod hostile;
mod layers;
mod limits;
mod live;
mod manifest;
mod matrix;
mod npz;
mod npz_append;
mod npz_corpus;
mod npz_panics;
mod of;
mod places;
mod property;
mod python;
mod random;
mod read;
mod readme;
mod routes;
#[cfg(feature = "unstable-fuzzing")]
mod rows;
mod shaped;
#[cfg(feature = "npz")]
mod skip;
mod source;
mod stream;
mod threads;
#[cfg(feature = "unstable-fuzzing")]
mod tiers;
mod tree;
mod typestring;
mod view;
mod with;
mod write;
