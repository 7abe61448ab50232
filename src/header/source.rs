//! The text that is parsed, and where in the file it stands.

use crate::error::Error;

/// A header, or a descr by itself, decoded to UTF-8.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    text: &'a str,
    /// The byte of the file at which the text starts.
    base: u64,
    /// Whether each character was one byte in the file.
    latin1: bool,
}

impl<'a> Source<'a> {
    /// A text whose places are counted from its own start.
    pub(crate) fn new(text: &'a str) -> Self {
        Source { text, base: 0, latin1: false }
    }

    /// A text that starts at a byte of the file, where each character took one byte (`latin1`) or as many as here.
    pub(crate) fn in_file(text: &'a str, base: u64, latin1: bool) -> Self {
        Source { text, base, latin1 }
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// Adds the byte of the file that a place in the text has.
    #[cold]
    pub(crate) fn at(&self, position: usize, error: Error) -> Error {
        let before = match self.text.get(..position) {
            Some(before) if self.latin1 => before.chars().count(),
            _ => position,
        };
        error.at_offset(self.base.saturating_add(u64::try_from(before).unwrap_or(u64::MAX)))
    }
}
