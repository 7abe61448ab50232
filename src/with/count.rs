//! What `Datetime`, `Timedelta` and `Raw` are for: integers, the times of other crates, and containers of them.

use crate::with::newtype::Newtype;
use serde::de::{self, Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeTuple as _, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A type that the helper `H`, a [`Datetime`](crate::with::Datetime), a [`Timedelta`](crate::with::Timedelta) or
/// [`Raw`](crate::with::Raw), is for.
///
/// | helper | types |
/// |---|---|
/// | all | `i64` |
/// | `Datetime` | `SystemTime`; `chrono`: `DateTime<Utc>`, `NaiveDateTime`, `NaiveDate`; `jiff`: `Timestamp`, `civil::DateTime`, `civil::Date` |
/// | `Timedelta` | `Duration`; `chrono`: `TimeDelta`; `jiff`: `SignedDuration` |
///
/// And `Option`s, `Vec`s, boxed slices and arrays of these. The types of `chrono` and `jiff` need the features of these
/// names.
///
/// # Examples
///
/// ```
/// use serde_npy::with::{Count, Datetime, Ms};
///
/// fn counts<T: Count<Datetime<Ms>>>() {}
/// counts::<Vec<Option<std::time::SystemTime>>>();
/// ```
pub trait Count<H>: private::Sealed + Sized {
    #[doc(hidden)]
    fn serialize_counts<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
    #[doc(hidden)]
    fn deserialize_counts<'de, D: Deserializer<'de>>(source: From, deserializer: D) -> Result<Self, D::Error>;
}

pub(crate) mod private {
    pub trait Sealed {}
    impl Sealed for i64 {}
    impl<T: Sealed> Sealed for Option<T> {}
    impl<T: Sealed> Sealed for Vec<T> {}
    impl<T: Sealed> Sealed for Box<[T]> {}
    impl<T: Sealed, const N: usize> Sealed for [T; N] {}
}

/// What a count is read from.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum From {
    /// Our newtype, in which it is an integer.
    Newtype,
    /// A text format or serde's buffer, in which it is the bare value or the text of a time.
    Readable,
}

/// What the helpers of times have in common.
pub(crate) trait TimeHelper {
    /// The count that a text stands for.
    fn parse(text: &str) -> crate::error::Result<i64>;
}

/// A type whose values have one count each.
pub(crate) trait Single<H>: Sized {
    fn to_count(&self) -> crate::error::Result<i64>;
    fn from_count(count: i64) -> crate::error::Result<Self>;
}

/// What a [`Single`] does for [`Count`].
pub(crate) fn serialize_single<H, T: Single<H>, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i64(value.to_count().map_err(serde::ser::Error::custom)?)
}

/// What a [`Single`] does for [`Count`].
pub(crate) fn deserialize_single<'de, H, T, D>(source: From, deserializer: D) -> Result<T, D::Error>
where
    H: TimeHelper,
    T: Single<H> + DeserializeOwned,
    D: Deserializer<'de>,
{
    match source {
        From::Newtype => T::from_count(i64::deserialize(deserializer)?).map_err(de::Error::custom),
        From::Readable => deserializer.deserialize_any(ReadableVisitor(PhantomData::<(T, H)>)),
    }
}

impl<H> Single<H> for i64 {
    fn to_count(&self) -> crate::error::Result<i64> {
        Ok(*self)
    }

    fn from_count(count: i64) -> crate::error::Result<Self> {
        Ok(count)
    }
}

/// [`Count`] for a [`Single`].
macro_rules! count {
    ([$($generic:tt)*] $helper:ty, $type:ty) => {
        impl<$($generic)*> crate::with::count::Count<$helper> for $type {
            fn serialize_counts<Ser: serde::Serializer>(&self, serializer: Ser) -> Result<Ser::Ok, Ser::Error> {
                crate::with::count::serialize_single::<$helper, $type, Ser>(self, serializer)
            }

            fn deserialize_counts<'de, De: serde::Deserializer<'de>>(
                source: crate::with::count::From,
                deserializer: De,
            ) -> Result<Self, De::Error> {
                crate::with::count::deserialize_single::<$helper, $type, De>(source, deserializer)
            }
        }
    };
}

pub(crate) use count;

count!([H: TimeHelper] H, i64);

/// The bare value, or the text that "any" gives for a time.
struct ReadableVisitor<T, H>(PhantomData<(T, H)>);

macro_rules! bare {
    ($($method:ident($type:ty);)*) => {$(
        fn $method<E: de::Error>(self, value: $type) -> Result<T, E> {
            Newtype(PhantomData).$method(value)
        }
    )*};
}

impl<'de, T: Single<H> + DeserializeOwned, H: TimeHelper> Visitor<'de> for ReadableVisitor<T, H> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        match Newtype(PhantomData).visit_str::<E>(text) {
            Ok(value) => Ok(value),
            Err(_) => H::parse(text).and_then(T::from_count).map_err(E::custom),
        }
    }

    fn visit_none<E: de::Error>(self) -> Result<T, E> {
        Err(E::custom("expected a time, found NaT, which only an `Option` holds"))
    }

    fn visit_unit<E: de::Error>(self) -> Result<T, E> {
        self.visit_none()
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<T, A::Error> {
        Newtype(PhantomData).visit_seq(access)
    }

    fn visit_map<A: de::MapAccess<'de>>(self, access: A) -> Result<T, A::Error> {
        Newtype(PhantomData).visit_map(access)
    }

    bare! {
        visit_i64(i64);
        visit_u64(u64);
        visit_f64(f64);
        visit_bool(bool);
        visit_bytes(&[u8]);
    }
}

/// A value as its counts, where our newtype asks for them.
pub(crate) struct Counts<'a, T, H>(pub(crate) &'a T, pub(crate) PhantomData<H>);

impl<T: Count<H> + Serialize, H> Serialize for Counts<'_, T, H> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { self.0.serialize_counts(serializer) } else { self.0.serialize(serializer) }
    }
}

/// A value out of its counts, where our newtype holds them.
pub(crate) struct Counted<T, H>(pub(crate) T, PhantomData<H>);

impl<'de, T: Count<H> + Deserialize<'de>, H> Deserialize<'de> for Counted<T, H> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = if deserializer.is_human_readable() {
            T::deserialize_counts(From::Newtype, deserializer)
        } else {
            T::deserialize(deserializer)
        };
        value.map(|value| Counted(value, PhantomData))
    }
}

/// The parts of a container, which are counts whatever the format says.
struct Part<'a, T, H>(&'a T, PhantomData<H>);

impl<T: Count<H>, H> Serialize for Part<'_, T, H> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_counts(serializer)
    }
}

/// Takes the parts of a container, and an option.
struct Parts<T, H> {
    source: From,
    part: PhantomData<(T, H)>,
}

impl<T, H> Clone for Parts<T, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, H> Copy for Parts<T, H> {}

impl<'de, T: Count<H>, H> DeserializeSeed<'de> for Parts<T, H> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize_counts(self.source, deserializer)
    }
}

impl<'de, T: Count<H>, H> Visitor<'de> for Parts<T, H> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence of times")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Vec<T>, A::Error> {
        // Grows with what arrives, whatever the hint promises.
        let mut parts = Vec::new();
        while let Some(part) = access.next_element_seed(self)? {
            parts.push(part);
        }
        Ok(parts)
    }
}

/// Takes an option.
struct Maybe<T, H>(Parts<T, H>);

impl<'de, T: Count<H>, H> Visitor<'de> for Maybe<T, H> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time or NaT")
    }

    fn visit_none<E: de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        self.0.deserialize(deserializer).map(Some)
    }
}

impl<T: Count<H>, H> Count<H> for Option<T> {
    fn serialize_counts<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => serializer.serialize_some(&Part(value, PhantomData::<H>)),
            None => serializer.serialize_none(),
        }
    }

    fn deserialize_counts<'de, D: Deserializer<'de>>(source: From, deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_option(Maybe(Parts { source, part: PhantomData::<(T, H)> }))
    }
}

impl<T: Count<H>, H> Count<H> for Vec<T> {
    fn serialize_counts<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(|value| Part(value, PhantomData::<H>)))
    }

    fn deserialize_counts<'de, D: Deserializer<'de>>(source: From, deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Parts { source, part: PhantomData::<(T, H)> })
    }
}

impl<T: Count<H>, H> Count<H> for Box<[T]> {
    fn serialize_counts<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(|value| Part(value, PhantomData::<H>)))
    }

    fn deserialize_counts<'de, D: Deserializer<'de>>(source: From, deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize_counts(source, deserializer).map(Vec::into_boxed_slice)
    }
}

impl<T: Count<H>, H, const N: usize> Count<H> for [T; N] {
    fn serialize_counts<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(N)?;
        self.iter().try_for_each(|value| tuple.serialize_element(&Part(value, PhantomData::<H>)))?;
        tuple.end()
    }

    fn deserialize_counts<'de, D: Deserializer<'de>>(source: From, deserializer: D) -> Result<Self, D::Error> {
        let parts = deserializer.deserialize_tuple(N, Parts { source, part: PhantomData::<(T, H)> })?;
        let found = parts.len();
        parts
            .try_into()
            .map_err(|_| de::Error::invalid_length(found, &format_args!("an array of {N} times").to_string().as_str()))
    }
}
