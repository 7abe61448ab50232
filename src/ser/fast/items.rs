//! The parts of a value: fields and items one after the other, and the numbers of a run.

use crate::program::{Miss, Op};
use crate::ser::fast::cursor::Cursor;
use crate::with::Adapter;
use serde::ser::{self, Impossible, Serialize, Serializer};
use std::fmt;

/// Parts of whatever kind, as many as there are ops for: too few or too many do not end where the program does.
pub(crate) struct Fields<'c, 'p, 's, const MODE: u8> {
    pub(crate) cursor: &'c mut Cursor<'p, 's, MODE>,
}

impl<const MODE: u8> ser::SerializeStruct for Fields<'_, '_, '_, MODE> {
    type Ok = ();
    type Error = Miss;

    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Miss> {
        value.serialize(self.cursor.field(key))
    }

    #[inline(always)]
    fn end(self) -> Result<(), Miss> {
        Ok(())
    }
}

impl<const MODE: u8> ser::SerializeTuple for Fields<'_, '_, '_, MODE> {
    type Ok = ();
    type Error = Miss;

    #[inline(always)]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Miss> {
        value.serialize(self.cursor.part())
    }

    #[inline(always)]
    fn end(self) -> Result<(), Miss> {
        Ok(())
    }
}

impl<const MODE: u8> ser::SerializeTupleStruct for Fields<'_, '_, '_, MODE> {
    type Ok = ();
    type Error = Miss;

    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Miss> {
        value.serialize(self.cursor.part())
    }

    #[inline(always)]
    fn end(self) -> Result<(), Miss> {
        Ok(())
    }
}

/// The items of a sequence.
pub(crate) struct Parts<'c, 'p, 's, const MODE: u8> {
    pub(crate) cursor: &'c mut Cursor<'p, 's, MODE>,
    /// The op of the numbers of a run; 0, which is that of the end, for parts of whatever kind.
    pub(crate) op: usize,
    pub(crate) left: usize,
}

impl<const MODE: u8> ser::SerializeSeq for Parts<'_, '_, '_, MODE> {
    type Ok = ();
    type Error = Miss;

    #[inline(always)]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Miss> {
        let Some(left) = self.left.checked_sub(1) else { return self.cursor.miss() };
        self.left = left;
        if self.op == 0 {
            value.serialize(self.cursor.part())
        } else {
            value.serialize(Item { cursor: &mut *self.cursor, op: self.op })
        }
    }

    #[inline(always)]
    fn end(self) -> Result<(), Miss> {
        if self.left == 0 { Ok(()) } else { self.cursor.miss() }
    }
}

/// One number of a run.
struct Item<'c, 'p, 's, const MODE: u8> {
    cursor: &'c mut Cursor<'p, 's, MODE>,
    op: usize,
}

macro_rules! numbers {
    ($($method:ident $type:ty, $op:ident;)*) => {$(
        #[inline(always)]
        fn $method(self, value: $type) -> Result<(), Miss> {
            if self.op == const { Op::$op as usize } { self.cursor.put(value.to_le_bytes()) } else { self.cursor.miss() }
        }
    )*};
}

macro_rules! misses {
    ($($method:ident($($type:ty),*) -> $output:ty;)*) => {$(
        fn $method(self, $(_: $type),*) -> Result<$output, Miss> {
            self.cursor.miss()
        }
    )*};
}

impl<const MODE: u8> Serializer for Item<'_, '_, '_, MODE> {
    type Ok = ();
    type Error = Miss;
    type SerializeSeq = Impossible<(), Miss>;
    type SerializeTuple = Impossible<(), Miss>;
    type SerializeTupleStruct = Impossible<(), Miss>;
    type SerializeTupleVariant = Impossible<(), Miss>;
    type SerializeMap = Impossible<(), Miss>;
    type SerializeStruct = Impossible<(), Miss>;
    type SerializeStructVariant = Impossible<(), Miss>;

    numbers! {
        serialize_i8 i8, I8;
        serialize_i16 i16, I16;
        serialize_i32 i32, I32;
        serialize_i64 i64, I64;
        serialize_u8 u8, U8;
        serialize_u16 u16, U16;
        serialize_u32 u32, U32;
        serialize_u64 u64, U64;
        serialize_f32 f32, F32;
        serialize_f64 f64, F64;
    }

    #[inline(always)]
    fn serialize_bool(self, value: bool) -> Result<(), Miss> {
        if self.op == const { Op::Bool as usize } { self.cursor.put([u8::from(value)]) } else { self.cursor.miss() }
    }

    #[inline(always)]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), Miss> {
        if Adapter::is_name(name) || matches!(name, "f16" | "bf16") {
            self.cursor.miss()
        } else {
            value.serialize(self)
        }
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _value: &T) -> Result<(), Miss> {
        self.cursor.miss()
    }

    misses! {
        serialize_char(char) -> ();
        serialize_str(&str) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
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

    fn collect_str<T: fmt::Display + ?Sized>(self, _value: &T) -> Result<(), Miss> {
        self.cursor.miss()
    }

    fn is_human_readable(&self) -> bool {
        self.cursor.readable
    }
}
