//! The axes of an array as nested sequences, in logical order whatever the order of the file.

use crate::de::access::taken;
use crate::de::adapted::check_adapted;
use crate::de::columns::Table;
use crate::de::cursor::Cursor;
use crate::de::element::Element;
use crate::de::fast::Found;
use crate::de::flat::Elements;
use crate::de::row::Row;
use crate::de::rows::Rows;
use crate::de::shaped::Shaped;
use crate::de::source::Source;
use crate::de::words;
use crate::error::{Error, Result};
use crate::nd;
use crate::plan::{Coding, Leaf, Node};
use crate::with::Adapter;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Expected, SeqAccess, Visitor};
use std::marker::PhantomData;

/// The array from one of its axes on.
pub(crate) struct Axis<'a, 'de> {
    pub(crate) array: &'a mut Cursor<'de>,
    pub(crate) depth: usize,
    /// The position in the file of the first element from here.
    pub(crate) position: u64,
}

impl<'a, 'de> Axis<'a, 'de> {
    /// The whole array.
    pub(crate) fn whole(array: &'a mut Cursor<'de>) -> Self {
        Axis { array, depth: 0, position: 0 }
    }

    /// What lies at an index of this axis.
    pub(crate) fn item<T: Deserialize<'de>>(self, index: u64) -> Result<T> {
        let length = self.length().unwrap_or(0);
        let item = if self.is_last() {
            let mut row = self.row();
            row.skip_to(index);
            row.next_element()?
        } else {
            let mut steps = Steps::new(self);
            steps.skip_to(index);
            steps.next_element()?
        };
        item.ok_or_else(|| Error::data(format!("expected an index below {length}, found {index}")))
    }

    fn length(&self) -> Option<u64> {
        self.array.header.shape().get(self.depth).copied()
    }

    /// Whether what lies along this axis are elements.
    fn is_last(&self) -> bool {
        self.depth.saturating_add(1) == self.array.header.ndim()
    }

    /// The elements along this axis.
    fn row(self) -> Row<'a, 'de> {
        let length = self.length().unwrap_or(0);
        let stride = self.array.strides.get(self.depth).copied().unwrap_or(0);
        Row::new(self.array, self.position, stride, length)
    }

    /// Bytes of everything from an axis on, to tell whether there are any.
    fn bytes_from(&self, depth: usize) -> u64 {
        let inner = self.array.header.shape().get(depth..).unwrap_or_default();
        let empty = inner.contains(&0) || self.array.header.dtype().itemsize() == 0;
        u64::from(!empty)
    }

    /// Hands the one element, or the sequence along this axis, to a function each.
    fn element<V>(self, take: impl FnOnce(Element<'_, 'de>) -> Result<V>) -> Result<V> {
        let element = self.array.element(self.position)?;
        take(element).map_err(|error| element.place(error))
    }

    fn sequence<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let next = self.depth.saturating_add(1);
        let room = self.array.context.check_room(self.length().unwrap_or(0), self.bytes_from(next));
        // Rows have no place in the file, elements have.
        let is_last = self.is_last();
        room.map_err(|error| if is_last { error.at_offset(self.array.header.data_offset()) } else { error })?;
        let depth = self.depth;
        let (value, array, (next, length)) = if is_last {
            let mut row = self.row();
            let value = visitor.visit_seq(&mut row);
            row.end();
            let progress = row.progress();
            (value, row.array, progress)
        } else {
            let mut steps = Steps::new(self);
            steps.rows = Rows::new(steps.array, steps.depth, steps.start, steps.length);
            let value = visitor.visit_seq(&mut steps);
            if let Some(rows) = &mut steps.rows {
                rows.end();
            }
            (value, steps.array, (steps.next, steps.length))
        };
        let value = value.map_err(|error| error.found("sequence", || in_words(array, depth)))?;
        let count = |number| usize::try_from(number).unwrap_or(usize::MAX);
        taken(count(next), count(length), "item")?;
        Ok(value)
    }

    fn tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        match self.length() {
            Some(found) if u64::try_from(length).ok() == Some(found) => self.sequence(visitor),
            Some(found) => Err(serde::de::Error::invalid_length(
                usize::try_from(found).unwrap_or(usize::MAX),
                &visitor as &dyn Expected,
            )),
            None => self.element(|element| element.deserialize_tuple(length, visitor)),
        }
    }

    /// The bytes of an array of `|u1` of one axis, where they lie in one piece.
    fn bytes_of<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Some(length) = self.length() else {
            return self.element(|element| element.deserialize_bytes(visitor));
        };
        let is_bytes = matches!(*self.array.plan, Node::Leaf(Leaf { coding: Coding::U8, .. }));
        if !is_bytes || self.array.header.ndim() != self.depth.saturating_add(1) || !self.array.in_order {
            return self.sequence(visitor);
        }
        let array = self.array;
        if array.header.ndim() == 1 {
            array.hold_all()?;
        }
        let whole = |all: &[u8]| {
            let start = usize::try_from(self.position).ok()?;
            Some(start..start.checked_add(usize::try_from(length).ok()?)?.min(all.len()))
        };
        match &mut array.source {
            Source::Slice { data, .. } => {
                visitor.visit_borrowed_bytes(whole(data).and_then(|range| data.get(range)).unwrap_or_default())
            }
            Source::Buffer { data, .. } => {
                let bytes = whole(data).and_then(|range| data.get(range)).unwrap_or_default();
                visitor.visit_bytes(bytes).map_err(|error: Error| error.cannot_borrow("out of a reader"))
            }
            Source::Places { .. } => Err(Error::data("bytes that do not lie one after the other")),
            Source::Blocks(_) => {
                let mut bytes = Vec::new();
                for step in 0..length {
                    let element = array.source.element(&array.header, self.position.saturating_add(step))?;
                    bytes.extend_from_slice(element.get());
                }
                visitor.visit_byte_buf(bytes).map_err(|error: Error| error.cannot_borrow("out of a reader"))
            }
        }
    }

    /// The value of a helper.
    fn adapted<V: Visitor<'de>>(self, adapter: Adapter, visitor: V) -> Result<V::Value> {
        let Axis { array, depth, position } = self;
        check_adapted(&array.plan, adapter)?;
        let before = array.context.set_scope(Some(adapter));
        let value = visitor.visit_newtype_struct(Axis { array: &mut *array, depth, position });
        array.context.set_scope(before);
        value
    }

    #[cold]
    fn no_record(&self, visitor: &dyn Expected) -> Error {
        Error::data(format!("expected {visitor}, found {}", in_words(self.array, self.depth)))
    }
}

#[cold]
fn in_words(array: &Cursor<'_>, depth: usize) -> String {
    words::array(array.header.shape(), depth, array.plan.base())
}

/// The steps along an axis to others.
struct Steps<'a, 'de> {
    array: &'a mut Cursor<'de>,
    /// Of the axis within.
    depth: usize,
    next: u64,
    length: u64,
    /// Where in the file the first step starts, and how far the one behind it lies from there.
    start: u64,
    stride: u64,
    /// Where they may be taken as elements.
    rows: Option<Rows<'de>>,
}

impl<'a, 'de> Steps<'a, 'de> {
    fn new(axis: Axis<'a, 'de>) -> Self {
        let Axis { array, depth, position: start } = axis;
        let length = array.header.shape().get(depth).copied().unwrap_or(0);
        let stride = array.strides.get(depth).copied().unwrap_or(0);
        Steps { array, depth: depth.saturating_add(1), next: 0, length, start, stride, rows: None }
    }

    /// The next step as an element, if that tells how to take the others.
    fn learn<T: Deserialize<'de>>(&mut self) -> Option<T> {
        let position = self.start.saturating_add(self.next.saturating_mul(self.stride));
        let left = self.length.saturating_sub(self.next);
        let rows = self.rows.as_mut()?;
        let value = rows.learn(self.array, position, left);
        match value {
            Some(_) => self.next = self.next.saturating_add(1),
            None if rows.is_refused(self.array) => self.rows = None,
            None => {}
        }
        value
    }

    /// Makes a step the next one.
    fn skip_to(&mut self, index: u64) {
        self.next = index;
    }
}

impl<'de> SeqAccess<'de> for Steps<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        if self.next < self.length
            && let Some(rows) = &mut self.rows
        {
            if let Found::Value(value) = rows.read(self.array) {
                self.next = self.next.saturating_add(1);
                return Ok(Some(value));
            }
            if let Some(value) = self.learn() {
                return Ok(Some(value));
            }
        }
        self.next_element_seed(PhantomData)
    }

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let index = self.next;
        if index >= self.length {
            return Ok(None);
        }
        if let Some(rows) = &mut self.rows {
            rows.pass();
        }
        // Cannot saturate: checked with the header.
        self.next = index.saturating_add(1);
        let position = self.start.saturating_add(index.saturating_mul(self.stride));
        let inner = Axis { array: &mut *self.array, depth: self.depth, position };
        inner.array.context.charge(inner.bytes_from(inner.depth)).map_err(|error| error.at_index(index))?;
        seed.deserialize(inner).map(Some).map_err(|error| error.at_index(index))
    }

    fn size_hint(&self) -> Option<usize> {
        usize::try_from(self.length.saturating_sub(self.next)).ok()
    }
}

macro_rules! scalars {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            if self.length().is_some() {
                return self.sequence(visitor);
            }
            self.element(|element| element.$method(visitor))
        }
    )*};
}

impl<'de> Deserializer<'de> for Axis<'_, 'de> {
    type Error = Error;

    scalars! {
        deserialize_any deserialize_bool
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string
        deserialize_unit deserialize_map deserialize_identifier
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match (self.length(), &*self.array.plan) {
            (Some(_), _) => self.sequence(visitor),
            // What is no sequence by itself.
            (None, Node::Leaf(Leaf { coding, .. }))
                if !matches!(
                    coding,
                    Coding::Bytes | Coding::Void | Coding::C64 | Coding::C128 | Coding::LongDouble
                ) =>
            {
                let wanted = &visitor as &dyn Expected;
                Err(Error::data(format!("expected {wanted}, found an array without axes; read a single value")))
            }
            // Its fields may be what a sequence has, as those of a tuple are.
            (None, Node::Struct(_)) => {
                let value = self.element(|element| element.deserialize_seq(visitor));
                value.map_err(|error| match error.path() {
                    Some(_) => error.hint(|| "the array has no axes, read a single value".to_owned()),
                    None => error,
                })
            }
            (None, _) => self.element(|element| element.deserialize_seq(visitor)),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.bytes_of(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.bytes_of(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.length() {
            Some(_) => visitor.visit_some(self),
            None => self.element(|element| element.deserialize_option(visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match self.length() {
            Some(_) => self.sequence(visitor),
            None => self.element(|element| element.deserialize_unit_struct(name, visitor)),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match self.length() {
            _ if name == nd::COLUMNS && self.depth == 0 => visitor.visit_newtype_struct(Table::new(self.array)?),
            Some(_) => match Adapter::from_name(name) {
                Some(adapter) => self.adapted(adapter, visitor),
                None => visitor.visit_newtype_struct(self),
            },
            None => self.element(|element| element.deserialize_newtype_struct(name, visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        self.tuple(length, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.tuple(length, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(whose) = nd::asked_for(name, fields) {
            if self.length().is_none() {
                return self.element(|element| element.deserialize_struct(name, fields, visitor));
            }
            let Axis { array, depth, position } = self;
            return visitor.visit_map(Shaped::new(Elements::new(array, depth, position, whose), whose));
        }
        match self.length() {
            // An axis of numbers is a struct by position, as a tuple would be; one of records has names that say no.
            Some(_) if matches!(*self.array.plan, Node::Struct(_)) => Err(self.no_record(&visitor)),
            Some(_) => self.tuple(fields.len(), visitor),
            None => self.element(|element| element.deserialize_struct(name, fields, visitor)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.length() {
            Some(_) => Err(self.no_record(&visitor)),
            None => self.element(|element| element.deserialize_enum(name, variants, visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        // Taken step by step, so that the elements behind come in their turn.
        match self.length() {
            Some(_) => self.sequence(visitor),
            None => self.element(|element| element.deserialize_ignored_any(visitor)),
        }
    }

    fn is_human_readable(&self) -> bool {
        self.array.context.is_readable()
    }
}
