//! An archive in memory, from which arrays are borrowed.

use crate::error::{Error, Result};
use crate::header::Header;
use crate::npz::array::{read_array, read_header};
use crate::npz::directory::{Directory, Entry};
use crate::npz::member::{Opened, Slice, open, verify};
use crate::npz::options::ReadOptions;
use crate::view;
use serde::de::Deserialize;
use std::fmt;
use std::io::Cursor;
use std::sync::atomic::{AtomicBool, Ordering};

/// Looks into an archive in memory, such as a memory map.
///
/// Stored members, as `numpy.savez` and this crate write them by default, are borrowed: text and bytes by
/// [`get`](View::get), the whole `.npy` file by [`bytes`](View::bytes). The checksum of a member is checked when it is
/// first used, for which all of it is read; with [`ReadOptions::verify`] turned off, opening a member takes microseconds
/// whatever its size.
///
/// Names are those of [`Reader`](crate::npz::Reader).
///
/// # Examples
///
/// ```
/// use serde_npy::npz;
///
/// # fn main() -> serde_npy::Result<()> {
/// let archive = npz::to_vec(&(b"borrowed".as_slice(), vec![1.5, 2.5]))?; // or a memory map
///
/// let view = npz::View::new(&archive)?;
/// assert_eq!(view.get::<Vec<f64>>("arr_1")?, [1.5, 2.5]);
///
/// let file = view.bytes("arr_1")?;
/// assert_eq!(file.as_ptr() as usize % 64, archive.as_ptr() as usize % 64); // aligned in the archive
/// assert_eq!(serde_npy::from_slice::<Vec<f64>>(file)?, [1.5, 2.5]);
/// # Ok(()) }
/// ```
pub struct View<'a> {
    archive: &'a [u8],
    directory: Directory,
    options: ReadOptions,
    /// For each member whether its sum has been checked, or need not be.
    verified: Box<[AtomicBool]>,
}

impl<'a> View<'a> {
    /// Reads the list of members.
    ///
    /// # Errors
    ///
    /// It is no zip archive.
    pub fn new(archive: &'a [u8]) -> Result<Self> {
        View::with_options(archive, &ReadOptions::default())
    }

    /// [`new`](View::new) with options.
    ///
    /// # Errors
    ///
    /// As for [`new`](View::new).
    pub fn with_options(archive: &'a [u8], options: &ReadOptions) -> Result<Self> {
        let directory = Directory::read(Cursor::new(archive), &options.array.limits)?;
        let verified = directory.members().map(|_| AtomicBool::new(!options.verify)).collect();
        Ok(View { archive, directory, options: options.clone(), verified })
    }

    /// How many arrays there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.directory.names().len()
    }

    /// Whether there are no arrays.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of the arrays, in file order.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.directory.names()
    }

    /// Whether there is an array of a name.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.directory.contains(name)
    }

    /// The header of an array, without its data.
    ///
    /// # Errors
    ///
    /// There is no such member, or it cannot be read or is no `.npy` file.
    pub fn header(&self, name: &str) -> Result<Header> {
        read_header(&Slice(self.archive), self.directory.array(name)?, &self.options)
    }

    /// Reads an array; from a stored member, text of `S` and bytes may be borrowed.
    ///
    /// # Errors
    ///
    /// There is no such member, it is damaged, or it does not fit the type.
    pub fn get<T: Deserialize<'a>>(&self, name: &str) -> Result<T> {
        self.read(name, |deserializer| T::deserialize(deserializer))
    }

    /// Reads an array of one axis, the fast way to a `Vec` of structs.
    ///
    /// # Errors
    ///
    /// As for [`get`](View::get), or the array has not exactly one axis.
    pub fn records<T: Deserialize<'a>>(&self, name: &str) -> Result<Vec<T>> {
        let mut records = Vec::new();
        self.read(name, |deserializer| deserializer.records(&mut records))?;
        Ok(records)
    }

    /// The bytes of the `.npy` file that a stored member is.
    ///
    /// # Errors
    ///
    /// There is no such member, it is damaged, or it is deflated.
    pub fn bytes(&self, name: &str) -> Result<&'a [u8]> {
        let entry = self.directory.array(name)?;
        let bytes = match open(&Slice(self.archive), entry, false) {
            Ok(Opened::Slice(bytes)) => self.verify_once(entry, bytes).map(|()| bytes),
            Ok(Opened::Stream(_)) => Err(Error::unsupported(
                "the member is deflated, so it cannot be borrowed; use `get`, or save it with `numpy.savez`",
            )),
            Err(error) => Err(error),
        };
        bytes.map_err(|error| error.in_member(entry.array_name()))
    }

    /// A stored member as a [`View`](crate::View): its elements, columns and slices, without copying.
    ///
    /// # Errors
    ///
    /// As for [`bytes`](View::bytes), or the member is no `.npy` file, or holds objects.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::npz;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let archive = npz::to_vec(&(vec![0.5f32, 1.5, 2.5],))?; // or a memory map
    /// let view = npz::View::new(&archive)?;
    /// let member = view.member("arr_0")?;
    /// assert_eq!(member.get::<f32>(2)?, 2.5);
    /// # #[cfg(feature = "bytemuck")]
    /// assert_eq!(member.as_slice::<f32>()?, [0.5, 1.5, 2.5]); // with the feature `bytemuck`
    /// # Ok(()) }
    /// ```
    pub fn member(&self, name: &str) -> Result<view::View<'a>> {
        let bytes = self.bytes(name)?;
        let name = self.directory.array(name)?.array_name();
        let view = view::View::new_with(bytes, &self.options.array).map_err(|error| error.in_member(name))?;
        Ok(view.in_member(name))
    }

    fn read<T>(&self, name: &str, read: impl FnOnce(&mut crate::de::Deserializer<'a>) -> Result<T>) -> Result<T> {
        let entry = self.directory.array(name)?;
        let flag = self.flag(entry);
        let verify = !flag.is_some_and(|flag| flag.load(Ordering::Relaxed));
        let options = self.options.clone().verify(verify);
        let value = read_array(&Slice(self.archive), entry, &options, read)?;
        if let Some(flag) = flag {
            flag.store(true, Ordering::Relaxed);
        }
        Ok(value)
    }

    fn verify_once(&self, entry: &Entry, bytes: &[u8]) -> Result<()> {
        let Some(flag) = self.flag(entry) else { return Ok(()) };
        if !flag.load(Ordering::Relaxed) {
            verify(bytes, entry)?;
            flag.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Whether the sum of a member has been checked, or need not be.
    fn flag(&self, entry: &Entry) -> Option<&AtomicBool> {
        self.verified.get(self.directory.position(entry)?)
    }
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("names", &self.names().collect::<Vec<_>>()).finish_non_exhaustive()
    }
}
