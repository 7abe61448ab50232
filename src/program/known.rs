//! What a tier knows of the elements that it reads or writes, and when it gives up.

use crate::program::ops::Program;
use std::sync::Arc;

/// How many elements make the learning worth while.
pub(crate) const WORTH: u64 = 8;
/// How many misses are put up with, and after them one in how many elements.
const MISSES: u64 = 64;
const MISSES_PER: u64 = 8;
/// Bytes of streams that are made at a time, so that they are still in the nearest cache when they are read.
const STREAMS: usize = 16 << 10;
/// Bytes of elements of which streams are made at a time: they are gone through once for each field.
const ELEMENTS: usize = 128 << 10;

/// The program, if there is one, and how it has done.
pub(crate) struct Known<S> {
    program: Option<Arc<Program<S>>>,
    /// Whether the fast tier has nothing to offer.
    refused: bool,
    /// How many elements were taken by each tier.
    fast: u64,
    slow: u64,
}

impl<S> Default for Known<S> {
    fn default() -> Self {
        Known { program: None, refused: false, fast: 0, slow: 0 }
    }
}

impl<S> Known<S> {
    #[inline]
    pub(crate) fn program(&self) -> Option<&Arc<Program<S>>> {
        self.program.as_ref()
    }

    /// Whether an element, of which `left` more follow, is one to learn from.
    pub(crate) fn is_to_learn(&self, left: u64) -> bool {
        self.program.is_none() && !self.refused && left.max(self.slow) >= WORTH
    }

    /// Settles on a program, or on none.
    pub(crate) fn settle(&mut self, program: Option<Program<S>>) {
        self.refused = program.is_none();
        self.program = program.map(Arc::new);
    }

    /// Leaves everything to the slow tier from here on.
    pub(crate) fn refuse(&mut self) {
        self.settle(None);
    }

    /// Notes elements that the fast tier has taken.
    #[inline]
    pub(crate) fn took(&mut self, count: usize) {
        self.fast = self.fast.wrapping_add(count as u64);
    }

    /// Notes an element that the slow tier has taken.
    pub(crate) fn missed(&mut self) {
        self.slow = self.slow.saturating_add(1);
        let is_frequent = self.slow > MISSES && self.slow.saturating_mul(MISSES_PER) > self.fast;
        if self.program.is_some() && is_frequent {
            self.refuse();
        }
    }
}

impl<S> Program<S> {
    /// How many streams are made at a time.
    pub(crate) fn streams_at_a_time(&self) -> usize {
        (STREAMS / self.stride.max(1)).min(ELEMENTS / self.itemsize.max(1)).max(1)
    }
}
