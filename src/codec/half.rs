//! `f2`: half-precision floats, as their 16 bits ⇄ `f32` and `f64`.

/// The infinite exponent of a half; a NaN has further bits below it.
const INFINITY: u16 = 0x7c00;

/// Two to the power of -24: what the last bit of a half of the lowest exponent is worth.
const SMALLEST: f32 = 1.0 / 16_777_216.0;

/// Decodes a half: every one is exact in `f32`, and a NaN keeps its payload.
#[must_use]
pub(crate) fn f16_to_f32(bits: u16) -> f32 {
    let negative = bits & 0x8000 != 0;
    let exponent = u32::from((bits >> 10) & 0x1f);
    let fraction = bits & 0x03ff;
    let magnitude = match exponent {
        0 => return if negative { -f32::from(fraction) * SMALLEST } else { f32::from(fraction) * SMALLEST },
        0x1f => 0x7f80_0000 | u32::from(fraction) << 13,
        // The biases differ by 127 - 15.
        _ => (exponent + 112) << 23 | u32::from(fraction) << 13,
    };
    f32::from_bits(u32::from(negative) << 31 | magnitude)
}

/// Encodes as a half, rounding to nearest even; `None` where a finite value would become infinite.
#[must_use]
pub(crate) fn f32_to_f16(value: f32) -> Option<u16> {
    if value.is_nan() {
        // Not by way of `f64`, which would make a signalling NaN a quiet one; NumPy keeps it.
        let bits = value.to_bits();
        return nan(bits >> 31 != 0, u64::from(bits & 0x007f_ffff) >> 13);
    }
    f64_to_f16(f64::from(value))
}

/// Encodes as a half, rounding to nearest even once; `None` where a finite value would become infinite.
#[must_use]
pub(crate) fn f64_to_f16(value: f64) -> Option<u16> {
    let bits = value.to_bits();
    let negative = bits >> 63 != 0;
    let exponent = (bits >> 52) & 0x7ff;
    let fraction = bits & 0x000f_ffff_ffff_ffff;
    let sign = u16::from(negative) << 15;
    if exponent == 0x7ff {
        return if fraction == 0 { Some(sign | INFINITY) } else { nan(negative, fraction >> 42) };
    }

    // The exponent field of the smallest normal half, 2^-14, in a double.
    const SMALLEST_NORMAL: u64 = 1023 - 14;
    // Bits of the fraction that a half has no room for, and what is added for the exponent; the leading one, which a
    // half does not store, adds the missing one to it.
    let (dropped, base) = match exponent.checked_sub(SMALLEST_NORMAL) {
        Some(above) => (42, above << 10),
        None => (42 + (SMALLEST_NORMAL - exponent), 0),
    };
    if dropped > 54 {
        // Less than half of the smallest half; subnormal doubles are among these.
        return Some(sign);
    }
    let significand = 1 << 52 | fraction;
    let kept = significand >> dropped;
    let rest = significand & ((1 << dropped) - 1);
    let tie = 1 << (dropped - 1);
    let up = rest > tie || (rest == tie && kept & 1 == 1);
    // A carry out of the fraction moves on to the next exponent, as it should.
    let magnitude = u16::try_from(base + kept + u64::from(up)).ok()?;
    (magnitude < INFINITY).then_some(sign | magnitude)
}

/// A NaN with the upper bits of its payload; it must not become an infinity where these are zero.
fn nan(negative: bool, payload: u64) -> Option<u16> {
    let payload = u16::try_from(payload).ok()?.max(1);
    Some(u16::from(negative) << 15 | INFINITY | payload)
}
