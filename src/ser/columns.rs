//! A struct of columns into the records that they make.

use crate::error::{Error, Result};
use crate::plan::Record;
use crate::ser::array::Output;
use crate::ser::key::{Key, Pending};
use crate::ser::parts::Order;
use crate::ser::refuse::refuse_serialize;
use crate::ser::whole::Whole;
use serde::ser::{self, Impossible, Serialize, Serializer};

/// The bytes of all records, into which each column goes.
pub(crate) struct Table<'a> {
    pub(crate) record: &'a Record,
    pub(crate) length: u64,
    pub(crate) data: &'a mut [u8],
}

#[cold]
pub(crate) fn no_table() -> Error {
    Error::data("expected a struct or a map of columns")
}

impl<'a> Table<'a> {
    fn columns(self) -> Whole<Columns<'a>> {
        Whole::new(Columns { table: self, order: Order::default(), key: Pending::none() })
    }
}

impl<'a> Serializer for Table<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Whole<Columns<'a>>;
    type SerializeStruct = Whole<Columns<'a>>;
    type SerializeStructVariant = Impossible<(), Error>;

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Whole<Columns<'a>>> {
        Ok(self.columns())
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Whole<Columns<'a>>> {
        Ok(self.columns())
    }

    refuse_serialize! {
        no_table: bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str bytes none some unit unit_variant
        variants_with_data sequences
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

pub(crate) struct Columns<'a> {
    table: Table<'a>,
    order: Order,
    key: Pending,
}

impl Columns<'_> {
    /// A column is an array of its own, whose elements lie a record apart.
    fn column<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        let Table { record, length, data } = &mut self.table;
        let position = self.order.find(record, name)?;
        let Some(field) = record.fields.get(position) else { return Ok(()) };
        let (base, inner) = field.node.strides();
        let shape: Vec<u64> = [*length].into_iter().chain(field.node.axes()).collect();
        let strides = [record.itemsize].into_iter().chain(inner).collect();
        let column = data.get_mut(field.offset..).unwrap_or_default();
        Output::held(base, &shape, column, strides).write(value).map_err(|error| error.at_field(name))
    }

    fn close(self) -> Result<()> {
        self.order.end(self.table.record)
    }
}

impl ser::SerializeStruct for Columns<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.column(key, value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

impl ser::SerializeMap for Columns<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key.put(key.serialize(Key)?)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let key = self.key.take()?;
        self.column(&key, value)
    }

    fn end(self) -> Result<()> {
        self.key.check_none()?;
        self.close()
    }
}
