//! What one element looks like: [`DType`] and its parts.

mod scalar;
mod structured;

pub use scalar::{ByteOrder, Kind, Scalar, TimeUnit};
pub use structured::{DType, Field, Struct, Subarray};
