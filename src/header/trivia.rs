//! What stands between the tokens of Python: white space, line ends, comments.

/// The first position that is not white space, a comment or a line continuation, as inside brackets.
#[inline]
pub(crate) fn skip(bytes: &[u8], position: usize) -> usize {
    match bytes.get(position..).unwrap_or_default() {
        // Nothing or one space, as in every header that NumPy prints.
        [b'\'' | b'(' | b')' | b'[' | b']' | b',' | b':', ..] => position,
        [b' ', b'\'' | b'(', ..] => position.saturating_add(1),
        _ => skip_all(bytes, position),
    }
}

fn skip_all(bytes: &[u8], mut position: usize) -> usize {
    loop {
        position = skip_blanks(bytes, position);
        match bytes.get(position) {
            Some(b'\n' | b'\r') => position = position.saturating_add(1),
            Some(b'#') => {
                let rest = bytes.get(position..).unwrap_or_default();
                let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
                position = position.saturating_add(length);
            }
            _ => return position,
        }
    }
}

/// As [`skip`], but stays on the line: blanks and continuations only.
pub(crate) fn skip_blanks(bytes: &[u8], mut position: usize) -> usize {
    loop {
        match bytes.get(position..).unwrap_or_default() {
            [b' ' | b'\t' | b'\x0c', ..] => position = position.saturating_add(1),
            // A continuation continues something: at the end of the text it is an error.
            [b'\\', b'\r', b'\n', _, ..] => position = position.saturating_add(3),
            [b'\\', b'\r', b'\n'] => return position,
            [b'\\', b'\r' | b'\n', _, ..] => position = position.saturating_add(2),
            _ => return position,
        }
    }
}

/// The place of an indented token after a line end outside of brackets, which Python refuses.
pub(crate) fn indented(bytes: &[u8], from: usize, to: usize) -> bool {
    let before = bytes.get(from..to).unwrap_or_default();
    let line = before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
    let Some(line) = line else { return false };
    let indent = before.get(line.saturating_add(1)..).unwrap_or_default();
    // A form feed takes the column back to 0.
    let column = indent.iter().rposition(|&byte| byte == b'\x0c').map_or(0, |feed| feed.saturating_add(1));
    indent.len() > column
}

/// Whether the text ends, behind a position, in a line of blanks without a line end, which Python takes for an indented
/// line; with a line end it would be empty.
pub(crate) fn open_line(bytes: &[u8], from: usize) -> bool {
    let behind = bytes.get(from..).unwrap_or_default();
    let Some(line) = behind.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) else { return false };
    let is_continued = behind.get(..line).is_some_and(|before| before.ends_with(b"\\") || before.ends_with(b"\\\r"));
    let last = behind.get(line..).unwrap_or_default();
    !is_continued && !last.contains(&b'#') && indented(bytes, from, bytes.len())
}
