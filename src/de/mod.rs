//! From bytes to values: [`Deserializer`] and the functions that read.

mod access;
mod array;
mod context;
mod element;
mod number;
mod record;
mod source;
mod ticks;
mod verbs;

pub use array::Deserializer;
pub(crate) use array::{refuse_objects, shape_text};
pub(crate) use context::Context;
pub(crate) use element::Element;
pub(crate) use record::Record;
pub(crate) use source::too_short;
pub use verbs::{
    from_path, from_path_with, from_reader, from_reader_with, from_slice, from_slice_with, records_from_path,
    records_from_path_with, records_from_reader, records_from_reader_with, records_from_slice, records_from_slice_with,
    records_into, records_into_with,
};
