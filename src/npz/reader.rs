//! An archive, member by member.

use crate::error::{Error, Result};
use crate::header::Header;
use crate::npz::array::{open_stream, read_array, read_header};
use crate::npz::directory::Directory;
use crate::npz::member::{Member, Shared};
use crate::npz::options::ReadOptions;
use serde::de::DeserializeOwned;
use std::fmt;
use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::path::Path;

/// Reads an archive member by member.
///
/// Opening it reads the list of members only, and each member is read when it is asked for: what else is in the archive
/// does no harm, be it object arrays, foreign files or compression methods that this crate does not know.
///
/// A name is that of the array, as NumPy shows it: without the `.npy` of its member. Where an archive has a name twice
/// the last wins, and where it has a member `a` beside a member `a.npy`, then `a` wins, as in NumPy. Names are text and
/// never paths; folders are skipped.
///
/// # Examples
///
/// ```
/// use serde_npy::npz;
/// use std::collections::BTreeMap;
/// use std::io::Cursor;
///
/// # fn main() -> serde_npy::Result<()> {
/// let archive = npz::to_vec(&BTreeMap::from([("x", vec![1.5, 2.5]), ("y", vec![3.5])]))?;
///
/// let mut reader = npz::Reader::new(Cursor::new(&archive))?; // or a `File`
/// assert_eq!(reader.names().collect::<Vec<_>>(), ["x", "y"]);
/// assert_eq!(reader.header("x")?.shape(), [2]);
/// assert_eq!(reader.get::<Vec<f64>>("x")?, [1.5, 2.5]);
///
/// let error = reader.get::<Vec<f64>>("z").unwrap_err();
/// assert_eq!(error.to_string(), "there is no member `z`, there are `x`, `y`");
/// # Ok(()) }
/// ```
pub struct Reader<R> {
    reader: R,
    directory: Directory,
    options: ReadOptions,
}

impl<R: Read + Seek> Reader<R> {
    /// Reads the list of members.
    ///
    /// The reader needs no buffer around it.
    ///
    /// # Errors
    ///
    /// It is no zip archive, or cannot be read.
    pub fn new(reader: R) -> Result<Self> {
        Reader::with_options(reader, &ReadOptions::default())
    }

    /// [`new`](Reader::new) with options.
    ///
    /// # Errors
    ///
    /// As for [`new`](Reader::new).
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::npz;
    /// use std::io::Cursor;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let archive = npz::to_vec(&(vec![0.5f64],))?;
    /// let round = serde_npy::ReadOptions::default().round_floats(true).into();
    /// let mut reader = npz::Reader::with_options(Cursor::new(&archive), &round)?;
    /// assert_eq!(reader.get::<Vec<f32>>("arr_0")?, [0.5]);
    /// # Ok(()) }
    /// ```
    pub fn with_options(mut reader: R, options: &ReadOptions) -> Result<Self> {
        let directory = Directory::read(&mut reader, &options.array.limits)?;
        Ok(Reader { reader, directory, options: options.clone() })
    }

    /// The header of an array, without its data.
    ///
    /// # Errors
    ///
    /// There is no such member, or it cannot be read or is no `.npy` file.
    pub fn header(&mut self, name: &str) -> Result<Header> {
        read_header(&Shared::new(&mut self.reader), self.directory.array(name)?, &self.options)
    }

    /// Reads an array.
    ///
    /// # Errors
    ///
    /// There is no such member, it is damaged, or it does not fit the type: see [`from_reader`](crate::from_reader).
    pub fn get<T: DeserializeOwned>(&mut self, name: &str) -> Result<T> {
        let entry = self.directory.array(name)?;
        read_array(&Shared::new(&mut self.reader), entry, &self.options, |deserializer| T::deserialize(deserializer))
    }

    /// Reads an array of one axis, the fast way to a `Vec` of structs.
    ///
    /// # Errors
    ///
    /// As for [`get`](Reader::get), or the array has not exactly one axis.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::npz;
    /// use std::io::Cursor;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let archive = npz::to_vec(&(vec![(1, 0.5), (2, 0.25)],))?;
    /// let mut reader = npz::Reader::new(Cursor::new(&archive))?;
    /// assert_eq!(reader.records::<(i32, f64)>("arr_0")?, [(1, 0.5), (2, 0.25)]);
    /// # Ok(()) }
    /// ```
    pub fn records<T: DeserializeOwned>(&mut self, name: &str) -> Result<Vec<T>> {
        let entry = self.directory.array(name)?;
        let mut records = Vec::new();
        read_array(&Shared::new(&mut self.reader), entry, &self.options, |deserializer| {
            deserializer.records(&mut records)
        })?;
        Ok(records)
    }

    /// The `.npy` file that an array is, as a reader that inflates and checks it on the way: for
    /// [`Reader`](crate::Reader), which takes it element by element.
    ///
    /// # Errors
    ///
    /// There is no such member, or it is encrypted or packed in a way that is not supported.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::npz;
    /// use std::io::Cursor;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let archive = npz::to_vec(&(vec![1.5f32, 2.5],))?;
    /// let mut archive = npz::Reader::new(Cursor::new(&archive))?;
    /// let mut reader = serde_npy::Reader::new(archive.stream("arr_0")?)?; // element by element
    /// assert_eq!(reader.records::<f32>().sum::<serde_npy::Result<f32>>()?, 4.0);
    /// # Ok(()) }
    /// ```
    pub fn stream(&mut self, name: &str) -> Result<Member<'_>> {
        let entry = self.directory.array(name)?;
        open_stream(&Shared::new(&mut self.reader), entry, &self.options, name)
    }

    /// The bytes of any member, by its name in the archive, whatever it holds.
    ///
    /// # Errors
    ///
    /// As for [`stream`](Reader::stream).
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::npz;
    /// use std::io::{Cursor, Read as _};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut writer = npz::Writer::new(Cursor::new(Vec::new()));
    /// writer.add("x", &[1.5])?;
    /// writer.add_bytes("notes.txt", b"measured twice")?;
    ///
    /// let mut reader = npz::Reader::new(writer.finish()?)?;
    /// assert_eq!(reader.names().collect::<Vec<_>>(), ["x"]);
    /// assert_eq!(reader.members().collect::<Vec<_>>(), ["x.npy", "notes.txt"]);
    /// let mut notes = String::new();
    /// reader.raw("notes.txt")?.read_to_string(&mut notes)?;
    /// assert_eq!(notes, "measured twice");
    /// # Ok(()) }
    /// ```
    pub fn raw(&mut self, member: &str) -> Result<Member<'_>> {
        let entry = self.directory.member(member)?;
        open_stream(&Shared::new(&mut self.reader), entry, &self.options, member)
    }
}

impl<'a> Reader<Cursor<&'a [u8]>> {
    /// Reads the list of members of an archive in memory; [`View`](crate::npz::View) can also borrow from it.
    ///
    /// # Errors
    ///
    /// As for [`new`](Reader::new).
    pub fn from_slice(archive: &'a [u8]) -> Result<Self> {
        Reader::from_slice_with(archive, &ReadOptions::default())
    }

    /// [`from_slice`](Reader::from_slice) with options.
    ///
    /// # Errors
    ///
    /// As for [`new`](Reader::new).
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{ReadOptions, npz};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let archive = npz::to_vec(&(vec![0.5f64],))?;
    /// let round = ReadOptions::default().round_floats(true);
    /// let mut reader = npz::Reader::from_slice_with(&archive, &round.into())?;
    /// assert_eq!(reader.get::<Vec<f32>>("arr_0")?, [0.5]);
    /// # Ok(()) }
    /// ```
    pub fn from_slice_with(archive: &'a [u8], options: &ReadOptions) -> Result<Self> {
        Reader::with_options(Cursor::new(archive), options)
    }
}

impl Reader<File> {
    /// Opens a file and reads the list of members.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, or as for [`new`](Reader::new).
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::npz;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("pair.npz");
    /// npz::to_path(&path, &(1, 2.5))?;
    /// assert_eq!(npz::Reader::open(&path)?.get::<f64>("arr_1")?, 2.5);
    /// # Ok(()) }
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Reader::open_with(path, &ReadOptions::default())
    }

    /// [`open`](Reader::open) with options, such as the limits that files from strangers need.
    ///
    /// # Errors
    ///
    /// As for [`open`](Reader::open).
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{Limits, ReadOptions, npz};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("pair.npz");
    /// npz::to_path(&path, &(1, 2.5))?;
    /// let few = ReadOptions::default().limits(Limits::default().max_members(1));
    /// let error = npz::Reader::open_with(&path, &few.into()).unwrap_err().to_string();
    /// assert!(error.starts_with("an archive of 2 members, over the limit `max_members` of 1"), "{error}");
    /// # Ok(()) }
    /// ```
    pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self> {
        let path = path.as_ref();
        let file = File::open(path).map_err(Error::io);
        file.and_then(|file| Reader::with_options(file, options)).map_err(|error| error.in_file(path))
    }
}

impl<R> Reader<R> {
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

    /// The names of the arrays, in file order: of all members that are named `*.npy`.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.directory.names()
    }

    /// The names of all members as the archive has them, in file order.
    #[must_use]
    pub fn members(&self) -> impl ExactSizeIterator<Item = &str> {
        self.directory.members()
    }

    /// Whether there is an array of a name.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.directory.contains(name)
    }

    /// Gives the reader back.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.reader
    }
}

impl<R> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("names", &self.names().collect::<Vec<_>>()).finish_non_exhaustive()
    }
}
