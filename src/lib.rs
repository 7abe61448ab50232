// Its programs need the default features, so that nothing of them has to be hidden; without, they are no tests.
#![cfg_attr(any(not(doctest), feature = "npz"), doc = include_str!("../README.md"))]
#![cfg_attr(all(doctest, not(feature = "npz")), doc = "Without archives.")]
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod array;
mod bulk;
mod codec;
mod columns;
mod de;
mod dtype;
mod error;
mod header;
mod io;
mod limits;
mod nd;
mod nested;
mod options;
mod plan;
mod program;
mod ser;
mod stream;
mod trace;
mod view;

/// Its program is a test too.
#[cfg(all(doctest, feature = "npz"))]
#[doc = include_str!("../SECURITY.md")]
struct Security;

pub mod cookbook;
pub mod guide;
#[cfg(feature = "npz")]
pub mod npz;
pub mod with;

pub use array::Array;
pub use columns::Columns;
pub use de::{
    Deserializer, from_path, from_path_with, from_reader, from_reader_with, from_slice, from_slice_with,
    records_from_path, records_from_path_with, records_from_reader, records_from_reader_with, records_from_slice,
    records_from_slice_with, records_into, records_into_with,
};
pub use dtype::{ByteOrder, DType, Field, Kind, Scalar, Struct, Subarray, TimeUnit};
pub use error::{Category, Error, Result};
#[cfg(feature = "unstable-fuzzing")]
#[doc(hidden)]
pub mod fuzzing {
    //! For the tests and fuzz targets of this repository.
    pub use crate::header::fuzzing::*;

    /// What a function gives where the slow tiers of reading and writing do everything.
    pub fn slowly<T>(run: impl FnOnce() -> T) -> T {
        crate::program::slowly(run)
    }
}
pub use header::{Header, Version};
pub use limits::Limits;
pub use nested::Nested;
pub use options::{BytesAs, LongDouble, ReadOptions, WriteOptions};
pub use ser::{
    Serializer, records_to_path, records_to_path_with, records_to_vec, records_to_vec_with, records_to_writer,
    records_to_writer_with, to_path, to_path_with, to_vec, to_vec_with, to_writer, to_writer_with,
};
pub use stream::{Follow, Progress, Reader, Records, Writer};
pub use view::{Elements, View};
