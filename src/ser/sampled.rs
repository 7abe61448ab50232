//! A value and a sample beside it, which is what `with::Of` serializes within its newtype.

use crate::error::{Error, Result};
use serde::ser::{self, Impossible, Serialize, Serializer};

/// What takes the two.
pub(crate) trait Take {
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()>;
    /// Called after `value`.
    fn sample<T: Serialize + ?Sized>(&mut self, sample: &T) -> Result<()>;
}

/// Hands the two to what takes them.
pub(crate) struct Sampled<A>(pub(crate) A);

/// Takes the value, and has no use for the sample.
pub(crate) struct Valued<S>(pub(crate) Option<S>);

impl<S: Serializer<Ok = (), Error = Error>> Take for Valued<S> {
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self.0.take() {
            Some(serializer) => value.serialize(serializer),
            None => Err(no_sample()),
        }
    }

    fn sample<T: Serialize + ?Sized>(&mut self, _sample: &T) -> Result<()> {
        Ok(())
    }
}

/// The tuple of the two.
pub(crate) struct Both<A> {
    take: A,
    next: usize,
}

impl<A: Take> ser::SerializeTuple for Both<A> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let position = self.next;
        self.next = position.saturating_add(1);
        match position {
            0 => self.take.value(value),
            1 => self.take.sample(value),
            _ => Err(no_sample()),
        }
    }

    fn end(self) -> Result<()> {
        if self.next == 2 { Ok(()) } else { Err(no_sample()) }
    }
}

#[cold]
fn no_sample() -> Error {
    Error::data("expected a value and a sample from `with::Of`")
}

macro_rules! refuse {
    ($($method:ident($($argument:ident: $type:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<$ok> {
            Err(no_sample())
        }
    )*};
}

impl<A: Take> Serializer for Sampled<A> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Both<A>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    fn serialize_tuple(self, _length: usize) -> Result<Both<A>> {
        Ok(Both { take: self.0, next: 0 })
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _value: &T) -> Result<()> {
        Err(no_sample())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, _value: &T) -> Result<()> {
        Err(no_sample())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<()> {
        Err(no_sample())
    }

    refuse! {
        serialize_bool(_value: bool) -> ();
        serialize_i8(_value: i8) -> ();
        serialize_i16(_value: i16) -> ();
        serialize_i32(_value: i32) -> ();
        serialize_i64(_value: i64) -> ();
        serialize_u8(_value: u8) -> ();
        serialize_u16(_value: u16) -> ();
        serialize_u32(_value: u32) -> ();
        serialize_u64(_value: u64) -> ();
        serialize_f32(_value: f32) -> ();
        serialize_f64(_value: f64) -> ();
        serialize_char(_value: char) -> ();
        serialize_str(_value: &str) -> ();
        serialize_bytes(_value: &[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(_name: &'static str) -> ();
        serialize_unit_variant(_name: &'static str, _index: u32, _variant: &'static str) -> ();
        serialize_seq(_length: Option<usize>) -> Self::SerializeSeq;
        serialize_tuple_struct(_name: &'static str, _length: usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(_name: &'static str, _index: u32, _variant: &'static str, _length: usize)
            -> Self::SerializeTupleVariant;
        serialize_map(_length: Option<usize>) -> Self::SerializeMap;
        serialize_struct(_name: &'static str, _length: usize) -> Self::SerializeStruct;
        serialize_struct_variant(_name: &'static str, _index: u32, _variant: &'static str, _length: usize)
            -> Self::SerializeStructVariant;
    }

    /// Only then the two are shown: see `with::Of`.
    fn is_human_readable(&self) -> bool {
        true
    }
}
