//! Nested vectors into an [`Array`] and out of it.

use crate::array::Array;
use crate::error::{Count, Error, Result};
use crate::limits::Limits;

/// A nested `Vec` of elements `T`: `Vec<T>`, `Vec<Vec<T>>` and so on, to four axes.
///
/// # Examples
///
/// ```
/// use serde_npy::Array;
///
/// # fn main() -> serde_npy::Result<()> {
/// let array: Array<f32> = Array::from_nested(vec![vec![1.0, 2.0], vec![3.0, 4.0]])?;
/// assert_eq!(array.into_nested::<Vec<Vec<f32>>>()?, [[1.0, 2.0], [3.0, 4.0]]);
/// # Ok(()) }
/// ```
pub trait Nested<T>: private::Sealed<T> {}

mod private {
    use crate::error::Result;

    pub trait Sealed<T>: Sized {
        /// How many axes it has.
        const NDIM: usize;
        /// Appends the lengths of the axes, as the first items have them.
        fn shape(&self, shape: &mut Vec<u64>);
        /// Appends the elements, if the lengths are these.
        fn flatten(self, shape: &[u64], data: &mut Vec<T>) -> Result<()>;
        /// Takes as many elements as the lengths ask for.
        fn nest(shape: &[u64], data: &mut dyn Iterator<Item = T>) -> Self;
    }
}

impl<T> private::Sealed<T> for Vec<T> {
    const NDIM: usize = 1;

    fn shape(&self, shape: &mut Vec<u64>) {
        shape.push(count(self.len()));
    }

    fn flatten(self, shape: &[u64], data: &mut Vec<T>) -> Result<()> {
        check(shape, self.len())?;
        data.extend(self);
        Ok(())
    }

    fn nest(shape: &[u64], data: &mut dyn Iterator<Item = T>) -> Self {
        data.take(length(shape)).collect()
    }
}

impl<T> Nested<T> for Vec<T> {}

macro_rules! nested {
    ($($inner:ty;)*) => {$(
        impl<T> private::Sealed<T> for Vec<$inner> {
            const NDIM: usize = 1 + <$inner as private::Sealed<T>>::NDIM;

            fn shape(&self, shape: &mut Vec<u64>) {
                shape.push(count(self.len()));
                match self.first() {
                    Some(first) => private::Sealed::<T>::shape(first, shape),
                    None => shape.resize(shape.len().saturating_add(<$inner as private::Sealed<T>>::NDIM), 0),
                }
            }

            fn flatten(self, shape: &[u64], data: &mut Vec<T>) -> Result<()> {
                check(shape, self.len())?;
                let inner = shape.get(1..).unwrap_or_default();
                self.into_iter()
                    .zip(0..)
                    .try_for_each(|(item, index)| item.flatten(inner, data).map_err(|error| error.at_index(index)))
            }

            fn nest(shape: &[u64], data: &mut dyn Iterator<Item = T>) -> Self {
                let inner = shape.get(1..).unwrap_or_default();
                (0..length(shape)).map(|_| private::Sealed::<T>::nest(inner, data)).collect()
            }
        }

        impl<T> Nested<T> for Vec<$inner> {}
    )*};
}

nested! {
    Vec<T>;
    Vec<Vec<T>>;
    Vec<Vec<Vec<T>>>;
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

fn length(shape: &[u64]) -> usize {
    shape.first().and_then(|&length| usize::try_from(length).ok()).unwrap_or(0)
}

fn check(shape: &[u64], found: usize) -> Result<()> {
    match shape.first() {
        Some(&expected) if expected != count(found) => Err(Error::data(format!(
            "expected {}, found {found}; the lengths of an axis must be equal",
            Count(expected, "item")
        ))),
        _ => Ok(()),
    }
}

/// Refuses vectors which no element stands for, and so no byte of a file.
fn check_empty(shape: &[u64]) -> Result<()> {
    let most = Limits::default().empty_items;
    let mut outer = shape.split(|&length| length == 0);
    let vectors = outer.next().unwrap_or_default().iter().fold(1u64, |count, &length| count.saturating_mul(length));
    if outer.next().is_none() || vectors <= most {
        return Ok(());
    }
    Err(Error::limit(format!("an array without elements in over {}", Count(most, "vector"))))
}

impl<T> Array<T> {
    /// An array of the elements of nested vectors, in C order.
    ///
    /// # Errors
    ///
    /// The lengths along an axis are not equal.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Array;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let array: Array<u8> = Array::from_nested(vec![vec![1, 2, 3], vec![4, 5, 6]])?;
    /// assert_eq!(array.shape(), [2, 3]);
    ///
    /// let ragged = Array::<u8>::from_nested(vec![vec![1, 2], vec![3]]);
    /// assert_eq!(
    ///     ragged.unwrap_err().to_string(),
    ///     "expected 2 items, found 1; the lengths of an axis must be equal (at `[1]`)"
    /// );
    /// # Ok(()) }
    /// ```
    pub fn from_nested<N: Nested<T>>(nested: N) -> Result<Array<T>> {
        let mut shape = Vec::with_capacity(N::NDIM);
        nested.shape(&mut shape);
        let mut data = Vec::new();
        nested.flatten(&shape, &mut data)?;
        Array::new(shape, data)
    }

    /// The elements as nested vectors, in logical order whatever the order of storage.
    ///
    /// # Errors
    ///
    /// The number of axes is another one, or there are no elements, but over 2<sup>20</sup> vectors that would hold them: an
    /// array may be of any shape then, and [`shape`](Array::shape) tells it.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Array;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let array = Array::in_fortran_order(vec![2, 2], vec![1, 3, 2, 4])?;
    /// assert_eq!(array.into_nested::<Vec<Vec<i32>>>()?, [[1, 2], [3, 4]]);
    /// # Ok(()) }
    /// ```
    pub fn into_nested<N: Nested<T>>(self) -> Result<N> {
        if self.ndim() != N::NDIM {
            return Err(Error::data(format!(
                "expected an array of {}, found one of {}",
                Count(N::NDIM, "axis"),
                self.ndim()
            )));
        }
        let shape = self.shape().to_vec();
        check_empty(&shape)?;
        Ok(N::nest(&shape, &mut self.into_logical_order()))
    }
}
