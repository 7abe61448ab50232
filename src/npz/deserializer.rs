//! An archive through serde: a map of names to arrays, each opened only when its value is wanted.

use crate::de;
use crate::error::{Error, Result};
use crate::npz::array::read_array;
use crate::npz::directory::{Directory, Entry};
use crate::npz::member::Archive;
use crate::npz::name::positional;
use crate::npz::options::ReadOptions;
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer as _, MapAccess, SeqAccess, Visitor};
use std::cell::Cell;

/// In front of the names of types that travel as one array although they are structs to serde.
const ONE_ARRAY: &str = "__serde_npy_";

/// The fields of an array of the `ndarray` crate, which is one array too.
const NDARRAY: [&str; 3] = ["v", "dim", "data"];

/// Gives serde the members of an archive.
pub(crate) struct Whole<'d, 'de> {
    archive: &'d dyn Archive<'de>,
    directory: &'d Directory,
    options: &'d ReadOptions,
    /// How many more values without bytes may be handed out, over all members.
    empty_left: Cell<u64>,
}

impl<'d, 'de> Whole<'d, 'de> {
    pub(crate) fn new(archive: &'d dyn Archive<'de>, directory: &'d Directory, options: &'d ReadOptions) -> Self {
        Whole { archive, directory, options, empty_left: Cell::new(options.array.limits.empty_items) }
    }

    fn value<'w>(&'w self, entry: &'d Entry) -> Value<'w, 'd, 'de> {
        Value { whole: self, entry }
    }

    /// The array without a name of its own.
    fn only(&self) -> Result<Value<'_, 'd, 'de>> {
        Ok(self.value(self.directory.array(&positional(0))?))
    }

    fn members<V: Visitor<'de>>(&self, visitor: V, entries: Vec<(&str, &'d Entry)>) -> Result<V::Value> {
        let members = Members { whole: self, entries: entries.into_iter(), value: None };
        visitor.visit_map(members).map_err(|error| error.among_members(self.directory.names()))
    }

    fn all(&self) -> Vec<(&'d str, &'d Entry)> {
        self.directory.arrays().map(|entry| (entry.array_name(), entry)).collect()
    }

    fn positions<V: Visitor<'de>>(&self, length: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(Positions { whole: self, next: 0, length })
    }
}

/// The members as a map.
struct Members<'w, 'd, 'de> {
    whole: &'w Whole<'d, 'de>,
    entries: std::vec::IntoIter<(&'w str, &'d Entry)>,
    value: Option<&'d Entry>,
}

impl<'de> MapAccess<'de> for Members<'_, '_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((name, entry)) = self.entries.next() else { return Ok(None) };
        self.value = Some(entry);
        let key: serde::de::value::StrDeserializer<'_, Error> = name.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        match self.value.take() {
            Some(entry) => seed.deserialize(self.whole.value(entry)),
            None => Err(Error::data("a value of an archive without its name")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// The members `arr_0`, `arr_1`… as a sequence.
struct Positions<'w, 'd, 'de> {
    whole: &'w Whole<'d, 'de>,
    next: usize,
    length: usize,
}

impl<'de> SeqAccess<'de> for Positions<'_, '_, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.next >= self.length {
            return Ok(None);
        }
        let entry = self.whole.directory.array(&positional(self.next))?;
        self.next = self.next.saturating_add(1);
        seed.deserialize(self.whole.value(entry)).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.length.saturating_sub(self.next))
    }
}

macro_rules! one {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value> {
            self.only()?.$method($($argument,)* visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for &Whole<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.members(visitor, self.all())
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.members(visitor, self.all())
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if name.starts_with(ONE_ARRAY) || fields == NDARRAY {
            return self.only()?.deserialize_struct(name, fields, visitor);
        }
        // Those that are arrays by their name, since the type may refuse fields that it does not know; and others only
        // where it asks for them.
        let mut entries = self.all();
        let hidden = |field: &&&str| !entries.iter().any(|(name, _)| name == *field);
        let others: Vec<_> = match fields.len() {
            0 => Vec::new(),
            _ => fields.iter().filter(|field| self.directory.contains(field)).filter(hidden).collect(),
        };
        entries.extend(others.into_iter().filter_map(|field| Some((*field, self.directory.find(field)?))));
        self.members(visitor, entries)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        self.positions(length, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value> {
        if name.starts_with(ONE_ARRAY) {
            return self.only()?.deserialize_tuple_struct(name, length, visitor);
        }
        self.positions(length, visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if name.starts_with(ONE_ARRAY) {
            return self.only()?.deserialize_newtype_struct(name, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    one! {
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_seq();
        deserialize_identifier();
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The array of one member.
struct Value<'w, 'd, 'de> {
    whole: &'w Whole<'d, 'de>,
    entry: &'d Entry,
}

impl<'de> Value<'_, '_, 'de> {
    fn read<T>(self, read: impl FnOnce(&mut de::Deserializer<'de>) -> Result<T>) -> Result<T> {
        let Whole { archive, options, empty_left, .. } = self.whole;
        read_array(*archive, self.entry, options, |deserializer| {
            deserializer.set_empty_left(empty_left.get());
            let value = read(deserializer);
            empty_left.set(deserializer.empty_left());
            value
        })
    }
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value> {
            self.read(|deserializer| deserializer.$method($($argument,)* visitor))
        }
    )*};
}

impl<'de> Deserializer<'de> for Value<'_, '_, 'de> {
    type Error = Error;

    forward! {
        deserialize_any();
        deserialize_option();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_tuple(length: usize);
        deserialize_tuple_struct(name: &'static str, length: usize);
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_unit();
        deserialize_seq();
        deserialize_map();
        deserialize_identifier();
    }

    /// A member that nobody asks for is not even looked at.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
