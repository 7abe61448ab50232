//! One scalar: bytes ⇄ primitive, in both byteorders. Plain functions in pairs, which know neither fields nor serde.
//!
//! | dtype | Rust primitive | decode | encode |
//! |---|---|---|---|
//! | `b1` | `bool` | [`decode_bool`] | [`encode_bool`] |
//! | `i1` `i2` `i4` `i8` | `i8` `i16` `i32` `i64` | [`decode_i8`] … [`decode_i64`] | [`encode_i8`] … [`encode_i64`] |
//! | `u1` `u2` `u4` `u8` | `u8` `u16` `u32` `u64` | [`decode_u8`] … [`decode_u64`] | [`encode_u8`] … [`encode_u64`] |
//! | `f2` | `f32` | [`decode_u16`], [`f16_to_f32`] | [`f32_to_f16`] or [`f64_to_f16`], [`encode_u16`] |
//! | `f4` | `f32` | [`decode_f32`] | [`encode_f32`]; [`f64_to_f32`] to get there |
//! | `f8` | `f64` | [`decode_f64`] | [`encode_f64`]; [`exact_f64`] of an integer |
//! | `f16` | `f64` | [`x87_to_f64`] or [`ieee128_to_f64`] | none |
//! | `c8` `c16` `c32` | two of `f4` `f8` `f16` | | |
//! | `S` | `&[u8]` | [`trim_nuls`] | [`encode_bytes`] |
//! | `U` | `String`, `&str` | [`decode_ucs4`] | [`encode_ucs4`], [`ucs4_width`] |
//! | `V` | `&[u8]` | the bytes | [`encode_void`] |
//! | `M8` | `i64`, text | [`decode_i64`], [`format_datetime`] | [`parse_datetime`], [`encode_i64`] |
//! | `m8` | `i64`, text | [`decode_i64`], [`format_timedelta`] | [`parse_timedelta`], [`encode_i64`] |
//!
//! [`convert_datetime`] and [`convert_timedelta`] count in another unit, [`datetime_parts`], [`datetime_of`] and their
//! twins in seconds and nanoseconds. [`NAT`] is no time, and handed to none of the
//! functions of times.

mod calendar;
mod cursor;
mod datetime;
mod half;
mod long_double;
mod moment;
mod number;
mod seconds;
mod step;
#[cfg(test)]
mod tests;
mod text;
mod timedelta;

pub(crate) use datetime::{NAT, convert_datetime, format_datetime, parse_datetime};
pub(crate) use half::{f16_to_f32, f32_to_f16, f64_to_f16};
pub(crate) use long_double::{ieee128_to_f64, x87_to_f64};
pub(crate) use moment::{datetime_of, datetime_parts, timedelta_of, timedelta_parts};
pub(crate) use number::{
    decode_bool, decode_f32, decode_f64, decode_i8, decode_i16, decode_i32, decode_i64, decode_u8, decode_u16,
    decode_u32, decode_u64, encode_bool, encode_f32, encode_f64, encode_i8, encode_i16, encode_i32, encode_i64,
    encode_u8, encode_u16, encode_u32, encode_u64, exact_f32, exact_f64, f64_to_f32,
};
pub(crate) use text::{
    check_bytes, check_ucs4, check_void, decode_ucs4, encode_bytes, encode_ucs4, encode_void, ends_in_nul, trim_nuls,
    ucs4_width,
};
pub(crate) use timedelta::{convert_timedelta, format_timedelta, parse_timedelta};
