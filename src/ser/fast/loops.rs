//! The loops over items, methods of their type.
//!
//! That is what lets the compiler keep a loop with the type's own code, and inline the one into the other: a free
//! function takes several times as long. For the same reason they are not marked for inlining, have no closures or
//! adapters around the call, and are the only places that call it. Nor do they end in two ways: what does not
//! change from item to item, most of all the ops, is then looked at once.
//!
//! A reference is an item as well: those of a sequence are held in front of the loop that writes them.

use crate::plan::Leaf;
use crate::program::{Due, Program};
use crate::ser::fast::cursor::{Cursor, ONE, WRITE};
use crate::ser::fast::number::{Put, Seen};
use crate::trace::Numbers;
use serde::Serialize;

/// What a loop leaves.
pub(crate) struct Batch<I: Iterator> {
    /// The items that are left.
    pub(crate) items: I,
    /// How many items went through.
    pub(crate) done: usize,
    /// The one after these, which did not.
    pub(crate) odd: Option<I::Item>,
}

pub(crate) trait Loops: Serialize + Sized {
    /// Writes items until one is a miss: how many.
    fn encode(program: &Program<Due>, items: &[Self], streams: &mut [u8]) -> usize;

    /// Passes over items that would be written.
    fn check<I: Iterator<Item = Self>>(program: &Program<Due>, items: I) -> Batch<I>;

    /// Writes numbers of just the dtype, as long as there is room.
    fn put<I: Iterator<Item = Self>>(leaf: Leaf, items: I, room: &mut [u8]) -> Batch<I>;

    /// Looks at numbers; `exact` says whether they must be of the types that were seen.
    fn see<I: Iterator<Item = Self>>(seen: &mut Numbers, exact: bool, items: I) -> Batch<I>;
}

impl<T: Serialize> Loops for T {
    #[inline(never)]
    fn encode(program: &Program<Due>, items: &[Self], streams: &mut [u8]) -> usize {
        let mut done = 0usize;
        for (item, stream) in items.iter().zip(streams.chunks_exact_mut(program.stride.max(1))) {
            let mut cursor = Cursor::<WRITE>::new(program, stream);
            match item.serialize(cursor.part()) {
                Ok(()) if cursor.is_done() => done = done.wrapping_add(1),
                _ => break,
            }
        }
        done
    }

    #[inline(never)]
    fn check<I: Iterator<Item = Self>>(program: &Program<Due>, mut items: I) -> Batch<I> {
        let mut done = 0usize;
        while let Some(item) = items.next() {
            let mut cursor = Cursor::<0>::new(program, &mut []);
            match item.serialize(cursor.part()) {
                Ok(()) if cursor.is_done() => done = done.wrapping_add(1),
                _ => return Batch { items, done, odd: Some(item) },
            }
        }
        Batch { items, done, odd: None }
    }

    #[inline(never)]
    fn put<I: Iterator<Item = Self>>(leaf: Leaf, mut items: I, room: &mut [u8]) -> Batch<I> {
        let mut done = 0usize;
        let mut room = room;
        while !room.is_empty() {
            let Some(item) = items.next() else { break };
            match item.serialize(Put { leaf, room: &mut room }) {
                Ok(()) => done = done.wrapping_add(1),
                Err(_) => return Batch { items, done, odd: Some(item) },
            }
        }
        Batch { items, done, odd: None }
    }

    #[inline(never)]
    fn see<I: Iterator<Item = Self>>(seen: &mut Numbers, exact: bool, mut items: I) -> Batch<I> {
        let mut all = *seen;
        let mut done = 0usize;
        let mut odd = None;
        for item in items.by_ref() {
            match item.serialize(Seen) {
                Ok(new) if !exact || all.covers(&new) => all.merge(&new),
                _ => {
                    odd = Some(item);
                    break;
                }
            }
            done = done.wrapping_add(1);
        }
        *seen = all;
        Batch { items, done, odd }
    }
}

/// One item at a time, for those who are handed no more; methods of its type for the same reason.
pub(crate) trait Each: Serialize {
    /// Writes a record; `false` is a miss.
    fn encode_one(&self, program: &Program<Due>, stream: &mut [u8]) -> bool;

    /// Whether a record would be written.
    fn check_one(&self, program: &Program<Due>) -> bool;
}

impl<T: Serialize + ?Sized> Each for T {
    #[inline(never)]
    fn encode_one(&self, program: &Program<Due>, stream: &mut [u8]) -> bool {
        let mut cursor = Cursor::<{ ONE | WRITE }>::new(program, stream);
        matches!(self.serialize(cursor.part()), Ok(())) && cursor.is_done()
    }

    #[inline(never)]
    fn check_one(&self, program: &Program<Due>) -> bool {
        let mut cursor = Cursor::<ONE>::new(program, &mut []);
        matches!(self.serialize(cursor.part()), Ok(())) && cursor.is_done()
    }
}
