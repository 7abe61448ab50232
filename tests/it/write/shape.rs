//! Axes: as many as sequences nest, all of equal length; and the options that concern the whole array.

use crate::routes::{
    assert_written, given, header_text, npy, npy_fortran, refuses_to_write, refuses_to_write_with, writes, writes_with,
};
use serde::Serialize;
use serde_npy::{ByteOrder, Header, Version, WriteOptions};

#[test]
fn sequences_are_axes() {
    writes(&vec![vec![1u8, 2], vec![3, 4], vec![5, 6]], "'|u1'", "(3, 2)", &[1, 2, 3, 4, 5, 6]);
    writes(&[[[1u8; 4]; 3]; 2], "'|u1'", "(2, 3, 4)", &[1; 24]);
    writes(&[vec![(1u8, true)]], "[('f0', '|u1'), ('f1', '|b1')]", "(1, 1)", &[1, 1]);
    writes(&std::collections::VecDeque::from([1u8, 2]), "'|u1'", "(2,)", &[1, 2]);
    writes(&std::collections::BTreeSet::from([2u8, 1]), "'|u1'", "(2,)", &[1, 2]);
    // A sequence that does not know its length.
    struct Unsized;
    impl Serialize for Unsized {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq((1u8..5).filter(|n| n % 2 == 0))
        }
    }
    writes(&Unsized, "'|u1'", "(2,)", &[2, 4]);
}

const EMPTY: &str =
    "there is no value to tell the dtype of an empty sequence; give it by `WriteOptions::dtype` or `with::Of`";

#[test]
fn empty_sequences_need_a_dtype() {
    refuses_to_write(&Vec::<f64>::new(), EMPTY);
    refuses_to_write(&vec![Vec::<f64>::new(); 2], &format!("{EMPTY} (at `[0]`)"));
    #[derive(Serialize)]
    struct Row {
        x: Vec<f64>,
    }
    refuses_to_write(&[Row { x: vec![] }], &format!("{EMPTY} (at `[0].x`)"));
    writes_with(&given("f8"), &Vec::<f64>::new(), "'<f8'", "(0,)", &[]);
    writes_with(&given("f8"), &vec![Vec::<f64>::new(); 2], "'<f8'", "(2, 0)", &[]);
    writes_with(&given("[('x', '<f8', (0,))]"), &[Row { x: vec![] }], "[('x', '<f8', (0,))]", "(1,)", &[]);
    writes_with(&given("[('x', '<f8', (3,))]"), &Vec::<Row>::new(), "[('x', '<f8', (3,))]", "(0,)", &[]);
}

#[test]
fn ragged_sequences_are_refused() {
    let unequal = |expected, found| {
        let s = if expected == 1 { "" } else { "s" };
        format!("expected {expected} item{s}, found {found}; the lengths of an axis must be equal")
    };
    refuses_to_write(&vec![vec![1, 2], vec![3]], &format!("{} (at `[1]`, unlike `[0]`)", unequal(2, 1)));
    refuses_to_write(&vec![vec![1], vec![2, 3, 4]], &format!("{} (at `[1]`, unlike `[0]`)", unequal(1, 3)));
    refuses_to_write(&vec![vec![], vec![2]], &format!("{} (at `[1]`, unlike `[0]`)", unequal(0, 1)));
    refuses_to_write(
        &vec![vec![vec![1], vec![2]], vec![vec![3], vec![4, 5]]],
        &format!("{} (at `[1][1]`, unlike `[0][0]`)", unequal(1, 2)),
    );
    #[derive(Serialize)]
    struct Row {
        id: u8,
        bids: Vec<u8>,
    }
    refuses_to_write(
        &vec![Row { id: 1, bids: vec![1] }, Row { id: 2, bids: vec![1] }, Row { id: 3, bids: vec![] }],
        &format!("{} (at `[2].bids`, unlike `[0].bids`)", unequal(1, 0)),
    );
    let options = given("u1");
    refuses_to_write_with(&options, &vec![vec![1], vec![2, 3]], &format!("{} (at `[1]`)", unequal(1, 2)));
    refuses_to_write_with(&options, &vec![vec![1, 2], vec![3]], &format!("{} (at `[1]`)", unequal(2, 1)));
    struct Two(bool);
    impl Serialize for Two {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            if self.0 { (1u8, 2u8).serialize(serializer) } else { (1u8, 2u8, 3u8).serialize(serializer) }
        }
    }
    refuses_to_write(
        &vec![Two(true), Two(false)],
        "expected a tuple of 2 items, found one of 3 (at `[1]`, unlike `[0]`)",
    );
}

#[test]
fn what_numpy_cannot_load_is_not_written() {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Deeper {
        More(Vec<Deeper>),
        End(u8),
    }
    let nest = |levels| (0..levels).fold(vec![Deeper::End(1)], |inner, _| vec![Deeper::More(inner)]);
    writes(&nest(63), "'|u1'", &format!("({})", vec!["1"; 64].join(", ")), &[1]);
    refuses_to_write(&nest(64), "an array of over 64 axes");
    refuses_to_write(&nest(300), &format!("a value nested over 256 levels deep (at `{}`)", "[0]".repeat(256)));
    refuses_to_write_with(
        &given("f8"),
        &nest(300),
        &format!("a value nested over 256 levels deep (at `{}`)", "[0]".repeat(256)),
    );
    #[derive(Serialize)]
    struct Named {
        #[serde(rename = "")]
        x: u8,
    }
    refuses_to_write(&Named { x: 1 }, "a field without a name, which NumPy would not keep");
    #[derive(Serialize)]
    struct Twice {
        a: u8,
        #[serde(rename = "a")]
        b: u8,
    }
    refuses_to_write(&Twice { a: 1, b: 2 }, "field `a` occurs twice");
    refuses_to_write_with(&given("O"), &1, "objects are not written, since they would have to be pickled");
    refuses_to_write_with(
        &given("[('a', [('b', '|O')])]"),
        &1,
        "objects in field `a.b` are not written, since they would have to be pickled",
    );
}

#[test]
fn byteorder_is_an_option() {
    let big = WriteOptions::default().byteorder(ByteOrder::Big);
    writes_with(&big, &[1u16, 2], "'>u2'", "(2,)", &[0, 1, 0, 2]);
    writes_with(&big, &["a"], "'>U1'", "(1,)", &[0, 0, 0, 97]);
    writes_with(&big, &(1u8, 2f32), "[('f0', '|u1'), ('f1', '>f4')]", "()", &[&[1][..], &2f32.to_be_bytes()].concat());
    let options = given("[('a', '>u2'), ('b', '<u2')]");
    writes_with(&options, &[(1u8, 2u8)], "[('a', '>u2'), ('b', '<u2')]", "(1,)", &[0, 1, 2, 0]);
    let little = options.byteorder(ByteOrder::Little);
    writes_with(&little, &[(1u8, 2u8)], "[('a', '<u2'), ('b', '<u2')]", "(1,)", &[1, 0, 2, 0]);
    // As JSON gives numbers: into what is asked for.
    writes_with(&given(">c8"), &[(1f32, 2f32)], "'>c8'", "(1,)", &[1f32.to_be_bytes(), 2f32.to_be_bytes()].concat());
}

#[test]
fn fortran_order_is_an_option() {
    let fortran = WriteOptions::default().fortran_order(true);
    assert_written(&fortran, &[[1u8, 2, 3], [4, 5, 6]], &npy_fortran("'|u1'", "(2, 3)", &[1, 4, 2, 5, 3, 6]));
    let mut cube = [[[0u8; 4]; 3]; 2];
    cube.iter_mut().flatten().flatten().zip(0..).for_each(|(cell, n)| *cell = n);
    let mut data = Vec::new();
    (0..4).for_each(|k| (0..3).for_each(|j| (0..2).for_each(|i| data.push(cube[i][j][k]))));
    assert_written(&fortran, &cube, &npy_fortran("'|u1'", "(2, 3, 4)", &data));
    let records = [[(1u8, true), (2, false)], [(3, true), (4, false)]];
    let descr = "[('f0', '|u1'), ('f1', '|b1')]";
    assert_written(&fortran, &records, &npy_fortran(descr, "(2, 2)", &[1, 1, 3, 1, 2, 0, 4, 0]));
    // An array in both orders is in C order to NumPy.
    for (shape, file) in [
        ("(3,)", npy("'|u1'", "(3,)", &[1, 2, 3])),
        ("(1, 3)", npy("'|u1'", "(1, 3)", &[1, 2, 3])),
        ("(3, 1)", npy("'|u1'", "(3, 1)", &[1, 2, 3])),
        ("()", npy("'|u1'", "()", &[1])),
    ] {
        match shape {
            "(3,)" => assert_written(&fortran, &[1u8, 2, 3], &file),
            "(1, 3)" => assert_written(&fortran, &[[1u8, 2, 3]], &file),
            "(3, 1)" => assert_written(&fortran, &[[1u8], [2], [3]], &file),
            _ => assert_written(&fortran, &1u8, &file),
        }
    }
    let empty = given("u1").fortran_order(true);
    assert_written(&empty, &[[0u8; 0]; 2], &npy("'|u1'", "(2, 0)", &[]));
    refuses_to_write_with(
        &given("i1").fortran_order(true),
        &[[1, 2], [300, 4]],
        "expected `|i1`, found integer `300`, which is beyond its range (at `[1][0]`)",
    );
    refuses_to_write_with(
        &given("i1").fortran_order(true),
        &vec![vec![1, 2], vec![3]],
        "expected 2 items, found 1; the lengths of an axis must be equal (at `[1]`)",
    );
}

#[test]
fn the_version_is_the_lowest_that_fits_or_the_one_asked_for() {
    let v2 = serde_npy::to_vec_with(&[1u8], &WriteOptions::default().version(Version::V2_0)).unwrap();
    assert_eq!(v2[..8], *b"\x93NUMPY\x02\0");
    assert_eq!(v2.len(), 129);
    let v3 = serde_npy::to_vec_with(&[1u8], &WriteOptions::default().version(Version::V3_0)).unwrap();
    assert_eq!(v3[..8], *b"\x93NUMPY\x03\0");
    writes(&std::collections::BTreeMap::from([("é", 1u8)]), "[('é', '|u1')]", "()", &[1]);
    writes(&std::collections::BTreeMap::from([("λ", 1u8)]), "[('λ', '|u1')]", "()", &[1]);
    refuses_to_write_with(
        &WriteOptions::default().version(Version::V1_0),
        &std::collections::BTreeMap::from([("λ", 1u8)]),
        "the character `λ` in a header of version 1.0, which is Latin-1",
    );
    let many: std::collections::BTreeMap<String, u8> = (0..5000).map(|i| (format!("field{i}"), 1)).collect();
    let file = serde_npy::to_vec(&many).unwrap();
    assert_eq!(Header::read(&file[..]).unwrap().version(), Version::V2_0);
    let text = header_text("'|u1'", false, "()");
    assert!(text.ends_with(", }"));
}
