//! Bytes in and out: blocks of whole elements, files that are replaced at once.

mod blocks;
mod replace;

pub(crate) use blocks::{BLOCK, Blocks, Bytes, Sink};
pub(crate) use replace::{Replacement, replace};
