//! The same case by every route in and out of the crate.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_npy::{Category, Deserializer, Error, ReadOptions, Serializer, WriteOptions};
use std::fmt::Debug;
use std::io::{self, ErrorKind, Read};

/// A file as NumPy writes it in C order.
pub(crate) fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    file(descr, false, shape, data)
}

/// A file as NumPy writes it in Fortran order.
pub(crate) fn npy_fortran(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    file(descr, true, shape, data)
}

/// The text of a header without its padding.
pub(crate) fn header_text(descr: &str, fortran_order: bool, shape: &str) -> String {
    let order = if fortran_order { "True" } else { "False" };
    format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}")
}

fn file(descr: &str, fortran_order: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut text = header_text(descr, fortran_order, shape);
    // Room for the axis that grows.
    let mut axes = shape.trim_matches(['(', ')']).split(", ").map(|axis: &str| axis.trim_end_matches(','));
    let grows = if fortran_order { axes.last() } else { axes.next() };
    if let Some(axis) = grows.filter(|axis| !axis.is_empty()) {
        text.push_str(&" ".repeat(21 - axis.len()));
    }
    let v1 = text.chars().all(|char| u8::try_from(char).is_ok());
    let before = if v1 { 10 } else { 12 };
    let text: Vec<u8> = if v1 { text.chars().map(|char| char as u8).collect() } else { text.into_bytes() };
    // By 1 to 64 spaces, never by none.
    let length = (before + text.len() + 2).next_multiple_of(64) - before;
    let mut file = b"\x93NUMPY".to_vec();
    if v1 {
        file.extend([1, 0]);
        file.extend(u16::try_from(length).unwrap().to_le_bytes());
    } else {
        file.extend([3, 0]);
        file.extend(u32::try_from(length).unwrap().to_le_bytes());
    }
    file.extend(&text);
    file.resize(before + length - 1, b' ');
    file.push(b'\n');
    file.extend(data);
    file
}

/// Code points as the bytes of a `U` element.
pub(crate) fn ucs4(text: &str, width: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = text.chars().flat_map(|char| u32::from(char).to_le_bytes()).collect();
    bytes.resize(width * 4, 0);
    bytes
}

/// Gives one byte at a time, and an interruption before each.
pub(crate) struct Trickle<R>(pub(crate) R, pub(crate) bool);

impl<R: Read> Read for Trickle<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(ErrorKind::Interrupted.into());
        }
        let most = buffer.len().min(1);
        self.0.read(&mut buffer[..most])
    }
}

/// What each route makes of a file, with its name; the path is left out of the errors.
fn read_by_every_route<T: DeserializeOwned>(
    file: &[u8],
    options: &ReadOptions,
) -> Vec<(&'static str, Result<T, Error>)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    std::fs::write(&path, file).unwrap();
    vec![
        ("slice", serde_npy::from_slice_with(file, options)),
        ("reader", serde_npy::from_reader_with(file, options)),
        ("one byte at a time", serde_npy::from_reader_with(Trickle(file, false), options)),
        ("path", serde_npy::from_path_with(&path, options)),
        (
            "Deserializer",
            Deserializer::from_slice_with(file, options).and_then(|mut deserializer| {
                let value = T::deserialize(&mut deserializer)?;
                deserializer.end()?;
                Ok(value)
            }),
        ),
    ]
}

/// The text of an error, without the name of a temporary file.
fn message(error: &Error) -> String {
    let text = error.to_string();
    match text.find("file `") {
        None => text,
        Some(start) => {
            let before = text[..start].trim_end_matches([' ', ',', '(']);
            if text[..start].ends_with('(') { before.to_owned() } else { format!("{before})") }
        }
    }
}

/// Asserts that a file gives a value, by every route.
#[track_caller]
pub(crate) fn reads<T: DeserializeOwned + PartialEq + Debug>(file: &[u8], value: T) {
    reads_with(&ReadOptions::default(), file, value);
}

/// [`reads`] with options.
#[track_caller]
pub(crate) fn reads_with<T: DeserializeOwned + PartialEq + Debug>(options: &ReadOptions, file: &[u8], value: T) {
    for (route, result) in read_by_every_route::<T>(file, options) {
        match result {
            Ok(found) => assert_eq!(found, value, "by {route}"),
            Err(error) => panic!("expected {value:?} by {route}, found error: {error}"),
        }
    }
}

/// Asserts that a file is no `T`, by every route, with this message.
#[track_caller]
pub(crate) fn refuses<T: DeserializeOwned + Debug>(file: &[u8], expected: &str) {
    refuses_with::<T>(&ReadOptions::default(), file, expected);
}

/// [`refuses`] with options.
#[track_caller]
pub(crate) fn refuses_with<T: DeserializeOwned + Debug>(options: &ReadOptions, file: &[u8], expected: &str) {
    for (route, result) in read_by_every_route::<T>(file, options) {
        match result {
            Ok(found) => panic!("expected an error by {route}, found {found:?}"),
            Err(error) => assert_eq!(message(&error), expected, "by {route}"),
        }
    }
}

/// [`refuses`], and of which category.
#[track_caller]
pub(crate) fn refuses_as<T: DeserializeOwned + Debug>(file: &[u8], category: Category, expected: &str) {
    refuses::<T>(file, expected);
    assert_eq!(serde_npy::from_slice_with::<T>(file, &ReadOptions::default()).unwrap_err().category(), category);
}

/// What each route makes of a value: the error and the bytes that were written.
fn write_by_every_route<T: Serialize + ?Sized>(
    value: &T,
    options: &WriteOptions,
) -> Vec<(&'static str, Result<(), Error>, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    let vec = serde_npy::to_vec_with(value, options);
    let mut written = Vec::new();
    let writer = serde_npy::to_writer_with(&mut written, value, options);
    let mut serialized = Vec::new();
    let serializer = value.serialize(&mut Serializer::with_options(&mut serialized, options.clone()));
    let to_path = serde_npy::to_path_with(&path, value, options);
    let file = std::fs::read(&path).unwrap_or_default();
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), usize::from(to_path.is_ok()), "{left:?} are left");
    let (bytes, vec) = match vec {
        Ok(bytes) => (bytes, Ok(())),
        Err(error) => (Vec::new(), Err(error)),
    };
    vec![
        ("to_vec", vec, bytes),
        ("to_writer", writer, written),
        ("to_path", to_path, file),
        ("Serializer", serializer, serialized),
    ]
}

/// Asserts that a value gives a file, by every route.
#[track_caller]
pub(crate) fn writes<T: Serialize + ?Sized>(value: &T, descr: &str, shape: &str, data: &[u8]) {
    writes_with(&WriteOptions::default(), value, descr, shape, data);
}

/// [`writes`] with options.
#[track_caller]
pub(crate) fn writes_with<T: Serialize + ?Sized>(
    options: &WriteOptions,
    value: &T,
    descr: &str,
    shape: &str,
    data: &[u8],
) {
    assert_written(options, value, &npy(descr, shape, data));
}

/// Asserts that a value gives exactly this file, by every route.
#[track_caller]
pub(crate) fn assert_written<T: Serialize + ?Sized>(options: &WriteOptions, value: &T, file: &[u8]) {
    for (route, result, bytes) in write_by_every_route(value, options) {
        if let Err(error) = result {
            panic!("expected {} by {route}, found error: {error}", file.escape_ascii());
        }
        assert_eq!(bytes.escape_ascii().to_string(), file.escape_ascii().to_string(), "by {route}");
    }
}

/// Asserts that a value is refused by every route, with this message, and that nothing of it is written.
#[track_caller]
pub(crate) fn refuses_to_write<T: Serialize + ?Sized>(value: &T, expected: &str) {
    refuses_to_write_with(&WriteOptions::default(), value, expected);
}

/// [`refuses_to_write`] with options.
#[track_caller]
pub(crate) fn refuses_to_write_with<T: Serialize + ?Sized>(options: &WriteOptions, value: &T, expected: &str) {
    for (route, result, bytes) in write_by_every_route(value, options) {
        match result {
            Ok(()) => panic!("expected an error by {route}, found {}", bytes.escape_ascii()),
            Err(error) => assert_eq!(message(&error), expected, "by {route}"),
        }
        // Elements of a given dtype are written as they come, since they come only once.
        let streams = route == "Serializer" && options.dtype.is_some();
        assert!(bytes.is_empty() || streams, "{} bytes were written by {route}", bytes.len());
    }
}

/// Options with a dtype from text.
#[track_caller]
pub(crate) fn given(dtype: &str) -> WriteOptions {
    WriteOptions::default().dtype(dtype.parse().unwrap())
}
