//! Inputs that break a fresh implementation: each an error, or the right value, within milliseconds.
//!
//! What they cost in memory is checked in `tests/memory.rs`.

use crate::routes::{npy, npy_fortran, reads, refuses_as};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_npy::{Category, Header};
use std::io::{self, Read};
use std::time::{Duration, Instant};

/// Runs a case, which must not take long: other readers took seconds or for ever.
#[track_caller]
fn soon<T>(case: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let value = case();
    let took = start.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
    value
}

#[track_caller]
fn refused(file: &[u8], category: Category, message: &str) {
    soon(|| refuses_as::<IgnoredAny>(file, category, message));
}

/// A file of any version around any header text.
fn raw(version: u8, text: &[u8]) -> Vec<u8> {
    let mut file = b"\x93NUMPY".to_vec();
    file.extend([version, 0]);
    if version == 1 {
        file.extend(u16::try_from(text.len()).unwrap().to_le_bytes());
    } else {
        file.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
    }
    file.extend(text);
    file
}

#[test]
fn deep_nesting_of_lists_is_refused_at_once() {
    for depth in [16, 18, 20, 22, 60, 250, 30_000] {
        for (open, close) in [("[", "]"), ("(", ")"), ("{1:", "}"), ("[(", ")]")] {
            let text = format!(
                "{{'descr': {}{}, 'fortran_order': False, 'shape': (), }}\n",
                open.repeat(depth),
                close.repeat(depth)
            );
            let error = soon(|| serde_npy::from_slice::<IgnoredAny>(&raw(2, text.as_bytes())).unwrap_err());
            assert!(
                matches!(error.category(), Category::Syntax | Category::Limit | Category::Unsupported | Category::Data),
                "{error:?}"
            );
            let error = soon(|| format!("[{}", open.repeat(depth)).parse::<serde_npy::DType>().unwrap_err());
            assert!(!error.to_string().is_empty());
        }
    }
}

#[test]
fn deep_nesting_of_records_reads_to_the_cap() {
    let nested = |depth: usize| {
        let descr = format!("{}'|u1'{}", "[('y', ".repeat(depth), ")]".repeat(depth));
        raw(2, format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (), }}\n").as_bytes())
    };
    for depth in [8, 9, 10, 60] {
        let file = [&nested(depth)[..], &[7]].concat();
        let value = soon(|| serde_npy::from_slice::<serde_json::Value>(&file).unwrap());
        let inner = (0..depth).fold(&value, |value, _| &value["y"]);
        assert_eq!(*inner, 7);
    }
    for depth in [250, 10_000] {
        let error = soon(|| serde_npy::from_slice::<IgnoredAny>(&nested(depth)).unwrap_err());
        assert_eq!(error.category(), Category::Limit, "{error}");
    }
    // The deepest that there is can be shown, compared, copied and dropped.
    let dtype: serde_npy::DType = format!("{}'|u1'{}", "[('y', ".repeat(90), ")]".repeat(90)).parse().unwrap();
    assert_eq!(dtype.clone(), dtype);
    assert!(format!("{dtype:?}").contains('y'));
}

#[test]
fn header_lengths_may_lie() {
    let cut = |text: &str| format!("the file ends within its header, {text}");
    refused(
        b"\x93NUMPY\x02\x00\xf0\xff\xff\xff",
        Category::Limit,
        "a header of 4294967280 bytes, over the limit `max_header_size` of 16777216 (byte 8)",
    );
    refused(
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff",
        Category::Limit,
        "a header of 4294967295 bytes, over the limit `max_header_size` of 16777216 (byte 8)",
    );
    refused(
        b"\x93NUMPY\x02\x00\x00\x00\x00\x40..",
        Category::Limit,
        "a header of 1073741824 bytes, over the limit `max_header_size` of 16777216 (byte 8)",
    );
    refused(b"\x93NUMPY\x02\x00\x00\x00\xff\x00.", Category::Eof, &cut("after 1 of 16711680 bytes (byte 13)"));
    refused(b"\x93NUMPY\x01\x00\xff\xff0123456789", Category::Eof, &cut("after 10 of 65535 bytes (byte 20)"));
    refused(b"\x93NUMPY\x01\x00\xf8\xff", Category::Eof, &cut("after 0 of 65528 bytes (byte 10)"));
    let empty = soon(|| serde_npy::from_slice::<IgnoredAny>(&raw(1, b"")).unwrap_err());
    assert_eq!(empty.category(), Category::Syntax);
    let inside = "{'descr': [('λ', '|u1')], 'fortran_order': False, 'shape': (), }".as_bytes();
    let mut file = raw(3, &inside[..14]);
    file.extend(&inside[14..]);
    refused(&file, Category::Syntax, "expected UTF-8 in a header of version 3.0 (byte 25)");
}

#[test]
fn shapes_are_multiplied_with_care() {
    let too_large = "an array over 9223372036854775807 bytes";
    for shape in [
        "(4294967296, 4294967296)",
        "(0, 9223372036854775807, 9223372036854775807)",
        "(9223372036854775807, 0, 9223372036854775807)",
        "(9223372036854775807,)",
    ] {
        let file = npy("'<f8'", shape, &[]);
        let error = soon(|| serde_npy::from_slice::<Vec<IgnoredAny>>(&file).unwrap_err());
        assert_eq!(error.category(), Category::Limit);
        assert!(error.to_string().starts_with(too_large), "{error}");
        assert_eq!(error.to_string(), serde_npy::from_reader::<Vec<IgnoredAny>>(&file[..]).unwrap_err().to_string());
    }
    for shape in ["(18446744073709551616,)", "(-1,)", "(True, 2)", "(1.0,)", "(184)", "[2, 3]", "(np.int64(3),)"] {
        let text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
        let error = soon(|| serde_npy::from_slice::<IgnoredAny>(&raw(1, text.as_bytes())).unwrap_err());
        assert!(matches!(error.category(), Category::Syntax | Category::Limit), "{shape}: {error:?}");
    }
    refused(
        &npy("'<f8'", "(1152921504606846975,)", &[0; 20]),
        Category::Eof,
        "the array needs 9223372036854775800 bytes of data, found 20: element 2 is cut (byte 148)",
    );
    let huge = npy("[('a', '|V2147483647', (65536, 65536))]", "(1,)", &[]);
    let error = soon(|| serde_npy::from_slice::<IgnoredAny>(&huge).unwrap_err());
    assert_eq!(error.category(), Category::Limit, "{error}");
    // One element that is promised to be huge.
    refused(
        &npy("'|V2147483647'", "(2,)", &[1; 100]),
        Category::Eof,
        "the array needs 4294967294 bytes of data, found 100: element 0 is cut (byte 228)",
    );
}

#[test]
fn endless_elements_of_no_bytes_stop_at_a_limit() {
    let file = npy("'|S0'", "(1000000000000,)", &[]);
    let error = serde_npy::from_slice::<Vec<String>>(&file).unwrap_err();
    assert_eq!(error.category(), Category::Limit);
    assert_eq!(error.path().as_deref(), Some("[1048576]"));
    // As many as there are, no matter that no data stands behind them.
    reads(&npy("[('a', '<i4', (4, 0, 4))]", "(3,)", &[]), vec![(vec![Vec::<[i32; 4]>::new(); 4],); 3]);
}

/// The declared shape is no reason to reserve.
#[test]
fn tuples_of_a_promised_length_are_not_read() {
    let file = npy("[('a', '|u1', (2000000000,))]", "(1000,)", &[1; 10]);
    refused(&file, Category::Eof, "the array needs 2000000000000 bytes of data, found 10: record 0 is cut (byte 138)");
    refused(
        &npy_fortran("'|u1'", "(1000000, 1000000)", &[1; 10]),
        Category::Eof,
        "the array needs 1000000000000 bytes of data, found 10: element 10 is missing (byte 138)",
    );
}

#[test]
fn look_alike_tuples_in_descr() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Record {
        b: String,
    }
    reads(
        &npy("[('c', ('|u1', (5,)), (2,))]", "()", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ([[1u8, 2, 3, 4, 5], [6, 7, 8, 9, 10]],),
    );
    reads(&npy("[('b', ('|S3', {'k': 1}))]", "(1,)", b"abc"), vec![Record { b: "abc".to_owned() }]);
    reads(&npy("[('a', '<i2', 3)]", "()", &[1, 0, 2, 0, 3, 0]), ([1i16, 2, 3],));
    reads(&npy("[('a', '<i2', (1,))]", "()", &[1, 0]), ([1i16],));
    reads(&npy("[('a', '<i2', ())]", "()", &[1, 0]), (1i16,));
    let vlen = npy("[('b', ('|O', {'vlen': dtype('float64')}))]", "(1,)", &[]);
    let error = soon(|| serde_npy::from_slice::<Vec<Record>>(&vlen).unwrap_err());
    assert_eq!(error.category(), Category::Unsupported, "{error}");
    refused(
        &npy("('<i4', (2,))", "()", &[0; 8]),
        Category::Unsupported,
        "the subarray `('<i4', (2,))` as the dtype of a whole array (byte 20)",
    );
}

/// Text as it is found.
#[test]
fn header_texts_of_other_writers() {
    let of = |version, text: &[u8], data: &[u8]| [&raw(version, text)[..], data].concat();
    let six: Vec<u8> = (0..6).collect();
    let nested = vec![vec![0u8, 1], vec![2, 3], vec![4, 5]];
    reads(&of(1, b"{'descr': '|u1', 'fortran_order': False, 'shape': (3L, 2L)}\n", &six), nested.clone());
    reads(&of(1, b"{'shape':(3,2),'descr':'u1','fortran_order':False}", &six), nested.clone());
    reads(&of(2, b"{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2,), }\t\r\n", &six), nested);
    #[derive(Deserialize, PartialEq, Debug)]
    struct Record {
        #[serde(alias = "é")]
        a: u8,
    }
    let one = || vec![Record { a: 5 }];
    reads(&of(1, b"{'descr': [(u'a', '|u1')], 'fortran_order': False, 'shape': (1,)}\n", &[5]), one());
    reads(&of(1, b"{'descr': [('\xe9', '|u1')], 'fortran_order': False, 'shape': (1,)}\n", &[5]), one());
    reads(&of(3, "{'descr': [('é', '|u1')], 'fortran_order': False, 'shape': (1,)}\n".as_bytes(), &[5]), one());
    reads(&of(1, b"{'descr': [('a', 'u' '1')], 'fortran_order': False, 'shape': (1,)}\n", &[5]), one());
}

#[test]
fn names_with_every_kind_of_mark() {
    for name in ["shape", "it's", "a\\b", "\n", "}", "# no", "λ", "blob/shape", "\"", "\\'", "descr', '<f8"] {
        let value = std::collections::BTreeMap::from([(name, 5u8)]);
        let file = serde_npy::to_vec(&value).unwrap();
        let back: std::collections::BTreeMap<String, u8> = serde_npy::from_slice(&file).unwrap();
        assert_eq!(back, std::collections::BTreeMap::from([(name.to_owned(), 5)]));
    }
}

/// Other files.
#[test]
fn files_that_are_something_else() {
    refused(b"", Category::Eof, "expected a .npy file, found an empty one (byte 0)");
    refused(b"\x93NUMPY", Category::Eof, "the file ends within the magic string, after 6 bytes (byte 6)");
    refused(b"\x93NUMPY\x01", Category::Eof, "the file ends within the magic string, after 7 bytes (byte 7)");
    refused(
        b"\x93NUMPY\x01\x00\x10",
        Category::Eof,
        "the file ends within the length of its header, after 9 bytes (byte 9)",
    );
    refused(
        b"PK\x03\x04....",
        Category::Syntax,
        "expected a .npy file, found a zip archive such as a .npz file (byte 0)",
    );
    refused(
        b"\x92NUMPY\x01\x00",
        Category::Syntax,
        "expected a .npy file, which starts with `\\x93NUMPY`, found `\\x92NUMPY\\x01\\x00` (byte 0)",
    );
    refused(
        b"\x93NUMPY\x04\x00....",
        Category::Unsupported,
        "expected version 1.0, 2.0 or 3.0 of the .npy format, found 4.0 (byte 6)",
    );
}

#[test]
fn dtypes_without_a_rust_value() {
    reads(&npy("'|V2'", "(1,)", &[1, 2]), vec![serde_bytes::ByteBuf::from([1, 2])]);
    let f1 = serde_npy::from_slice::<IgnoredAny>(&npy("'<f1'", "(1,)", &[1])).map(|_| ());
    assert!(f1.is_err() || Header::read(&npy("'<f1'", "(1,)", &[1])[..]).is_ok());
    for (descr, size) in [("'<f16'", 16), ("'<c32'", 32)] {
        let error = serde_npy::from_slice::<Vec<f64>>(&npy(descr, "(1,)", &vec![0; size])).unwrap_err();
        assert_eq!(error.category(), Category::Unsupported);
    }
}

/// A visitor that leaves items or fields over does not pass for one that read them.
#[test]
fn nothing_is_left_over_in_silence() {
    #[derive(Debug)]
    struct First;
    impl<'de> Deserialize<'de> for First {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Visitor;
            impl<'de> serde::de::Visitor<'de> for Visitor {
                type Value = First;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("one item")
                }
                fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<First, A::Error> {
                    seq.next_element::<IgnoredAny>()?;
                    Ok(First)
                }
            }
            deserializer.deserialize_seq(Visitor)
        }
    }
    refuses_as::<First>(&npy("'|u1'", "(2,)", &[1, 2]), Category::Data, "expected 1 item, found 2");
    refuses_as::<First>(
        &npy("[('a', '|u1'), ('b', '|u1')]", "()", &[1, 2]),
        Category::Data,
        "expected 1 field, found 2 (byte 128)",
    );
    refuses_as::<(First,)>(
        &npy("[('a', '|u1', (2,))]", "()", &[1, 2]),
        Category::Data,
        "expected 1 item, found 2 (at `a`, byte 128)",
    );
    refuses_as::<First>(
        &npy("'<c8'", "()", &[0; 8]),
        Category::Data,
        "expected 1 item, found 2 (dtype `<c8`, byte 128)",
    );
}

/// Counts more bytes than there was room for, from one of its calls on.
struct Overcounting<'a> {
    rest: &'a [u8],
    honest: usize,
}

impl Read for Overcounting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.rest.read(buffer)?;
        let Some(left) = self.honest.checked_sub(1) else { return Ok(buffer.len() + 1) };
        self.honest = left;
        Ok(count)
    }
}

#[test]
fn a_reader_that_counts_too_much_is_an_error() {
    let file = serde_npy::to_vec(&vec![1u32; 10]).unwrap();
    let mut reached = 0;
    for honest in 0..10 {
        let source = || Overcounting { rest: &file, honest };
        let results = [
            serde_npy::from_reader::<Vec<u32>>(source()),
            serde_npy::records_from_reader(source()),
            serde_npy::Reader::new(source()).and_then(|mut reader| reader.records().collect()),
        ];
        for result in results {
            match result {
                Ok(numbers) => assert_eq!(numbers, [1; 10]),
                Err(error) => {
                    assert_eq!(error.io_error_kind(), Some(io::ErrorKind::InvalidData), "{error}");
                    assert!(
                        error.to_string().starts_with("the reader counts more bytes than it was asked for"),
                        "{error}"
                    );
                    reached = reached.max(honest);
                }
            }
        }
    }
    assert!(reached > 2, "{reached}");
}
