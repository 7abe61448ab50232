//! All elements of an array one after the other, for those who bring its shape.

use crate::de::access::deserialize_part;
use crate::de::cursor::Cursor;
use crate::de::row::Row;
use crate::de::shaped::{Flat, at_fortran_indices, at_indices};
use crate::de::source::Source;
use crate::error::Result;
use crate::nd::Whose;
use crate::plan::{Leaf, Node};
use serde::de::DeserializeSeed;

/// The elements from an axis on.
pub(crate) struct Elements<'a, 'de> {
    row: Row<'a, 'de>,
    depth: usize,
    /// The position in the file of the first element.
    start: u64,
    fortran_order: bool,
    /// The indices of the next element, where it does not simply follow the one before.
    indices: Option<Vec<u64>>,
}

impl<'a, 'de> Elements<'a, 'de> {
    /// In the order of the file for [`Array`](crate::Array), which keeps it; in C order for `ndarray`.
    pub(crate) fn new(array: &'a mut Cursor<'de>, depth: usize, start: u64, whose: Whose) -> Self {
        let shape = array.header.shape().get(depth..).unwrap_or_default();
        // Cannot saturate: the product was checked with the header.
        let size = shape.iter().fold(1u64, |size, &length| size.saturating_mul(length));
        let fortran_order = !array.in_order && array.header.fortran_order() && whose == Whose::Ours && depth == 0;
        let follow = array.in_order || fortran_order;
        let indices = (!follow).then(|| vec![0; shape.len()]);
        Elements { row: Row::new(array, start, 1, size), depth, start, fortran_order, indices }
    }

    /// The position in the file of an element that does not simply follow the one before.
    fn advance(&mut self) -> Option<u64> {
        let indices = self.indices.as_mut()?;
        let strides = self.row.array.strides.get(self.depth..).unwrap_or_default();
        let steps =
            indices.iter().zip(strides).fold(0u64, |sum, (i, step)| sum.saturating_add(i.saturating_mul(*step)));
        let shape = self.row.array.header.shape().get(self.depth..).unwrap_or_default();
        for (index, length) in indices.iter_mut().zip(shape).rev() {
            *index = index.saturating_add(1);
            if *index < *length {
                break;
            }
            *index = 0;
        }
        Some(self.start.saturating_add(steps))
    }
}

impl<'de> Flat<'de> for Elements<'_, 'de> {
    fn shape(&self) -> Vec<u64> {
        self.row.array.header.shape().get(self.depth..).unwrap_or_default().to_vec()
    }

    fn fortran_order(&self) -> bool {
        self.fortran_order
    }

    #[inline]
    fn next<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let (number, size) = self.row.progress();
        if number >= size {
            return Ok(None);
        }
        let found = match self.advance() {
            None => self.row.element(seed),
            Some(position) => {
                self.row.skip_to(number.saturating_add(1));
                self.row.array.element(position).and_then(|element| deserialize_part(element, seed)).map(Some)
            }
        };
        match found {
            Ok(value) => Ok(value),
            Err(error) => {
                let number = usize::try_from(number).unwrap_or(usize::MAX);
                let at = if self.fortran_order { at_fortran_indices } else { at_indices };
                Err(at(error, number, &self.shape()))
            }
        }
    }

    fn left(&self) -> u64 {
        let (next, size) = self.row.progress();
        size.saturating_sub(next)
    }

    fn in_runs(&self) -> Option<Leaf> {
        match &*self.row.array.plan {
            Node::Leaf(leaf) if self.indices.is_none() => Some(*leaf),
            _ => None,
        }
    }

    fn run(&mut self) -> Result<&[u8]> {
        self.row.run()
    }

    fn held(&self) -> u64 {
        if matches!(self.row.array.source, Source::Blocks(_)) { 0 } else { self.left() }
    }
}
