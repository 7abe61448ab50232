//! A value through serde into an archive: a member for each of its parts.

use crate::error::{Error, Result};
use crate::npz::name::positional;
use crate::npz::root::{Root, root, unexpected};
use crate::npz::writer::Writer;
use crate::ser::refuse::refuse_serialize;
use crate::ser::{Key, Pending, Whole};
use serde::ser::{self, Impossible, Serialize, Serializer};
use std::io::Write;

/// Adds a value to an archive.
pub(crate) fn add_whole<W: Write, T: Serialize + ?Sized>(writer: &mut Writer<W>, value: &T) -> Result<()> {
    match root(value) {
        Root::Nothing => Ok(()),
        Root::Array => writer.add(&positional(0), value),
        Root::Parts => value.serialize(Parts { writer, next: 0, key: Pending::none() }),
    }
}

/// The parts of a value, each of which becomes a member.
struct Parts<'w, W: Write> {
    writer: &'w mut Writer<W>,
    /// How many have been seen, where they have no names.
    next: usize,
    /// The key of a map that awaits its value.
    key: Pending,
}

impl<W: Write> Parts<'_, W> {
    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        if root(value) == Root::Nothing { Ok(()) } else { self.writer.add(name, value) }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let name = positional(self.next);
        self.next = self.next.saturating_add(1);
        self.member(&name, value)
    }
}

impl<W: Write> Serializer for Parts<'_, W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Whole<Self>;
    type SerializeTupleStruct = Whole<Self>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Whole<Self>;
    type SerializeStruct = Whole<Self>;
    type SerializeStructVariant = Impossible<(), Error>;

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_tuple(self, _length: usize) -> Result<Whole<Self>> {
        Ok(Whole::new(self))
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Whole<Self>> {
        Ok(Whole::new(self))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Whole<Self>> {
        Ok(Whole::new(self))
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Whole<Self>> {
        Ok(Whole::new(self))
    }

    refuse_serialize! {
        unexpected: bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str bytes none unit unit_variant
        variants_with_data seq
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl<W: Write> ser::SerializeStruct for Parts<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.member(key, value)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

impl<W: Write> ser::SerializeMap for Parts<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key.put(key.serialize(Key)?)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let name = self.key.take()?;
        self.member(&name, value)
    }

    fn end(self) -> Result<()> {
        self.key.check_none()?;
        Ok(())
    }
}

impl<W: Write> ser::SerializeTuple for Parts<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

impl<W: Write> ser::SerializeTupleStruct for Parts<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}
