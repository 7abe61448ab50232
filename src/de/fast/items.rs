//! The parts of an element: fields and items one after the other, and the numbers of a run.

use crate::de::fast::cursor::Cursor;
use crate::program::{Miss, Op};
use crate::with::Adapter;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use std::any::type_name;
use std::cell::Cell;

/// Parts of whatever kind.
///
/// What is left is counted outside, since a visitor gets this by value: serde's implementation for `&mut A` would be a
/// function of its own for each type of a field.
pub(crate) struct Fields<'c, 'p, 'de, const ONE: bool> {
    pub(crate) cursor: &'c mut Cursor<'p, 'de, ONE>,
    pub(crate) left: &'c mut usize,
}

/// Whether a type is `bool`.
///
/// Names of types that are no structs have no path; the compiler knows them, and leaves out what is for others.
#[inline(always)]
fn is_bool<T>() -> bool {
    type_name::<T>() == "bool"
}

/// Whether a type is an array.
#[inline(always)]
fn is_array<T>() -> bool {
    type_name::<T>().as_bytes().first() == Some(&b'[')
}

/// The next part, a value of some type, by a function that takes a deserializer.
///
/// Serde's own functions for `bool` and arrays are calls, which get what they read by value: one that took the cursor
/// along would put it in memory for good.
macro_rules! part {
    ($fields:ident, $type:ty, $deserializer:ident => $value:expr) => {{
        let Some(left) = $fields.left.checked_sub(1) else { return Ok(None) };
        *$fields.left = left;
        let done = Cell::new(false);
        match $fields.cursor.op() {
            Op::Bool if is_bool::<$type>() => {
                let byte = $fields.cursor.stream.first().copied().unwrap_or(2);
                let $deserializer = Flag { byte, readable: $fields.cursor.readable, done: &done };
                match $value {
                    Ok(value) if done.get() => {
                        $fields.cursor.pass(1);
                        Ok(Some(value))
                    }
                    _ => $fields.cursor.miss(),
                }
            }
            Op::Run if is_array::<$type>() => {
                let $deserializer = $fields.cursor.numbers(&done);
                let bytes = $deserializer.bytes();
                match $value {
                    Ok(value) if done.get() => {
                        $fields.cursor.pass(bytes);
                        Ok(Some(value))
                    }
                    _ => $fields.cursor.miss(),
                }
            }
            _ => {
                let $deserializer = &mut *$fields.cursor;
                match $value {
                    Ok(value) => Ok(Some(value)),
                    Err(miss) => Err(miss),
                }
            }
        }
    }};
}

impl<'p, 'de: 'p, const ONE: bool> SeqAccess<'de> for Fields<'_, 'p, 'de, ONE> {
    type Error = Miss;

    // Beside the provided method, which goes through a seed: a struct of many fields of one type would share that
    // instance, and call it.
    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, Miss> {
        part!(self, T, deserializer => T::deserialize(deserializer))
    }

    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Miss> {
        part!(self, S::Value, deserializer => seed.deserialize(deserializer))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(*self.left)
    }
}

/// A bool.
struct Flag<'c> {
    byte: u8,
    readable: bool,
    /// Set once it is read.
    done: &'c Cell<bool>,
}

impl<'de> Deserializer<'de> for Flag<'_> {
    type Error = Miss;

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        if self.byte > 1 {
            return Err(Miss);
        }
        self.done.set(true);
        visitor.visit_bool(self.byte == 1)
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Miss> {
        if Adapter::is_name(name) || matches!(name, "f16" | "bf16") {
            Err(Miss)
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        visitor.visit_some(self)
    }

    #[inline(always)]
    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Miss> {
        Err(Miss)
    }

    fn is_human_readable(&self) -> bool {
        self.readable
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

/// Numbers of one op, all in one piece of the stream.
pub(crate) struct Numbers<'c, 'p> {
    /// What is left of the stream.
    pub(crate) stream: &'p [u8],
    pub(crate) length: usize,
    /// The op and the bytes, as the program's detail has them.
    pub(crate) detail: usize,
    pub(crate) readable: bool,
    /// Set once all are read.
    pub(crate) done: &'c Cell<bool>,
}

impl Numbers<'_, '_> {
    /// Bytes of all numbers.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> usize {
        self.detail >> 8
    }

    #[inline(always)]
    fn sequence<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        let Numbers { stream, length, detail, readable, done } = self;
        let mut left = length;
        let value = visitor.visit_seq(Items { stream, left: &mut left, length, op: detail & 0xff, readable })?;
        // Fewer were wanted than there are, or a miss was swallowed.
        if left != 0 {
            return Err(Miss);
        }
        done.set(true);
        Ok(value)
    }
}

impl<'de> Deserializer<'de> for Numbers<'_, '_> {
    type Error = Miss;

    #[inline(always)]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        self.sequence(visitor)
    }

    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Miss> {
        if length == self.length { self.sequence(visitor) } else { Err(Miss) }
    }

    #[inline(always)]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Miss> {
        self.deserialize_tuple(length, visitor)
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Miss> {
        if Adapter::is_name(name) || matches!(name, "f16" | "bf16") {
            Err(Miss)
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        visitor.visit_some(self)
    }

    #[inline(always)]
    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Miss> {
        Err(Miss)
    }

    fn is_human_readable(&self) -> bool {
        self.readable
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct map struct
        enum identifier ignored_any
    }
}

struct Items<'c, 'p> {
    stream: &'p [u8],
    left: &'c mut usize,
    length: usize,
    op: usize,
    readable: bool,
}

impl<'c, 'p> Items<'c, 'p> {
    #[inline(always)]
    fn next(&mut self) -> Option<Item<'_, 'p>> {
        *self.left = self.left.checked_sub(1)?;
        let Items { stream, length, op, readable, .. } = *self;
        let index = length.wrapping_sub(*self.left).wrapping_sub(1);
        Some(Item { stream, left: &mut *self.left, length, op, index, readable })
    }
}

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Miss;

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, Miss> {
        let Some(item) = self.next() else { return Ok(None) };
        match T::deserialize(item) {
            Ok(value) => Ok(Some(value)),
            Err(miss) => Err(miss),
        }
    }

    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Miss> {
        let Some(item) = self.next() else { return Ok(None) };
        match seed.deserialize(item) {
            Ok(value) => Ok(Some(value)),
            Err(miss) => Err(miss),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(*self.left)
    }
}

/// One number of a run.
struct Item<'c, 'p> {
    stream: &'p [u8],
    left: &'c mut usize,
    length: usize,
    op: usize,
    index: usize,
    readable: bool,
}

impl Item<'_, '_> {
    /// A call that was not expected: from here on, none is, and as many as there are will never be left.
    #[inline(always)]
    fn miss<T>(self) -> Result<T, Miss> {
        *self.left = usize::MAX;
        Err(Miss)
    }

    /// The bytes of the number, if it is of this op.
    ///
    /// Op and length are the same questions for every item, which leaves those of a `[f32; 3]` without a branch between
    /// them: the compiler moves them in one piece then, as the caller will, who would else wait for each.
    #[inline(always)]
    fn bytes<const N: usize>(&self, op: usize) -> Option<[u8; N]> {
        if self.op != op || self.stream.len() < self.length.wrapping_mul(N) {
            return None;
        }
        self.stream.get(self.index.wrapping_mul(N)..)?.first_chunk().copied()
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $type:ident $op:ident;)*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
            match self.bytes(const { Op::$op as usize }) {
                Some(bytes) => visitor.$visit($type::from_le_bytes(bytes)),
                None => self.miss(),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Item<'_, '_> {
    type Error = Miss;

    each_number!(numbers);

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        match self.bytes(const { Op::Bool as usize }) {
            Some([0]) => visitor.visit_bool(false),
            Some([1]) => visitor.visit_bool(true),
            _ => self.miss(),
        }
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Miss> {
        self.miss()
    }

    fn is_human_readable(&self) -> bool {
        self.readable
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Miss> {
        if Adapter::is_name(name) || matches!(name, "f16" | "bf16") {
            self.miss()
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    // An `Option` around a number may be `None` by its value, which only the slow tier tells for runs.
    forward_to_deserialize_any! {
        i128 u128 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
