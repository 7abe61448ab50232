//! Appending to any file: an error, and the file is as it was, or the file with the rows behind its own.

use super::any::Any;
use super::from_slice::limits;
use serde_npy::{Category, Header, ReadOptions, Result, WriteOptions, Writer};
use std::cell::OnceCell;
use std::fs;
use std::io::ErrorKind;
use std::time::Duration;
use tempfile::NamedTempFile;

thread_local! {
    static FILE: OnceCell<NamedTempFile> = const { OnceCell::new() };
}

pub(crate) fn check(data: &[u8]) {
    FILE.with(|file| {
        let file = file.get_or_init(|| NamedTempFile::new().unwrap());
        fs::write(file.path(), data).unwrap();
        let appended = append(data, file.path());
        let after = fs::read(file.path()).unwrap();
        match appended {
            None => assert!(after == data, "a refused file was changed"),
            Some(rows) => grown(data, &after, &rows),
        }
        #[cfg(feature = "npz")]
        to_archive(data, file.path());
    });
}

/// Opens once nobody else has the file: a process that another thread starts just now holds every lock of this one, from
/// its fork until it runs its own program.
pub(crate) fn unlocked<T>(open: impl Fn() -> Result<T>) -> Result<T> {
    loop {
        match open() {
            Err(error) if error.io_error_kind() == Some(ErrorKind::WouldBlock) => {
                std::thread::sleep(Duration::from_millis(1));
            }
            opened => return opened,
        }
    }
}

/// Appends two rows of zeros; nothing where that is refused.
fn append(data: &[u8], path: &std::path::Path) -> Option<Vec<Any>> {
    unlocked(|| Writer::append(path)).ok()?;
    let header = Header::read(data).unwrap();
    // The values of a half float are wider ones, which are only rounded to a dtype that is given.
    let options = WriteOptions::default().dtype(header.dtype().clone());
    let mut writer = unlocked(|| Writer::append_with(path, &options)).unwrap();
    let row = zeros(&header)?;
    let rows = vec![row.clone(), row];
    match rows.iter().try_for_each(|row| writer.write(row)).and_then(|()| writer.finish()) {
        Ok(_) => Some(rows),
        Err(error) => {
            // There may be room for the digits of one row more, but not of two.
            assert_eq!(error.category(), Category::Limit, "{error}: {header:?}");
            None
        }
    }
}

/// What a row of zero bytes is; nothing where it would be large or has no value.
fn zeros(header: &Header) -> Option<Any> {
    let shape: Vec<u64> = std::iter::once(1).chain(header.shape().iter().skip(1).copied()).collect();
    let one = Header::new(header.dtype().clone(), shape).ok()?;
    let length = usize::try_from(one.data_len()).ok().filter(|&length| length <= 1 << 12)?;
    let mut file = one.to_bytes().unwrap();
    file.resize(file.len() + length, 0);
    let options = ReadOptions::default().limits(limits());
    match serde_npy::from_slice_with::<Any>(&file, &options).ok()? {
        // Axes that have no elements are not told apart by nested sequences.
        Any::Seq(rows) if !header.shape().iter().skip(1).any(|&length| length == 0) => rows.into_iter().next(),
        _ => None,
    }
}

fn grown(before: &[u8], after: &[u8], rows: &[Any]) {
    let old = Header::read(before).unwrap();
    let strict = ReadOptions::default().strict(true).limits(limits());
    let new = Header::read_with(after, &strict).unwrap();
    assert_eq!((new.dtype(), &new.shape()[1..]), (old.dtype(), &old.shape()[1..]));
    assert_eq!(new.shape()[0], old.shape()[0] + rows.len() as u64);
    assert_eq!(new.data_offset(), old.data_offset());
    let data = |bytes: &[u8], header: &Header| {
        let start = usize::try_from(header.data_offset()).unwrap();
        bytes[start..][..usize::try_from(header.data_len()).unwrap()].to_vec()
    };
    let (before, after_data) = (data(before, &old), data(after, &new));
    assert!(after_data.starts_with(&before));
    assert!(after_data[before.len()..].iter().all(|&byte| byte == 0));
    if let Ok(Any::Seq(all)) = serde_npy::from_slice_with::<Any>(after, &strict) {
        assert!(all.ends_with(rows));
    }
}

/// The same for an archive: a member more, and the others as they were.
#[cfg(feature = "npz")]
fn to_archive(data: &[u8], path: &std::path::Path) {
    use serde_npy::npz;

    fs::write(path, data).unwrap();
    let added = unlocked(|| npz::append(path, |archive| archive.add("added to it", &[1, 2])));
    let after = fs::read(path).unwrap();
    if added.is_err() {
        assert!(after == data, "a refused archive was changed");
        return;
    }
    let old = npz::View::new(data).unwrap();
    let new = npz::View::new(&after).unwrap();
    assert_eq!(new.get::<Vec<u8>>("added to it").unwrap(), [1, 2]);
    for name in old.names() {
        // What was damaged may be so in another way.
        let value = |view: &npz::View<'_>| view.get::<Any>(name).ok();
        assert!(name == "added to it" || value(&old) == value(&new), "{name}: {:?}, {:?}", value(&old), value(&new));
    }
}
