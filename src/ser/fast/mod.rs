//! The fast tier of writing: elements whose calls are those of a [`Program`](crate::program::Program).

mod cursor;
mod items;
mod learn;
mod tier;
mod uniform;

pub(crate) use tier::Tier;
pub(crate) use uniform::uniform;
