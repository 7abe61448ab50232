#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod dtype;
mod error;
mod limits;

pub use dtype::{ByteOrder, DType, Field, Kind, Scalar, Struct, Subarray, TimeUnit};
pub use error::{Category, Error, Result};
pub use limits::Limits;
