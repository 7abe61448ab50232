//! What the parsers of times and lengths of time share: a place in a text, and how it is quoted.

use std::fmt;

/// The bytes that are not read yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { rest: text.as_bytes() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn skip_whitespace(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    /// Takes the next byte if it is this one.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        match self.rest.split_first() {
            Some((next, rest)) if *next == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Takes the next byte.
    pub(super) fn next(&mut self) -> Option<u8> {
        let (next, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*next)
    }

    /// Takes all digits that follow, maybe none.
    pub(super) fn digits(&mut self) -> &'a [u8] {
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.split(length).unwrap_or_default()
    }

    /// Takes a number of exactly two digits.
    pub(super) fn two_digits(&mut self) -> Option<i64> {
        let next @ [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] = *self.rest.first_chunk::<2>()? else { return None };
        self.split(next.len())?;
        Some(i64::from(tens - b'0') * 10 + i64::from(ones - b'0'))
    }

    fn split(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }
}

/// The value of a run of digits, none being 0; `None` where it overflows.
pub(super) fn number<'a>(digits: impl IntoIterator<Item = &'a u8>) -> Option<i128> {
    digits
        .into_iter()
        .try_fold(0i128, |number, digit| number.checked_mul(10)?.checked_add(i128::from(digit.wrapping_sub(b'0'))))
}

/// The value of the digits behind the point of a second, as attoseconds; `None` where there are more than 18.
pub(super) fn attos(digits: &[u8]) -> Option<i128> {
    let missing = 18usize.checked_sub(digits.len())?;
    number(digits.iter().chain(std::iter::repeat_n(&b'0', missing)))
}

/// A text in an error: in backticks, escaped where it would not print, cut where it would bury the message.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 60;
        let mut chars = self.0.chars();
        f.write_str("`")?;
        for char in chars.by_ref().take(SHOWN) {
            match char {
                '\'' | '"' => write!(f, "{char}")?,
                _ => write!(f, "{}", char.escape_debug())?,
            }
        }
        f.write_str(if chars.next().is_some() { "…`" } else { "`" })
    }
}
