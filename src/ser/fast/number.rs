//! Single numbers, which are most of what arrays are made of.

use crate::plan::{Coding, Leaf};
use crate::program::Miss;
use crate::ser::refuse::refuse_serialize;
use crate::trace::Numbers;
use serde::ser::{Impossible, Serialize, Serializer};

fn other() -> Miss {
    Miss
}

/// Tells what number a value is.
pub(crate) struct Seen;

macro_rules! seen {
    ($($method:ident $type:ident;)*) => {$(
        #[inline(always)]
        fn $method(self, value: $type) -> Result<Numbers, Miss> {
            Ok(Numbers::$type(value))
        }
    )*};
}

impl Serializer for Seen {
    type Ok = Numbers;
    type Error = Miss;
    type SerializeSeq = Impossible<Numbers, Miss>;
    type SerializeTuple = Impossible<Numbers, Miss>;
    type SerializeTupleStruct = Impossible<Numbers, Miss>;
    type SerializeTupleVariant = Impossible<Numbers, Miss>;
    type SerializeMap = Impossible<Numbers, Miss>;
    type SerializeStruct = Impossible<Numbers, Miss>;
    type SerializeStructVariant = Impossible<Numbers, Miss>;

    seen! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_f32 f32;
        serialize_f64 f64;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _value: &T) -> Result<Numbers, Miss> {
        Err(Miss)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<Numbers, Miss> {
        Err(Miss)
    }

    refuse_serialize! {
        other: bool char str bytes none unit unit_variant variants_with_data sequences records
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Writes a number whose type is that of its dtype.
pub(crate) struct Put<'p, 's> {
    pub(crate) leaf: Leaf,
    /// Where it goes, of which it takes its bytes.
    pub(crate) room: &'p mut &'s mut [u8],
}

macro_rules! put {
    ($($method:ident $type:ident $coding:ident;)*) => {$(
        #[inline(always)]
        fn $method(self, value: $type) -> Result<(), Miss> {
            if self.leaf.coding != Coding::$coding {
                return Err(Miss);
            }
            let (place, rest) = std::mem::take(self.room).split_first_chunk_mut().ok_or(Miss)?;
            *place = if self.leaf.big { value.to_be_bytes() } else { value.to_le_bytes() };
            *self.room = rest;
            Ok(())
        }
    )*};
}

impl Serializer for Put<'_, '_> {
    type Ok = ();
    type Error = Miss;
    type SerializeSeq = Impossible<(), Miss>;
    type SerializeTuple = Impossible<(), Miss>;
    type SerializeTupleStruct = Impossible<(), Miss>;
    type SerializeTupleVariant = Impossible<(), Miss>;
    type SerializeMap = Impossible<(), Miss>;
    type SerializeStruct = Impossible<(), Miss>;
    type SerializeStructVariant = Impossible<(), Miss>;

    put! {
        serialize_i8 i8 I8;
        serialize_i16 i16 I16;
        serialize_i32 i32 I32;
        serialize_i64 i64 I64;
        serialize_u8 u8 U8;
        serialize_u16 u16 U16;
        serialize_u32 u32 U32;
        serialize_u64 u64 U64;
        serialize_f32 f32 F32;
        serialize_f64 f64 F64;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _value: &T) -> Result<(), Miss> {
        Err(Miss)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<(), Miss> {
        Err(Miss)
    }

    refuse_serialize! {
        other: bool char str bytes none unit unit_variant variants_with_data sequences records
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
