#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

#[allow(dead_code, unused_imports, reason = "the layers above are to come")]
mod codec;
mod dtype;
mod error;
mod limits;

pub use dtype::{ByteOrder, DType, Field, Kind, Scalar, Struct, Subarray, TimeUnit};
pub use error::{Category, Error, Result};
pub use limits::Limits;
