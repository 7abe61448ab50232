//! A number on its way to serde, with the guards that serde's own visitors lack: they round floats and turn integers
//! into floats without a word.

use crate::codec;
use crate::de::context::Context;
use crate::error::{Error, Result};
use crate::program::{Call, Op};
use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;

/// A decoded number and what may be done to it.
#[derive(Clone, Copy)]
pub(crate) struct Number<'a> {
    pub(crate) value: Value,
    pub(crate) context: &'a Context,
}

/// The number in the width that it has in the file.
#[derive(Clone, Copy)]
pub(crate) enum Value {
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
}

macro_rules! integers {
    ($($method:ident $visit:ident $type:ty, $call:expr;)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.context.note($call);
            // The width that is asked for, for visitors that take no other; what does not fit, the visitor refuses.
            match self.value.integer().map(<$type>::try_from) {
                Some(Ok(value)) => visitor.$visit(value),
                _ => self.deserialize_any(visitor),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Number<'_> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Other);
        match self.value {
            Value::I8(value) => visitor.visit_i8(value),
            Value::I16(value) => visitor.visit_i16(value),
            Value::I32(value) => visitor.visit_i32(value),
            Value::I64(value) => visitor.visit_i64(value),
            Value::U8(value) => visitor.visit_u8(value),
            Value::U16(value) => visitor.visit_u16(value),
            Value::U32(value) => visitor.visit_u32(value),
            Value::U64(value) => visitor.visit_u64(value),
            Value::F32(value) => visitor.visit_f32(value),
            Value::F64(value) => visitor.visit_f64(value),
        }
    }

    integers! {
        deserialize_i8 visit_i8 i8, Call::Number(Op::I8);
        deserialize_i16 visit_i16 i16, Call::Number(Op::I16);
        deserialize_i32 visit_i32 i32, Call::Number(Op::I32);
        deserialize_i64 visit_i64 i64, Call::Number(Op::I64);
        deserialize_i128 visit_i128 i128, Call::Other;
        deserialize_u8 visit_u8 u8, Call::Number(Op::U8);
        deserialize_u16 visit_u16 u16, Call::Number(Op::U16);
        deserialize_u32 visit_u32 u32, Call::Number(Op::U32);
        deserialize_u64 visit_u64 u64, Call::Number(Op::U64);
        deserialize_u128 visit_u128 u128, Call::Other;
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Number(Op::F32));
        match self.value {
            Value::F32(value) => visitor.visit_f32(value),
            Value::F64(value) => visitor.visit_f32(self.narrowed(value)?),
            _ => {
                let exact = self.value.integer().and_then(codec::exact_f32);
                visitor.visit_f32(exact.ok_or_else(|| self.inexact("f32"))?)
            }
        }
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Number(Op::F64));
        match self.value {
            Value::F64(value) => visitor.visit_f64(value),
            Value::F32(value) => visitor.visit_f64(value.into()),
            _ => {
                let exact = self.value.integer().and_then(codec::exact_f64);
                visitor.visit_f64(exact.ok_or_else(|| self.inexact("f64"))?)
            }
        }
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.note(Call::Other);
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct enum identifier
    }
}

impl Number<'_> {
    /// The nearest `f32`, if rounding is allowed: the dtype decides that, not the value, so that a file does not pass
    /// with 1.0 and fail with 0.1.
    fn narrowed(self, value: f64) -> Result<f32> {
        if !self.context.rounds() {
            return Err(Error::data(
                "expected f32, found a wider float; use f64, or allow rounding by `with::Round` or `ReadOptions::round_floats(true)`",
            ));
        }
        codec::f64_to_f32(value)
            .ok_or_else(|| Error::data(format!("expected f32, found {value:e}, which is beyond its range")))
    }

    #[cold]
    fn inexact(self, type_name: &str) -> Error {
        let value = self.value.integer().unwrap_or_default();
        Error::data(format!("expected {type_name}, found integer `{value}`, which it cannot hold exactly"))
    }
}

impl Value {
    /// The value of an integer; `None` for a float.
    #[inline]
    pub(crate) fn integer(self) -> Option<i128> {
        Some(match self {
            Value::I8(value) => value.into(),
            Value::I16(value) => value.into(),
            Value::I32(value) => value.into(),
            Value::I64(value) => value.into(),
            Value::U8(value) => value.into(),
            Value::U16(value) => value.into(),
            Value::U32(value) => value.into(),
            Value::U64(value) => value.into(),
            Value::F32(_) | Value::F64(_) => return None,
        })
    }
}
