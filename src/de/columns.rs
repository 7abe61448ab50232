//! The fields of an array of records one by one, each over all records.

use crate::de::access::taken;
use crate::de::cursor::Cursor;
use crate::de::element::Element;
use crate::de::next::{Next, Upcoming};
use crate::de::shaped::{Flat, Shaped, Subarray, at_indices};
use crate::error::{Count, Cut, Error, Result};
use crate::nd;
use crate::plan::{Coding, Field, Leaf, Node};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use std::collections::HashSet;
use std::sync::Arc;

/// An array of records as a struct of sequences.
pub(crate) struct Table<'a, 'de> {
    array: &'a mut Cursor<'de>,
}

impl<'a, 'de> Table<'a, 'de> {
    /// The table that an array is.
    ///
    /// # Errors
    ///
    /// The array has not exactly one axis, or no fields.
    pub(crate) fn new(array: &'a mut Cursor<'de>) -> Result<Self> {
        if array.header.ndim() != 1 || !matches!(*array.plan, Node::Struct(_)) {
            return Err(Error::data(format!(
                "expected an array of records of one axis to read columns from, found dtype {} and {}",
                Cut(array.header.dtype()),
                Count(array.header.ndim(), "axis")
            )));
        }
        // Each column goes through all of the file.
        array.hold_all()?;
        Ok(Table { array })
    }
}

impl<'de> Deserializer<'de> for Table<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let fields = fields(&self.array.plan, None);
        visitor.visit_map(Columns { array: self.array, fields: fields.into_iter(), current: 0 })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let fields = fields(&self.array.plan, Some(names));
        let plan = Arc::clone(&self.array.plan);
        visitor.visit_map(Columns { array: self.array, fields: fields.into_iter(), current: 0 }).map_err(
            |error: Error| match &*plan {
                Node::Struct(record) => error.among_fields(record.names()),
                _ => error,
            },
        )
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// The positions of the fields and the keys they go by: a title where a type knows that and not the name.
fn fields(plan: &Node, known: Option<&[&str]>) -> Vec<(usize, Arc<str>)> {
    let Node::Struct(record) = plan else { return Vec::new() };
    let known: HashSet<&str> = known.unwrap_or_default().iter().copied().collect();
    let key = |field: &Field| match &field.title {
        Some(title) if !known.contains(&*field.name) && known.contains(&**title) => Arc::clone(title),
        _ => Arc::clone(&field.name),
    };
    record.fields.iter().map(key).enumerate().collect()
}

struct Columns<'a, 'de> {
    array: &'a mut Cursor<'de>,
    fields: std::vec::IntoIter<(usize, Arc<str>)>,
    /// The field whose key was given last.
    current: usize,
}

impl<'de> MapAccess<'de> for Columns<'_, 'de> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some((position, key)) = self.fields.next() else { return Ok(None) };
        self.current = position;
        seed.deserialize(StrDeserializer::new(&key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let position = self.current;
        let name = field_of(&self.array.plan, position).map_or_else(|| "".into(), |field| Arc::clone(&field.name));
        let column = Column::new(self.array, position);
        seed.deserialize(column).map_err(|error| error.at_field(&name))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.fields.len())
    }
}

fn field_of(plan: &Node, position: usize) -> Option<&Field> {
    match plan {
        Node::Struct(record) => record.fields.get(position),
        _ => None,
    }
}

/// One field of all records.
struct Column<'a, 'de> {
    array: &'a mut Cursor<'de>,
    position: usize,
    /// What the field is, if it is a scalar, and where it lies in its record.
    leaf: Option<Leaf>,
    offset: usize,
    /// The record whose field is next.
    next: u64,
    /// For an array with a shape of its own, the items of the field's subarray: their number and shape.
    inner: Option<(u64, Vec<u64>)>,
}

impl<'a, 'de> Column<'a, 'de> {
    fn new(array: &'a mut Cursor<'de>, position: usize) -> Self {
        let (leaf, offset) = match field_of(&array.plan, position) {
            Some(Field { node: Node::Leaf(leaf), offset, .. }) => (Some(*leaf), *offset),
            _ => (None, 0),
        };
        Column { array, position, leaf, offset, next: 0, inner: None }
    }

    /// The field of the next record by whatever takes one.
    #[inline]
    fn field<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let record = self.next;
        let found = seed.deserialize(Next { from: &mut *self });
        self.next = record.saturating_add(1);
        found.map_err(|error| self.placed(record, error))
    }

    /// Where in the file a record is.
    #[inline]
    fn position(&self, record: u64) -> u64 {
        record.saturating_mul(self.array.strides.first().copied().unwrap_or(0))
    }

    fn part(&mut self, record: u64) -> Result<Element<'_, 'de>> {
        let position = self.position;
        let element = self.array.element(self.position(record))?;
        match element.node {
            Node::Struct(record) => match record.fields.get(position) {
                Some(field) => Ok(element.part(&field.node, field.offset)),
                None => Err(no_field()),
            },
            _ => Err(no_field()),
        }
    }

    /// The error of a field with its place.
    #[cold]
    fn placed(&mut self, record: u64, error: Error) -> Error {
        match self.part(record) {
            Ok(part) => part.place(error),
            Err(_) => error,
        }
    }

    fn length(&self) -> u64 {
        self.array.header.shape().first().copied().unwrap_or(0)
    }

    /// The item of a field that is an array.
    fn item<S: DeserializeSeed<'de>>(&mut self, record: u64, item: u64, seed: S) -> Result<S::Value> {
        let part = self.part(record)?;
        match Subarray::at(part, item).next(seed)? {
            Some(value) => Ok(value),
            None => Err(Error::data("an item beyond its subarray")),
        }
    }
}

#[cold]
fn no_field() -> Error {
    Error::data("a field beyond its record")
}

impl<'de> Upcoming<'de> for Column<'_, 'de> {
    #[inline(always)]
    fn number<const N: usize>(&mut self, coding: Coding) -> Option<([u8; N], bool)> {
        let leaf = self.leaf?;
        if leaf.coding != coding {
            return None;
        }
        let bytes = self.array.number(self.position(self.next), self.offset)?;
        self.next = self.next.saturating_add(1);
        Some((bytes, leaf.big))
    }

    #[inline]
    fn numbers(&self) -> Option<(Coding, bool)> {
        self.leaf.map(|leaf| (leaf.coding, leaf.big))
    }

    #[inline]
    fn peek<const N: usize>(&self) -> Option<[u8; N]> {
        self.array.number(self.position(self.next), self.offset)
    }

    #[inline]
    fn pass(&mut self) {
        self.next = self.next.saturating_add(1);
    }

    fn element(&mut self) -> Result<Element<'_, 'de>> {
        let record = self.next;
        self.next = record.saturating_add(1);
        self.part(record)
    }

    fn is_readable(&self) -> bool {
        self.array.context.is_readable()
    }
}

impl<'de> SeqAccess<'de> for Column<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let record = self.next;
        if record >= self.length() {
            return Ok(None);
        }
        self.field(seed).map(Some).map_err(|error| error.at_index(record))
    }

    fn size_hint(&self) -> Option<usize> {
        usize::try_from(self.length().saturating_sub(self.next)).ok()
    }
}

impl<'de> Deserializer<'de> for Column<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_seq(&mut self)?;
        let count = |number| usize::try_from(number).unwrap_or(usize::MAX);
        taken(count(self.next), count(self.length()), "record")?;
        Ok(value)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let Some(whose) = nd::asked_for(name, fields) else { return self.deserialize_any(visitor) };
        let shape = match field_of(&self.array.plan, self.position) {
            Some(field) => field.node.axes(),
            None => Vec::new(),
        };
        let size = shape.iter().fold(1u64, |size, &length| size.saturating_mul(length));
        self.inner = Some((size, shape));
        visitor.visit_map(Shaped::new(self, whose))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map enum identifier
    }
}

/// A column as an array with a shape of its own: the records, then the axes of the field's subarray.
impl<'de> Flat<'de> for Column<'_, 'de> {
    fn shape(&self) -> Vec<u64> {
        let mut shape = vec![self.length()];
        if let Some((_, inner)) = &self.inner {
            shape.extend(inner);
        }
        shape
    }

    fn fortran_order(&self) -> bool {
        false
    }

    fn next<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.left() == 0 {
            return Ok(None);
        }
        let number = self.next;
        let value = match &self.inner {
            Some((size, shape)) if !shape.is_empty() => {
                self.next = number.saturating_add(1);
                let (record, item) = (number.checked_div(*size).unwrap_or(0), number.checked_rem(*size).unwrap_or(0));
                self.item(record, item, seed)
            }
            _ => self.field(seed),
        };
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        value.map(Some).map_err(|error| at_indices(error, number, &self.shape()))
    }

    fn left(&self) -> u64 {
        let size = self.inner.as_ref().map_or(1, |(size, _)| *size);
        self.length().saturating_mul(size).saturating_sub(self.next)
    }
}
