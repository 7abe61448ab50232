//! Strings that stand for a dtype, against what NumPy made of them (`tests/data/texts.py`).

use serde_json::Value;
use serde_npy::{ByteOrder, Category, DType, Kind, Scalar, TimeUnit};

#[test]
fn strings_mean_what_numpy_says() {
    let tables: Value = serde_json::from_str(include_str!("../data/texts.json")).unwrap();
    let rows = tables["typestring"].as_array().unwrap();
    let mut accepted = 0;
    for row in rows {
        let text = row[0].as_str().unwrap();
        let found = text.parse::<DType>();
        match row[1].as_str() {
            Some(descr) => {
                let dtype = found.unwrap_or_else(|error| panic!("{text:?}: {error}"));
                assert_eq!(dtype.to_string(), descr, "{text:?}");
                assert_eq!(descr.parse::<DType>().unwrap(), dtype, "{text:?}");
                accepted += 1;
            }
            None => assert!(found.is_err(), "{text:?}: {found:?}"),
        }
    }
    assert!(rows.len() > 700 && accepted > 400, "{} rows, {accepted} accepted", rows.len());
}

#[test]
fn what_numpy_takes_by_accident_is_refused() {
    // Its own type numbers; counts of 0 or less, and overflows of the count; a divisor of 0 ends its process.
    for text in
        ["\x01", "\t", "M8[0ns]", "M8[W/11]", "M8[D/-1]", "M8[1000000000D/3]", "M8[D/0]", "M8[D/99999999999]", "i4,="]
    {
        assert_eq!(text.parse::<DType>().unwrap_err().category(), Category::Syntax, "{text:?}");
    }
}

#[test]
fn divisors_become_multiples_of_a_shorter_unit() {
    let scalar: Scalar = "<M8[2D/3]".parse().unwrap();
    assert_eq!(scalar, Scalar::time(Kind::Datetime, TimeUnit::Hour, 16, ByteOrder::Little).unwrap());
    assert_eq!(scalar.to_string(), "<M8[16h]");
}

#[test]
fn errors_say_what_was_expected() {
    let rows = [
        ("zz", "expected a dtype such as `<f8`, found `zz`"),
        ("i3", "expected a dtype such as `<f8`, found `i3`"),
        ("", "expected a dtype such as `<f8`, found ``"),
        ("M8[minutes]", "expected a time with a unit such as `M8[ns]` or `M8[25us]`, found `M8[minutes]`"),
        ("T", "strings of variable width (dtype `T`) have no form in a file; use `U` or `S`"),
        ("i4,zz", "expected a dtype such as `<f8`, found `zz` in `i4,zz`"),
        ("i4,<2>f4", "expected one byteorder, found `<` and `>` in `i4,<2>f4`"),
        ("i4,f8 f8", "expected types with commas between them, found `i4,f8 f8`"),
        ("03f4", "expected a count or a shape, found `03` in `03f4`"),
        ("(3,)S0", "a shape around a type of 0 bytes, which NumPy does not take"),
        ("[('a', 'zz')]", "expected a dtype such as `<f8`, found `zz` (byte 7)"),
        ("[('a', '<f8'", "expected `,` or `)`, found the end of the text (byte 12)"),
        ("[('a', '<f8')] x", "expected the end of the text, found `x` (byte 15)"),
    ];
    for (text, message) in rows {
        assert_eq!(text.parse::<DType>().unwrap_err().to_string(), message, "{text:?}");
    }
    let many = format!("{}b", "b,".repeat(131_072));
    assert_eq!(many[2..].parse::<DType>().unwrap().itemsize(), 131_072);
    assert_eq!(many.parse::<DType>().unwrap_err().to_string(), "a dtype of over 131072 fields, the limit `max_fields`");
    let long = "x".repeat(100).parse::<Scalar>().unwrap_err().to_string();
    assert_eq!(long, format!("expected a dtype such as `<f8`, found `{}...`", "x".repeat(60)));
}

#[test]
fn descrs_are_printed_as_python_prints_them() {
    let rows = [
        "'<f8'",
        "[]",
        "([], (2,))",
        "('<f4', (3,))",
        "(('<f4', (5,)), (2,))",
        "[('a', ('<f8', (5,)), (2,))]",
        "[('', '|V4'), ('b', '<f4'), ('', '|V8')]",
        "[(('T', 'a'), '<u2')]",
        "[(\"it's\", '|b1'), ('\"', '|b1'), ('\\'\"', '|b1'), ('\\\\', '|b1')]",
        "[('\\x00\\t\\n\\r\\x7f\\x85\\xa0é\\u200bλ\\U000e0001😀', '|b1')]",
        "[('', [('', '<i2')])]",
        "[((None, ''), '|V4')]",
        "[('', '|V1'), ((None, ''), '<u4', (0,)), ('', '|V4')]",
    ];
    for text in rows {
        assert_eq!(text.parse::<DType>().unwrap().to_string(), text);
    }
}
