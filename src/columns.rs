//! [`Columns`]: a struct of vectors in place of a vector of structs.

use crate::nd;
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A struct of sequences of one length, as the array of records that they make: one field a column.
///
/// Both ways, under the same names and attributes as the struct of single values would have. Only the columns that the
/// type has are decoded. A column may be anything that is a sequence of its field: a `Vec<f64>`, a `Vec<String>`, a
/// `Vec<[f32; 3]>` for a subarray, an array of `ndarray`, an [`Array`](crate::Array).
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::Columns;
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Ticks {
///     time: Vec<i64>,
///     price: Vec<f64>,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let ticks = Columns(Ticks { time: vec![1, 2, 3], price: vec![10.5, 10.25, 10.75] });
/// let bytes = serde_npy::to_vec(&ticks)?;
///
/// let header = serde_npy::Header::read(&bytes[..])?;
/// assert_eq!(header.dtype().to_string(), "[('time', '<i8'), ('price', '<f8')]");
/// assert_eq!(header.shape(), [3]);
///
/// let Columns(read) = serde_npy::from_slice::<Columns<Ticks>>(&bytes)?;
/// assert_eq!(read, ticks.0);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Columns<T>(
    /// The struct of columns.
    pub T,
);

impl<T: Serialize> Serialize for Columns<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(nd::COLUMNS, &self.0)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Columns<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(nd::COLUMNS, ColumnsVisitor(PhantomData))
    }
}

struct ColumnsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ColumnsVisitor<T> {
    type Value = Columns<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("columns")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        T::deserialize(deserializer).map(Columns)
    }
}
