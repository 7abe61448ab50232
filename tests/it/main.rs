//! The crate from outside, with NumPy as the judge.

mod append;
mod stream;
