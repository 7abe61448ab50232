//! The shape that an array brings with it.

use crate::error::{Count, Error, Result};
use crate::ser::content::Content;
use serde::Serialize;

/// The fields in front of the elements of an array that brings its shape.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    pub(crate) lengths: Vec<u64>,
    pub(crate) fortran_order: bool,
}

impl Shape {
    /// Takes a field; whether it is that of the elements, which is left to the caller.
    pub(crate) fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<bool> {
        match key {
            "dim" | "shape" => self.lengths = lengths(&Content::of(value)?).ok_or_else(no_shape)?,
            "fortran_order" => match Content::of(value)? {
                Content::Bool(fortran_order) => self.fortran_order = fortran_order,
                _ => return Err(no_shape()),
            },
            "data" => return Ok(true),
            _ => {}
        }
        Ok(false)
    }

    /// How many elements there must be.
    pub(crate) fn size(&self) -> u64 {
        self.lengths.iter().fold(1u64, |size, &length| size.saturating_mul(length))
    }

    /// The error for another number of elements.
    #[cold]
    pub(crate) fn wrong_size(&self, found: u64) -> Error {
        Error::data(format!(
            "expected the {} of an array of shape {:?}, found {found}",
            Count(self.size(), "element"),
            self.lengths
        ))
    }
}

#[cold]
fn no_shape() -> Error {
    Error::data("expected the shape of an array as `ndarray` serializes it")
}

fn lengths(content: &Content) -> Option<Vec<u64>> {
    match content {
        Content::Sequence(items) | Content::Tuple(items) => items.iter().map(length).collect(),
        // An array of one axis may show its length alone.
        single => length(single).map(|length| vec![length]),
    }
}

fn length(content: &Content) -> Option<u64> {
    match content {
        Content::U64(length) => Some(*length),
        Content::U32(length) => Some((*length).into()),
        Content::I64(length) => u64::try_from(*length).ok(),
        _ => None,
    }
}
