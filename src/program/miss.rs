//! The error of the fast tiers, which says nothing.

use std::cell::Cell;
use std::fmt;

thread_local! {
    static SEEN: Cell<bool> = const { Cell::new(false) };
}

/// What the fast tier cannot do; the slow one then says what is wrong, if anything is.
///
/// It has no size, so that a `Result` is as small as its value and no code for messages stands in the loops. User code
/// may swallow one; what it may not do unnoticed is to look at it, since the error of the slow tier says more.
#[derive(Clone, Copy)]
pub(crate) struct Miss;

impl Miss {
    /// Whether a miss was looked at since the last time this was asked.
    #[inline]
    pub(crate) fn was_seen() -> bool {
        let seen = SEEN.get();
        if seen {
            SEEN.set(false);
        }
        seen
    }
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SEEN.set(true);
        f.write_str("an element out of the ordinary")
    }
}

impl fmt::Debug for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Miss {}

macro_rules! constructors {
    ($($name:ident($($argument:ident: $type:ty),*))*) => {$(
        #[inline(always)]
        fn $name($($argument: $type),*) -> Self {
            $(let _ = $argument;)*
            Miss
        }
    )*};
}

// Always inlined, so that not even the arguments of a message are made.
impl serde::de::Error for Miss {
    #[inline(always)]
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Miss
    }

    constructors! {
        invalid_type(unexpected: serde::de::Unexpected<'_>, expected: &dyn serde::de::Expected)
        invalid_value(unexpected: serde::de::Unexpected<'_>, expected: &dyn serde::de::Expected)
        invalid_length(length: usize, expected: &dyn serde::de::Expected)
        unknown_variant(variant: &str, expected: &'static [&'static str])
        unknown_field(field: &str, expected: &'static [&'static str])
        missing_field(field: &'static str)
        duplicate_field(field: &'static str)
    }
}

impl serde::ser::Error for Miss {
    #[inline(always)]
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Miss
    }
}
