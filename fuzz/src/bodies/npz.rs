//! Archives of any bytes, and assembled from parts: members by every route are the same value or the same error.

use super::any::Any;
use super::archive::assemble;
use super::choices::Choices;
use super::from_slice::limits;
use super::reluctant::Reluctant;
use serde::Deserialize;
use serde_npy::Error;
use serde_npy::npz::{ReadOptions, Reader, View, from_reader_with, from_slice_with};
use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};

/// What starts like an archive is one; other bytes are choices of parts.
pub(crate) fn check(data: &[u8]) {
    if data.starts_with(b"PK") || data.starts_with(b"\x93NUMPY") {
        archive(data);
    } else {
        let assembled = assemble(&mut Choices(data));
        archive(&assembled);
    }
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(default)]
struct Some2 {
    a: Any,
    b: Option<Any>,
}

impl Default for Some2 {
    fn default() -> Self {
        Some2 { a: Any::None, b: None }
    }
}

/// The message; of damage to the member without its place, which depends on how much is read at a time.
fn message(error: &Error) -> String {
    let text = error.to_string();
    match text.find(" (") {
        Some(place) if text[..place].contains("member") => text[..place].to_owned(),
        _ => text,
    }
}

fn archive(bytes: &[u8]) {
    let options = ReadOptions::default().array(serde_npy::ReadOptions::default().limits(limits()));
    let unverified = options.clone().verify(false);
    routes_agree::<BTreeMap<String, Any>>(bytes, &options);
    routes_agree::<Some2>(bytes, &options);
    routes_agree::<Any>(bytes, &unverified);
    let view = View::with_options(bytes, &options);
    let mut reader = match (&view, Reader::with_options(Reluctant::new(bytes, 100), &options)) {
        (Ok(_), Ok(reader)) => reader,
        (Err(error), Err(other)) => return assert_eq!(error.to_string(), other.to_string()),
        (view, reader) => panic!("{view:?}, {reader:?}"),
    };
    let view = view.unwrap();
    let mut lax = Reader::with_options(Cursor::new(bytes), &unverified).unwrap();
    let names: Vec<String> = view.names().map(str::to_owned).collect();
    assert_eq!(names, reader.names().collect::<Vec<_>>());
    for name in &names {
        let by_view = view.get::<Any>(name).map_err(|error| message(&error));
        let by_reader = reader.get::<Any>(name).map_err(|error| message(&error));
        assert!(agree(&by_view, &by_reader), "{name}: {by_view:?}, {by_reader:?}");
        // Checked or not, a value is the same.
        if let Ok(value) = &by_reader {
            assert_eq!(*value, lax.get::<Any>(name).unwrap(), "{name}");
        }
        let _ = view.records::<f64>(name);
        if let Ok(header) = view.header(name) {
            assert_eq!(header, reader.header(name).unwrap());
        }
        let mut streamed = Vec::new();
        let streamed = reader.stream(name).map(|mut member| member.read_to_end(&mut streamed).map(|_| streamed));
        if let (Ok(borrowed), Ok(streamed)) = (view.bytes(name), &streamed) {
            assert_eq!(borrowed, streamed.as_ref().unwrap());
        }
        // What can be read as an array comes out of the stream of its bytes as well.
        if let Ok(value) = by_reader {
            let bytes = streamed.unwrap().unwrap();
            let array = serde_npy::ReadOptions::default().limits(limits());
            assert_eq!(serde_npy::from_slice_with::<Any>(&bytes, &array).unwrap(), value);
        }
    }
    let members: Vec<String> = reader.members().map(str::to_owned).collect();
    for member in members {
        if let Ok(mut raw) = reader.raw(&member) {
            let size = raw.size();
            let mut read = Vec::new();
            if raw.read_to_end(&mut read).is_ok() {
                assert_eq!(read.len() as u64, size);
            }
        }
    }
}

fn routes_agree<T: serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(bytes: &[u8], options: &ReadOptions) {
    let text = |result: serde_npy::Result<T>| result.map_err(|error| message(&error));
    let by_slice = text(from_slice_with(bytes, options));
    for by_reader in
        [text(from_reader_with(Cursor::new(bytes), options)), text(from_reader_with(Reluctant::new(bytes, 1), options))]
    {
        assert!(agree(&by_reader, &by_slice), "{by_reader:?}, {by_slice:?}");
    }
}

/// The same; or two errors, one of which is about a damaged member: whoever reads it as it comes may find a value that
/// is none before the checksum at its end.
fn agree<T: PartialEq>(one: &Result<T, String>, other: &Result<T, String>) -> bool {
    let is_damage = |text: &str| text.contains("the member is damaged");
    match (one, other) {
        (Err(one), Err(other)) if is_damage(one) || is_damage(other) => true,
        _ => one == other,
    }
}
