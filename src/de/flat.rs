//! All elements of an array one after the other, for those who bring its shape.

use crate::de::access::deserialize_part;
use crate::de::cursor::Cursor;
use crate::de::shaped::{Flat, at_fortran_indices, at_indices};
use crate::de::source::Source;
use crate::error::Result;
use crate::nd::Whose;
use crate::plan::{Leaf, Node};
use serde::de::DeserializeSeed;

/// The elements from an axis on.
pub(crate) struct Elements<'a, 'de> {
    array: &'a mut Cursor<'de>,
    depth: usize,
    /// The position in the file of the first element.
    start: u64,
    next: u64,
    size: u64,
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
        Elements { array, depth, start, next: 0, size, fortran_order, indices }
    }

    /// The position in the file of the next element, and one step on.
    fn advance(&mut self) -> u64 {
        let next = self.next;
        self.next = next.saturating_add(1);
        let Some(indices) = &mut self.indices else { return self.start.saturating_add(next) };
        let strides = self.array.strides.get(self.depth..).unwrap_or_default();
        let steps =
            indices.iter().zip(strides).fold(0u64, |sum, (i, step)| sum.saturating_add(i.saturating_mul(*step)));
        let shape = self.array.header.shape().get(self.depth..).unwrap_or_default();
        for (index, length) in indices.iter_mut().zip(shape).rev() {
            *index = index.saturating_add(1);
            if *index < *length {
                break;
            }
            *index = 0;
        }
        self.start.saturating_add(steps)
    }
}

impl<'de> Flat<'de> for Elements<'_, 'de> {
    fn shape(&self) -> Vec<u64> {
        self.array.header.shape().get(self.depth..).unwrap_or_default().to_vec()
    }

    fn fortran_order(&self) -> bool {
        self.fortran_order
    }

    #[inline]
    fn next<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let number = self.next;
        if number >= self.size {
            return Ok(None);
        }
        let position = self.advance();
        match self.array.element(position).and_then(|element| deserialize_part(element, seed)) {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                let number = usize::try_from(number).unwrap_or(usize::MAX);
                let at = if self.fortran_order { at_fortran_indices } else { at_indices };
                Err(at(error, number, &self.shape()))
            }
        }
    }

    fn left(&self) -> u64 {
        self.size.saturating_sub(self.next)
    }

    fn in_runs(&self) -> Option<Leaf> {
        match &*self.array.plan {
            Node::Leaf(leaf) if self.indices.is_none() => Some(*leaf),
            _ => None,
        }
    }

    fn run(&mut self) -> Result<&[u8]> {
        let (position, left) = (self.start.saturating_add(self.next), self.left());
        let itemsize = self.array.itemsize();
        let run = self.array.elements(position, left)?.bytes.get();
        let count = u64::try_from(run.len()).unwrap_or(u64::MAX).checked_div(itemsize).unwrap_or(left);
        self.next = self.next.saturating_add(count.max(1));
        Ok(run)
    }

    fn held(&self) -> u64 {
        if matches!(self.array.source, Source::Blocks(_)) { 0 } else { self.left() }
    }
}
