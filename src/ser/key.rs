//! Keys of maps, which become field names.

use crate::error::{Error, Result};
use serde::ser::{Impossible, Serialize, Serializer};

/// Takes text, in any of the forms that serde has for it.
pub(crate) struct Key;

#[cold]
fn no_text() -> Error {
    Error::data("expected text as the key of a map, since it becomes the name of a field")
}

macro_rules! refuse {
    ($($method:ident($($argument:ident: $type:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<$ok> {
            Err(no_text())
        }
    )*};
}

impl Serializer for Key {
    type Ok = String;
    type Error = Error;
    type SerializeSeq = Impossible<String, Error>;
    type SerializeTuple = Impossible<String, Error>;
    type SerializeTupleStruct = Impossible<String, Error>;
    type SerializeTupleVariant = Impossible<String, Error>;
    type SerializeMap = Impossible<String, Error>;
    type SerializeStruct = Impossible<String, Error>;
    type SerializeStructVariant = Impossible<String, Error>;

    fn serialize_str(self, value: &str) -> Result<String> {
        Ok(value.to_owned())
    }

    fn serialize_char(self, value: char) -> Result<String> {
        Ok(value.to_string())
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<String> {
        Ok(variant.to_owned())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Result<String> {
        value.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<String> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<String> {
        Err(no_text())
    }

    refuse! {
        serialize_bool(_value: bool) -> String;
        serialize_i8(_value: i8) -> String;
        serialize_i16(_value: i16) -> String;
        serialize_i32(_value: i32) -> String;
        serialize_i64(_value: i64) -> String;
        serialize_u8(_value: u8) -> String;
        serialize_u16(_value: u16) -> String;
        serialize_u32(_value: u32) -> String;
        serialize_u64(_value: u64) -> String;
        serialize_f32(_value: f32) -> String;
        serialize_f64(_value: f64) -> String;
        serialize_bytes(_value: &[u8]) -> String;
        serialize_none() -> String;
        serialize_unit() -> String;
        serialize_unit_struct(_name: &'static str) -> String;
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
