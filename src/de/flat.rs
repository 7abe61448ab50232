//! All elements of an array one after the other, for those who bring its shape.

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
    /// Where the elements do not simply follow each other, and are taken row by row.
    turns: Option<Turns>,
}

/// From the end of a row, which runs along the last axis, to the start of the next.
struct Turns {
    /// The indices of the row along the other axes.
    indices: Vec<u64>,
    /// How many elements are behind, and how many there are.
    number: u64,
    size: u64,
}

impl<'a, 'de> Elements<'a, 'de> {
    /// In the order of the file for [`Array`](crate::Array), which keeps it; in C order for `ndarray`.
    pub(crate) fn new(array: &'a mut Cursor<'de>, depth: usize, start: u64, whose: Whose) -> Self {
        let shape = array.header.shape().get(depth..).unwrap_or_default();
        // Cannot saturate: the product was checked with the header.
        let size = shape.iter().fold(1u64, |size, &length| size.saturating_mul(length));
        let fortran_order = !array.in_order && array.header.fortran_order() && whose == Whose::Ours && depth == 0;
        let follow = array.in_order || fortran_order;
        if follow {
            return Elements { row: Row::new(array, start, 1, size), depth, start, fortran_order, turns: None };
        }
        let length = shape.last().copied().unwrap_or(0);
        let stride = array.strides.last().copied().unwrap_or(0);
        let turns = Turns { indices: vec![0; shape.len().saturating_sub(1)], number: 0, size };
        Elements { row: Row::new(array, start, stride, length), depth, start, fortran_order, turns: Some(turns) }
    }

    /// How many elements are behind, and how many there are.
    fn progress(&self) -> (u64, u64) {
        match &self.turns {
            None => self.row.progress(),
            Some(turns) => (turns.number, turns.size),
        }
    }

    /// Counts the next element; if the row is at its end, that is the first of the next row.
    #[inline]
    fn advance(&mut self) {
        let Some(turns) = &mut self.turns else { return };
        turns.number = turns.number.saturating_add(1);
        let (next, length) = self.row.progress();
        if next >= length {
            self.turn();
        }
    }

    #[inline(never)]
    fn turn(&mut self) {
        let Some(Turns { indices, .. }) = &mut self.turns else { return };
        let axes = |all: &[u64]| all.get(self.depth..).unwrap_or_default().to_vec();
        let (shape, strides) = (axes(self.row.array.header.shape()), axes(&self.row.array.strides));
        // The last axis is that of the row.
        for (index, length) in indices.iter_mut().zip(shape).rev() {
            *index = index.saturating_add(1);
            if *index < length {
                break;
            }
            *index = 0;
        }
        let steps = indices.iter().zip(strides);
        let start = steps.fold(self.start, |start, (index, step)| start.saturating_add(index.saturating_mul(step)));
        self.row.restart(start);
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
        let (number, size) = self.progress();
        if number >= size {
            return Ok(None);
        }
        self.advance();
        match self.row.element(seed) {
            Ok(value) => Ok(value),
            Err(error) => {
                let number = usize::try_from(number).unwrap_or(usize::MAX);
                let at = if self.fortran_order { at_fortran_indices } else { at_indices };
                Err(at(error, number, &self.shape()))
            }
        }
    }

    fn left(&self) -> u64 {
        let (next, size) = self.progress();
        size.saturating_sub(next)
    }

    fn in_runs(&self) -> Option<Leaf> {
        match &*self.row.array.plan {
            Node::Leaf(leaf) if self.turns.is_none() => Some(*leaf),
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
