//! Values as the text that their `Display` makes.

use crate::error::Error;
use std::fmt::{Display, Write as _};

/// The text of a value; `None` if its `Display` fails, at which `to_string` panics.
pub(crate) fn shown<T: Display + ?Sized>(value: &T) -> Option<String> {
    let mut text = String::new();
    write!(text, "{value}").is_ok().then_some(text)
}

#[cold]
pub(crate) fn not_shown() -> Error {
    Error::data("expected text, found a value whose `Display` fails")
}

/// Writes [`serde::Serializer::collect_str`], with an error instead of serde's panic.
macro_rules! collect_str {
    () => {
        crate::ser::shown::collect_str! { self => Err(crate::ser::shown::not_shown()) }
    };
    ($this:ident => $error:expr) => {
        fn collect_str<T: std::fmt::Display + ?Sized>($this, value: &T) -> Result<Self::Ok, Self::Error> {
            match crate::ser::shown::shown(value) {
                Some(text) => $this.serialize_str(&text),
                None => $error,
            }
        }
    };
}

pub(crate) use collect_str;
