//! Text to [`Scalar`]: every string that stands for one scalar to `numpy.dtype`.

use crate::dtype::scalar::{ByteOrder, Kind, Scalar, TimeUnit};
use crate::error::{Error, Result};
use std::str::FromStr;

/// What `numpy.dtype` makes of a string that is no list of several types, on 64-bit little-endian Linux.
///
/// Typestrings (`<f8`, with or without mark), one-character codes (`d`), names (`float64`, `int`) and times with unit,
/// count and divisor (`M8[25us]`, `datetime64[D/24]`). A mark in front of one-byte types, bytes, void and objects has no
/// meaning; `=`, `|` and none at all stand for little-endian.
///
/// Refused, though NumPy takes them: the characters 1 to 23 (its own type numbers), times whose count is 0, negative or
/// the product of an overflow (a divisor of 0 ends the NumPy process), and `T`, which has no form in a file.
impl FromStr for Scalar {
    type Err = Error;

    fn from_str(text: &str) -> Result<Scalar> {
        let first = text.as_bytes().first();
        let marked = if let Some(b'<' | b'>' | b'=' | b'|') = first { text.get(1..) } else { None };
        let byteorder = if first == Some(&b'>') { ByteOrder::Big } else { ByteOrder::Little };
        let rest = marked.unwrap_or(text);
        // No two of these take the same text; the first is what stands in most headers.
        let plain = of_kind_and_size(rest.as_bytes());
        if plain.is_none()
            && let Some((kind, metadata)) = split_time(rest)
        {
            return time(kind, metadata, byteorder).ok_or_else(|| {
                Error::syntax(format!("expected a time with a unit such as `M8[ns]` or `M8[25us]`, found `{text}`"))
            });
        }
        let (kind, itemsize) = plain
            .or_else(|| of_code(rest))
            .or_else(|| if marked.is_none() { of_name(rest) } else { None })
            .ok_or_else(|| not_understood(text, rest))?;
        Scalar::new(kind, itemsize, byteorder).map_err(|_| not_understood(text, rest))
    }
}

#[cold]
fn not_understood(text: &str, rest: &str) -> Error {
    if matches!(rest, "T" | "T16" | "StringDType()") {
        return Error::unsupported("strings of variable width (dtype `T`) have no form in a file; use `U` or `S`");
    }
    const SHOWN: usize = 60;
    let cut = text.char_indices().nth(SHOWN).and_then(|(end, _)| text.get(..end));
    let dots = if cut.is_some() { "..." } else { "" };
    Error::syntax(format!("expected a dtype such as `<f8`, found `{}{dots}`", cut.unwrap_or(text)))
}

/// One-character codes: C types, mostly.
fn of_code(text: &str) -> Option<(Kind, usize)> {
    let &[code] = text.as_bytes() else { return None };
    Some(match char::from(code) {
        '?' => (Kind::Bool, 1),
        'b' => (Kind::Int, 1),
        'h' => (Kind::Int, 2),
        'i' => (Kind::Int, 4),
        'l' | 'q' | 'n' | 'p' => (Kind::Int, 8),
        'B' => (Kind::UInt, 1),
        'H' => (Kind::UInt, 2),
        'I' => (Kind::UInt, 4),
        'L' | 'Q' | 'N' | 'P' => (Kind::UInt, 8),
        'e' => (Kind::Float, 2),
        'f' => (Kind::Float, 4),
        'd' => (Kind::Float, 8),
        'g' => (Kind::Float, 16),
        'F' => (Kind::Complex, 8),
        'D' => (Kind::Complex, 16),
        'G' => (Kind::Complex, 32),
        'c' => (Kind::Bytes, 1),
        'S' => (Kind::Bytes, 0),
        'U' => (Kind::Str, 0),
        'V' => (Kind::Void, 0),
        'O' => (Kind::Object, 8),
        'm' => (Kind::Timedelta, 8),
        'M' => (Kind::Datetime, 8),
        _ => return None,
    })
}

/// A kind and a size, such as `f8` or `U16`; that the two fit is for [`Scalar::new`] to say.
fn of_kind_and_size(text: &[u8]) -> Option<(Kind, usize)> {
    let (&code, digits) = text.split_first()?;
    let (size, []) = leading_int(digits)? else { return None };
    let size = usize::try_from(size).ok()?;
    match char::from(code) {
        'U' => Some((Kind::Str, size.checked_mul(4)?)),
        'a' => Some((Kind::Bytes, size)),
        // Python 2 on machines of either word size.
        'O' => matches!(size, 4 | 8).then_some((Kind::Object, 8)),
        // Times have been split off before: `M4` is none.
        'M' | 'm' => None,
        code => Some((Kind::from_char(code)?, size)),
    }
}

/// The keys of `numpy.sctypeDict`.
fn of_name(text: &str) -> Option<(Kind, usize)> {
    Some(match text {
        "bool" | "bool_" => (Kind::Bool, 1),
        "int8" | "byte" => (Kind::Int, 1),
        "int16" | "short" => (Kind::Int, 2),
        "int32" | "intc" => (Kind::Int, 4),
        "int64" | "int" | "int_" | "long" | "longlong" | "intp" => (Kind::Int, 8),
        "uint8" | "ubyte" => (Kind::UInt, 1),
        "uint16" | "ushort" => (Kind::UInt, 2),
        "uint32" | "uintc" => (Kind::UInt, 4),
        "uint64" | "uint" | "ulong" | "ulonglong" | "uintp" => (Kind::UInt, 8),
        "float16" | "half" => (Kind::Float, 2),
        "float32" | "single" => (Kind::Float, 4),
        "float64" | "float" | "double" => (Kind::Float, 8),
        "float128" | "longdouble" => (Kind::Float, 16),
        "complex64" | "csingle" => (Kind::Complex, 8),
        "complex128" | "complex" | "cdouble" => (Kind::Complex, 16),
        "complex256" | "clongdouble" => (Kind::Complex, 32),
        "bytes" | "bytes_" | "a" => (Kind::Bytes, 0),
        "str" | "str_" | "unicode" => (Kind::Str, 0),
        "void" => (Kind::Void, 0),
        "object" | "object_" => (Kind::Object, 8),
        _ => return None,
    })
}

/// What C's `strtol` takes from the start of a text, and the rest; nothing where it finds no digit or overflows.
fn leading_int(text: &[u8]) -> Option<(i64, &[u8])> {
    let mut digits = text;
    while let [b' ' | b'\t'..=b'\r', behind @ ..] = digits {
        digits = behind;
    }
    let negative = digits.first() == Some(&b'-');
    if let [b'+' | b'-', behind @ ..] = digits {
        digits = behind;
    }
    let mut rest = digits;
    let mut value = 0i64;
    while let [digit @ b'0'..=b'9', behind @ ..] = rest {
        value = value.checked_mul(10)?.checked_add(i64::from(digit & 0xf))?;
        rest = behind;
    }
    if rest.len() == digits.len() {
        return None;
    }
    Some((if negative { value.checked_neg()? } else { value }, rest))
}

/// The kind of a time and what follows: the unit in brackets, or nothing.
fn split_time(text: &str) -> Option<(Kind, &str)> {
    const PREFIXES: [(&str, Kind); 4] = [
        ("M8", Kind::Datetime),
        ("m8", Kind::Timedelta),
        ("datetime64", Kind::Datetime),
        ("timedelta64", Kind::Timedelta),
    ];
    PREFIXES.into_iter().find_map(|(prefix, kind)| Some((kind, text.strip_prefix(prefix)?)))
}

/// The time of a unit such as `[ns]`, `[25us]` or, with a divisor, `[D/24]`.
fn time(kind: Kind, metadata: &str, byteorder: ByteOrder) -> Option<Scalar> {
    let generic = Scalar::new(kind, 8, byteorder).ok()?;
    if metadata.is_empty() {
        return Some(generic);
    }
    let text = metadata.strip_prefix('[')?.strip_suffix(']')?.as_bytes();
    let (count, text) = leading_int(text).unwrap_or((1, text));
    let count = i32::try_from(count).ok()?;
    let text = std::str::from_utf8(text).ok()?;
    let (symbol, divisor) = text.split_once('/').unwrap_or((text, "1"));
    let (divisor, []) = leading_int(divisor.as_bytes())? else { return None };
    let divisor = i32::try_from(divisor).ok()?;
    if symbol == "generic" {
        // NumPy forgets the count of the generic unit.
        return (count >= 0 && divisor == 1).then_some(generic);
    }
    let unit = if symbol == "\u{3bc}s" { TimeUnit::Microsecond } else { TimeUnit::from_symbol(symbol)? };
    let (unit, factor) = divided(unit, divisor)?;
    let count = u32::try_from(count.checked_mul(factor)?).ok()?;
    Scalar::time(kind, unit, count, byteorder).ok()
}

/// A unit divided, as a multiple of the longest shorter unit of which it is a whole multiple.
///
/// NumPy tries two or three shorter units, takes a year as 12 months, 52 weeks or 365 days, and a month as 4 weeks, 30
/// days or 720 hours.
fn divided(unit: TimeUnit, divisor: i32) -> Option<(TimeUnit, i32)> {
    use TimeUnit::{
        Attosecond, Day, Femtosecond, Hour, Microsecond, Millisecond, Minute, Month, Nanosecond, Picosecond, Second,
        Week, Year,
    };
    if divisor < 1 {
        return None;
    }
    if divisor == 1 {
        return Some((unit, 1));
    }
    let shorter: &[(TimeUnit, i32)] = match unit {
        Year => &[(Month, 12), (Week, 52), (Day, 365)],
        Month => &[(Week, 4), (Day, 30), (Hour, 720)],
        Week => &[(Day, 7), (Hour, 168), (Minute, 10_080)],
        Day => &[(Hour, 24), (Minute, 1_440), (Second, 86_400)],
        Hour => &[(Minute, 60), (Second, 3_600)],
        Minute => &[(Second, 60), (Millisecond, 60_000)],
        Second => &[(Millisecond, 1_000), (Microsecond, 1_000_000)],
        Millisecond => &[(Microsecond, 1_000), (Nanosecond, 1_000_000)],
        Microsecond => &[(Nanosecond, 1_000), (Picosecond, 1_000_000)],
        Nanosecond => &[(Picosecond, 1_000), (Femtosecond, 1_000_000)],
        Picosecond => &[(Femtosecond, 1_000), (Attosecond, 1_000_000)],
        Femtosecond => &[(Attosecond, 1_000)],
        Attosecond => &[],
    };
    shorter
        .iter()
        .find_map(|&(unit, factor)| Some((unit, factor.checked_div(divisor)?)).filter(|_| factor % divisor == 0))
}
