//! What kind of value it is that becomes an archive, found without going through it.

use crate::error::Error;
use serde::ser::{self, Impossible, Serialize, Serializer};
use std::fmt::{self, Display};

/// How a value is laid out over the members of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// `None`: no member.
    Nothing,
    /// A struct, map or tuple: a member for each part.
    Parts,
    /// One array.
    Array,
}

/// Looks at the outermost part of a value.
pub(crate) fn root<T: Serialize + ?Sized>(value: &T) -> Root {
    // The answer comes as an error, so that no value goes on into its parts.
    match value.serialize(Probe) {
        Ok(root) | Err(Answer(root)) => root,
    }
}

struct Probe;

#[derive(Debug)]
struct Answer(Root);

impl Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl std::error::Error for Answer {}

impl ser::Error for Answer {
    fn custom<T: Display>(_message: T) -> Self {
        // Writing it as an array will tell the error.
        Answer(Root::Array)
    }
}

/// In front of the names of types that travel as one array although they are structs to serde.
const ONE_ARRAY: &str = "__serde_npy_";

macro_rules! arrays {
    ($($method:ident($($argument:ident: $type:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<$ok, Answer> {
            Err(Answer(Root::Array))
        }
    )*};
}

impl Serializer for Probe {
    type Ok = Root;
    type Error = Answer;
    type SerializeSeq = Impossible<Root, Answer>;
    type SerializeTuple = Impossible<Root, Answer>;
    type SerializeTupleStruct = Impossible<Root, Answer>;
    type SerializeTupleVariant = Impossible<Root, Answer>;
    type SerializeMap = Impossible<Root, Answer>;
    type SerializeStruct = Impossible<Root, Answer>;
    type SerializeStructVariant = Impossible<Root, Answer>;

    fn serialize_none(self) -> Result<Root, Answer> {
        Ok(Root::Nothing)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Root, Answer> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<Root, Answer> {
        if name.starts_with(ONE_ARRAY) { Ok(Root::Array) } else { value.serialize(self) }
    }

    fn collect_str<T: Display + ?Sized>(self, _value: &T) -> Result<Root, Answer> {
        Err(Answer(Root::Array))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<Root, Answer> {
        Ok(Root::Array)
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Self::SerializeMap, Answer> {
        Err(Answer(Root::Parts))
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Self::SerializeStruct, Answer> {
        // The `ndarray` crate's own, with its fields `v`, `dim` and `data`.
        let one = name.starts_with(ONE_ARRAY) || (name == "Array" && length == 3);
        Err(Answer(if one { Root::Array } else { Root::Parts }))
    }

    fn serialize_tuple(self, _length: usize) -> Result<Self::SerializeTuple, Answer> {
        Err(Answer(Root::Parts))
    }

    fn serialize_tuple_struct(self, name: &'static str, _length: usize) -> Result<Self::SerializeTupleStruct, Answer> {
        Err(Answer(if name.starts_with(ONE_ARRAY) { Root::Array } else { Root::Parts }))
    }

    arrays! {
        serialize_bool(_value: bool) -> Root;
        serialize_i8(_value: i8) -> Root;
        serialize_i16(_value: i16) -> Root;
        serialize_i32(_value: i32) -> Root;
        serialize_i64(_value: i64) -> Root;
        serialize_i128(_value: i128) -> Root;
        serialize_u8(_value: u8) -> Root;
        serialize_u16(_value: u16) -> Root;
        serialize_u32(_value: u32) -> Root;
        serialize_u64(_value: u64) -> Root;
        serialize_u128(_value: u128) -> Root;
        serialize_f32(_value: f32) -> Root;
        serialize_f64(_value: f64) -> Root;
        serialize_char(_value: char) -> Root;
        serialize_str(_value: &str) -> Root;
        serialize_bytes(_value: &[u8]) -> Root;
        serialize_unit() -> Root;
        serialize_unit_struct(_name: &'static str) -> Root;
        serialize_unit_variant(_name: &'static str, _index: u32, _variant: &'static str) -> Root;
        serialize_seq(_length: Option<usize>) -> Self::SerializeSeq;
        serialize_tuple_variant(_name: &'static str, _index: u32, _variant: &'static str, _length: usize)
            -> Self::SerializeTupleVariant;
        serialize_struct_variant(_name: &'static str, _index: u32, _variant: &'static str, _length: usize)
            -> Self::SerializeStructVariant;
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// For parts that the root did not announce.
#[cold]
pub(crate) fn unexpected() -> Error {
    Error::data("expected the value to look the same each time it is serialized")
}
