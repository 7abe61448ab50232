//! What the helpers of `with` make of a value, as far as its dtype goes.

use crate::codec;
use crate::dtype::Kind as Scalars;
use crate::error::{Count, Error, Result};
use crate::ser::probe::{Probe, Probed};
use crate::trace::{Kind, Numbers};
use crate::with::Adapter;
use serde::Serialize;

/// The kind of a number in a helper's newtype.
pub(crate) fn number(adapter: Adapter, numbers: Numbers) -> Result<Kind> {
    match adapter {
        Adapter::Time(kind, unit) => Ok(Kind::Time(kind, unit)),
        Adapter::Half if numbers.is_float() => Ok(Kind::Half),
        Adapter::Half | Adapter::Characters(..) | Adapter::Text | Adapter::Complex => {
            Err(unexpected(adapter, "a number"))
        }
        _ => Ok(Kind::Number(numbers)),
    }
}

/// The kind of text in a helper's newtype; `None` if it is the text's own.
pub(crate) fn text(adapter: Adapter, text: &str, check: bool) -> Result<Option<Kind>> {
    match adapter {
        Adapter::Characters(kind, width) => fixed(kind, width, text.as_bytes(), check).map(Some),
        Adapter::Text | Adapter::Raw | Adapter::Round | Adapter::Of => Ok(None),
        _ => Err(unexpected(adapter, "text")),
    }
}

/// The kind of bytes in a helper's newtype; `None` if it is their own.
pub(crate) fn bytes(adapter: Adapter, bytes: &[u8], check: bool) -> Result<Option<Kind>> {
    match adapter {
        Adapter::Characters(kind, width) => fixed(kind, width, bytes, check).map(Some),
        Adapter::Raw | Adapter::Round | Adapter::Of => Ok(None),
        _ => Err(unexpected(adapter, "bytes")),
    }
}

/// Whether a bool or a unit may stand in a helper's newtype.
pub(crate) fn other(adapter: Adapter, found: &str) -> Result<()> {
    match adapter {
        Adapter::Raw | Adapter::Round | Adapter::Of => Ok(()),
        _ => Err(unexpected(adapter, found)),
    }
}

/// The kind of `None` in a helper's newtype, if it has one.
pub(crate) fn none(adapter: Adapter) -> Option<Kind> {
    match adapter {
        Adapter::Time(..) | Adapter::Nan(_) => unseen(adapter),
        _ => None,
    }
}

/// The kind of values that a helper tells without having seen one.
pub(crate) fn unseen(adapter: Adapter) -> Option<Kind> {
    match adapter {
        Adapter::Time(kind, unit) => Some(Kind::Time(kind, unit)),
        Adapter::Characters(kind, width) => Some(Kind::Fixed(kind, width)),
        Adapter::Half => Some(Kind::Half),
        Adapter::Nan(4) => Some(Kind::Number(Numbers::f32(0.0))),
        Adapter::Nan(_) => Some(Kind::Number(Numbers::f64(0.0))),
        _ => None,
    }
}

fn fixed(kind: Scalars, width: usize, bytes: &[u8], check: bool) -> Result<Kind> {
    if check {
        match kind {
            Scalars::Str => drop(codec::check_ucs4(utf8(bytes)?, width)?),
            Scalars::Void => codec::check_void(bytes, width)?,
            _ => codec::check_bytes(bytes, width)?,
        }
    }
    Ok(Kind::Fixed(kind, width))
}

/// Bytes as text.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|error| {
        Error::data(format!("expected text, found bytes that are not UTF-8 from the one at {}", error.valid_up_to()))
    })
}

/// The NULs that fill up an array of bytes are no part of a text.
pub(crate) fn trimmed(bytes: &[u8], is_array: bool, is_void: bool) -> &[u8] {
    if is_array && !is_void { codec::trim_nuls(bytes) } else { bytes }
}

#[cold]
fn unexpected(adapter: Adapter, found: &str) -> Error {
    Error::data(format!("expected {adapter}, found {found}"))
}

/// Items that may be the bytes of a text, or the two parts of a complex number, which the first of them tells.
pub(crate) enum Gather {
    /// They are items.
    Items,
    /// None has come yet.
    Waiting(Adapter),
    Bytes {
        kind: Scalars,
        width: usize,
        bytes: Vec<u8>,
    },
    Pair {
        length: usize,
        part: usize,
    },
}

impl Gather {
    pub(crate) fn new(adapter: Option<Adapter>) -> Gather {
        match adapter {
            Some(adapter @ (Adapter::Characters(..) | Adapter::Complex)) => Gather::Waiting(adapter),
            _ => Gather::Items,
        }
    }

    /// Whether the items are no longer, or not yet, items.
    pub(crate) fn is_gathering(&self) -> bool {
        !matches!(self, Gather::Items)
    }

    /// Notes that items of which none has come would be bytes.
    pub(crate) fn expect_bytes(&mut self) {
        if let Gather::Waiting(Adapter::Characters(kind, width)) = *self {
            *self = Gather::Bytes { kind, width, bytes: Vec::new() };
        }
    }

    /// Takes an item, if it is no item.
    pub(crate) fn take<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<bool> {
        match self {
            Gather::Items => return Ok(false),
            Gather::Waiting(adapter) => match (*adapter, value.serialize(Probe)) {
                (Adapter::Characters(kind, width), Ok(Probed::Byte(byte))) => {
                    *self = Gather::Bytes { kind, width, bytes: vec![byte] };
                }
                (Adapter::Complex, Ok(Probed::Float(part))) => *self = Gather::Pair { length: 1, part },
                _ => {
                    *self = Gather::Items;
                    return Ok(false);
                }
            },
            Gather::Bytes { bytes, .. } => match value.serialize(Probe) {
                Ok(Probed::Byte(byte)) => bytes.push(byte),
                _ => return Err(Error::data("expected bytes, found an item that is none")),
            },
            Gather::Pair { length, part } => match value.serialize(Probe) {
                Ok(Probed::Float(other)) => {
                    *length = length.saturating_add(1);
                    *part = other.max(*part);
                }
                _ => return Err(Error::data("expected a pair of floats, found an item that is none")),
            },
        }
        Ok(true)
    }

    /// The kind of what was gathered; `None` if it is a sequence or tuple nevertheless.
    pub(crate) fn end(self, is_array: bool, check: bool) -> Result<Option<Kind>> {
        match self {
            Gather::Bytes { kind, width, bytes } => {
                fixed(kind, width, trimmed(&bytes, is_array, kind == Scalars::Void), check).map(Some)
            }
            Gather::Pair { length: 2, part } => Ok(Some(Kind::Complex(part))),
            Gather::Pair { length, .. } => {
                Err(Error::data(format!("expected a pair of floats, found {}", Count(length, "item"))))
            }
            // No bytes are bytes too, but no text is an axis of texts.
            Gather::Waiting(Adapter::Characters(kind @ (Scalars::Bytes | Scalars::Void), width)) => {
                fixed(kind, width, &[], check).map(Some)
            }
            Gather::Waiting(_) | Gather::Items => Ok(None),
        }
    }
}
