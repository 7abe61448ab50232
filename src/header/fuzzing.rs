//! For the fuzz targets of this repository: the parser of Python literals as a tree that can be compared.

use crate::error::Result;
use crate::header::literal::{Item, Literal};
use crate::header::node::Kind;
use crate::header::parser::Grammar;
use crate::header::source::Source;
use crate::header::summary::Header;
use crate::limits::Limits;

/// A Python literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `(1, 2)`
    Tuple(Vec<Value>),
    /// `[1, 2]`
    List(Vec<Value>),
    /// The outermost dict, with keys and values by turns.
    Dict(Vec<Value>),
    /// Any other dict, or a set.
    Opaque,
    /// `'a'`
    Str(String),
    /// `b'a'`
    Bytes,
    /// An integer, or the maximum or minimum of the type.
    Int(i128),
    /// `1.5` or `2j`
    Float,
    /// `True`
    Bool(bool),
    /// `None`
    None,
    /// `...`
    Ellipsis,
}

/// Parses a literal; `python2` lets an `L` stand behind numbers.
///
/// # Errors
///
/// The text is none.
pub fn literal(text: &str, python2: bool) -> Result<Value> {
    Ok(value(Literal::parse(Source::new(text), Grammar { python2, nested_dicts: true })?.root()))
}

fn value(item: Item<'_, '_>) -> Value {
    let items = || item.items().map(value).collect();
    match item.kind() {
        Kind::Tuple => Value::Tuple(items()),
        Kind::List => Value::List(items()),
        Kind::Dict => Value::Dict(items()),
        Kind::Opaque | Kind::Parentheses => Value::Opaque,
        Kind::Str | Kind::PlainStr => Value::Str(item.str().unwrap_or_default().into_owned()),
        Kind::Bytes => Value::Bytes,
        Kind::Int => Value::Int(item.int().unwrap_or_default()),
        Kind::Float => Value::Float,
        Kind::Bool => Value::Bool(item.bool().unwrap_or_default()),
        Kind::None => Value::None,
        Kind::Ellipsis => Value::Ellipsis,
    }
}

/// [`Header::read`] in the mode that refuses what NumPy refuses.
///
/// # Errors
///
/// As for [`Header::read`].
pub fn read_strict(bytes: &[u8]) -> Result<Header> {
    Header::read_limited(bytes, &Limits::default(), true)
}
