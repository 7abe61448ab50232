//! Strings that stand for a whole dtype: one scalar, or several with commas, counts and shapes, such as `i4,(2,)f8`.

use crate::dtype::{DType, Field, Struct};
use crate::error::{Category, Error, Result};
use crate::header::type_tuple::{Shape, shaped};
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

fn list(text: &str, fields: &mut Fields) -> Result<DType> {
    let mut dtypes = Vec::new();
    let mut is_list = false;
    let mut rest = text;
    while !rest.is_empty() {
        let (dtype, behind) = item(rest).map_err(|error| in_list(error, text))?;
        dtypes.push(dtype);
        rest = behind;
        if rest.trim_start_matches(is_space).is_empty() {
            if is_list {
                fields.add()?;
            }
            break;
        }
        let Some(behind) = rest.trim_start_matches(is_space).strip_prefix(',') else {
            return Err(Error::syntax(format!("expected types with commas between them, found `{text}`")));
        };
        rest = behind.trim_start_matches(is_space);
        is_list = true;
        fields.add()?;
    }
    if !is_list {
        return dtypes.pop().ok_or_else(|| Error::syntax("expected a dtype such as `<f8`, found an empty string"));
    }
    let names = (0..).map(|position: usize| format!("f{position}"));
    let fields = names.zip(dtypes).map(|(name, dtype)| Field::new(name, dtype)).collect();
    Ok(DType::Struct(Struct::packed(fields)?))
}

/// What Python's `\s` matches.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\x1c'..='\x1f')
}

#[cold]
fn in_list(error: Error, text: &str) -> Error {
    match error.category() {
        Category::Syntax => Error::syntax(format!("{error} in `{text}`")),
        _ => error,
    }
}

/// One type with its byteorder and its count or shape, and what follows it.
fn item(text: &str) -> Result<(DType, &str)> {
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
    let dtype = if repeats.is_empty() { dtype } else { shaped(dtype, shape(repeats)?)? };
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
    let malformed = || Error::syntax(format!("expected a count or a shape, found `{text}`"));
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
        axes.push(part.parse().unwrap_or(i128::MAX));
    }
    match axes.as_slice() {
        &[only] if !inside.contains(',') => Ok(Shape::Int(only)),
        _ => Ok(Shape::Axes(axes)),
    }
}
