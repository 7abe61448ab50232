//! One value through serde, whose calls are noted.

use crate::program::{Learner, Miss, Op, Opened};
use crate::ser::refuse::refuse_serialize;
use crate::with::Adapter;
use serde::ser::{self, Impossible, Serialize, Serializer};
use std::cell::RefCell;
use std::fmt;

/// Tells a learner the calls for the part of an element that is due.
#[derive(Clone, Copy)]
pub(crate) struct Learn<'l, 'p> {
    pub(crate) learner: &'l RefCell<Learner<'p>>,
    pub(crate) readable: bool,
}

impl Learn<'_, '_> {
    fn number(self, op: Op) -> Result<(), Miss> {
        self.learner.borrow_mut().number(op).ok_or(Miss)
    }

    fn characters(self, as_bytes: bool) -> Result<(), Miss> {
        self.learner.borrow_mut().characters(as_bytes).ok_or(Miss)
    }
}

fn other() -> Miss {
    Miss
}

macro_rules! numbers {
    ($($method:ident $type:ty, $op:ident;)*) => {$(
        fn $method(self, _: $type) -> Result<(), Miss> {
            self.number(Op::$op)
        }
    )*};
}

impl<'l, 'p> Serializer for Learn<'l, 'p> {
    type Ok = ();
    type Error = Miss;
    type SerializeSeq = Parts<'l, 'p>;
    type SerializeTuple = Parts<'l, 'p>;
    type SerializeTupleStruct = Parts<'l, 'p>;
    type SerializeTupleVariant = Impossible<(), Miss>;
    type SerializeMap = Impossible<(), Miss>;
    type SerializeStruct = Fields<'l, 'p>;
    type SerializeStructVariant = Impossible<(), Miss>;

    numbers! {
        serialize_bool bool, Bool;
        serialize_i8 i8, I8;
        serialize_i16 i16, I16;
        serialize_i32 i32, I32;
        serialize_i64 i64, I64;
        serialize_u8 u8, U8;
        serialize_u16 u16, U16;
        serialize_u32 u32, U32;
        serialize_u64 u64, U64;
        serialize_f32 f32, F32;
        serialize_f64 f64, F64;
    }

    fn serialize_char(self, _: char) -> Result<(), Miss> {
        self.characters(false)
    }

    fn serialize_str(self, _: &str) -> Result<(), Miss> {
        self.characters(false)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Miss> {
        self.characters(false)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Result<(), Miss> {
        self.characters(false)
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Miss> {
        self.characters(true)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Miss> {
        self.learner.borrow_mut().option();
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<(), Miss> {
        let learner = &mut *self.learner.borrow_mut();
        learner.option();
        learner.none();
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), Miss> {
        if matches!(name, "f16" | "bf16") {
            return Err(Miss);
        }
        let Some(adapter) = Adapter::from_name(name) else { return value.serialize(self) };
        let outer = self.learner.borrow().scope();
        self.learner.borrow_mut().adapter(name, adapter);
        value.serialize(Learn { readable: adapter.is_readable(), ..self })?;
        self.learner.borrow_mut().set_scope(outer);
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'l, 'p>, Miss> {
        self.parts(None)
    }

    fn serialize_tuple(self, length: usize) -> Result<Parts<'l, 'p>, Miss> {
        self.parts(Some(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Parts<'l, 'p>, Miss> {
        self.parts(Some(length))
    }

    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Fields<'l, 'p>, Miss> {
        let opened = self.learner.borrow_mut().open(length).ok_or(Miss)?;
        Ok(Fields { learn: self, opened })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Miss> {
        Err(Miss)
    }

    refuse_serialize! { other: unit variants_with_data }

    fn is_human_readable(&self) -> bool {
        self.readable
    }
}

impl<'l, 'p> Learn<'l, 'p> {
    fn parts(self, length: Option<usize>) -> Result<Parts<'l, 'p>, Miss> {
        let learner = &mut *self.learner.borrow_mut();
        learner.tuple(length).ok_or(Miss)?;
        Ok(Parts { learn: self, in_run: learner.is_in_run(), next: 0 })
    }
}

/// Parts by position.
pub(crate) struct Parts<'l, 'p> {
    learn: Learn<'l, 'p>,
    in_run: bool,
    next: usize,
}

impl Parts<'_, '_> {
    fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Miss> {
        let index = self.next;
        self.next = index.saturating_add(1);
        if self.in_run {
            value.serialize(Item { learner: self.learn.learner, index })
        } else {
            value.serialize(self.learn)
        }
    }

    fn close(self) -> Result<(), Miss> {
        if self.in_run {
            self.learn.learner.borrow_mut().end_run(self.next);
        }
        Ok(())
    }
}

macro_rules! parts {
    ($($trait:ident $method:ident;)*) => {$(
        impl ser::$trait for Parts<'_, '_> {
            type Ok = ();
            type Error = Miss;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Miss> {
                self.part(value)
            }

            fn end(self) -> Result<(), Miss> {
                self.close()
            }
        }
    )*};
}

parts! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
}

pub(crate) struct Fields<'l, 'p> {
    learn: Learn<'l, 'p>,
    opened: Opened<'p>,
}

impl ser::SerializeStruct for Fields<'_, '_> {
    type Ok = ();
    type Error = Miss;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Miss> {
        self.learn.learner.borrow_mut().key(&mut self.opened, key);
        value.serialize(self.learn)
    }

    fn end(self) -> Result<(), Miss> {
        self.learn.learner.borrow_mut().close(&self.opened);
        Ok(())
    }
}

/// One number of a run.
struct Item<'l, 'p> {
    learner: &'l RefCell<Learner<'p>>,
    index: usize,
}

macro_rules! items {
    ($($method:ident $type:ty, $op:ident;)*) => {$(
        fn $method(self, _: $type) -> Result<(), Miss> {
            self.learner.borrow_mut().item(Op::$op, self.index);
            Ok(())
        }
    )*};
}

impl Serializer for Item<'_, '_> {
    type Ok = ();
    type Error = Miss;
    type SerializeSeq = Impossible<(), Miss>;
    type SerializeTuple = Impossible<(), Miss>;
    type SerializeTupleStruct = Impossible<(), Miss>;
    type SerializeTupleVariant = Impossible<(), Miss>;
    type SerializeMap = Impossible<(), Miss>;
    type SerializeStruct = Impossible<(), Miss>;
    type SerializeStructVariant = Impossible<(), Miss>;

    items! {
        serialize_bool bool, Bool;
        serialize_i8 i8, I8;
        serialize_i16 i16, I16;
        serialize_i32 i32, I32;
        serialize_i64 i64, I64;
        serialize_u8 u8, U8;
        serialize_u16 u16, U16;
        serialize_u32 u32, U32;
        serialize_u64 u64, U64;
        serialize_f32 f32, F32;
        serialize_f64 f64, F64;
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), Miss> {
        if Adapter::is_name(name) || matches!(name, "f16" | "bf16") { Err(Miss) } else { value.serialize(self) }
    }

    refuse_serialize! { other: char str bytes none some unit unit_variant variants_with_data sequences records }

    fn is_human_readable(&self) -> bool {
        false
    }
}
