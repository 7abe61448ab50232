//! The floats of the `half` crate, which are newtypes of their bits to serde.

use crate::de::element::Element;
use crate::error::{Error, Result};
use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;

/// The bits of a float for a `u16`, and the element itself for anything else: a newtype of the same name as that of the
/// `half` crate may be another's.
pub(crate) struct Bits<'a, 'de> {
    pub(crate) bits: u16,
    pub(crate) element: Element<'a, 'de>,
}

impl<'a, 'de: 'a> Deserializer<'de> for Bits<'a, 'de> {
    type Error = Error;

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_u16(self.bits)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.element.deserialize_f32(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.element.deserialize_f64(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.element.deserialize_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u32 u64 u128 char str string bytes byte_buf option unit unit_struct newtype_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
