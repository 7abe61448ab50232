//! A reader gives exactly the bytes of the array.

use crate::routes::{Trickle, npy, npy_fortran};
use serde::Deserialize as _;
use serde_npy::{Category, Deserializer, Error};
use std::io::{self, ErrorKind, Read};

/// Arrays back to back on a pipe.
#[test]
fn several_arrays_follow_each_other() {
    let mut stream = npy("'<i2'", "(2,)", &[1, 0, 2, 0]);
    stream.extend(npy_fortran("'|u1'", "(2, 2)", &[1, 3, 2, 4]));
    stream.extend(npy("'|u1'", "(3,)", &[7, 8, 9]));
    stream.extend(npy("'|S0'", "(2,)", &[]));
    stream.extend(npy("[('a', '|u1')]", "()", &[5]));
    stream.extend(b"end");

    let mut slice = &stream[..];
    let mut trickle = Trickle(&stream[..], false);
    let readers: [&mut dyn Read; 2] = [&mut slice, &mut trickle];
    for reader in readers {
        assert_eq!(serde_npy::from_reader::<Vec<i16>>(&mut *reader).unwrap(), [1, 2]);
        assert_eq!(serde_npy::from_reader::<Vec<Vec<u8>>>(&mut *reader).unwrap(), [[1, 2], [3, 4]]);
        assert_eq!(serde_npy::from_reader::<serde_bytes::ByteBuf>(&mut *reader).unwrap().as_ref(), [7, 8, 9]);
        assert_eq!(serde_npy::from_reader::<Vec<String>>(&mut *reader).unwrap(), ["", ""]);
        assert_eq!(serde_npy::from_reader::<(u8,)>(&mut *reader).unwrap(), (5,));
        let mut rest = String::new();
        reader.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "end");
    }
}

#[test]
fn records_take_no_more_either() {
    let mut stream = npy("[('a', '|u1')]", "(2,)", &[1, 2]);
    stream.extend(npy("[('a', '|u1')]", "(1,)", &[3]));
    let mut reader = &stream[..];
    let mut records: Vec<(u8,)> = Vec::new();
    serde_npy::records_into(&mut reader, &mut records).unwrap();
    serde_npy::records_into(&mut reader, &mut records).unwrap();
    assert_eq!(records, [(1,), (2,), (3,)]);
    let error = serde_npy::records_into(&mut reader, &mut records).unwrap_err();
    assert_eq!(error.to_string(), "expected a .npy file, found an empty one (byte 0)");
}

#[test]
fn what_is_ignored_is_taken_from_the_reader() {
    let mut stream = npy("'<i2'", "(2, 2)", &[1, 0, 2, 0, 3, 0, 4, 0]);
    stream.extend(b"end");
    let mut reader = &stream[..];
    serde_npy::from_reader::<serde::de::IgnoredAny>(&mut reader).unwrap();
    assert_eq!(reader, b"end");
    let mut reader = &stream[..];
    serde_npy::from_reader::<(serde::de::IgnoredAny, Vec<i16>)>(&mut reader).unwrap();
    assert_eq!(reader, b"end");
}

struct Fails<'a>(&'a [u8]);

impl Read for Fails<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() { Err(ErrorKind::ConnectionReset.into()) } else { self.0.read(buffer) }
    }
}

#[test]
fn a_reader_that_fails_is_no_end() {
    let file = npy("'<i2'", "(2,)", &[1, 0, 2, 0]);
    for length in [0, 5, 8, 9, 60, 128, 130] {
        let error = serde_npy::from_reader::<Vec<i16>>(Fails(&file[..length])).unwrap_err();
        assert_eq!(error.category(), Category::Io);
        assert_eq!(error.io_error_kind(), Some(ErrorKind::ConnectionReset));
        let back: io::Error = error.into();
        assert_eq!(back.kind(), ErrorKind::ConnectionReset);
    }
    let mut deserializer = Deserializer::from_reader(Fails(&file)).unwrap();
    assert_eq!(Vec::<i16>::deserialize(&mut deserializer).unwrap(), [1, 2]);
}

#[test]
fn errors_become_io_errors() {
    let of = |error: Error| io::Error::from(error);
    let eof = of(serde_npy::from_slice::<u8>(b"").unwrap_err());
    assert_eq!(eof.kind(), ErrorKind::UnexpectedEof);
    let data = of(serde_npy::to_vec(&None::<u8>).unwrap_err());
    assert_eq!(data.kind(), ErrorKind::InvalidData);
    // One of ours that went through std's traits comes back as what it was.
    struct Wraps(Option<io::Error>);
    impl Read for Wraps {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(self.0.take().unwrap())
        }
    }
    let again = serde_npy::from_reader::<u8>(Wraps(Some(data))).unwrap_err();
    assert_eq!(again.category(), Category::Data);
}

#[test]
fn a_path_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    std::fs::write(&path, npy("'<i2'", "(1,)", &[1])).unwrap();
    let shown = path.display();
    assert_eq!(
        serde_npy::from_path::<Vec<i16>>(&path).unwrap_err().to_string(),
        format!("the array needs 2 bytes of data, found 1: element 0 is cut (byte 129, file `{shown}`)")
    );
    let error = serde_npy::from_path::<Vec<i16>>(folder.path().join("no.npy")).unwrap_err();
    assert_eq!(error.io_error_kind(), Some(ErrorKind::NotFound));
    assert!(
        serde_npy::records_from_path::<(i16,)>(&path).unwrap_err().to_string().ends_with(&format!("file `{shown}`)"))
    );
}
