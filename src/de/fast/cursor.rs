//! One element through serde, as the program says.
//!
//! Everything on the way of a number is inlined by force: each of these functions is a compare and a load once it
//! stands in the type's own code, and several times that as a call. Nothing that is called takes the
//! cursor along, which would put it in memory for good; but for text, which takes longer anyway.

use crate::codec;
use crate::de::fast::items::{Fields, Numbers};
use crate::de::fast::tier::Run;
use crate::io::Bytes;
use crate::options::BytesAs;
use crate::program::{Miss, Op, POISON, Program};
use crate::with::Adapter;
use serde::de::{Deserializer, IntoDeserializer as _, Visitor};
use std::cell::Cell;

/// An element that is being read.
///
/// `ONE` tells elements that are read one by one from those in a loop: the code of a type is inlined only where a
/// deserializer is handed to it in a single place, so that each such place has a type of its own.
pub(crate) struct Cursor<'p, 'de, const ONE: bool> {
    pub(crate) program: &'p Program<Op>,
    /// What is left of the stream.
    pub(crate) stream: &'p [u8],
    /// The next op.
    pub(crate) at: usize,
    /// Whether a helper tells that the format is human-readable.
    pub(crate) readable: bool,
    /// Where the element starts in the block.
    pub(crate) start: usize,
    /// What only text and bytes ask for: the elements as they are in the file, and the options.
    pub(crate) run: &'p Run<'p, 'de>,
}

impl<'p, 'de: 'p, const ONE: bool> Cursor<'p, 'de, ONE> {
    /// A call that was not expected: from here on, none is.
    ///
    /// User code may go on as if nothing had happened; the element counts only if all ops were walked.
    #[inline(always)]
    pub(crate) fn miss<T>(&mut self) -> Result<T, Miss> {
        self.at = POISON;
        Err(Miss)
    }

    #[inline(always)]
    pub(crate) fn op(&self) -> Op {
        self.program.step(self.at)
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.at = self.at.wrapping_add(1);
    }

    /// Takes a number of so many bytes off the stream.
    #[inline(always)]
    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.stream.split_first_chunk()?;
        self.stream = rest;
        Some(*bytes)
    }

    /// The characters or bytes that are due.
    fn characters(&mut self, as_bytes: bool) -> Result<(Op, Bytes<'p, 'de>), Miss> {
        let op = self.op();
        let is_expected = match op {
            Op::Bytes => true,
            Op::Str | Op::StrBig => !as_bytes,
            Op::Void => as_bytes,
            _ => false,
        };
        if !is_expected {
            return self.miss();
        }
        let [offset, width] = self.program.detail(self.at);
        self.advance();
        if self.program.moves.is_none() {
            self.stream = self.stream.get(width..).unwrap_or_default();
        }
        Ok((op, self.run.block.part(self.start.saturating_add(offset), width)))
    }

    /// The text of a `U`.
    fn decoded(&mut self, op: Op, bytes: Bytes<'_, '_>) -> Result<String, Miss> {
        let mut text = String::new();
        match codec::decode_ucs4(bytes.get(), op == Op::StrBig, self.run.options.lossy_text, &mut text) {
            Ok(()) => Ok(text),
            Err(_) => self.miss(),
        }
    }

    /// The bytes of an `S` as text, where they are ASCII or UTF-8.
    fn checked<'t>(&mut self, bytes: &'t [u8]) -> Result<&'t str, Miss> {
        let text = codec::trim_nuls(bytes);
        if self.run.options.bytes_as == BytesAs::Latin1 && !text.is_ascii() {
            return self.miss();
        }
        std::str::from_utf8(text).or_else(|_| self.miss())
    }

    fn text<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Miss> {
        match self.characters(false)? {
            (Op::Bytes, Bytes::Borrowed(bytes)) => visitor.visit_borrowed_str(self.checked(bytes)?),
            (Op::Bytes, Bytes::Transient(bytes)) => visitor.visit_str(self.checked(bytes)?),
            (op, bytes) => visitor.visit_string(self.decoded(op, bytes)?),
        }
    }

    fn bytes<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Miss> {
        match self.characters(true)? {
            (Op::Bytes, Bytes::Borrowed(bytes)) => visitor.visit_borrowed_bytes(codec::trim_nuls(bytes)),
            (Op::Bytes, Bytes::Transient(bytes)) => visitor.visit_bytes(codec::trim_nuls(bytes)),
            (_, Bytes::Borrowed(bytes)) => visitor.visit_borrowed_bytes(bytes),
            (_, Bytes::Transient(bytes)) => visitor.visit_bytes(bytes),
        }
    }

    /// So many parts, one after the other.
    #[inline(always)]
    fn parts<V: Visitor<'de>>(&mut self, length: usize, visitor: V) -> Result<V::Value, Miss> {
        let mut left = length;
        let value = visitor.visit_seq(Fields { cursor: &mut *self, left: &mut left })?;
        // Fewer were wanted than there are: an alias among the names, or a type that stops early.
        if left != 0 {
            return self.miss();
        }
        Ok(value)
    }

    /// As many parts as are part of the type, if it says how many.
    #[inline(always)]
    fn tuple<V: Visitor<'de>>(&mut self, length: Option<usize>, visitor: V) -> Result<V::Value, Miss> {
        let op = self.op();
        let [found, _] = self.program.detail(self.at);
        if length.is_some_and(|length| length != found) {
            return self.miss();
        }
        match op {
            Op::Run => {
                let done = Cell::new(false);
                let numbers = self.numbers(&done);
                let bytes = numbers.bytes();
                match numbers.deserialize_seq(visitor) {
                    Ok(value) => {
                        self.pass(bytes);
                        Ok(value)
                    }
                    Err(Miss) => self.miss(),
                }
            }
            Op::Tuple => {
                self.advance();
                self.parts(found, visitor)
            }
            _ => self.miss(),
        }
    }

    /// The numbers that are due.
    #[inline(always)]
    pub(crate) fn numbers<'c>(&self, done: &'c Cell<bool>) -> Numbers<'c, 'p> {
        let [length, detail] = self.program.detail(self.at);
        Numbers { stream: self.stream, length, detail, readable: self.readable, done }
    }

    /// Passes over an op whose bytes have been read.
    #[inline(always)]
    pub(crate) fn pass(&mut self, bytes: usize) {
        self.advance();
        self.stream = self.stream.get(bytes..).unwrap_or_default();
    }

    /// Whether the option that is due is `None`, which its value tells.
    #[inline(always)]
    fn is_none(&self) -> bool {
        match self.program.step(self.at.wrapping_add(1)) {
            Op::F32 => self.stream.first_chunk().is_some_and(|bytes| f32::from_le_bytes(*bytes).is_nan()),
            Op::F64 => self.stream.first_chunk().is_some_and(|bytes| f64::from_le_bytes(*bytes).is_nan()),
            _ => self.stream.first_chunk().is_some_and(|bytes| i64::from_le_bytes(*bytes) == codec::NAT),
        }
    }

    #[inline(always)]
    fn adapted<V: Visitor<'de>>(&mut self, name: &'static str, visitor: V) -> Result<V::Value, Miss> {
        let op = self.op();
        let is_expected = matches!(op, Op::Adapter | Op::Readable)
            && self.program.detail(self.at) == [name.as_ptr().addr(), name.len()];
        if !is_expected {
            return self.miss();
        }
        self.advance();
        let readable = std::mem::replace(&mut self.readable, op == Op::Readable);
        let value = visitor.visit_newtype_struct(&mut *self);
        self.readable = readable;
        value
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $type:ident $op:ident;)*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
            if self.op() != Op::$op {
                return self.miss();
            }
            self.advance();
            match self.take() {
                Some(bytes) => visitor.$visit($type::from_le_bytes(bytes)),
                None => self.miss(),
            }
        }
    )*};
}

macro_rules! misses {
    ($($method:ident($($type:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $(_: $type,)* _visitor: V) -> Result<V::Value, Miss> {
            self.miss()
        }
    )*};
}

impl<'p, 'de: 'p, const ONE: bool> Deserializer<'de> for &mut Cursor<'p, 'de, ONE> {
    type Error = Miss;

    numbers! {
        deserialize_i8 visit_i8 i8 I8;
        deserialize_i16 visit_i16 i16 I16;
        deserialize_i32 visit_i32 i32 I32;
        deserialize_u8 visit_u8 u8 U8;
        deserialize_u16 visit_u16 u16 U16;
        deserialize_u32 visit_u32 u32 U32;
        deserialize_u64 visit_u64 u64 U64;
        deserialize_f32 visit_f32 f32 F32;
        deserialize_f64 visit_f64 f64 F64;
    }

    misses! {
        deserialize_any();
        deserialize_i128();
        deserialize_u128();
        deserialize_unit();
        deserialize_unit_struct(&'static str);
        deserialize_map();
        deserialize_identifier();
    }

    #[inline(always)]
    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        let op = self.op();
        if op != Op::I64 && op != Op::Time {
            return self.miss();
        }
        self.advance();
        match self.take().map(i64::from_le_bytes) {
            Some(codec::NAT) if op == Op::Time => self.miss(),
            Some(value) => visitor.visit_i64(value),
            None => self.miss(),
        }
    }

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        if self.op() != Op::Bool {
            return self.miss();
        }
        self.advance();
        match self.take() {
            Some([0]) => visitor.visit_bool(false),
            Some([1]) => visitor.visit_bool(true),
            _ => self.miss(),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        self.text(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        self.text(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        self.text(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        self.bytes(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        self.bytes(visitor)
    }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        if matches!(self.op(), Op::NanOption | Op::TimeOption) {
            let is_none = self.is_none();
            self.advance();
            if is_none {
                self.stream = self.stream.get(self.op().width()..).unwrap_or_default();
                self.advance();
                return visitor.visit_none();
            }
        }
        visitor.visit_some(self)
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Miss> {
        // The compiler knows the name, and which of these it is.
        if Adapter::is_name(name) {
            self.adapted(name, visitor)
        } else if matches!(name, "f16" | "bf16") {
            // The `half` crate's types, which are newtypes of their bits.
            self.miss()
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    #[inline(always)]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        self.tuple(None, visitor)
    }

    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Miss> {
        self.tuple(Some(length), visitor)
    }

    #[inline(always)]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Miss> {
        self.tuple(Some(length), visitor)
    }

    #[inline(always)]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Miss> {
        // The address tells the list: it lives as long as the program, and is as good as a constant.
        let is_expected =
            self.op() == Op::Struct && self.program.detail(self.at) == [fields.as_ptr().addr(), fields.len()];
        if !is_expected {
            return self.miss();
        }
        self.advance();
        self.parts(fields.len(), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Miss> {
        match self.characters(false)? {
            (Op::Bytes, bytes) => visitor.visit_enum(self.checked(bytes.get())?.into_deserializer()),
            (op, bytes) => visitor.visit_enum(self.decoded(op, bytes)?.as_str().into_deserializer()),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Miss> {
        if self.op() != Op::Skip {
            return self.miss();
        }
        self.advance();
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        self.readable
    }
}
