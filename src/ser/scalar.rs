//! The one integer in a value, for helpers whose value is no more than that.

use crate::error::{Error, Result};
use serde::ser::{Impossible, Serialize, Serializer};

/// Takes an integer, or none.
pub(crate) struct Integer;

#[cold]
fn no_integer() -> Error {
    Error::data("expected an integer or None from a helper of `with`")
}

macro_rules! integers {
    ($($method:ident $type:ty;)*) => {$(
        fn $method(self, value: $type) -> Result<Option<i128>> {
            Ok(Some(value.into()))
        }
    )*};
}

macro_rules! refuse {
    ($($method:ident($($argument:ident: $type:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<$ok> {
            Err(no_integer())
        }
    )*};
}

impl Serializer for Integer {
    type Ok = Option<i128>;
    type Error = Error;
    type SerializeSeq = Impossible<Self::Ok, Error>;
    type SerializeTuple = Impossible<Self::Ok, Error>;
    type SerializeTupleStruct = Impossible<Self::Ok, Error>;
    type SerializeTupleVariant = Impossible<Self::Ok, Error>;
    type SerializeMap = Impossible<Self::Ok, Error>;
    type SerializeStruct = Impossible<Self::Ok, Error>;
    type SerializeStructVariant = Impossible<Self::Ok, Error>;

    integers! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
    }

    fn serialize_none(self) -> Result<Self::Ok> {
        Ok(None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Result<Self::Ok> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<Self::Ok> {
        Err(no_integer())
    }

    refuse! {
        serialize_bool(_value: bool) -> Self::Ok;
        serialize_f32(_value: f32) -> Self::Ok;
        serialize_f64(_value: f64) -> Self::Ok;
        serialize_char(_value: char) -> Self::Ok;
        serialize_str(_value: &str) -> Self::Ok;
        serialize_bytes(_value: &[u8]) -> Self::Ok;
        serialize_unit() -> Self::Ok;
        serialize_unit_struct(_name: &'static str) -> Self::Ok;
        serialize_unit_variant(_name: &'static str, _index: u32, _variant: &'static str) -> Self::Ok;
        serialize_seq(_length: Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(_length: usize) -> Self::SerializeTuple;
        serialize_tuple_struct(_name: &'static str, _length: usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(_name: &'static str, _index: u32, _variant: &'static str, _length: usize)
            -> Self::SerializeTupleVariant;
        serialize_map(_length: Option<usize>) -> Self::SerializeMap;
        serialize_struct(_name: &'static str, _length: usize) -> Self::SerializeStruct;
        serialize_struct_variant(_name: &'static str, _index: u32, _variant: &'static str, _length: usize)
            -> Self::SerializeStructVariant;
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
