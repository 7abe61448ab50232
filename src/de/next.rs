//! The next element, which most often is a number of just the type that is asked for.

use crate::codec;
use crate::de::element::Element;
use crate::de::fast::each_number;
use crate::error::{Error, Result};
use crate::plan::Coding;
use crate::program::Miss;
use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;

/// Elements one after the other.
pub(crate) trait Upcoming<'de> {
    /// Takes the next element, if it is a number of this coding that is at hand: its bytes, and whether they are in
    /// big-endian order.
    fn number<const N: usize>(&mut self, coding: Coding) -> Option<([u8; N], bool)>;

    /// What numbers the elements are, and whether they are in big-endian order.
    fn numbers(&self) -> Option<(Coding, bool)>;

    /// The bytes of the next element, if it is at hand and has so many.
    fn peek<const N: usize>(&self) -> Option<[u8; N]>;

    /// Passes over the element that was looked at.
    fn pass(&mut self);

    /// Takes the next element.
    fn element(&mut self) -> Result<Element<'_, 'de>>;

    /// Whether a helper tells that the format is human-readable.
    fn is_readable(&self) -> bool;
}

/// An element that has not been fetched.
///
/// A number comes straight from the block, in the type that is asked for if it is the same number there; anything else is
/// for [`Element`].
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

/// A type of numbers that others become without loss; `None` where one has no equal in it.
trait Converted: Sized {
    fn of_integer(value: i128) -> Option<Self>;
    fn of_float(value: f32) -> Option<Self>;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Converted for $type {
            #[inline]
            fn of_integer(value: i128) -> Option<Self> {
                value.try_into().ok()
            }

            #[inline]
            fn of_float(_value: f32) -> Option<Self> {
                None
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! floats {
    ($($type:ty, $exact:ident;)*) => {$(
        impl Converted for $type {
            #[inline]
            fn of_integer(value: i128) -> Option<Self> {
                codec::$exact(value)
            }

            #[inline]
            fn of_float(value: f32) -> Option<Self> {
                Some(value.into())
            }
        }
    )*};
}

floats! {
    f32, exact_f32;
    f64, exact_f64;
}

/// Takes the next element as a number of another type than its own, if it is one and has an equal there.
// Not one for each visitor, of which it knows nothing.
#[inline(never)]
fn converted<'de, U: Upcoming<'de>, T: Converted>(from: &mut U) -> Option<T> {
    let (coding, big) = from.numbers()?;
    macro_rules! value {
        ($type:ident) => {{
            let bytes = from.peek()?;
            if big { $type::from_be_bytes(bytes) } else { $type::from_le_bytes(bytes) }
        }};
    }
    let value = match coding {
        Coding::I8 => T::of_integer(value!(i8).into()),
        Coding::I16 => T::of_integer(value!(i16).into()),
        Coding::I32 => T::of_integer(value!(i32).into()),
        Coding::I64 => T::of_integer(value!(i64).into()),
        Coding::U8 => T::of_integer(value!(u8).into()),
        Coding::U16 => T::of_integer(value!(u16).into()),
        Coding::U32 => T::of_integer(value!(u32).into()),
        Coding::U64 => T::of_integer(value!(u64).into()),
        Coding::F16 => T::of_float(codec::f16_to_f32(value!(u16))),
        Coding::F32 => T::of_float(value!(f32)),
        _ => None,
    }?;
    from.pass();
    Some(value)
}

macro_rules! numbers {
    ($($method:ident $visit:ident $type:ident $coding:ident;)*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let value = match self.from.number(Coding::$coding) {
                Some((bytes, big)) => if big { $type::from_be_bytes(bytes) } else { $type::from_le_bytes(bytes) },
                None => match converted(self.from) {
                    Some(value) => value,
                    None => return self.element(|element| element.$method(visitor)),
                },
            };
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

    each_number!(numbers);

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

/// The next number, if it is at hand in just the type that is asked for.
///
/// What it cannot do is for [`Next`]. It comes before it where a type is known to be a number, so that the value stays in
/// a register: whatever else may become of an element is told in memory.
pub(crate) struct Same<'r, U> {
    pub(crate) from: &'r mut U,
}

macro_rules! same {
    ($($method:ident $visit:ident $type:ident $coding:ident;)*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Miss> {
            let (bytes, big) = self.from.number(Coding::$coding).ok_or(Miss)?;
            visitor.$visit(if big { $type::from_be_bytes(bytes) } else { $type::from_le_bytes(bytes) })
        }
    )*};
}

impl<'de, U: Upcoming<'de>> Deserializer<'de> for Same<'_, U> {
    type Error = Miss;

    each_number!(same);

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> std::result::Result<V::Value, Miss> {
        Err(Miss)
    }

    forward_to_deserialize_any! {
        bool i128 u128 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple tuple_struct map
        struct enum identifier ignored_any
    }
}
