//! Scalar dtypes: kind, byteorder, itemsize and, for times, the unit.

use crate::error::{Error, Result};
use std::fmt;

/// The class of data of a scalar dtype: NumPy's `dtype.kind`.
///
/// # Examples
///
/// ```
/// use serde_npy::Kind;
///
/// assert_eq!(Kind::Float.char(), 'f');
/// assert_eq!(Kind::from_char('M'), Some(Kind::Datetime));
/// assert_eq!(Kind::from_char('x'), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `b`: a boolean in one byte, 0 or 1.
    Bool,
    /// `i`: a signed integer of 1, 2, 4 or 8 bytes.
    Int,
    /// `u`: an unsigned integer of 1, 2, 4 or 8 bytes.
    UInt,
    /// `f`: a floating-point number of 2, 4 or 8 bytes, or a long double of 16.
    Float,
    /// `c`: a complex number, two floats of half the itemsize: 8 or 16 bytes, or of long doubles 32.
    Complex,
    /// `m`: a difference of times, a signed 8-byte count of a unit.
    Timedelta,
    /// `M`: a time, a signed 8-byte count of a unit since 1970-01-01T00:00.
    Datetime,
    /// `S`: a string of bytes of fixed width, filled up with NULs.
    Bytes,
    /// `U`: a string of Unicode code points of fixed width, 4 bytes each, filled up with NULs.
    Str,
    /// `V`: raw bytes.
    Void,
    /// `O`: Python objects; the data of the array is one pickle.
    Object,
}

impl Kind {
    const ALL: [(Kind, char); 11] = [
        (Kind::Bool, 'b'),
        (Kind::Int, 'i'),
        (Kind::UInt, 'u'),
        (Kind::Float, 'f'),
        (Kind::Complex, 'c'),
        (Kind::Timedelta, 'm'),
        (Kind::Datetime, 'M'),
        (Kind::Bytes, 'S'),
        (Kind::Str, 'U'),
        (Kind::Void, 'V'),
        (Kind::Object, 'O'),
    ];

    /// The kind's character in a typestring.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(serde_npy::Kind::Str.char(), 'U');
    /// ```
    #[must_use]
    pub fn char(self) -> char {
        Kind::ALL.iter().find(|(kind, _)| *kind == self).map_or('V', |(_, char)| *char)
    }

    /// The kind that a typestring's character stands for; `None` for any other character.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Kind;
    ///
    /// assert_eq!(Kind::from_char('u'), Some(Kind::UInt));
    /// ```
    #[must_use]
    pub fn from_char(char: char) -> Option<Kind> {
        Kind::ALL.iter().find(|(_, of_kind)| *of_kind == char).map(|(kind, _)| *kind)
    }
}

/// The order of the bytes of a multi-byte number: NumPy's `dtype.byteorder` as a typestring spells it.
///
/// # Examples
///
/// ```
/// use serde_npy::{ByteOrder, Kind, Scalar};
///
/// # fn main() -> serde_npy::Result<()> {
/// assert_eq!(Scalar::new(Kind::Float, 8, ByteOrder::Big)?.to_string(), ">f8");
/// // One byte has no order:
/// assert_eq!(Scalar::new(Kind::Int, 1, ByteOrder::Big)?.byteorder(), ByteOrder::NotApplicable);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// `<`
    Little,
    /// `>`
    Big,
    /// `|`: one-byte numbers, bytes, void and objects.
    NotApplicable,
}

impl ByteOrder {
    /// The mark in front of a typestring.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(serde_npy::ByteOrder::Big.char(), '>');
    /// ```
    #[must_use]
    pub fn char(self) -> char {
        match self {
            ByteOrder::Little => '<',
            ByteOrder::Big => '>',
            ByteOrder::NotApplicable => '|',
        }
    }
}

/// The unit of a datetime or timedelta, as [NumPy names them](https://numpy.org/doc/stable/reference/arrays.datetime.html#datetime-units).
///
/// # Examples
///
/// ```
/// use serde_npy::TimeUnit;
///
/// assert_eq!(TimeUnit::Nanosecond.symbol(), "ns");
/// assert_eq!(TimeUnit::from_symbol("M"), Some(TimeUnit::Month));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TimeUnit {
    /// `Y`
    Year,
    /// `M`
    Month,
    /// `W`
    Week,
    /// `D`
    Day,
    /// `h`
    Hour,
    /// `m`
    Minute,
    /// `s`
    Second,
    /// `ms`
    Millisecond,
    /// `us`
    Microsecond,
    /// `ns`
    Nanosecond,
    /// `ps`
    Picosecond,
    /// `fs`
    Femtosecond,
    /// `as`
    Attosecond,
}

impl TimeUnit {
    /// All thirteen units, the longest first.
    pub const ALL: [TimeUnit; 13] = [
        TimeUnit::Year,
        TimeUnit::Month,
        TimeUnit::Week,
        TimeUnit::Day,
        TimeUnit::Hour,
        TimeUnit::Minute,
        TimeUnit::Second,
        TimeUnit::Millisecond,
        TimeUnit::Microsecond,
        TimeUnit::Nanosecond,
        TimeUnit::Picosecond,
        TimeUnit::Femtosecond,
        TimeUnit::Attosecond,
    ];

    /// How the unit stands in a typestring: `ns` in `<M8[ns]`.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(serde_npy::TimeUnit::Day.symbol(), "D");
    /// ```
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            TimeUnit::Year => "Y",
            TimeUnit::Month => "M",
            TimeUnit::Week => "W",
            TimeUnit::Day => "D",
            TimeUnit::Hour => "h",
            TimeUnit::Minute => "m",
            TimeUnit::Second => "s",
            TimeUnit::Millisecond => "ms",
            TimeUnit::Microsecond => "us",
            TimeUnit::Nanosecond => "ns",
            TimeUnit::Picosecond => "ps",
            TimeUnit::Femtosecond => "fs",
            TimeUnit::Attosecond => "as",
        }
    }

    /// The unit that a symbol stands for; `None` for any other text.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::TimeUnit;
    ///
    /// assert_eq!(TimeUnit::from_symbol("m"), Some(TimeUnit::Minute));
    /// assert_eq!(TimeUnit::from_symbol("min"), None);
    /// ```
    #[must_use]
    pub fn from_symbol(symbol: &str) -> Option<TimeUnit> {
        TimeUnit::ALL.into_iter().find(|unit| unit.symbol() == symbol)
    }
}

/// A dtype without fields or shape: kind, itemsize, byteorder and, for times, unit and count.
///
/// Only what NumPy itself can hold can be built. [`Display`](fmt::Display) prints the typestring exactly as
/// `dtype.str` does, [`FromStr`](std::str::FromStr) takes every spelling that `numpy.dtype` takes.
///
/// # Examples
///
/// ```
/// use serde_npy::{ByteOrder, Kind, Scalar};
///
/// # fn main() -> serde_npy::Result<()> {
/// let price: Scalar = ">f8".parse()?;
/// assert_eq!(price.kind(), Kind::Float);
/// assert_eq!(price.byteorder(), ByteOrder::Big);
/// assert_eq!(price.itemsize(), 8);
///
/// let name = Scalar::new(Kind::Str, 4 * 16, ByteOrder::Little)?;
/// assert_eq!(name.to_string(), "<U16");
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar {
    kind: Kind,
    byteorder: ByteOrder,
    /// At most [`MAX_ITEMSIZE`], and small, since a dtype of a thousand fields holds a thousand of these.
    itemsize: u32,
    /// Unit and count of a time; `None` is the generic unit, and every other kind.
    unit: Option<(TimeUnit, u32)>,
}

/// NumPy keeps an itemsize in a C `int`.
pub(crate) const MAX_ITEMSIZE: usize = i32::MAX as usize;

impl Scalar {
    /// A scalar of a kind and an itemsize in bytes; times are of the generic unit.
    ///
    /// The byteorder is ignored where it has no meaning. Where it has one, [`ByteOrder::NotApplicable`] stands for
    /// little-endian.
    ///
    /// # Errors
    ///
    /// The kind has no such itemsize: a 3-byte integer, a `U` of a size that is no multiple of 4, anything over
    /// 2<sup>31</sup>-1 bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{ByteOrder, Kind, Scalar};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// assert_eq!(Scalar::new(Kind::UInt, 2, ByteOrder::Little)?.to_string(), "<u2");
    /// assert_eq!(Scalar::new(Kind::Void, 3, ByteOrder::Little)?.to_string(), "|V3");
    ///
    /// let error = Scalar::new(Kind::Int, 3, ByteOrder::Little).unwrap_err();
    /// assert_eq!(error.to_string(), "there is no dtype of kind `i` and itemsize 3");
    /// # Ok(()) }
    /// ```
    pub fn new(kind: Kind, itemsize: usize, byteorder: ByteOrder) -> Result<Scalar> {
        let exists = match kind {
            Kind::Bool => itemsize == 1,
            Kind::Int | Kind::UInt => matches!(itemsize, 1 | 2 | 4 | 8),
            Kind::Float => matches!(itemsize, 2 | 4 | 8 | 16),
            Kind::Complex => matches!(itemsize, 8 | 16 | 32),
            Kind::Timedelta | Kind::Datetime | Kind::Object => itemsize == 8,
            Kind::Str => itemsize.is_multiple_of(4) && itemsize <= MAX_ITEMSIZE,
            Kind::Bytes | Kind::Void => itemsize <= MAX_ITEMSIZE,
        };
        if !exists {
            return Err(Error::data(format!("there is no dtype of kind `{}` and itemsize {itemsize}", kind.char())));
        }
        let ordered = !matches!(kind, Kind::Bool | Kind::Bytes | Kind::Void | Kind::Object) && itemsize != 1;
        let byteorder = match byteorder {
            _ if !ordered => ByteOrder::NotApplicable,
            ByteOrder::NotApplicable => ByteOrder::Little,
            marked => marked,
        };
        Ok(Scalar { kind, byteorder, itemsize: u32::try_from(itemsize).unwrap_or(u32::MAX), unit: None })
    }

    /// A datetime or timedelta of `count` units, such as 25 microseconds for `<M8[25us]`.
    ///
    /// # Errors
    ///
    /// The kind is neither [`Kind::Datetime`] nor [`Kind::Timedelta`], or the count is 0 or over 2<sup>31</sup>-1.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{ByteOrder, Kind, Scalar, TimeUnit};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let day = Scalar::time(Kind::Datetime, TimeUnit::Day, 1, ByteOrder::Little)?;
    /// assert_eq!(day.to_string(), "<M8[D]");
    /// let step = Scalar::time(Kind::Timedelta, TimeUnit::Microsecond, 25, ByteOrder::Big)?;
    /// assert_eq!(step.to_string(), ">m8[25us]");
    /// # Ok(()) }
    /// ```
    pub fn time(kind: Kind, unit: TimeUnit, count: u32, byteorder: ByteOrder) -> Result<Scalar> {
        if !matches!(kind, Kind::Datetime | Kind::Timedelta) {
            return Err(Error::data(format!("a dtype of kind `{}` has no unit", kind.char())));
        }
        if count == 0 || i32::try_from(count).is_err() {
            return Err(Error::data(format!("the count of a time unit is 1 to {}, not {count}", i32::MAX)));
        }
        Ok(Scalar { unit: Some((unit, count)), ..Scalar::new(kind, 8, byteorder)? })
    }

    /// The class of data.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The order of the bytes.
    #[must_use]
    pub fn byteorder(&self) -> ByteOrder {
        self.byteorder
    }

    /// Bytes of one element.
    #[must_use]
    #[inline]
    pub fn itemsize(&self) -> usize {
        usize::try_from(self.itemsize).unwrap_or(usize::MAX)
    }

    /// Unit and count of a datetime or timedelta, as `numpy.datetime_data` gives them; `None` for the generic unit and
    /// for every other kind.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{Scalar, TimeUnit};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// assert_eq!("<M8[25us]".parse::<Scalar>()?.datetime_data(), Some((TimeUnit::Microsecond, 25)));
    /// assert_eq!("<m8".parse::<Scalar>()?.datetime_data(), None);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn datetime_data(&self) -> Option<(TimeUnit, u32)> {
        self.unit
    }

    /// The same scalar with its bytes in another order; without effect where there is no order.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{ByteOrder, Scalar};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// assert_eq!("<i4".parse::<Scalar>()?.with_byteorder(ByteOrder::Big).to_string(), ">i4");
    /// assert_eq!("|S4".parse::<Scalar>()?.with_byteorder(ByteOrder::Big).to_string(), "|S4");
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_byteorder(mut self, byteorder: ByteOrder) -> Scalar {
        if self.byteorder != ByteOrder::NotApplicable && byteorder != ByteOrder::NotApplicable {
            self.byteorder = byteorder;
        }
        self
    }
}

/// The typestring as `dtype.str` spells it.
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.byteorder.char(), self.kind.char())?;
        match self.kind {
            Kind::Object => Ok(()),
            Kind::Str => write!(f, "{}", self.itemsize / 4),
            _ => write!(f, "{}", self.itemsize),
        }?;
        match self.unit {
            Some((unit, 1)) => write!(f, "[{}]", unit.symbol()),
            Some((unit, count)) => write!(f, "[{count}{}]", unit.symbol()),
            None => Ok(()),
        }
    }
}
