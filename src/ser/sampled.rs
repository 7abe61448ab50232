//! A value and a sample beside it, which is what `with::Of` serializes within its newtype.

use crate::error::{Error, Result};
use crate::ser::refuse::refuse_serialize;
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

    refuse_serialize! {
        no_sample: bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str bytes none some unit unit_variant newtype_struct
        variants_with_data seq tuple_struct records
    }

    fn is_human_readable(&self) -> bool {
        true
    }
}
