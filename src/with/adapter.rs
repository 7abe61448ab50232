//! How a helper travels through serde: as a newtype struct under a name that no derive makes.
//!
//! Other formats see the value in the newtype. A helper whose value has another form here than there asks the
//! serializer or deserializer *within* the newtype whether it is human-readable: none that said no before says yes then,
//! but ours, for the helpers of [`Adapter::is_readable`].

use crate::dtype::{Kind, TimeUnit};
use std::fmt;

/// What a helper asks of the serializer or deserializer, for everything in its newtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Adapter {
    /// Integers that count units, as datetimes or timedeltas.
    Time(Kind, TimeUnit),
    /// Integers that are the bare counts of whatever unit the dtype has.
    Raw,
    /// Text or bytes in an `S`, `U` or `V` of this width, in bytes or code points.
    Characters(Kind, usize),
    /// Text as wide as it is.
    Text,
    /// Pairs of floats as complex numbers.
    Complex,
    /// Floats as half-precision ones.
    Half,
    /// Floats that may be rounded when they are read.
    Round,
    /// `None` as the NaN of floats of this itemsize.
    Nan(usize),
    /// A value and a sample, which tells the dtype of a sequence that is empty.
    Of,
}

/// In front of every name, so that no type of a user's is taken for a helper.
const PREFIX: &str = "__serde_npy_";

pub(crate) const RAW: &str = "__serde_npy_Raw";
pub(crate) const TEXT: &str = "__serde_npy_Text";
pub(crate) const COMPLEX: &str = "__serde_npy_Complex";
pub(crate) const F2: &str = "__serde_npy_F2";
pub(crate) const ROUND: &str = "__serde_npy_Round";
pub(crate) const NAN4: &str = "__serde_npy_Nan4";
pub(crate) const NAN8: &str = "__serde_npy_Nan8";
pub(crate) const OF: &str = "__serde_npy_Of";

impl Adapter {
    /// The helper that a newtype struct's name stands for.
    #[inline]
    pub(crate) fn from_name(name: &str) -> Option<Adapter> {
        name.strip_prefix(PREFIX).and_then(Adapter::from_suffix)
    }

    /// Whether a newtype struct's name is that of a helper.
    #[inline(always)] // So that the compiler, which knows the name, decides it.
    pub(crate) fn is_name(name: &str) -> bool {
        name.starts_with(PREFIX)
    }

    fn from_suffix(name: &str) -> Option<Adapter> {
        match name {
            "Raw" => return Some(Adapter::Raw),
            "Text" => return Some(Adapter::Text),
            "Complex" => return Some(Adapter::Complex),
            "F2" => return Some(Adapter::Half),
            "Round" => return Some(Adapter::Round),
            "Nan4" => return Some(Adapter::Nan(4)),
            "Nan8" => return Some(Adapter::Nan(8)),
            "Of" => return Some(Adapter::Of),
            _ => {}
        }
        if let Some((kind, unit)) = name.split_once('_') {
            let unit = TimeUnit::from_symbol(unit)?;
            return match kind {
                "M8" => Some(Adapter::Time(Kind::Datetime, unit)),
                "m8" => Some(Adapter::Time(Kind::Timedelta, unit)),
                _ => None,
            };
        }
        let mut chars = name.chars();
        let kind = match chars.next()? {
            'S' => Kind::Bytes,
            'U' => Kind::Str,
            'V' => Kind::Void,
            _ => return None,
        };
        Some(Adapter::Characters(kind, chars.as_str().parse().ok()?))
    }

    /// Whether what is in the newtype is told that the format is human-readable.
    #[inline]
    pub(crate) fn is_readable(self) -> bool {
        matches!(self, Adapter::Time(..) | Adapter::Raw | Adapter::Characters(..) | Adapter::Text)
    }
}

/// What a helper wants, in words.
impl fmt::Display for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Adapter::Time(Kind::Timedelta, unit) => write!(f, "a timedelta in `{}`", unit.symbol()),
            Adapter::Time(_, unit) => write!(f, "a datetime in `{}`", unit.symbol()),
            Adapter::Raw => f.write_str("a datetime, a timedelta or an integer"),
            Adapter::Characters(..) => f.write_str("text or bytes"),
            Adapter::Text => f.write_str("text"),
            Adapter::Complex => f.write_str("a pair of floats"),
            Adapter::Half | Adapter::Round | Adapter::Nan(_) => f.write_str("a float"),
            Adapter::Of => f.write_str("a sequence"),
        }
    }
}

/// The name of [`Adapter::Characters`] and its length, in an array that a constant can hold and then borrow from.
#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, which refuses an index out of bounds")]
pub(crate) const fn characters(kind: u8, width: usize) -> ([u8; 40], usize) {
    const DIGITS: &[u8; 10] = b"0123456789";
    let mut name = [0; 40];
    let mut length = 0;
    while length < PREFIX.len() {
        name[length] = PREFIX.as_bytes()[length];
        length += 1;
    }
    name[length] = kind;
    length += 1;
    let mut divisor = 1;
    while width / divisor >= 10 {
        divisor *= 10;
    }
    while divisor > 0 {
        name[length] = DIGITS[width / divisor % 10];
        length += 1;
        divisor /= 10;
    }
    (name, length)
}

/// The text in such an array.
pub(crate) const fn name(built: &'static ([u8; 40], usize)) -> &'static str {
    match built.0.split_at_checked(built.1) {
        Some((name, _)) => match std::str::from_utf8(name) {
            Ok(name) => name,
            Err(_) => "",
        },
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_carry_the_width() {
        for (kind, byte) in [(Kind::Bytes, b'S'), (Kind::Str, b'U'), (Kind::Void, b'V')] {
            for width in [0, 1, 9, 10, 99, 100, 1 << 20, usize::MAX] {
                let (name, length) = characters(byte, width);
                let name = std::str::from_utf8(&name[..length]).unwrap();
                assert_eq!(name, format!("__serde_npy_{}{width}", char::from(byte)));
                assert_eq!(Adapter::from_name(name), Some(Adapter::Characters(kind, width)));
            }
        }
        for name in ["f16", "__serde_npy_", "__serde_npy_X8", "__serde_npy_U", "__serde_npy_U8x", "__serde_npy_M8_q"] {
            assert_eq!(Adapter::from_name(name), None, "{name}");
        }
    }
}
