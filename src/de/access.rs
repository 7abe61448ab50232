//! The parts of an element, one after the other: fields by name or position, items of a subarray, a complex pair.

use crate::de::element::Element;
use crate::de::number::Number;
use crate::error::{Count, Error, Result};
use crate::plan::{Axis, Field, Record};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, IntoDeserializer as _, MapAccess, SeqAccess, Visitor};

/// The fields of a record by name, in the order of the file.
pub(crate) struct Fields<'a, 'de> {
    element: Element<'a, 'de>,
    record: &'a Record,
    /// The fields that the type lists, of those that are left, and which of them go by their title.
    listed: &'a [(usize, bool)],
    /// How many others are still to be shown.
    others: usize,
    /// Where in the record the next field may stand: behind that whose key was given last.
    next: usize,
    /// Whether the type lists that one.
    is_listed: bool,
}

impl<'a, 'de: 'a> Fields<'a, 'de> {
    /// Every field by its name.
    pub(crate) fn all(element: Element<'a, 'de>, record: &'a Record) -> Self {
        Fields::listed(element, record, &[], usize::MAX)
    }

    /// The fields that the type lists, those of which it knows the title by that, and so many others.
    pub(crate) fn listed(
        element: Element<'a, 'de>,
        record: &'a Record,
        listed: &'a [(usize, bool)],
        others: usize,
    ) -> Self {
        Fields { element, record, listed, others, next: 0, is_listed: false }
    }

    /// The next field and whether it goes by its title.
    #[inline]
    fn advance(&mut self) -> Option<(&'a Field, bool)> {
        let listed = self.listed.first().copied();
        self.is_listed = self.others == 0 || listed.is_some_and(|(position, _)| position == self.next);
        let (position, by_title) = if self.is_listed {
            self.listed = self.listed.get(1..).unwrap_or_default();
            listed?
        } else {
            self.others = self.others.saturating_sub(1);
            (self.next, false)
        };
        self.next = position.saturating_add(1);
        Some((self.record.fields.get(position)?, by_title))
    }
}

impl<'a, 'de: 'a> MapAccess<'de> for Fields<'a, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((field, by_title)) = self.advance() else { return Ok(None) };
        let key = field.title.as_deref().filter(|_| by_title).unwrap_or(&field.name);
        let key = seed.deserialize(StrDeserializer::new(key));
        key.map(Some).map_err(|error: Error| self.element.place(error))
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let Some(field) = self.next.checked_sub(1).and_then(|position| self.record.fields.get(position)) else {
            return Err(Error::data("a value without a key"));
        };
        let part = self.element.part(&field.node, field.offset);
        let value = if self.is_listed {
            deserialize_part(part, seed)
        } else {
            // No program has a call for a field that its type does not list.
            self.element.context.unrecorded(|| deserialize_part(part, seed))
        };
        value.map_err(|error| error.at_field(&field.name))
    }

    fn size_hint(&self) -> Option<usize> {
        let all = self.record.fields.len();
        Some(if self.others == 0 { self.listed.len() } else { all.saturating_sub(self.next) })
    }
}

/// The fields of a record by position.
pub(crate) struct Positions<'a, 'de> {
    element: Element<'a, 'de>,
    record: &'a Record,
    next: usize,
}

impl<'a, 'de: 'a> Positions<'a, 'de> {
    pub(crate) fn new(element: Element<'a, 'de>, record: &'a Record) -> Self {
        Positions { element, record, next: 0 }
    }

    /// Refuses fields that nobody took.
    pub(crate) fn end(&self) -> Result<()> {
        taken(self.next, self.record.fields.len(), "field")
    }
}

impl<'a, 'de: 'a> SeqAccess<'de> for Positions<'a, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(field) = self.record.fields.get(self.next) else { return Ok(None) };
        self.next = self.next.saturating_add(1);
        let value = deserialize_part(self.element.part(&field.node, field.offset), seed);
        value.map(Some).map_err(|error| error.at_field(&field.name))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.record.fields.len().saturating_sub(self.next))
    }
}

/// The items along one axis of a subarray.
pub(crate) struct Items<'a, 'de> {
    element: Element<'a, 'de>,
    axis: &'a Axis,
    next: usize,
}

impl<'a, 'de: 'a> Items<'a, 'de> {
    pub(crate) fn new(element: Element<'a, 'de>, axis: &'a Axis) -> Self {
        Items { element, axis, next: 0 }
    }

    /// Refuses items that nobody took.
    pub(crate) fn end(&self) -> Result<()> {
        taken(self.next, self.axis.length, "item")
    }
}

impl<'a, 'de: 'a> SeqAccess<'de> for Items<'a, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let index = self.next;
        if index >= self.axis.length {
            return Ok(None);
        }
        self.next = index.saturating_add(1);
        let part = self.element.part(&self.axis.item, index.saturating_mul(self.axis.stride));
        let value = deserialize_part(part, seed);
        value.map(Some).map_err(|error| error.at_index(u64::try_from(index).unwrap_or(u64::MAX)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.axis.length.saturating_sub(self.next))
    }
}

/// The real and the imaginary part of a complex number.
pub(crate) struct Pair<'a> {
    parts: std::array::IntoIter<Number<'a>, 2>,
}

impl<'a> Pair<'a> {
    pub(crate) fn new(real: Number<'a>, imaginary: Number<'a>) -> Self {
        Pair { parts: [real, imaginary].into_iter() }
    }

    /// Shows the parts under these names.
    pub(crate) fn visit<'de, V: Visitor<'de>>(self, names: [&'static str; 2], visitor: V) -> Result<V::Value> {
        let mut parts = Named { pair: self, names: names.into_iter(), name: "" };
        let value = visitor.visit_map(&mut parts)?;
        parts.pair.end()?;
        Ok(value)
    }

    /// Refuses a part that nobody took.
    pub(crate) fn end(&self) -> Result<()> {
        taken(2usize.saturating_sub(self.parts.len()), 2, "item")
    }
}

impl<'de> SeqAccess<'de> for Pair<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let index = u64::from(self.parts.len() == 1);
        self.parts.next().map(|part| seed.deserialize(part).map_err(|error| error.at_index(index))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.parts.len())
    }
}

/// The parts of a complex number under the names that a struct has for them.
struct Named<'a> {
    pair: Pair<'a>,
    names: std::array::IntoIter<&'static str, 2>,
    /// The name of the next value.
    name: &'static str,
}

impl<'de> MapAccess<'de> for Named<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(name) = self.names.next() else { return Ok(None) };
        self.name = name;
        seed.deserialize(name.into_deserializer()).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let Some(part) = self.pair.parts.next() else { return Err(Error::data("a value without a key")) };
        seed.deserialize(part).map_err(|error| error.at_field(self.name))
    }
}

/// Hands an element to a seed, counts it if it has no bytes, and says in an error where it stands.
#[inline]
pub(crate) fn deserialize_part<'a, 'de: 'a, S: DeserializeSeed<'de>>(
    element: Element<'a, 'de>,
    seed: S,
) -> Result<S::Value> {
    let bytes = u64::try_from(element.node.itemsize()).unwrap_or(u64::MAX);
    element.context.charge(bytes).map_err(|error| element.place(error))?;
    element.context.enter(element.node);
    let value = seed.deserialize(element);
    element.context.leave();
    value.map_err(|error| element.place(error))
}

/// Refuses what a visitor left over, so that nothing is lost in silence.
pub(crate) fn taken(next: usize, length: usize, what: &'static str) -> Result<()> {
    if next < length {
        return Err(Error::data(format!("expected {}, found {length}", Count(next, what))));
    }
    Ok(())
}
