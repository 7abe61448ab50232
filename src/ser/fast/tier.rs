//! When the fast tier writes, and what becomes of what it cannot.

use crate::io::clear;
use crate::plan::Node;
use crate::program::{self, Due, Known, Learner, Miss, Program};
use crate::ser::fast::learn::Learn;
use crate::ser::fast::loops::{Each, Loops};
use serde::Serialize;
use std::any::type_name;
use std::cell::RefCell;

/// What a type's value tells of the elements of a dtype; `None` where the fast tier has nothing to offer.
pub(crate) fn learn<T: Serialize + ?Sized>(node: &Node, value: &T) -> Option<Program<Due>> {
    if node.itemsize() == 0 || program::is_off() {
        return None;
    }
    let learner = RefCell::new(Learner::of_writing(node));
    let done = value.serialize(Learn { learner: &learner, readable: false });
    done.ok().and_then(|()| learner.into_inner().finish(node.itemsize()))
}

/// The name of a type, which references to it share.
fn name_of<T: ?Sized>() -> &'static str {
    type_name::<T>().trim_start_matches('&')
}

/// What is known of the elements that are being written, as values of the type that came last.
#[derive(Default)]
pub(crate) struct Tier {
    known: Known<Due>,
    type_name: &'static str,
    streams: Vec<u8>,
}

impl Tier {
    /// Notes that the slow tier has written an element.
    pub(crate) fn missed(&mut self) {
        self.known.missed();
    }

    fn is_of<T: ?Sized>(&self) -> bool {
        let name = name_of::<T>();
        std::ptr::eq(self.type_name, name) || self.type_name == name
    }

    /// Learns from a record, of which `left` more follow, if nothing is known of its type and that is worth while.
    #[inline]
    fn prepare<T: Serialize + ?Sized>(&mut self, node: &Node, record: &T, left: u64) {
        if !self.is_of::<T>() {
            *self = Tier { type_name: name_of::<T>(), ..Tier::default() };
        }
        if self.known.is_to_learn(left) {
            self.known.settle(learn(node, record));
        }
    }

    /// Writes records until one is out of the ordinary: how many. What it has written of that one is zeroed again.
    pub(crate) fn write<T: Loops>(&mut self, node: &Node, records: &[T], left: u64, block: &mut [u8]) -> usize {
        let Some(first) = records.first() else { return 0 };
        self.prepare(node, first, left);
        let Some(program) = self.known.program() else { return 0 };
        Miss::was_seen();
        let done = if program.moves.is_none() {
            let done = T::encode(program, records, block);
            let start = done.saturating_mul(program.itemsize);
            if done < records.len() {
                clear(block.get_mut(start..start.saturating_add(program.itemsize)).unwrap_or_default());
            }
            done
        } else {
            scattered(program, records, block, &mut self.streams)
        };
        self.known.took(done);
        if Miss::was_seen() {
            // What is made of one is not what the slow tier's error would have made.
            self.known.refuse();
        }
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
            clear(slot);
            return false;
        }
        if done {
            self.known.took(1);
        } else {
            clear(slot);
        }
        done
    }
}

/// Writes records by way of streams.
fn scattered<T: Loops>(program: &Program<Due>, records: &[T], block: &mut [u8], streams: &mut Vec<u8>) -> usize {
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
