//! What the file has, in words, where it is not what the Rust type wants.

use crate::de::cursor::shape_text;
use crate::error::{Error, listed};
use crate::plan::{Coding, Leaf, Node, Record};

/// An array, or a row of one, where its axes are in the way; `base` is what is under them, if that is a scalar.
#[cold]
pub(crate) fn array(shape: &[u64], depth: usize, base: Option<&Leaf>) -> String {
    let dtype = base.map_or_else(String::new, |leaf| format!(" and dtype `{}`", leaf.scalar));
    let whole = format!("an array of shape {}{dtype}", shape_text(shape));
    let way = if shape.len() == 1 { "a `Vec` of it" } else { "a `Vec` for each axis, or an `Array`" };
    match shape.get(depth..) {
        Some(row) if depth > 0 => format!("a row of shape {} of {whole}; read {way}", shape_text(row)),
        _ => format!("{whole}; read {way}"),
    }
}

/// The items of a subarray, or of a row.
#[cold]
pub(crate) fn subarray(node: &Node) -> String {
    array(&node.axes(), 0, node.base())
}

#[cold]
pub(crate) fn record(record: &Record) -> String {
    match record.fields.len() {
        0 => "a record without fields".to_owned(),
        1 => format!("a record of the field {}", listed(record.names())),
        _ => format!("a record of the fields {}", listed(record.names())),
    }
}

/// The refusal of a type that asks for a number.
#[cold]
pub(crate) fn time_for_integer(leaf: &Leaf) -> Error {
    let (helper, unit) = match leaf.coding {
        Coding::Timedelta(unit) => ("Timedelta", unit),
        Coding::Datetime(unit) => ("Datetime", unit),
        _ => ("Raw", None),
    };
    // A count without a unit is nothing else.
    let ways = match unit {
        Some(_) => format!("text, `with::{helper}` or `with::Raw`"),
        None => "`with::Raw`".to_owned(),
    };
    Error::data(format!("expected an integer, found `{}`; use {ways}", leaf.scalar))
}

/// The way out for a type that makes nothing of the text of a time.
#[cold]
pub(crate) fn time_as_text(leaf: &Leaf) -> String {
    match leaf.coding {
        Coding::Timedelta(_) => "for a span of time use `with::Timedelta`".to_owned(),
        _ => "for a time use `with::Datetime`".to_owned(),
    }
}

/// The refusal of a type that wants text, where the value is NaT.
#[cold]
pub(crate) fn not_a_time() -> Error {
    Error::data("found NaT, which has no text; use `Option`")
}
