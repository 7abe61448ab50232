//! From bytes to values: [`Deserializer`] and the functions that read.

mod access;
mod adapted;
mod array;
mod axis;
mod bits;
mod columns;
mod context;
mod cursor;
mod dummy;
mod element;
mod explorer;
mod fast;
mod flat;
mod learnt;
mod next;
mod number;
mod of;
mod record;
mod row;
mod rows;
mod shaped;
mod source;
mod verbs;
mod window;
mod words;

#[cfg(feature = "npz")]
pub(crate) use of::dtypes_of;

pub use array::Deserializer;
pub(crate) use context::Context;
pub(crate) use cursor::{refuse_objects, shape_text};
pub(crate) use element::Element;
pub(crate) use record::Record;
pub(crate) use source::too_short;
pub use verbs::{
    from_path, from_path_with, from_reader, from_reader_with, from_slice, from_slice_with, records_from_path,
    records_from_path_with, records_from_reader, records_from_reader_with, records_from_slice, records_from_slice_with,
    records_into, records_into_with,
};
pub(crate) use window::{Frame, Window, open};
