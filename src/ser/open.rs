//! What the first records leave open: widths that later ones may exceed.

use crate::error::{Count, Error, Result};
use crate::trace::{Kind, Trace, uniform};

/// Refuses rows in which the width of text or bytes, or the length of a sequence in a record, is only that of the
/// values at hand.
///
/// The axes of the array itself are not refused: rows of another length are an error of their own, which says so.
pub(crate) fn refuse_open(trace: &Trace) -> Result<()> {
    match &trace.kind {
        Kind::Sequence { item, .. } => refuse_open(item).map_err(|error| error.at_index(0)),
        Kind::Tuple { items, .. } if uniform(items).is_some() => {
            items.iter().zip(0..).try_for_each(|(item, index)| refuse_open(item).map_err(|error| error.at_index(index)))
        }
        Kind::Array { data, .. } => refuse_open(data),
        _ => refuse_in_element(trace),
    }
}

fn refuse_in_element(trace: &Trace) -> Result<()> {
    match &trace.kind {
        Kind::Text(_) if trace.fixed => Ok(()),
        Kind::Text(width) => Err(open("text", &Count(*width, "character").to_string(), "say how long by `with::U`")),
        Kind::Bytes(length) => {
            Err(open("bytes", &format!("{length} of them"), "say how many by `with::V` or `with::S`"))
        }
        Kind::Sequence { length, .. } => {
            Err(open("a sequence", &Count(*length, "item").to_string(), "use an array `[T; N]`"))
        }
        Kind::Array { shape, .. } => Err(open("an array", &format!("of shape {shape:?}"), "use an array `[T; N]`")),
        Kind::Tuple { items, .. } => items
            .iter()
            .zip(0..)
            .try_for_each(|(item, index)| refuse_in_element(item).map_err(|error| error.at_index(index))),
        Kind::Record(record) => record
            .fields
            .iter()
            .try_for_each(|(name, field)| refuse_in_element(field).map_err(|error| error.at_field(name))),
        _ => Ok(()),
    }
}

#[cold]
fn open(what: &str, width: &str, way: &str) -> Error {
    Error::data(format!(
        "{what} may be longer in later records than here, {width}; {way}, give the dtype by `WriteOptions::dtype` or \
         `dtype_of`, or see more records first by `Writer::spool`"
    ))
}
