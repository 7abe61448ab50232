//! Axes: none, empty, many, in either order; ends that come too early or too late.

use crate::routes::{npy, npy_fortran, reads, reads_with, refuses, refuses_as, refuses_with};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_npy::{Category, Header, Limits, ReadOptions, Reader, View};

#[test]
fn no_axis_and_empty_axes() {
    reads(&npy("'|u1'", "()", &[7]), 7u8);
    reads(&npy("'|u1'", "()", &[7]), Some(7u8));
    reads(&npy("'|u1'", "(0,)", &[]), Vec::<u8>::new());
    reads(&npy("'|u1'", "(0,)", &[]), [0u8; 0]);
    reads(&npy("'|u1'", "(0, 3)", &[]), Vec::<Vec<u8>>::new());
    reads(&npy("'|u1'", "(3, 0)", &[]), vec![Vec::<u8>::new(); 3]);
    reads(&npy("'|u1'", "(3, 0)", &[]), [[0u8; 0]; 3]);
    reads(&npy("'|u1'", "(5, 0)", &[]), vec![Vec::<u8>::new(); 5]);
    reads(&npy("'|u1'", "(2, 0, 3)", &[]), vec![Vec::<[u8; 3]>::new(); 2]);
    refuses::<Vec<u8>>(
        &npy("'|u1'", "()", &[7]),
        "expected a sequence, found an array without axes; read a single value",
    );
    let of = |shape: &str| format!("an array of shape {shape} and dtype `|u1`; read a `Vec` of it");
    refuses::<u8>(&npy("'|u1'", "(1,)", &[7]), &format!("expected u8, found {}", of("(1,)")));
    refuses::<u8>(&npy("'|u1'", "(0,)", &[]), &format!("expected u8, found {}", of("(0,)")));
    refuses::<()>(&npy("'|u1'", "(0,)", &[]), &format!("expected unit, found {}", of("(0,)")));
    let matrix = npy("'|u1'", "(2, 3)", &[7; 6]);
    let whole = "an array of shape (2, 3) and dtype `|u1`; read a `Vec` for each axis, or an `Array`";
    refuses::<u8>(&matrix, &format!("expected u8, found {whole}"));
    refuses::<Vec<u8>>(&matrix, &format!("expected u8, found a row of shape (3,) of {whole} (at `[0]`)"));
    refuses::<Vec<String>>(&matrix, &format!("expected a string, found a row of shape (3,) of {whole} (at `[0]`)"));
    assert_eq!(
        View::new(&matrix).unwrap().get::<u8>(1).unwrap_err().to_string(),
        format!("expected u8, found a row of shape (3,) of {whole} (at `[1]`)")
    );
    let mut reader = Reader::new(&matrix[..]).unwrap();
    let error = reader.records::<u8>().next().unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected u8, found an array of shape (3,) and dtype `|u1`; read a `Vec` of it (at `[0]`, byte 128)"
    );
}

#[test]
fn many_axes_nest() {
    let bytes: Vec<u8> = (0..24).collect();
    let file = npy("'|u1'", "(2, 3, 4)", &bytes);
    let nested: Vec<Vec<Vec<u8>>> =
        bytes.chunks(12).map(|plane| plane.chunks(4).map(<[u8]>::to_vec).collect()).collect();
    reads(&file, nested);
    let mut fixed = [[[0u8; 4]; 3]; 2];
    fixed.iter_mut().flatten().flatten().zip(&bytes).for_each(|(cell, byte)| *cell = *byte);
    reads(&file, fixed);
    refuses::<Vec<[u8; 4]>>(&file, "expected an array of length 4, found 3 items (at `[0]`)");
    refuses::<(Vec<Vec<u8>>,)>(&file, "expected a tuple of size 1, found 2 items");
    refuses::<Vec<Vec<[i8; 5]>>>(&file, "expected an array of length 5, found 4 items (at `[0][0]`)");
    let shape = format!("({})", "1, ".repeat(64));
    let file = npy("'|u1'", &shape, &[7]);
    assert_eq!(serde_npy::from_slice::<IgnoredAny>(&file).unwrap(), IgnoredAny);
    refuses_as::<IgnoredAny>(
        &npy("'|u1'", &format!("({})", "1, ".repeat(65)), &[7]),
        Category::Limit,
        "an array of over 64 axes (byte 253)",
    );
}

#[test]
fn an_axis_is_a_struct_by_position() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Point {
        x: i8,
        y: i8,
    }
    reads(&npy("'|i1'", "(2, 2)", &[1, 2, 3, 4]), vec![Point { x: 1, y: 2 }, Point { x: 3, y: 4 }]);
    refuses::<Vec<Point>>(&npy("'|i1'", "(1, 3)", &[1, 2, 3]), "expected struct Point, found 3 items (at `[0]`)");
    refuses::<Point>(
        &npy("[('x', '|i1')]", "(2,)", &[1, 2]),
        "expected struct Point, found an array of shape (2,); read a `Vec` of it",
    );
}

/// Logical order, whatever the order of the file.
#[test]
fn fortran_order_is_undone() {
    // numpy.asfortranarray([[1, 2, 3], [4, 5, 6]])
    let file = npy_fortran("'|u1'", "(2, 3)", &[1, 4, 2, 5, 3, 6]);
    reads(&file, vec![vec![1u8, 2, 3], vec![4, 5, 6]]);
    reads(&file, [[1u8, 2, 3], [4, 5, 6]]);
    reads(&file, vec![serde_bytes::ByteBuf::from([1, 2, 3]), serde_bytes::ByteBuf::from([4, 5, 6])]);
    reads(&file, serde_json::json!([[1, 2, 3], [4, 5, 6]]));
    // numpy.asfortranarray(numpy.arange(24).reshape(2, 3, 4))
    let mut data = Vec::new();
    for k in 0..4u8 {
        for j in 0..3 {
            for i in 0..2 {
                data.push(i * 12 + j * 4 + k);
            }
        }
    }
    let nested: Vec<Vec<Vec<u8>>> =
        (0..2).map(|i| (0..3).map(|j| (0..4).map(|k| i * 12 + j * 4 + k).collect()).collect()).collect();
    reads(&npy_fortran("'|u1'", "(2, 3, 4)", &data), nested);
    // Records with subarrays: those stay in C order.
    let descr = "[('a', '|u1', (2,)), ('b', '|u1')]";
    let file = npy_fortran(descr, "(2, 2)", &[1, 2, 3, 7, 8, 9, 4, 5, 6, 10, 11, 12]);
    reads(&file, vec![vec![([1u8, 2], 3u8), ([4, 5], 6)], vec![([7, 8], 9), ([10, 11], 12)]]);
    for shape in ["(3,)", "(3, 1)", "(1, 3)", "(1, 3, 1)"] {
        let flat: serde_json::Value = serde_npy::from_slice(&npy_fortran("'|u1'", shape, &[1, 2, 3])).unwrap();
        let c: serde_json::Value = serde_npy::from_slice(&npy("'|u1'", shape, &[1, 2, 3])).unwrap();
        assert_eq!(flat, c);
    }
    reads(&npy_fortran("'|u1'", "(2, 0)", &[]), vec![Vec::<u8>::new(); 2]);
    refuses::<Vec<Vec<i8>>>(
        &npy_fortran("'|u1'", "(2, 2)", &[1, 2, 200, 4]),
        "expected i8, found integer `200` (dtype `|u1`, at `[0][1]`, byte 130)",
    );
}

#[test]
fn short_data_says_what_is_missing() {
    let descr = "[('a', '<i4'), ('b', '<i4')]";
    refuses_as::<Vec<(i32, i32)>>(
        &npy(descr, "(3,)", &[0; 20]),
        Category::Eof,
        "the array needs 24 bytes of data, found 20: record 2 is cut (byte 148)",
    );
    refuses_as::<Vec<(i32, i32)>>(
        &npy(descr, "(3,)", &[0; 16]),
        Category::Eof,
        "the array needs 24 bytes of data, found 16: record 2 is missing (byte 144)",
    );
    refuses_as::<Vec<i32>>(
        &npy("'<i4'", "(2,)", &[0; 7]),
        Category::Eof,
        "the array needs 8 bytes of data, found 7: element 1 is cut (byte 135)",
    );
    refuses_as::<i32>(
        &npy("'<i4'", "()", &[]),
        Category::Eof,
        "the array needs 4 bytes of data, found 0: element 0 is missing (byte 128)",
    );
    refuses_as::<Vec<Vec<u8>>>(
        &npy_fortran("'|u1'", "(2, 2)", &[0; 3]),
        Category::Eof,
        "the array needs 4 bytes of data, found 3: element 3 is missing (byte 131)",
    );
    refuses_as::<serde_bytes::ByteBuf>(
        &npy("'|u1'", "(1000000000000,)", &[0; 3]),
        Category::Eof,
        "the array needs 1000000000000 bytes of data, found 3: element 3 is missing (byte 131)",
    );
}

#[test]
fn every_prefix_is_an_error() {
    let file = npy("[('a', '<i4'), ('b', '|S3')]", "(3,)", &[0; 21]);
    for length in 0..file.len() {
        for (route, result) in [
            ("slice", serde_npy::from_slice::<IgnoredAny>(&file[..length])),
            ("reader", serde_npy::from_reader::<IgnoredAny>(&file[..length])),
        ] {
            let error = result.map(|_| ()).unwrap_err();
            assert_eq!(error.category(), Category::Eof, "{length} bytes by {route}: {error}");
        }
    }
}

#[test]
fn trailing_bytes_are_passed_over_or_refused() {
    let strict = ReadOptions::default().trailing(false);
    let file = npy("'<i2'", "(2,)", &[1, 0, 2, 0]);
    reads_with(&strict, &file, vec![1i16, 2]);
    let longer = [&file[..], &[3, 0, 4]].concat();
    reads(&longer, vec![1i16, 2]);
    assert_eq!(
        serde_npy::from_slice_with::<Vec<i16>>(&longer, &strict).unwrap_err().to_string(),
        "expected the end of the file, found 3 bytes, 1 whole element among them, behind the array (byte 132)"
    );
    assert_eq!(
        serde_npy::from_slice_with::<Vec<i16>>(&[&longer[..], &[0]].concat(), &strict).unwrap_err().to_string(),
        "expected the end of the file, found 4 bytes, 2 whole elements among them, behind the array (byte 132)"
    );
    let more = "expected the end of the file, found more bytes behind the array (byte 132)";
    assert_eq!(serde_npy::from_reader_with::<Vec<i16>>(&longer[..], &strict).unwrap_err().to_string(), more);
    let records = npy("[('a', '<i2')]", "(1,)", &[1, 0, 2]);
    assert_eq!(
        serde_npy::records_from_slice_with::<(i16,)>(&records, &strict).unwrap_err().to_string(),
        "expected the end of the file, found 1 byte, 0 whole records among them, behind the array (byte 130)"
    );
}

/// The endless loops of others.
#[test]
fn values_without_bytes_are_counted() {
    let thousand = ReadOptions::default().limits(Limits::default().empty_items(1000));
    let message = "more than 1000 values that take no bytes; raise `Limits::empty_items` if they are wanted";
    for descr in ["'|S0'", "'<U0'", "'|V0'", "[]", "[('a', '<i4', (4, 0, 4))]"] {
        let file = npy(descr, "(1000000000000,)", &[]);
        let offset = Header::read(&file[..]).unwrap().data_offset();
        let message = format!("{message} (at `[1000]`, byte {offset})");
        refuses_with::<Vec<IgnoredAny>>(&thousand, &file, &message);
        refuses_with::<IgnoredAny>(&thousand, &file, &message);
        let records = serde_npy::records_from_slice_with::<IgnoredAny>(&file, &thousand);
        assert_eq!(records.unwrap_err().to_string(), message);
    }
    let rows = npy("'|u1'", "(1000000000000, 0)", &[]);
    refuses_with::<Vec<Vec<u8>>>(&thousand, &rows, &format!("{message} (at `[1000]`)"));
    reads_with(&thousand, &npy("'|V0'", "(1000,)", &[]), vec![(); 1000]);
    // One subarray of endlessly many items without bytes.
    let many = npy("[('a', '<i4', (500000000, 0))]", "(1,)", &[]);
    refuses_with::<Vec<(Vec<Vec<()>>,)>>(&thousand, &many, &format!("{message} (at `[0].a[998]`, byte 128)"));
    // Skipped, it costs nothing.
    let skipped = npy("[('a', '<i4', (500000000, 0)), ('b', '|u1')]", "(1,)", &[7]);
    #[derive(Deserialize, PartialEq, Debug)]
    struct B {
        b: u8,
    }
    reads(&skipped, vec![B { b: 7 }]);
    // By default the limit is a million.
    let error = serde_npy::from_slice::<Vec<()>>(&npy("'|V0'", "(1000000000000,)", &[])).unwrap_err();
    assert_eq!(error.category(), Category::Limit);
    assert_eq!(error.path().as_deref(), Some("[1048576]"));
}
