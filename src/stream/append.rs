//! Appending to a file that is there.

use crate::de::{refuse_objects, shape_text};
use crate::error::{Count, Error, Result};
use crate::header::Header;
use crate::io::{Replacement, lock};
use crate::options::WriteOptions;
use crate::stream::layout::{Layout, no_room};
use crate::stream::writer::{Disk, Writer};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

impl Writer<File> {
    /// A writer that goes on behind the records of a `.npy` file, by this crate, NumPy or any other.
    ///
    /// Everything is checked before the first byte of the file changes; the records that are appended must fit its dtype
    /// and the shape of its rows. Floats that are wider are refused, unless the dtype is also given by
    /// [`WriteOptions::dtype`], which rounds them. The file is locked against other writers that ask for the lock, as
    /// this crate does.
    ///
    /// # If the process is killed
    ///
    /// Records become part of the array by [`flush`](Writer::flush) and [`finish`](Writer::finish). Their data is
    /// written first, behind the array, and then the length in the header, in one write: whenever the process is killed,
    /// the file is an array of the old length or of the new one. What may be left behind the array is written over by
    /// the next append, which takes its place from the header, not from the end of the file.
    ///
    /// This holds for a loss of power only with [`WriteOptions::sync`], by which the data is on the disk before the
    /// length; and only as far as the disk writes the digits at once, which it does where they lie in one sector of
    /// 512 bytes. With a header of over 400 bytes, of a dtype of many fields, they may not.
    ///
    /// # Errors
    ///
    /// There is no such file, or another process is appending to it ([`WouldBlock`](io::ErrorKind::WouldBlock)). It is
    /// cut, has no axis, is of several axes in Fortran order, holds objects, or another array follows it. Its header has
    /// no room for a larger number; [`rewrite`](Writer::rewrite) makes some. There is no memory for one of its rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Writer;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("log.npy");
    /// serde_npy::to_path(&path, &[(1i64, 0.5), (2, 0.25)])?;
    ///
    /// let mut writer = Writer::append(&path)?;
    /// writer.write(&(3, 0.125))?;
    /// writer.finish()?;
    ///
    /// let records: Vec<(i64, f64)> = serde_npy::from_path(&path)?;
    /// assert_eq!(records, [(1, 0.5), (2, 0.25), (3, 0.125)]);
    /// # Ok(()) }
    /// ```
    pub fn append(path: impl AsRef<Path>) -> Result<Self> {
        Writer::append_with(path, &WriteOptions::default())
    }

    /// [`append`](Writer::append) with options: with a dtype, that of the file must be equal, and a file that is not
    /// there is made first, without records.
    ///
    /// # Errors
    ///
    /// As for [`append`](Writer::append); or the dtype is another.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{WriteOptions, Writer};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("log.npy");
    /// let options = WriteOptions::default().dtype("[('time', '<i8'), ('text', '<U80')]".parse()?).sync(true);
    /// for start in ["first", "second"] {
    ///     let mut log = Writer::append_with(&path, &options)?;
    ///     log.write(&(1_700_000_000, start))?;
    ///     log.finish()?;
    /// }
    /// assert_eq!(serde_npy::from_path::<Vec<(i64, String)>>(&path)?.len(), 2);
    /// # Ok(()) }
    /// ```
    pub fn append_with(path: impl AsRef<Path>, options: &WriteOptions) -> Result<Self> {
        let path = path.as_ref();
        open(path, options).map_err(|error| error.in_file(path))
    }
}

fn open(path: &Path, options: &WriteOptions) -> Result<Writer<File>> {
    let mut file = match lock(path) {
        Err(error) if error.io_error_kind() == Some(io::ErrorKind::NotFound) && options.dtype.is_some() => {
            make(path, options)?;
            lock(path)?
        }
        Err(error) if error.io_error_kind() == Some(io::ErrorKind::NotFound) => {
            let message = format!("{error}; `Writer::append_with` makes the file where the options have a dtype");
            return Err(Error::io(io::Error::new(io::ErrorKind::NotFound, message)));
        }
        other => other?,
    };
    let header = Header::read(&file)?;
    check(&header, options)?;
    let found = file.metadata().map_err(Error::io)?.len();
    let end = header.data_offset().saturating_add(header.data_len());
    if found < end {
        let (needed, found) = (header.data_len(), found.saturating_sub(header.data_offset()));
        return Err(Error::eof(format!("the array needs {} of data, found {found}", Count(needed, "byte"))));
    }
    refuse_another_array(&mut file, end)?;

    let mut written = vec![0; usize::try_from(header.data_offset()).unwrap_or(usize::MAX)];
    file.seek(SeekFrom::Start(0)).and_then(|_| file.read_exact(&mut written)).map_err(Error::io)?;
    let count = header.shape().first().copied().unwrap_or(0);
    let most = header.most_rows();
    if most <= count {
        return Err(no_room(most));
    }
    let layout = Layout::behind(header, written, options.dtype.is_some())?;
    file.seek(SeekFrom::Start(end)).map_err(Error::io)?;
    let appended = file.try_clone().map_err(Error::io)?;
    let disk = Disk { path: Some(path.to_path_buf()), replacement: None, appended: Some(appended) };
    Writer::behind(file, layout, options, disk)
}

/// Makes a file without records, unless another process does first.
fn make(path: &Path, options: &WriteOptions) -> Result<()> {
    let Some(replacement) = Replacement::new(path, options.sync)? else { return Ok(()) };
    let mut empty = Writer::open_length_with(replacement.file()?, options)?.finish()?;
    empty.flush().map_err(Error::io)?;
    replacement.complete_new().map(|_| ())
}

/// Refuses arrays that do not grow at their end.
fn check(header: &Header, options: &WriteOptions) -> Result<()> {
    refuse_objects(header)?;
    if header.ndim() == 0 {
        return Err(Error::unsupported("an array without axes, to which nothing can be appended"));
    }
    if header.fortran_order() && header.ndim() > 1 {
        return Err(Error::unsupported(format!(
            "an array of shape {} in Fortran order, whose rows do not lie one after the other; put it into C order by \
             `Writer::rewrite`",
            shape_text(header.shape())
        )));
    }
    if let Some(dtype) = &options.dtype {
        let expected = match options.byteorder {
            Some(byteorder) => dtype.clone().with_byteorder(byteorder),
            None => dtype.clone(),
        };
        if expected != *header.dtype() {
            return Err(Error::data(format!("expected a file of dtype {expected}, found {}", header.dtype())));
        }
    }
    Ok(())
}

/// What follows an array is what a writer that was stopped has left there, and can go; but not another array.
pub(crate) fn refuse_another_array(file: &mut File, end: u64) -> Result<()> {
    const MAGIC: &[u8] = b"\x93NUMPY";
    let mut start = Vec::new();
    file.seek(SeekFrom::Start(end)).map_err(Error::io)?;
    file.take(u64::try_from(MAGIC.len()).unwrap_or(0)).read_to_end(&mut start).map_err(Error::io)?;
    if start == MAGIC {
        return Err(Error::unsupported("another array follows in the file, which would be lost").at_offset(end));
    }
    Ok(())
}
