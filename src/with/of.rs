//! `Of`: the dtype of a sequence that is empty.

use crate::with::{adapter, newtype};
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, SerializeTuple as _, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// The element type of sequences that may be empty: `#[serde(with = "with::Of::<f32>")]`.
///
/// On `Vec<f32>`, `Vec<Vec<f32>>` and the like. Of an empty sequence there is no value to tell the dtype; it is then that
/// of `T::default()`. Where there are values, they alone tell it, and reading is as without it.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::with;
///
/// #[derive(Serialize, Deserialize)]
/// #[serde(transparent)]
/// struct Prices(#[serde(with = "with::Of::<f32>")] Vec<f32>);
///
/// # fn main() -> serde_npy::Result<()> {
/// let header = serde_npy::Header::read(&serde_npy::to_vec(&Prices(vec![]))?[..])?;
/// assert_eq!((header.dtype().to_string().as_str(), header.shape()), ("'<f4'", &[0][..]));
///
/// assert_eq!(
///     serde_npy::to_vec::<[f32; 0]>(&[]).unwrap_err().to_string(),
///     "there is no value to tell the dtype of an empty sequence; give it by `WriteOptions::dtype` or `with::Of`"
/// );
/// # Ok(()) }
/// ```
#[derive(Clone, Copy)]
pub struct Of<T>(PhantomData<T>);

impl<T> fmt::Debug for Of<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Of")
    }
}

impl<T: Default + Serialize> Of<T> {
    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// Whatever the serializer finds wrong.
    pub fn serialize<V: Serialize + ?Sized, Ser: Serializer>(
        value: &V,
        serializer: Ser,
    ) -> Result<Ser::Ok, Ser::Error> {
        if serializer.is_human_readable() {
            value.serialize(serializer)
        } else {
            serializer.serialize_newtype_struct(adapter::OF, &Sampled::<V, T> { value, sample: PhantomData })
        }
    }

    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// Whatever the deserializer finds wrong.
    pub fn deserialize<'de, V: Deserialize<'de>, De: Deserializer<'de>>(deserializer: De) -> Result<V, De::Error> {
        newtype::deserialize(adapter::OF, deserializer)
    }
}

/// A value, and beside it a sample, where our newtype asks for that.
struct Sampled<'a, V: ?Sized, T> {
    value: &'a V,
    sample: PhantomData<T>,
}

impl<V: Serialize + ?Sized, T: Default + Serialize> Serialize for Sampled<'_, V, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return self.value.serialize(serializer);
        }
        let mut both = serializer.serialize_tuple(2)?;
        both.serialize_element(self.value)?;
        both.serialize_element(&T::default())?;
        both.end()
    }
}
