//! The header of a `.npy` file: [`Header`], and the text of a dtype both ways.

mod descr;
mod dict;
mod extent;
mod fault;
#[cfg(feature = "unstable-fuzzing")]
pub(crate) mod fuzzing;
mod growth;
mod literal;
mod node;
mod number;
mod parser;
mod place;
mod preamble;
mod quoted;
mod source;
mod split;
mod summary;
mod trivia;
mod type_string;
mod type_tuple;

pub(crate) use place::{bounds, in_both_orders, strides};
pub use preamble::Version;
#[cfg(feature = "npz")]
pub(crate) use preamble::looks_like;
pub use summary::Header;
