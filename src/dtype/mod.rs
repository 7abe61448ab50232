//! What one element looks like: [`DType`] and its parts.

mod name;
mod scalar;
mod structured;
mod typestring;

pub use scalar::{ByteOrder, Kind, Scalar, TimeUnit};
pub(crate) use structured::MAX_NDIM;
pub use structured::{DType, Field, Struct, Subarray};
