//! What the zip crate reports, in our words.

use crate::error::Error;
use std::io::ErrorKind;
use zip::result::ZipError;

/// A function and no `From`, which would make the crate's error a part of our interface.
#[cold]
pub(crate) fn fault(error: ZipError) -> Error {
    match error {
        ZipError::Io(error) => Error::io(error),
        ZipError::UnsupportedArchive(what) => {
            Error::unsupported(format!("a zip archive that is not supported: {what}"))
        }
        other => Error::syntax(format!("expected a zip archive: {}", plain(&other))),
    }
}

/// The same for reading the list of members, where the end of the file comes as an I/O error.
#[cold]
pub(crate) fn fault_of_list(error: ZipError) -> Error {
    match error {
        ZipError::Io(error) if error.kind() == ErrorKind::UnexpectedEof => {
            Error::eof("the zip archive ends within its central directory")
        }
        other => fault(other),
    }
}

/// Whether the end of an archive, which tells where the list of members is, or the list itself is not there.
pub(crate) fn lacks_list(error: &ZipError) -> bool {
    match error {
        ZipError::InvalidArchive(what) => {
            matches!(what.as_ref(), "Could not find EOCD" | "No CDFH found") || what.starts_with("Unexpected end of ")
        }
        _ => false,
    }
}

/// The reason alone, without the words in front that say the same again.
fn plain(error: &ZipError) -> String {
    match error {
        ZipError::InvalidArchive(what) => what.to_string(),
        other => other.to_string(),
    }
}
