//! What is known of a type whose dtype is being found.

use crate::de::dummy::MOST_VALUES;
use crate::error::{Error, Result};
use crate::trace::{Kind, Numbers, Record, Trace};
use crate::with::Adapter;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// What is known of one place in the type.
#[derive(Debug, Default)]
pub(crate) enum Node {
    #[default]
    Unknown,
    Leaf(Kind),
    /// The names of the fields without their aliases.
    Struct {
        fields: Vec<(&'static str, Node)>,
        aliases: Vec<&'static str>,
        /// Whether a helper makes a complex number of it, if the fields are the parts of one.
        complex: bool,
    },
    Tuple(Vec<Node>),
    Sequence(Box<Node>),
    /// A struct of columns, each a sequence.
    Columns(Box<Node>),
    /// How many of the variants are known to carry no data.
    Enum {
        variants: &'static [&'static str],
        tried: usize,
        /// What a helper makes of their names.
        kind: Option<Kind>,
    },
}

impl Node {
    pub(crate) fn trace(self, within: bool) -> Result<Trace> {
        let kind = match self {
            Node::Unknown => Kind::Unseen,
            Node::Leaf(kind) => kind,
            Node::Struct { fields, complex, .. } => {
                if complex && let Some(kind) = complex_number(fields.iter().map(|(_, node)| node)) {
                    return Ok(Trace { kind, ..Trace::default() });
                }
                let mut record = Record::default();
                for (name, node) in fields {
                    let trace = node.trace(true).map_err(|error| error.at_field(name))?;
                    record.fields.push((Cow::Borrowed(name), trace));
                }
                Kind::Record(record)
            }
            Node::Tuple(items) => {
                let items: Vec<_> = items
                    .into_iter()
                    .zip(0u64..)
                    .map(|(item, index)| item.trace(within).map_err(|error| error.at_index(index)))
                    .collect::<Result<_>>()?;
                Kind::Tuple { length: items.len(), items }
            }
            Node::Columns(table) => match *table {
                Node::Struct { fields, .. } => {
                    let mut record = Record::default();
                    for (name, node) in fields {
                        let trace = node.trace(false).map_err(|error| error.at_field(name))?;
                        record.fields.push((Cow::Borrowed(name), trace));
                    }
                    Kind::Columns(record)
                }
                _ => return Err(Error::data("expected a struct of columns")),
            },
            Node::Sequence(_) if within => {
                return Err(Error::data(
                    "a sequence within a record has no length of its own; use an array, or `DType::from_sample`",
                ));
            }
            Node::Sequence(item) => Kind::Sequence { length: 0, item: Box::new(item.trace(within)?) },
            Node::Enum { kind: Some(kind), .. } => kind,
            Node::Enum { variants, .. } => {
                Kind::Text(variants.iter().map(|variant| variant.chars().count()).max().unwrap_or(0))
            }
        };
        Ok(Trace { kind, ..Trace::default() })
    }
}

/// The complex number that two floats make.
pub(crate) fn complex_number<'n>(parts: impl Iterator<Item = &'n Node>) -> Option<Kind> {
    let mut count = 0usize;
    let mut single = true;
    for part in parts {
        let Node::Leaf(Kind::Number(numbers)) = part else { return None };
        single = single && numbers.covers(&Numbers::f32(0.0));
        if !numbers.is_float() {
            return None;
        }
        count = count.saturating_add(1);
    }
    (count == 2).then_some(Kind::Complex(if single { 4 } else { 8 }))
}

/// What the explorers of one type share.
#[derive(Default)]
pub(crate) struct State {
    /// Whether something was learnt that calls for another run.
    pub(crate) again: Cell<bool>,
    /// Whether no made-up value will help.
    pub(crate) hopeless: Cell<bool>,
    /// Whether text may be without a width: its place is then left unknown.
    pub(crate) open_text: Cell<bool>,
    pub(crate) depth: Cell<usize>,
    /// The helper in whose newtype struct the value stands that is being made up.
    pub(crate) scope: Cell<Option<Adapter>>,
    /// How many made-up values this run has fed.
    pub(crate) fed: Cell<usize>,
    /// Which value to feed at each place, in the order of the run.
    pub(crate) attempts: RefCell<Vec<usize>>,
}

impl State {
    /// The number of the value to feed next.
    pub(crate) fn attempt(&self) -> usize {
        let place = self.fed.get();
        self.fed.set(place.saturating_add(1));
        let mut attempts = self.attempts.borrow_mut();
        // What comes behind a place depends on it.
        if attempts.len() <= place {
            attempts.push(0);
        }
        attempts.get(place).copied().unwrap_or(0)
    }

    /// After a refusal: the value fed last is the one that was refused.
    pub(crate) fn try_another(&self, error: Error) -> Result<()> {
        let mut attempts = self.attempts.borrow_mut();
        attempts.truncate(self.fed.get());
        match attempts.last_mut() {
            Some(attempt) if *attempt < MOST_VALUES => {
                *attempt = attempt.saturating_add(1);
                Ok(())
            }
            _ => Err(error.because("the type takes none of the values that were made up; use `DType::from_sample`")),
        }
    }

    pub(crate) fn hopeless(&self, message: &str) -> Error {
        self.hopeless.set(true);
        Error::data(format!("{message}, or `DType::from_sample`"))
    }
}
