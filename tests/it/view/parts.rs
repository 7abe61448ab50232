//! Splitting a file: whole records, and the bytes of each part on its own.

use crate::manifest;
use crate::routes::{npy, npy_fortran};
use crate::tree::Tree;
use serde_npy::{Category, Header, View};

#[test]
fn parts_follow_each_other_and_differ_by_one() {
    for length in (0..20).chain([1000, u64::from(u32::MAX) + 5, (1 << 60) - 1, 1 << 60]) {
        let header = Header::new("<f8".parse().unwrap(), vec![length])
            .unwrap_or_else(|_| Header::new("|u1".parse().unwrap(), vec![length]).unwrap());
        for n in (1..25).chain([1000]) {
            let parts: Vec<_> = header.split(n).collect();
            assert_eq!((parts.len(), header.split(n).len()), (n, n));
            let mut next = 0;
            for part in &parts {
                assert_eq!(part.start, next);
                next = part.end;
                assert!([0, 1].contains(&(part.end - part.start - length / n as u64)), "{length} in {n}: {part:?}");
            }
            assert_eq!(next, length, "{length} in {n}");
        }
    }
    let header = Header::new("|u1".parse().unwrap(), vec![i64::MAX as u64]).unwrap();
    assert_eq!((header.split(0).len(), header.split(0).next()), (1, Some(0..i64::MAX as u64)));
    assert_eq!(header.split(usize::MAX).len(), usize::MAX);
    let last = header.split(usize::MAX).next_back();
    assert_eq!(last, Some(i64::MAX as u64..i64::MAX as u64));
    assert_eq!(header.split(usize::MAX).next(), Some(0..1));
}

#[test]
fn each_part_is_read_from_its_bytes_alone() {
    let mut compared = 0;
    for golden in manifest::golden().iter().filter(|golden| golden.position == 0 && golden.reads == "yes") {
        let file = golden.read();
        let header = Header::read(&file[..]).unwrap();
        if header.fortran_order() && header.ndim() > 1 && header.byte_range(0..0).is_err() || header.records() > 500 {
            continue;
        }
        let whole: Tree = serde_npy::from_slice(&file).unwrap();
        for n in 1..5 {
            let mut all = Vec::new();
            let mut next = header.data_offset();
            for records in header.split(n) {
                let place = header.byte_range(records.clone()).unwrap();
                assert_eq!(place.start, next, "{}", golden.file);
                next = place.end;
                if header.ndim() == 0 && records.is_empty() {
                    continue;
                }
                let bytes = &file[place.start as usize..place.end as usize];
                let part = View::part(&header, records, bytes).unwrap();
                all.extend(part.records::<Tree>(..).unwrap());
            }
            assert_eq!(next, header.data_offset() + header.data_len(), "{}", golden.file);
            match &whole {
                Tree::Seq(items) if header.ndim() > 0 => assert_eq!(all, *items, "{} in {n}", golden.file),
                one => assert_eq!(all, std::slice::from_ref(one), "{} in {n}", golden.file),
            }
            compared += 1;
        }
    }
    assert!(compared > 800, "{compared} compared");
}

#[test]
fn parts_that_cannot_be_are_errors() {
    let header = Header::read(&npy("'<i4'", "(5,)", &[])[..]).unwrap();
    for (range, text) in [(3..6, "3..6"), (6..6, "6..6"), (0..u64::MAX, "0..18446744073709551615")] {
        let message = format!("expected a range within 0..5, found {text}");
        assert_eq!(header.byte_range(range.clone()).unwrap_err().to_string(), message);
        assert_eq!(View::part(&header, range, &[]).unwrap_err().to_string(), message);
    }
    for (length, category) in [(0, Category::Eof), (7, Category::Eof), (9, Category::Data), (148, Category::Data)] {
        let error = View::part(&header, 1..3, &vec![0; length]).unwrap_err();
        let message = format!("expected the 8 bytes of the records 1..3, found {length} bytes (byte 132)");
        assert_eq!((error.to_string(), error.category()), (message, category));
    }
    let single = Header::read(&npy("'<i4'", "()", &[])[..]).unwrap();
    assert_eq!(View::part(&single, 0..1, &[7, 0, 0, 0]).unwrap().get::<i32>(0).unwrap(), 7);
    assert_eq!(
        View::part(&single, 0..0, &[]).unwrap_err().to_string(),
        "expected the one record of an array without axes, found the range 0..0"
    );
    let fortran = Header::read(&npy_fortran("'<i4'", "(2, 3)", &[])[..]).unwrap();
    let error = fortran.byte_range(0..1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the records of an array of several axes in Fortran order do not lie one after the other; read all of its \
         bytes, and take rows out of a `View`"
    );
    assert_eq!(error.category(), Category::Unsupported);
    for shape in ["(5,)", "(5, 1)", "(1, 5)", "(0, 3)"] {
        assert!(Header::read(&npy_fortran("'<i4'", shape, &[])[..]).unwrap().byte_range(0..0).is_ok(), "{shape}");
    }
}

#[test]
fn a_part_beyond_4_gib_has_its_place() {
    let header = Header::new("[('a', '<i8'), ('b', '|u1')]".parse().unwrap(), vec![1 << 40]).unwrap();
    let start = (1 << 40) - 2;
    let place = header.byte_range(start..1 << 40).unwrap();
    let offset = header.data_offset();
    assert_eq!(place, offset + 9 * start..offset + (9 << 40));
    let mut bytes = [1u8; 18];
    bytes[17] = 200;
    let part = View::part(&header, start..1 << 40, &bytes).unwrap();
    assert_eq!(part.get::<(i64, u8)>(1).unwrap(), (0x0101_0101_0101_0101, 200));
    let error = part.column::<i8>(&["b"]).unwrap().to_vec().unwrap_err();
    assert_eq!(error.offset(), Some(place.end - 1));
    assert_eq!(error.path().as_deref(), Some("[1].b"));
}
