//! When the fast tier writes, and what becomes of what it cannot.

use crate::plan::Node;
use crate::program::{self, Known, Learner, Miss, Program};
use crate::ser::fast::cursor::{Cursor, ONE, WRITE};
use crate::ser::fast::learn::Learn;
use serde::Serialize;
use std::any::type_name;
use std::cell::RefCell;

/// What a type's value tells of the elements of a dtype; `None` where the fast tier has nothing to offer.
pub(crate) fn learn<T: Serialize + ?Sized>(node: &Node, value: &T) -> Option<Program> {
    if node.itemsize() == 0 || program::is_off() {
        return None;
    }
    let learner = RefCell::new(Learner::new(node, true));
    let done = value.serialize(Learn { learner: &learner, readable: false });
    done.ok().and_then(|()| learner.into_inner().finish(node.itemsize()))
}

/// What is known of the elements that are being written, as values of the type that came last.
#[derive(Default)]
pub(crate) struct Tier {
    known: Known,
    type_name: &'static str,
    streams: Vec<u8>,
}

impl Tier {
    /// Notes that the slow tier has written an element.
    pub(crate) fn missed(&mut self) {
        self.known.missed();
    }

    /// Learns from a record, of which `left` more follow, if nothing is known of its type and that is worth while.
    #[inline]
    fn prepare<T: Serialize + ?Sized>(&mut self, node: &Node, record: &T, left: u64) {
        let name = type_name::<T>();
        if !std::ptr::eq(self.type_name, name) && self.type_name != name {
            *self = Tier { type_name: name, ..Tier::default() };
        }
        if self.known.is_to_learn(left) {
            self.known.settle(learn(node, record));
        }
    }

    /// Writes records until one is out of the ordinary: how many. What it has written of that one is zeroed again.
    pub(crate) fn write<T: Encode>(&mut self, node: &Node, records: &[T], block: &mut [u8]) -> usize {
        let Some(first) = records.first() else { return 0 };
        self.prepare(node, first, u64::try_from(records.len()).unwrap_or(u64::MAX));
        let Some(program) = self.known.program() else { return 0 };
        Miss::was_seen();
        let done = if program.moves.is_none() {
            let done = T::encode(program, records, block);
            let start = done.saturating_mul(program.itemsize);
            let missed = block.get_mut(start..start.saturating_add(program.itemsize));
            if done < records.len() {
                missed.unwrap_or_default().fill(0);
            }
            done
        } else {
            scattered(program, records, block, &mut self.streams)
        };
        if Miss::was_seen() {
            // What was made of it is not what the slow tier's error would have made.
            block.fill(0);
            self.known.refuse();
            return 0;
        }
        self.known.took(done);
        done
    }

    /// Writes one record into the zeroed bytes of its element, if it is not out of the ordinary; else they are zeroed
    /// again.
    pub(crate) fn write_one<T: Each + ?Sized>(&mut self, node: &Node, record: &T, left: u64, slot: &mut [u8]) -> bool {
        self.prepare(node, record, left);
        let Some(program) = self.known.program() else { return false };
        let done = if program.moves.is_none() {
            record.encode_one(program, slot)
        } else {
            self.streams.resize(program.stride, 0);
            let done = record.encode_one(program, &mut self.streams);
            for numbers in program.moves.iter().flatten() {
                numbers.scatter(&self.streams, program.stride, slot, program.itemsize);
            }
            done
        };
        if Miss::was_seen() && done {
            // What was made of it is not what the slow tier's error would have made.
            self.known.refuse();
            slot.fill(0);
            return false;
        }
        if done {
            self.known.took(1);
        } else {
            slot.fill(0);
        }
        done
    }
}

/// Writes records by way of streams.
fn scattered<T: Encode>(program: &Program, records: &[T], block: &mut [u8], streams: &mut Vec<u8>) -> usize {
    let Program { itemsize, stride, .. } = *program;
    let most = program.streams_at_a_time();
    let mut done = 0usize;
    for (chunk, elements) in records.chunks(most).zip(block.chunks_mut(most.saturating_mul(itemsize).max(1))) {
        streams.resize(chunk.len().saturating_mul(stride), 0);
        let written = T::encode(program, chunk, streams);
        let whole = written.saturating_mul(stride);
        for numbers in program.moves.iter().flatten() {
            numbers.scatter(streams.get(..whole).unwrap_or_default(), stride, elements, itemsize);
        }
        done = done.saturating_add(written);
        if written < chunk.len() {
            break;
        }
    }
    done
}

/// The loops over records, methods of their type.
///
/// That is what lets the compiler keep the loop with the type's own code, and inline the one into the other: a free
/// function takes several times as long. For the same reason they are not marked for inlining, have no closures or
/// adapters around the call, and are the only places that call it.
pub(crate) trait Encode: Serialize + Sized {
    /// Writes records until one is a miss: how many.
    fn encode(program: &Program, records: &[Self], streams: &mut [u8]) -> usize;

    /// Counts records until one is a miss, which would not be written.
    fn check(program: &Program, records: &[Self]) -> usize;
}

impl<T: Serialize> Encode for T {
    #[inline(never)]
    fn encode(program: &Program, records: &[Self], streams: &mut [u8]) -> usize {
        let mut done = 0usize;
        for (record, stream) in records.iter().zip(streams.chunks_exact_mut(program.stride.max(1))) {
            let mut cursor = Cursor::<WRITE> { program, stream, at: 0, keys: 0, readable: false };
            match record.serialize(&mut cursor) {
                // All ops under all keys, and nothing else: user code may have swallowed a miss.
                Ok(()) if cursor.at == program.length && cursor.keys == program.keys => done = done.wrapping_add(1),
                _ => break,
            }
        }
        done
    }

    #[inline(never)]
    fn check(program: &Program, records: &[Self]) -> usize {
        let mut done = 0usize;
        for record in records {
            let mut cursor = Cursor::<0> { program, stream: &mut [], at: 0, keys: 0, readable: false };
            match record.serialize(&mut cursor) {
                Ok(()) if cursor.at == program.length && cursor.keys == program.keys => done = done.wrapping_add(1),
                _ => break,
            }
        }
        done
    }
}

/// One record at a time, for those who are handed no more; methods of its type for the same reason.
pub(crate) trait Each: Serialize {
    /// Writes a record; `false` is a miss.
    fn encode_one(&self, program: &Program, stream: &mut [u8]) -> bool;

    /// Whether a record would be written.
    fn check_one(&self, program: &Program) -> bool;
}

impl<T: Serialize + ?Sized> Each for T {
    #[inline(never)]
    fn encode_one(&self, program: &Program, stream: &mut [u8]) -> bool {
        let mut cursor = Cursor::<{ ONE | WRITE }> { program, stream, at: 0, keys: 0, readable: false };
        matches!(self.serialize(&mut cursor), Ok(())) && cursor.at == program.length && cursor.keys == program.keys
    }

    #[inline(never)]
    fn check_one(&self, program: &Program) -> bool {
        let mut cursor = Cursor::<ONE> { program, stream: &mut [], at: 0, keys: 0, readable: false };
        matches!(self.serialize(&mut cursor), Ok(())) && cursor.at == program.length && cursor.keys == program.keys
    }
}
