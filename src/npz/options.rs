//! How to read and write archives.

use crate::de::dtypes_of;
use crate::dtype::DType;
use crate::error::Result;
use crate::options;
use serde::de::Deserialize;
use std::collections::BTreeMap;

/// How to read an archive.
///
/// # Examples
///
/// Every default:
///
/// ```
/// use serde_npy::npz::ReadOptions;
///
/// let options = ReadOptions::default();
/// assert_eq!(options.array, serde_npy::ReadOptions::default());
/// assert_eq!(options.verify, true);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// How to read each array. [`Limits::empty_items`](crate::Limits::empty_items) counts over all members of one read.
    pub array: options::ReadOptions,
    /// Whether the checksum of each member that is read is checked. Default: `true`.
    ///
    /// Turned off, a memory map of stored members opens without all of it being read.
    pub verify: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { array: options::ReadOptions::default(), verify: true }
    }
}

impl ReadOptions {
    /// Sets [`array`](ReadOptions#structfield.array).
    #[must_use]
    pub fn array(mut self, options: options::ReadOptions) -> Self {
        self.array = options;
        self
    }

    /// Sets [`verify`](ReadOptions#structfield.verify).
    #[must_use]
    pub fn verify(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }
}

/// The options of single arrays do for archives as well.
impl From<options::ReadOptions> for ReadOptions {
    fn from(options: options::ReadOptions) -> Self {
        ReadOptions::default().array(options)
    }
}

/// How the members of an archive are packed.
///
/// # Examples
///
/// ```
/// use serde_npy::npz::{self, Compression, WriteOptions};
///
/// # fn main() -> serde_npy::Result<()> {
/// let zeros = vec![0f64; 100_000];
/// let stored = npz::to_vec(&zeros)?;
/// let deflated = npz::to_vec_with(&zeros, &WriteOptions::default().compression(Compression::FAST))?;
/// assert!(deflated.len() < stored.len() / 100);
/// assert_eq!(npz::from_slice::<Vec<f64>>(&deflated)?, zeros);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all, as `numpy.savez` does it: members can be borrowed from a memory map.
    #[default]
    Stored,
    /// Deflated, as `numpy.savez_compressed` does it, at a level from 1 (fast) to 9 (small). NumPy's own level is 6.
    Deflated(u8),
}

impl Compression {
    /// Deflated at the level that gives the most for its time.
    pub const FAST: Compression = Compression::Deflated(1);
}

/// How to write an archive.
///
/// # Examples
///
/// Every default:
///
/// ```
/// use serde_npy::npz::{Compression, WriteOptions};
///
/// let options = WriteOptions::default();
/// assert_eq!(options.array, serde_npy::WriteOptions::default());
/// assert_eq!(options.dtypes.len(), 0);
/// assert_eq!(options.compression, Compression::Stored);
/// assert_eq!(options.alignment, 64);
/// ```
///
/// ```
/// use serde::Serialize;
/// use serde_npy::npz::{self, WriteOptions};
///
/// #[derive(Serialize)]
/// struct Layer {
///     weights: Vec<[f64; 2]>,
///     bias: Vec<f64>,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let layer = Layer { weights: vec![[0.5, 1.5]], bias: vec![] };
/// let options = WriteOptions::default().dtype("weights", "<f2".parse()?).dtype("bias", "<f4".parse()?);
/// let archive = npz::to_vec_with(&layer, &options)?;
///
/// let mut reader = npz::Reader::from_slice(&archive)?;
/// assert_eq!(reader.header("weights")?.dtype().to_string(), "'<f2'");
/// assert_eq!(reader.header("bias")?.shape(), [0]);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WriteOptions {
    /// How to write each array. Its `sync` is that of `npz::to_path`.
    pub array: options::WriteOptions,
    /// The dtypes of single arrays, by name. Default: none, they are found from the values.
    pub dtypes: BTreeMap<String, DType>,
    /// How the members are packed. Default: [`Compression::Stored`].
    pub compression: Compression,
    /// Stored members start at a multiple of this many bytes in the file. Default: 64, as the data in a `.npy` file does.
    pub alignment: u16,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions {
            array: options::WriteOptions::default(),
            dtypes: BTreeMap::new(),
            compression: Compression::Stored,
            alignment: 64,
        }
    }
}

impl WriteOptions {
    /// Sets [`array`](WriteOptions#structfield.array).
    #[must_use]
    pub fn array(mut self, options: options::WriteOptions) -> Self {
        self.array = options;
        self
    }

    /// Adds to [`dtypes`](WriteOptions#structfield.dtypes).
    ///
    /// A name under which nothing is written is passed over, so that one set of options does for several archives; a
    /// name that is spelt wrong is so too.
    #[must_use]
    pub fn dtype(mut self, name: impl Into<String>, dtype: DType) -> Self {
        self.dtypes.insert(name.into(), dtype);
        self
    }

    /// Adds the dtypes of the fields of `T`, found from its `Deserialize` as [`DType::of`] does it.
    ///
    /// So that empty sequences have a dtype. Fields whose type does not tell, such as text, are left to the values.
    ///
    /// # Errors
    ///
    /// `T` is no struct, or takes none of the values that are made up to explore it.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde::{Deserialize, Serialize};
    /// use serde_npy::npz::{self, WriteOptions};
    ///
    /// #[derive(Serialize, Deserialize)]
    /// struct Run {
    ///     time: Vec<f64>,
    ///     note: String,
    /// }
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let options = WriteOptions::default().dtypes_of::<Run>()?;
    /// let archive = npz::to_vec_with(&Run { time: vec![], note: "none".into() }, &options)?;
    /// assert_eq!(npz::Reader::from_slice(&archive)?.header("time")?.dtype().to_string(), "'<f8'");
    /// # Ok(()) }
    /// ```
    pub fn dtypes_of<'de, T: Deserialize<'de>>(mut self) -> Result<Self> {
        self.dtypes.extend(dtypes_of::<T>()?.into_iter().map(|(name, dtype)| (name.to_owned(), dtype)));
        Ok(self)
    }

    /// Sets [`compression`](WriteOptions#structfield.compression).
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// Sets [`alignment`](WriteOptions#structfield.alignment).
    #[must_use]
    pub fn alignment(mut self, bytes: u16) -> Self {
        self.alignment = bytes;
        self
    }

    /// How to write the array of a name.
    pub(crate) fn of(&self, name: &str) -> options::WriteOptions {
        let mut options = self.array.clone();
        if let Some(dtype) = self.dtypes.get(name) {
            options.dtype = Some(dtype.clone());
        }
        options
    }
}

/// The options of single arrays do for archives as well.
impl From<options::WriteOptions> for WriteOptions {
    fn from(options: options::WriteOptions) -> Self {
        WriteOptions::default().array(options)
    }
}
