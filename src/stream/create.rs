//! A new file, which appears under its name once it is complete.

use crate::error::{Error, Result};
use crate::io::Replacement;
use crate::options::WriteOptions;
use crate::stream::writer::{Disk, Writer};
use std::fs::File;
use std::path::Path;

impl Writer<File> {
    /// A writer of a `.npy` file whose length is found at the end; the file replaces the old one at once or not at all.
    ///
    /// It is made beside the old one and renamed over it by [`finish`](Writer::finish). Symbolic links are followed, an
    /// existing file keeps its mode. With [`WriteOptions::sync`], the file is on the disk when `finish` returns.
    ///
    /// # Errors
    ///
    /// The file cannot be made; or the path is that of a folder, a pipe or a device.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Writer;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("squares.npy");
    /// let mut writer = Writer::create(&path)?;
    /// writer.write_all((0..1000u64).map(|number| number * number))?;
    /// assert!(!path.exists());
    /// writer.finish()?;
    /// assert_eq!(serde_npy::from_path::<Vec<u64>>(&path)?[999], 998_001);
    /// # Ok(()) }
    /// ```
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        Writer::create_with(path, &WriteOptions::default())
    }

    /// [`create`](Writer::create) with options.
    ///
    /// # Errors
    ///
    /// As for [`create`](Writer::create).
    pub fn create_with(path: impl AsRef<Path>, options: &WriteOptions) -> Result<Self> {
        let path = path.as_ref();
        let Some(replacement) = Replacement::new(path, options.sync)? else {
            let message = "a pipe or a device, in which the header cannot be completed; use `Writer::new`";
            return Err(Error::unsupported(message).in_file(path));
        };
        let file = replacement.file()?;
        let disk = Disk { path: Some(path.to_path_buf()), replacement: Some(replacement), appended: None };
        Ok(Writer::at(file, options, disk))
    }
}
