//! The one integer in a value, for helpers whose value is no more than that.

use crate::error::{Error, Result};
use crate::ser::refuse::refuse_serialize;
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

    refuse_serialize! {
        no_integer: bool f32 f64 char str bytes unit unit_variant variants_with_data sequences records
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
