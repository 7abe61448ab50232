//! Slices of a type out of a view, where the memory of the type is what the file has.

use crate::error::{Error, Result};
use crate::view::borrowed::View;
use crate::view::layout::{axes_of, axes_within};
use crate::view::place::{is_packed, within};
use bytemuck::AnyBitPattern;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

impl<'a> View<'a> {
    /// The elements as a slice, without copying: needs the feature `bytemuck`.
    ///
    /// For numbers and for records whose struct has in memory what the file has: the same fields by name and in the same
    /// order, of the same kinds and widths, without padding, in the byteorder of this machine. This is proved before the
    /// slice is handed out, by writing values of known bytes; `T` needs `#[repr(C)]`, since the compiler may order the
    /// fields of other structs as it likes. What is proved holds if `T` is written in the same way whatever its value,
    /// as it is with a derived `Serialize`.
    ///
    /// An array of several axes gives its elements in C order; a `T` that is an array, such as `[f32; 3]`, takes the last
    /// axes with it. An array in Fortran order has no such slice, but its [`transpose`](View::transpose) has.
    ///
    /// # Errors
    ///
    /// The type or the file is not as said above, or the data does not lie at a multiple of the alignment of `T`. The
    /// error tells what differs; [`to_cow`](View::to_cow) decodes in its place.
    ///
    /// # Examples
    ///
    /// ```
    /// use bytemuck::AnyBitPattern;
    /// use serde::Serialize;
    /// use serde_npy::View;
    ///
    /// #[derive(Serialize, Clone, Copy, AnyBitPattern)]
    /// #[repr(C)]
    /// struct Tick {
    ///     time: i64,
    ///     price: f64,
    /// }
    ///
    /// # #[repr(align(64))] struct Aligned([u8; 160]);
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[Tick { time: 1, price: 10.5 }, Tick { time: 2, price: 10.25 }])?;
    /// # let file = Aligned(file.try_into().unwrap()).0;
    /// let view = View::new(&file)?; // or a memory map, which is aligned
    /// let ticks: &[Tick] = view.as_slice()?;
    /// assert_eq!(ticks[1].price, 10.25);
    ///
    /// assert_eq!(
    ///     view.field(&["price"])?.as_slice::<f64>().unwrap_err().to_string(),
    ///     "expected elements that follow each other, found gaps between them; use `records`, `column` or `to_cow`, which \
    ///      decode"
    /// );
    /// # Ok(()) }
    /// ```
    pub fn as_slice<T: AnyBitPattern + Serialize>(&self) -> Result<&'a [T]> {
        self.slice_of().map_err(|error| self.placed(error))
    }

    /// The elements as a slice where that can be ([`as_slice`](View::as_slice)), else decoded, in C order.
    ///
    /// # Errors
    ///
    /// The elements do not fit the type, or there are more without a byte than
    /// [`Limits::empty_items`](crate::Limits#structfield.empty_items).
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{View, WriteOptions};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let big = serde_npy::to_vec_with(&[1.5f32, 2.5], &WriteOptions::default().dtype(">f4".parse()?))?;
    /// assert_eq!(*View::new(&big)?.to_cow::<f32>()?, [1.5, 2.5]); // decoded
    /// # Ok(()) }
    /// ```
    pub fn to_cow<T: AnyBitPattern + Serialize + Deserialize<'a>>(&self) -> Result<Cow<'a, [T]>> {
        if let Ok(slice) = self.slice_of() {
            return Ok(Cow::Borrowed(slice));
        }
        let within = axes_of::<T>(self.dtype(), self.shape()).map_err(|error| self.placed(error))?;
        let mut all = Vec::new();
        if self.has_any(within)? {
            self.flatten(within, &mut all)?;
        }
        Ok(Cow::Owned(all))
    }

    fn slice_of<T: AnyBitPattern + Serialize>(&self) -> Result<&'a [T]> {
        axes_within::<T>(self.dtype(), self.shape())?;
        let itemsize = u64::try_from(self.dtype().itemsize()).unwrap_or(u64::MAX);
        if !is_packed(self.shape(), self.strides(), itemsize, false) {
            let why = if self.header().fortran_order() {
                "expected elements in C order, found them in Fortran order; use `transpose`, or `to_cow`, which decodes"
            } else {
                "expected elements that follow each other, found gaps between them; use `records`, `column` or \
                 `to_cow`, which decode"
            };
            return Err(Error::data(why));
        }
        let place = within::<usize>(0, self.header().data_len());
        let bytes = place.and_then(|place| self.data().get(place)).unwrap_or_default();
        if bytes.is_empty() {
            return Ok(&[]);
        }
        bytemuck::try_cast_slice(bytes).map_err(|_| {
            Error::data(format!(
                "expected data at a multiple of {} bytes in memory, found it elsewhere, as members of archives by NumPy may lie; \
                 use `records` or `to_cow`, which decode",
                align_of::<T>()
            ))
        })
    }

    /// Whether there is an element with the last axes in it; refuses too many that take no bytes, which are read row by row.
    fn has_any(&self, within: usize) -> Result<bool> {
        let (outer, inner) = self.shape().split_at_checked(self.ndim().saturating_sub(within)).unwrap_or_default();
        let limits = self.limits();
        let count = outer.iter().fold(1u64, |count, &length| count.saturating_mul(length));
        let takes_none = self.dtype().itemsize() == 0 || inner.contains(&0);
        if outer.contains(&0) {
            Ok(false)
        } else if takes_none && count > limits.empty_items {
            Err(self.placed(limits.too_many_empty()))
        } else {
            Ok(true)
        }
    }

    /// Appends the elements in C order, each with as many of the last axes as stand within it.
    fn flatten<T: Deserialize<'a>>(&self, within: usize, all: &mut Vec<T>) -> Result<()> {
        if self.ndim().saturating_sub(within) == 0 {
            all.push(self.deserialize()?);
            return Ok(());
        }
        if self.ndim().saturating_sub(within) == 1 {
            all.append(&mut self.records(..)?);
            return Ok(());
        }
        (0..self.len())
            .try_for_each(|index| self.row(index)?.flatten(within, all).map_err(|error| error.at_index(index)))
    }
}
