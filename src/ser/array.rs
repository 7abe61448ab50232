//! The second of two passes over a value: its axes as nested sequences, its elements into blocks.

use crate::error::{Count, Error, Result};
use crate::io::Sink;
use crate::nd;
use crate::plan::{Coding, Leaf, Node};
use crate::ser::element::Element;
use crate::ser::fast::{Batch, Loops as _, Put, Tier};
use crate::ser::parts::{Fields, Sequence};
use crate::ser::record::{Record as _, write_record};
use crate::ser::rows::Rows;
use crate::ser::sampled::{Sampled, Valued};
use crate::ser::shaped::Shape;
use crate::ser::shown::collect_str;
use crate::ser::trace::{unequal, variant_with_data};
use crate::ser::whole::Whole;
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
    rows: Rows,
}

enum Target<'w> {
    /// One after the other, in the order in which they come.
    Blocks(Sink<&'w mut dyn Write>),
    /// Each to its place among all of them; with the distance of neighbours along each axis.
    Buffer { data: &'w mut [u8], strides: Vec<usize> },
}

impl<'w> Output<'w> {
    pub(crate) fn blocks(plan: &'w Node, shape: &'w [u64], sink: Sink<&'w mut dyn Write>) -> Self {
        Output { plan, shape, target: Target::Blocks(sink), tier: Tier::default(), rows: Rows::default() }
    }

    /// Into memory that holds all elements, with neighbours along each axis so many bytes apart.
    pub(crate) fn held(plan: &'w Node, shape: &'w [u64], data: &'w mut [u8], strides: Vec<usize>) -> Self {
        Output { plan, shape, target: Target::Buffer { data, strides }, tier: Tier::default(), rows: Rows::default() }
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
            Target::Buffer { .. } => Ok(()),
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
            Some(length) => {
                Err(Error::data(format!("expected a sequence of {}, found {found}", Count(length, "item"))))
            }
            None => {
                let node = self.output.plan;
                Ok(Element { node, slot: self.output.target.slot(self.output.plan, self.position)?, scope: self.scope })
            }
        }
    }

    fn sequence(self, is_array: bool) -> Result<Steps<'o, 'w>> {
        match self.along() {
            Ok(axis) => Ok(Steps::Axis(axis)),
            Err(array) => array.element("").and_then(|element| Sequence::new(element, is_array)).map(Steps::Element),
        }
    }

    /// The axis or axes that come next; itself where all lie behind.
    fn along(self) -> Result<Axis<'o, 'w>, Self> {
        let length = match self.flat {
            Some(axes) => {
                let shape = self.output.shape.iter().skip(self.depth).take(axes);
                Some(shape.fold(1u64, |size, &length| size.saturating_mul(length)))
            }
            None => self.length(),
        };
        let Some(length) = length else { return Err(self) };
        let depth = self.depth.saturating_add(self.flat.unwrap_or(1));
        let way = match self.output.plan {
            _ if depth != self.output.shape.len() => Way::Deeper,
            _ if self.scope.is_some() => Way::Helped,
            Node::Leaf(leaf) if leaf.is_number() => Way::Number(*leaf),
            _ => Way::Bare,
        };
        Ok(Axis { array: self, depth, length, next: 0, way })
    }
}

/// Steps along an axis, or the items of an element.
pub(crate) enum Steps<'o, 'w> {
    Axis(Axis<'o, 'w>),
    Element(Sequence<'o>),
}

/// What the items along an axis are.
#[derive(Clone, Copy)]
enum Way {
    Number(Leaf),
    /// Other elements outside any helper.
    Bare,
    /// Elements within a helper.
    Helped,
    /// Arrays themselves.
    Deeper,
}

/// An axis, or some of them that are passed along as one.
pub(crate) struct Axis<'o, 'w> {
    array: Array<'o, 'w>,
    /// How many axes lie behind when this does.
    depth: usize,
    length: u64,
    next: u64,
    way: Way,
}

impl Axis<'_, '_> {
    /// One item.
    #[inline]
    fn step<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let Axis { array, depth, length, next, way } = self;
        let index = *next;
        *next = index.saturating_add(1);
        if index >= *length {
            // Counted on, so that the end tells how many there were.
            return Ok(());
        }
        let distance = array.output.distance(array.depth, array.flat.unwrap_or(1), index);
        let position = array.position.saturating_add(distance);
        let scope = array.scope;
        let done = match way {
            Way::Deeper => value.serialize(Array { output: array.output, depth: *depth, position, flat: None, scope }),
            Way::Bare => {
                let left = length.saturating_sub(index);
                let Output { plan, target, tier, .. } = &mut *array.output;
                target.slot(plan, position).and_then(|slot| write_record(tier, plan, value, left, slot))
            }
            Way::Number(_) | Way::Helped => {
                let Output { plan: node, target, .. } = &mut *array.output;
                target.slot(node, position).and_then(|slot| value.serialize(Element { node, slot, scope }))
            }
        };
        done.map_err(|error| error.at_index(index))
    }

    /// All items: what a sequence that is at hand as a whole is spared is the way back to its loop for each.
    fn all<T: Serialize>(&mut self, items: impl Iterator<Item = T>) -> Result<()> {
        let mut items = items;
        let mut held = Vec::new();
        if matches!(self.way, Way::Deeper) {
            self.rows(&mut items, &mut held)?;
        }
        loop {
            let batch = self.run(items, &mut held)?;
            items = batch.items;
            self.next = self.next.saturating_add(batch.done as u64);
            if self.next >= self.length {
                let more = items.count().saturating_add(usize::from(batch.odd.is_some()));
                self.next = self.next.saturating_add(more as u64);
                return Ok(());
            }
            let Some(item) = batch.odd.or_else(|| items.next()) else { return Ok(()) };
            self.step(&item)?;
        }
    }

    /// Rows that go into a block in one loop; each that does not is an item.
    fn rows<T: Serialize>(&mut self, items: &mut impl Iterator<Item = T>, held: &mut Vec<T>) -> Result<()> {
        let Output { plan, shape, target, rows, .. } = &mut *self.array.output;
        if self.array.scope.is_some() || matches!(target, Target::Buffer { .. }) {
            return Ok(());
        }
        let Some(most) = rows.most(self.depth, plan, shape) else { return Ok(()) };
        while self.next < self.length {
            held.clear();
            let left = self.length.saturating_sub(self.next);
            held.extend(items.by_ref().take(usize::try_from(left).unwrap_or(usize::MAX).min(most)));
            if held.is_empty() {
                break;
            }
            let mut rest = held.as_slice();
            while !rest.is_empty() {
                let Output { target, rows, .. } = &mut *self.array.output;
                let Target::Blocks(sink) = target else { break };
                let done = rows.write(self.depth, rest, left, sink);
                self.next = self.next.saturating_add(done as u64);
                rest = rest.get(done..).unwrap_or_default();
                if let Some((odd, behind)) = rest.split_first() {
                    self.step(odd)?;
                    rest = behind;
                }
            }
        }
        Ok(())
    }

    /// Items that go into a block in one loop.
    fn run<T: Serialize, I: Iterator<Item = T>>(&mut self, items: I, held: &mut Vec<T>) -> Result<Batch<I>> {
        let Axis { length, next, way, .. } = *self;
        let left = usize::try_from(length.saturating_sub(next)).unwrap_or(usize::MAX);
        let Output { plan, target, tier, .. } = &mut *self.array.output;
        let mut all = Batch { items, done: 0, odd: None };
        let Target::Blocks(sink) = target else { return Ok(all) };
        while all.done < left && all.odd.is_none() {
            let (room, most) = sink.free(left.saturating_sub(all.done))?;
            let batch = match way {
                Way::Number(leaf) => T::put(leaf, all.items, room),
                Way::Bare => {
                    let mut items = all.items;
                    let written = T::write_block(tier, plan, &mut items, held, most, room);
                    let done = written.map_err(|(done, error)| {
                        let before = all.done.saturating_add(done) as u64;
                        error.at_index(next.saturating_add(before))
                    })?;
                    Batch { items, done, odd: None }
                }
                Way::Helped | Way::Deeper => break,
            };
            sink.keep(batch.done);
            let is_full = batch.done == most;
            all = Batch { done: all.done.saturating_add(batch.done), ..batch };
            if !is_full {
                break;
            }
        }
        Ok(all)
    }

    fn close(&self) -> Result<()> {
        if self.next == self.length { Ok(()) } else { Err(unequal(self.length, self.next)) }
    }
}

impl ser::SerializeSeq for Steps<'_, '_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self {
            Steps::Axis(axis) => {
                // A number of just the dtype, which is most of what arrays are made of.
                if let Way::Number(leaf) = axis.way
                    && axis.next < axis.length
                    && let Target::Blocks(sink) = &mut axis.array.output.target
                {
                    let (mut room, _) = sink.free(1).map_err(|error| error.at_index(axis.next))?;
                    if value.serialize(Put { leaf, room: &mut room }).is_ok() {
                        sink.keep(1);
                        axis.next = axis.next.saturating_add(1);
                        return Ok(());
                    }
                }
                axis.step(value)
            }
            Steps::Element(sequence) => ser::SerializeSeq::serialize_element(sequence, value),
        }
    }

    fn end(self) -> Result<()> {
        match self {
            Steps::Axis(axis) => axis.close(),
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
    type SerializeSeq = Whole<Steps<'o, 'w>>;
    type SerializeTuple = Whole<Steps<'o, 'w>>;
    type SerializeTupleStruct = Whole<Steps<'o, 'w>>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Whole<Fields<'o>>;
    type SerializeStruct = Whole<Parts<'o, 'w>>;
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

    fn serialize_seq(self, _length: Option<usize>) -> Result<Whole<Steps<'o, 'w>>> {
        self.sequence(false).map(Whole::new)
    }

    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, items: I) -> Result<()> {
        let mut axis = match self.along() {
            Ok(axis) => axis,
            Err(array) => return array.element("")?.collect_seq(items),
        };
        axis.all(items.into_iter())?;
        axis.close()
    }

    fn serialize_tuple(self, _length: usize) -> Result<Whole<Steps<'o, 'w>>> {
        self.sequence(true).map(Whole::new)
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Whole<Steps<'o, 'w>>> {
        self.sequence(true).map(Whole::new)
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

    fn serialize_map(self, _length: Option<usize>) -> Result<Whole<Fields<'o>>> {
        Fields::new(self.element("a record")?).map(Whole::new)
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Whole<Parts<'o, 'w>>> {
        if self.length().is_some() && nd::may_be_shown(name, length) {
            return Ok(Whole::new(Parts::Shaped { array: Some(self), shape: Shape::default() }));
        }
        let fields = self.element("a record")?.fields(name, length)?;
        Ok(Whole::new(Parts::Element(fields)))
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

    collect_str!();

    fn is_human_readable(&self) -> bool {
        self.scope.is_some_and(Adapter::is_readable)
    }
}
