//! Strings that stand for a whole dtype: one scalar, or several with commas, counts and shapes, such as `i4,(2,)f8`.

use crate::dtype::{DType, Field, MAX_NDIM, Struct};
use crate::error::{Category, Cut, Error, Result};
use crate::header::type_tuple::{Shape, shaped, too_many_axes};
use crate::limits::Fields;

/// What `numpy.dtype` makes of a string.
#[inline]
pub(crate) fn parse(text: &str, fields: &mut Fields) -> Result<DType> {
    if is_list(text.as_bytes()) { list(text, fields) } else { text.parse().map(DType::Scalar) }
}

/// Whether a string has to be taken apart: it starts with a digit or `()`, or has a comma outside of square brackets.
#[inline]
fn is_list(bytes: &[u8]) -> bool {
    let ([b'<' | b'>' | b'=' | b'|', unmarked @ ..] | unmarked) = bytes;
    if matches!(unmarked, [b'0'..=b'9', ..] | [b'(', b')', ..]) {
        return true;
    }
    bytes.contains(&b',') && has_comma(bytes)
}

/// Whether there is a comma outside of square brackets.
fn has_comma(bytes: &[u8]) -> bool {
    let mut depth = 0i64;
    bytes.iter().any(|&byte| {
        match byte {
            b'[' => depth = depth.saturating_add(1),
            b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        byte == b',' && depth == 0
    })
}

fn list(text: &str, count: &mut Fields) -> Result<DType> {
    const AT_ONCE: usize = 32;
    let mut fields: Vec<Field> = Vec::new();
    let mut left = items(text);
    let mut rest = text;
    while !rest.is_empty() {
        let (dtype, behind) = item(rest, count).map_err(|error| in_list(error, text))?;
        let behind = behind.trim_start_matches(is_space);
        rest = match behind.strip_prefix(',') {
            Some(behind) => behind.trim_start_matches(is_space),
            None if !behind.is_empty() => {
                return Err(Error::syntax(format!("expected types with commas between them, found `{}`", Cut(text))));
            }
            None if fields.is_empty() => return Ok(dtype),
            None => behind,
        };
        count.add()?;
        if fields.len() == fields.capacity() {
            // As for a list of fields in brackets.
            fields.reserve_exact(left.min(fields.len().max(AT_ONCE)).max(1));
        }
        left = left.saturating_sub(1);
        fields.push(Field::new(format!("f{}", fields.len()), dtype));
    }
    if fields.is_empty() {
        return Err(Error::syntax("expected a dtype such as `<f8`, found an empty string"));
    }
    Ok(DType::Struct(Struct::packed(fields)?))
}

/// About how many types a list has: those behind commas outside of brackets, and the first.
fn items(text: &str) -> usize {
    let mut is_outside = true;
    let is_comma = |byte| {
        match byte {
            b'(' => is_outside = false,
            b')' => is_outside = true,
            _ => {}
        }
        byte == b',' && is_outside
    };
    let text = text.trim_end_matches(is_space);
    text.strip_suffix(',').unwrap_or(text).bytes().map(is_comma).filter(|&found| found).count().saturating_add(1)
}

/// What Python's `\s` matches.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\x1c'..='\x1f')
}

#[cold]
fn in_list(error: Error, text: &str) -> Error {
    match error.category() {
        Category::Syntax => Error::syntax(format!("{error} in `{}`", Cut(text))),
        _ => error,
    }
}

/// One type with its byteorder and its count or shape, and what follows it.
fn item<'a>(text: &'a str, count: &mut Fields) -> Result<(DType, &'a str)> {
    let (first_mark, rest) = mark(text);
    let (repeats, rest) = repeats(rest);
    let (second_mark, rest) = mark(rest);
    let (name, rest) = name(rest);
    let big = |mark: char| mark == '>';
    let mark = match (first_mark, second_mark) {
        (None, mark) | (mark, None) => mark,
        // `=` and `<` agree, `|` agrees with itself alone.
        (Some(first), Some(second)) if big(first) == big(second) && (first == '|') == (second == '|') => Some(first),
        (Some(first), Some(second)) => {
            return Err(Error::syntax(format!("expected one byteorder, found `{first}` and `{second}`")));
        }
    };
    // A name has no comma in it, so no fields.
    let none = &mut Fields::at_most(usize::MAX);
    let dtype = if mark == Some('>') { parse(&format!(">{name}"), none)? } else { parse(name, none)? };
    let dtype = if repeats.is_empty() { dtype } else { shaped(dtype, shape(repeats)?, count)? };
    Ok((dtype, rest))
}

fn mark(text: &str) -> (Option<char>, &str) {
    match text.chars().next() {
        Some(mark @ ('<' | '>' | '=' | '|')) => (Some(mark), text.get(1..).unwrap_or_default()),
        _ => (None, text),
    }
}

/// Splits off a count or a shape: blanks, digits and commas, in brackets or not.
fn repeats(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches(' ');
    let rest = rest.strip_prefix('(').unwrap_or(rest);
    let rest = rest.trim_start_matches(|c: char| c == ' ' || c == ',' || c.is_ascii_digit());
    let rest = rest.strip_prefix(')').unwrap_or(rest).trim_start_matches(' ');
    text.split_at_checked(text.len().saturating_sub(rest.len())).unwrap_or((text, ""))
}

/// Splits off a name or typestring, with a time unit in brackets or not.
fn name(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '.' || c == '?');
    let unit = rest.strip_prefix('[').map(|unit| {
        let behind = unit.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '.' || c == ',');
        (unit.len() > behind.len()).then(|| behind.strip_prefix(']'))
    });
    let rest = unit.flatten().flatten().unwrap_or(rest);
    text.split_at_checked(text.len().saturating_sub(rest.len())).unwrap_or((text, ""))
}

/// The value of a count or shape.
fn shape(text: &str) -> Result<Shape> {
    let malformed = || Error::syntax(format!("expected a count or a shape, found `{}`", Cut(text)));
    let trimmed = text.trim_matches(' ');
    let (inside, bracketed) = match trimmed.strip_prefix('(') {
        Some(inside) => (inside.strip_suffix(')').ok_or_else(malformed)?, true),
        None if trimmed.ends_with(')') => return Err(malformed()),
        None => (trimmed, false),
    };
    if bracketed && inside.trim_matches(' ').is_empty() {
        return Ok(Shape::Axes(Vec::new()));
    }
    let mut axes = Vec::new();
    let mut parts = inside.split(',').peekable();
    while let Some(part) = parts.next() {
        let part = part.trim_matches(' ');
        // A comma may stand at the end.
        if part.is_empty() && parts.peek().is_none() && !axes.is_empty() {
            break;
        }
        let zeros = part.bytes().all(|byte| byte == b'0');
        if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) || (part.starts_with('0') && !zeros) {
            return Err(malformed());
        }
        if axes.len() >= MAX_NDIM {
            return Err(too_many_axes());
        }
        axes.push(part.parse().unwrap_or(i128::MAX));
    }
    match axes.as_slice() {
        &[only] if !inside.contains(',') => Ok(Shape::Int(only)),
        _ => Ok(Shape::Axes(axes)),
    }
}
