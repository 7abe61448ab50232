//! What stands between the tokens of Python: white space, line ends, comments.

/// Whether what is no token may start with a byte.
#[inline]
pub(crate) fn starts(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'#' | b'\\')
}

/// The first position that is not white space, a comment or a line continuation, as inside brackets.
#[inline]
pub(crate) fn skip(bytes: &[u8], position: usize) -> usize {
    match *bytes.get(position..).unwrap_or_default() {
        // Nothing or one space, as in every header that NumPy prints.
        [byte, ..] if !starts(byte) => position,
        [b' ', byte, ..] if !starts(byte) => position.saturating_add(1),
        _ => skip_all(bytes, position),
    }
}

fn skip_all(bytes: &[u8], mut position: usize) -> usize {
    loop {
        position = skip_blanks(bytes, position);
        match bytes.get(position) {
            Some(b'\n' | b'\r') => position = position.saturating_add(1),
            Some(b'#') => position = skip_comment(bytes, position),
            _ => return position,
        }
    }
}

/// As [`skip`], but stays on the line: blanks and continuations only.
pub(crate) fn skip_blanks(bytes: &[u8], mut position: usize) -> usize {
    // A header is padded with spaces.
    while bytes.get(position..).and_then(<[u8]>::first_chunk) == Some(b"        ") {
        position = position.saturating_add(8);
    }
    loop {
        let next = match bytes.get(position) {
            Some(b' ' | b'\t' | b'\x0c') => position.saturating_add(1),
            Some(b'\\') => skip_continuation(bytes, position),
            _ => return position,
        };
        if next == position {
            return position;
        }
        position = next;
    }
}

/// The first position that is not trivia, as outside of brackets, where a line may not be indented.
///
/// # Errors
///
/// The place of what stands indented behind a line end: a token, or the end of the text.
pub(crate) fn skip_outside(bytes: &[u8], mut position: usize, mut at_line_start: bool) -> Result<usize, usize> {
    loop {
        let is_indented;
        (position, is_indented) =
            if at_line_start { indent(bytes, position) } else { (skip_blanks(bytes, position), false) };
        at_line_start = false;
        match bytes.get(position) {
            // Lines of blanks and comments alone are no lines to Python.
            Some(b'\n' | b'\r') => {
                position = position.saturating_add(1);
                at_line_start = true;
            }
            Some(b'#') => position = skip_comment(bytes, position),
            _ if is_indented => return Err(position),
            _ => return Ok(position),
        }
    }
}

/// The end of the blanks at the start of a line, and whether Python takes them for an indent.
///
/// A form feed takes the column back to 0; where the line is continued, the first line that has a column decides.
fn indent(bytes: &[u8], mut position: usize) -> (usize, bool) {
    let mut is_indented = false;
    let mut was_indented = false;
    loop {
        match bytes.get(position) {
            Some(b' ' | b'\t') => is_indented = true,
            Some(b'\x0c') => is_indented = false,
            Some(b'\\') => was_indented |= is_indented,
            _ => return (position, is_indented || was_indented),
        }
        let next = if bytes.get(position) == Some(&b'\\') {
            skip_continuation(bytes, position)
        } else {
            position.saturating_add(1)
        };
        if next == position {
            return (position, is_indented || was_indented);
        }
        position = next;
    }
}

/// Whether the last line is blank, and no backslash and no lone carriage return in front of it makes it something else.
pub(crate) fn ends_in_blanks(bytes: &[u8]) -> bool {
    let line = bytes.iter().rposition(|byte| !matches!(byte, b' ' | b'\t' | b'\x0c'));
    let before = line.and_then(|end| bytes.get(..=end)?.strip_suffix(b"\n"));
    before.is_some_and(|before| !before.strip_suffix(b"\r").unwrap_or(before).ends_with(b"\\"))
}

fn skip_comment(bytes: &[u8], position: usize) -> usize {
    let rest = bytes.get(position..).unwrap_or_default();
    let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
    position.saturating_add(length)
}

/// The position behind a backslash and its line end; the same position where there is none.
fn skip_continuation(bytes: &[u8], position: usize) -> usize {
    match bytes.get(position..).unwrap_or_default() {
        // A continuation continues something: at the end of the text it is an error.
        [b'\\', b'\r', b'\n', _, ..] => position.saturating_add(3),
        [b'\\', b'\r', b'\n'] => position,
        [b'\\', b'\r' | b'\n', _, ..] => position.saturating_add(2),
        _ => position,
    }
}
