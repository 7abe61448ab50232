//! The crate from outside, with NumPy as the judge.

mod npz;
mod npz_corpus;
