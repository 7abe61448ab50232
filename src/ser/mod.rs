//! From values to bytes: [`Serializer`] and the functions that write.

mod array;
mod content;
mod element;
mod framing;
mod key;
mod layout;
mod numbers;
mod parts;
mod scalar;
mod serializer;
mod trace;
mod verbs;

#[cfg(feature = "npz")]
pub(crate) use array::Record;
#[cfg(feature = "npz")]
pub(crate) use framing::{check_value, header_for, header_of, write_records, write_value};
#[cfg(feature = "npz")]
pub(crate) use key::Key;
pub use serializer::Serializer;
pub use verbs::{
    records_to_path, records_to_path_with, records_to_vec, records_to_vec_with, records_to_writer,
    records_to_writer_with, to_path, to_path_with, to_vec, to_vec_with, to_writer, to_writer_with,
};
