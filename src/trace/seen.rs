//! What has been seen at each place of a value.

use crate::dtype::{Kind as Scalars, TimeUnit};
use crate::error::Error;
use crate::trace::numbers::Numbers;
use std::borrow::Cow;
use std::collections::HashMap;

/// What has been seen of one place in the value, over all elements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    pub(crate) kind: Kind,
    /// The indices on the way to the first value seen here.
    pub(crate) first: Vec<u64>,
}

/// What kind of value stands at a place.
#[derive(Clone, Debug, Default)]
pub(crate) enum Kind {
    #[default]
    Unseen,
    /// `None`, where the dtype is given and may have a value for it.
    Absent,
    Bool,
    Number(Numbers),
    /// The `half` crate's types, known by their name.
    Half,
    Bfloat,
    /// The longest text, in code points.
    Text(usize),
    Bytes(usize),
    Unit,
    Time(Scalars, TimeUnit),
    Sequence {
        length: u64,
        item: Box<Trace>,
    },
    /// One trace for all items as long as they are of the same type, else one for each.
    Tuple {
        length: usize,
        items: Vec<Trace>,
    },
    /// An array that brings its shape; its elements are a sequence.
    Array {
        shape: Vec<u64>,
        fortran_order: bool,
        data: Box<Trace>,
    },
    /// A struct of columns.
    Columns(Record),
    Record(Record),
}

/// The fields of a struct or map in the order in which they were first seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) fields: Vec<(Cow<'static, str>, Trace)>,
    /// Positions by name, made when fields first arrive out of order.
    pub(crate) by_name: HashMap<Cow<'static, str>, usize>,
}

impl Kind {
    /// The kind in words.
    pub(crate) fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Kind::Unseen => "nothing",
            Kind::Absent => "None",
            Kind::Bool => "a bool",
            Kind::Number(_) => "a number",
            Kind::Half => "an f16",
            Kind::Bfloat => "a bf16",
            Kind::Text(_) => "text",
            Kind::Bytes(_) => "bytes",
            Kind::Unit => "a unit",
            Kind::Time(kind, unit) => {
                let time = if *kind == Scalars::Datetime { "a datetime" } else { "a timedelta" };
                return Cow::Owned(format!("{time} in `{}`", unit.symbol()));
            }
            Kind::Sequence { .. } => "a sequence",
            Kind::Tuple { .. } => "a tuple",
            Kind::Array { .. } => "an array",
            Kind::Columns(_) => "columns",
            Kind::Record(_) => "a record",
        })
    }
}

#[cold]
pub(crate) fn none() -> Error {
    Error::data(
        "found None, for which no dtype but a time has a value; write a value in its place, or use `with::Datetime` or \
         `with::Timedelta`, which write NaT",
    )
}
