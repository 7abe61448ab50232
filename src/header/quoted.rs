//! Python's string literals, both ways: text in quotes to its value, and a value to what `repr` prints.

use crate::header::fault::Fault;
use std::fmt::{self, Write};

/// One piece in quotes, prefix included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) end: usize,
    /// Whether it is bytes, `b'...'`.
    pub(crate) bytes: bool,
    /// The value, where it stands in the text as it is.
    pub(crate) plain: Option<&'a str>,
}

/// Whether a piece in quotes starts here, with or without a prefix.
pub(crate) fn starts(bytes: &[u8], position: usize) -> bool {
    let prefix = prefix_len(bytes, position);
    prefix <= 2 && matches!(bytes.get(position.saturating_add(prefix)), Some(b'\'' | b'"'))
}

/// How many letters stand there, three meaning too many.
fn prefix_len(bytes: &[u8], position: usize) -> usize {
    let rest = bytes.get(position..).unwrap_or_default();
    rest.iter().take(3).take_while(|byte| byte.is_ascii_alphabetic()).count()
}

/// The length of a piece that has no prefix and nothing but ordinary ASCII between its quotes, one byte at least: the
/// common case, at once.
// A call of its own, which needs no registers saved, is cheaper than more live values in the parser's functions.
#[inline(never)]
pub(crate) fn plain(rest: &[u8]) -> Option<usize> {
    let &[quote @ (b'\'' | b'"'), ref body @ ..] = rest else { return None };
    let mut behind = body;
    let behind = loop {
        let Some((chunk, further)) = behind.split_first_chunk() else {
            let is_ordinary = |byte: &u8| matches!(byte, b' '..=0x7f) && !matches!(byte, b'\\') && *byte != quote;
            break behind.get(behind.iter().position(|byte| !is_ordinary(byte))?..)?;
        };
        match ordinary(*chunk, quote) {
            8.. => behind = further,
            few => break behind.get(few..)?,
        }
    };
    // Two quotes may be the start of three.
    let closed = behind.first() == Some(&quote) && behind.len() < body.len();
    closed.then(|| rest.len().saturating_sub(behind.len()).saturating_add(1))
}

/// How many bytes in front are ASCII, and neither control characters nor a backslash nor the quote.
#[inline]
fn ordinary(chunk: [u8; 8], quote: u8) -> usize {
    const fn each(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    let word = u64::from_le_bytes(chunk);
    // The high bit of each byte that is 0, and perhaps of some behind it.
    let zeros = |word: u64| word.wrapping_sub(each(1)) & !word;
    let found = zeros(word ^ u64::from_le_bytes([quote; 8])) | zeros(word ^ each(b'\\'));
    let found = found | word.wrapping_sub(each(b' ')) | word;
    usize::try_from((found & each(0x80)).trailing_zeros() / 8).unwrap_or_default()
}

/// Reads one piece in quotes, and appends its value to `value` where there is one.
///
/// `text` must be free of NULs.
pub(crate) fn read<'a>(text: &'a str, start: usize, value: Option<&mut String>) -> Result<Piece<'a>, Fault> {
    let bytes = text.as_bytes();
    let quote_at = start.saturating_add(prefix_len(bytes, start));
    let (mut raw, mut is_bytes) = (false, false);
    for letter in bytes.get(start..quote_at).unwrap_or_default() {
        match letter {
            b'r' | b'R' if !raw => raw = true,
            b'b' | b'B' if !is_bytes => is_bytes = true,
            b'u' | b'U' if quote_at == start.saturating_add(1) => {}
            b'f' | b'F' | b't' | b'T' => return Err(Fault::syntax(start, "an f-string, which is no literal")),
            _ => return Err(Fault::syntax(start, "an unknown prefix of a string")),
        }
    }
    let Some(&quote @ (b'\'' | b'"')) = bytes.get(quote_at) else {
        return Err(Fault::syntax(start, "expected a string"));
    };
    let triple = bytes.get(quote_at..quote_at.saturating_add(3)) == Some(&[quote; 3]);
    let body = quote_at.saturating_add(if triple { 3 } else { 1 });
    if let Some(length) = plain(bytes.get(quote_at..).unwrap_or_default()) {
        let end = quote_at.saturating_add(length);
        let plain = text.get(body..end.saturating_sub(1));
        if let (Some(value), Some(plain)) = (value, plain) {
            value.push_str(plain);
        }
        return Ok(Piece { end, bytes: is_bytes, plain });
    }
    let mut reader = Body { text, bytes, start, position: body, raw, is_bytes, value, plain: true };
    reader.run(quote, triple)?;
    let end = reader.position.saturating_add(if triple { 3 } else { 1 });
    let plain = if reader.plain { text.get(body..reader.position) } else { None };
    Ok(Piece { end, bytes: is_bytes, plain })
}

struct Body<'a, 'v> {
    text: &'a str,
    bytes: &'a [u8],
    start: usize,
    position: usize,
    raw: bool,
    is_bytes: bool,
    value: Option<&'v mut String>,
    plain: bool,
}

impl Body<'_, '_> {
    /// Runs up to the closing quote.
    fn run(&mut self, quote: u8, triple: bool) -> Result<(), Fault> {
        let mut from = self.position;
        loop {
            let Some(&byte) = self.bytes.get(self.position) else { return Err(self.unclosed()) };
            match byte {
                _ if byte == quote => {
                    if !triple {
                        break;
                    }
                    if self.bytes.get(self.position..self.position.saturating_add(3)) == Some(&[quote; 3]) {
                        break;
                    }
                    self.skip(1);
                }
                b'\n' | b'\r' if !triple => return Err(self.unclosed()),
                b'\r' => {
                    // Python reads each of the three line ends as a line feed.
                    self.flush(from);
                    self.plain = false;
                    self.push('\n');
                    self.skip(self.line_end_len());
                    from = self.position;
                }
                b'\\' if self.raw => {
                    // The backslash stays and keeps a quote from closing; a line end behind it is read as any other.
                    self.skip(1);
                    match self.bytes.get(self.position) {
                        None => return Err(self.unclosed()),
                        Some(b'\r' | b'\n') => {
                            self.flush(from);
                            self.plain = false;
                            self.push('\n');
                            self.skip(self.line_end_len());
                            from = self.position;
                        }
                        // A character of several bytes: its further bytes are ordinary.
                        Some(_) => self.skip(1),
                    }
                }
                b'\\' => {
                    self.flush(from);
                    self.plain = false;
                    self.escape()?;
                    from = self.position;
                }
                0x80.. if self.is_bytes => {
                    return Err(Fault::syntax(self.position, "a character other than ASCII in bytes"));
                }
                _ => self.skip(1),
            }
        }
        self.flush(from);
        Ok(())
    }

    fn unclosed(&self) -> Fault {
        Fault::syntax(self.start, "a string without a closing quote")
    }

    fn skip(&mut self, bytes: usize) {
        self.position = self.position.saturating_add(bytes);
    }

    fn line_end_len(&self) -> usize {
        match self.bytes.get(self.position..).unwrap_or_default() {
            [b'\r', b'\n', ..] => 2,
            _ => 1,
        }
    }

    /// Appends what stands between a place and here.
    fn flush(&mut self, from: usize) {
        if let Some(value) = &mut self.value {
            value.push_str(self.text.get(from..self.position).unwrap_or_default());
        }
    }

    fn push(&mut self, char: char) {
        if let Some(value) = &mut self.value {
            value.push(char);
        }
    }

    /// Reads an escape, standing at its backslash.
    fn escape(&mut self) -> Result<(), Fault> {
        let start = self.position;
        self.skip(1);
        let Some(&letter) = self.bytes.get(self.position) else { return Err(self.unclosed()) };
        match letter {
            b'\n' | b'\r' => {
                self.skip(self.line_end_len());
                return Ok(());
            }
            b'0'..=b'7' => {
                let mut code = 0u32;
                for _ in 0..3 {
                    let Some(digit) = self.bytes.get(self.position).and_then(|&byte| char::from(byte).to_digit(8))
                    else {
                        break;
                    };
                    code = code.saturating_mul(8).saturating_add(digit);
                    self.skip(1);
                }
                self.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                return Ok(());
            }
            b'x' => return self.code_point(start, 2),
            b'u' if !self.is_bytes => return self.code_point(start, 4),
            b'U' if !self.is_bytes => return self.code_point(start, 8),
            b'N' if !self.is_bytes => {
                return Err(Fault::unsupported(start, "a character by its name, `\\N{...}`"));
            }
            _ => {}
        }
        let plain = match letter {
            b'\\' => '\\',
            b'\'' => '\'',
            b'"' => '"',
            b'a' => '\x07',
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'v' => '\x0b',
            // No escape at all: the backslash stays, and what follows it is read as usual.
            _ => {
                self.push('\\');
                return Ok(());
            }
        };
        self.skip(1);
        self.push(plain);
        Ok(())
    }

    /// Reads the hexadecimal digits of an escape that started at `start`.
    fn code_point(&mut self, start: usize, digits: usize) -> Result<(), Fault> {
        self.skip(1);
        let mut code = 0u32;
        for _ in 0..digits {
            let digit = self.bytes.get(self.position).and_then(|&byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(Fault::syntax(start, format!("an escape of fewer than {digits} hexadecimal digits")));
            };
            code = code.saturating_mul(16).saturating_add(digit);
            self.skip(1);
        }
        match char::from_u32(code) {
            Some(char) => {
                self.push(char);
                Ok(())
            }
            None if matches!(code, 0xd800..=0xdfff) => Err(Fault::unsupported(
                start,
                format!("the lone surrogate `\\u{code:04x}`, which is no character of a Rust string"),
            )),
            None => Err(Fault::syntax(start, "an escape beyond the last Unicode character")),
        }
    }
}

/// What Python's `repr` prints for a string.
pub(crate) struct Repr<'a>(pub(crate) &'a str);

impl fmt::Display for Repr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'\'' | b'\\');
        if self.0.bytes().all(is_plain) {
            f.write_char('\'')?;
            f.write_str(self.0)?;
            return f.write_char('\'');
        }
        let quote = if self.0.contains('\'') && !self.0.contains('"') { '"' } else { '\'' };
        f.write_char(quote)?;
        for char in self.0.chars() {
            match char {
                '\\' => f.write_str("\\\\"),
                '\t' => f.write_str("\\t"),
                '\n' => f.write_str("\\n"),
                '\r' => f.write_str("\\r"),
                _ if char == quote => write!(f, "\\{char}"),
                ' '..='~' => f.write_char(char),
                _ if is_printable(char) => f.write_char(char),
                ..='\u{ff}' => write!(f, "\\x{:02x}", u32::from(char)),
                ..='\u{ffff}' => write!(f, "\\u{:04x}", u32::from(char)),
                _ => write!(f, "\\U{:08x}", u32::from(char)),
            }?;
        }
        f.write_char(quote)
    }
}

/// Whether Python's `str.isprintable` holds for a character.
///
/// `Debug` of a string escapes the same categories (other, separators but the space), and behind the first character
/// nothing else; so no table is needed here. The two can differ where one knows a newer Unicode than the other.
fn is_printable(char: char) -> bool {
    let mut text = String::with_capacity(5);
    text.push('a');
    text.push(char);
    text.escape_debug().nth(1) == Some(char)
}
