//! One value through serde into the bytes of its element, as the program says.
//!
//! As on the reading side, all that stands on the way of a number is inlined by force: each of these functions is a
//! compare and a store once it stands in the type's own code, and several times that as a call.

use crate::codec;
use crate::program::{Due, Miss, Op, POISON, Program};
use crate::ser::fast::items::{Fields, Parts};
use crate::ser::shown::collect_str;
use crate::with::Adapter;
use serde::ser::{Impossible, Serialize, Serializer};

/// Whether the element is written, or only checked to be one that would be.
pub(crate) const WRITE: u8 = 1;
/// Whether elements come one by one, not in a loop.
pub(crate) const ONE: u8 = 2;

/// An element that is being written, in a mode made of these flags.
///
/// The code of a type is inlined only where a serializer is handed to it in a single place, so that each such place has
/// a type of its own, or where it is short; else what changes from call to call is kept here in memory.
pub(crate) struct Cursor<'p, 's, const MODE: u8> {
    program: &'p Program<Due>,
    /// What is left of the stream.
    stream: &'s mut [u8],
    /// The next op.
    at: usize,
    /// Whether a helper tells that the format is human-readable.
    pub(crate) readable: bool,
}

impl<'p, 's, const MODE: u8> Cursor<'p, 's, MODE> {
    #[inline(always)]
    pub(crate) fn new(program: &'p Program<Due>, stream: &'s mut [u8]) -> Self {
        Cursor { program, stream, at: 0, readable: false }
    }

    /// Whether all ops came, and nothing else: user code may have swallowed a miss.
    #[inline(always)]
    pub(crate) fn is_done(&self) -> bool {
        self.at == self.program.length
    }

    /// A value under no key.
    #[inline(always)]
    pub(crate) fn part(&mut self) -> Part<'_, 'p, 's, MODE> {
        Part { cursor: self, key: Due::NO_KEY }
    }

    /// The value of a field.
    #[inline(always)]
    pub(crate) fn field(&mut self, key: &'static str) -> Part<'_, 'p, 's, MODE> {
        Part { cursor: self, key: Due::key(key) }
    }

    /// A call that was not expected: from here on, none is.
    // Whatever changes is set here, so that what it was before need not be stored on the way.
    #[inline(always)]
    pub(crate) fn miss<T>(&mut self) -> Result<T, Miss> {
        self.at = POISON;
        self.stream = &mut [];
        Err(Miss)
    }

    #[inline(always)]
    pub(crate) fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Result<(), Miss> {
        if MODE & WRITE == 0 {
            return Ok(());
        }
        match std::mem::take(&mut self.stream).split_first_chunk_mut() {
            Some((place, rest)) => {
                *place = bytes;
                self.stream = rest;
                Ok(())
            }
            None => self.miss(),
        }
    }

    /// Writes characters or bytes by a function of the codec; a check in its place only looks at them.
    fn fill(
        &mut self,
        width: usize,
        check: impl FnOnce() -> bool,
        write: impl FnOnce(&mut [u8]) -> bool,
    ) -> Result<(), Miss> {
        if MODE & WRITE == 0 {
            return if check() { Ok(()) } else { self.miss() };
        }
        match std::mem::take(&mut self.stream).split_at_mut_checked(width) {
            Some((place, rest)) => {
                self.stream = rest;
                if write(place) { Ok(()) } else { self.miss() }
            }
            None => self.miss(),
        }
    }
}

/// A part of an element, as far as its calls are those that are due.
pub(crate) struct Part<'c, 'p, 's, const MODE: u8> {
    cursor: &'c mut Cursor<'p, 's, MODE>,
    /// Under which key it stands.
    key: u64,
}

impl<const MODE: u8> Part<'_, '_, '_, MODE> {
    /// Whether an op is due, under this key.
    #[inline(always)]
    fn is_due(&self, op: Op) -> bool {
        self.cursor.program.step(self.cursor.at) == Due::under(self.key, op)
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.cursor.at = self.cursor.at.wrapping_add(1);
    }

    #[inline(always)]
    fn detail(&self) -> [usize; 2] {
        self.cursor.program.detail(self.cursor.at)
    }

    /// Writes a number, if it is due.
    #[inline(always)]
    fn number<const N: usize>(mut self, is_due: bool, bytes: [u8; N]) -> Result<(), Miss> {
        if !is_due {
            return self.cursor.miss();
        }
        self.advance();
        self.cursor.put(bytes)
    }

    /// The place of characters or bytes, if they are due in one of these ops: the op and the width.
    fn characters(&mut self, ops: &[Op]) -> Result<(Op, usize), Miss> {
        let Some(op) = ops.iter().copied().find(|&op| self.is_due(op)) else { return self.cursor.miss() };
        let [_, width] = self.detail();
        self.advance();
        Ok((op, width))
    }

    fn text(mut self, text: &str) -> Result<(), Miss> {
        match self.characters(&[Op::Bytes, Op::Str, Op::StrBig])? {
            (Op::Bytes, width) => self.cursor.fill(
                width,
                || codec::check_bytes(text.as_bytes(), width).is_ok(),
                |place| codec::encode_bytes(text.as_bytes(), place).is_ok(),
            ),
            (op, width) => self.cursor.fill(
                width,
                || codec::check_ucs4(text, width / 4).is_ok(),
                |place| codec::encode_ucs4(text, place, op == Op::StrBig).is_ok(),
            ),
        }
    }

    fn bytes(mut self, bytes: &[u8]) -> Result<(), Miss> {
        match self.characters(&[Op::Bytes, Op::Void])? {
            (Op::Bytes, width) => self.cursor.fill(
                width,
                || codec::check_bytes(bytes, width).is_ok(),
                |place| codec::encode_bytes(bytes, place).is_ok(),
            ),
            (_, width) => self.cursor.fill(
                width,
                || codec::check_void(bytes, width).is_ok(),
                |place| codec::encode_void(bytes, place).is_ok(),
            ),
        }
    }
}

macro_rules! numbers {
    ($($method:ident $type:ty, $op:ident;)*) => {$(
        #[inline(always)]
        fn $method(self, value: $type) -> Result<(), Miss> {
            let is_due = self.is_due(Op::$op);
            self.number(is_due, value.to_le_bytes())
        }
    )*};
}

impl<'c, 'p, 's, const MODE: u8> Serializer for Part<'c, 'p, 's, MODE> {
    type Ok = ();
    type Error = Miss;
    type SerializeSeq = Parts<'c, 'p, 's, MODE>;
    type SerializeTuple = Fields<'c, 'p, 's, MODE>;
    type SerializeTupleStruct = Fields<'c, 'p, 's, MODE>;
    type SerializeTupleVariant = Impossible<(), Miss>;
    type SerializeMap = Impossible<(), Miss>;
    type SerializeStruct = Fields<'c, 'p, 's, MODE>;
    type SerializeStructVariant = Impossible<(), Miss>;

    numbers! {
        serialize_i8 i8, I8;
        serialize_i16 i16, I16;
        serialize_i32 i32, I32;
        serialize_u8 u8, U8;
        serialize_u16 u16, U16;
        serialize_u32 u32, U32;
        serialize_u64 u64, U64;
        serialize_f32 f32, F32;
        serialize_f64 f64, F64;
    }

    #[inline(always)]
    fn serialize_i64(self, value: i64) -> Result<(), Miss> {
        let is_due = self.is_due(Op::I64) || (self.is_due(Op::Time) && value != codec::NAT);
        self.number(is_due, value.to_le_bytes())
    }

    #[inline(always)]
    fn serialize_bool(self, value: bool) -> Result<(), Miss> {
        let is_due = self.is_due(Op::Bool);
        self.number(is_due, [u8::from(value)])
    }

    fn serialize_char(self, value: char) -> Result<(), Miss> {
        self.text(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Miss> {
        self.text(value)
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<(), Miss> {
        self.text(variant)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Miss> {
        self.bytes(value)
    }

    #[inline(always)]
    fn serialize_some<T: Serialize + ?Sized>(mut self, value: &T) -> Result<(), Miss> {
        if self.is_due(Op::NanOption) || self.is_due(Op::TimeOption) {
            self.advance();
            value.serialize(self.cursor.part())
        } else {
            value.serialize(self)
        }
    }

    #[inline(always)]
    fn serialize_none(mut self) -> Result<(), Miss> {
        if !self.is_due(Op::NanOption) && !self.is_due(Op::TimeOption) {
            return self.cursor.miss();
        }
        self.advance();
        let number = self.cursor.part();
        if number.is_due(Op::F32) {
            number.number(true, f32::NAN.to_le_bytes())
        } else if number.is_due(Op::F64) {
            number.number(true, f64::from(f32::NAN).to_le_bytes())
        } else {
            let is_due = number.is_due(Op::Time);
            number.number(is_due, codec::NAT.to_le_bytes())
        }
    }

    #[inline(always)]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(mut self, name: &'static str, value: &T) -> Result<(), Miss> {
        // The compiler knows the name, and which of these it is.
        if Adapter::is_name(name) {
            let is_readable = self.is_due(Op::Readable);
            let is_expected =
                (is_readable || self.is_due(Op::Adapter)) && self.detail() == [name.as_ptr().addr(), name.len()];
            if !is_expected {
                return self.cursor.miss();
            }
            self.advance();
            let readable = std::mem::replace(&mut self.cursor.readable, is_readable);
            let done = value.serialize(self.cursor.part());
            self.cursor.readable = readable;
            done
        } else if matches!(name, "f16" | "bf16") {
            // The `half` crate's types, which are newtypes of their bits.
            self.cursor.miss()
        } else {
            value.serialize(self)
        }
    }

    #[inline(always)]
    fn serialize_seq(mut self, _length: Option<usize>) -> Result<Self::SerializeSeq, Miss> {
        let [length, op] = self.detail();
        let op = if self.is_due(Op::Run) {
            op & 0xff
        } else if self.is_due(Op::Tuple) {
            0
        } else {
            return self.cursor.miss();
        };
        self.advance();
        Ok(Parts { cursor: self.cursor, op, left: length })
    }

    #[inline(always)]
    fn serialize_tuple(mut self, length: usize) -> Result<Self::SerializeTuple, Miss> {
        if !self.is_due(Op::Tuple) || self.detail() != [length, 0] {
            return self.cursor.miss();
        }
        self.advance();
        Ok(Fields { cursor: self.cursor })
    }

    #[inline(always)]
    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<Self::SerializeTupleStruct, Miss> {
        self.serialize_tuple(length)
    }

    #[inline(always)]
    fn serialize_struct(mut self, _name: &'static str, _length: usize) -> Result<Self::SerializeStruct, Miss> {
        if !self.is_due(Op::Struct) {
            return self.cursor.miss();
        }
        self.advance();
        Ok(Fields { cursor: self.cursor })
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Self::SerializeMap, Miss> {
        self.cursor.miss()
    }

    fn serialize_unit(self) -> Result<(), Miss> {
        self.cursor.miss()
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Miss> {
        self.cursor.miss()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<(), Miss> {
        self.cursor.miss()
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleVariant, Miss> {
        self.cursor.miss()
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeStructVariant, Miss> {
        self.cursor.miss()
    }

    collect_str! { self => self.cursor.miss() }

    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        self.cursor.readable
    }
}
