//! [`Array`]: a shape and its elements, without nested vectors.

use crate::bulk::Elements;
use crate::error::{Count, Error, Result};
use serde::{de, ser};
use serde_derive::{Deserialize, Serialize};

/// An array of any number of axes: its shape, its elements in one `Vec`, and their order.
///
/// Use it where the number of axes is not known, where nested vectors cost too much, or to hand the elements on to a
/// crate for matrices: [`shape`](Array::shape) and [`into_data`](Array::into_data) are all that these need. A file in
/// Fortran order is read, and written again, in that order.
///
/// The elements are of any type that serde knows, records included; numbers are read in bulk where the dtype is that of the
/// type. To be read, they must own what they hold (`T: 'static`): `String`, not `&str`. In other formats it is a struct of
/// `shape`, `fortran_order` and `data`.
///
/// # Examples
///
/// ```
/// use serde_npy::Array;
///
/// # fn main() -> serde_npy::Result<()> {
/// let array = Array::new(vec![2, 3], vec![1, 2, 3, 4, 5, 6])?;
/// assert_eq!(array.get(&[1, 0]), Some(&4));
///
/// let bytes = serde_npy::to_vec(&array)?;
/// assert_eq!(serde_npy::Header::read(&bytes[..])?.shape(), [2, 3]);
/// assert_eq!(serde_npy::from_slice::<Array<i32>>(&bytes)?, array);
/// assert_eq!(serde_npy::from_slice::<Vec<[i32; 3]>>(&bytes)?, [[1, 2, 3], [4, 5, 6]]);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Array<T> {
    shape: Vec<u64>,
    fortran_order: bool,
    data: Vec<T>,
}

impl<T> Array<T> {
    /// An array of elements in C order, the index of the last axis running fastest.
    ///
    /// # Errors
    ///
    /// There are more or fewer elements than the shape has room for.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Array;
    ///
    /// assert_eq!(
    ///     Array::new(vec![2, 2], vec![1.0, 2.0, 3.0]).unwrap_err().to_string(),
    ///     "expected 4 elements for an array of shape [2, 2], found 3"
    /// );
    /// ```
    pub fn new(shape: Vec<u64>, data: Vec<T>) -> Result<Array<T>> {
        Array::in_order(shape, data, false)
    }

    /// An array of elements in Fortran order, the index of the first axis running fastest.
    ///
    /// # Errors
    ///
    /// There are more or fewer elements than the shape has room for.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Array;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let array = Array::in_fortran_order(vec![2, 3], vec![1, 4, 2, 5, 3, 6])?;
    /// assert_eq!(array.get(&[1, 0]), Some(&4));
    /// assert_eq!(array.iter().copied().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    /// assert!(serde_npy::Header::read(&serde_npy::to_vec(&array)?[..])?.fortran_order());
    /// # Ok(()) }
    /// ```
    pub fn in_fortran_order(shape: Vec<u64>, data: Vec<T>) -> Result<Array<T>> {
        Array::in_order(shape, data, true)
    }

    fn in_order(shape: Vec<u64>, data: Vec<T>, fortran_order: bool) -> Result<Array<T>> {
        let size = if shape.contains(&0) {
            Some(0)
        } else {
            shape.iter().try_fold(1u64, |size, &length| size.checked_mul(length))
        };
        if size.is_none() || size != u64::try_from(data.len()).ok() {
            let size =
                size.map_or_else(|| "more than 2^64 elements".to_owned(), |size| Count(size, "element").to_string());
            return Err(Error::data(format!("expected {size} for an array of shape {shape:?}, found {}", data.len())));
        }
        Ok(Array { shape, fortran_order, data })
    }

    /// The lengths of the axes.
    #[must_use]
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// How many axes there are.
    #[must_use]
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// Whether the index of the first axis runs fastest in [`data`](Array::data).
    #[must_use]
    pub fn fortran_order(&self) -> bool {
        self.fortran_order
    }

    /// The elements in the order in which they are stored: see [`fortran_order`](Array::fortran_order).
    #[must_use]
    pub fn data(&self) -> &[T] {
        &self.data
    }

    /// The elements in the order in which they are stored, to be changed.
    pub fn data_mut(&mut self) -> &mut [T] {
        &mut self.data
    }

    /// Gives the elements up, in the order in which they are stored.
    #[must_use]
    pub fn into_data(self) -> Vec<T> {
        self.data
    }

    /// The element at an index for each axis; `None` beyond the shape or for another number of indices.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Array;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let array = Array::new(vec![2, 2], vec!['a', 'b', 'c', 'd'])?;
    /// assert_eq!(array.get(&[0, 1]), Some(&'b'));
    /// assert_eq!(array.get(&[2, 0]), None);
    /// assert_eq!(array.get(&[1]), None);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn get(&self, index: &[u64]) -> Option<&T> {
        if index.len() != self.shape.len() {
            return None;
        }
        let step = |position: Option<u64>, (&i, &length): (&u64, &u64)| {
            if i < length { position?.checked_mul(length)?.checked_add(i) } else { None }
        };
        let axes = index.iter().zip(&self.shape);
        let position = if self.fortran_order { axes.rev().fold(Some(0), step) } else { axes.fold(Some(0), step) };
        self.data.get(usize::try_from(position?).ok()?)
    }

    /// The elements in logical order, the index of the last axis running fastest, whatever the order of storage.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Array;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let array = Array::in_fortran_order(vec![2, 2], vec![1, 3, 2, 4])?;
    /// assert!(array.iter().eq(&[1, 2, 3, 4]));
    /// # Ok(()) }
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.positions().filter_map(|position| self.data.get(position))
    }

    /// The elements by value in logical order.
    pub(crate) fn into_logical_order(self) -> impl Iterator<Item = T> {
        let positions: Vec<usize> = if self.fortran_order { self.positions().collect() } else { Vec::new() };
        let mut data: Vec<Option<T>> = self.data.into_iter().map(Some).collect();
        let size = data.len();
        (0..size).filter_map(move |number| {
            let position = if positions.is_empty() { number } else { positions.get(number).copied()? };
            data.get_mut(position)?.take()
        })
    }

    /// Where the elements stand in logical order.
    fn positions(&self) -> impl Iterator<Item = usize> + use<T> {
        // In C order they follow each other, as along one axis.
        let axes: Vec<(u64, u64)> = if self.fortran_order {
            let mut step = 1u64;
            let stride = |&length: &u64| {
                let stride = step;
                step = step.saturating_mul(length);
                (length, stride)
            };
            self.shape.iter().map(stride).collect()
        } else {
            vec![(u64::try_from(self.data.len()).unwrap_or(u64::MAX), 1)]
        };
        (0..self.data.len()).filter_map(move |number| {
            let mut rest = u64::try_from(number).unwrap_or(u64::MAX);
            let position = axes.iter().rev().fold(0u64, |position, &(length, stride)| {
                let index = rest.checked_rem(length).unwrap_or(0);
                rest = rest.checked_div(length).unwrap_or(0);
                position.saturating_add(index.saturating_mul(stride))
            });
            usize::try_from(position).ok()
        })
    }
}

/// How an array looks to serde; the name and the fields are those of [`nd`](crate::nd).
#[derive(Serialize, Deserialize)]
#[serde(rename = "__serde_npy_Array")]
struct Parts<S, D> {
    shape: S,
    fortran_order: bool,
    data: D,
}

impl<T: ser::Serialize> ser::Serialize for Array<T> {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (shape, fortran_order) = (&self.shape, self.fortran_order);
        // In C order to the writer of `.npy`, which puts each element into its place; as they are to other formats.
        if fortran_order && !serializer.is_human_readable() {
            Parts { shape, fortran_order, data: InLogicalOrder(self) }.serialize(serializer)
        } else {
            Parts { shape, fortran_order, data: &self.data }.serialize(serializer)
        }
    }
}

struct InLogicalOrder<'a, T>(&'a Array<T>);

impl<T: ser::Serialize> ser::Serialize for InLogicalOrder<'_, T> {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter())
    }
}

impl<'de, T: de::Deserialize<'de> + 'static> de::Deserialize<'de> for Array<T> {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Parts { shape, fortran_order, data: Elements(data) } = de::Deserialize::deserialize(deserializer)?;
        Array::in_order(shape, data, fortran_order).map_err(de::Error::custom)
    }
}
