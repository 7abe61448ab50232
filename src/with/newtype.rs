//! The newtype struct in which a helper's value travels.

use crate::with::buffered::Buffered;
use serde::de::value::{
    BorrowedBytesDeserializer, BorrowedStrDeserializer, BytesDeserializer, EnumAccessDeserializer,
    MapAccessDeserializer, SeqAccessDeserializer, StrDeserializer, UnitDeserializer,
};
use serde::de::{self, Deserialize, Deserializer, IntoDeserializer as _, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// Serializes a value for a helper: bare for text formats, in the newtype for others.
pub(crate) fn serialize<T: Serialize + ?Sized, S: Serializer>(
    name: &'static str,
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        value.serialize(serializer)
    } else {
        serializer.serialize_newtype_struct(name, value)
    }
}

/// Deserializes a value for a helper.
pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    name: &'static str,
    deserializer: D,
) -> Result<T, D::Error> {
    if deserializer.is_human_readable() {
        // Text formats, and the buffer behind `flatten` and `untagged`, which says that it is one of them.
        match Buffered::of(name, deserializer) {
            Ok(buffered) => T::deserialize(buffered),
            Err(bare) => T::deserialize(bare),
        }
    } else {
        deserializer.deserialize_newtype_struct(name, Newtype(PhantomData))
    }
}

/// Takes the value of a newtype struct, and the bare value where a format makes no difference between them.
pub(crate) struct Newtype<T>(pub(crate) PhantomData<T>);

macro_rules! bare {
    ($($method:ident($type:ty) $deserializer:expr;)*) => {$(
        fn $method<E: de::Error>(self, value: $type) -> Result<T, E> {
            T::deserialize($deserializer(value))
        }
    )*};
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Newtype<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value of a helper")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }

    fn visit_none<E: de::Error>(self) -> Result<T, E> {
        T::deserialize(UnitDeserializer::new())
    }

    fn visit_unit<E: de::Error>(self) -> Result<T, E> {
        T::deserialize(UnitDeserializer::new())
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, access: A) -> Result<T, A::Error> {
        T::deserialize(SeqAccessDeserializer::new(access))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, access: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(access))
    }

    fn visit_enum<A: de::EnumAccess<'de>>(self, access: A) -> Result<T, A::Error> {
        T::deserialize(EnumAccessDeserializer::new(access))
    }

    bare! {
        visit_bool(bool) bool::into_deserializer;
        visit_i8(i8) i8::into_deserializer;
        visit_i16(i16) i16::into_deserializer;
        visit_i32(i32) i32::into_deserializer;
        visit_i64(i64) i64::into_deserializer;
        visit_i128(i128) i128::into_deserializer;
        visit_u8(u8) u8::into_deserializer;
        visit_u16(u16) u16::into_deserializer;
        visit_u32(u32) u32::into_deserializer;
        visit_u64(u64) u64::into_deserializer;
        visit_u128(u128) u128::into_deserializer;
        visit_f32(f32) f32::into_deserializer;
        visit_f64(f64) f64::into_deserializer;
        visit_char(char) char::into_deserializer;
        visit_str(&str) StrDeserializer::new;
        visit_borrowed_str(&'de str) BorrowedStrDeserializer::new;
        visit_string(String) String::into_deserializer;
        visit_bytes(&[u8]) BytesDeserializer::new;
        visit_borrowed_bytes(&'de [u8]) BorrowedBytesDeserializer::new;
        visit_byte_buf(Vec<u8>) Vec::<u8>::into_deserializer;
    }
}
