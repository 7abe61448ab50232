//! The items of sequences and tuples, in the first of two passes over a value.

use crate::error::{Count, Error, Result};
use crate::ser::fast::{Alike, Batch, Loops as _, Seen};
use crate::ser::gather::Gather;
use crate::ser::probe::is_byte;
use crate::ser::trace::{Place, Tracer, unequal};
use crate::trace::{Kind, Numbers, Trace};
use serde::ser::{self, Serialize};

pub(crate) struct SequenceTracer<'t> {
    pub(crate) trace: &'t mut Trace,
    pub(crate) first: bool,
    pub(crate) count: u64,
    pub(crate) place: Place<'t>,
    pub(crate) gather: Gather,
    pub(crate) alike: Alike,
}

impl SequenceTracer<'_> {
    /// Whether an item, which is not the first, is like those before it: the fast way.
    #[inline]
    fn is_alike<T: Serialize + ?Sized>(&mut self, index: u64, value: &T) -> bool {
        let Place { pass, exact } = self.place;
        let Kind::Sequence { length, item } = &mut self.trace.kind else { return false };
        if !self.first && index >= *length {
            return false;
        }
        match &mut item.kind {
            Kind::Number(seen) if pass.scope().is_none() => match value.serialize(Seen) {
                Ok(new) if !exact || seen.covers(&new) => {
                    seen.merge(&new);
                    true
                }
                _ => false,
            },
            kind if !exact && pass.may_skip() && Alike::is_worth(kind) => self.alike.covers(value, pass),
            _ => false,
        }
    }

    /// Notes an item that has been traced.
    #[inline]
    fn traced<T: Serialize + ?Sized>(&mut self, value: &T) {
        let Place { pass, exact } = self.place;
        if let Kind::Sequence { item, .. } = &self.trace.kind
            && !exact
            && pass.may_skip()
            && Alike::is_worth(&item.kind)
        {
            self.alike.note(item, value, pass);
        }
    }

    #[cold]
    fn ragged(&self, expected: u64) -> Error {
        unequal(expected, self.count).against(&self.trace.first)
    }
}

impl SequenceTracer<'_> {
    /// All items: what a sequence that is at hand as a whole is spared is the way back to its loop for each.
    pub(crate) fn all<T: Serialize>(&mut self, items: impl Iterator<Item = T>) -> Result<()> {
        let mut items = items;
        loop {
            let batch = self.pass_over(items);
            self.count = self.count.saturating_add(batch.done as u64);
            items = batch.items;
            let Some(item) = batch.odd.or_else(|| items.next()) else {
                self.note_type::<T>();
                return Ok(());
            };
            self.alike.expect(items.size_hint().0);
            self.item(&item)?;
        }
    }

    /// Notes the type of items of which there are none, where it makes text or bytes of the sequence and not an axis.
    fn note_type<T>(&mut self) {
        if !is_byte::<T>() {
            return;
        }
        if self.count == 0 {
            self.gather.expect_bytes();
        }
        if let Kind::Sequence { item, .. } = &mut self.trace.kind
            && self.place.pass.shape_only
            && matches!(item.kind, Kind::Unseen)
        {
            item.kind = Kind::Number(Numbers::u8(0));
        }
    }

    /// Passes over items that are like those before them.
    fn pass_over<I: Iterator<Item: Serialize>>(&mut self, mut items: I) -> Batch<I> {
        let Place { pass, exact } = self.place;
        let Kind::Sequence { length, item } = &mut self.trace.kind else { return Batch { items, done: 0, odd: None } };
        if self.gather.is_gathering() {
            return Batch { items, done: 0, odd: None };
        }
        // Counted on beyond the length, so that the end tells how many there were.
        if !self.first && self.count >= *length || pass.shape_only && self.count > 0 {
            let done = items.by_ref().count();
            return Batch { items, done, odd: None };
        }
        match &mut item.kind {
            Kind::Number(seen) if pass.scope().is_none() => I::Item::see(seen, exact, items),
            kind if !exact && pass.may_skip() && Alike::is_worth(kind) => self.alike.cover(items, pass),
            _ => Batch { items, done: 0, odd: None },
        }
    }

    /// An item that tells something new.
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.count;
        self.count = index.saturating_add(1);
        let Place { pass, exact } = self.place;
        if self.gather.is_gathering() {
            if self.gather.take(value).map_err(|error| error.at_index(index))? {
                return Ok(());
            }
            self.first = Tracer { trace: &mut *self.trace, pass, exact }.begin_sequence()?;
        }
        if pass.shape_only && index > 0 {
            return Ok(());
        }
        let Kind::Sequence { length, item } = &mut self.trace.kind else { return Ok(()) };
        if !self.first && index >= *length {
            return Ok(());
        }
        if let Some(last) = pass.indices.borrow_mut().last_mut() {
            *last = index;
        }
        value.serialize(Tracer { trace: item, pass, exact }).map_err(|error| error.at_index(index))?;
        self.traced(value);
        Ok(())
    }
}

impl ser::SerializeSeq for SequenceTracer<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        if self.is_alike(self.count, value) {
            self.count = self.count.saturating_add(1);
            return Ok(());
        }
        self.item(value)
    }

    fn end(mut self) -> Result<()> {
        let Place { pass, exact } = self.place;
        pass.indices.borrow_mut().pop();
        pass.leave();
        let count = self.count;
        if self.gather.is_gathering() {
            let gather = std::mem::replace(&mut self.gather, Gather::Items);
            let mut tracer = Tracer { trace: &mut *self.trace, pass, exact };
            match gather.end(false, pass.checks())? {
                Some(kind) => return tracer.leaf(kind),
                None => self.first = tracer.begin_sequence()?,
            }
        }
        match &mut self.trace.kind {
            Kind::Sequence { length, .. } if self.first => *length = count,
            Kind::Sequence { length, .. } if *length != count => {
                let expected = *length;
                return Err(self.ragged(expected));
            }
            _ => {}
        }
        Ok(())
    }
}

pub(crate) struct TupleTracer<'t> {
    pub(crate) trace: &'t mut Trace,
    pub(crate) first: bool,
    pub(crate) length: usize,
    pub(crate) next: usize,
    pub(crate) place: Place<'t>,
    pub(crate) gather: Gather,
}

impl TupleTracer<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.next;
        self.next = index.saturating_add(1);
        let Place { pass, exact } = self.place;
        let position = u64::try_from(index).unwrap_or(u64::MAX);
        if self.gather.is_gathering() {
            if self.gather.take(value).map_err(|error| error.at_index(position))? {
                return Ok(());
            }
            self.first = Tracer { trace: &mut *self.trace, pass, exact }.begin_tuple(self.length)?;
        }
        if let Some(last) = pass.indices.borrow_mut().last_mut() {
            *last = position;
        }
        let Kind::Tuple { length, items } = &mut self.trace.kind else { return Ok(()) };
        if items.is_empty() {
            items.push(Trace::default());
        }
        let shared = items.len() == 1 && *length > 1;
        if shared && let Some(item) = items.first_mut() {
            // The very first item sets the type; the others must be of the same one to share its trace.
            let fresh = self.first && index == 0;
            let (depth, level) = (pass.depth.get(), pass.indices.borrow().len());
            let tried = value.serialize(Tracer { trace: item, pass, exact: exact || !fresh });
            let Err(error) = tried else { return Ok(()) };
            if exact || fresh {
                return Err(error.at_index(position));
            }
            // The attempt was left half-way.
            pass.depth.set(depth);
            pass.indices.borrow_mut().truncate(level);
            let filled = if self.first { index } else { *length };
            let alike = item.clone();
            items.resize(filled, alike);
            items.resize_with(*length, Trace::default);
        }
        match items.get_mut(index) {
            Some(item) => {
                value.serialize(Tracer { trace: item, pass, exact }).map_err(|error| error.at_index(position))
            }
            // Counted on, so that the end tells how many there were.
            None => Ok(()),
        }
    }

    fn close(self) -> Result<()> {
        let Place { pass, exact } = self.place;
        pass.indices.borrow_mut().pop();
        pass.leave();
        if self.gather.is_gathering() {
            let mut tracer = Tracer { trace: self.trace, pass, exact };
            match self.gather.end(true, pass.checks())? {
                Some(kind) => tracer.leaf(kind)?,
                None => {
                    tracer.begin_tuple(self.length)?;
                }
            }
        }
        match &self.trace.kind {
            Kind::Tuple { length, .. } if *length != self.next => {
                Err(Error::data(format!("expected a tuple of {}, found {}", Count(*length, "item"), self.next)))
            }
            _ => Ok(()),
        }
    }
}

impl ser::SerializeTuple for TupleTracer<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

impl ser::SerializeTupleStruct for TupleTracer<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}
