//! Values that have no dtype, and values that change between two looks.

use crate::routes::{given, refuses_to_write, refuses_to_write_with};
use serde::Serialize;
use std::cell::Cell;

const NONE: &str = "found None, for which no dtype but a time has a value; write a value in its place, or use \
                    `with::Nan`, which writes NaN, or `with::Datetime` or `with::Timedelta`, which write NaT";

#[test]
fn none_has_no_value() {
    refuses_to_write(&None::<u8>, NONE);
    refuses_to_write(&[Some(1u8), None], &format!("{NONE} (at `[1]`)"));
    #[derive(Serialize)]
    struct Row {
        a: u8,
        b: Option<f64>,
    }
    refuses_to_write(&[Row { a: 1, b: None }], &format!("{NONE} (at `[0].b`)"));
    refuses_to_write_with(&given("u1"), &[Some(1u8), None], &format!("{NONE} (at `[1]`)"));
}

#[test]
fn wide_integers_have_no_dtype() {
    refuses_to_write(&1i128, "there is no dtype for `i128`");
    refuses_to_write(&[1u128], "there is no dtype for `u128` (at `[0]`)");
}

#[test]
fn variants_with_data_have_no_dtype() {
    #[derive(Serialize)]
    enum Shape {
        New(u8),
        Tuple(u8, u8),
        Struct { r: u8 },
    }
    let message = |variant| format!("variant `{variant}` of `Shape` carries data, for which there is no dtype");
    refuses_to_write(&Shape::New(1), &message("New"));
    refuses_to_write(&Shape::Tuple(1, 2), &message("Tuple"));
    refuses_to_write(&Shape::Struct { r: 1 }, &message("Struct"));
    refuses_to_write(&[Shape::New(1)], &format!("{} (at `[0]`)", message("New")));
    refuses_to_write_with(&given("u1"), &[Shape::New(1)], &format!("{} (at `[0]`)", message("New")));
    refuses_to_write_with(&given("u1"), &[Shape::Tuple(1, 2)], &format!("{} (at `[0]`)", message("Tuple")));
    refuses_to_write_with(&given("u1"), &[Shape::Struct { r: 1 }], &format!("{} (at `[0]`)", message("Struct")));
}

#[test]
fn text_that_ends_in_nul_would_lose_it() {
    let message = "expected text that does not end in NUL, which NumPy would strip";
    refuses_to_write("a\0", message);
    refuses_to_write(&'\0', message);
    refuses_to_write(&["a", "\0"], &format!("{message} (at `[1]`)"));
    #[derive(Serialize)]
    enum Odd {
        #[serde(rename = "x\0")]
        Nul,
    }
    refuses_to_write(&[Odd::Nul], &format!("{message} (at `[0]`)"));
    refuses_to_write_with(&given("U2"), &["a\0"], &format!("{message} (at `[0]`)"));
    refuses_to_write_with(
        &given("S2"),
        &["a\0"],
        "expected bytes that do not end in NUL, which NumPy would strip (at `[0]`)",
    );
}

/// Gives another value each time that it is looked at.
struct Changing<T>(Cell<usize>, Vec<T>);

impl<T: Serialize> Serialize for Changing<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let turn = self.0.get();
        self.0.set(turn + 1);
        self.1[turn.min(self.1.len() - 1)].serialize(serializer)
    }
}

#[test]
fn a_value_that_changes_between_passes_is_an_error() {
    #[derive(Serialize, Clone)]
    #[serde(untagged)]
    enum Any {
        Number(u64),
        Small(u8),
        Text(&'static str),
        List(Vec<u8>),
        Map(std::collections::BTreeMap<&'static str, u8>),
    }
    use Any::*;
    let map = |names: &[&'static str]| Map(names.iter().map(|name| (*name, 1)).collect());
    let rows = [
        (Small(1), Number(300), "expected `|u1`, found integer `300`, which is beyond its range"),
        (Text("a"), Text("ab"), "expected at most 1 code point, found 2"),
        (Small(1), Text("a"), "expected `|u1`, found text \"a\""),
        (Text("a"), Small(1), "expected `<U1`, found integer `1`"),
        (List(vec![1]), List(vec![1, 2]), "expected 1 item, found 2; the lengths of an axis must be equal"),
        (List(vec![1, 2]), List(vec![1]), "expected 2 items, found 1; the lengths of an axis must be equal"),
        (List(vec![1]), Small(1), "expected a sequence of 1 item, found a number"),
        (List(vec![1]), Text("a"), "expected a sequence of 1 item, found text"),
        (List(vec![1]), map(&["a"]), "expected a sequence of 1 item, found a record"),
        (Small(1), List(vec![1]), "expected `|u1`, found a sequence"),
        (Small(1), map(&["a"]), "expected `|u1`, found a record"),
        (map(&["a"]), map(&["b"]), "the dtype has no field `b`"),
        (map(&["a", "b"]), map(&["b"]), "the value has no field `a`, which the dtype has"),
        (map(&["a", "b"]), map(&["a"]), "the value has no field `b`, which the dtype has"),
        (map(&["a"]), Small(1), "expected a record of 1 field, found integer `1`"),
        (map(&["a"]), List(vec![1, 2]), "expected 1 item, found 2"),
    ];
    for (first, second, message) in rows {
        let changing = || Changing(Cell::new(0), vec![first.clone(), second.clone()]);
        assert_eq!(serde_npy::to_vec(&changing()).unwrap_err().to_string(), message);
        assert_eq!(serde_npy::to_writer(Vec::new(), &changing()).unwrap_err().to_string(), message);
        // The serializer looks once, and so does not mind.
        changing().serialize(&mut serde_npy::Serializer::new(Vec::new())).unwrap();
    }
}
