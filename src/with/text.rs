//! `Text` and `TextN`: values as the text that stands for them.

use crate::with::characters::U;
use crate::with::{adapter, newtype};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

/// A value as its `Display` text, read by its `FromStr`: `#[serde(with = "with::Text")]`.
///
/// For addresses, decimals, UUIDs and the like, which many types show to serde in another form where the format is not
/// for people. The dtype is a `U` as wide as the longest text; [`TextN`] fixes the width.
///
/// Other formats see the value as serde shows it, so that it must implement serde's traits too.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::with;
/// use std::net::IpAddr;
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Visit {
///     #[serde(with = "with::Text")]
///     from: IpAddr,
///     count: u32,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let visits = [Visit { from: [127, 0, 0, 1].into(), count: 3 }];
/// let bytes = serde_npy::to_vec(&visits)?;
/// assert_eq!(serde_npy::Header::read(&bytes[..])?.dtype().to_string(), "[('from', '<U9'), ('count', '<u4')]");
/// assert_eq!(serde_npy::from_slice::<Vec<Visit>>(&bytes)?, visits);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Text;

/// A value as its `Display` text of at most `N` code points: `#[serde(with = "with::TextN::<45>")]`.
///
/// As [`Text`], but the dtype is always `<UN`; longer text is an error that tells both lengths.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::with;
/// use std::net::IpAddr;
///
/// #[derive(Serialize, Deserialize)]
/// struct Visit {
///     #[serde(with = "with::TextN::<45>")]
///     from: IpAddr,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// assert_eq!(serde_npy::DType::of::<Visit>()?.to_string(), "[('from', '<U45')]");
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextN<const N: usize>;

impl Text {
    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// Whatever the serializer finds wrong.
    pub fn serialize<T: Display + Serialize, Ser: Serializer>(
        value: &T,
        serializer: Ser,
    ) -> Result<Ser::Ok, Ser::Error> {
        serialize(adapter::TEXT, value, serializer)
    }

    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// The element is no text, or none that stands for a value.
    pub fn deserialize<'de, T, De>(deserializer: De) -> Result<T, De::Error>
    where
        T: FromStr<Err: Display> + Deserialize<'de>,
        De: Deserializer<'de>,
    {
        deserialize(adapter::TEXT, deserializer)
    }
}

impl<const N: usize> TextN<N> {
    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// The text is too long, or whatever the serializer finds wrong.
    pub fn serialize<T: Display + Serialize, Ser: Serializer>(
        value: &T,
        serializer: Ser,
    ) -> Result<Ser::Ok, Ser::Error> {
        serialize(U::<N>::NAME, value, serializer)
    }

    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// The element is no text, or none that stands for a value.
    pub fn deserialize<'de, T, De>(deserializer: De) -> Result<T, De::Error>
    where
        T: FromStr<Err: Display> + Deserialize<'de>,
        De: Deserializer<'de>,
    {
        deserialize(U::<N>::NAME, deserializer)
    }
}

fn serialize<T: Display + Serialize, Ser: Serializer>(
    name: &'static str,
    value: &T,
    serializer: Ser,
) -> Result<Ser::Ok, Ser::Error> {
    if serializer.is_human_readable() {
        value.serialize(serializer)
    } else {
        serializer.serialize_newtype_struct(name, &Shown(value))
    }
}

fn deserialize<'de, T, De>(name: &'static str, deserializer: De) -> Result<T, De::Error>
where
    T: FromStr<Err: Display> + Deserialize<'de>,
    De: Deserializer<'de>,
{
    if deserializer.is_human_readable() {
        T::deserialize(deserializer)
    } else {
        deserializer.deserialize_newtype_struct(name, newtype::Newtype(PhantomData)).map(|Parsed(value)| value)
    }
}

/// A value as its text, where our newtype asks for it.
struct Shown<'a, T>(&'a T);

impl<T: Display + Serialize> Serialize for Shown<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self.0) } else { self.0.serialize(serializer) }
    }
}

/// A value out of its text, where our newtype holds it.
struct Parsed<T>(T);

impl<'de, T: FromStr<Err: Display> + Deserialize<'de>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(TextVisitor(PhantomData)).map(Parsed)
        } else {
            T::deserialize(deserializer).map(Parsed)
        }
    }
}

struct TextVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(|error| E::custom(format_args!("{error}, found text {text:?}")))
    }
}
