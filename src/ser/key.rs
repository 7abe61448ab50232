//! Keys of maps, which become field names.

use crate::error::{Error, Result};
use crate::ser::refuse::refuse_serialize;
use crate::ser::shown::collect_str;
use serde::ser::{Impossible, Serialize, Serializer};

/// The key of an entry of a map, until its value comes.
#[derive(Clone, Debug)]
pub(crate) struct Pending<K = String>(Option<K>);

impl<K> Pending<K> {
    pub(crate) fn none() -> Self {
        Pending(None)
    }

    pub(crate) fn put(&mut self, key: K) -> Result<()> {
        self.check_none()?;
        self.0 = Some(key);
        Ok(())
    }

    pub(crate) fn take(&mut self) -> Result<K> {
        self.0.take().ok_or_else(|| Error::data("a value of a map without a key"))
    }

    /// Refuses a key that is left over.
    pub(crate) fn check_none(&self) -> Result<()> {
        if self.0.is_some() { Err(Error::data("a key of a map without a value")) } else { Ok(()) }
    }
}

/// Takes text, in any of the forms that serde has for it.
pub(crate) struct Key;

#[cold]
fn no_text() -> Error {
    Error::data("expected text as the key of a map, since it becomes the name of a field")
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

    collect_str!();

    refuse_serialize! {
        no_text: bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 bytes none unit variants_with_data sequences records
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
