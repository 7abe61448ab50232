//! What is wrong at which place of a text: an error before the text knows where in the file it stands.

use crate::error::Error;

#[derive(Debug)]
pub(crate) struct Fault {
    /// Bytes from the start of the text.
    pub(crate) position: usize,
    pub(crate) error: Error,
}

impl Fault {
    #[cold]
    pub(crate) fn syntax(position: usize, message: impl Into<String>) -> Self {
        Fault { position, error: Error::syntax(message) }
    }

    #[cold]
    pub(crate) fn unsupported(position: usize, message: impl Into<String>) -> Self {
        Fault { position, error: Error::unsupported(message) }
    }

    #[cold]
    pub(crate) fn limit(position: usize, message: impl Into<String>) -> Self {
        Fault { position, error: Error::limit(message) }
    }
}
