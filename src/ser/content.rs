//! A value held as serde showed it, for those who can show it only once.

use crate::error::{Error, Result};
use crate::ser::key::Pending;
use crate::ser::probe::is_byte;
use crate::ser::shown::collect_str;
use crate::ser::trace::{deeper, variant_with_data};
use crate::ser::whole::Whole;
use crate::with::Adapter;
use serde::ser::{self, Impossible, Serialize, Serializer};

/// A value in serde's data model, as far as it has a dtype.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Bool(bool),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    I128(i128),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    U128(u128),
    F32(f32),
    F64(f64),
    Char(char),
    Text(Box<str>),
    Bytes(Box<[u8]>),
    None,
    Unit,
    UnitVariant(&'static str, u32, &'static str),
    Newtype(&'static str, Box<Content>),
    Sequence(Vec<Content>),
    /// A sequence of no bytes, which is text where one of nothing else is.
    NoBytes,
    Tuple(Vec<Content>),
    Struct(&'static str, Vec<(&'static str, Content)>),
    Map(Vec<(Content, Content)>),
}

impl Content {
    pub(crate) fn of<T: Serialize + ?Sized>(value: &T) -> Result<Content> {
        value.serialize(Builder::default())
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::{SerializeStruct as _, SerializeTuple as _};
        match self {
            Content::Bool(value) => serializer.serialize_bool(*value),
            Content::I8(value) => serializer.serialize_i8(*value),
            Content::I16(value) => serializer.serialize_i16(*value),
            Content::I32(value) => serializer.serialize_i32(*value),
            Content::I64(value) => serializer.serialize_i64(*value),
            Content::I128(value) => serializer.serialize_i128(*value),
            Content::U8(value) => serializer.serialize_u8(*value),
            Content::U16(value) => serializer.serialize_u16(*value),
            Content::U32(value) => serializer.serialize_u32(*value),
            Content::U64(value) => serializer.serialize_u64(*value),
            Content::U128(value) => serializer.serialize_u128(*value),
            Content::F32(value) => serializer.serialize_f32(*value),
            Content::F64(value) => serializer.serialize_f64(*value),
            Content::Char(value) => serializer.serialize_char(*value),
            Content::Text(value) => serializer.serialize_str(value),
            Content::Bytes(value) => serializer.serialize_bytes(value),
            Content::None => serializer.serialize_none(),
            Content::Unit => serializer.serialize_unit(),
            Content::UnitVariant(name, index, variant) => serializer.serialize_unit_variant(name, *index, variant),
            Content::Newtype(name, value) => serializer.serialize_newtype_struct(name, value),
            Content::Sequence(items) => serializer.collect_seq(items),
            Content::NoBytes => serializer.collect_seq::<[u8; 0]>([]),
            Content::Tuple(items) => {
                let mut tuple = serializer.serialize_tuple(items.len())?;
                items.iter().try_for_each(|item| tuple.serialize_element(item))?;
                tuple.end()
            }
            Content::Struct(name, fields) => {
                let mut record = serializer.serialize_struct(name, fields.len())?;
                fields.iter().try_for_each(|(key, value)| record.serialize_field(key, value))?;
                record.end()
            }
            Content::Map(entries) => serializer.collect_map(entries.iter().map(|(key, value)| (key, value))),
        }
    }
}

/// Makes a [`Content`].
#[derive(Clone, Copy, Default)]
pub(crate) struct Builder {
    /// How many levels lie above.
    depth: usize,
    /// What the value is told: see [`Adapter::is_readable`].
    readable: bool,
    /// What its parts are told.
    parts_readable: bool,
}

impl Builder {
    /// For the parts of the whole value.
    pub(crate) fn of_parts() -> Self {
        Builder { depth: 1, ..Builder::default() }
    }

    /// The same, one level deeper.
    fn inner(self) -> Result<Builder> {
        Ok(Builder { depth: deeper(self.depth)?, readable: self.parts_readable, ..self })
    }

    /// For what stands in a newtype of this name.
    fn within(self, name: &str) -> Result<Builder> {
        let (readable, parts_readable) = match Adapter::from_name(name) {
            // Only the pair of value and sample, not what is in it.
            Some(Adapter::Of) => (true, false),
            Some(adapter) => (adapter.is_readable(), adapter.is_readable()),
            None => (self.readable, self.parts_readable),
        };
        Ok(Builder { depth: deeper(self.depth)?, readable, parts_readable })
    }

    fn parts(self, whole: Content) -> Result<Whole<Parts>> {
        Ok(Whole::new(Parts { whole, key: Pending::none(), inner: self.inner()? }))
    }
}

/// Makes a sequence, a tuple, a struct or a map out of its parts.
pub(crate) struct Parts {
    whole: Content,
    key: Pending<Content>,
    /// What makes the parts.
    inner: Builder,
}

impl Parts {
    pub(crate) fn sequence() -> Self {
        Parts { whole: Content::Sequence(Vec::new()), key: Pending::none(), inner: Builder::of_parts() }
    }

    pub(crate) fn tuple() -> Self {
        Parts { whole: Content::Tuple(Vec::new()), key: Pending::none(), inner: Builder::of_parts() }
    }

    pub(crate) fn record(name: &'static str) -> Self {
        Parts { whole: Content::Struct(name, Vec::new()), key: Pending::none(), inner: Builder::of_parts() }
    }

    pub(crate) fn map() -> Self {
        Parts { whole: Content::Map(Vec::new()), key: Pending::none(), inner: Builder::of_parts() }
    }

    pub(crate) fn whole(self) -> Result<Content> {
        self.key.check_none()?;
        Ok(self.whole)
    }

    pub(crate) fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let value = value.serialize(self.inner);
        match &mut self.whole {
            Content::Sequence(items) | Content::Tuple(items) => {
                let index = u64::try_from(items.len()).unwrap_or(u64::MAX);
                items.push(value.map_err(|error| error.at_index(index))?);
            }
            Content::Map(entries) => match (self.key.take()?, value) {
                (key, Ok(value)) => entries.push((key, value)),
                (Content::Text(key), Err(error)) => return Err(error.at_field(&key)),
                (_, Err(error)) => return Err(error),
            },
            _ => {}
        }
        Ok(())
    }

    pub(crate) fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        if let Content::Struct(_, fields) = &mut self.whole {
            fields.push((key, value.serialize(self.inner).map_err(|error| error.at_field(key))?));
        }
        Ok(())
    }

    pub(crate) fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        let key = key.serialize(self.inner)?;
        self.key.put(key)
    }
}

macro_rules! leaves {
    ($($method:ident($type:ty) $variant:ident;)*) => {$(
        fn $method(self, value: $type) -> Result<Content> {
            Ok(Content::$variant(value.into()))
        }
    )*};
}

impl Serializer for Builder {
    type Ok = Content;
    type Error = Error;
    type SerializeSeq = Whole<Parts>;
    type SerializeTuple = Whole<Parts>;
    type SerializeTupleStruct = Whole<Parts>;
    type SerializeTupleVariant = Impossible<Content, Error>;
    type SerializeMap = Whole<Parts>;
    type SerializeStruct = Whole<Parts>;
    type SerializeStructVariant = Impossible<Content, Error>;

    leaves! {
        serialize_bool(bool) Bool;
        serialize_i8(i8) I8;
        serialize_i16(i16) I16;
        serialize_i32(i32) I32;
        serialize_i64(i64) I64;
        serialize_i128(i128) I128;
        serialize_u8(u8) U8;
        serialize_u16(u16) U16;
        serialize_u32(u32) U32;
        serialize_u64(u64) U64;
        serialize_u128(u128) U128;
        serialize_f32(f32) F32;
        serialize_f64(f64) F64;
        serialize_char(char) Char;
        serialize_str(&str) Text;
        serialize_bytes(&[u8]) Bytes;
    }

    fn serialize_none(self) -> Result<Content> {
        Ok(Content::None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Content> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Content> {
        Ok(Content::Unit)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Content> {
        Ok(Content::Unit)
    }

    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Result<Content> {
        Ok(Content::UnitVariant(name, index, variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<Content> {
        Ok(Content::Newtype(name, Box::new(value.serialize(self.within(name)?)?)))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        _value: &T,
    ) -> Result<Content> {
        Err(variant_with_data(name, variant))
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Whole<Parts>> {
        self.parts(Content::Sequence(Vec::new()))
    }

    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, items: I) -> Result<Content> {
        use serde::ser::SerializeSeq as _;
        let mut sequence = self.serialize_seq(None)?;
        items.into_iter().try_for_each(|item| sequence.serialize_element(&item))?;
        match sequence.end()? {
            Content::Sequence(items) if items.is_empty() && is_byte::<I::Item>() => Ok(Content::NoBytes),
            content => Ok(content),
        }
    }

    fn serialize_tuple(self, _length: usize) -> Result<Whole<Parts>> {
        self.parts(Content::Tuple(Vec::new()))
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Whole<Parts>> {
        self.parts(Content::Tuple(Vec::new()))
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

    fn serialize_map(self, _length: Option<usize>) -> Result<Whole<Parts>> {
        self.parts(Content::Map(Vec::new()))
    }

    fn serialize_struct(self, name: &'static str, _length: usize) -> Result<Whole<Parts>> {
        self.parts(Content::Struct(name, Vec::new()))
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
        self.readable
    }
}

impl ser::SerializeSeq for Parts {
    type Ok = Content;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<Content> {
        Ok(self.whole)
    }
}

impl ser::SerializeTuple for Parts {
    type Ok = Content;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<Content> {
        Ok(self.whole)
    }
}

impl ser::SerializeTupleStruct for Parts {
    type Ok = Content;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<Content> {
        Ok(self.whole)
    }
}

impl ser::SerializeStruct for Parts {
    type Ok = Content;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.field(key, value)
    }

    fn end(self) -> Result<Content> {
        Ok(self.whole)
    }
}

impl ser::SerializeMap for Parts {
    type Ok = Content;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<Content> {
        self.whole()
    }
}
