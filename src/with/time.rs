//! `Datetime`, `Timedelta` and `Raw`.

use crate::codec;
use crate::dtype::{Kind, TimeUnit};
use crate::with::adapter;
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A unit of [`Datetime`] and [`Timedelta`]: one of [`Y`], [`M`], [`W`], [`D`], [`H`], [`Min`], [`S`], [`Ms`], [`Us`],
/// [`Ns`], [`Ps`], [`Fs`], [`As`].
///
/// # Examples
///
/// ```
/// use serde_npy::{TimeUnit, with::{Ms, TimeStep}};
///
/// assert_eq!(Ms::UNIT, TimeUnit::Millisecond);
/// ```
pub trait TimeStep: private::Sealed {
    /// The unit.
    const UNIT: TimeUnit;
    #[doc(hidden)]
    const DATETIME: &'static str;
    #[doc(hidden)]
    const TIMEDELTA: &'static str;
}

/// An integer, or the lack of one, that [`Datetime`] and [`Timedelta`] can count with: `i64` and `Option<i64>`.
///
/// # Examples
///
/// ```
/// use serde_npy::with::Count;
///
/// assert_eq!(5i64.to_count(), Some(5));
/// assert_eq!(None::<i64>.to_count(), None);
/// ```
pub trait Count: private::Sealed + Serialize + DeserializeOwned {
    /// The count; `None` is NaT.
    fn to_count(&self) -> Option<i64>;
    /// The value of a count; `None` where NaT has no value.
    fn from_count(count: Option<i64>) -> Option<Self>;
}

mod private {
    pub trait Sealed {}
    impl Sealed for i64 {}
    impl Sealed for Option<i64> {}
}

impl Count for i64 {
    fn to_count(&self) -> Option<i64> {
        Some(*self)
    }

    fn from_count(count: Option<i64>) -> Option<Self> {
        count
    }
}

impl Count for Option<i64> {
    fn to_count(&self) -> Option<i64> {
        *self
    }

    fn from_count(count: Option<i64>) -> Option<Self> {
        Some(count)
    }
}

macro_rules! steps {
    ($($name:ident $symbol:literal $unit:ident $of:literal;)*) => {$(
        #[doc = concat!("Counts ", $of, ": `", $symbol, "`.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl private::Sealed for $name {}

        impl TimeStep for $name {
            const UNIT: TimeUnit = TimeUnit::$unit;
            const DATETIME: &'static str = concat!("__serde_npy_M8_", $symbol);
            const TIMEDELTA: &'static str = concat!("__serde_npy_m8_", $symbol);
        }
    )*};
}

steps! {
    Y "Y" Year "years";
    M "M" Month "months";
    W "W" Week "weeks";
    D "D" Day "days";
    H "h" Hour "hours";
    Min "m" Minute "minutes";
    S "s" Second "seconds";
    Ms "ms" Millisecond "milliseconds";
    Us "us" Microsecond "microseconds";
    Ns "ns" Nanosecond "nanoseconds";
    Ps "ps" Picosecond "picoseconds";
    Fs "fs" Femtosecond "femtoseconds";
    As "as" Attosecond "attoseconds";
}

/// Counts of a unit since 1970-01-01T00:00 as datetimes: `#[serde(with = "with::Datetime::<with::Ns>")]`.
///
/// On `i64` and `Option<i64>`; `None` is NaT. A file in another unit is converted, if that is exact, or else an error.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::with;
///
/// #[derive(Serialize, Deserialize)]
/// struct Day {
///     #[serde(with = "with::Datetime::<with::D>")]
///     date: i64,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::to_vec(&[Day { date: 19_000 }])?;
/// let any: serde_json::Value = serde_npy::from_slice(&bytes)?;
/// assert_eq!(any, serde_json::json!([{"date": "2022-01-08"}]));
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Datetime<U>(PhantomData<U>);

/// Counts of a unit as timedeltas: `#[serde(with = "with::Timedelta::<with::Ms>")]`.
///
/// On `i64` and `Option<i64>`; `None` is NaT. A file in another unit is converted, if that is exact, or else an error.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::with;
///
/// #[derive(Serialize, Deserialize)]
/// struct Pause {
///     #[serde(with = "with::Timedelta::<with::Ms>")]
///     length: i64,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::to_vec(&[Pause { length: 1500 }])?;
/// assert_eq!(serde_npy::Header::read(&bytes[..])?.dtype().to_string(), "[('length', '<m8[ms]')]");
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Timedelta<U>(PhantomData<U>);

/// The bare count of any datetime or timedelta, whatever its unit: `#[serde(with = "with::Raw")]`.
///
/// On `i64` and `Option<i64>`; NaT is `None`, or the `i64::MIN` that it is in the file. Written, it is an `<i8` unless
/// a dtype is given.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::{WriteOptions, with};
///
/// #[derive(Serialize, Deserialize)]
/// struct Row {
///     #[serde(with = "with::Raw")]
///     time: i64,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let options = WriteOptions::default().dtype("[('time', '<M8[25us]')]".parse()?);
/// let bytes = serde_npy::to_vec_with(&[Row { time: 3 }], &options)?;
/// assert_eq!(serde_npy::from_slice::<Vec<Row>>(&bytes)?[0].time, 3);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Raw;

impl<U: TimeStep> Datetime<U> {
    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// Whatever the serializer finds wrong.
    pub fn serialize<T: Count, Ser: Serializer>(value: &T, serializer: Ser) -> Result<Ser::Ok, Ser::Error> {
        serialize(U::DATETIME, value, serializer)
    }

    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// The element is no datetime, or not a whole count of the unit, or NaT for an `i64`.
    pub fn deserialize<'de, T: Count, De: Deserializer<'de>>(deserializer: De) -> Result<T, De::Error> {
        deserialize(U::DATETIME, Some((Kind::Datetime, U::UNIT)), deserializer)
    }
}

impl<U: TimeStep> Timedelta<U> {
    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// Whatever the serializer finds wrong.
    pub fn serialize<T: Count, Ser: Serializer>(value: &T, serializer: Ser) -> Result<Ser::Ok, Ser::Error> {
        serialize(U::TIMEDELTA, value, serializer)
    }

    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// The element is no timedelta, or not a whole count of the unit, or NaT for an `i64`.
    pub fn deserialize<'de, T: Count, De: Deserializer<'de>>(deserializer: De) -> Result<T, De::Error> {
        deserialize(U::TIMEDELTA, Some((Kind::Timedelta, U::UNIT)), deserializer)
    }
}

impl Raw {
    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// Whatever the serializer finds wrong.
    pub fn serialize<T: Count, Ser: Serializer>(value: &T, serializer: Ser) -> Result<Ser::Ok, Ser::Error> {
        serialize(adapter::RAW, value, serializer)
    }

    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// The element is neither a datetime nor a timedelta nor an integer.
    pub fn deserialize<'de, T: Count, De: Deserializer<'de>>(deserializer: De) -> Result<T, De::Error> {
        deserialize(adapter::RAW, None, deserializer)
    }
}

fn serialize<T: Count, Ser: Serializer>(name: &'static str, value: &T, serializer: Ser) -> Result<Ser::Ok, Ser::Error> {
    if serializer.is_human_readable() {
        value.serialize(serializer)
    } else {
        serializer.serialize_newtype_struct(name, value)
    }
}

fn deserialize<'de, T: Count, De: Deserializer<'de>>(
    name: &'static str,
    time: Option<(Kind, TimeUnit)>,
    deserializer: De,
) -> Result<T, De::Error> {
    let visitor = CountVisitor { time, value: PhantomData };
    if deserializer.is_human_readable() {
        // Text formats, and the buffer behind `flatten` and `untagged`, which says that it is one of them.
        deserializer.deserialize_any(visitor)
    } else {
        deserializer.deserialize_newtype_struct(name, visitor)
    }
}

/// Takes a count, the text that "any" gives for a time, or neither.
struct CountVisitor<T> {
    time: Option<(Kind, TimeUnit)>,
    value: PhantomData<T>,
}

fn counted<T: Count, E: de::Error>(count: Option<i64>) -> Result<T, E> {
    T::from_count(count).ok_or_else(|| E::custom("NaT has no integer; use `Option<i64>`"))
}

impl<'de, T: Count> Visitor<'de> for CountVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.time {
            Some((Kind::Timedelta, unit)) => write!(f, "a timedelta in `{}`", unit.symbol()),
            Some((_, unit)) => write!(f, "a datetime in `{}`", unit.symbol()),
            None => f.write_str("a datetime, a timedelta or an integer"),
        }
    }

    fn visit_i64<E: de::Error>(self, count: i64) -> Result<Self::Value, E> {
        counted(Some(count))
    }

    fn visit_u64<E: de::Error>(self, count: u64) -> Result<Self::Value, E> {
        let count = i64::try_from(count).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(count), &self))?;
        counted(Some(count))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        let Some((kind, unit)) = self.time else {
            return Err(E::invalid_type(de::Unexpected::Str(text), &self));
        };
        let count = match (text, kind) {
            ("NaT", _) => None,
            (_, Kind::Timedelta) => Some(codec::parse_timedelta(text, unit, 1).map_err(E::custom)?),
            _ => Some(codec::parse_datetime(text, unit, 1).map_err(E::custom)?),
        };
        counted(count)
    }

    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        counted(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        counted(None)
    }

    fn visit_some<De: Deserializer<'de>>(self, deserializer: De) -> Result<Self::Value, De::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<De: Deserializer<'de>>(self, deserializer: De) -> Result<Self::Value, De::Error> {
        T::deserialize(deserializer)
    }
}
