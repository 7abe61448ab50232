//! `Datetime`, `Timedelta` and `Raw`.

use crate::codec;
use crate::dtype::TimeUnit;
use crate::error::Error;
use crate::with::adapter;
use crate::with::count::{Count, Counted, Counts, From, TimeHelper};
use crate::with::newtype::Newtype;
use serde::de::{DeserializeOwned, Deserializer};
use serde::ser::{Serialize, Serializer};
use std::marker::PhantomData;

/// A unit of [`Datetime`] and [`Timedelta`]: one of [`Y`], [`M`], [`W`], [`D`], [`H`], [`Min`], [`Sec`], [`Ms`], [`Us`],
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

mod private {
    pub trait Sealed {}
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
    Sec "s" Second "seconds";
    Ms "ms" Millisecond "milliseconds";
    Us "us" Microsecond "microseconds";
    Ns "ns" Nanosecond "nanoseconds";
    Ps "ps" Picosecond "picoseconds";
    Fs "fs" Femtosecond "femtoseconds";
    As "as" Attosecond "attoseconds";
}

/// Counts of a unit since 1970-01-01T00:00 as datetimes: `#[serde(with = "with::Datetime::<with::Ns>")]`.
///
/// On `i64` and on [the times of `std`, `chrono` and `jiff`](Count), and on `Option`s, `Vec`s and arrays of them; `None`
/// is NaT. What is no whole count of the unit is an error, and a file in another unit is converted, if that is exact.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::with;
/// use std::time::SystemTime;
///
/// #[derive(Serialize, Deserialize)]
/// struct Day {
///     #[serde(with = "with::Datetime::<with::D>")]
///     date: i64,
///     #[serde(with = "with::Datetime::<with::Ns>")]
///     seen: Option<SystemTime>,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::to_vec(&[Day { date: 19_000, seen: Some(SystemTime::UNIX_EPOCH) }])?;
/// let any: serde_json::Value = serde_npy::from_slice(&bytes)?;
/// assert_eq!(any, serde_json::json!([{"date": "2022-01-08", "seen": "1970-01-01T00:00:00.000000000"}]));
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Datetime<U>(PhantomData<U>);

/// Counts of a unit as timedeltas: `#[serde(with = "with::Timedelta::<with::Ms>")]`.
///
/// On `i64` and on [the durations of `std`, `chrono` and `jiff`](Count), and on `Option`s, `Vec`s and arrays of them;
/// `None` is NaT. What is no whole count of the unit is an error, and a file in another unit is converted, if that is
/// exact.
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
///     #[serde(with = "with::Timedelta::<with::Sec>")]
///     limit: std::time::Duration,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let limit = std::time::Duration::from_secs(60);
/// let bytes = serde_npy::to_vec(&[Pause { length: 1500, limit }])?;
/// assert_eq!(
///     serde_npy::Header::read(&bytes[..])?.dtype().to_string(),
///     "[('length', '<m8[ms]'), ('limit', '<m8[s]')]"
/// );
/// assert_eq!(serde_npy::from_slice::<Vec<Pause>>(&bytes)?[0].limit, limit);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Timedelta<U>(PhantomData<U>);

/// The bare count of any datetime or timedelta, whatever its unit: `#[serde(with = "with::Raw")]`.
///
/// On `i64`, and `Option`s, `Vec`s and arrays of it; NaT is `None`, or the `i64::MIN` that it is in the file. Written, it is an `<i8` unless
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

macro_rules! helpers {
    ($([$($generic:tt)*] $helper:ty, $name:expr, $errors:literal;)*) => {$(
        impl<$($generic)*> $helper {
            /// For serde's derive.
            ///
            /// # Errors
            ///
            /// The value is no whole count of the unit, or whatever the serializer finds wrong.
            pub fn serialize<T: Count<Self> + Serialize, Ser: Serializer>(
                value: &T,
                serializer: Ser,
            ) -> Result<Ser::Ok, Ser::Error> {
                if serializer.is_human_readable() {
                    value.serialize(serializer)
                } else {
                    serializer.serialize_newtype_struct($name, &Counts(value, PhantomData::<Self>))
                }
            }

            /// For serde's derive.
            ///
            /// # Errors
            ///
            #[doc = $errors]
            pub fn deserialize<'de, T: Count<Self> + DeserializeOwned, De: Deserializer<'de>>(
                deserializer: De,
            ) -> Result<T, De::Error> {
                if deserializer.is_human_readable() {
                    // Text formats, and the buffer behind `flatten` and `untagged`, which says that it is one of them.
                    T::deserialize_counts(From::Readable, deserializer)
                } else {
                    let counted: Counted<T, Self> =
                        deserializer.deserialize_newtype_struct($name, Newtype(PhantomData))?;
                    Ok(counted.0)
                }
            }
        }
    )*};
}

helpers! {
    [U: TimeStep] Datetime<U>, U::DATETIME,
        "The element is no datetime, or not what the type takes: no whole count of its unit, or NaT for no `Option`.";
    [U: TimeStep] Timedelta<U>, U::TIMEDELTA,
        "The element is no timedelta, or not what the type takes: no whole count of its unit, or NaT for no `Option`.";
    [] Raw, adapter::RAW, "The element is neither a datetime nor a timedelta nor an integer.";
}

impl<U: TimeStep> TimeHelper for Datetime<U> {
    fn parse(text: &str) -> crate::error::Result<i64> {
        codec::parse_datetime(text, U::UNIT, 1)
    }
}

impl<U: TimeStep> TimeHelper for Timedelta<U> {
    fn parse(text: &str) -> crate::error::Result<i64> {
        codec::parse_timedelta(text, U::UNIT, 1)
    }
}

impl TimeHelper for Raw {
    fn parse(text: &str) -> crate::error::Result<i64> {
        Err(Error::data(format!("expected the bare count of a time, found text {text:?}, whose unit is not known")))
    }
}
