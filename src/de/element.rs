//! One element through serde: the dtype says what is there, the Rust type what it shall become.

use crate::codec;
use crate::de::access::{Fields, Items, Pair, Positions};
use crate::de::bits::Bits;
use crate::de::context::Context;
use crate::de::number::{Number, Value};
use crate::de::shaped::{Shaped, Subarray};
use crate::de::words;
use crate::dtype::Kind;
use crate::error::{Error, Result};
use crate::io::Bytes;
use crate::nd;
use crate::options::{BytesAs, LongDouble};
use crate::plan::{Axis, Coding, Leaf, Node, Record};
use crate::program::{Call, Op};
use crate::with::{Adapter, Part};
use serde::de::value::SeqDeserializer;
use serde::de::{Deserialize as _, Deserializer, Expected, IntoDeserializer as _, Visitor};
use std::any::type_name;

/// The bytes of one element and what they mean.
#[derive(Clone, Copy)]
pub(crate) struct Element<'a, 'de> {
    pub(crate) context: &'a Context,
    pub(crate) node: &'a Node,
    /// Exactly the bytes of the element.
    pub(crate) bytes: Bytes<'a, 'de>,
    /// Bytes from the first byte of the array.
    pub(crate) offset: u64,
}

impl<'a, 'de: 'a> Element<'a, 'de> {
    /// The element `length` bytes long that starts `start` bytes into this one.
    #[inline]
    pub(crate) fn part(&self, node: &'a Node, start: usize) -> Self {
        let length = node.itemsize();
        let offset = self.offset.saturating_add(u64::try_from(start).unwrap_or(u64::MAX));
        Element { context: self.context, node, bytes: self.bytes.part(start, length), offset }
    }

    /// Adds to an error what is known here of its place.
    #[cold]
    pub(crate) fn place(&self, error: Error) -> Error {
        match self.node {
            Node::Leaf(leaf) => error.of_dtype(|| leaf.scalar.to_string()),
            _ => error,
        }
        .at_offset(self.offset)
    }

    #[inline]
    fn raw(&self) -> &'a [u8] {
        self.bytes.get()
    }

    /// The number, if the element is one.
    #[inline]
    fn number(&self) -> Result<Option<Number<'a>>> {
        let Node::Leaf(leaf) = self.node else { return Ok(None) };
        let (bytes, big) = (self.raw(), leaf.big);
        let value = match leaf.coding {
            Coding::I8 => Value::I8(codec::decode_i8(bytes, big)?),
            Coding::I16 => Value::I16(codec::decode_i16(bytes, big)?),
            Coding::I32 => Value::I32(codec::decode_i32(bytes, big)?),
            Coding::I64 => Value::I64(codec::decode_i64(bytes, big)?),
            Coding::U8 => Value::U8(codec::decode_u8(bytes, big)?),
            Coding::U16 => Value::U16(codec::decode_u16(bytes, big)?),
            Coding::U32 => Value::U32(codec::decode_u32(bytes, big)?),
            Coding::U64 => Value::U64(codec::decode_u64(bytes, big)?),
            Coding::F16 => Value::F32(codec::f16_to_f32(codec::decode_u16(bytes, big)?)),
            Coding::F32 => Value::F32(codec::decode_f32(bytes, big)?),
            Coding::F64 => Value::F64(codec::decode_f64(bytes, big)?),
            Coding::LongDouble if leaf.scalar.kind() == Kind::Float => Value::F64(self.long_double(leaf, bytes)?),
            _ => return Ok(None),
        };
        Ok(Some(Number { value, context: self.context }))
    }

    fn is_nan(&self) -> Result<bool> {
        Ok(match self.number()?.map(|number| number.value) {
            Some(Value::F32(value)) => value.is_nan(),
            Some(Value::F64(value)) => value.is_nan(),
            _ => false,
        })
    }

    fn long_double(&self, leaf: &Leaf, bytes: &[u8]) -> Result<f64> {
        let options = &self.context.options;
        let Some(encoding) = options.long_double else {
            return Err(Error::unsupported(format!(
                "`{}` is a long double, and the header does not tell in which encoding; say it by \
                 `ReadOptions::long_double`",
                leaf.scalar
            )));
        };
        let bytes: &[u8; 16] = bytes.first_chunk().ok_or_else(|| Error::data("a long double that is cut"))?;
        match encoding {
            LongDouble::X87 => codec::x87_to_f64(bytes, leaf.big, self.context.rounds()),
            LongDouble::Ieee128 => codec::ieee128_to_f64(bytes, leaf.big, self.context.rounds()),
        }
    }

    /// The two parts of a complex number, if the element is one.
    fn complex(&self) -> Result<Option<Pair<'a>>> {
        let Node::Leaf(leaf) = self.node else { return Ok(None) };
        let bytes = self.raw();
        let (real, imaginary) = bytes.split_at_checked(bytes.len() / 2).unwrap_or((bytes, bytes));
        let decode = |part: &[u8]| -> Result<Value> {
            Ok(match leaf.coding {
                Coding::C64 => Value::F32(codec::decode_f32(part, leaf.big)?),
                Coding::C128 => Value::F64(codec::decode_f64(part, leaf.big)?),
                _ => Value::F64(self.long_double(leaf, part)?),
            })
        };
        if leaf.scalar.kind() != Kind::Complex {
            return Ok(None);
        }
        let numbers = [real, imaginary].map(|part| Ok(Number { value: decode(part)?, context: self.context }));
        let [real, imaginary] = numbers;
        Ok(Some(Pair::new(real?, imaginary?)))
    }

    /// The count of a datetime or timedelta, `Some(None)` for NaT, if the element is one.
    #[inline]
    pub(crate) fn ticks(&self) -> Result<Option<Option<i64>>> {
        match self.node {
            Node::Leaf(leaf) if matches!(leaf.coding, Coding::Datetime(_) | Coding::Timedelta(_)) => {
                let count = codec::decode_i64(self.raw(), leaf.big)?;
                Ok(Some((count != codec::NAT).then_some(count)))
            }
            _ => Ok(None),
        }
    }

    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let leaf = match self.node {
            Node::Leaf(leaf) => leaf,
            Node::Struct(record) => {
                return visitor
                    .visit_map(Fields::all(self, record))
                    .map_err(|error: Error| error.among_fields(record.names()).found("map", || words::record(record)));
            }
            Node::Array(axis) => return self.items(axis, visitor),
        };
        match leaf.coding {
            Coding::Bool => visitor.visit_bool(codec::decode_bool(self.raw())?),
            Coding::Bytes => match self.context.options.bytes_as {
                BytesAs::Text | BytesAs::Latin1 => self.text(leaf, visitor),
                BytesAs::Bytes => self.visit_bytes(visitor),
            },
            // What a unit is written as.
            Coding::Void if self.raw().is_empty() => visitor.visit_unit(),
            Coding::Void => self.visit_bytes(visitor),
            Coding::Str => self.text(leaf, visitor),
            Coding::Datetime(_) | Coding::Timedelta(_) => match (leaf.coding, self.ticks()?.flatten()) {
                (_, None) => visitor.visit_none(),
                // Without a unit there is nothing but the count.
                (Coding::Timedelta(None), Some(count)) => visitor.visit_i64(count),
                _ => self.text(leaf, visitor),
            },
            Coding::C64 | Coding::C128 => self.pair(visitor),
            Coding::LongDouble if leaf.scalar.kind() == Kind::Complex => self.pair(visitor),
            Coding::Object => Err(object()),
            _ => match self.number()? {
                Some(number) => number.deserialize_any(visitor),
                None => Err(Error::data("not a number")),
            },
        }
    }

    fn pair<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.complex()? {
            Some(mut pair) => {
                let value = visitor.visit_seq(&mut pair);
                let value = value.map_err(|error| error.found("sequence", || "a complex number".to_owned()))?;
                pair.end()?;
                Ok(value)
            }
            None => self.any(visitor),
        }
    }

    /// A struct out of a complex number, whose parts have no names in the file: those of the struct must say which is
    /// which.
    fn complex_struct<V: Visitor<'de>>(self, name: &str, fields: &[&'static str], visitor: V) -> Result<V::Value> {
        match (Part::names(fields), self.complex()?) {
            (Some(names), Some(pair)) => pair.visit(names, visitor),
            _ => Err(Error::data(format!(
                "expected struct {name}, found a complex number; for that its fields must be `re` and `im`"
            ))),
        }
    }

    /// What is text to a person: strings, bytes that are UTF-8, times.
    fn text<V: Visitor<'de>>(self, leaf: &Leaf, visitor: V) -> Result<V::Value> {
        match leaf.coding {
            Coding::Bytes if self.context.options.bytes_as == BytesAs::Latin1 && !self.raw().is_ascii() => {
                let text = codec::trim_nuls(self.raw()).iter().map(|&byte| char::from(byte)).collect();
                visitor.visit_string(text).map_err(|error: Error| error.cannot_borrow("from Latin-1 other than ASCII"))
            }
            Coding::Bytes => match self.bytes {
                Bytes::Borrowed(bytes) => visitor.visit_borrowed_str(utf8(codec::trim_nuls(bytes))?),
                Bytes::Transient(bytes) => visitor
                    .visit_str(utf8(codec::trim_nuls(bytes))?)
                    .map_err(|error: Error| error.cannot_borrow("out of a reader")),
            },
            Coding::Str => {
                let mut text = String::new();
                codec::decode_ucs4(self.raw(), leaf.big, self.context.options.lossy_text, &mut text)?;
                visitor.visit_string(text).map_err(|error: Error| {
                    error.cannot_borrow("from a `U` element, whose characters take four bytes each")
                })
            }
            Coding::Datetime(unit) => {
                let Some(count) = self.ticks()?.flatten() else { return Err(words::not_a_time()) };
                let Some((unit, multiple)) = unit else {
                    return Err(Error::data("a datetime of the generic unit has no value but NaT"));
                };
                self.time(leaf, codec::format_datetime(count, unit, multiple)?, visitor)
            }
            Coding::Timedelta(Some((unit, multiple))) => {
                let Some(count) = self.ticks()?.flatten() else { return Err(words::not_a_time()) };
                self.time(leaf, codec::format_timedelta(count, unit, multiple), visitor)
            }
            Coding::Void => self.void_text(visitor),
            _ => self.any(visitor),
        }
    }

    /// The text of a time, of which only a helper knows the types that want it in another form.
    fn time<V: Visitor<'de>>(&self, leaf: &Leaf, text: String, visitor: V) -> Result<V::Value> {
        let is_helped = self.context.scope().is_some();
        let value = visitor.visit_string(text);
        value.map_err(|error: Error| if is_helped { error } else { error.hint(|| words::time_as_text(leaf)) })
    }

    /// The bytes of an `S` without its trailing NULs, all bytes of a `V`.
    fn visit_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let strip = matches!(self.node, Node::Leaf(Leaf { coding: Coding::Bytes, .. }));
        match self.bytes {
            Bytes::Borrowed(bytes) => visitor.visit_borrowed_bytes(if strip { codec::trim_nuls(bytes) } else { bytes }),
            Bytes::Transient(bytes) => {
                let content = if strip { codec::trim_nuls(bytes) } else { bytes };
                visitor.visit_bytes(content).map_err(|error: Error| error.cannot_borrow("out of a reader"))
            }
        }
    }

    fn items<V: Visitor<'de>>(self, axis: &'a Axis, visitor: V) -> Result<V::Value> {
        let mut items = Items::new(self, axis);
        let value = visitor.visit_seq(&mut items);
        let value = value.map_err(|error| error.found("sequence", || words::subarray(self.node)))?;
        items.end()?;
        Ok(value)
    }

    fn positions<V: Visitor<'de>>(self, record: &'a Record, visitor: V) -> Result<V::Value> {
        let mut positions = Positions::new(self, record);
        let value = visitor.visit_seq(&mut positions)?;
        positions.end()?;
        Ok(value)
    }

    /// A tuple of `length` items, which must be as many as there are.
    fn tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        let fits = |count: usize| if count == length { Ok(()) } else { Err(wrong_length(count, &visitor)) };
        match self.node {
            Node::Struct(record) => {
                fits(record.fields.len())?;
                self.positions(record, visitor)
            }
            Node::Array(axis) => {
                fits(axis.length)?;
                self.items(axis, visitor)
            }
            Node::Leaf(Leaf { coding: Coding::Bytes | Coding::Str, .. }) if self.wants_characters() => {
                let bytes = self.filled_bytes(length)?.unwrap_or_default();
                fits(bytes.len())?;
                Self::visit_items(&bytes, visitor)
            }
            // Of a fixed number of bytes none is stripped.
            Node::Leaf(Leaf { coding: Coding::Bytes | Coding::Void, .. }) => {
                fits(self.raw().len())?;
                visitor.visit_seq(SeqDeserializer::<_, Error>::new(self.raw().iter().copied()))
            }
            Node::Leaf(Leaf { scalar, .. }) if scalar.kind() == Kind::Complex => {
                fits(2)?;
                self.pair(visitor)
            }
            Node::Leaf(_) => self.any(visitor),
        }
    }
}

#[cold]
pub(crate) fn object() -> Error {
    Error::unsupported("an object dtype, whose data is a pickle")
}

#[cold]
fn wrong_length(count: usize, expected: &dyn Expected) -> Error {
    serde::de::Error::invalid_length(count, expected)
}

#[cold]
pub(crate) fn invalid(found: &str, expected: &dyn Expected) -> Error {
    Error::data(format!("expected {expected}, found {found}"))
}

pub(crate) fn utf8(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|error| {
        Error::data(format!(
            "expected text, found bytes that are not UTF-8 from the one at {}; read them as bytes, or as Latin-1 by \
             `ReadOptions::bytes_as`",
            error.valid_up_to()
        ))
    })
}

macro_rules! numbers {
    ($($method:ident $call:expr;)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.number()? {
                Some(number) => number.$method(visitor),
                None => self.no_number($call, visitor),
            }
        }
    )*};
}

impl<'a, 'de: 'a> Element<'a, 'de> {
    #[cold]
    fn no_number<V: Visitor<'de>>(self, call: Call, visitor: V) -> Result<V::Value> {
        self.context.note(call);
        match self.node {
            Node::Leaf(leaf) if matches!(leaf.coding, Coding::Datetime(_) | Coding::Timedelta(_)) => {
                match self.count(leaf)? {
                    Some(count) => visitor.visit_i64(count),
                    None => Err(words::time_for_integer(leaf)),
                }
            }
            _ => self.any(visitor),
        }
    }
}

impl<'a, 'de: 'a> Deserializer<'de> for Element<'a, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Other);
        self.any(visitor)
    }

    // What is no number may be a count of time, to a type that asks for an `i64`.
    numbers! {
        deserialize_i8 Call::Other;
        deserialize_i16 Call::Other;
        deserialize_i32 Call::Other;
        deserialize_i64 Call::Number(Op::I64);
        deserialize_i128 Call::Other;
        deserialize_u8 Call::Other;
        deserialize_u16 Call::Other;
        deserialize_u32 Call::Other;
        deserialize_u64 Call::Other;
        deserialize_u128 Call::Other;
        deserialize_f32 Call::Other;
        deserialize_f64 Call::Other;
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Number(Op::Bool));
        self.any(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Text);
        match self.node {
            Node::Leaf(leaf) => self.text(leaf, visitor),
            _ => self.any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Bytes);
        match self.node {
            Node::Leaf(Leaf { coding: Coding::Bytes | Coding::Void, .. }) => self.visit_bytes(visitor),
            Node::Array(Axis { item, .. }) if matches!(**item, Node::Leaf(Leaf { coding: Coding::U8, .. })) => {
                self.visit_bytes(visitor)
            }
            Node::Leaf(Leaf { coding: Coding::Str, .. }) if self.wants_characters() => {
                visitor.visit_byte_buf(self.text_bytes()?.unwrap_or_default()).map_err(|error: Error| {
                    error.cannot_borrow("from a `U` element, whose characters take four bytes each")
                })
            }
            _ => self.any(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Option);
        let is_none = match self.ticks()? {
            Some(count) => count.is_none(),
            None => matches!(self.context.scope(), Some(Adapter::Nan(_))) && self.is_nan()?,
        };
        if is_none {
            self.context.note(Call::None);
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Other);
        if self.raw().is_empty() && matches!(self.node, Node::Leaf(Leaf { coding: Coding::Void, .. })) {
            return visitor.visit_unit();
        }
        self.any(visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Other);
        match self.node {
            Node::Struct(record) if record.fields.is_empty() => visitor.visit_unit(),
            _ => self.deserialize_unit(visitor),
        }
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if let Some(adapter) = Adapter::from_name(name) {
            self.context.note(Call::Adapter(name, adapter));
            return self.adapted(adapter, visitor);
        }
        if matches!(name, "f16" | "bf16") {
            self.context.note(Call::Other);
        }
        match (name, self.node) {
            // The `half` crate's types; both are newtypes of their bits to serde.
            ("f16", Node::Leaf(Leaf { coding: Coding::F16, big, .. })) => {
                visitor.visit_newtype_struct(Bits { bits: codec::decode_u16(self.raw(), *big)?, element: self })
            }
            ("bf16", Node::Leaf(Leaf { coding: Coding::Void, .. })) if self.raw().len() == 2 => {
                visitor.visit_newtype_struct(Bits { bits: codec::decode_u16(self.raw(), false)?, element: self })
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Tuple(None));
        match self.node {
            Node::Struct(record) => self.positions(record, visitor),
            Node::Leaf(Leaf { coding, .. }) if matches!(coding, Coding::Bytes | Coding::Void) => {
                let strip = *coding == Coding::Bytes;
                let bytes = if strip { codec::trim_nuls(self.raw()) } else { self.raw() };
                visitor.visit_seq(SeqDeserializer::<_, Error>::new(bytes.iter().copied()))
            }
            Node::Leaf(Leaf { coding: Coding::Str, .. }) if self.wants_characters() => {
                Self::visit_items(&self.text_bytes()?.unwrap_or_default(), visitor)
            }
            _ => self.any(visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Tuple(Some(length)));
        self.tuple(length, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.context.note(Call::Tuple(Some(length)));
        self.tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Other);
        self.any(visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(whose) = nd::asked_for(name, fields) {
            self.context.note(Call::Other);
            return visitor.visit_map(Shaped::new(Subarray::new(self), whose));
        }
        // Only of a derived type is it known that it takes the fields in this order, and does the same with a sequence of
        // them as with a map.
        let is_derived = type_name::<V>().contains("::__Visitor");
        self.context.note(if is_derived { Call::Fields(fields) } else { Call::Other });
        let record = match self.node {
            Node::Struct(record) => record,
            Node::Leaf(leaf) if leaf.scalar.kind() == Kind::Complex => {
                return self.complex_struct(name, fields, visitor);
            }
            // By position, as a tuple would be.
            Node::Array(_) => return self.tuple(fields.len(), visitor),
            Node::Leaf(_) => return self.any(visitor),
        };
        let selection = self.context.selection::<V>(record, fields);
        // The first record shows a derived type one field that it does not know, at which it takes offence if it does at
        // any (`deny_unknown_fields`); the others are spared these. A type written by hand is shown every field of each
        // record: its list of names is a hint, and what it makes of a field may depend on the record.
        let others = match (selection.settled.get(), is_derived) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => usize::MAX,
        };
        let value = visitor
            .visit_map(Fields::listed(self, record, &selection.listed, others))
            .map_err(|error| error.among_fields(record.names()))?;
        selection.settled.set(others < usize::MAX);
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(number) = self.number()?
            && let Some(value) = number.value.integer()
        {
            self.context.note(Call::Other);
            if !self.context.options.enum_by_index {
                return Err(Error::data(format!(
                    "expected a variant of `{name}` by name, found integer `{value}`; for integers use `serde_repr`, or \
                     `ReadOptions::enum_by_index(true)` where they are positions"
                )));
            }
            // How many there are, only the visitor knows: the list of variants has the aliases as well.
            return match u32::try_from(value) {
                Ok(index) => visitor.visit_enum(index.into_deserializer()),
                Err(_) => {
                    Err(Error::data(format!("expected the position of a variant of {name}, found integer `{value}`")))
                }
            };
        }
        if !matches!(self.node, Node::Leaf(Leaf { coding: Coding::Bytes | Coding::Str, .. })) {
            return Err(Error::data(format!("expected the name of a variant of `{name}`, found no text")));
        }
        let text = String::deserialize(self)?;
        visitor.visit_enum(text.as_str().into_deserializer())
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Skip);
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        self.context.is_readable()
    }
}
