//! Whether a value is a byte or a float: asked before it is known what the sequence that it is in shall be.

use serde::ser::{self, Impossible, Serialize, Serializer};
use std::fmt;

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

macro_rules! refuse {
    ($($method:ident($($argument:ident: $type:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<$ok, Other> {
            Err(Other)
        }
    )*};
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

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<Probed, Other> {
        Err(Other)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _value: &T) -> Result<Probed, Other> {
        Err(Other)
    }

    refuse! {
        serialize_bool(_value: bool) -> Probed;
        serialize_i8(_value: i8) -> Probed;
        serialize_i16(_value: i16) -> Probed;
        serialize_i32(_value: i32) -> Probed;
        serialize_i64(_value: i64) -> Probed;
        serialize_u16(_value: u16) -> Probed;
        serialize_u32(_value: u32) -> Probed;
        serialize_u64(_value: u64) -> Probed;
        serialize_char(_value: char) -> Probed;
        serialize_str(_value: &str) -> Probed;
        serialize_bytes(_value: &[u8]) -> Probed;
        serialize_none() -> Probed;
        serialize_unit() -> Probed;
        serialize_unit_struct(_name: &'static str) -> Probed;
        serialize_unit_variant(_name: &'static str, _index: u32, _variant: &'static str) -> Probed;
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
        true
    }
}
