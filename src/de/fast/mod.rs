//! The fast tier of reading: elements whose calls are those of a [`Program`](crate::program::Program).

/// Hands a macro a row for each type of numbers: its method of `Deserializer`, that of `Visitor`, the type, and what codings
/// and ops call it.
macro_rules! each_number {
    ($macro:ident) => {
        $macro! {
            deserialize_i8 visit_i8 i8 I8;
            deserialize_i16 visit_i16 i16 I16;
            deserialize_i32 visit_i32 i32 I32;
            deserialize_i64 visit_i64 i64 I64;
            deserialize_u8 visit_u8 u8 U8;
            deserialize_u16 visit_u16 u16 U16;
            deserialize_u32 visit_u32 u32 U32;
            deserialize_u64 visit_u64 u64 U64;
            deserialize_f32 visit_f32 f32 F32;
            deserialize_f64 visit_f64 f64 F64;
        }
    };
}
pub(crate) use each_number;

mod cursor;
mod items;
mod tier;

pub(crate) use tier::{Found, Ready, Tier};
