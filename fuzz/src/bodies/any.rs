//! [`Any`]: whatever `deserialize_any` gives, kept so exactly that it can be written again.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::fmt;

/// A value of any dtype; floats by their bits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Any {
    None,
    Unit,
    Bool(bool),
    Int(i64),
    UInt(u64),
    F32(u32),
    F64(u64),
    Text(String),
    Bytes(Vec<u8>),
    Seq(Vec<Any>),
    Map(Vec<(String, Any)>),
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Any, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Any;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Any, E> {
        Ok(Any::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Any, E> {
        Ok(Any::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Any, E> {
        Ok(Any::UInt(value))
    }

    fn visit_f32<E>(self, value: f32) -> Result<Any, E> {
        Ok(Any::F32(value.to_bits()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Any, E> {
        Ok(Any::F64(value.to_bits()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Any, E> {
        Ok(Any::Text(value.to_owned()))
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<Any, E> {
        Ok(Any::Bytes(value.to_owned()))
    }

    fn visit_none<E>(self) -> Result<Any, E> {
        Ok(Any::None)
    }

    fn visit_unit<E>(self) -> Result<Any, E> {
        Ok(Any::Unit)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Any, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Any::Seq(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Any, A::Error> {
        let mut all = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            all.push(entry);
        }
        Ok(Any::Map(all))
    }
}

impl Serialize for Any {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Any::None => serializer.serialize_none(),
            Any::Unit => serializer.serialize_unit(),
            Any::Bool(value) => serializer.serialize_bool(*value),
            Any::Int(value) => serializer.serialize_i64(*value),
            Any::UInt(value) => serializer.serialize_u64(*value),
            Any::F32(bits) => serializer.serialize_f32(f32::from_bits(*bits)),
            Any::F64(bits) => serializer.serialize_f64(f64::from_bits(*bits)),
            Any::Text(value) => serializer.serialize_str(value),
            Any::Bytes(value) => serializer.serialize_bytes(value),
            Any::Seq(items) => items.serialize(serializer),
            Any::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (name, value) in entries {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

impl Any {
    /// The number as a double and, of an integer, exactly; nothing of what is no number.
    pub(crate) fn number(&self) -> Option<(f64, Option<i128>)> {
        Some(match *self {
            Any::Int(value) => (value as f64, Some(value.into())),
            Any::UInt(value) => (value as f64, Some(value.into())),
            Any::F32(bits) => (f32::from_bits(bits).into(), None),
            Any::F64(bits) => (f64::from_bits(bits), None),
            _ => return None,
        })
    }

    /// Whether a NaN stands anywhere in it, of which the bits are not promised.
    pub(crate) fn has_nan(&self) -> bool {
        match self {
            Any::Seq(items) => items.iter().any(Any::has_nan),
            Any::Map(entries) => entries.iter().any(|(_, value)| value.has_nan()),
            other => other.number().is_some_and(|(float, _)| float.is_nan()),
        }
    }
}
