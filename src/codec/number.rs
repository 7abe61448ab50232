//! `b`, `i`, `u` and `f`: one scalar in either byteorder ⇄ the primitive of its kind and itemsize.

use crate::error::{Error, Result};

/// Decodes a `b1`.
///
/// # Errors
///
/// The byte is neither 0 nor 1. NumPy would take it as true, but there is no such `bool`.
#[inline]
pub(crate) fn decode_bool(bytes: &[u8]) -> Result<bool> {
    match bytes {
        [0] => Ok(false),
        [1] => Ok(true),
        [byte] => Err(Error::data(format!("expected a bool, byte 0 or 1, found byte {byte}"))),
        _ => Err(wrong_length(1, bytes.len())),
    }
}

/// Encodes a `b1`.
///
/// # Errors
///
/// The slot is not one byte.
#[inline]
pub(crate) fn encode_bool(value: bool, slot: &mut [u8]) -> Result<()> {
    encode_u8(u8::from(value), slot, false)
}

/// A pair of functions per primitive. The slices are exactly as long as the primitive, or it is an error: this is where
/// a mistake in an offset is caught, and the compiler drops the check where it sees the length.
macro_rules! number {
    ($decode:ident, $encode:ident, $primitive:ty) => {
        #[doc = concat!("Decodes the bytes of one `", stringify!($primitive), "`; any other length is an error.")]
        #[inline]
        pub(crate) fn $decode(bytes: &[u8], big: bool) -> Result<$primitive> {
            let Ok(bytes) = <[u8; size_of::<$primitive>()]>::try_from(bytes) else {
                return Err(wrong_length(size_of::<$primitive>(), bytes.len()));
            };
            Ok(if big { <$primitive>::from_be_bytes(bytes) } else { <$primitive>::from_le_bytes(bytes) })
        }

        #[doc = concat!("Encodes one `", stringify!($primitive), "` into a slot of its size; any other is an error.")]
        #[inline]
        pub(crate) fn $encode(value: $primitive, slot: &mut [u8], big: bool) -> Result<()> {
            let length = slot.len();
            let Ok(slot) = <&mut [u8; size_of::<$primitive>()]>::try_from(slot) else {
                return Err(wrong_length(size_of::<$primitive>(), length));
            };
            *slot = if big { value.to_be_bytes() } else { value.to_le_bytes() };
            Ok(())
        }
    };
}

number!(decode_i8, encode_i8, i8);
number!(decode_i16, encode_i16, i16);
number!(decode_i32, encode_i32, i32);
number!(decode_i64, encode_i64, i64);
number!(decode_u8, encode_u8, u8);
number!(decode_u16, encode_u16, u16);
number!(decode_u32, encode_u32, u32);
number!(decode_u64, encode_u64, u64);
number!(decode_f32, encode_f32, f32);
number!(decode_f64, encode_f64, f64);

macro_rules! exact {
    ($name:ident $float:ident) => {
        #[doc = concat!("The `", stringify!($float), "` equal to an integer of 64 bits, if there is one.")]
        #[must_use]
        #[inline]
        #[allow(clippy::cast_precision_loss, reason = "only where no bit is lost")]
        pub(crate) fn $name(value: i128) -> Option<$float> {
            match i64::try_from(value) {
                Ok(value) => has_bits(value.unsigned_abs(), $float::MANTISSA_DIGITS).then_some(value as $float),
                Err(_) => {
                    let value = u64::try_from(value).ok()?;
                    has_bits(value, $float::MANTISSA_DIGITS).then_some(value as $float)
                }
            }
        }
    };
}

exact!(exact_f32 f32);
exact!(exact_f64 f64);

/// The nearest `f32`; `None` where a finite value would become infinite.
#[must_use]
#[inline]
pub(crate) fn f64_to_f32(value: f64) -> Option<f32> {
    #[allow(clippy::cast_possible_truncation, reason = "rounding is what is asked for")]
    let rounded = value as f32;
    (rounded.is_finite() || !value.is_finite()).then_some(rounded)
}

/// Whether everything from the first bit set to the last one has room in so many bits.
#[inline]
fn has_bits(magnitude: u64, bits: u32) -> bool {
    magnitude == 0 || u64::BITS - magnitude.leading_zeros() - magnitude.trailing_zeros() <= bits
}

#[cold]
fn wrong_length(expected: usize, found: usize) -> Error {
    let s = if expected == 1 { "" } else { "s" };
    Error::data(format!("expected {expected} byte{s}, found {found}"))
}
