//! The parts of an element, as serde hands them over: items by position, fields by name.

use crate::codec;
use crate::dtype::{ByteOrder, Kind, Scalar};
use crate::error::{Count, Cut, Error, Result};
use crate::plan::{Coding, Leaf, Node, Record};
use crate::ser::array::Output;
use crate::ser::element::{Element, mismatch};
use crate::ser::gather;
use crate::ser::key::{Key, Pending};
use crate::ser::probe::{Probe, Probed};
use crate::ser::scalar::Integer;
use crate::ser::shaped::Shape;
use crate::with::{Adapter, Part};
use serde::ser::{self, Serialize, Serializer as _};

// `Element` and these types name each other: a part is an element again.

/// Items by position: of a subarray, a record, a complex number, or the numbers that are the bytes of an `S` or `V`.
pub(crate) struct Sequence<'a> {
    node: &'a Node,
    slot: &'a mut [u8],
    /// How many items have been taken.
    next: usize,
    /// The parts of a complex number, once it is one.
    part: Option<Box<Node>>,
    /// The helper in whose newtype it stands.
    scope: Option<Adapter>,
    /// The bytes of a text or of an `S` or `V`, where a helper makes that of them.
    bytes: Option<Vec<u8>>,
    /// Whether the number of items is part of the type.
    is_array: bool,
}

impl<'a> Sequence<'a> {
    pub(crate) fn new(element: Element<'a>, is_array: bool) -> Result<Self> {
        let Element { node, slot, scope } = element;
        let mut bytes = None;
        let part = match node {
            Node::Leaf(Leaf { coding: Coding::C64 | Coding::C128, scalar, exact, .. }) => {
                let order = if scalar.byteorder() == ByteOrder::Big { ByteOrder::Big } else { ByteOrder::Little };
                let part = Scalar::new(Kind::Float, scalar.itemsize() / 2, order)?;
                let mut part = Node::new(&part.into());
                if *exact {
                    part.refuse_rounding();
                }
                Some(Box::new(part))
            }
            Node::Leaf(Leaf { coding: Coding::Bytes | Coding::Str | Coding::Void, .. })
                if matches!(scope, Some(Adapter::Characters(..))) =>
            {
                bytes = Some(Vec::new());
                None
            }
            Node::Leaf(Leaf { coding: Coding::Bytes | Coding::Void, .. }) | Node::Struct(_) | Node::Array(_) => None,
            Node::Leaf(_) => return Err(mismatch(node, "a sequence")),
        };
        Ok(Sequence { node, slot, next: 0, part, scope, bytes, is_array })
    }

    /// How many items there must be; at most so many, where it is the bytes of an `S`.
    fn length(&self) -> usize {
        match self.node {
            Node::Array(axis) => axis.length,
            Node::Struct(record) => record.fields.len(),
            Node::Leaf(_) if self.part.is_some() => 2,
            Node::Leaf(_) => self.slot.len(),
        }
    }

    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let position = self.next;
        self.next = position.saturating_add(1);
        let index = u64::try_from(position).unwrap_or(u64::MAX);
        if let Some(bytes) = &mut self.bytes {
            let Ok(Probed::Byte(byte)) = value.serialize(Probe) else {
                return Err(mismatch(self.node, "a sequence of other than bytes").at_index(index));
            };
            bytes.push(byte);
            return Ok(());
        }
        if position >= self.length() {
            // Counted on, so that the end tells how many there were.
            return Ok(());
        }
        match self.node {
            Node::Array(axis) => {
                let start = position.saturating_mul(axis.stride);
                let slot = part(self.slot, start, axis.stride)?;
                value
                    .serialize(Element { node: &axis.item, slot, scope: self.scope })
                    .map_err(|error| error.at_index(index))
            }
            Node::Struct(record) => match record.fields.get(position) {
                Some(field) => {
                    let slot = part(self.slot, field.offset, field.node.itemsize())?;
                    let element = Element { node: &field.node, slot, scope: self.scope };
                    value.serialize(element).map_err(|error| error.at_field(&field.name))
                }
                None => Ok(()),
            },
            Node::Leaf(_) => match &self.part {
                Some(node) => {
                    let itemsize = node.itemsize();
                    let slot = part(self.slot, position.saturating_mul(itemsize), itemsize)?;
                    value.serialize(Element { node, slot, scope: self.scope }).map_err(|error| error.at_index(index))
                }
                None => {
                    let byte = value.serialize(Integer).ok().flatten().and_then(|byte| u8::try_from(byte).ok());
                    let byte =
                        byte.ok_or_else(|| mismatch(self.node, "a sequence of other than bytes").at_index(index))?;
                    part(self.slot, position, 1)?.fill(byte);
                    Ok(())
                }
            },
        }
    }

    fn close(self) -> Result<()> {
        let (found, length) = (self.next, self.length());
        if let Some(bytes) = &self.bytes {
            let is_void = matches!(self.node, Node::Leaf(Leaf { coding: Coding::Void, .. }));
            let element = Element { node: self.node, slot: self.slot, scope: self.scope };
            return element.serialize_bytes(gather::trimmed(bytes, self.is_array, is_void));
        }
        match self.node {
            // An `S` may be shorter, if NumPy would not strip more than the filling.
            Node::Leaf(Leaf { coding: Coding::Bytes, .. }) if found <= length => {
                match found.checked_sub(1).and_then(|last| self.slot.get(last)) {
                    Some(0) => Err(codec::ends_in_nul("bytes that do")),
                    _ => Ok(()),
                }
            }
            _ if found == length => Ok(()),
            _ => Err(Error::data(format!("expected {}, found {found}", Count(length, "item")))),
        }
    }
}

fn part(slot: &mut [u8], start: usize, length: usize) -> Result<&mut [u8]> {
    let end = start.checked_add(length);
    end.and_then(|end| slot.get_mut(start..end)).ok_or_else(|| Error::data("a part beyond its element"))
}

impl ser::SerializeSeq for Sequence<'_> {
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

impl ser::SerializeTuple for Sequence<'_> {
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

impl ser::SerializeTupleStruct for Sequence<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

/// Fields by name: of a record, or the two of a struct that is a complex number.
pub(crate) struct Fields<'a> {
    target: Target<'a>,
    /// The key of a map that awaits its value.
    key: Pending,
}

enum Target<'a> {
    Record(Named<'a>),
    /// The parts, and which of them have been written.
    Complex(Sequence<'a>, [bool; 2]),
    Shaped(Shaped<'a>),
}

struct Named<'a> {
    record: &'a Record,
    slot: &'a mut [u8],
    order: Order,
    /// The helper in whose newtype it stands.
    scope: Option<Adapter>,
}

/// Which fields of a record have been written.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// The field that is expected next, as long as they come in order.
    next: usize,
    /// Which have been written, once they are out of order.
    seen: Option<Vec<bool>>,
}

impl Order {
    /// The position of a field that is about to be written.
    #[inline]
    pub(crate) fn find(&mut self, record: &Record, name: &str) -> Result<usize> {
        let position = self.next;
        if self.seen.is_none() && record.fields.get(position).is_some_and(|field| *field.name == *name) {
            self.next = position.saturating_add(1);
            return Ok(position);
        }
        self.find_out_of_order(record, name)
    }

    fn find_out_of_order(&mut self, record: &Record, name: &str) -> Result<usize> {
        let Some(position) = record.position(name) else {
            return Err(Error::data(format!("the dtype has no field `{name}`")));
        };
        let next = self.next;
        let seen = self.seen.get_or_insert_with(|| (0..record.fields.len()).map(|field| field < next).collect());
        match seen.get_mut(position) {
            Some(seen) if !*seen => *seen = true,
            _ => return Err(Error::data(format!("field `{name}` occurs twice"))),
        }
        Ok(position)
    }

    /// Refuses a record of which a field has not been written.
    pub(crate) fn end(&self, record: &Record) -> Result<()> {
        let missing = match &self.seen {
            Some(seen) => seen.iter().position(|seen| !seen),
            None => Some(self.next),
        };
        match missing.and_then(|position| record.fields.get(position)) {
            Some(field) => {
                Err(Error::data(format!("the value has no field `{}`, which the dtype has", Cut(&field.name))))
            }
            None => Ok(()),
        }
    }
}

/// The elements of an array that brings its shape, into the subarray that an element is.
struct Shaped<'a> {
    node: &'a Node,
    slot: &'a mut [u8],
    shape: Shape,
    /// The helper in whose newtype it stands.
    scope: Option<Adapter>,
}

impl Shaped<'_> {
    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<()> {
        if !self.shape.field(key, value)? {
            return Ok(());
        }
        let axes = self.node.axes();
        if self.shape.lengths != axes {
            return Err(Error::data(format!(
                "expected an array of shape {axes:?}, found one of shape {:?}",
                self.shape.lengths
            )));
        }
        let (base, strides) = self.node.strides();
        Output::held(base, &axes, self.slot, strides).write_flat(value, self.scope)
    }
}

impl<'a> Fields<'a> {
    #[inline]
    pub(crate) fn new(element: Element<'a>) -> Result<Self> {
        let target = match element.node {
            Node::Struct(record) => {
                let Element { slot, scope, .. } = element;
                Target::Record(Named { record, slot, order: Order::default(), scope })
            }
            Node::Leaf(Leaf { coding: Coding::C64 | Coding::C128, .. }) => {
                Target::Complex(Sequence::new(element, true)?, [false; 2])
            }
            node => return Err(mismatch(node, "a record")),
        };
        Ok(Fields { target, key: Pending::none() })
    }

    /// The fields of an array that brings its shape.
    pub(crate) fn shaped(element: Element<'a>) -> Self {
        let Element { node, slot, scope } = element;
        Fields { target: Target::Shaped(Shaped { node, slot, shape: Shape::default(), scope }), key: Pending::none() }
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        match &mut self.target {
            Target::Record(named) => named.field(name, value),
            Target::Complex(parts, written) => Self::part(parts, written, name, value),
            Target::Shaped(shaped) => shaped.field(name, value),
        }
    }

    /// One of the two parts of a complex number; the names must say which is which.
    fn part<T: Serialize + ?Sized>(
        parts: &mut Sequence<'_>,
        written: &mut [bool; 2],
        name: &str,
        value: &T,
    ) -> Result<()> {
        let [real, imaginary] = written;
        let (position, written) = match Part::from_name(name) {
            Some(Part::Real) => (0, real),
            Some(Part::Imaginary) => (1, imaginary),
            None => {
                let found = format_args!("field `{name}`; the parts of a complex number are `re` and `im`");
                return Err(mismatch(parts.node, found));
            }
        };
        if std::mem::replace(written, true) {
            return Err(Error::data(format!("part `{name}` of a complex number occurs twice")));
        }
        parts.next = position;
        parts.item(value).map_err(|error| error.at_field(name))
    }

    fn close(self) -> Result<()> {
        match self.target {
            Target::Complex(mut parts, written) => {
                parts.next = written.iter().filter(|&&written| written).count();
                parts.close()
            }
            Target::Record(named) => named.order.end(named.record),
            Target::Shaped(_) => Ok(()),
        }
    }
}

impl Named<'_> {
    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        let position = self.order.find(self.record, name)?;
        let Some(field) = self.record.fields.get(position) else { return Ok(()) };
        let slot = part(self.slot, field.offset, field.node.itemsize())?;
        let element = Element { node: &field.node, slot, scope: self.scope };
        value.serialize(element).map_err(|error| error.at_field(&field.name))
    }
}

impl ser::SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.field(key, value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

impl ser::SerializeMap for Fields<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key.put(key.serialize(Key)?)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let key = self.key.take()?;
        self.field(&key, value)
    }

    fn end(self) -> Result<()> {
        self.key.check_none()?;
        self.close()
    }
}
