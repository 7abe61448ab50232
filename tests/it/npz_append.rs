//! Archives that are added to: what is there stays, or the archive is refused as it is.

#![cfg(feature = "npz")]

use crate::fuzz::bodies::append::unlocked;
use serde_npy::Category;
use serde_npy::npz;
use std::collections::BTreeMap;
use std::io::Cursor;

#[test]
fn appending_leaves_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npz");
    unlocked(|| npz::append(&path, |archive| archive.add("first", &vec![1.5; 10]))).unwrap();
    let before = std::fs::read(&path).unwrap();
    unlocked(|| {
        npz::append(&path, |archive| {
            archive.add("second", &"text")?;
            archive.add("third", &vec![1u8; 1000])
        })
    })
    .unwrap();
    let after = std::fs::read(&path).unwrap();
    let data = before.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    assert_eq!(after[..data], before[..data]);
    assert_eq!(npz::Reader::open(&path).unwrap().names().collect::<Vec<_>>(), ["first", "second", "third"]);
    let error = unlocked(|| npz::append(&path, |archive| archive.add("first", &1))).unwrap_err().to_string();
    let place = format!("the archive has a member `first.npy` already (member `first`, file `{}`)", path.display());
    assert_eq!(error, place);
    assert_eq!(std::fs::read(&path).unwrap(), after);
    std::fs::write(&path, b"no archive").unwrap();
    unlocked(|| npz::append(&path, |archive| archive.add("first", &1))).unwrap_err();
    assert_eq!(std::fs::read(&path).unwrap(), b"no archive");
}

/// Behind what is added, another end in the comment might become that of an archive.
#[test]
fn an_archive_with_another_end_in_its_comment_is_not_added_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npz");
    // The end of an archive of one member whose list starts where the list of this one ends: as yet there is none.
    let mut end = b"PK\x05\x06\0\0\0\0\x01\0\x01\0\x2e\0\0\0".to_vec();
    end.extend(u32::try_from(npz::to_vec(&(2, 3)).unwrap().len() - 22).unwrap().to_le_bytes());
    end.extend([0, 0]);
    for (comment, is_taken) in [(b"plain".to_vec(), true), (end, false)] {
        let mut archive = npz::to_vec(&(2, 3)).unwrap();
        let length = archive.len() - 2;
        archive[length..].copy_from_slice(&u16::try_from(comment.len()).unwrap().to_le_bytes());
        archive.extend(&comment);
        std::fs::write(&path, &archive).unwrap();
        let appended = unlocked(|| npz::append(&path, |archive| archive.add("new", &4)));
        if is_taken {
            appended.unwrap();
            let all: BTreeMap<String, i32> = npz::from_path(&path).unwrap();
            assert_eq!(all, BTreeMap::from([("arr_0".into(), 2), ("arr_1".into(), 3), ("new".into(), 4)]));
            assert!(std::fs::read(&path).unwrap().ends_with(&comment));
        } else {
            let message =
                "an archive whose comment may be taken for the end of another is not added to; write a new one";
            let error = appended.unwrap_err();
            assert_eq!(error.to_string(), format!("{message} (file `{}`)", path.display()));
            assert_eq!(std::fs::read(&path).unwrap(), archive);
        }
    }
}

/// Each adds to the archive that the one before has left, or is told that another is at work.
#[test]
fn none_is_lost_where_many_append() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shared.npz");
    npz::to_path(&path, &(0,)).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let path = &path;
            scope.spawn(move || {
                for step in 0..10 {
                    loop {
                        match npz::append(path, |archive| archive.add(&format!("m{thread}_{step}"), &vec![thread; 10]))
                        {
                            Ok(()) => break,
                            Err(error) => {
                                let kind = error.io_error_kind();
                                assert_eq!(kind, Some(std::io::ErrorKind::WouldBlock), "{error}");
                                std::thread::sleep(std::time::Duration::from_millis(1));
                            }
                        }
                    }
                }
            });
        }
    });
    let mut reader = npz::Reader::open(&path).unwrap();
    assert_eq!(reader.len(), 41);
    assert_eq!(reader.get::<Vec<i32>>("m3_9").unwrap(), [3; 10]);
}

/// What NumPy would show under another name is not written.
/// A member `x` and the entry of the list for it, with the extra fields of the latter.
fn member(start: usize, extra: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let data = serde_npy::to_vec(&7).unwrap();
    let length = u32::try_from(data.len()).unwrap().to_le_bytes();
    let mut common = b"\x14\0\0\0\0\0\0\0\x21\0".to_vec();
    common.extend(crc32fast::hash(&data).to_le_bytes());
    common.extend(length);
    common.extend(length);
    common.extend([5, 0]);
    let local = [b"PK\x03\x04", &common[..], b"\0\0x.npy", &data].concat();
    let extra_length = u16::try_from(extra.len()).unwrap().to_le_bytes();
    let start = u32::try_from(start).unwrap().to_le_bytes();
    let entry = [b"PK\x01\x02\x14\x03", &common[..], &extra_length, &[0; 10], &start, b"x.npy", extra].concat();
    (local, entry)
}

/// The end of an archive of one member.
fn end(list: &[u8], start: usize) -> Vec<u8> {
    let [length, start] = [list.len(), start].map(|number| u32::try_from(number).unwrap().to_le_bytes());
    [b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &length[..], &start, &[0, 0]].concat()
}

/// Added to in place and under its name: as `Ok` says, or refused and left alone.
#[track_caller]
fn added_to(archive: &[u8], expected: Result<&[(&str, i32)], &str>) {
    let before: BTreeMap<String, i32> = npz::from_slice(archive).unwrap();
    assert_eq!(before, BTreeMap::from([("x".to_owned(), 7)]));

    let mut sink = Cursor::new(archive.to_vec());
    let in_place = npz::Writer::append_in_place_unsafely(&mut sink, &npz::WriteOptions::default())
        .and_then(|mut writer| writer.add("y", &8).and_then(|()| writer.finish().map(drop)));
    let sink = sink.into_inner();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npz");
    std::fs::write(&path, archive).unwrap();
    let by_path = unlocked(|| npz::append(&path, |archive| archive.add("y", &8)));
    let file = std::fs::read(&path).unwrap();

    match expected {
        Ok(values) => {
            in_place.unwrap();
            by_path.unwrap();
            let values: BTreeMap<String, i32> = values.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
            assert_eq!(npz::from_slice::<BTreeMap<String, i32>>(&sink).unwrap(), values);
            assert_eq!(npz::from_slice::<BTreeMap<String, i32>>(&file).unwrap(), values);
        }
        Err(message) => {
            let (in_place, by_path) = (in_place.unwrap_err(), by_path.unwrap_err());
            assert_eq!((in_place.category(), by_path.category()), (Category::Unsupported, Category::Unsupported));
            assert_eq!(in_place.to_string(), message);
            let place = format!("file `{}`)", path.display());
            let placed = match message.strip_suffix(')') {
                Some(start) => format!("{start}, {place}"),
                None => format!("{message} ({place}"),
            };
            assert_eq!(by_path.to_string(), placed);
            assert_eq!((&sink[..], &file[..]), (archive, archive));
        }
    }
}

/// The list is written anew out of what has been understood of it, which of some is something else.
#[test]
fn an_archive_is_added_to_if_its_list_is_the_same_anew() {
    let refused = "an archive whose list of members would not be the same if it were written anew is not added to; \
                   write a new one";
    let both: &[(&str, i32)] = &[("x", 7), ("y", 8)];
    for (extra, expected) in [
        (&b""[..], Ok(both)),
        (b"\x0a\0\0\0", Ok(both)),
        (b"UT\x05\0\x01\0\0\0\x60", Ok(both)),
        // Sizes of ZIP64, which no field of the entry asks for: none, or some, once or twice.
        (b"\x01\0\0\0", Ok(both)),
        (b"\x01\0\x08\0\0\0\0\0\0\0\0\0", Ok(both)),
        (b"\x01\0\0\0\x01\0\0\0", Err(refused)),
        (b"\x0a\0\0\0\x01\0\0\0\x01\0\0\0", Err(refused)),
        (b"\x01\0\x08\0\0\0\0\0\0\0\0\0\x01\0\x08\0\0\0\0\0\0\0\0\0", Err(refused)),
        (b"\x81\0\0\0\x01\0\0\0\0\n\0\0\0\0\0\0\x01\0\0\0", Err(refused)),
    ] {
        let (local, entry) = member(0, extra);
        added_to(&[&local[..], &entry, &end(&entry, local.len())].concat(), expected);
        // The same behind something else.
        let front = [7; 1000];
        added_to(&[&front[..], &local, &entry, &end(&entry, local.len())].concat(), expected);
    }
}

/// What the end does not count would be left out, and lost if something were added.
#[test]
fn members_that_are_not_counted_are_an_error() {
    let archive = npz::to_vec(&(2, 3)).unwrap();
    let count = archive.len() - 22 + 8;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npz");
    for (found, counted) in [(0u8, "0 members"), (1, "1 member")] {
        let mut archive = archive.clone();
        archive[count] = found;
        archive[count + 2] = found;
        let message = format!("expected {counted}, as the end of the archive declares, found more in its list");
        let errors = [
            npz::from_slice::<BTreeMap<String, i32>>(&archive).unwrap_err(),
            npz::from_reader::<BTreeMap<String, i32>>(Cursor::new(&archive)).unwrap_err(),
            npz::Reader::from_slice(&archive).unwrap_err(),
            npz::View::new(&archive).unwrap_err(),
        ];
        for error in errors {
            assert_eq!((error.to_string(), error.category()), (message.clone(), Category::Syntax));
        }
        std::fs::write(&path, &archive).unwrap();
        let error = unlocked(|| npz::append(&path, |archive| archive.add("new", &4))).unwrap_err();
        assert_eq!(error.to_string(), format!("{message} (file `{}`)", path.display()));
        assert_eq!(std::fs::read(&path).unwrap(), archive);
    }
    let none = npz::to_vec(&BTreeMap::<String, i32>::new()).unwrap();
    assert_eq!(npz::from_slice::<BTreeMap<String, i32>>(&none).unwrap(), BTreeMap::new());
}

/// New members take the place of the list, and of what follows it.
#[test]
fn an_archive_is_added_to_if_its_members_lie_in_front_of_the_list() {
    let refused = "an archive with a member in or behind its list of members is not added to; write a new one \
                   (member `x`)";
    let (local, entry) = member(0, b"");
    let behind = |start| member(start, b"").1;
    // Between the list and the end.
    let list = behind(entry.len());
    added_to(&[&list[..], &local, &end(&list, 0)].concat(), Err(refused));
    // Behind the end, whether nothing or something lies in front.
    let list = behind(entry.len() + 22);
    added_to(&[&list[..], &end(&list, 0), &local].concat(), Err(refused));
    let list = behind(local.len() + entry.len() + 22);
    added_to(&[&local[..], &list, &end(&list, local.len()), &local].concat(), Err(refused));
    // With as much between a member and the list as a header may take.
    let gap = vec![0; 200_000];
    added_to(&[&local[..], &gap, &entry, &end(&entry, local.len() + gap.len())].concat(), Ok(&[("x", 7), ("y", 8)]));
}
