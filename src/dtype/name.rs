//! The name of a field, most often short.

use std::fmt;

/// A string that lies in place where it is short, so that a dtype of a thousand fields is not a thousand allocations.
///
/// A short one is never a `Long`, and what it leaves free is zero: so names are equal where these are.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    Short { length: u8, bytes: [u8; Name::SHORT] },
    Long(Box<str>),
}

impl Name {
    /// As many bytes as make the type no larger than a `String`.
    const SHORT: usize = 22;

    #[inline]
    pub(crate) fn new(text: &str) -> Name {
        let mut bytes = [0; Name::SHORT];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(length)) => {
                place.copy_from_slice(text.as_bytes());
                Name::Short { length, bytes }
            }
            _ => Name::Long(text.into()),
        }
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Name::Short { length, bytes } => bytes.get(..usize::from(*length)).unwrap_or_default(),
            Name::Long(text) => text.as_bytes(),
        }
    }

    /// Of two names the longer one ranks higher, so that `f9` stands before `f10`.
    #[inline]
    pub(crate) fn rank(&self) -> (usize, &[u8]) {
        let bytes = self.as_bytes();
        (bytes.len(), bytes)
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            // It was made of a string.
            Name::Short { .. } => std::str::from_utf8(self.as_bytes()).unwrap_or_default(),
            Name::Long(text) => text,
        }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn names_are_kept_as_they_are() {
        assert_eq!(size_of::<Name>(), size_of::<String>());
        for length in 0..40 {
            for letter in ["a", "é", "\0", "𝄞"] {
                let text = letter.repeat(length);
                let name = Name::new(&text);
                assert_eq!(name.as_str(), text);
                assert_eq!(name, Name::new(&text));
                assert_ne!(name, Name::new(&format!("{text}\0")));
                assert_eq!(format!("{name:?}"), format!("{text:?}"));
                assert_eq!(matches!(name, Name::Short { .. }), text.len() <= 22);
            }
        }
    }
}
