//! The parts of an element: fields and items one after the other, and the numbers of a run.

use crate::de::fast::cursor::Cursor;
use crate::program::{Miss, Op};
use crate::with::Adapter;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

/// Parts of whatever kind.
///
/// What is left is counted outside, since a visitor gets this by value: serde's implementation for `&mut A` would be a
/// function of its own for each type of a field.
pub(crate) struct Fields<'c, 'p, 'de, const ONE: bool> {
    pub(crate) cursor: &'c mut Cursor<'p, 'de, ONE>,
    pub(crate) left: &'c mut usize,
}

impl<'p, 'de: 'p, const ONE: bool> SeqAccess<'de> for Fields<'_, 'p, 'de, ONE> {
    type Error = Miss;

    // Beside the provided method, which goes through a seed: a struct of many fields of one type would share that
    // instance, and call it.
    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, Miss> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        *self.left = left;
        match T::deserialize(&mut *self.cursor) {
            Ok(value) => Ok(Some(value)),
            Err(miss) => Err(miss),
        }
    }

    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Miss> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        *self.left = left;
        match seed.deserialize(&mut *self.cursor) {
            Ok(value) => Ok(Some(value)),
            Err(miss) => Err(miss),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(*self.left)
    }
}

/// Numbers of one op, all in one piece of the stream.
pub(crate) struct Items<'c, 'p, 'de, const ONE: bool> {
    pub(crate) cursor: &'c mut Cursor<'p, 'de, ONE>,
    pub(crate) left: &'c mut usize,
    pub(crate) length: usize,
    /// The op, as the program's detail has it.
    pub(crate) op: usize,
}

impl<'p, 'de: 'p, const ONE: bool> SeqAccess<'de> for Items<'_, 'p, 'de, ONE> {
    type Error = Miss;

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, Miss> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        *self.left = left;
        let index = self.length.wrapping_sub(left).wrapping_sub(1);
        match T::deserialize(Item { cursor: &mut *self.cursor, length: self.length, op: self.op, index }) {
            Ok(value) => Ok(Some(value)),
            Err(miss) => Err(miss),
        }
    }

    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Miss> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        *self.left = left;
        let index = self.length.wrapping_sub(left).wrapping_sub(1);
        match seed.deserialize(Item { cursor: &mut *self.cursor, length: self.length, op: self.op, index }) {
            Ok(value) => Ok(Some(value)),
            Err(miss) => Err(miss),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(*self.left)
    }
}

/// One number of a run.
struct Item<'c, 'p, 'de, const ONE: bool> {
    cursor: &'c mut Cursor<'p, 'de, ONE>,
    length: usize,
    op: usize,
    index: usize,
}

impl<'p, 'de: 'p, const ONE: bool> Item<'_, 'p, 'de, ONE> {
    /// The bytes of the number, if it is of this op.
    ///
    /// Op and length are the same questions for every item, which leaves those of a `[f32; 3]` without a branch between
    /// them: the compiler moves them in one piece then, as the caller will, who would else wait for each.
    #[inline(always)]
    fn bytes<const N: usize>(&self, op: usize) -> Option<[u8; N]> {
        let stream = self.cursor.stream;
        if self.op != op || stream.len() < self.length.wrapping_mul(N) {
            return None;
        }
        stream.get(self.index.wrapping_mul(N)..)?.first_chunk().copied()
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $type:ident $op:ident;)*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
            match self.bytes(const { Op::$op as usize }) {
                Some(bytes) => visitor.$visit($type::from_le_bytes(bytes)),
                None => self.cursor.miss(),
            }
        }
    )*};
}

impl<'p, 'de: 'p, const ONE: bool> Deserializer<'de> for Item<'_, 'p, 'de, ONE> {
    type Error = Miss;

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

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        match self.bytes(const { Op::Bool as usize }) {
            Some([0]) => visitor.visit_bool(false),
            Some([1]) => visitor.visit_bool(true),
            _ => self.cursor.miss(),
        }
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Miss> {
        self.cursor.miss()
    }

    fn is_human_readable(&self) -> bool {
        self.cursor.readable
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Miss> {
        if Adapter::is_name(name) || matches!(name, "f16" | "bf16") {
            self.cursor.miss()
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    // An `Option` around a number may be `None` by its value, which only the slow tier tells for runs.
    forward_to_deserialize_any! {
        i128 u128 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
