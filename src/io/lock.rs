//! Files that one writer at a time may change.

use crate::error::{Error, Result};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

/// Opens the file and locks it against other writers.
pub(crate) fn lock(path: &Path) -> Result<File> {
    loop {
        let file = File::options().read(true).write(true).open(path).map_err(Error::io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let message = "another writer is appending to the file";
                return Err(Error::io(io::Error::new(io::ErrorKind::WouldBlock, message)));
            }
            Err(TryLockError::Error(error)) => return Err(Error::io(error)),
        }
        // Between the two it may have been replaced; the lock of a file without a name keeps nobody out.
        if is_at(&file, path).map_err(Error::io)? {
            return Ok(file);
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let (open, named) = (file.metadata()?, fs::metadata(path)?);
    Ok((open.dev(), open.ino()) == (named.dev(), named.ino()))
}

#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> io::Result<bool> {
    fs::metadata(path).map(|_| true)
}
