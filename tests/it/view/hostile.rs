//! Arguments and files that mean harm: errors or empty answers, never a panic, soon.

use crate::manifest;
use crate::routes::{npy, npy_fortran};
use crate::tree::Tree;
use serde::de::IgnoredAny;
use serde_npy::{Category, Header, ReadOptions, View};
use std::time::{Duration, Instant};

#[test]
fn every_prefix_is_an_error_in_the_words_of_the_slice() {
    for golden in manifest::golden().iter().filter(|golden| golden.position == 0 && golden.reads == "yes") {
        let file = golden.read();
        let header = Header::read(&file[..]).unwrap();
        let end = usize::try_from(header.data_offset() + header.data_len()).unwrap().min(file.len());
        for length in (0..end).filter(|length| end - length < 40 || length % 37 == 0) {
            let expected = serde_npy::from_slice::<IgnoredAny>(&file[..length]).unwrap_err().to_string();
            assert_eq!(View::new(&file[..length]).unwrap_err().to_string(), expected, "{}[..{length}]", golden.file);
        }
    }
}

#[test]
fn arguments_beyond_the_array_are_errors() {
    let c = npy("'<i2'", "(2, 3)", &[0; 12]);
    let f = npy_fortran("'<i2'", "(2, 3)", &[0; 12]);
    let zero = npy("'<i2'", "()", &[0; 2]);
    let empty = npy("'<i2'", "(0, 3)", &[]);
    for (file, length) in [(&c, 2), (&f, 2), (&zero, 1), (&empty, 0)] {
        let view = View::new(file).unwrap();
        for index in [length, length + 1, 1 << 32, 1 << 62, u64::MAX - 1, u64::MAX] {
            let message = format!("expected an index below {length}, found {index}");
            assert_eq!(view.get::<Tree>(index).unwrap_err().to_string(), message);
            assert_eq!(view.iter::<Tree>().get(index).unwrap_err().to_string(), message);
            if view.ndim() > 0 {
                assert_eq!(view.row(index).unwrap_err().to_string(), message);
                let message = format!("expected an index below 3, found {}", index.max(3));
                assert_eq!(view.axis(1, index.max(3)).unwrap_err().to_string(), message);
            } else {
                assert_eq!(view.row(index).unwrap_err().to_string(), "expected an array with axes, found one without");
            }
        }
        for (start, end) in [(0, length + 1), (length + 1, length + 1), (1, 0), (u64::MAX, u64::MAX), (0, u64::MAX)] {
            let message = format!("expected a range within 0..{length}, found {start}..{end}");
            assert_eq!(view.records::<Tree>(start..end).unwrap_err().to_string(), message);
            let error = view.slice(start..end).unwrap_err();
            if view.ndim() > 0 {
                assert_eq!((error.to_string(), error.category()), (message, Category::Data));
            } else {
                assert_eq!(error.to_string(), "a range of an array without axes");
            }
        }
        assert_eq!(
            view.records::<Tree>(0..=u64::MAX).unwrap_err().to_string(),
            format!("expected a range within 0..{length}, found 0..{}", u64::MAX)
        );
        if view.ndim() > 0 {
            for axis in [2, 3, usize::MAX] {
                let error = view.axis(axis, 0).unwrap_err();
                assert_eq!(error.to_string(), format!("expected an axis below 2, found {axis}"));
            }
        }
    }
}

#[test]
fn elements_without_bytes_are_counted() {
    let start = Instant::now();
    for (descr, shape) in [
        ("'|V0'", "(4611686018427387904,)"),
        ("'<f8'", "(1152921504606846975, 0)"),
        ("'|V0'", "(2147483647, 2147483647)"),
        ("[]", "(9223372036854775807,)"),
    ] {
        let file = npy(descr, shape, &[]);
        let view = View::new(&file).unwrap();
        let records = view.records::<Tree>(..).unwrap_err();
        assert_eq!(records.category(), Category::Limit, "{descr} {shape}");
        let mut elements = view.iter::<Tree>();
        assert_eq!((elements.len(), elements.size_hint()), (1, (1, Some(1))), "{descr} {shape}");
        let error = elements.next_back().unwrap().unwrap_err();
        assert_eq!(error.to_string(), records.to_string(), "{descr} {shape}");
        assert!(elements.next().is_none() && elements.next_back().is_none());
        let all: Vec<serde_npy::Result<Tree>> = view.iter().collect();
        assert_eq!(all.len(), 1);
        assert_eq!(view.iter::<Tree>().to_vec().unwrap_err().to_string(), records.to_string());
        assert_eq!(
            view.slice(5..8).unwrap().iter::<IgnoredAny>().filter(Result::is_ok).count(),
            3 * usize::from(view.ndim() == 1 || shape.ends_with("0)")),
            "{descr} {shape}"
        );
        #[cfg(feature = "rayon")]
        assert_eq!(view.par_records::<Tree>(..).unwrap_err().to_string(), records.to_string());
    }
    let file = npy("'|V0'", "(5,)", &[]);
    let few = ReadOptions::default().limits(serde_npy::Limits::default().empty_items(7));
    let view = View::new_with(&file, &few).unwrap();
    assert_eq!(view.iter::<()>().filter(Result::is_ok).count(), 5);
    let mut elements = view.iter::<()>();
    assert_eq!((0..9).filter(|_| elements.get(0).is_ok()).count(), 7);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn objects_are_refused_before_anything() {
    for descr in ["'|O'", "[('a', '<i4'), ('b', '|O')]"] {
        let file = npy(descr, "(1,)", &[0; 16]);
        let expected = serde_npy::from_slice::<IgnoredAny>(&file).unwrap_err().to_string();
        assert_eq!(View::new(&file).unwrap_err().to_string(), expected);
        let header = Header::read(&file[..]).unwrap();
        let error = header.byte_range(0..1).unwrap_err();
        assert_eq!(error.category(), Category::Unsupported);
        let place = if descr == "'|O'" { "" } else { " in field `b`" };
        assert_eq!(
            error.to_string(),
            format!("Python objects{place}: NumPy saves the whole array as a pickle, in which records have no place")
        );
        assert_eq!(View::part(&header, 0..1, &[]).unwrap_err().to_string(), expected);
    }
}
