//! What sees to it that a value fails as a whole if a part of it has failed.

use crate::error::{Error, Result};
use serde::ser::{self, Serialize};

/// The parts of a value, which only end well if each of them did.
///
/// Nothing keeps a `Serialize` from going on after an error, or after a panic that it caught. What it passes over would be
/// zeros in the file, or missing from it.
#[derive(Debug)]
pub struct Whole<P> {
    parts: P,
    is_whole: bool,
}

impl<P> Whole<P> {
    #[inline]
    pub(crate) fn new(parts: P) -> Self {
        Whole { parts, is_whole: true }
    }

    #[inline]
    fn part(&mut self, take: impl FnOnce(&mut P) -> Result<()>) -> Result<()> {
        let is_whole = std::mem::replace(&mut self.is_whole, false);
        take(&mut self.parts)?;
        self.is_whole = is_whole;
        Ok(())
    }

    #[inline]
    fn end<T>(self, end: impl FnOnce(P) -> Result<T>) -> Result<T> {
        if self.is_whole { end(self.parts) } else { Err(passed_over()) }
    }
}

#[cold]
fn passed_over() -> Error {
    Error::data("a part could not be written, and the `Serialize` of the value went on without it")
}

macro_rules! positions {
    ($($trait:ident $method:ident;)*) => {$(
        impl<P: ser::$trait<Error = Error>> ser::$trait for Whole<P> {
            type Ok = P::Ok;
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.part(|parts| parts.$method(value))
            }

            #[inline]
            fn end(self) -> Result<P::Ok> {
                self.end(P::end)
            }
        }
    )*};
}

positions! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
}

impl<P: ser::SerializeStruct<Error = Error>> ser::SerializeStruct for Whole<P> {
    type Ok = P::Ok;
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.part(|parts| parts.serialize_field(key, value))
    }

    #[inline]
    fn end(self) -> Result<P::Ok> {
        self.end(P::end)
    }
}

impl<P: ser::SerializeMap<Error = Error>> ser::SerializeMap for Whole<P> {
    type Ok = P::Ok;
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.part(|parts| parts.serialize_key(key))
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.part(|parts| parts.serialize_value(value))
    }

    fn end(self) -> Result<P::Ok> {
        self.end(P::end)
    }
}
