//! Arrays of numbers at the speed of memory: runs of elements as bytes, in place of elements one by one.
//!
//! An [`Array`](crate::Array) of a primitive type asks for its elements under a name that only our deserializers know;
//! where the dtype is just that of the type, they answer with runs of bytes. To every other format the name means
//! nothing, and the elements come one by one.

use byteorder::{BigEndian, ByteOrder, LittleEndian};
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use std::any::{Any, TypeId};
use std::fmt;
use std::marker::PhantomData;

/// A number whose elements can be taken in runs.
pub(crate) trait Plain: Copy + 'static {
    /// The name under which runs are asked for.
    const NAME: &'static str;
    /// Appends the whole elements of a run.
    fn append(run: &[u8], big: bool, out: &mut Vec<Self>);
}

macro_rules! plain {
    ($($type:ident $name:literal $read:ident $zero:literal;)*) => {$(
        impl Plain for $type {
            const NAME: &'static str = $name;

            fn append(run: &[u8], big: bool, out: &mut Vec<Self>) {
                let (start, count) = (out.len(), run.len() / size_of::<$type>());
                out.resize(start.saturating_add(count), $zero);
                let run = run.get(..count.saturating_mul(size_of::<$type>())).unwrap_or_default();
                let new = out.get_mut(start..).unwrap_or_default();
                if big { BigEndian::$read(run, new) } else { LittleEndian::$read(run, new) }
            }
        }
    )*};
}

plain! {
    i16 "__serde_npy_run_i2" read_i16_into 0;
    i32 "__serde_npy_run_i4" read_i32_into 0;
    i64 "__serde_npy_run_i8" read_i64_into 0;
    u16 "__serde_npy_run_u2" read_u16_into 0;
    u32 "__serde_npy_run_u4" read_u32_into 0;
    u64 "__serde_npy_run_u8" read_u64_into 0;
    f32 "__serde_npy_run_f4" read_f32_into 0.0;
    f64 "__serde_npy_run_f8" read_f64_into 0.0;
}

impl Plain for u8 {
    const NAME: &'static str = "__serde_npy_run_u1";

    fn append(run: &[u8], _big: bool, out: &mut Vec<Self>) {
        out.extend_from_slice(run);
    }
}

impl Plain for i8 {
    const NAME: &'static str = "__serde_npy_run_i1";

    fn append(run: &[u8], _big: bool, out: &mut Vec<Self>) {
        out.extend(run.iter().map(|byte| byte.cast_signed()));
    }
}

/// Calls a macro with every [`Plain`] type.
macro_rules! each_plain {
    ($call:ident) => {
        $call!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64)
    };
}

/// The name under which runs of a type are asked for, if it is such a number.
fn name_of<T: 'static>() -> Option<&'static str> {
    macro_rules! find {
        ($($type:ident)*) => {$(
            if TypeId::of::<T>() == TypeId::of::<$type>() {
                return Some(<$type>::NAME);
            }
        )*};
    }
    each_plain!(find);
    None
}

/// The kind and the itemsize of the dtype whose runs a name asks for.
pub(crate) fn asked_for(name: &str) -> Option<(char, usize)> {
    let mut typestring = name.strip_prefix("__serde_npy_run_")?.chars();
    let kind = typestring.next()?;
    Some((kind, typestring.as_str().parse().ok()?))
}

/// The elements of an array, in runs where that is possible.
pub(crate) struct Elements<T>(pub(crate) Vec<T>);

impl<'de, T: Deserialize<'de> + 'static> Deserialize<'de> for Elements<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match name_of::<T>() {
            Some(name) if !deserializer.is_human_readable() => {
                deserializer.deserialize_newtype_struct(name, RunsVisitor(PhantomData))
            }
            _ => Vec::deserialize(deserializer).map(Elements),
        }
    }
}

struct RunsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + 'static> Visitor<'de> for RunsVisitor<T> {
    type Value = Elements<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the elements of an array")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        Vec::deserialize(deserializer).map(Elements)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<Self::Value, A::Error> {
        macro_rules! read {
            ($($type:ident)*) => {$(
                if TypeId::of::<T>() == TypeId::of::<$type>() {
                    let elements: Box<dyn Any> = Box::new(runs::<$type, A>(access)?);
                    let elements = elements.downcast::<Vec<T>>().map_err(|_| de::Error::custom("runs of another type"))?;
                    return Ok(Elements(*elements));
                }
            )*};
        }
        each_plain!(read);
        Err(de::Error::custom("runs of a type that has none"))
    }
}

/// The byteorder, then runs until there are no more.
fn runs<'de, P: Plain, A: SeqAccess<'de>>(mut access: A) -> Result<Vec<P>, A::Error> {
    let mut out = Vec::new();
    // Only what is there already is promised.
    out.reserve_exact(access.size_hint().unwrap_or(0));
    let big = access.next_element()?.ok_or_else(|| de::Error::custom("runs without a byteorder"))?;
    while access.next_element_seed(Run { out: &mut out, big })?.is_some() {}
    Ok(out)
}

struct Run<'o, P> {
    out: &'o mut Vec<P>,
    big: bool,
}

impl<'de, P: Plain> DeserializeSeed<'de> for Run<'_, P> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl<P: Plain> Visitor<'_> for Run<'_, P> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a run of elements")
    }

    fn visit_bytes<E: de::Error>(self, run: &[u8]) -> Result<(), E> {
        P::append(run, self.big, self.out);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_appended_in_either_order_and_a_cut_element_is_left() {
        let mut out = vec![7u16];
        u16::append(&[1, 0, 2, 0, 9], false, &mut out);
        u16::append(&[0, 3], true, &mut out);
        assert_eq!(out, [7, 1, 2, 3]);
        let mut out = Vec::new();
        f64::append(&1.5f64.to_be_bytes(), true, &mut out);
        assert_eq!(out, [1.5]);
        let mut out = Vec::new();
        i8::append(&[255, 1], true, &mut out);
        assert_eq!(out, [-1, 1]);
    }

    #[test]
    fn names_tell_kind_and_itemsize() {
        assert_eq!(asked_for(<f32 as Plain>::NAME), Some(('f', 4)));
        assert_eq!(asked_for(<u8 as Plain>::NAME), Some(('u', 1)));
        assert_eq!(asked_for("f16"), None);
        assert_eq!(name_of::<i64>(), Some("__serde_npy_run_i8"));
        assert_eq!(name_of::<bool>(), None);
    }
}
