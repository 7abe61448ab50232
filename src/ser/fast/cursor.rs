//! One value through serde into the bytes of its element, as the program says.
//!
//! As on the reading side, all that stands on the way of a number is inlined by force: each of these functions is a
//! compare and a store once it stands in the type's own code, and several times that as a call.

use crate::codec;
use crate::program::{Miss, Op, POISON, Program, folded};
use crate::ser::fast::items::{Fields, Parts};
use crate::with::Adapter;
use serde::ser::{Impossible, Serialize, Serializer};

/// Whether the element is written, or only checked to be one that would be.
pub(crate) const WRITE: u8 = 1;
/// Whether elements come one by one, not in a loop.
pub(crate) const ONE: u8 = 2;

/// An element that is being written, in a mode made of these flags.
///
/// The code of a type is inlined only where a serializer is handed to it in a single place, so that each such place has
/// a type of its own.
pub(crate) struct Cursor<'p, 's, const MODE: u8> {
    pub(crate) program: &'p Program,
    /// What is left of the stream.
    pub(crate) stream: &'s mut [u8],
    /// The next op.
    pub(crate) at: u16,
    /// The keys of structs so far.
    pub(crate) keys: u64,
    /// Whether a helper tells that the format is human-readable.
    pub(crate) readable: bool,
}

impl<const MODE: u8> Cursor<'_, '_, MODE> {
    /// A call that was not expected: from here on, none is.
    #[inline(always)]
    pub(crate) fn miss<T>(&mut self) -> Result<T, Miss> {
        self.at = POISON;
        Err(Miss)
    }

    #[inline(always)]
    fn op(&self) -> Op {
        self.program.op(self.at)
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.at = self.at.wrapping_add(1);
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

    #[inline(always)]
    pub(crate) fn key(&mut self, key: &'static str) {
        self.keys = folded(self.keys, key, usize::from(self.at));
    }

    /// The place of characters or bytes, if they are due in one of these ops: the op and the width.
    fn characters(&mut self, ops: &[Op]) -> Result<(Op, usize), Miss> {
        let op = self.op();
        if !ops.contains(&op) {
            return self.miss();
        }
        let [_, width] = self.program.detail(self.at);
        self.advance();
        Ok((op, width))
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

    fn text(&mut self, text: &str) -> Result<(), Miss> {
        match self.characters(&[Op::Bytes, Op::Str, Op::StrBig])? {
            (Op::Bytes, width) => self.fill(
                width,
                || codec::check_bytes(text.as_bytes(), width).is_ok(),
                |place| codec::encode_bytes(text.as_bytes(), place).is_ok(),
            ),
            (op, width) => self.fill(
                width,
                || codec::check_ucs4(text, width / 4).is_ok(),
                |place| codec::encode_ucs4(text, place, op == Op::StrBig).is_ok(),
            ),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Miss> {
        match self.characters(&[Op::Bytes, Op::Void])? {
            (Op::Bytes, width) => self.fill(
                width,
                || codec::check_bytes(bytes, width).is_ok(),
                |place| codec::encode_bytes(bytes, place).is_ok(),
            ),
            (_, width) => self.fill(
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
            if self.op() != Op::$op {
                return self.miss();
            }
            self.advance();
            self.put(value.to_le_bytes())
        }
    )*};
}

impl<'c, 'p, 's, const MODE: u8> Serializer for &'c mut Cursor<'p, 's, MODE> {
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
        let op = self.op();
        if op != Op::I64 && (op != Op::Time || value == codec::NAT) {
            return self.miss();
        }
        self.advance();
        self.put(value.to_le_bytes())
    }

    #[inline(always)]
    fn serialize_bool(self, value: bool) -> Result<(), Miss> {
        if self.op() != Op::Bool {
            return self.miss();
        }
        self.advance();
        self.put([u8::from(value)])
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
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Miss> {
        if matches!(self.op(), Op::NanOption | Op::TimeOption) {
            self.advance();
        }
        value.serialize(self)
    }

    #[inline(always)]
    fn serialize_none(self) -> Result<(), Miss> {
        if !matches!(self.op(), Op::NanOption | Op::TimeOption) {
            return self.miss();
        }
        self.advance();
        let op = self.op();
        self.advance();
        match op {
            Op::F32 => self.put(f32::NAN.to_le_bytes()),
            Op::F64 => self.put(f64::from(f32::NAN).to_le_bytes()),
            Op::Time => self.put(codec::NAT.to_le_bytes()),
            _ => self.miss(),
        }
    }

    #[inline(always)]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), Miss> {
        // The compiler knows the name, and which of these it is.
        if Adapter::is_name(name) {
            let op = self.op();
            let is_expected = matches!(op, Op::Adapter | Op::Readable)
                && self.program.detail(self.at) == [name.as_ptr().addr(), name.len()];
            if !is_expected {
                return self.miss();
            }
            self.advance();
            let readable = std::mem::replace(&mut self.readable, op == Op::Readable);
            let done = value.serialize(&mut *self);
            self.readable = readable;
            done
        } else if matches!(name, "f16" | "bf16") {
            // The `half` crate's types, which are newtypes of their bits.
            self.miss()
        } else {
            value.serialize(self)
        }
    }

    #[inline(always)]
    fn serialize_seq(self, _length: Option<usize>) -> Result<Self::SerializeSeq, Miss> {
        let [length, op] = self.program.detail(self.at);
        let op = match self.op() {
            Op::Run => op & 0xff,
            Op::Tuple => 0,
            _ => return self.miss(),
        };
        self.advance();
        Ok(Parts { cursor: self, op, left: length })
    }

    #[inline(always)]
    fn serialize_tuple(self, length: usize) -> Result<Self::SerializeTuple, Miss> {
        if self.op() != Op::Tuple || self.program.detail(self.at) != [length, 0] {
            return self.miss();
        }
        self.advance();
        Ok(Fields { cursor: self })
    }

    #[inline(always)]
    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<Self::SerializeTupleStruct, Miss> {
        self.serialize_tuple(length)
    }

    #[inline(always)]
    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Self::SerializeStruct, Miss> {
        if self.op() != Op::Struct {
            return self.miss();
        }
        self.advance();
        Ok(Fields { cursor: self })
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Self::SerializeMap, Miss> {
        self.miss()
    }

    fn serialize_unit(self) -> Result<(), Miss> {
        self.miss()
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Miss> {
        self.miss()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<(), Miss> {
        self.miss()
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleVariant, Miss> {
        self.miss()
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeStructVariant, Miss> {
        self.miss()
    }

    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        self.readable
    }
}
