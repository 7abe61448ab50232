//! The functions that read and write whole archives.

use crate::error::{Error, Result};
use crate::io::{Replacement, lock, replace};
use crate::npz::deserializer::Whole;
use crate::npz::directory::Directory;
use crate::npz::member::{Archive, Shared, Slice};
use crate::npz::options::{ReadOptions, WriteOptions};
use crate::npz::serializer::add_whole;
use crate::npz::writer::Writer;
use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned};
use std::fs::File;
use std::io::{self, BufWriter, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Reads an archive in memory into a struct or map.
///
/// Each field is the array of its name; a tuple takes `arr_0`, `arr_1` and so on, any other type the one array `arr_0`.
/// Members that the type does not ask for are not looked at. Text of `S` and bytes may be borrowed from stored members.
///
/// # Errors
///
/// It is no zip archive, an array is missing or damaged, or it does not fit its type; the error tells the member.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::npz;
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Model {
///     weights: Vec<[f32; 2]>,
///     labels: Vec<String>,
///     #[serde(default)]
///     epoch: u32,
///     note: Option<String>,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let model = Model { weights: vec![[0.5, 1.5]], labels: vec!["cat".into()], epoch: 3, note: None };
/// let archive = npz::to_vec(&model)?; // members weights.npy, labels.npy, epoch.npy
/// assert_eq!(npz::from_slice::<Model>(&archive)?, model);
/// # Ok(()) }
/// ```
pub fn from_slice<'de, T: Deserialize<'de>>(archive: &'de [u8]) -> Result<T> {
    from_slice_with(archive, &ReadOptions::default())
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
/// use serde_npy::npz::{self, ReadOptions};
///
/// # fn main() -> serde_npy::Result<()> {
/// let archive = npz::to_vec(&(1, 2.5))?;
/// let options = ReadOptions::default().verify(false);
/// assert_eq!(npz::from_slice_with::<(i64, f64)>(&archive, &options)?, (1, 2.5));
/// # Ok(()) }
/// ```
pub fn from_slice_with<'de, T: Deserialize<'de>>(archive: &'de [u8], options: &ReadOptions) -> Result<T> {
    let directory = Directory::read(Cursor::new(archive), &options.array.limits)?;
    whole(&Slice(archive), &directory, options)
}

/// Reads an archive out of a reader: see [`from_slice`].
///
/// The list of members stands at the end of an archive, so the reader must seek. It needs no buffer around it.
///
/// # Errors
///
/// The reader fails, or as for [`from_slice`].
///
/// # Examples
///
/// ```
/// use serde_npy::npz;
/// use std::collections::BTreeMap;
/// use std::io::Cursor;
///
/// # fn main() -> serde_npy::Result<()> {
/// let archive = npz::to_vec(&BTreeMap::from([("x", [1, 2]), ("y", [3, 4])]))?;
/// let arrays: BTreeMap<String, Vec<i64>> = npz::from_reader(Cursor::new(archive))?;
/// assert_eq!(arrays["y"], [3, 4]);
/// # Ok(()) }
/// ```
pub fn from_reader<T: DeserializeOwned>(reader: impl Read + Seek) -> Result<T> {
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
/// use serde_npy::npz;
/// use std::io::Cursor;
///
/// # fn main() -> serde_npy::Result<()> {
/// let archive = npz::to_vec(&(0.5f64,))?;
/// let round = serde_npy::ReadOptions::default().round_floats(true).into();
/// assert_eq!(npz::from_reader_with::<(f32,)>(Cursor::new(archive), &round)?, (0.5,));
/// # Ok(()) }
/// ```
pub fn from_reader_with<T: DeserializeOwned>(mut reader: impl Read + Seek, options: &ReadOptions) -> Result<T> {
    let directory = Directory::read(&mut reader, &options.array.limits)?;
    whole(&Shared::new(&mut reader), &directory, options)
}

/// Reads an archive from a file: see [`from_slice`].
///
/// # Errors
///
/// The file cannot be read, or as for [`from_slice`].
///
/// # Examples
///
/// ```
/// use serde_npy::npz;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pair.npz");
/// npz::to_path(&path, &(1, "two"))?;
/// assert_eq!(npz::from_path::<(i64, String)>(&path)?, (1, "two".to_owned()));
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
/// use serde_npy::npz;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("one.npz");
/// npz::to_path(&path, &vec![0.5f64])?;
/// let round = serde_npy::ReadOptions::default().round_floats(true).into();
/// assert_eq!(npz::from_path_with::<Vec<f32>>(&path, &round)?, [0.5]);
/// # Ok(()) }
/// ```
pub fn from_path_with<T: DeserializeOwned>(path: impl AsRef<Path>, options: &ReadOptions) -> Result<T> {
    let path = path.as_ref();
    let value = File::open(path).map_err(Error::io).and_then(|file| from_reader_with(file, options));
    value.map_err(|error| error.in_file(path))
}

fn whole<'de, T: Deserialize<'de>>(
    archive: &dyn Archive<'de>,
    directory: &Directory,
    options: &ReadOptions,
) -> Result<T> {
    T::deserialize(&Whole::new(archive, directory, options))
}

/// Writes a value as an archive in memory.
///
/// Each field of a struct, and each entry of a map, is an array of its own; `None` is left out, and a struct within is a
/// record without axes. The items of a tuple are `arr_0`, `arr_1` and so on, as `numpy.savez` names them; any other value
/// is the one array `arr_0`. Members come in the order of the fields; that of a `HashMap` is random, that of a `BTreeMap`
/// is not.
///
/// To serde, `[T; N]` is a tuple: hand a slice or a `Vec` over for one array.
///
/// # Errors
///
/// A value has no dtype, as for [`to_vec`](crate::to_vec); the error tells the member.
///
/// # Examples
///
/// ```
/// use serde::Serialize;
/// use serde_npy::npz;
///
/// #[derive(Serialize)]
/// struct Run {
///     time: Vec<f64>,
///     #[serde(rename = "|v|")]
///     speed: Vec<f32>,
///     settings: Settings,
/// }
///
/// #[derive(Serialize)]
/// struct Settings {
///     step: f64,
///     seed: u64,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let run = Run { time: vec![0.0, 0.1], speed: vec![1.5, 1.25], settings: Settings { step: 0.1, seed: 42 } };
/// let archive = npz::to_vec(&run)?;
///
/// let mut reader = npz::Reader::from_slice(&archive)?;
/// assert_eq!(reader.names().collect::<Vec<_>>(), ["time", "|v|", "settings"]);
/// assert_eq!(reader.header("settings")?.dtype().to_string(), "[('step', '<f8'), ('seed', '<u8')]");
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
/// use serde_npy::npz::{self, Compression, WriteOptions};
///
/// # fn main() -> serde_npy::Result<()> {
/// let archive = npz::to_vec_with(&vec![0u8; 10_000], &WriteOptions::default().compression(Compression::Deflated(6)))?;
/// assert!(archive.len() < 1000);
/// # Ok(()) }
/// ```
pub fn to_vec_with<T: Serialize + ?Sized>(value: &T, options: &WriteOptions) -> Result<Vec<u8>> {
    let mut writer = Writer::with_options(Cursor::new(Vec::new()), options);
    add_whole(&mut writer, value)?;
    Ok(writer.finish()?.into_inner())
}

/// Writes a value as an archive to a writer, which need not seek: see [`to_vec`].
///
/// Sizes and checksums follow the members, which NumPy and everything else that reads the list of members takes;
/// [`Writer::new`](crate::npz::Writer::new) puts them in front where the sink seeks, as `to_path` does.
///
/// # Errors
///
/// The writer fails, or as for [`to_vec`]; what has been written is then no archive.
///
/// # Examples
///
/// ```
/// use serde_npy::npz;
///
/// # fn main() -> serde_npy::Result<()> {
/// let mut sink = Vec::new();
/// npz::to_writer(&mut sink, &(1, 2.5))?;
/// assert_eq!(npz::from_slice::<(i64, f64)>(&sink)?, (1, 2.5));
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
/// use serde_npy::npz;
///
/// # fn main() -> serde_npy::Result<()> {
/// let mut sink = Vec::new();
/// let error = npz::to_writer_with(&mut sink, &(300,), &npz::WriteOptions::default().dtype("arr_0", "i1".parse()?)).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "expected `|i1`, found integer `300`, which is beyond its range (member `arr_0`)"
/// );
/// assert_eq!(sink, []);
/// # Ok(()) }
/// ```
pub fn to_writer_with<T: Serialize + ?Sized>(writer: impl Write, value: &T, options: &WriteOptions) -> Result<()> {
    let mut writer = Writer::streaming(writer, options);
    add_whole(&mut writer, value)?;
    writer.finish().map(drop)
}

/// Writes a value as an archive, which replaces the old file at once or not at all: see [`to_vec`] and
/// [`to_path`](crate::to_path).
///
/// # Errors
///
/// The file cannot be written, or as for [`to_vec`]; the old file is then as it was.
///
/// # Examples
///
/// ```
/// use serde_npy::npz;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pair.npz");
/// npz::to_path(&path, &(vec![1.5, 2.5], "label"))?;
/// assert_eq!(npz::from_path::<(Vec<f64>, String)>(&path)?, (vec![1.5, 2.5], "label".to_owned()));
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
/// use serde_npy::npz::{self, Compression, WriteOptions};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("zeros.npz");
/// npz::to_path_with(&path, &vec![0f64; 10_000], &WriteOptions::default().compression(Compression::FAST))?;
/// assert!(std::fs::metadata(&path)?.len() < 1000);
/// # Ok(()) }
/// ```
pub fn to_path_with<T: Serialize + ?Sized>(path: impl AsRef<Path>, value: &T, options: &WriteOptions) -> Result<()> {
    replace(path.as_ref(), options.array.sync, |file| {
        let file = BufWriter::new(file);
        let seekable = file.get_ref().metadata().map_err(Error::io)?.is_file();
        let mut writer = if seekable { Writer::with_options(file, options) } else { Writer::streaming(file, options) };
        add_whole(&mut writer, value)?;
        writer.finish().map(drop)
    })
}

/// Adds arrays to an archive, or starts one where there is none.
///
/// The file is copied as it is to a new one beside it, which takes the new members and then its place: at no time is
/// there half an archive under its name, and members that are there keep their bytes and their places. The old file is
/// locked meanwhile, so that nobody else who appends adds to the same one.
///
/// To replace an array, write the archive again: [`Writer::add_bytes`] takes what [`Reader::raw`](crate::npz::Reader::raw)
/// gives of the members that stay.
///
/// # Errors
///
/// The file cannot be read or written, is no archive or one that [would not be whole
/// afterwards](Writer::append_in_place_unsafely), a name is taken, or `add` fails; the file is then as it was. Another
/// writer is appending to it
/// ([`WouldBlock`](std::io::ErrorKind::WouldBlock)), or has just made it
/// ([`AlreadyExists`](std::io::ErrorKind::AlreadyExists)).
///
/// # Examples
///
/// ```
/// use serde_npy::npz;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("runs.npz");
/// for run in 0..3 {
///     npz::append(&path, |archive| archive.add(&format!("run{run}"), &vec![run; 4]))?;
/// }
/// let mut reader = npz::Reader::open(&path)?;
/// assert_eq!(reader.names().collect::<Vec<_>>(), ["run0", "run1", "run2"]);
/// assert_eq!(reader.get::<Vec<i32>>("run2")?, [2, 2, 2, 2]);
/// # Ok(()) }
/// ```
pub fn append(path: impl AsRef<Path>, add: impl FnOnce(&mut Writer<&mut File>) -> Result<()>) -> Result<()> {
    append_with(path, &WriteOptions::default(), add)
}

/// [`append`] with options.
///
/// # Errors
///
/// As for [`append`].
///
/// # Examples
///
/// ```
/// use serde_npy::npz::{self, Compression, WriteOptions};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("mixed.npz");
/// npz::to_path(&path, &(1,))?;
/// let small = WriteOptions::default().compression(Compression::FAST);
/// npz::append_with(&path, &small, |archive| archive.add("arr_1", &vec![0u8; 1000]))?;
/// assert_eq!(npz::from_path::<(i32, Vec<u8>)>(&path)?, (1, vec![0; 1000]));
/// # Ok(()) }
/// ```
pub fn append_with(
    path: impl AsRef<Path>,
    options: &WriteOptions,
    add: impl FnOnce(&mut Writer<&mut File>) -> Result<()>,
) -> Result<()> {
    let path = path.as_ref();
    // Held until the new archive has its name, so that two do not add to the same old one.
    let mut old = match lock(path) {
        Ok(old) => old,
        Err(error) if error.io_error_kind() == Some(io::ErrorKind::NotFound) => return make(path, options, add),
        Err(error) => return Err(error.in_file(path)),
    };
    replace(path, options.array.sync, |file| {
        io::copy(&mut old, file).map_err(Error::io)?;
        file.seek(SeekFrom::Start(0)).map_err(Error::io)?;
        let mut writer = Writer::append_in_place_unsafely(file, options)?;
        add(&mut writer)?;
        let file = writer.finish()?;
        // What stood behind the old list of members would else follow the new one.
        let end = file.stream_position().map_err(Error::io)?;
        file.set_len(end).map_err(Error::io)
    })
}

/// Makes an archive, unless another process does first.
fn make(path: &Path, options: &WriteOptions, add: impl FnOnce(&mut Writer<&mut File>) -> Result<()>) -> Result<()> {
    let made = Replacement::new(path, options.array.sync)?.map(|replacement| {
        let mut file = replacement.file()?;
        let mut writer = Writer::with_options(&mut file, options);
        add(&mut writer)?;
        writer.finish()?;
        replacement.complete_new()
    });
    match made.transpose().map_err(|error| error.in_file(path))? {
        Some(true) => Ok(()),
        _ => {
            let message = "another writer has made the archive meanwhile";
            Err(Error::io(io::Error::new(io::ErrorKind::AlreadyExists, message)).in_file(path))
        }
    }
}
