//! Whether a value is a byte or a float: asked before it is known what the sequence that it is in shall be.

use crate::ser::refuse::refuse_serialize;
use serde::ser::{self, Impossible, Serialize, Serializer};
use std::any::type_name;
use std::fmt;

/// Whether a type is that of a byte: of items that are not there, nothing else tells.
pub(crate) fn is_byte<T>() -> bool {
    matches!(type_name::<T>(), "u8" | "&u8")
}

/// Takes a byte or a float; anything else is an error, which costs nothing.
pub(crate) struct Probe;

/// What a probe found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Probed {
    Byte(u8),
    /// A float of this itemsize.
    Float(usize),
}

/// The value is something else.
#[derive(Debug)]
pub(crate) struct Other;

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("neither a byte nor a float")
    }
}

impl std::error::Error for Other {}

impl ser::Error for Other {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Other
    }
}

fn other() -> Other {
    Other
}

impl Serializer for Probe {
    type Ok = Probed;
    type Error = Other;
    type SerializeSeq = Impossible<Probed, Other>;
    type SerializeTuple = Impossible<Probed, Other>;
    type SerializeTupleStruct = Impossible<Probed, Other>;
    type SerializeTupleVariant = Impossible<Probed, Other>;
    type SerializeMap = Impossible<Probed, Other>;
    type SerializeStruct = Impossible<Probed, Other>;
    type SerializeStructVariant = Impossible<Probed, Other>;

    fn serialize_u8(self, value: u8) -> Result<Probed, Other> {
        Ok(Probed::Byte(value))
    }

    fn serialize_f32(self, _value: f32) -> Result<Probed, Other> {
        Ok(Probed::Float(4))
    }

    fn serialize_f64(self, _value: f64) -> Result<Probed, Other> {
        Ok(Probed::Float(8))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<Probed, Other> {
        // The bits of the `half` crate's floats are no float here.
        if matches!(name, "f16" | "bf16") { Err(Other) } else { value.serialize(self) }
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Probed, Other> {
        value.serialize(self)
    }

    refuse_serialize! {
        other: bool i8 i16 i32 i64 u16 u32 u64 char str bytes none unit unit_variant
        variants_with_data sequences records
    }

    fn is_human_readable(&self) -> bool {
        true
    }
}
