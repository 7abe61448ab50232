//! The second of two passes over a value: its axes as nested sequences, its elements into blocks.

use crate::error::{Error, Result};
use crate::io::Sink;
use crate::nd;
use crate::plan::{Coding, Leaf, Node};
use crate::ser::element::Element;
use crate::ser::fast::{Put, Tier};
use crate::ser::parts::{Fields, Sequence};
use crate::ser::record::write_record;
use crate::ser::sampled::{Sampled, Valued};
use crate::ser::shaped::Shape;
use crate::ser::trace::{unequal, variant_with_data};
use crate::with::Adapter;
use serde::ser::{self, Impossible, Serialize, Serializer};
use std::io::Write;

/// Where elements go.
pub(crate) struct Output<'w> {
    plan: &'w Node,
    shape: &'w [u64],
    target: Target<'w>,
    /// What is known of the elements as values of the type that came last.
    tier: Tier,
}

enum Target<'w> {
    /// One after the other, in the order in which they come.
    Blocks(Sink<&'w mut dyn Write>),
    /// Each to its place among all of them; with the distance of neighbours along each axis.
    Buffer { data: &'w mut [u8], strides: Vec<usize> },
    /// Nowhere: the one element that is written over and over.
    Check(Vec<u8>),
}

impl<'w> Output<'w> {
    pub(crate) fn blocks(plan: &'w Node, shape: &'w [u64], sink: Sink<&'w mut dyn Write>) -> Self {
        Output { plan, shape, target: Target::Blocks(sink), tier: Tier::default() }
    }

    /// Only checks that every value fits.
    pub(crate) fn check(plan: &'w Node, shape: &'w [u64]) -> Self {
        Output { plan, shape, target: Target::Check(vec![0; plan.itemsize()]), tier: Tier::default() }
    }

    /// Into memory that holds all elements, with neighbours along each axis so many bytes apart.
    pub(crate) fn held(plan: &'w Node, shape: &'w [u64], data: &'w mut [u8], strides: Vec<usize>) -> Self {
        Output { plan, shape, target: Target::Buffer { data, strides }, tier: Tier::default() }
    }

    /// Writes a value of this shape, to the last byte.
    pub(crate) fn write<T: Serialize + ?Sized>(mut self, value: &T) -> Result<()> {
        value.serialize(self.array())?;
        self.finish()
    }

    /// Writes the elements of this shape, which come as one sequence in C order.
    pub(crate) fn write_flat<T: Serialize + ?Sized>(mut self, elements: &T, scope: Option<Adapter>) -> Result<()> {
        let axes = Some(self.shape.len());
        elements.serialize(Array { output: &mut self, depth: 0, position: 0, flat: axes, scope })?;
        self.finish()
    }

    /// The serializer of the whole array.
    pub(crate) fn array(&mut self) -> Array<'_, 'w> {
        Array { output: self, depth: 0, position: 0, flat: None, scope: None }
    }

    /// Hands on what is left in the block.
    pub(crate) fn finish(self) -> Result<()> {
        match self.target {
            Target::Blocks(mut sink) => sink.flush(),
            Target::Buffer { .. } | Target::Check(_) => Ok(()),
        }
    }

    /// Writes an element, of which `left` more follow.
    #[inline]
    fn write_element<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
        position: usize,
        left: u64,
        scope: Option<Adapter>,
    ) -> Result<()> {
        let plan = self.plan;
        let slot = self.target.slot(plan, position)?;
        match plan {
            Node::Struct(_) if scope.is_none() => write_record(&mut self.tier, plan, value, left, slot),
            _ => value.serialize(Element { node: plan, slot, scope }),
        }
    }

    /// How far the element at a position in C order of some axes lies from the first.
    #[inline]
    fn distance(&self, depth: usize, axes: usize, position: u64) -> usize {
        let Target::Buffer { strides, .. } = &self.target else { return 0 };
        let number = |position| usize::try_from(position).unwrap_or(usize::MAX);
        if axes == 1 {
            return strides.get(depth).map_or(0, |stride| stride.saturating_mul(number(position)));
        }
        let mut rest = position;
        let axes = strides.iter().zip(self.shape).skip(depth).take(axes);
        axes.rev().fold(0usize, |distance, (stride, &length)| {
            let index = rest.checked_rem(length).unwrap_or(0);
            rest = rest.checked_div(length).unwrap_or(0);
            distance.saturating_add(stride.saturating_mul(number(index)))
        })
    }
}

impl Target<'_> {
    /// The zeroed bytes of the next element, or of that at a position in bytes.
    #[inline(always)] // Several times as long as what is done with them, if it were a call.
    fn slot(&mut self, plan: &Node, position: usize) -> Result<&mut [u8]> {
        match self {
            Target::Blocks(sink) => sink.slot(),
            Target::Buffer { data, .. } => position
                .checked_add(plan.itemsize())
                .and_then(|end| data.get_mut(position..end))
                .ok_or_else(|| Error::data("an element beyond its array")),
            Target::Check(slot) => {
                slot.fill(0);
                Ok(slot)
            }
        }
    }
}

/// The array from one of its axes on.
pub(crate) struct Array<'o, 'w> {
    output: &'o mut Output<'w>,
    depth: usize,
    /// Where the first element from here goes, in bytes, if they are held.
    position: usize,
    /// Over how many axes the sequence that comes next runs, if it is not just the one.
    flat: Option<usize>,
    /// The helper in whose newtype it stands.
    scope: Option<Adapter>,
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
                Ok(Element { node, slot: self.output.target.slot(self.output.plan, self.position)?, scope: self.scope })
            }
        }
    }

    fn sequence(self, is_array: bool) -> Result<Steps<'o, 'w>> {
        if let Some(axes) = self.flat {
            let shape = self.output.shape.iter().skip(self.depth).take(axes);
            let length = shape.fold(1u64, |size, &length| size.saturating_mul(length));
            return Ok(Steps::along(self, length));
        }
        match self.length() {
            Some(length) => Ok(Steps::along(self, length)),
            None => self.element("").and_then(|element| Sequence::new(element, is_array)).map(Steps::Element),
        }
    }
}

/// Steps along an axis, or the items of an element.
pub(crate) enum Steps<'o, 'w> {
    Axis {
        array: Array<'o, 'w>,
        length: u64,
        next: u64,
        /// What the elements are, if they are scalars one after the other.
        leaf: Option<Leaf>,
    },
    Element(Sequence<'o>),
}

impl<'o, 'w> Steps<'o, 'w> {
    fn along(array: Array<'o, 'w>, length: u64) -> Self {
        let depth = array.depth.saturating_add(array.flat.unwrap_or(1));
        let is_last = depth == array.output.shape.len() && array.scope.is_none();
        let leaf = match (&array.output.target, array.output.plan) {
            (Target::Blocks(_), Node::Leaf(leaf)) if is_last => Some(*leaf),
            _ => None,
        };
        Steps::Axis { array, length, next: 0, leaf }
    }
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
        let axes = array.flat.unwrap_or(1);
        let depth = array.depth.saturating_add(axes);
        let position = array.position.saturating_add(array.output.distance(array.depth, axes, index));
        if depth == array.output.shape.len() {
            let left = length.saturating_sub(index);
            let written = array.output.write_element(value, position, left, array.scope);
            return written.map_err(|error| error.at_index(index));
        }
        let inner = Array { output: array.output, depth, position, flat: None, scope: array.scope };
        value.serialize(inner).map_err(|error| error.at_index(index))
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
            Steps::Axis { array, length, next, leaf } => {
                // A number of just the dtype, which is most of what arrays are made of.
                if let Some(leaf) = *leaf
                    && *next < *length
                    && let Target::Blocks(sink) = &mut array.output.target
                    && let Some(slot) = sink.place()
                    && value.serialize(Put { leaf, slot }).is_ok()
                {
                    sink.keep();
                    *next = next.saturating_add(1);
                    return Ok(());
                }
                Self::step(array, *length, next, value)
            }
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

/// The fields of an element, or those of an array that brings its shape.
pub(crate) enum Parts<'o, 'w> {
    Element(Fields<'o>),
    Shaped { array: Option<Array<'o, 'w>>, shape: Shape },
}

impl ser::SerializeStruct for Parts<'_, '_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        match self {
            Parts::Element(fields) => fields.serialize_field(key, value),
            Parts::Shaped { array, shape } => {
                if !shape.field(key, value)? {
                    return Ok(());
                }
                let Some(array) = array.take() else { return Err(Error::data("an array with its elements twice")) };
                let (axes, expected) = (shape.lengths.len(), array.output.shape.get(array.depth..).unwrap_or_default());
                if expected.get(..axes) != Some(&shape.lengths[..]) {
                    return Err(Error::data(format!(
                        "expected an array of shape {expected:?}, found one of shape {:?}",
                        shape.lengths
                    )));
                }
                value.serialize(Array { flat: Some(axes), ..array })
            }
        }
    }

    fn end(self) -> Result<()> {
        match self {
            Parts::Element(fields) => fields.end(),
            Parts::Shaped { .. } => Ok(()),
        }
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
    type SerializeStruct = Parts<'o, 'w>;
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
            match Adapter::from_name(name) {
                Some(Adapter::Of) => value.serialize(Sampled(Valued(Some(self)))),
                Some(adapter) => value.serialize(Array { scope: Some(adapter), ..self }),
                None => value.serialize(self),
            }
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
        self.sequence(false)
    }

    fn serialize_tuple(self, _length: usize) -> Result<Steps<'o, 'w>> {
        self.sequence(true)
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Steps<'o, 'w>> {
        self.sequence(true)
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

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Parts<'o, 'w>> {
        if self.length().is_some() && nd::may_be_shown(name, length) {
            return Ok(Parts::Shaped { array: Some(self), shape: Shape::default() });
        }
        self.element("a record")?.serialize_struct(name, length).map(Parts::Element)
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
        self.scope.is_some_and(Adapter::is_readable)
    }
}
