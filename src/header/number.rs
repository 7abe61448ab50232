//! Python's numeric literals.

use crate::header::fault::Fault;

/// A number without its sign: where it ends and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) end: usize,
    pub(crate) form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Int,
    Float,
    Imaginary,
}

/// Finds the end of the number that starts at a digit or a point.
pub(crate) fn scan(bytes: &[u8], start: usize) -> Result<Number, Fault> {
    let malformed = |position| Fault::syntax(position, "a malformed number");
    if bytes.get(start) == Some(&b'0')
        && let Some(radix) = radix(bytes, start)
    {
        let mut position = start.saturating_add(2);
        if bytes.get(position) == Some(&b'_') {
            position = position.saturating_add(1);
        }
        let end = digits(bytes, position, radix).ok_or_else(|| malformed(start))?;
        return Ok(Number { end, form: Form::Int });
    }
    let whole = if bytes.get(start) == Some(&b'.') {
        start
    } else {
        digits(bytes, start, 10).ok_or_else(|| malformed(start))?
    };
    let mut end = whole;
    let mut form = Form::Int;
    if bytes.get(end) == Some(&b'.') {
        form = Form::Float;
        end = end.saturating_add(1);
        if bytes.get(end).is_some_and(u8::is_ascii_digit) {
            end = digits(bytes, end, 10).ok_or_else(|| malformed(start))?;
        } else if whole == start {
            return Err(malformed(start));
        }
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = end.saturating_add(1);
        let exponent = if matches!(bytes.get(sign), Some(b'+' | b'-')) { sign.saturating_add(1) } else { sign };
        end = digits(bytes, exponent, 10).ok_or_else(|| malformed(start))?;
        form = Form::Float;
    }
    if matches!(bytes.get(end), Some(b'j' | b'J')) {
        return Ok(Number { end: end.saturating_add(1), form: Form::Imaginary });
    }
    let whole = bytes.get(start..end).unwrap_or_default();
    if form == Form::Int && whole.first() == Some(&b'0') && whole.iter().any(|byte| matches!(byte, b'1'..=b'9')) {
        return Err(Fault::syntax(start, "an integer with leading zeros"));
    }
    Ok(Number { end, form })
}

/// The value of an integer of nothing but a few decimal digits: the common case, at once.
pub(crate) fn short(text: &[u8]) -> Option<i128> {
    const DIGITS: usize = 18;
    if text.len() > DIGITS {
        return None;
    }
    let digit = |byte: u8| byte.is_ascii_digit().then(|| i64::from(byte & 0xf));
    let value = text.iter().try_fold(0i64, |value, &byte| Some(value.wrapping_mul(10).wrapping_add(digit(byte)?)));
    value.map(i128::from)
}

/// The value of an integer that [`scan`] has accepted; what is too large for the type becomes its maximum.
pub(crate) fn value(bytes: &[u8], start: usize) -> i128 {
    let (radix, start) = match radix(bytes, start) {
        Some(radix) => (radix, start.saturating_add(2)),
        None => (10, start),
    };
    let mut value = 0i128;
    for &byte in bytes.get(start..).unwrap_or_default() {
        match char::from(byte).to_digit(radix) {
            Some(digit) => value = value.saturating_mul(i128::from(radix)).saturating_add(i128::from(digit)),
            None if byte == b'_' => {}
            None => break,
        }
    }
    value
}

fn radix(bytes: &[u8], start: usize) -> Option<u32> {
    match bytes.get(start..)? {
        [b'0', b'x' | b'X', ..] => Some(16),
        [b'0', b'o' | b'O', ..] => Some(8),
        [b'0', b'b' | b'B', ..] => Some(2),
        _ => None,
    }
}

/// The end of digits with single underscores between them; nothing where there is no digit or an underscore is astray.
fn digits(bytes: &[u8], start: usize, radix: u32) -> Option<usize> {
    let is_digit = |position: usize| bytes.get(position).is_some_and(|&byte| char::from(byte).is_digit(radix));
    let mut position = start;
    if !is_digit(position) {
        return None;
    }
    loop {
        while is_digit(position) {
            position = position.saturating_add(1);
        }
        if bytes.get(position) != Some(&b'_') {
            return Some(position);
        }
        position = position.saturating_add(1);
        if !is_digit(position) {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, Number, scan, value};

    #[test]
    fn numbers_are_python_s() {
        let rows: &[(&str, Option<(usize, Form)>)] = &[
            ("0", Some((1, Form::Int))),
            ("00_0", Some((4, Form::Int))),
            ("12_34,", Some((5, Form::Int))),
            ("0x_fF", Some((5, Form::Int))),
            ("0b10", Some((4, Form::Int))),
            ("0o17L", Some((4, Form::Int))),
            ("1.", Some((2, Form::Float))),
            (".5e-3", Some((5, Form::Float))),
            ("1e5", Some((3, Form::Float))),
            ("07.5", Some((4, Form::Float))),
            ("07j", Some((3, Form::Imaginary))),
            ("1.5J", Some((4, Form::Imaginary))),
            ("07", None),
            ("0_7", None),
            ("1__0", None),
            ("1_", None),
            ("0x", None),
            ("0x1_", None),
            ("1e", None),
            (".", None),
        ];
        for &(text, expected) in rows {
            let found = scan(text.as_bytes(), 0).ok().map(|Number { end, form }| (end, form));
            assert_eq!(found, expected, "{text}");
        }
        for (text, expected) in [("0x_fF,", 255), ("1_000)", 1000), ("0b101", 5), ("0", 0), ("0o17", 15)] {
            assert_eq!(value(text.as_bytes(), 0), expected, "{text}");
        }
        assert_eq!(value("9".repeat(50).as_bytes(), 0), i128::MAX);
    }
}
