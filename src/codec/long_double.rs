//! `f16`: long doubles of 16 bytes, in the two formats that NumPy writes under this typestring, to `f64`.
//!
//! There is no way back: a writer that has an `f64` writes `f8`.

use crate::error::{Error, Result};

/// Decodes an x87 extended float: 80 bits, then 6 bytes of padding.
///
/// # Errors
///
/// `f64` cannot hold the value: it has too many digits (unless `round`, which takes the nearest, even at a tie) or is
/// too large. Or no processor since the 80387 takes these bits for a number.
pub(crate) fn x87_to_f64(bytes: &[u8; 16], big: bool, round: bool) -> Result<f64> {
    let bits = bits(bytes, big);
    let negative = bits >> 79 & 1 == 1;
    let exponent = field(bits >> 64);
    let significand = bits & u128::from(u64::MAX);
    // Unlike in other formats the leading bit is stored, and so can be missing.
    let leading = significand >> 63 == 1;
    match exponent {
        MAX_FIELD if !leading => Err(invalid(if significand == 0 { "pseudo-infinity" } else { "pseudo-NaN" })),
        MAX_FIELD => Ok(not_finite(negative, (significand & ((1 << 63) - 1)) << 49)),
        // A leading bit here makes a pseudo-denormal, which has a value like any other.
        0 => finite(negative, significand, 1 - BIAS - 63, round),
        _ if !leading => Err(invalid("unnormal")),
        _ => finite(negative, significand, exponent - BIAS - 63, round),
    }
}

/// Decodes an IEEE 754 binary128 float.
///
/// # Errors
///
/// `f64` cannot hold the value: it has too many digits (unless `round`, which takes the nearest, even at a tie) or is
/// too large.
pub(crate) fn ieee128_to_f64(bytes: &[u8; 16], big: bool, round: bool) -> Result<f64> {
    let bits = bits(bytes, big);
    let negative = bits >> 127 == 1;
    let exponent = field(bits >> 112);
    let fraction = bits & ((1 << 112) - 1);
    match exponent {
        MAX_FIELD => Ok(not_finite(negative, fraction)),
        0 => finite(negative, fraction, 1 - BIAS - 112, round),
        _ => finite(negative, 1 << 112 | fraction, exponent - BIAS - 112, round),
    }
}

/// Both formats have 15 bits of exponent.
const MAX_FIELD: i32 = 0x7fff;
const BIAS: i32 = 16383;

/// NumPy swaps all 16 bytes, the padding of an x87 float included.
fn bits(bytes: &[u8; 16], big: bool) -> u128 {
    if big { u128::from_be_bytes(*bytes) } else { u128::from_le_bytes(*bytes) }
}

fn field(bits: u128) -> i32 {
    // Cannot fail after the mask.
    i32::try_from(bits & 0x7fff).unwrap_or(MAX_FIELD)
}

/// An infinity, or a NaN with the upper 52 of the 112 bits of its payload; made quiet, as the processor does.
fn not_finite(negative: bool, fraction: u128) -> f64 {
    if fraction == 0 {
        return if negative { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let payload = u64::try_from(fraction >> 60).unwrap_or(0) | 1 << 51;
    f64::from_bits(u64::from(negative) << 63 | 0x7ff << 52 | payload)
}

/// The double of value `significand` × 2^`exponent`.
fn finite(negative: bool, significand: u128, exponent: i32, round: bool) -> Result<f64> {
    let sign = u64::from(negative) << 63;
    let Some(top) = significand.checked_ilog2() else { return Ok(f64::from_bits(sign)) };
    let magnitude = i32::try_from(top).unwrap_or(0) + exponent;
    if magnitude > 1023 {
        return Err(too_large());
    }
    // What the last bit of the double is worth; below 2^-1022 it stays the same.
    let last = magnitude.max(-1022) - 52;
    let (mut kept, exact, up) = match u32::try_from(last - exponent) {
        Err(_) => (significand << exponent.abs_diff(last), true, false),
        Ok(0) => (significand, true, false),
        // More than a significand has: less than half of the smallest double.
        Ok(127..) => (0, false, false),
        Ok(dropped) => {
            let kept = significand >> dropped;
            let rest = significand & ((1 << dropped) - 1);
            let tie = 1 << (dropped - 1);
            (kept, rest == 0, rest > tie || (rest == tie && kept & 1 == 1))
        }
    };
    if !exact && !round {
        return Err(Error::data("expected a long double that `f64` can hold, found one that would be rounded"));
    }
    kept += u128::from(up);
    // The leading bit, which is not stored, adds the missing one to the exponent; a carry moves on to it as well.
    let field = u64::try_from(magnitude + 1022).unwrap_or(0);
    let bits = (field << 52) + u64::try_from(kept).unwrap_or(0);
    if bits >= 0x7ff << 52 { Err(too_large()) } else { Ok(f64::from_bits(sign | bits)) }
}

#[cold]
fn too_large() -> Error {
    Error::data("expected a long double that `f64` can hold, found one that would become infinite")
}

#[cold]
fn invalid(what: &str) -> Error {
    Error::data(format!("expected an x87 long double, found an invalid encoding ({what})"))
}
