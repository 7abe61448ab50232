//! What a helper's value is read from where we are not asked directly: from a text format, or from serde's buffer behind
//! `flatten` and `untagged`, which holds what "any" yields of an element.
//!
//! That buffer turns text into bytes, `f64` into `f32` and NaN into `None` no better than serde's own types do, so it is
//! done here.

use crate::codec;
use crate::dtype::Kind;
use crate::with::adapter::Adapter;
use crate::with::complex::Part;
use serde::de::value::SeqDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer as _, MapAccess, SeqAccess, Unexpected, Visitor,
};
use std::fmt;

/// A deserializer that takes more than the one within, for everything in it.
pub(crate) struct Buffered<D> {
    inner: D,
    what: What,
}

/// Which helper's value it is.
#[derive(Clone, Copy)]
enum What {
    Characters(Kind),
    Complex,
    Round,
    Nan,
}

impl<D> Buffered<D> {
    /// The deserializer for a helper; as it was for those whose value "any" yields.
    pub(crate) fn of(name: &str, inner: D) -> Result<Self, D> {
        let what = match Adapter::from_name(name) {
            Some(Adapter::Characters(kind, _)) => What::Characters(kind),
            Some(Adapter::Complex) => What::Complex,
            Some(Adapter::Round) => What::Round,
            Some(Adapter::Nan(_)) => What::Nan,
            _ => return Err(inner),
        };
        Ok(Buffered { inner, what })
    }
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, Self::Error> {
            let Buffered { inner, what } = self;
            inner.$method($($argument,)* Within { inner: visitor, what })
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Buffered<D> {
    type Error = D::Error;

    forward! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_map();
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        match self.what {
            What::Round => self.inner.deserialize_f32(Rounded(visitor)),
            what => self.inner.deserialize_f32(Within { inner: visitor, what }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        match self.what {
            What::Nan => self.inner.deserialize_option(NanIsNone(visitor)),
            what => self.inner.deserialize_option(Within { inner: visitor, what }),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let Buffered { inner, what } = self;
        match what {
            What::Characters(_) => inner.deserialize_any(TextIsBytes(Within { inner: visitor, what })),
            _ => inner.deserialize_bytes(Within { inner: visitor, what }),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let Buffered { inner, what } = self;
        match what {
            What::Characters(_) => {
                inner.deserialize_any(CharactersAreItems { inner: Within { inner: visitor, what }, fill: 0 })
            }
            _ => inner.deserialize_seq(Within { inner: visitor, what }),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, D::Error> {
        let Buffered { inner, what } = self;
        match what {
            What::Characters(kind) => {
                // What stripped the NULs that fill an array up left them to be added again.
                let fill = if kind == Kind::Void { 0 } else { length };
                inner.deserialize_any(CharactersAreItems { inner: Within { inner: visitor, what }, fill })
            }
            _ => inner.deserialize_tuple(length, Within { inner: visitor, what }),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let Buffered { inner, what } = self;
        let visitor = Within { inner: visitor, what };
        match (what, Part::names(fields)) {
            (What::Complex, Some(names)) => inner.deserialize_struct(name, fields, PairIsParts { visitor, names }),
            _ => inner.deserialize_struct(name, fields, visitor),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        match self.what {
            What::Characters(_) => self.deserialize_tuple(length, visitor),
            what => self.inner.deserialize_tuple_struct(name, length, Within { inner: visitor, what }),
        }
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visit {
    ($($method:ident($type:ty);)*) => {$(
        fn $method<E: de::Error>(self, value: $type) -> Result<Self::Value, E> {
            self.inner().$method(value)
        }
    )*};
}

/// Everything that a visitor takes from a deserializer, handed on to an inner one.
macro_rules! hand_on {
    (numbers) => {
        visit! {
            visit_bool(bool);
            visit_i8(i8);
            visit_i16(i16);
            visit_i32(i32);
            visit_i64(i64);
            visit_i128(i128);
            visit_u8(u8);
            visit_u16(u16);
            visit_u32(u32);
            visit_u64(u64);
            visit_u128(u128);
            visit_f32(f32);
        }
    };
    (texts) => {
        visit! {
            visit_char(char);
            visit_str(&str);
            visit_borrowed_str(&'de str);
            visit_string(String);
            visit_bytes(&[u8]);
            visit_borrowed_bytes(&'de [u8]);
            visit_byte_buf(Vec<u8>);
        }
    };
    (parts) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.expecting(f)
        }

        fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
            self.inner().visit_none()
        }

        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            self.inner().visit_unit()
        }
    };
}

/// A visitor whose parts are deserialized as [`Buffered`] too.
struct Within<V> {
    inner: V,
    what: What,
}

impl<V> Within<V> {
    fn inner(self) -> V {
        self.inner
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Within<V> {
    type Value = V::Value;

    hand_on!(numbers);
    hand_on!(texts);
    visit! { visit_f64(f64); }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_none<E: de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Buffered { inner: deserializer, what: self.what })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Buffered { inner: deserializer, what: self.what })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(Within { inner: access, what: self.what })
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.inner.visit_map(Within { inner: access, what: self.what })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(access)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Within<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_element_seed(Within { inner: seed, what: self.what })
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Within<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.next_value_seed(Within { inner: seed, what: self.what })
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Within<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(Buffered { inner: deserializer, what: self.what })
    }
}

/// Rounds to the nearest `f32`, but not to infinity.
struct Rounded<V>(V);

impl<V> Rounded<V> {
    fn inner(self) -> V {
        self.0
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Rounded<V> {
    type Value = V::Value;

    hand_on!(numbers);
    hand_on!(texts);
    hand_on!(parts);

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<V::Value, E> {
        match codec::f64_to_f32(value) {
            Some(value) => self.0.visit_f32(value),
            None => Err(E::custom(format_args!("expected f32, found {value:e}, which is beyond its range"))),
        }
    }
}

/// Takes NaN as `None`.
struct NanIsNone<V>(V);

impl<V> NanIsNone<V> {
    fn inner(self) -> V {
        self.0
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for NanIsNone<V> {
    type Value = V::Value;

    hand_on!(parts);

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        match deserializer.deserialize_f64(Float)? {
            value if value.is_nan() => self.0.visit_none(),
            value => self.0.visit_some(value.into_deserializer()),
        }
    }
}

/// Takes a number.
struct Float;

impl<'de> Visitor<'de> for Float {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a float")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<f64, E> {
        Ok(value)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<f64, E> {
        codec::exact_f64(value.into()).ok_or_else(|| E::invalid_value(Unexpected::Signed(value), &self))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<f64, E> {
        codec::exact_f64(value.into()).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(value), &self))
    }
}

/// Takes text as its bytes.
struct TextIsBytes<V>(V);

impl<V> TextIsBytes<V> {
    fn inner(self) -> V {
        self.0
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for TextIsBytes<V> {
    type Value = V::Value;

    hand_on!(numbers);
    hand_on!(parts);
    visit! {
        visit_f64(f64);
        visit_bytes(&[u8]);
        visit_borrowed_bytes(&'de [u8]);
        visit_byte_buf(Vec<u8>);
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<V::Value, E> {
        self.0.visit_bytes(text.as_bytes())
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<V::Value, E> {
        self.0.visit_borrowed_bytes(text.as_bytes())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(access)
    }
}

/// Takes text and bytes as the sequence of their bytes.
struct CharactersAreItems<V> {
    inner: V,
    /// To how many bytes they are filled up.
    fill: usize,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for CharactersAreItems<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<V::Value, E> {
        let filling = self.fill.saturating_sub(bytes.len());
        let filled = bytes.iter().copied().chain(std::iter::repeat_n(0, filling));
        let mut items = SeqDeserializer::new(filled);
        let value = self.inner.visit_seq(&mut items)?;
        items.end()?;
        Ok(value)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<V::Value, E> {
        self.visit_bytes(text.as_bytes())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(access)
    }
}

/// Takes the pair that a complex number is to any type as the parts of those names, in whatever order a struct has them.
struct PairIsParts<V> {
    visitor: V,
    names: [&'static str; 2],
}

impl<'de, V: Visitor<'de>> Visitor<'de> for PairIsParts<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(access)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(NamedItems { access, names: self.names.into_iter() })
    }
}

/// Items under names.
struct NamedItems<A> {
    access: A,
    names: std::array::IntoIter<&'static str, 2>,
}

impl<'de, A: SeqAccess<'de>> MapAccess<'de> for NamedItems<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.names.next().map(|name| seed.deserialize(name.into_deserializer())).transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let item = self.access.next_element_seed(seed)?;
        item.ok_or_else(|| de::Error::custom("expected the two parts of a complex number, found fewer items"))
    }
}
