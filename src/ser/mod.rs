//! From values to bytes: [`Serializer`] and the functions that write.

mod adapted;
mod array;
mod columns;
mod content;
mod element;
mod fast;
mod framing;
mod gather;
mod key;
mod open;
mod parts;
mod probe;
mod record;
pub(crate) mod refuse;
mod rows;
mod sampled;
mod scalar;
mod serializer;
mod shaped;
mod shown;
mod trace;
mod trace_fields;
mod trace_items;
mod verbs;
mod whole;

pub(crate) use content::Content;
pub(crate) use fast::Tier;
pub(crate) use framing::header_of_rows;
#[cfg(feature = "npz")]
pub(crate) use framing::{check_value, frame, header_of, write_value};
#[cfg(feature = "npz")]
pub(crate) use key::{Key, Pending};
pub(crate) use record::{Record, write_record, write_slowly};
pub use serializer::Serializer;
pub use verbs::{
    records_to_path, records_to_path_with, records_to_vec, records_to_vec_with, records_to_writer,
    records_to_writer_with, to_path, to_path_with, to_vec, to_vec_with, to_writer, to_writer_with,
};
#[cfg(feature = "npz")]
pub(crate) use whole::Whole;
