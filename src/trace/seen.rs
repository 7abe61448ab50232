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
    /// Whether the type of the first value, a `char`, fixes the width of the text.
    pub(crate) fixed: bool,
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
    /// Text or bytes in an `S`, `U` or `V` of a width that was asked for.
    Fixed(Scalars, usize),
    /// The itemsize of the wider part of a pair of floats that is a complex number.
    Complex(usize),
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

impl Trace {
    /// Puts a kind where a sequence was empty, so that nothing was seen.
    pub(crate) fn fill(&mut self, with: &Kind) {
        match &mut self.kind {
            Kind::Unseen => self.kind = with.clone(),
            Kind::Sequence { item, .. } | Kind::Array { data: item, .. } => item.fill(with),
            // Of no items there is one trace nevertheless.
            Kind::Tuple { length: 0, items } if items.is_empty() => {
                items.push(Trace { kind: with.clone(), ..Trace::default() });
            }
            Kind::Tuple { items, .. } => items.iter_mut().for_each(|item| item.fill(with)),
            _ => {}
        }
    }

    /// Whether there is such a place.
    pub(crate) fn has_gap(&self) -> bool {
        match &self.kind {
            Kind::Unseen => true,
            Kind::Sequence { item, .. } | Kind::Array { data: item, .. } => item.has_gap(),
            Kind::Tuple { length: 0, items } => items.iter().all(Trace::has_gap),
            Kind::Tuple { items, .. } => items.iter().any(Trace::has_gap),
            _ => false,
        }
    }
}

impl Kind {
    /// Widens to hold another kind too; `false` if it is of another type, or if no width may change.
    #[inline]
    pub(crate) fn takes(&mut self, other: &Kind, exact: bool) -> bool {
        let widen = |seen: &mut usize, new: usize| {
            let takes = *seen == new || !exact;
            *seen = if takes { new.max(*seen) } else { *seen };
            takes
        };
        match (self, other) {
            (Kind::Number(seen), Kind::Number(new)) => {
                let takes = !exact || seen.covers(new);
                if takes {
                    seen.merge(new);
                }
                takes
            }
            (Kind::Text(seen), Kind::Text(new)) | (Kind::Complex(seen), Kind::Complex(new)) => widen(seen, *new),
            (Kind::Bytes(seen), Kind::Bytes(new)) => seen == new,
            (Kind::Time(kind, unit), Kind::Time(new_kind, new_unit)) => kind == new_kind && unit == new_unit,
            (Kind::Fixed(kind, width), Kind::Fixed(new_kind, new_width)) => kind == new_kind && width == new_width,
            (seen, new) => std::mem::discriminant(seen) == std::mem::discriminant(new),
        }
    }

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
            Kind::Fixed(..) => "text or bytes",
            Kind::Complex(_) => "a complex number",
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
        "found None, for which no dtype but a time has a value; write a value in its place, or use `with::Nan`, which \
         writes NaN, or `with::Datetime` or `with::Timedelta`, which write NaT",
    )
}
