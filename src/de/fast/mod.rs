//! The fast tier of reading: elements whose calls are those of a [`Program`](crate::program::Program).

mod cursor;
mod items;
mod tier;

pub(crate) use tier::{Found, Ready, Tier};
