//! The count of a datetime or timedelta for those who asked for it through a helper.

use crate::codec;
use crate::error::{Error, Result};
use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;

/// A count of units.
pub(crate) struct Ticks {
    /// `None` is NaT.
    pub(crate) count: Option<i64>,
    /// Whether an integer takes NaT as the number that stands for it in the file.
    pub(crate) raw: bool,
}

impl<'de> Deserializer<'de> for Ticks {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.count {
            Some(count) => visitor.visit_i64(count),
            None if self.raw => visitor.visit_i64(codec::NAT),
            None => Err(Error::data("found NaT, which an integer cannot hold; use `Option<i64>`")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.count {
            Some(_) => visitor.visit_some(self),
            None => visitor.visit_none(),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
