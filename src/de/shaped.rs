//! Arrays that bring their shape: the struct by which `ndarray` and [`Array`](crate::Array) ask for one.

use crate::bulk;
use crate::de::access::deserialize_part;
use crate::de::element::Element;
use crate::error::{Error, Result};
use crate::nd::{NDARRAY_VERSION, Whose};
use crate::plan::{Leaf, Node};
use serde::de::value::{SeqDeserializer, StrDeserializer};
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer as _, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_bytes::Bytes;

/// Elements one after the other, and the shape that they make.
pub(crate) trait Flat<'de> {
    fn shape(&self) -> Vec<u64>;
    fn fortran_order(&self) -> bool;
    /// The next element; `None` behind the last.
    fn next<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>>;
    fn left(&self) -> u64;

    /// What the elements are and whether big-endian, where they follow each other in memory.
    fn in_runs(&self) -> Option<Leaf> {
        None
    }

    /// The bytes of as many of the next elements as there are in one piece.
    fn run(&mut self) -> Result<&[u8]> {
        Ok(&[])
    }

    /// How many elements are in memory already.
    fn held(&self) -> u64 {
        0
    }
}

/// The fields of the struct.
pub(crate) struct Shaped<F> {
    flat: F,
    whose: Whose,
    next: usize,
}

impl<F> Shaped<F> {
    pub(crate) fn new(flat: F, whose: Whose) -> Self {
        Shaped { flat, whose, next: 0 }
    }
}

impl<'de, F: Flat<'de>> MapAccess<'de> for Shaped<F> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let keys = match self.whose {
            Whose::Ndarray => ["v", "dim", "data"],
            Whose::Ours => ["shape", "fortran_order", "data"],
        };
        let Some(key) = keys.get(self.next) else { return Ok(None) };
        self.next = self.next.saturating_add(1);
        seed.deserialize(StrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        match (self.whose, self.next) {
            (Whose::Ndarray, 1) => seed.deserialize(NDARRAY_VERSION.into_deserializer()),
            (Whose::Ndarray, 2) | (Whose::Ours, 1) => {
                seed.deserialize(SeqDeserializer::<_, Error>::new(self.flat.shape().into_iter()))
            }
            (Whose::Ours, 2) => seed.deserialize(self.flat.fortran_order().into_deserializer()),
            _ => seed.deserialize(Data(&mut self.flat)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(3usize.saturating_sub(self.next))
    }
}

/// The elements as a sequence.
struct Data<'f, F>(&'f mut F);

impl<'de, F: Flat<'de>> Deserializer<'de> for Data<'_, F> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(&mut self)
    }

    /// Numbers that are asked for in runs come so, where they are just these numbers.
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match (bulk::asked_for(name), self.0.in_runs()) {
            (Some((kind, itemsize)), Some(leaf))
                if leaf.scalar.kind().char() == kind && leaf.scalar.itemsize() == itemsize =>
            {
                visitor.visit_seq(Runs { flat: self.0, big: Some(leaf.big) })
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de, F: Flat<'de>> SeqAccess<'de> for Data<'_, F> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.0.next(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        usize::try_from(self.0.left()).ok()
    }
}

/// The byteorder of numbers, then runs of their bytes.
struct Runs<'f, F> {
    flat: &'f mut F,
    /// Until it has been given.
    big: Option<bool>,
}

impl<'de, F: Flat<'de>> SeqAccess<'de> for Runs<'_, F> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if let Some(big) = self.big.take() {
            return seed.deserialize(big.into_deserializer()).map(Some);
        }
        if self.flat.left() == 0 {
            return Ok(None);
        }
        let run = Bytes::new(self.flat.run()?);
        seed.deserialize(run.into_deserializer()).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        usize::try_from(self.flat.held()).ok()
    }
}

/// The items of a subarray, over all its axes.
pub(crate) struct Subarray<'a, 'de> {
    element: Element<'a, 'de>,
    shape: Vec<u64>,
    base: &'a Node,
    next: usize,
    size: usize,
}

impl<'a, 'de: 'a> Subarray<'a, 'de> {
    /// The items of an element; one that has no axes is an array of one item.
    pub(crate) fn new(element: Element<'a, 'de>) -> Self {
        let mut base = element.node;
        let mut size = 1usize;
        while let Node::Array(axis) = base {
            size = size.saturating_mul(axis.length);
            base = &axis.item;
        }
        Subarray { element, shape: element.node.axes(), base, next: 0, size }
    }

    /// The items of an element from one of them on.
    pub(crate) fn at(element: Element<'a, 'de>, item: u64) -> Self {
        Subarray { next: usize::try_from(item).unwrap_or(usize::MAX), ..Subarray::new(element) }
    }
}

impl<'a, 'de: 'a> Flat<'de> for Subarray<'a, 'de> {
    fn shape(&self) -> Vec<u64> {
        self.shape.clone()
    }

    fn fortran_order(&self) -> bool {
        false
    }

    fn next<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let position = self.next;
        if position >= self.size {
            return Ok(None);
        }
        self.next = position.saturating_add(1);
        let start = position.saturating_mul(self.base.itemsize());
        let value = deserialize_part(self.element.part(self.base, start), seed);
        value.map(Some).map_err(|error| at_indices(error, position, &self.shape))
    }

    fn left(&self) -> u64 {
        u64::try_from(self.size.saturating_sub(self.next)).unwrap_or(u64::MAX)
    }

    fn in_runs(&self) -> Option<Leaf> {
        match self.base {
            Node::Leaf(leaf) => Some(*leaf),
            _ => None,
        }
    }

    fn run(&mut self) -> Result<&[u8]> {
        let itemsize = self.base.itemsize();
        let start = self.next.saturating_mul(itemsize);
        self.next = self.size;
        Ok(self.element.bytes.get().get(start..self.size.saturating_mul(itemsize)).unwrap_or_default())
    }

    fn held(&self) -> u64 {
        self.left()
    }
}

/// Adds the indices of the element at a position in C order.
#[cold]
pub(crate) fn at_indices(error: Error, position: usize, shape: &[u64]) -> Error {
    indices(position, shape.iter().rev()).into_iter().fold(error, Error::at_index)
}

/// Adds the indices of the element at a position in Fortran order.
#[cold]
pub(crate) fn at_fortran_indices(error: Error, position: usize, shape: &[u64]) -> Error {
    indices(position, shape.iter()).into_iter().rev().fold(error, Error::at_index)
}

/// The indices of a position, those of the axis that runs fastest first.
fn indices<'s>(position: usize, fastest_first: impl Iterator<Item = &'s u64>) -> Vec<u64> {
    let mut position = u64::try_from(position).unwrap_or(u64::MAX);
    fastest_first
        .map(|&length| {
            let index = position.checked_rem(length).unwrap_or(0);
            position = position.checked_div(length).unwrap_or(0);
            index
        })
        .collect()
}
