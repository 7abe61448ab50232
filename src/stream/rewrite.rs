//! Making a file one that can grow.

use crate::de::{refuse_objects, too_short};
use crate::error::{Error, Result};
use crate::header::Header;
use crate::io::{BLOCK, lock, replace};
use crate::options::WriteOptions;
use crate::stream::append::refuse_another_array;
use crate::stream::writer::Writer;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

impl Writer<File> {
    /// Rewrites a `.npy` file as one that can be [appended](Writer::append) to: in C order, with a header that has room.
    ///
    /// The array stays what it is, dtype included. The new file replaces the old one at once or not at all. An array of
    /// several axes in Fortran order is held in memory. What a writer that was stopped has left behind the array goes.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, is cut or holds objects, another array follows it, or another process is appending
    /// to it.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{WriteOptions, Writer};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("matrix.npy");
    /// serde_npy::to_path_with(&path, &[[1, 2], [3, 4]], &WriteOptions::default().fortran_order(true))?;
    /// assert!(Writer::append(&path).is_err());
    ///
    /// Writer::rewrite(&path)?;
    /// let mut writer = Writer::append(&path)?;
    /// writer.write(&[5, 6])?;
    /// writer.finish()?;
    /// assert_eq!(serde_npy::from_path::<Vec<[i32; 2]>>(&path)?, [[1, 2], [3, 4], [5, 6]]);
    /// # Ok(()) }
    /// ```
    pub fn rewrite(path: impl AsRef<Path>) -> Result<()> {
        Writer::rewrite_with(path, &WriteOptions::default())
    }

    /// [`rewrite`](Writer::rewrite) with options, of which [`sync`](WriteOptions#structfield.sync) counts.
    ///
    /// # Errors
    ///
    /// As for [`rewrite`](Writer::rewrite).
    pub fn rewrite_with(path: impl AsRef<Path>, options: &WriteOptions) -> Result<()> {
        let path = path.as_ref();
        rewrite(path, options).map_err(|error| error.in_file(path))
    }
}

fn rewrite(path: &Path, options: &WriteOptions) -> Result<()> {
    let mut file = lock(path)?;
    let old = Header::read(&file)?;
    refuse_objects(&old)?;
    let new = Header::new(old.dtype().clone(), old.shape().to_vec())?;
    let found = file.metadata().map_err(Error::io)?.len().saturating_sub(old.data_offset());
    if found < old.data_len() {
        return Err(too_short(&old, found));
    }
    refuse_another_array(&mut file, old.data_offset().saturating_add(old.data_len()))?;
    file.seek(SeekFrom::Start(old.data_offset())).map_err(Error::io)?;
    replace(path, options.sync, |writer| {
        new.write(&mut *writer)?;
        if old.fortran_order() && old.ndim() > 1 {
            return transpose(file, &old, writer);
        }
        let copied = std::io::copy(&mut file.take(old.data_len()), writer).map_err(Error::io)?;
        if copied < old.data_len() { Err(too_short(&old, copied)) } else { Ok(()) }
    })
}

/// Writes the elements of an array in Fortran order in C order.
fn transpose(file: File, header: &Header, writer: &mut dyn Write) -> Result<()> {
    let mut data = Vec::new();
    file.take(header.data_len()).read_to_end(&mut data).map_err(Error::io)?;
    let itemsize = header.dtype().itemsize();
    // The distance of neighbours along each axis in the file, in bytes.
    let mut step = itemsize;
    let mut axes = Vec::with_capacity(header.ndim());
    for &length in header.shape() {
        let length = usize::try_from(length).map_err(|_| Error::limit("an array larger than memory"))?;
        axes.push((length, step));
        // Checked with the header; an axis of no length leaves no element to find.
        step = step.saturating_mul(length);
    }
    let mut index = vec![0usize; axes.len()];
    let mut block = Vec::with_capacity(BLOCK);
    for _ in 0..header.size() {
        let start =
            index.iter().zip(&axes).fold(0usize, |start, (i, (_, step))| start.saturating_add(i.saturating_mul(*step)));
        let element = data.get(start..start.saturating_add(itemsize));
        block.extend_from_slice(element.ok_or_else(|| too_short(header, u64::try_from(data.len()).unwrap_or(0)))?);
        if block.len() >= BLOCK {
            writer.write_all(&block).map_err(Error::io)?;
            block.clear();
        }
        for (i, (length, _)) in index.iter_mut().zip(&axes).rev() {
            *i = i.saturating_add(1);
            if *i < *length {
                break;
            }
            *i = 0;
        }
    }
    writer.write_all(&block).map_err(Error::io)
}
