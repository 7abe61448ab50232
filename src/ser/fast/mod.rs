//! The fast tier of writing: elements whose calls are those of a [`Program`](crate::program::Program).

mod alike;
mod cursor;
mod items;
mod learn;
mod loops;
mod number;
mod tier;

pub(crate) use alike::Alike;
pub(crate) use loops::{Batch, Loops};
pub(crate) use number::{Put, Seen};
pub(crate) use tier::Tier;
