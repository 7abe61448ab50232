//! The functions that read.

use crate::de::array::Deserializer;
use crate::error::{Error, Result};
use crate::options::ReadOptions;
use serde::de::{Deserialize, DeserializeOwned};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads the array of a `.npy` file in memory.
///
/// Strings of `S` fields and bytes may be borrowed from the input. For an array of many records,
/// [`records_from_slice`] is faster.
///
/// # Errors
///
/// The file is not well formed or too short, holds Python objects, or does not fit the type `T`; the error tells where.
///
/// # Examples
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize, PartialEq, Debug)]
/// struct Point<'a> {
///     x: f64,
///     #[serde(default)]
///     label: &'a str,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// // numpy.save(file, numpy.array([(1.5, b'left')], dtype=[('x', '<f8'), ('label', 'S4')]))
/// let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
/// let header = "{'descr': [('x', '<f8'), ('label', '|S4')], 'fortran_order': False, 'shape': (1,), }";
/// file.extend(format!("{header:<117}\n").into_bytes());
/// file.extend(1.5f64.to_le_bytes());
/// file.extend(b"left");
///
/// let points: Vec<Point> = serde_npy::from_slice(&file)?;
/// assert_eq!(points, [Point { x: 1.5, label: "left" }]);
/// # Ok(()) }
/// ```
pub fn from_slice<'de, T: Deserialize<'de>>(input: &'de [u8]) -> Result<T> {
    from_slice_with(input, &ReadOptions::default())
}

/// [`from_slice`] with options.
///
/// # Errors
///
/// As for [`from_slice`].
///
/// # Examples
///
/// ```
/// use serde_npy::ReadOptions;
///
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::to_vec(&0.5f64)?;
/// let half: f32 = serde_npy::from_slice_with(&bytes, &ReadOptions::default().round_floats(true))?;
/// assert_eq!(half, 0.5);
/// # Ok(()) }
/// ```
pub fn from_slice_with<'de, T: Deserialize<'de>>(input: &'de [u8], options: &ReadOptions) -> Result<T> {
    let mut deserializer = Deserializer::from_slice_with(input, options)?;
    let value = T::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Reads the next array from a reader, and not a byte more.
///
/// The reader needs no buffer around it. Arrays that follow each other are read by as many calls with `&mut reader`.
///
/// # Errors
///
/// The reader fails, or as for [`from_slice`].
///
/// # Examples
///
/// ```
/// # fn main() -> serde_npy::Result<()> {
/// let mut file = serde_npy::to_vec(&[1, 2, 3])?;
/// file.extend(serde_npy::to_vec("and text")?);
///
/// let mut reader = &file[..];
/// let numbers: Vec<i32> = serde_npy::from_reader(&mut reader)?;
/// let text: String = serde_npy::from_reader(&mut reader)?;
/// assert_eq!((numbers, text.as_str()), (vec![1, 2, 3], "and text"));
/// # Ok(()) }
/// ```
pub fn from_reader<T: DeserializeOwned>(reader: impl Read) -> Result<T> {
    from_reader_with(reader, &ReadOptions::default())
}

/// [`from_reader`] with options.
///
/// # Errors
///
/// As for [`from_reader`].
///
/// # Examples
///
/// ```
/// use serde_npy::ReadOptions;
///
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::to_vec(&[1, 2, 3])?;
/// let whole = ReadOptions::default().trailing(false);
/// assert_eq!(serde_npy::from_reader_with::<Vec<i32>>(&bytes[..], &whole)?, [1, 2, 3]);
/// # Ok(()) }
/// ```
pub fn from_reader_with<T: DeserializeOwned>(reader: impl Read, options: &ReadOptions) -> Result<T> {
    let mut deserializer = Deserializer::from_reader_with(reader, options)?;
    let value = T::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Reads a `.npy` file.
///
/// # Errors
///
/// The file cannot be opened or read, or as for [`from_slice`].
///
/// # Examples
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("matrix.npy");
/// serde_npy::to_path(&path, &[[1.0, 2.0], [3.0, 4.0]])?;
/// let matrix: Vec<Vec<f64>> = serde_npy::from_path(&path)?;
/// assert_eq!(matrix, [[1.0, 2.0], [3.0, 4.0]]);
/// # Ok(()) }
/// ```
pub fn from_path<T: DeserializeOwned>(path: impl AsRef<Path>) -> Result<T> {
    from_path_with(path, &ReadOptions::default())
}

/// [`from_path`] with options.
///
/// # Errors
///
/// As for [`from_path`].
///
/// # Examples
///
/// ```
/// use serde_npy::ReadOptions;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("vector.npy");
/// serde_npy::to_path(&path, &[0.5f64, 0.25])?;
/// let vector: Vec<f32> = serde_npy::from_path_with(&path, &ReadOptions::default().round_floats(true))?;
/// assert_eq!(vector, [0.5, 0.25]);
/// # Ok(()) }
/// ```
pub fn from_path_with<T: DeserializeOwned>(path: impl AsRef<Path>, options: &ReadOptions) -> Result<T> {
    in_file(path.as_ref(), |file| from_reader_with(file, options))
}

fn in_file<T>(path: &Path, read: impl FnOnce(File) -> Result<T>) -> Result<T> {
    File::open(path).map_err(Error::io).and_then(read).map_err(|error| error.in_file(path))
}

/// Reads the records of an array of one axis: the fast way to a `Vec` of structs.
///
/// The same result as `from_slice::<Vec<T>>`, in less time.
///
/// # Errors
///
/// As for [`from_slice`]; and if the array has not exactly one axis.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Tick {
///     time: i64,
///     price: f64,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let ticks = [Tick { time: 1, price: 10.5 }, Tick { time: 2, price: 10.25 }];
/// let bytes = serde_npy::records_to_vec(&ticks)?;
/// assert_eq!(serde_npy::records_from_slice::<Tick>(&bytes)?, ticks);
/// # Ok(()) }
/// ```
pub fn records_from_slice<'de, T: Deserialize<'de>>(input: &'de [u8]) -> Result<Vec<T>> {
    records_from_slice_with(input, &ReadOptions::default())
}

/// [`records_from_slice`] with options.
///
/// # Errors
///
/// As for [`records_from_slice`].
///
/// # Examples
///
/// ```
/// use serde_npy::ReadOptions;
///
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::records_to_vec(&[(1, 0.5f64)])?;
/// let round = ReadOptions::default().round_floats(true);
/// assert_eq!(serde_npy::records_from_slice_with::<(i32, f32)>(&bytes, &round)?, [(1, 0.5)]);
/// # Ok(()) }
/// ```
pub fn records_from_slice_with<'de, T: Deserialize<'de>>(input: &'de [u8], options: &ReadOptions) -> Result<Vec<T>> {
    let mut records = Vec::new();
    read_records(Deserializer::from_slice_with(input, options)?, &mut records)?;
    Ok(records)
}

/// Reads the records of the next array of a reader: see [`records_from_slice`] and [`from_reader`].
///
/// # Errors
///
/// As for [`from_reader`]; and if the array has not exactly one axis.
///
/// # Examples
///
/// ```
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::records_to_vec(&[(1, 0.5), (2, 0.25)])?;
/// assert_eq!(serde_npy::records_from_reader::<(i32, f64)>(&bytes[..])?, [(1, 0.5), (2, 0.25)]);
/// # Ok(()) }
/// ```
pub fn records_from_reader<T: DeserializeOwned>(reader: impl Read) -> Result<Vec<T>> {
    records_from_reader_with(reader, &ReadOptions::default())
}

/// [`records_from_reader`] with options.
///
/// # Errors
///
/// As for [`records_from_reader`].
///
/// # Examples
///
/// ```
/// use serde_npy::{Category, ReadOptions};
///
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::records_to_vec(&[(1, 0.5)])?;
/// let small = ReadOptions::default().max_header_size(16);
/// let error = serde_npy::records_from_reader_with::<(i32, f64)>(&bytes[..], &small).unwrap_err();
/// assert_eq!(error.category(), Category::Limit);
/// # Ok(()) }
/// ```
pub fn records_from_reader_with<T: DeserializeOwned>(reader: impl Read, options: &ReadOptions) -> Result<Vec<T>> {
    let mut records = Vec::new();
    read_records(Deserializer::from_reader_with(reader, options)?, &mut records)?;
    Ok(records)
}

/// Reads the records of a `.npy` file: see [`records_from_slice`].
///
/// # Errors
///
/// As for [`from_path`]; and if the array has not exactly one axis.
///
/// # Examples
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pairs.npy");
/// serde_npy::records_to_path(&path, &[(1, 0.5), (2, 0.25)])?;
/// assert_eq!(serde_npy::records_from_path::<(i32, f64)>(&path)?, [(1, 0.5), (2, 0.25)]);
/// # Ok(()) }
/// ```
pub fn records_from_path<T: DeserializeOwned>(path: impl AsRef<Path>) -> Result<Vec<T>> {
    records_from_path_with(path, &ReadOptions::default())
}

/// [`records_from_path`] with options.
///
/// # Errors
///
/// As for [`records_from_path`].
///
/// # Examples
///
/// ```
/// use serde_npy::ReadOptions;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pairs.npy");
/// serde_npy::records_to_path(&path, &[(1, 0.5f64)])?;
/// let round = ReadOptions::default().round_floats(true);
/// assert_eq!(serde_npy::records_from_path_with::<(i32, f32)>(&path, &round)?, [(1, 0.5)]);
/// # Ok(()) }
/// ```
pub fn records_from_path_with<T: DeserializeOwned>(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Vec<T>> {
    in_file(path.as_ref(), |file| {
        let known = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
        let mut deserializer = Deserializer::from_reader_with(file, options)?;
        deserializer.set_known(known.unwrap_or(0));
        let mut records = Vec::new();
        read_records(deserializer, &mut records)?;
        Ok(records)
    })
}

/// Appends the records of the next array of a reader to a `Vec`, whose memory is so used again.
///
/// On an error, the records before the one that failed have been appended.
///
/// # Errors
///
/// As for [`records_from_reader`].
///
/// # Examples
///
/// ```
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::records_to_vec(&[(1, 0.5)])?;
/// let mut records: Vec<(i32, f64)> = Vec::new();
/// for _ in 0..3 {
///     records.clear();
///     serde_npy::records_into(&bytes[..], &mut records)?;
///     assert_eq!(records, [(1, 0.5)]);
/// }
/// # Ok(()) }
/// ```
pub fn records_into<T: DeserializeOwned>(reader: impl Read, records: &mut Vec<T>) -> Result<()> {
    records_into_with(reader, records, &ReadOptions::default())
}

/// [`records_into`] with options.
///
/// # Errors
///
/// As for [`records_into`].
///
/// # Examples
///
/// ```
/// use serde_npy::ReadOptions;
///
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::records_to_vec(&[(1, 0.5)])?;
/// let mut records: Vec<(i32, f64)> = Vec::new();
/// serde_npy::records_into_with(&bytes[..], &mut records, &ReadOptions::default().trailing(false))?;
/// assert_eq!(records, [(1, 0.5)]);
/// # Ok(()) }
/// ```
pub fn records_into_with<T: DeserializeOwned>(
    reader: impl Read,
    records: &mut Vec<T>,
    options: &ReadOptions,
) -> Result<()> {
    read_records(Deserializer::from_reader_with(reader, options)?, records)
}

fn read_records<'de, T: Deserialize<'de>>(mut deserializer: Deserializer<'de>, records: &mut Vec<T>) -> Result<()> {
    deserializer.records(records)?;
    deserializer.end()
}
