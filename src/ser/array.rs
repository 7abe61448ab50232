//! The second of two passes over a value: its axes as nested sequences, its elements into blocks.

use crate::error::{Error, Result};
use crate::io::Sink;
use crate::plan::{Coding, Leaf, Node};
use crate::ser::element::{Element, expected};
use crate::ser::parts::{Fields, Sequence};
use crate::ser::trace::{unequal, variant_with_data};
use serde::ser::{self, Impossible, Serialize, Serializer};

/// Where elements go.
pub(crate) struct Output<'w> {
    plan: &'w Node,
    shape: &'w [u64],
    target: Target<'w>,
}

enum Target<'w> {
    /// One after the other, in the order in which they come.
    Blocks(Sink<'w>),
    /// Each to its place among all of them; with the distance of neighbours along each axis.
    Buffer { data: Vec<u8>, strides: Vec<usize> },
    /// Nowhere: the one element that is written over and over.
    Check(Vec<u8>),
}

impl<'w> Output<'w> {
    pub(crate) fn blocks(plan: &'w Node, shape: &'w [u64], sink: Sink<'w>) -> Self {
        Output { plan, shape, target: Target::Blocks(sink) }
    }

    /// Only checks that every value fits.
    pub(crate) fn check(plan: &'w Node, shape: &'w [u64]) -> Self {
        Output { plan, shape, target: Target::Check(vec![0; plan.itemsize()]) }
    }

    /// Column-major: all elements are held, since they come row by row.
    pub(crate) fn fortran(plan: &'w Node, shape: &'w [u64]) -> Result<Self> {
        let mut step = plan.itemsize();
        let mut strides = Vec::with_capacity(shape.len());
        for &length in shape {
            strides.push(step);
            let length = usize::try_from(length).ok();
            step = length
                .and_then(|length| step.checked_mul(length))
                .ok_or_else(|| Error::limit("an array larger than memory"))?;
        }
        let mut data = Vec::new();
        data.try_reserve_exact(step).map_err(|_| Error::limit(format!("no memory for an array of {step} bytes")))?;
        data.resize(step, 0);
        Ok(Output { plan, shape, target: Target::Buffer { data, strides } })
    }

    /// The serializer of the whole array.
    pub(crate) fn array(&mut self) -> Array<'_, 'w> {
        Array { output: self, depth: 0, position: 0 }
    }

    /// What is left in the block, or all elements where they were held.
    pub(crate) fn finish(self) -> Result<Option<Vec<u8>>> {
        match self.target {
            Target::Blocks(mut sink) => sink.flush().map(|()| None),
            Target::Buffer { data, .. } => Ok(Some(data)),
            Target::Check(_) => Ok(None),
        }
    }

    #[inline]
    fn slot(&mut self, position: usize) -> Result<&mut [u8]> {
        match &mut self.target {
            Target::Blocks(sink) => sink.slots(1),
            Target::Buffer { data, .. } => position
                .checked_add(self.plan.itemsize())
                .and_then(|end| data.get_mut(position..end))
                .ok_or_else(|| Error::data("an element beyond its array")),
            Target::Check(slot) => {
                slot.fill(0);
                Ok(slot)
            }
        }
    }

    #[inline]
    fn stride(&self, depth: usize) -> usize {
        match &self.target {
            Target::Buffer { strides, .. } => strides.get(depth).copied().unwrap_or(0),
            _ => 0,
        }
    }
}

/// The array from one of its axes on.
pub(crate) struct Array<'o, 'w> {
    output: &'o mut Output<'w>,
    depth: usize,
    /// Where the first element from here goes, in bytes, if they are held.
    position: usize,
}

impl<'o, 'w> Array<'o, 'w> {
    fn length(&self) -> Option<u64> {
        self.output.shape.get(self.depth).copied()
    }

    /// The element, where all axes lie behind; else an error that tells of the axis.
    #[inline]
    fn element(self, found: &str) -> Result<Element<'o>> {
        match self.length() {
            Some(length) => Err(Error::data(format!("expected a sequence of {length} items, found {found}"))),
            None => {
                let node = self.output.plan;
                Ok(Element { node, slot: self.output.slot(self.position)? })
            }
        }
    }

    fn sequence(self) -> Result<Steps<'o, 'w>> {
        match self.length() {
            Some(length) => Ok(Steps::Axis { array: self, length, next: 0 }),
            None => self.element("").and_then(Sequence::new).map(Steps::Element),
        }
    }
}

/// Steps along an axis, or the items of an element.
pub(crate) enum Steps<'o, 'w> {
    Axis { array: Array<'o, 'w>, length: u64, next: u64 },
    Element(Sequence<'o>),
}

impl Steps<'_, '_> {
    #[inline]
    fn step<T: Serialize + ?Sized>(array: &mut Array<'_, '_>, length: u64, next: &mut u64, value: &T) -> Result<()> {
        let index = *next;
        *next = index.saturating_add(1);
        if index >= length {
            // Counted on, so that the end tells how many there were.
            return Ok(());
        }
        let depth = array.depth.saturating_add(1);
        let stride = array.output.stride(array.depth);
        let position = array.position.saturating_add(usize::try_from(index).unwrap_or(0).saturating_mul(stride));
        if depth == array.output.shape.len() {
            let node = array.output.plan;
            let slot = array.output.slot(position)?;
            return value.serialize(Element { node, slot }).map_err(|error| error.at_index(index));
        }
        value.serialize(Array { output: array.output, depth, position }).map_err(|error| error.at_index(index))
    }

    fn close(length: u64, found: u64) -> Result<()> {
        if found == length { Ok(()) } else { Err(unequal(length, found)) }
    }
}

impl ser::SerializeSeq for Steps<'_, '_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self {
            Steps::Axis { array, length, next } => Self::step(array, *length, next, value),
            Steps::Element(sequence) => ser::SerializeSeq::serialize_element(sequence, value),
        }
    }

    fn end(self) -> Result<()> {
        match self {
            Steps::Axis { length, next, .. } => Self::close(length, next),
            Steps::Element(sequence) => ser::SerializeSeq::end(sequence),
        }
    }
}

impl ser::SerializeTuple for Steps<'_, '_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<()> {
        ser::SerializeSeq::end(self)
    }
}

impl ser::SerializeTupleStruct for Steps<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<()> {
        ser::SerializeSeq::end(self)
    }
}

macro_rules! scalars {
    ($($method:ident($($argument:ident: $type:ty),*) $found:literal;)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<()> {
            self.element($found)?.$method($($argument),*)
        }
    )*};
}

impl<'o, 'w> Serializer for Array<'o, 'w> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Steps<'o, 'w>;
    type SerializeTuple = Steps<'o, 'w>;
    type SerializeTupleStruct = Steps<'o, 'w>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Fields<'o>;
    type SerializeStruct = Fields<'o>;
    type SerializeStructVariant = Impossible<(), Error>;

    scalars! {
        serialize_bool(value: bool) "a bool";
        serialize_i8(value: i8) "a number";
        serialize_i16(value: i16) "a number";
        serialize_i32(value: i32) "a number";
        serialize_i64(value: i64) "a number";
        serialize_i128(value: i128) "a number";
        serialize_u8(value: u8) "a number";
        serialize_u16(value: u16) "a number";
        serialize_u32(value: u32) "a number";
        serialize_u64(value: u64) "a number";
        serialize_u128(value: u128) "a number";
        serialize_f32(value: f32) "a number";
        serialize_f64(value: f64) "a number";
        serialize_char(value: char) "text";
        serialize_str(value: &str) "text";
        serialize_none() "None";
        serialize_unit() "a unit";
        serialize_unit_struct(name: &'static str) "a unit";
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) "text";
    }

    /// Bytes on their own are an axis of `|u1`.
    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        let last = self.depth.saturating_add(1) == self.output.shape.len();
        if last && matches!(self.output.plan, Node::Leaf(Leaf { coding: Coding::U8, .. })) {
            return value.serialize(self);
        }
        self.element("bytes")?.serialize_bytes(value)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        if self.length().is_some() {
            value.serialize(self)
        } else {
            self.element("")?.serialize_newtype_struct(name, value)
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        _value: &T,
    ) -> Result<()> {
        Err(variant_with_data(name, variant))
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Steps<'o, 'w>> {
        self.sequence()
    }

    fn serialize_tuple(self, _length: usize) -> Result<Steps<'o, 'w>> {
        self.sequence()
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Steps<'o, 'w>> {
        self.sequence()
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(variant_with_data(name, variant))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Fields<'o>> {
        Fields::new(self.element("a record")?)
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Fields<'o>> {
        Fields::new(self.element("a record")?)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeStructVariant> {
        Err(variant_with_data(name, variant))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// What an element is written from, in a block of elements.
///
/// The counterpart of the seam on the reading side: the loop is a method of the type.
pub(crate) trait Record: Serialize + Sized {
    /// Writes records into the zeroed bytes of as many elements; on failure says how many were before.
    fn write_block(node: &Node, records: &[Self], block: &mut [u8]) -> Result<(), (usize, Error)>;
}

impl<T: Serialize> Record for T {
    fn write_block(node: &Node, records: &[Self], block: &mut [u8]) -> Result<(), (usize, Error)> {
        let itemsize = node.itemsize();
        let mut rest = block;
        for (done, record) in records.iter().enumerate() {
            let Some((slot, others)) = std::mem::take(&mut rest).split_at_mut_checked(itemsize) else {
                return Err((done, Error::data(format!("no room for {}", expected(node)))));
            };
            rest = others;
            if let Err(error) = record.serialize(Element { node, slot }) {
                return Err((done, error));
            }
        }
        Ok(())
    }
}
