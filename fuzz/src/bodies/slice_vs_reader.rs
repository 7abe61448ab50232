//! The same bytes by every route give the same value or the same error.

use super::any::Any;
use super::from_slice::{Note, Tick, limits};
use super::reluctant::Reluctant;
use serde::de::DeserializeOwned;
use serde_npy::{Category, Deserializer, Error, Header, ReadOptions, Reader};
use std::fmt::Debug;

pub(crate) fn check(data: &[u8]) {
    for trailing in [true, false] {
        let options = ReadOptions::default().limits(limits()).trailing(trailing);
        routes_agree::<Any>(data, &options);
        routes_agree::<Vec<Tick>>(data, &options);
        routes_agree::<Vec<Note>>(data, &options);
        routes_agree::<Vec<Vec<f64>>>(data, &options);
        streams_agree::<Any>(data, &options);
        streams_agree::<Tick>(data, &options);
    }
    takes_its_own(data);
}

fn outcome<T: Debug>(result: Result<T, Error>) -> Result<String, (Category, String)> {
    // Values by their text, since NaN is no equal of itself.
    result.map(|value| format!("{value:?}")).map_err(|error| {
        // How much follows the array, only a slice can tell.
        let text = error.to_string();
        let text = match text.strip_prefix("expected the end of the file, found ") {
            Some(_) => format!("{:?}", error.offset()),
            None => text,
        };
        (error.category(), text)
    })
}

fn routes_agree<T: DeserializeOwned + Debug>(data: &[u8], options: &ReadOptions) {
    let expected = outcome(serde_npy::from_slice_with::<T>(data, options));
    let routes = [
        ("reader", serde_npy::from_reader_with::<T>(data, options)),
        ("one byte at a time", serde_npy::from_reader_with::<T>(Reluctant::new(data, 1), options)),
        ("some bytes at a time", serde_npy::from_reader_with::<T>(Reluctant::new(data, 7), options)),
        (
            "deserializer",
            Deserializer::from_slice_with(data, options).and_then(|mut deserializer| {
                let value = T::deserialize(&mut deserializer)?;
                deserializer.end()?;
                Ok(value)
            }),
        ),
    ];
    for (route, result) in routes {
        // A slice is seen to be cut before its first element is read, a reader only at its end.
        match (&expected, outcome(result)) {
            (Err((Category::Eof, _)), Err(_)) => {}
            (expected, found) => assert_eq!(found, *expected, "by {route}"),
        }
    }
}

/// Record by record it is what it is as a whole.
fn streams_agree<T: DeserializeOwned + Debug>(data: &[u8], options: &ReadOptions) {
    let whole = serde_npy::from_slice_with::<Vec<T>>(data, options);
    let mut outcomes = Vec::new();
    for most in [1, usize::MAX] {
        outcomes.push(stream::<T>(data, most, options).map_err(|error| error.to_string()));
    }
    let second = outcomes.pop().unwrap();
    let first = outcomes.pop().unwrap();
    assert_eq!(first, second);
    // A single element is a stream of one, but no sequence.
    if Header::read_with(data, options).is_ok_and(|header| header.ndim() == 0) {
        return;
    }
    match (whole, first) {
        (Ok(whole), Ok(records)) => assert_eq!(format!("{whole:?}"), records),
        (Ok(_), Err(message)) => assert!(message.contains("in Fortran order"), "{message}"),
        (Err(_), Err(_)) => {}
        (Err(error), Ok(records)) => panic!("{error}: {records}"),
    }
}

fn stream<T: DeserializeOwned + Debug>(data: &[u8], most: usize, options: &ReadOptions) -> Result<String, Error> {
    let mut reader = Reader::new_with(Reluctant::new(data, most), options)?;
    let records = reader.records::<T>().collect::<Result<Vec<T>, Error>>()?;
    reader.end()?;
    Ok(format!("{records:?}"))
}

/// A reader is left behind the array, and arrays one after the other are read to the last.
fn takes_its_own(data: &[u8]) {
    let options = ReadOptions::default().limits(limits());
    let mut source = Reluctant::new(data, 3);
    if serde_npy::from_reader_with::<Any>(&mut source, &options).is_ok() {
        let header = Header::read(data).unwrap();
        assert_eq!(source.position(), header.data_offset() + header.data_len());
    }
    let Ok(mut reader) = Reader::new_with(data, &options) else { return };
    for _ in 0..4 {
        let length = reader.remaining();
        let read = reader.records::<Any>().take_while(Result::is_ok).count();
        assert!(read as u64 <= length);
        if !reader.next_array().is_ok_and(|next| next.is_some()) {
            break;
        }
    }
}
