//! Elements that follow one another, along an axis or all of them.

use crate::de::cursor::Cursor;
use crate::de::element::Element;
use crate::de::fast::{Found, Ready, Tier};
use crate::de::next::{Next, Same, Upcoming};
use crate::de::record::Record;
use crate::de::source::Source;
use crate::error::{Error, Result};
use crate::io::Bytes;
use crate::plan::{Coding, Leaf, Node};
use serde::de::{Deserialize, DeserializeSeed, SeqAccess};
use std::any::type_name;
use std::rc::Rc;

/// Elements of an array at equal distances.
pub(crate) struct Row<'a, 'de> {
    pub(crate) array: &'a mut Cursor<'de>,
    next: u64,
    length: u64,
    /// Where in the file the first element is, and how far neighbours lie apart.
    start: u64,
    stride: u64,
    itemsize: usize,
    /// The bytes from the next element on, where they lie in memory one behind the other.
    held: &'de [u8],
    /// What the elements are, if they are scalars.
    leaf: Option<Leaf>,
    /// Whether the elements are records outside any helper.
    are_records: bool,
    /// What is known of the elements as values of the type that was asked for last.
    tier: Option<Rc<Tier>>,
    ready: Option<Ready>,
}

impl<'a, 'de> Row<'a, 'de> {
    /// `length` elements from a position in the file, neighbours `stride` apart.
    pub(crate) fn new(array: &'a mut Cursor<'de>, start: u64, stride: u64, length: u64) -> Self {
        let itemsize = array.plan.itemsize();
        let held = held(array, start, stride, length);
        let (leaf, are_records) = match &*array.plan {
            Node::Leaf(leaf) => (Some(*leaf), false),
            Node::Struct(_) => (None, array.context.scope().is_none()),
            Node::Array(_) => (None, false),
        };
        Row { array, next: 0, length, start, stride, itemsize, held, leaf, are_records, tier: None, ready: None }
    }

    /// As many elements from another position on.
    pub(crate) fn restart(&mut self, start: u64) {
        (self.start, self.next) = (start, 0);
        self.held = held(self.array, start, self.stride, self.length);
    }

    /// Makes an element the next one.
    pub(crate) fn skip_to(&mut self, index: u64) {
        let bytes = index.saturating_sub(self.next).saturating_mul(u64::try_from(self.itemsize).unwrap_or(u64::MAX));
        self.held = self.held.get(usize::try_from(bytes).unwrap_or(usize::MAX)..).unwrap_or_default();
        self.next = index;
    }

    /// How many elements are behind, and how many there are.
    pub(crate) fn progress(&self) -> (u64, u64) {
        (self.next, self.length)
    }

    fn position(&self) -> u64 {
        self.start.saturating_add(self.next.saturating_mul(self.stride))
    }

    /// The bytes of the next element, a number, which does not lie behind the one before.
    #[inline(never)]
    fn fetch<const N: usize>(&self) -> Option<[u8; N]> {
        self.array.number(self.position(), 0)
    }

    /// Counts an element that is taken.
    #[inline(always)]
    fn count(&mut self) {
        self.next = self.next.saturating_add(1);
        self.held = self.held.get(self.itemsize..).unwrap_or_default();
    }

    /// The next element, which is taken.
    fn take(&mut self) -> Result<Element<'_, 'de>> {
        let position = self.position();
        self.count();
        self.array.element(position)
    }

    /// The error of an element with its place.
    #[cold]
    fn placed(&self, index: u64, error: Error) -> Error {
        self.array.place(self.start.saturating_add(index.saturating_mul(self.stride)), error)
    }

    /// What becomes of an element that is an error, or was not looked at: it is behind all the same.
    #[cold]
    #[inline(never)]
    fn odd<V>(&mut self, index: u64, found: Result<V>) -> Result<Option<V>> {
        let left = if self.next == index { self.take().map(|_| ()) } else { Ok(()) };
        self.next = index.saturating_add(1);
        found.and_then(|value| left.map(|()| Some(value))).map_err(|error| self.placed(index, error))
    }

    /// The next element by whatever takes one; errors say where in the file it is, not which.
    #[inline]
    pub(crate) fn element<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.step(|next| seed.deserialize(next), |error, _| error)
    }

    // Always inlined, with what it calls: a value that comes out of memory in other pieces than it went there has to be
    // waited for.
    #[inline(always)]
    fn step<V>(
        &mut self,
        take: impl FnOnce(Next<'_, Self>) -> Result<V>,
        at: impl FnOnce(Error, u64) -> Error,
    ) -> Result<Option<V>> {
        let index = self.next;
        if index >= self.length {
            return Ok(None);
        }
        if self.held.is_empty()
            && let Err(error) = self.array.ready()
        {
            // Not an error of this element, and not one that comes again and again to a type that goes on.
            self.next = index.saturating_add(1);
            return Err(error);
        }
        match take(Next { from: &mut *self }) {
            Ok(value) if self.next != index => Ok(Some(value)),
            found => self.odd(index, found).map_err(|error| at(error, index)),
        }
    }

    /// The bytes of elements that follow one another, in one piece: all that are left, or as many as a block has.
    pub(crate) fn run(&mut self) -> Result<&[u8]> {
        let (position, left) = (self.position(), self.length.saturating_sub(self.next));
        let run = self.array.elements(position, left)?.bytes.get();
        let count = run.len().checked_div(self.itemsize).map_or(left, |count| u64::try_from(count).unwrap_or(left));
        self.next = self.next.saturating_add(count.max(1));
        self.held = self.held.get(run.len()..).unwrap_or_default();
        Ok(run)
    }

    /// A record, which has a faster way if it is told by its type.
    #[inline(always)] // A value that is handed on by one function more is moved once more.
    fn record<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        if self.next >= self.length {
            return Ok(None);
        }
        if let Some(ready) = &mut self.ready
            && ready.is_for::<T>()
        {
            let block = match &self.array.source {
                Source::Blocks(blocks) => Bytes::Transient(blocks.peek(1)),
                _ => Bytes::Borrowed(self.held.get(..self.itemsize).unwrap_or_default()),
            };
            if block.get().len() == self.itemsize
                && let Found::Value(value) = ready.read(block, &self.array.context.options)
            {
                if let Source::Blocks(blocks) = &mut self.array.source {
                    blocks.advance(1);
                }
                self.count();
                return Ok(Some(value));
            }
        }
        self.record_slowly()
    }

    #[inline(never)]
    fn record_slowly<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        let (index, position, left) = (self.next, self.position(), self.length.saturating_sub(self.next));
        self.end();
        self.count();
        let element = self.array.element(position)?;
        let tier = match &self.tier {
            Some(tier) if tier.is_for::<T>(element.node) => tier,
            _ => self.tier.insert(element.context.tier::<T>(element.node)),
        };
        let found = T::read_one(tier, element, left);
        self.ready = tier.ready();
        found.map(Some).map_err(|error| error.at_index(index))
    }

    /// Tells what has become of the elements.
    pub(crate) fn end(&mut self) {
        if let (Some(tier), Some(ready)) = (&self.tier, self.ready.take()) {
            tier.took(ready.taken());
        }
    }
}

/// The bytes of elements, where they lie in memory one behind the other.
pub(crate) fn held<'de>(array: &Cursor<'de>, start: u64, stride: u64, length: u64) -> &'de [u8] {
    let step = array.itemsize();
    let (data, is_packed, first): (&'de [u8], _, _) = match array.source {
        Source::Slice { data, .. } => (data, stride == 1, start.saturating_mul(step)),
        Source::Places { data } => (data, stride == step, start),
        Source::Blocks(_) | Source::Buffer { .. } => (&[], false, 0),
    };
    let end = first.saturating_add(length.saturating_mul(step));
    let range = usize::try_from(first).ok().zip(usize::try_from(end).ok()).filter(|_| is_packed);
    range.and_then(|(first, end)| data.get(first..end)).unwrap_or_default()
}

/// Whether a type is a number, which the compiler knows by its name, and leaves out what is for others.
#[inline(always)]
fn is_number<T>() -> bool {
    matches!(type_name::<T>(), "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "f32" | "f64")
}

impl<'de> Upcoming<'de> for Row<'_, 'de> {
    #[inline(always)]
    fn number<const N: usize>(&mut self, coding: Coding) -> Option<([u8; N], bool)> {
        let big = match &self.leaf {
            Some(leaf) if leaf.coding == coding => leaf.big,
            _ => return None,
        };
        let bytes = if let Some((bytes, rest)) = self.held.split_first_chunk() {
            self.held = rest;
            *bytes
        } else if let Source::Blocks(blocks) = &mut self.array.source {
            blocks.number()?
        } else {
            self.fetch()?
        };
        self.next = self.next.wrapping_add(1);
        Some((bytes, big))
    }

    #[inline]
    fn numbers(&self) -> Option<(Coding, bool)> {
        self.leaf.map(|leaf| (leaf.coding, leaf.big))
    }

    #[inline]
    fn peek<const N: usize>(&self) -> Option<[u8; N]> {
        match (self.held.first_chunk(), &self.array.source) {
            (Some(bytes), _) => Some(*bytes),
            (None, Source::Blocks(blocks)) => blocks.peek(1).first_chunk().copied(),
            (None, _) => self.fetch(),
        }
    }

    #[inline]
    fn pass(&mut self) {
        if let Source::Blocks(blocks) = &mut self.array.source {
            blocks.advance(1);
        }
        self.count();
    }

    #[inline]
    fn element(&mut self) -> Result<Element<'_, 'de>> {
        self.take()
    }

    fn is_readable(&self) -> bool {
        self.array.context.is_readable()
    }
}

impl<'de> SeqAccess<'de> for Row<'_, 'de> {
    type Error = Error;

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        if is_number::<T>() {
            if self.next < self.length
                && let Ok(value) = T::deserialize(Same { from: &mut *self })
            {
                return Ok(Some(value));
            }
        } else if self.are_records {
            return self.record();
        }
        self.step(|next| T::deserialize(next), Error::at_index)
    }

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.step(|next| seed.deserialize(next), Error::at_index)
    }

    fn size_hint(&self) -> Option<usize> {
        usize::try_from(self.length.saturating_sub(self.next)).ok()
    }
}
