//! The next element, which most often is a number of just the type that is asked for.

use crate::de::element::Element;
use crate::error::{Error, Result};
use crate::plan::Coding;
use serde::de::{Deserializer, Visitor};

/// Elements one after the other.
pub(crate) trait Upcoming<'de> {
    /// Takes the next element, if it is a number of this coding that is at hand: its bytes, and whether they are in
    /// big-endian order.
    fn number<const N: usize>(&mut self, coding: Coding) -> Option<([u8; N], bool)>;

    /// Takes the next element.
    fn element(&mut self) -> Result<Element<'_, 'de>>;

    /// Whether a helper tells that the format is human-readable.
    fn is_readable(&self) -> bool;
}

/// An element that has not been fetched.
///
/// A number that is asked for by its own type comes straight from the block; anything else is for [`Element`].
pub(crate) struct Next<'r, U> {
    pub(crate) from: &'r mut U,
}

impl<U> Next<'_, U> {
    // A function of its own, so that the numbers before it are not.
    #[inline(never)]
    fn element<'de, V>(self, take: impl FnOnce(Element<'_, 'de>) -> Result<V>) -> Result<V>
    where
        U: Upcoming<'de>,
    {
        let element = self.from.element()?;
        let bytes = u64::try_from(element.node.itemsize()).unwrap_or(u64::MAX);
        element.context.charge(bytes)?;
        take(element)
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $type:ident $coding:ident;)*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let Some((bytes, big)) = self.from.number(Coding::$coding) else {
                return self.element(|element| element.$method(visitor));
            };
            let value = if big { $type::from_be_bytes(bytes) } else { $type::from_le_bytes(bytes) };
            visitor.$visit(value)
        }
    )*};
}

macro_rules! elements {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value> {
            self.element(|element| element.$method($($argument,)* visitor))
        }
    )*};
}

impl<'de, U: Upcoming<'de>> Deserializer<'de> for Next<'_, U> {
    type Error = Error;

    numbers! {
        deserialize_i8 visit_i8 i8 I8;
        deserialize_i16 visit_i16 i16 I16;
        deserialize_i32 visit_i32 i32 I32;
        deserialize_i64 visit_i64 i64 I64;
        deserialize_u8 visit_u8 u8 U8;
        deserialize_u16 visit_u16 u16 U16;
        deserialize_u32 visit_u32 u32 U32;
        deserialize_u64 visit_u64 u64 U64;
        deserialize_f32 visit_f32 f32 F32;
        deserialize_f64 visit_f64 f64 F64;
    }

    elements! {
        deserialize_any();
        deserialize_bool();
        deserialize_i128();
        deserialize_u128();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(length: usize);
        deserialize_tuple_struct(name: &'static str, length: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }

    fn is_human_readable(&self) -> bool {
        self.from.is_readable()
    }
}
