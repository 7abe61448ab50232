//! The functions that write.

use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::header::Header;
use crate::io::replace;
use crate::options::WriteOptions;
use crate::ser::framing::{Frame, check_value, frame, frame_of_records, write_value};
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// Writes a value as a `.npy` file in memory.
///
/// Sequences are axes, structs are records, anything else is an array without axes. The dtype is found from the value;
/// text becomes as wide as its longest.
///
/// # Errors
///
/// The value has no dtype, or parts of it disagree: sequences of unequal length along an axis, `None` outside of times,
/// a number where there was text. The error tells where.
///
/// # Examples
///
/// ```
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Star<'a> {
///     name: &'a str,
///     position: [f64; 2],
///     magnitude: f32,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let stars = [
///     Star { name: "Vega", position: [279.23, 38.78], magnitude: 0.03 },
///     Star { name: "Altair", position: [297.7, 8.87], magnitude: 0.76 },
/// ];
/// let bytes = serde_npy::to_vec(&stars)?;
///
/// let header = serde_npy::Header::read(&bytes[..])?;
/// assert_eq!(header.dtype().to_string(), "[('name', '<U6'), ('position', '<f8', (2,)), ('magnitude', '<f4')]");
/// assert_eq!(header.shape(), [2]);
/// # Ok(()) }
/// ```
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    to_vec_with(value, &WriteOptions::default())
}

/// [`to_vec`] with options.
///
/// # Errors
///
/// As for [`to_vec`]; and if a value does not fit a given dtype.
///
/// # Examples
///
/// ```
/// use serde_npy::{ByteOrder, WriteOptions};
///
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::to_vec_with(&[1, 2], &WriteOptions::default().byteorder(ByteOrder::Big))?;
/// assert_eq!(serde_npy::Header::read(&bytes[..])?.dtype().to_string(), "'>i4'");
///
/// let small = WriteOptions::default().dtype("i1".parse()?);
/// assert_eq!(
///     serde_npy::to_vec_with(&[1, 200], &small).unwrap_err().to_string(),
///     "expected `|i1`, found integer `200`, which is beyond its range (at `[1]`)"
/// );
/// # Ok(()) }
/// ```
pub fn to_vec_with<T: Serialize + ?Sized>(value: &T, options: &WriteOptions) -> Result<Vec<u8>> {
    into_vec(value, &frame(value, options)?)
}

/// Writes a value to a writer.
///
/// Nothing is written of a value that has no dtype or does not fit the given one. The writer needs no buffer around it:
/// data is written in blocks of 256 KiB. It is not flushed.
///
/// # Errors
///
/// The writer fails, or as for [`to_vec`].
///
/// # Examples
///
/// ```
/// # fn main() -> serde_npy::Result<()> {
/// let mut file = Vec::new();
/// serde_npy::to_writer(&mut file, &[1.5, 2.5])?;
/// assert_eq!(file, serde_npy::to_vec(&[1.5, 2.5])?);
///
/// let mut file = Vec::new();
/// serde_npy::to_writer(&mut file, &vec![vec![1.5], vec![]]).unwrap_err();
/// assert_eq!(file, []);
/// # Ok(()) }
/// ```
pub fn to_writer<T: Serialize + ?Sized>(writer: impl Write, value: &T) -> Result<()> {
    to_writer_with(writer, value, &WriteOptions::default())
}

/// [`to_writer`] with options.
///
/// # Errors
///
/// As for [`to_writer`]; and if a value does not fit a given dtype.
///
/// # Examples
///
/// ```
/// use serde_npy::WriteOptions;
///
/// # fn main() -> serde_npy::Result<()> {
/// let mut file = Vec::new();
/// serde_npy::to_writer_with(&mut file, &[[1, 2], [3, 4]], &WriteOptions::default().fortran_order(true))?;
/// assert_eq!(file[128..], [1, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0]);
/// # Ok(()) }
/// ```
pub fn to_writer_with<T: Serialize + ?Sized>(writer: impl Write, value: &T, options: &WriteOptions) -> Result<()> {
    into_writer(writer, value, &frame(value, options)?)
}

/// Writes a value as a `.npy` file, which replaces the old one at once or not at all.
///
/// The file is made beside the old one and renamed over it when it is complete. Symbolic links are followed, an
/// existing file keeps its mode; pipes and devices are written directly.
///
/// # Errors
///
/// The file cannot be written, or as for [`to_vec`]; the old file is then as it was.
///
/// # Examples
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("temperatures.npy");
/// serde_npy::to_path(&path, &[19.5, 20.25])?;
/// assert_eq!(serde_npy::from_path::<Vec<f64>>(&path)?, [19.5, 20.25]);
/// # Ok(()) }
/// ```
pub fn to_path<T: Serialize + ?Sized>(path: impl AsRef<Path>, value: &T) -> Result<()> {
    to_path_with(path, value, &WriteOptions::default())
}

/// [`to_path`] with options.
///
/// # Errors
///
/// As for [`to_path`]; and if a value does not fit a given dtype.
///
/// # Examples
///
/// ```
/// use serde_npy::WriteOptions;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("temperatures.npy");
/// serde_npy::to_path_with(&path, &[19.5, 20.25], &WriteOptions::default().dtype("<f2".parse()?).sync(true))?;
/// assert_eq!(serde_npy::from_path::<Vec<f32>>(&path)?, [19.5, 20.25]);
/// # Ok(()) }
/// ```
pub fn to_path_with<T: Serialize + ?Sized>(path: impl AsRef<Path>, value: &T, options: &WriteOptions) -> Result<()> {
    into_path(path.as_ref(), value, &frame(value, options)?, options)
}

impl DType {
    /// The dtype that a value is written with: of its elements, if it is a sequence.
    ///
    /// # Errors
    ///
    /// As for [`to_vec`].
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::DType;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let dtype = DType::from_sample(&[("left", 1.5), ("right", 2.5)])?;
    /// assert_eq!(dtype.to_string(), "[('f0', '<U5'), ('f1', '<f8')]");
    /// # Ok(()) }
    /// ```
    pub fn from_sample<T: Serialize + ?Sized>(sample: &T) -> Result<DType> {
        Ok(frame(sample, &WriteOptions::default())?.header.dtype().clone())
    }
}

/// Writes records as an array of one axis: `to_vec(records)` by the name that goes with
/// [`records_from_slice`](crate::records_from_slice).
///
/// # Errors
///
/// As for [`to_vec`].
///
/// # Examples
///
/// ```
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Tick {
///     time: i64,
///     price: f64,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let ticks = [Tick { time: 1, price: 10.5 }, Tick { time: 2, price: 10.25 }];
/// assert_eq!(serde_npy::records_to_vec(&ticks)?, serde_npy::to_vec(&ticks)?);
/// # Ok(()) }
/// ```
pub fn records_to_vec<T: Serialize>(records: &[T]) -> Result<Vec<u8>> {
    records_to_vec_with(records, &WriteOptions::default())
}

/// [`records_to_vec`] with options.
///
/// # Errors
///
/// As for [`records_to_vec`]; and if a record does not fit a given dtype.
///
/// # Examples
///
/// ```
/// use serde_npy::WriteOptions;
///
/// # fn main() -> serde_npy::Result<()> {
/// let options = WriteOptions::default().dtype("i8,f4".parse()?);
/// let bytes = serde_npy::records_to_vec_with(&[(1, 0.5)], &options)?;
/// assert_eq!(serde_npy::Header::read(&bytes[..])?.dtype().to_string(), "[('f0', '<i8'), ('f1', '<f4')]");
/// # Ok(()) }
/// ```
pub fn records_to_vec_with<T: Serialize>(records: &[T], options: &WriteOptions) -> Result<Vec<u8>> {
    into_vec(records, &frame_of_records(records, options)?)
}

/// Writes records to a writer: see [`records_to_vec`] and [`to_writer`].
///
/// # Errors
///
/// As for [`to_writer`].
///
/// # Examples
///
/// ```
/// # fn main() -> serde_npy::Result<()> {
/// let mut file = Vec::new();
/// serde_npy::records_to_writer(&mut file, &[(1, 0.5), (2, 0.25)])?;
/// assert_eq!(serde_npy::records_from_slice::<(i32, f64)>(&file)?, [(1, 0.5), (2, 0.25)]);
/// # Ok(()) }
/// ```
pub fn records_to_writer<T: Serialize>(writer: impl Write, records: &[T]) -> Result<()> {
    records_to_writer_with(writer, records, &WriteOptions::default())
}

/// [`records_to_writer`] with options.
///
/// # Errors
///
/// As for [`records_to_writer`]; and if a record does not fit a given dtype.
///
/// # Examples
///
/// ```
/// use serde_npy::WriteOptions;
///
/// # fn main() -> serde_npy::Result<()> {
/// let mut file = Vec::new();
/// serde_npy::records_to_writer_with(&mut file, &[(1, 0.5)], &WriteOptions::default().dtype("u1,f2".parse()?))?;
/// assert_eq!(file.len(), 128 + 3);
/// # Ok(()) }
/// ```
pub fn records_to_writer_with<T: Serialize>(writer: impl Write, records: &[T], options: &WriteOptions) -> Result<()> {
    into_writer(writer, records, &frame_of_records(records, options)?)
}

/// Writes records as a `.npy` file: see [`records_to_vec`] and [`to_path`].
///
/// # Errors
///
/// As for [`to_path`].
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
pub fn records_to_path<T: Serialize>(path: impl AsRef<Path>, records: &[T]) -> Result<()> {
    records_to_path_with(path, records, &WriteOptions::default())
}

/// [`records_to_path`] with options.
///
/// # Errors
///
/// As for [`records_to_path`]; and if a record does not fit a given dtype.
///
/// # Examples
///
/// ```
/// use serde_npy::WriteOptions;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pairs.npy");
/// serde_npy::records_to_path_with(&path, &[(1, 0.5)], &WriteOptions::default().sync(true))?;
/// assert_eq!(serde_npy::records_from_path::<(i32, f64)>(&path)?, [(1, 0.5)]);
/// # Ok(()) }
/// ```
pub fn records_to_path_with<T: Serialize>(path: impl AsRef<Path>, records: &[T], options: &WriteOptions) -> Result<()> {
    into_path(path.as_ref(), records, &frame_of_records(records, options)?, options)
}

/// A buffer for the whole file; an error where there is no such room.
fn into_vec<T: Serialize + ?Sized>(value: &T, frame: &Frame) -> Result<Vec<u8>> {
    let mut bytes = with_room(&frame.header)?;
    write_value(value, frame, &mut bytes)?;
    Ok(bytes)
}

fn into_writer<T: Serialize + ?Sized>(mut writer: impl Write, value: &T, frame: &Frame) -> Result<()> {
    check_value(value, frame)?;
    write_value(value, frame, &mut writer)
}

fn into_path<T: Serialize + ?Sized>(path: &Path, value: &T, frame: &Frame, options: &WriteOptions) -> Result<()> {
    replace(path, options.sync, |writer| write_value(value, frame, writer))
}

fn with_room(header: &Header) -> Result<Vec<u8>> {
    let length = header.data_offset().saturating_add(header.data_len());
    let mut bytes = Vec::new();
    let reserved = usize::try_from(length).ok().and_then(|length| bytes.try_reserve_exact(length).ok());
    reserved.map(|()| bytes).ok_or_else(|| Error::limit(format!("no memory for a file of {length} bytes")))
}
