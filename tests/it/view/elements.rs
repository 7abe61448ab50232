//! Elements one by one: from both ends, by index, with what is borrowed, and with the words of an error.

use crate::routes::{npy, npy_fortran};
use serde::Deserialize;
use serde_npy::{Category, Columns, ReadOptions, View};

#[derive(Deserialize, PartialEq, Debug)]
struct Row<'a> {
    s: &'a str,
    n: u8,
}

const DESCR: &str = "[('s', '|S3'), ('n', '|u1'), ('in', [('x', '<i2'), ('v', '|V2')])]";

fn rows() -> Vec<u8> {
    npy(DESCR, "(3,)", b"ab\0\x01\x01\0VWabc\x02\x02\0XYc\0\0\x03\xff\xffZ\0")
}

#[test]
fn an_iterator_goes_from_both_ends() {
    let file = npy("'|u1'", "(6,)", &[0, 1, 2, 3, 4, 5]);
    let view = View::new(&file).unwrap();
    let mut elements = view.iter::<u8>();
    let mut taken = Vec::new();
    assert_eq!(elements.len(), 6);
    taken.push(elements.next().unwrap().unwrap());
    taken.push(elements.next_back().unwrap().unwrap());
    assert_eq!((elements.len(), elements.size_hint()), (4, (4, Some(4))));
    taken.push(elements.nth(1).unwrap().unwrap());
    taken.push(elements.nth_back(0).unwrap().unwrap());
    assert_eq!(elements.get(5).unwrap(), 5);
    assert_eq!(elements.len(), 1);
    taken.push(elements.next().unwrap().unwrap());
    assert_eq!(taken, [0, 5, 2, 4, 3]);
    assert!(elements.next().is_none() && elements.next_back().is_none());
    assert_eq!(elements.get(0).unwrap(), 0);
    assert_eq!(view.iter::<u8>().skip(2).step_by(2).map(Result::unwrap).collect::<Vec<_>>(), [2, 4]);
    assert_eq!(view.iter::<u8>().rev().skip(4).map(Result::unwrap).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(view.iter::<u8>().last().unwrap().unwrap(), 5);
    assert_eq!(view.iter::<u8>().count(), 6);
    for far in [6, 7, usize::MAX] {
        assert!(view.iter::<u8>().nth(far).is_none() && view.iter::<u8>().nth_back(far).is_none(), "{far}");
    }
}

#[test]
fn text_and_bytes_are_borrowed_from_the_file() {
    let file = rows();
    let within = |text: &[u8]| file.as_ptr_range().contains(&text.as_ptr());
    let view = View::new(&file).unwrap();
    let row = view.get::<Row<'_>>(1).unwrap();
    assert_eq!(row, Row { s: "abc", n: 2 });
    assert!(within(row.s.as_bytes()));
    let all: Vec<Row<'_>> = view.iter().map(Result::unwrap).collect();
    assert_eq!(all, serde_npy::from_slice::<Vec<Row<'_>>>(&file).unwrap());
    assert_eq!(all, view.records::<Row<'_>>(..).unwrap());
    let texts = view.column::<&str>(&["s"]).unwrap().to_vec().unwrap();
    assert_eq!(texts, ["ab", "abc", "c"]);
    assert!(texts.iter().all(|text| within(text.as_bytes())));
    let bytes: Vec<&[u8]> = view.column(&["in", "v"]).unwrap().map(Result::unwrap).collect();
    assert_eq!(bytes, [b"VW", b"XY", b"Z\0"]);
    assert!(bytes.iter().all(|bytes| within(bytes)));

    // A row in Fortran order does not lie in one piece, its elements do.
    let file = npy_fortran("'|S2'", "(2, 2)", b"aabbccdd");
    let view = View::new(&file).unwrap();
    assert_eq!(view.get::<Vec<&str>>(1).unwrap(), ["bb", "dd"]);
    assert_eq!(view.row(0).unwrap().deserialize::<[&str; 2]>().unwrap(), ["aa", "cc"]);
    let bytes = npy("'|u1'", "(2, 2)", &[1, 2, 3, 4]);
    assert_eq!(View::new(&bytes).unwrap().get::<&[u8]>(1).unwrap(), [3, 4]);
}

#[test]
fn a_field_goes_by_its_name_or_else_by_its_title() {
    let descr = "[(('title of a', 'a'), '|u1'), (('title of b', 'b'), '|u1'), ('c', '<i2', (2,))]";
    let file = npy(descr, "(2,)", &[1, 2, 3, 0, 4, 0, 5, 6, 7, 0, 8, 0]);
    let view = View::new(&file).unwrap();
    for (path, expected) in [("a", [1, 5]), ("b", [2, 6]), ("title of a", [1, 5]), ("title of b", [2, 6])] {
        assert_eq!(view.column::<u8>(&[path]).unwrap().to_vec().unwrap(), expected, "{path}");
    }
    assert_eq!(view.column::<[i16; 2]>(&["c"]).unwrap().to_vec().unwrap(), [[3, 4], [7, 8]]);
    let Columns(pair) = view.deserialize::<Columns<Pair>>().unwrap();
    assert_eq!(pair, Pair { b: vec![2, 6], c: vec![vec![3, 4], vec![7, 8]] });
    assert_eq!(view.column::<Row<'_>>(&[]).unwrap().len(), 2);
}

#[derive(Deserialize, PartialEq, Debug)]
struct Pair {
    b: Vec<u8>,
    c: Vec<Vec<i16>>,
}

#[test]
fn a_field_that_is_not_there_says_which_are() {
    let file = rows();
    let view = View::new(&file).unwrap();
    for (path, message) in [
        (&["x"] as &[&str], "there is no field `x`, there are `s`, `n`, `in`"),
        (&["in", "s"], "there is no field `s`, there are `x`, `v` (at `in`)"),
        (&["n", "x"], "expected a record with a field `x`, found `|u1` (at `n`)"),
        (&["in", "x", "y"], "expected a record with a field `y`, found `<i2` (at `in.x`)"),
        (&[""], "there is no field ``, there are `s`, `n`, `in`"),
    ] {
        let error = view.field(path).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.category()), (message, Category::Data));
        assert_eq!(view.column::<u8>(path).unwrap_err().to_string(), message);
    }
    let numbers = npy("'<i4'", "(1,)", &[0; 4]);
    let error = View::new(&numbers).unwrap().field(&["x"]).unwrap_err();
    assert_eq!(error.to_string(), "expected a record with a field `x`, found `<i4`");
    let within = npy("[('a', [('x', '|u1')], (2,))]", "(1,)", &[0; 2]);
    let error = View::new(&within).unwrap().field(&["a", "x"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a record with a field `x`, found a subarray, which is read as a whole (at `a`)"
    );
}

#[test]
fn an_error_has_its_place_in_the_file_and_its_path_in_the_view() {
    let file = npy("[('a', '|u1'), ('in', [('x', '<i2')])]", "(4,)", &[0, 1, 0, 1, 2, 0, 2, 44, 1, 3, 3, 0]);
    let view = View::new(&file).unwrap();
    let message = |path: &str, byte: u64| {
        let at = if path.is_empty() { String::new() } else { format!("at `{path}`, ") };
        format!("expected u8, found integer `300` (dtype `<i2`, {at}byte {byte})")
    };
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only decoded")]
    struct Inner {
        x: u8,
    }
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only decoded")]
    struct Whole {
        r#in: Inner,
    }
    let whole = serde_npy::from_slice::<Vec<Whole>>(&file).unwrap_err().to_string();
    assert_eq!(whole, message("[2].in.x", 135));
    assert_eq!(view.get::<Whole>(2).unwrap_err().to_string(), whole);
    assert_eq!(view.records::<Whole>(1..).unwrap_err().to_string(), whole);
    assert_eq!(view.iter::<Whole>().nth(2).unwrap().unwrap_err().to_string(), whole);
    assert_eq!(view.iter::<Whole>().filter(Result::is_ok).count(), 3);
    assert_eq!(view.column::<u8>(&["in", "x"]).unwrap().to_vec().unwrap_err().to_string(), whole);
    assert_eq!(view.column::<u8>(&["in", "x"]).unwrap().nth(2).unwrap().unwrap_err().to_string(), whole);
    assert_eq!(view.column::<Inner>(&["in"]).unwrap().to_vec().unwrap_err().to_string(), whole);
    let slice = view.slice(2..3).unwrap();
    assert_eq!(slice.get::<Whole>(0).unwrap_err().to_string(), message("[0].in.x", 135));
    assert_eq!(slice.header().data_offset(), 134);
    let row = view.row(2).unwrap();
    assert_eq!(row.get::<Whole>(0).unwrap_err().to_string(), message("in.x", 135));
    assert_eq!(row.field(&["in", "x"]).unwrap().get::<u8>(0).unwrap_err().to_string(), message("in.x", 135));

    for (file, name, byte) in [
        (npy("'<i2'", "(2, 2)", &[1, 0, 2, 0, 44, 1, 3, 0]), "C", 132),
        (npy_fortran("'<i2'", "(2, 2)", &[1, 0, 44, 1, 2, 0, 3, 0]), "Fortran", 130),
    ] {
        let view = View::new(&file).unwrap();
        let whole = serde_npy::from_slice::<Vec<[u8; 2]>>(&file).unwrap_err().to_string();
        assert_eq!(whole, message("[1][0]", byte), "{name}");
        assert_eq!(view.get::<[u8; 2]>(1).unwrap_err().to_string(), whole, "{name}");
        assert_eq!(view.records::<[u8; 2]>(..).unwrap_err().to_string(), whole, "{name}");
        assert_eq!(view.iter::<[u8; 2]>().next_back().unwrap().unwrap_err().to_string(), whole, "{name}");
        assert_eq!(view.row(1).unwrap().get::<u8>(0).unwrap_err().to_string(), message("[0]", byte), "{name}");
        assert_eq!(view.axis(1, 0).unwrap().get::<u8>(1).unwrap_err().to_string(), message("[1]", byte), "{name}");
    }
}

#[test]
fn options_hold_for_every_element() {
    let file = npy("'<f8'", "(2,)", &[0.1f64.to_le_bytes(), 0.2f64.to_le_bytes()].concat());
    let strict = View::new(&file).unwrap();
    assert_eq!(strict.get::<f32>(0).unwrap_err().category(), Category::Data);
    let round = View::new_with(&file, &ReadOptions::default().round_floats(true)).unwrap();
    assert_eq!(round.slice(1..).unwrap().get::<f32>(0).unwrap(), 0.2);
    assert_eq!(round.row(0).unwrap().deserialize::<f32>().unwrap(), 0.1);
    let mut longer = file.clone();
    longer.push(0);
    let error = View::new_with(&longer, &ReadOptions::default().trailing(false)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected the end of the file, found 1 byte, 0 whole elements among them, behind the array (byte 144)"
    );
    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only decoded")]
    struct Only {
        n: u8,
    }
    let file = rows();
    let view = View::new(&file).unwrap();
    let whole = serde_npy::from_slice::<Vec<Only>>(&file).unwrap_err().to_string();
    assert!(whole.starts_with("unknown field `s`, expected `n`"), "{whole}");
    for index in 0..3 {
        let expected =
            whole.replace("[0]", &format!("[{index}]")).replace("byte 192", &format!("byte {}", 192 + 8 * index));
        assert_eq!(view.get::<Only>(index).unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_view_is_shared_by_threads() {
    let file = rows();
    let view = View::new(&file).unwrap();
    std::thread::scope(|scope| {
        for index in 0..3 {
            let view = &view;
            scope.spawn(move || assert_eq!(u64::from(view.get::<Row<'_>>(index).unwrap().n), index + 1));
        }
    });
}

#[test]
fn any_mix_of_steps_is_that_of_a_vec() {
    let all: Vec<u32> = (0..3000).map(|i| i * 7).collect();
    let plain = serde_npy::to_vec(&all).unwrap();
    let records = serde_npy::to_vec(&all.iter().map(|&n| (0.5, n)).collect::<Vec<_>>()).unwrap();
    let mut seed = 88_172_645_463_325_252_u64;
    for round in 0..60 {
        let view = View::new(if round % 2 == 0 { &plain } else { &records }).unwrap();
        let mut elements = if round % 2 == 0 { view.iter::<u32>() } else { view.column::<u32>(&["f1"]).unwrap() };
        let mut model = all.clone().into_iter();
        for _ in 0..200 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let steps = (seed >> 8) as usize % [1, 3, 40, 700][round % 4];
            let (found, expected) = match seed % 5 {
                0 | 1 => (elements.next(), model.next()),
                2 => (elements.next_back(), model.next_back()),
                3 => (elements.nth(steps), model.nth(steps)),
                _ => (elements.nth_back(steps), model.nth_back(steps)),
            };
            assert_eq!(found.map(Result::unwrap), expected, "round {round}");
            assert_eq!(elements.len(), model.len(), "round {round}");
        }
        assert_eq!(elements.to_vec().unwrap(), model.as_slice(), "round {round}");
    }
}

#[test]
fn a_bad_element_in_the_middle_stops_nothing() {
    let rows: Vec<(u8, i64)> = (0..2000).map(|i| (1, if i % 501 == 500 { -1 } else { i })).collect();
    let file = serde_npy::to_vec(&rows).unwrap();
    let view = View::new(&file).unwrap();
    let whole = serde_npy::from_slice::<Vec<(u8, u64)>>(&file).unwrap_err().to_string();
    assert_eq!(
        whole,
        format!("expected u64, found integer `-1` (dtype `<i8`, at `[500].f1`, byte {})", 128 + 500 * 9 + 1)
    );
    assert_eq!(view.records::<(u8, u64)>(..).unwrap_err().to_string(), whole);
    assert_eq!(view.column::<u64>(&["f1"]).unwrap().to_vec().unwrap_err().to_string(), whole);
    for backward in [false, true] {
        let column = view.column::<u64>(&["f1"]).unwrap();
        let mut found: Vec<_> = if backward { column.rev().collect() } else { column.collect() };
        if backward {
            found.reverse();
        }
        for (index, value) in found.into_iter().enumerate() {
            match value {
                Ok(value) => assert_eq!(value, index as u64),
                Err(error) => {
                    assert_eq!(index % 501, 500);
                    let at = format!("at `[{index}].f1`, byte {}", 128 + index * 9 + 1);
                    assert_eq!(error.to_string(), format!("expected u64, found integer `-1` (dtype `<i8`, {at})"));
                }
            }
        }
    }
}
