//! `S`, `U` and `V`: elements of fixed width, text as UTF-8 or UCS-4, filled up with NULs.

use crate::error::{Error, Result};

/// Decodes an `S`: NumPy does not count the NULs at its end.
#[must_use]
pub(crate) fn trim_nuls(bytes: &[u8]) -> &[u8] {
    let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    bytes.get(..length).unwrap_or(bytes)
}

/// Encodes an `S`, with NULs behind it.
///
/// # Errors
///
/// The bytes are longer than the slot, or end in a NUL, which would be lost.
#[inline]
pub(crate) fn encode_bytes(bytes: &[u8], slot: &mut [u8]) -> Result<()> {
    check_bytes(bytes, slot.len())?;
    let Some((text, padding)) = slot.split_at_mut_checked(bytes.len()) else { return Ok(()) };
    text.copy_from_slice(bytes);
    padding.fill(0);
    Ok(())
}

/// Whether an `S` of this width takes the bytes.
///
/// # Errors
///
/// As for [`encode_bytes`].
#[inline]
pub(crate) fn check_bytes(bytes: &[u8], width: usize) -> Result<()> {
    if bytes.last() == Some(&0) {
        return Err(ends_in_nul("bytes that do"));
    }
    if bytes.len() > width {
        return Err(Error::data(format!("expected at most {}, found {}", count(width, "byte"), bytes.len())));
    }
    Ok(())
}

/// The error for a value whose end would be taken for filling.
#[cold]
pub(crate) fn ends_in_nul(what: &str) -> Error {
    Error::data(format!("expected {what} not end in NUL, which NumPy would strip"))
}

/// Encodes a `V`.
///
/// # Errors
///
/// The bytes are not exactly as long as the slot.
pub(crate) fn encode_void(bytes: &[u8], slot: &mut [u8]) -> Result<()> {
    check_void(bytes, slot.len())?;
    slot.copy_from_slice(bytes);
    Ok(())
}

/// Whether a `V` of this width takes the bytes.
///
/// # Errors
///
/// As for [`encode_void`].
pub(crate) fn check_void(bytes: &[u8], width: usize) -> Result<()> {
    if bytes.len() != width {
        return Err(Error::data(format!("expected {}, found {}", count(width, "byte"), bytes.len())));
    }
    Ok(())
}

/// The width of a text in a `U`: its code points.
#[must_use]
#[inline]
pub(crate) fn ucs4_width(text: &str) -> usize {
    // Most texts are short and ASCII, for which this is a few instructions.
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// Decodes a `U` into `out`, whose former content is replaced (its memory is used again).
///
/// NULs at the end are stripped, inner ones kept.
///
/// # Errors
///
/// A code point is a surrogate or beyond U+10FFFF; not if `lossy`, which makes such a code point U+FFFD. `out` is then
/// empty.
pub(crate) fn decode_ucs4(bytes: &[u8], big: bool, lossy: bool, out: &mut String) -> Result<()> {
    // One loop per order, each without a branch for it.
    if big {
        decode_code_points(bytes, u32::from_be_bytes, lossy, out)
    } else {
        decode_code_points(bytes, u32::from_le_bytes, lossy, out)
    }
}

fn decode_code_points(bytes: &[u8], decode: impl Fn([u8; 4]) -> u32, lossy: bool, out: &mut String) -> Result<()> {
    let (units, rest) = bytes.as_chunks::<4>();
    check_whole(rest.len(), bytes.len())?;
    let length = units.iter().rposition(|unit| *unit != [0; 4]).map_or(0, |last| last + 1);
    let units = units.get(..length).unwrap_or(units);

    // Kept as bytes, so that nothing is checked per character; `from_utf8` looks at them once.
    let mut utf8 = std::mem::take(out).into_bytes();
    utf8.clear();
    if units.iter().fold(0, |all, unit| all | decode(*unit)) < 0x80 {
        utf8.extend(units.iter().map(|unit| decode(*unit).to_le_bytes()[0]));
    } else {
        for (position, unit) in units.iter().enumerate() {
            let code_point = decode(*unit);
            let char = match char::from_u32(code_point) {
                Some(char) => char,
                None if lossy => char::REPLACEMENT_CHARACTER,
                None => return Err(no_char(code_point, position)),
            };
            utf8.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    *out = String::from_utf8(utf8).map_err(|error| Error::data(error.to_string()))?;
    Ok(())
}

/// Encodes a `U`, with NULs behind it.
///
/// # Errors
///
/// The text has more code points than the slot, or ends in a NUL, which would be lost.
pub(crate) fn encode_ucs4(text: &str, slot: &mut [u8], big: bool) -> Result<()> {
    let length = slot.len();
    let (units, rest) = slot.as_chunks_mut::<4>();
    check_whole(rest.len(), length)?;
    let found = check_ucs4(text, units.len())?;
    let Some((units, padding)) = units.split_at_mut_checked(found) else { return Ok(()) };
    // One loop per order, each without a branch for it.
    if big {
        encode_code_points(text, units, u32::to_be_bytes);
    } else {
        encode_code_points(text, units, u32::to_le_bytes);
    }
    padding.fill([0; 4]);
    Ok(())
}

/// Encodes a text of as many code points as there are units.
fn encode_code_points(text: &str, units: &mut [[u8; 4]], encode: impl Fn(u32) -> [u8; 4]) {
    if units.len() == text.len() {
        // All are ASCII, and many are encoded at once.
        for (unit, byte) in units.iter_mut().zip(text.bytes()) {
            *unit = encode(u32::from(byte));
        }
    } else {
        for (unit, char) in units.iter_mut().zip(text.chars()) {
            *unit = encode(u32::from(char));
        }
    }
}

/// Whether a `U` of this width takes the text, and the width of that.
///
/// # Errors
///
/// As for [`encode_ucs4`].
#[inline]
pub(crate) fn check_ucs4(text: &str, width: usize) -> Result<usize> {
    if text.ends_with('\0') {
        return Err(ends_in_nul("text that does"));
    }
    let found = ucs4_width(text);
    if found > width {
        return Err(Error::data(format!("expected at most {}, found {found}", count(width, "code point"))));
    }
    Ok(found)
}

/// A dtype of another itemsize cannot be built; without this check its last bytes would be ignored.
fn check_whole(rest: usize, length: usize) -> Result<()> {
    if rest == 0 { Ok(()) } else { Err(Error::data(format!("expected a multiple of 4 bytes, found {length}"))) }
}

#[cold]
fn no_char(code_point: u32, position: usize) -> Error {
    let found = if code_point <= 0xffff {
        format!("the surrogate U+{code_point:04X}")
    } else {
        format!("{code_point:#x}, which is beyond U+10FFFF,")
    };
    Error::data(format!("expected Unicode text, found {found} at position {position}"))
}

fn count(number: usize, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{s}")
}
