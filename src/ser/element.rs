//! One element through serde into its bytes: the dtype says what there must be, and each value is checked against it.

use crate::codec;
use crate::dtype::{Kind, TimeUnit};
use crate::error::{Count, Error, Result};
use crate::nd;
use crate::plan::{Coding, Leaf, Node};
use crate::ser::gather;
use crate::ser::parts::{Fields, Sequence};
use crate::ser::sampled::{Sampled, Valued};
use crate::ser::scalar::Integer;
use crate::ser::shown::collect_str;
use crate::ser::trace::{nat, variant_with_data};
use crate::ser::whole::Whole;
use crate::trace::none;
use crate::with::Adapter;
use serde::ser::{Impossible, Serialize, Serializer};
use std::fmt::Display;

/// The zeroed bytes of one element and what they shall mean.
pub(crate) struct Element<'a> {
    pub(crate) node: &'a Node,
    pub(crate) slot: &'a mut [u8],
    /// The helper in whose newtype the value stands.
    pub(crate) scope: Option<Adapter>,
}

/// An expected dtype in words.
pub(crate) fn expected(node: &Node) -> String {
    match node {
        Node::Leaf(leaf) => format!("`{}`", leaf.scalar),
        Node::Struct(record) => format!("a record of {}", Count(record.fields.len(), "field")),
        Node::Array(axis) => Count(axis.length, "item").to_string(),
    }
}

#[cold]
pub(crate) fn mismatch(node: &Node, found: impl Display) -> Error {
    Error::data(format!("expected {}, found {found}", expected(node)))
}

#[cold]
fn out_of_range(leaf: &Leaf, found: impl Display) -> Error {
    Error::data(format!("expected `{}`, found {found}, which is beyond its range", leaf.scalar))
}

#[cold]
fn inexact(leaf: &Leaf, found: i128) -> Error {
    Error::data(format!("expected `{}`, found integer `{found}`, which it does not hold exactly", leaf.scalar))
}

#[cold]
fn wider(leaf: &Leaf, found: f64) -> Error {
    Error::data(format!(
        "expected `{}`, found the wider float `{found}`; give the dtype by `WriteOptions::dtype` to have it rounded",
        leaf.scalar
    ))
}

impl<'a> Element<'a> {
    #[inline]
    fn leaf(&self) -> Option<Leaf> {
        match self.node {
            Node::Leaf(leaf) => Some(*leaf),
            _ => None,
        }
    }

    fn integer(self, value: i128) -> Result<()> {
        let Some(leaf) = self.leaf() else { return Err(mismatch(self.node, format_args!("integer `{value}`"))) };
        let (slot, big) = (self.slot, leaf.big);
        let beyond = |_| out_of_range(&leaf, format_args!("integer `{value}`"));
        match leaf.coding {
            Coding::I8 => codec::encode_i8(value.try_into().map_err(beyond)?, slot, big),
            Coding::I16 => codec::encode_i16(value.try_into().map_err(beyond)?, slot, big),
            Coding::I32 => codec::encode_i32(value.try_into().map_err(beyond)?, slot, big),
            Coding::I64 => codec::encode_i64(value.try_into().map_err(beyond)?, slot, big),
            Coding::U8 => codec::encode_u8(value.try_into().map_err(beyond)?, slot, big),
            Coding::U16 => codec::encode_u16(value.try_into().map_err(beyond)?, slot, big),
            Coding::U32 => codec::encode_u32(value.try_into().map_err(beyond)?, slot, big),
            Coding::U64 => codec::encode_u64(value.try_into().map_err(beyond)?, slot, big),
            Coding::F32 => codec::encode_f32(codec::exact_f32(value).ok_or_else(|| inexact(&leaf, value))?, slot, big),
            Coding::F64 => codec::encode_f64(codec::exact_f64(value).ok_or_else(|| inexact(&leaf, value))?, slot, big),
            Coding::F16 => {
                // The integers up to 2048 are exact in a half, and f32 holds all of those.
                let half = codec::exact_f32(value).and_then(codec::f32_to_f16);
                let exact = half.filter(|&bits| codec::exact_f32(value) == Some(codec::f16_to_f32(bits)));
                codec::encode_u16(exact.ok_or_else(|| inexact(&leaf, value))?, slot, big)
            }
            Coding::Datetime(_) | Coding::Timedelta(_) => {
                let count = value.try_into().map_err(beyond)?;
                let count = match self.scope {
                    Some(Adapter::Time(kind, unit)) => converted(&leaf, kind, unit, count)?,
                    _ => count,
                };
                encode_count(&leaf, count, slot)
            }
            _ => Err(mismatch(self.node, format_args!("integer `{value}`"))),
        }
    }

    fn text(self, text: &str) -> Result<()> {
        let Some(leaf) = self.leaf() else { return Err(mismatch(self.node, format_args!("text {text:?}"))) };
        match leaf.coding {
            Coding::Str => codec::encode_ucs4(text, self.slot, leaf.big),
            Coding::Bytes => codec::encode_bytes(text.as_bytes(), self.slot),
            Coding::Void => codec::encode_void(text.as_bytes(), self.slot),
            Coding::Datetime(_) | Coding::Timedelta(_) if text == "NaT" => {
                codec::encode_i64(codec::NAT, self.slot, leaf.big)
            }
            Coding::Datetime(Some((unit, multiple))) => {
                encode_count(&leaf, codec::parse_datetime(text, unit, multiple)?, self.slot)
            }
            Coding::Timedelta(Some((unit, multiple))) => {
                encode_count(&leaf, codec::parse_timedelta(text, unit, multiple)?, self.slot)
            }
            _ => Err(mismatch(self.node, format_args!("text {text:?}"))),
        }
    }

    /// Takes what a helper has to say.
    fn adapted(self, adapter: Adapter) -> Result<Self> {
        if let Adapter::Time(kind, _) = adapter
            && self.node.base().is_none_or(|leaf| leaf.scalar.kind() != kind)
        {
            return Err(mismatch(self.node, adapter));
        }
        Ok(Element { scope: Some(adapter), ..self })
    }

    /// Refuses a float that is wider than the dtype, where neither a helper nor a dtype asks for rounding: by its type, so
    /// that a program does not pass with 1.0 and fail with 0.1.
    #[inline]
    fn refuse_wider(&self, value: f64) -> Result<()> {
        match self.node {
            Node::Leaf(leaf) if leaf.exact && !matches!(self.scope, Some(Adapter::Half)) => Err(wider(leaf, value)),
            _ => Ok(()),
        }
    }

    fn f32(self, value: f32) -> Result<()> {
        match self.leaf() {
            Some(Leaf { coding: Coding::F32, big, .. }) => codec::encode_f32(value, self.slot, big),
            Some(leaf @ Leaf { coding: Coding::F16, big, .. }) => {
                let half =
                    codec::f32_to_f16(value).ok_or_else(|| out_of_range(&leaf, format_args!("float `{value:e}`")))?;
                codec::encode_u16(half, self.slot, big)
            }
            _ => self.serialize_f64(value.into()),
        }
    }

    /// The fields of a struct, or of an array that brings its shape.
    #[inline]
    pub(crate) fn fields(self, name: &str, length: usize) -> Result<Fields<'a>> {
        if !matches!(self.node, Node::Struct(_)) && nd::may_be_shown(name, length) {
            return Ok(Fields::shaped(self));
        }
        Fields::new(self)
    }

    /// The bits of a float of the `half` crate.
    fn half(self, bits: u16, brain: bool) -> Result<()> {
        let value = if brain { f32::from_bits(u32::from(bits) << 16) } else { codec::f16_to_f32(bits) };
        match self.leaf() {
            Some(Leaf { coding: Coding::F16, big, .. }) if !brain => codec::encode_u16(bits, self.slot, big),
            Some(Leaf { coding: Coding::Void, scalar, .. }) if brain && scalar.itemsize() == 2 => {
                codec::encode_u16(bits, self.slot, false)
            }
            _ => self.f32(value),
        }
    }
}

/// The count of a time in the unit of the dtype.
fn converted(leaf: &Leaf, kind: Kind, unit: TimeUnit, count: i64) -> Result<i64> {
    let from = (unit, 1);
    match leaf.scalar.datetime_data() {
        Some(to) if to == from || count == codec::NAT => Ok(count),
        Some(to) if kind == Kind::Datetime => codec::convert_datetime(count, from, to),
        Some(to) => codec::convert_timedelta(count, from, to),
        None => Err(Error::data(format!("expected `{}`, found a time in `{}`", leaf.scalar, unit.symbol()))),
    }
}

/// Writes the count of a time.
fn encode_count(leaf: &Leaf, count: i64, slot: &mut [u8]) -> Result<()> {
    if count == codec::NAT {
        return Err(nat(&leaf.scalar));
    }
    codec::encode_i64(count, slot, leaf.big)
}

macro_rules! integers {
    ($($method:ident $type:ty, $coding:ident $encode:ident;)*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<()> {
            match self.node {
                Node::Leaf(Leaf { coding: Coding::$coding, big, .. }) => codec::$encode(value, self.slot, *big),
                _ => self.integer(value.into()),
            }
        }
    )*};
}

impl<'a> Serializer for Element<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Whole<Sequence<'a>>;
    type SerializeTuple = Whole<Sequence<'a>>;
    type SerializeTupleStruct = Whole<Sequence<'a>>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Whole<Fields<'a>>;
    type SerializeStruct = Whole<Fields<'a>>;
    type SerializeStructVariant = Impossible<(), Error>;

    integers! {
        serialize_i8 i8, I8 encode_i8;
        serialize_i16 i16, I16 encode_i16;
        serialize_i32 i32, I32 encode_i32;
        serialize_i64 i64, I64 encode_i64;
        serialize_u8 u8, U8 encode_u8;
        serialize_u16 u16, U16 encode_u16;
        serialize_u32 u32, U32 encode_u32;
        serialize_u64 u64, U64 encode_u64;
    }

    fn serialize_i128(self, value: i128) -> Result<()> {
        self.integer(value)
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        match i128::try_from(value) {
            Ok(value) => self.integer(value),
            Err(_) => Err(mismatch(self.node, format_args!("integer `{value}`"))),
        }
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<()> {
        if let Some(Leaf { coding: Coding::F16, .. }) = self.leaf() {
            self.refuse_wider(value.into())?;
        }
        self.f32(value)
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<()> {
        let beyond = |leaf: &Leaf| out_of_range(leaf, format_args!("float `{value:e}`"));
        match self.leaf() {
            Some(Leaf { coding: Coding::F64, big, .. }) => codec::encode_f64(value, self.slot, big),
            Some(leaf @ Leaf { coding: Coding::F32, big, .. }) => {
                self.refuse_wider(value)?;
                codec::encode_f32(codec::f64_to_f32(value).ok_or_else(|| beyond(&leaf))?, self.slot, big)
            }
            Some(leaf @ Leaf { coding: Coding::F16, big, .. }) => {
                self.refuse_wider(value)?;
                codec::encode_u16(codec::f64_to_f16(value).ok_or_else(|| beyond(&leaf))?, self.slot, big)
            }
            _ => Err(mismatch(self.node, format_args!("float `{value}`"))),
        }
    }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<()> {
        match self.leaf() {
            Some(Leaf { coding: Coding::Bool, .. }) => codec::encode_bool(value, self.slot),
            _ => Err(mismatch(self.node, format_args!("bool `{value}`"))),
        }
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.text(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        self.text(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        match self.node {
            Node::Leaf(Leaf { coding: Coding::Bytes, .. }) => codec::encode_bytes(value, self.slot),
            Node::Leaf(Leaf { coding: Coding::Void, .. }) => codec::encode_void(value, self.slot),
            Node::Leaf(Leaf { coding: Coding::Str, .. }) if matches!(self.scope, Some(Adapter::Characters(..))) => {
                self.text(gather::utf8(value)?)
            }
            Node::Array(axis) if matches!(*axis.item, Node::Leaf(Leaf { coding: Coding::U8, .. })) => {
                codec::encode_void(value, self.slot)
            }
            _ => Err(mismatch(self.node, Count(value.len(), "byte"))),
        }
    }

    fn serialize_none(self) -> Result<()> {
        match self.leaf() {
            Some(Leaf { coding: Coding::Datetime(_) | Coding::Timedelta(_), big, .. }) => {
                codec::encode_i64(codec::NAT, self.slot, big)
            }
            Some(Leaf { coding: Coding::F16 | Coding::F32 | Coding::F64, .. })
                if matches!(self.scope, Some(Adapter::Nan(_))) =>
            {
                self.f32(f32::NAN)
            }
            _ => Err(none()),
        }
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        match self.leaf() {
            Some(Leaf { coding: Coding::Void, .. }) if self.slot.is_empty() => Ok(()),
            _ => Err(mismatch(self.node, "a unit")),
        }
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<()> {
        self.text(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        if let Some(adapter) = Adapter::from_name(name) {
            return match adapter {
                Adapter::Of => value.serialize(Sampled(Valued(Some(self)))),
                _ => value.serialize(self.adapted(adapter)?),
            };
        }
        if matches!(name, "f16" | "bf16")
            && let Ok(Some(bits)) = value.serialize(Integer)
            && let Ok(bits) = u16::try_from(bits)
        {
            return self.half(bits, name == "bf16");
        }
        value.serialize(self)
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

    #[inline]
    fn serialize_seq(self, _length: Option<usize>) -> Result<Whole<Sequence<'a>>> {
        Sequence::new(self, false).map(Whole::new)
    }

    #[inline]
    fn serialize_tuple(self, _length: usize) -> Result<Whole<Sequence<'a>>> {
        Sequence::new(self, true).map(Whole::new)
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Whole<Sequence<'a>>> {
        Sequence::new(self, true).map(Whole::new)
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

    fn serialize_map(self, _length: Option<usize>) -> Result<Whole<Fields<'a>>> {
        Fields::new(self).map(Whole::new)
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Whole<Fields<'a>>> {
        self.fields(name, length).map(Whole::new)
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
