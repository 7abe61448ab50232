//! When the fast tier reads, and what becomes of what it cannot.

use crate::de::element::Element;
use crate::de::fast::cursor::Cursor;
use crate::io::Bytes;
use crate::options::ReadOptions;
use crate::plan::Node;
use crate::program::{self, Known, Learner, Miss, Op, Program, Recorder};
use serde::de::Deserialize;
use std::any::type_name;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

/// Whether a type has a name, which most often is the very same string.
#[inline(always)]
fn is_named<T>(name: &'static str) -> bool {
    let own = type_name::<T>();
    std::ptr::eq(own, name) || own == name
}

/// What is known of the elements of one dtype as values of one type.
pub(crate) struct Tier {
    node: *const Node,
    type_name: &'static str,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    known: Known<Op>,
    /// Streams of the elements at hand.
    streams: Vec<u8>,
}

impl Tier {
    pub(crate) fn new(node: &Node, type_name: &'static str) -> Self {
        Tier { node, type_name, state: RefCell::default() }
    }

    #[inline]
    pub(crate) fn is_for<T>(&self, node: &Node) -> bool {
        std::ptr::eq(self.node, node) && is_named::<T>(self.type_name)
    }

    /// Whether the next element, which the slow tier reads, is one to learn from.
    pub(crate) fn is_to_learn(&self, left: u64) -> bool {
        self.state.borrow().known.is_to_learn(left) && !program::is_off()
    }

    /// Learns from the calls for an element.
    pub(crate) fn learn(&self, element: Element<'_, '_>, calls: &Recorder) {
        let node = element.node;
        let mut learner = Learner::of_reading(node, element.context.options.round_floats);
        calls.tell(&mut learner);
        self.state.borrow_mut().known.settle(learner.finish(node.itemsize()));
    }

    /// What the elements at hand can be read with, without a look at anything else.
    pub(crate) fn ready(&self) -> Option<Ready> {
        let program = Arc::clone(self.state.borrow().known.program()?);
        Some(Ready { program, type_name: self.type_name, streams: Vec::new(), taken: 0 })
    }

    /// Notes elements that were read so.
    pub(crate) fn took(&self, count: usize) {
        let state = &mut *self.state.borrow_mut();
        state.known.took(count);
        if Miss::was_seen() {
            // What was made of it is not what the slow tier's error would have made.
            state.known.refuse();
        }
    }

    /// Notes that the slow tier has read an element.
    pub(crate) fn missed(&self) {
        self.state.borrow_mut().known.missed();
    }

    /// Reads elements of a range of the block until one is out of the ordinary: how many.
    ///
    /// The first element is always left to the slow tier, which finds out whether the type takes offence at fields that
    /// it does not know.
    pub(crate) fn read<'de, T: Decode<'de>>(
        &self,
        block: Element<'_, 'de>,
        range: Range<u64>,
        out: &mut Vec<T>,
    ) -> u64 {
        let state = &mut *self.state.borrow_mut();
        let place = |index: u64| usize::try_from(index).unwrap_or(usize::MAX).saturating_mul(block.node.itemsize());
        let (start, end) = (place(range.start), place(range.end));
        let all = block.bytes.get();
        let all = all.get(..end).unwrap_or(all);
        let before = out.len();
        Miss::was_seen();
        let Some(program) = state.known.program() else { return 0 };
        let run = Run { program, options: &block.context.options, block: block.bytes };
        let done = if program.moves.is_none() {
            T::decode(&run, all.get(start..).unwrap_or_default(), start, out)
        } else {
            run.gathered(all, start, &mut state.streams, out)
        };
        if Miss::was_seen() {
            // What was made of it is not what the slow tier's error would have made.
            out.truncate(before);
            state.known.refuse();
            return 0;
        }
        state.known.took(done);
        u64::try_from(done).unwrap_or(0)
    }

    /// Reads an element, if it is not out of the ordinary.
    // Always inlined: a value that is handed on by one function more is moved once more, in pieces that the next has to
    // wait for.
    #[inline(always)]
    pub(crate) fn read_one<'de, T: Decode<'de>>(&self, element: Element<'_, 'de>) -> Found<T> {
        let state = &mut *self.state.borrow_mut();
        let Some(program) = state.known.program() else { return Found::Miss };
        let Some(stream) = stream_of(program, element.bytes.get(), &mut state.streams) else { return Found::Miss };
        let run = Run { program, options: &element.context.options, block: element.bytes };
        let found = T::decode_one(&run, stream);
        if Miss::was_seen() {
            // What was made of it is not what the slow tier's error would have made.
            state.known.refuse();
            return Found::Miss;
        }
        state.known.took(1);
        found
    }
}

/// A program at hand for the elements of one type, one at a time.
pub(crate) struct Ready {
    program: Arc<Program<Op>>,
    type_name: &'static str,
    streams: Vec<u8>,
    taken: usize,
}

impl Ready {
    #[inline(always)]
    pub(crate) fn is_for<T>(&self) -> bool {
        is_named::<T>(self.type_name)
    }

    /// How many elements were read.
    pub(crate) fn taken(&self) -> usize {
        self.taken
    }

    /// Reads an element, if it is not out of the ordinary.
    #[inline(always)] // As `read_one`.
    pub(crate) fn read<'de, T: Decode<'de>>(&mut self, block: Bytes<'_, 'de>, options: &ReadOptions) -> Found<T> {
        let program = &*self.program;
        let Some(stream) = stream_of(program, block.get(), &mut self.streams) else { return Found::Miss };
        self.taken = self.taken.wrapping_add(1);
        T::decode_one(&Run { program, options, block }, stream)
    }
}

/// The stream of one element, if all of its numbers have an equal there.
#[inline(always)] // As `read_one`, which most often takes the first way.
fn stream_of<'s>(program: &Program<Op>, element: &'s [u8], streams: &'s mut Vec<u8>) -> Option<&'s [u8]> {
    if program.moves.is_none() { Some(element) } else { gathered(program, element, streams) }
}

fn gathered<'s>(program: &Program<Op>, element: &[u8], streams: &'s mut Vec<u8>) -> Option<&'s [u8]> {
    streams.resize(program.stride, 0);
    (program.gather(element, streams) == 1).then_some(streams)
}

/// What the elements of a block are read with.
pub(crate) struct Run<'p, 'de> {
    program: &'p Program<Op>,
    pub(crate) options: &'p ReadOptions,
    pub(crate) block: Bytes<'p, 'de>,
}

/// An element, or none.
///
/// Laid out so that whether there is one is not told by a value that no `bool` in it has: the element is then copied
/// around that byte, in pieces that none of its fields was stored as.
#[repr(C)]
pub(crate) enum Found<T> {
    Miss,
    Value(T),
}

impl<'de> Run<'_, 'de> {
    /// Reads elements out of streams that are made of them first.
    fn gathered<T: Decode<'de>>(&self, all: &[u8], from: usize, streams: &mut Vec<u8>, out: &mut Vec<T>) -> usize {
        let Program { itemsize, stride, .. } = *self.program;
        let most = self.program.streams_at_a_time();
        let elements = all.get(from..).unwrap_or_default();
        let mut done = 0usize;
        for chunk in elements.chunks(most.saturating_mul(itemsize).max(1)) {
            let count = chunk.len().checked_div(itemsize).unwrap_or(0);
            streams.resize(count.saturating_mul(stride), 0);
            let whole = self.program.gather(chunk, streams).saturating_mul(stride);
            let start = from.saturating_add(done.saturating_mul(itemsize));
            let read = T::decode(self, streams.get(..whole).unwrap_or_default(), start, out);
            done = done.saturating_add(read);
            if read < count {
                break;
            }
        }
        done
    }
}

/// The loop over elements, a method of their type.
///
/// That is what lets the compiler keep the loop with the type's own code, and inline the one into the other: a free
/// function takes four times as long. For the same reason it is not marked for inlining, has no closures or adapters
/// around the call, and is the only place that calls it.
pub(crate) trait Decode<'de>: Deserialize<'de> {
    /// Reads one element.
    fn decode_one<'p>(run: &'p Run<'p, 'de>, stream: &'p [u8]) -> Found<Self>
    where
        'de: 'p;

    /// Appends elements until one is a miss: how many.
    fn decode<'p>(run: &'p Run<'p, 'de>, streams: &'p [u8], start: usize, out: &mut Vec<Self>) -> usize
    where
        'de: 'p;
}

impl<'de, T: Deserialize<'de>> Decode<'de> for T {
    #[inline(never)]
    fn decode_one<'p>(run: &'p Run<'p, 'de>, stream: &'p [u8]) -> Found<Self>
    where
        'de: 'p,
    {
        let program = run.program;
        let mut cursor = Cursor::<true> { program, run, stream, at: 0, readable: false, start: 0 };
        match T::deserialize(&mut cursor) {
            Ok(value) if cursor.at == program.length => Found::Value(value),
            _ => Found::Miss,
        }
    }

    #[inline(never)]
    fn decode<'p>(run: &'p Run<'p, 'de>, streams: &'p [u8], start: usize, out: &mut Vec<Self>) -> usize
    where
        'de: 'p,
    {
        let program = run.program;
        let mut start = start;
        let mut done = 0usize;
        for stream in streams.chunks_exact(program.stride.max(1)) {
            let mut cursor = Cursor::<false> { program, run, stream, at: 0, readable: false, start };
            match T::deserialize(&mut cursor) {
                Ok(value) => {
                    // All ops, and nothing else: user code may have swallowed a miss.
                    if cursor.at != program.length {
                        break;
                    }
                    out.push(value);
                    done = done.wrapping_add(1);
                    start = start.wrapping_add(program.itemsize);
                }
                Err(Miss) => break,
            }
        }
        done
    }
}
