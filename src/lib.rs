#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

#[allow(dead_code, unused_imports, reason = "the layers above are to come")]
mod codec;
mod dtype;
mod error;
mod header;
mod limits;

pub use dtype::{ByteOrder, DType, Field, Kind, Scalar, Struct, Subarray, TimeUnit};
pub use error::{Category, Error, Result};
#[cfg(feature = "unstable-fuzzing")]
#[doc(hidden)]
pub use header::fuzzing;
pub use header::{Header, Version};
pub use limits::Limits;
