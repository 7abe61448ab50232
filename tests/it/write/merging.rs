//! Where elements disagree: what is united, and what is refused.

use crate::routes::{refuses_to_write, ucs4, writes};
use serde::Serialize;

/// A value that any type may stand in.
#[derive(Serialize, Clone, Copy)]
#[serde(untagged)]
enum Any {
    Bool(bool),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
    Half(half::f16),
    Text(&'static str),
    Unit(()),
    List([u8; 2]),
    Pair((u8, bool)),
}

#[test]
fn numbers_are_united_where_none_is_lost() {
    use Any::*;
    let rows: &[(&[Any], &str, Vec<u8>)] = &[
        (&[I8(-1), I16(2)], "'<i2'", [(-1i16).to_le_bytes(), 2i16.to_le_bytes()].concat()),
        (&[U8(1), U32(2)], "'<u4'", [1u32.to_le_bytes(), 2u32.to_le_bytes()].concat()),
        (&[I8(-1), U8(200)], "'<i2'", [(-1i16).to_le_bytes(), 200i16.to_le_bytes()].concat()),
        (&[I8(1), U8(200)], "'|u1'", vec![1, 200]),
        (&[I8(-1), U8(100)], "'|i1'", vec![255, 100]),
        (&[I64(-1), U64(1)], "'<i8'", [(-1i64).to_le_bytes(), 1i64.to_le_bytes()].concat()),
        (&[I64(1), U64(u64::MAX)], "'<u8'", [1u64.to_le_bytes(), u64::MAX.to_le_bytes()].concat()),
        (&[I32(-1), U32(u32::MAX)], "'<i8'", [(-1i64).to_le_bytes(), i64::from(u32::MAX).to_le_bytes()].concat()),
        (&[F32(0.5), F64(0.1)], "'<f8'", [0.5f64.to_le_bytes(), 0.1f64.to_le_bytes()].concat()),
        (&[I64(3), F64(0.5)], "'<f8'", [3f64.to_le_bytes(), 0.5f64.to_le_bytes()].concat()),
        (&[F32(0.5), U16(3)], "'<f4'", [0.5f32.to_le_bytes(), 3f32.to_le_bytes()].concat()),
        (&[I64(1 << 53), F64(0.5)], "'<f8'", [9_007_199_254_740_992f64.to_le_bytes(), 0.5f64.to_le_bytes()].concat()),
        (&[Text("a"), Text("bcd")], "'<U3'", [ucs4("a", 3), ucs4("bcd", 3)].concat()),
    ];
    for (values, descr, data) in rows {
        writes(*values, descr, "(2,)", data);
    }
}

#[test]
fn what_would_lose_something_is_refused() {
    use Any::*;
    let rows: &[(&[Any], &str)] = &[
        (&[I64(-1), U64(u64::MAX)], "no dtype holds the integers from -1 to 18446744073709551615"),
        (
            &[I64((1 << 53) + 1), F64(0.5)],
            "found integer `9007199254740993` beside floats: `<f8` holds every integer only up to 9007199254740992; give the dtype if it is meant",
        ),
        (
            &[F32(0.5), I32(-16_777_217)],
            "found integer `-16777217` beside floats: `<f4` holds every integer only up to 16777216; give the dtype if it is meant",
        ),
        (&[Bool(true), U8(1)], "expected a bool, found a number (at `[1]`, unlike `[0]`)"),
        (&[U8(1), Bool(true)], "expected a number, found a bool (at `[1]`, unlike `[0]`)"),
        (&[F64(1.0), Text("a")], "expected a number, found text (at `[1]`, unlike `[0]`)"),
        (&[Text("a"), Unit(())], "expected text, found a unit (at `[1]`, unlike `[0]`)"),
        (&[U8(1), List([1, 2])], "expected a number, found a tuple (at `[1]`, unlike `[0]`)"),
        (&[List([1, 2]), U8(1)], "expected a tuple, found a number (at `[1]`, unlike `[0]`)"),
        (&[F32(1.0), Half(half::f16::ONE)], "expected a number, found an f16 (at `[1]`, unlike `[0]`)"),
        (&[List([1, 2]), Pair((1, true))], "expected a number, found a bool (at `[1][1]`, unlike `[0][0]`)"),
    ];
    for (values, message) in rows {
        refuses_to_write(*values, message);
    }
}

/// Two numbers are to blame, not the first record.
#[test]
fn numbers_that_do_not_go_together_are_told_by_their_field() {
    use Any::*;
    #[derive(Serialize)]
    struct Row {
        at: u8,
        v: Any,
    }
    let rows = |values: [Any; 3]| Vec::from(values.map(|v| Row { at: 0, v }));
    refuses_to_write(
        &rows([I64(1), F64(0.5), I64((1 << 53) + 1)]),
        "found integer `9007199254740993` beside floats: `<f8` holds every integer only up to 9007199254740992; give the dtype if it is meant (at `v`)",
    );
    refuses_to_write(
        &rows([U64(u64::MAX), U64(7), I64(-1)]),
        "no dtype holds the integers from -1 to 18446744073709551615 (at `v`)",
    );
}

#[test]
fn tuples_are_an_axis_or_a_record() {
    writes(&(1u8, 2u8), "'|u1'", "(2,)", &[1, 2]);
    writes(&(1u8, 300u16), "'<u2'", "(2,)", &[1, 0, 44, 1]);
    writes(&("a", "bc"), "'<U2'", "(2,)", &[ucs4("a", 2), ucs4("bc", 2)].concat());
    writes(&(1u8, true), "[('f0', '|u1'), ('f1', '|b1')]", "()", &[1, 1]);
    writes(&(1u8, 1i8), "[('f0', '|u1'), ('f1', '|i1')]", "()", &[1, 1]);
    writes(&(1u8, 1f32), "[('f0', '|u1'), ('f1', '<f4')]", "()", &[1, 0, 0, 128, 63]);
    writes(&[(1u8, 2u8), (3, 4)], "'|u1'", "(2, 2)", &[1, 2, 3, 4]);
    writes(&[(1u8, true), (2, false)], "[('f0', '|u1'), ('f1', '|b1')]", "(2,)", &[1, 1, 2, 0]);
    writes(&(1u8, (2u8, true)), "[('f0', '|u1'), ('f1', [('f0', '|u1'), ('f1', '|b1')])]", "()", &[1, 2, 1]);
    writes(&(1u8, [2u8, 3]), "[('f0', '|u1'), ('f1', '|u1', (2,))]", "()", &[1, 2, 3]);
    writes(&[[(1u8, 2u8)], [(3, 4)]], "'|u1'", "(2, 1, 2)", &[1, 2, 3, 4]);
    writes(&(5u8,), "'|u1'", "(1,)", &[5]);
    writes(
        &[(1u8, "a"), (2, "bc")],
        "[('f0', '|u1'), ('f1', '<U2')]",
        "(2,)",
        &[&[1][..], &ucs4("a", 2), &[2], &ucs4("bc", 2)].concat(),
    );
    #[derive(Serialize)]
    struct Pair(u8, bool);
    writes(&[Pair(1, true)], "[('f0', '|u1'), ('f1', '|b1')]", "(1,)", &[1, 1]);
    #[derive(Serialize)]
    struct Rgb(u8, u8, u8);
    writes(&[Rgb(1, 2, 3)], "'|u1'", "(1, 3)", &[1, 2, 3]);
    #[derive(Serialize)]
    struct P {
        x: u8,
    }
    writes(&(P { x: 1 }, P { x: 2 }), "[('x', '|u1')]", "(2,)", &[1, 2]);
}

/// Whether items are alike is decided over all elements, not by the first.
#[test]
fn tuples_are_decided_over_all_elements() {
    use Any::*;
    // Both of unsigned and signed: equal kinds.
    writes(&vec![(U8(1), U8(2)), (I8(3), I8(4))], "'|i1'", "(2, 2)", &[1, 2, 3, 4]);
    // The second position alone has a float.
    writes(
        &vec![(U8(1), U8(2)), (U8(3), F32(4.5))],
        "[('f0', '|u1'), ('f1', '<f4')]",
        "(2,)",
        &[&[1][..], &2f32.to_le_bytes(), &[3], &4.5f32.to_le_bytes()].concat(),
    );
    // Widths merge along the axis.
    writes(&vec![(U8(1), U8(2)), (U8(3), U16(400))], "'<u2'", "(2, 2)", &[1, 0, 2, 0, 3, 0, 144, 1]);
    writes(
        &[("a", "b"), ("c", "de")],
        "'<U2'",
        "(2, 2)",
        &[ucs4("a", 2), ucs4("b", 2), ucs4("c", 2), ucs4("de", 2)].concat(),
    );
}
