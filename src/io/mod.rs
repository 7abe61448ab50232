//! Bytes in and out: blocks of whole elements, files that are replaced at once.

mod blocks;
mod counted;
mod lock;
mod replace;

pub(crate) use blocks::{BLOCK, Blocks, Bytes, Sink, clear, zeroed};
pub(crate) use counted::Counted;
pub(crate) use lock::lock;
pub(crate) use replace::{Replacement, replace};
