//! The dtype that each Rust type becomes.

use crate::routes::{refuses_to_write, ucs4, writes};
use serde::Serialize;
use serde_bytes::{ByteArray, ByteBuf, Bytes};
use serde_npy::with;
use std::collections::BTreeMap;
use std::marker::PhantomData;

#[test]
fn primitives() {
    writes(&true, "'|b1'", "()", &[1]);
    writes(&-1i8, "'|i1'", "()", &[255]);
    writes(&-2i16, "'<i2'", "()", &(-2i16).to_le_bytes());
    writes(&-3i32, "'<i4'", "()", &(-3i32).to_le_bytes());
    writes(&i64::MIN, "'<i8'", "()", &i64::MIN.to_le_bytes());
    writes(&1u8, "'|u1'", "()", &[1]);
    writes(&2u16, "'<u2'", "()", &2u16.to_le_bytes());
    writes(&3u32, "'<u4'", "()", &3u32.to_le_bytes());
    writes(&u64::MAX, "'<u8'", "()", &[255; 8]);
    writes(&0.1f32, "'<f4'", "()", &0.1f32.to_le_bytes());
    writes(&0.1f64, "'<f8'", "()", &0.1f64.to_le_bytes());
    writes(&f64::NAN, "'<f8'", "()", &f64::NAN.to_le_bytes());
    writes(&'λ', "'<U1'", "()", &ucs4("λ", 1));
    writes("λx", "'<U2'", "()", &ucs4("λx", 2));
    writes("", "'<U1'", "()", &[0; 4]);
    writes(&(), "'|V0'", "()", &[]);
    writes(&half::f16::from_f32(1.5), "'<f2'", "()", &[0, 0x3e]);
    writes(&half::bf16::from_f32(1.5), "'|V2'", "()", &[0xc0, 0x3f]);
    writes(&[half::f16::from_f32(1.5), half::f16::from_f32(-2.0)], "'<f2'", "(2,)", &[0, 0x3e, 0, 0xc0]);
    writes(&Some(5u8), "'|u1'", "()", &[5]);
    writes(&Box::new(5u8), "'|u1'", "()", &[5]);
}

#[test]
fn sequences_of_primitives() {
    writes(&[true, false], "'|b1'", "(2,)", &[1, 0]);
    writes(&vec![1u16, 2], "'<u2'", "(2,)", &[1, 0, 2, 0]);
    writes(&[Some(1u8), Some(2)], "'|u1'", "(2,)", &[1, 2]);
    writes(&["a", "λbc", ""], "'<U3'", "(3,)", &[ucs4("a", 3), ucs4("λbc", 3), ucs4("", 3)].concat());
    writes(&['a', 'b'], "'<U1'", "(2,)", &ucs4("ab", 2));
    writes(&[(), ()], "'|V0'", "(2,)", &[]);
}

#[test]
fn bytes() {
    // On their own they are an array of bytes, in a record or a sequence one element.
    writes(Bytes::new(b"ab\0"), "'|u1'", "(3,)", b"ab\0");
    writes(Bytes::new(b""), "'|u1'", "(0,)", b"");
    writes(&ByteBuf::from(b"ab".to_vec()), "'|u1'", "(2,)", b"ab");
    writes(&[Bytes::new(b"ab"), Bytes::new(b"c\0")], "'|V2'", "(2,)", b"abc\0");
    #[derive(Serialize)]
    struct Record {
        v: ByteArray<2>,
    }
    writes(&Record { v: ByteArray::new(*b"a\0") }, "[('v', '|V2')]", "()", b"a\0");
    // A tuple, and so an array, may be a record.
    writes(&[Bytes::new(b"ab"), Bytes::new(b"abc")], "[('f0', '|V2'), ('f1', '|V3')]", "()", b"ababc");
    refuses_to_write(
        &vec![Bytes::new(b"ab"), Bytes::new(b"abc")],
        "expected 2 bytes, found 3; bytes of different lengths need `with::S`, or a dtype of `S` or `V`, given by \
         `WriteOptions::dtype` \
         (at `[1]`, unlike `[0]`)",
    );
    // Without serde_bytes they are numbers.
    writes(b"ab", "'|u1'", "(2,)", b"ab");
}

#[derive(Serialize)]
struct Plain<'a> {
    id: i32,
    #[serde(rename = "mass kg")]
    mass: f32,
    #[serde(skip)]
    #[allow(dead_code, reason = "that it is not written is the point")]
    cache: u8,
    name: &'a str,
}

#[test]
fn structs() {
    let row = |id, mass, name| Plain { id, mass, cache: 9, name };
    let data = [
        &1i32.to_le_bytes()[..],
        &0.5f32.to_le_bytes(),
        &ucs4("a", 3),
        &2i32.to_le_bytes(),
        &1.5f32.to_le_bytes(),
        &ucs4("bcd", 3),
    ]
    .concat();
    let descr = "[('id', '<i4'), ('mass kg', '<f4'), ('name', '<U3')]";
    writes(&[row(1, 0.5, "a"), row(2, 1.5, "bcd")], descr, "(2,)", &data);
    writes(&row(2, 1.5, "bcd"), descr, "()", &data[20..]);

    #[derive(Serialize)]
    struct Unit;
    #[derive(Serialize)]
    struct Nothing {}
    #[derive(Serialize)]
    struct Units {
        a: u8,
        u: Unit,
        p: PhantomData<u8>,
        n: (),
    }
    writes(
        &Units { a: 1, u: Unit, p: PhantomData, n: () },
        "[('a', '|u1'), ('u', '|V0'), ('p', '|V0'), ('n', '|V0')]",
        "()",
        &[1],
    );
    writes(&Unit, "'|V0'", "()", &[]);
    writes(&[Nothing {}, Nothing {}], "[]", "(2,)", &[]);
}

#[test]
fn nested_structs() {
    #[derive(Serialize)]
    struct Point {
        x: u8,
        y: u8,
    }
    #[derive(Serialize)]
    struct Shape {
        corners: [Point; 2],
        list: Vec<Point>,
        centre: Point,
        weights: [[u8; 3]; 2],
        pair: (u8, bool),
        triple: (u8, u8, u8),
        one: (u8,),
        none: [u8; 0],
    }
    let point = |x, y| Point { x, y };
    let shape = || Shape {
        corners: [point(1, 2), point(3, 4)],
        list: vec![point(5, 6)],
        centre: point(7, 8),
        weights: [[9, 10, 11], [12, 13, 14]],
        pair: (15, true),
        triple: (16, 17, 18),
        one: (19,),
        none: [],
    };
    let points = "[('x', '|u1'), ('y', '|u1')]";
    refuses_to_write(
        &shape(),
        "there is no value to tell the dtype of an empty sequence; give it by `WriteOptions::dtype` or `with::Of` (at `none`)",
    );
    #[derive(Serialize)]
    struct Full {
        corners: [Point; 2],
        list: Vec<Point>,
        centre: Point,
        weights: [[u8; 3]; 2],
        pair: (u8, bool),
        triple: (u8, u8, u8),
        one: (u8,),
    }
    let full = || {
        let Shape { corners, list, centre, weights, pair, triple, one, .. } = shape();
        Full { corners, list, centre, weights, pair, triple, one }
    };
    let descr = format!(
        "[('corners', {points}, (2,)), ('list', {points}, (1,)), ('centre', {points}), ('weights', '|u1', (2, 3)), \
         ('pair', [('f0', '|u1'), ('f1', '|b1')]), ('triple', '|u1', (3,)), ('one', '|u1', (1,))]"
    );
    let bytes: Vec<u8> = (1..=15).chain([1]).chain(16..=19).collect();
    writes(&full(), &descr, "()", &bytes);
    writes(&[full(), full()], &descr, "(2,)", &[&bytes[..], &bytes].concat());
}

#[test]
fn maps_are_records_in_their_order() {
    let map = |a: u8, b: u8| BTreeMap::from([("a", a), ("b", b)]);
    writes(&[map(1, 2), map(3, 4)], "[('a', '|u1'), ('b', '|u1')]", "(2,)", &[1, 2, 3, 4]);
    writes(&BTreeMap::from([('x', 1u8)]), "[('x', '|u1')]", "()", &[1]);
    writes(&BTreeMap::<String, u8>::new(), "[]", "()", &[]);
    #[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
    enum Key {
        A,
    }
    writes(&BTreeMap::from([(Key::A, 1u8)]), "[('A', '|u1')]", "()", &[1]);
    writes(
        &serde_json::json!({"a": 1, "b": [true, false]}),
        "[('a', '<u8'), ('b', '|b1', (2,))]",
        "()",
        &[1, 0, 0, 0, 0, 0, 0, 0, 1, 0],
    );
    refuses_to_write(
        &BTreeMap::from([(1u8, 2u8)]),
        "expected text as the key of a map, since it becomes the name of a field",
    );
    refuses_to_write(&BTreeMap::from([("", 2u8)]), "a field without a name, which NumPy would not keep");
    // The same fields in another order are the same record.
    struct Order(bool);
    impl Serialize for Order {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let pairs = [("a", 1u8), ("b", 2)];
            if self.0 { serializer.collect_map(pairs) } else { serializer.collect_map([pairs[1], pairs[0]]) }
        }
    }
    writes(&[Order(true), Order(false)], "[('a', '|u1'), ('b', '|u1')]", "(2,)", &[1, 2, 1, 2]);
    struct Twice;
    impl Serialize for Twice {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map([("a", 1u8), ("a", 2)])
        }
    }
    refuses_to_write(&Twice, "field `a` occurs twice");
}

#[test]
fn flattened_and_skipped_fields() {
    #[derive(Serialize)]
    struct Inner {
        x: u8,
        y: u8,
    }
    #[derive(Serialize)]
    struct Outer {
        id: u8,
        #[serde(flatten)]
        inner: Inner,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
    let row = |id, names: &[&str]| Outer {
        id,
        inner: Inner { x: 2, y: 3 },
        rest: names.iter().map(|name| ((*name).to_owned(), 4)).collect(),
    };
    let descr = "[('id', '|u1'), ('x', '|u1'), ('y', '|u1'), ('p', '|u1')]";
    writes(&[row(1, &["p"]), row(5, &["p"])], descr, "(2,)", &[1, 2, 3, 4, 5, 2, 3, 4]);
    refuses_to_write(
        &vec![row(1, &["p"]), row(5, &["q"])],
        "found field `q`, which the records before do not have; a dtype has the same fields for all (at `[1]`, unlike `[0]`)",
    );
    refuses_to_write(
        &vec![row(1, &["p"]), row(5, &[])],
        "field `p` is missing, which other records have; a dtype has the same fields for all (at `[1]`, unlike `[0]`)",
    );

    #[derive(Serialize)]
    struct Sparse {
        a: u8,
        #[serde(skip_serializing_if = "Option::is_none")]
        b: Option<u8>,
    }
    writes(&[Sparse { a: 1, b: None }, Sparse { a: 2, b: None }], "[('a', '|u1')]", "(2,)", &[1, 2]);
    writes(
        &[Sparse { a: 1, b: Some(3) }, Sparse { a: 2, b: Some(4) }],
        "[('a', '|u1'), ('b', '|u1')]",
        "(2,)",
        &[1, 3, 2, 4],
    );
    refuses_to_write(
        &vec![Sparse { a: 1, b: Some(3) }, Sparse { a: 2, b: None }],
        "field `b` is missing, which other records have; a dtype has the same fields for all (at `[1]`, unlike `[0]`)",
    );
    refuses_to_write(
        &vec![Sparse { a: 1, b: None }, Sparse { a: 2, b: Some(3) }],
        "found field `b`, which the records before do not have; a dtype has the same fields for all (at `[1]`, unlike `[0]`)",
    );
}

#[test]
fn newtypes_are_what_they_hold() {
    #[derive(Serialize)]
    struct Id(u16);
    #[derive(Serialize)]
    #[serde(transparent)]
    struct Count {
        n: u8,
    }
    #[derive(Serialize)]
    struct Both {
        id: Id,
        count: Count,
    }
    writes(&[Id(1), Id(2)], "'<u2'", "(2,)", &[1, 0, 2, 0]);
    writes(&Both { id: Id(1), count: Count { n: 2 } }, "[('id', '<u2'), ('count', '|u1')]", "()", &[1, 0, 2]);
    #[allow(non_camel_case_types, reason = "the name is the point")]
    #[derive(Serialize)]
    struct f16(f32);
    writes(&f16(0.1), "'<f4'", "()", &0.1f32.to_le_bytes());
}

#[test]
fn unit_variants_are_their_names() {
    #[derive(Serialize)]
    enum Side {
        Buy,
        #[serde(rename = "sell!")]
        Sell,
    }
    writes(&[Side::Buy, Side::Sell], "'<U5'", "(2,)", &[ucs4("Buy", 5), ucs4("sell!", 5)].concat());
    writes(&Side::Buy, "'<U3'", "()", &ucs4("Buy", 3));
    #[derive(serde_repr::Serialize_repr)]
    #[repr(u8)]
    enum Code {
        A = 10,
        B = 20,
    }
    writes(&[Code::A, Code::B], "'|u1'", "(2,)", &[10, 20]);
}

#[test]
fn times_by_helper() {
    #[derive(Serialize)]
    struct At {
        #[serde(with = "with::Datetime::<with::Ns>")]
        t: i64,
        #[serde(with = "with::Timedelta::<with::Min>")]
        d: Option<i64>,
        #[serde(with = "with::Raw")]
        r: i64,
    }
    let at = |t, d| At { t, d, r: 7 };
    let bytes = |counts: &[i64]| counts.iter().flat_map(|count| count.to_le_bytes()).collect::<Vec<_>>();
    let descr = "[('t', '<M8[ns]'), ('d', '<m8[m]'), ('r', '<i8')]";
    writes(&[at(1, Some(2)), at(3, None)], descr, "(2,)", &bytes(&[1, 2, 7, 3, i64::MIN, 7]));
    refuses_to_write(
        &[at(1, None), at(i64::MIN, None)],
        "expected `<M8[ns]`, found integer `-9223372036854775808`, which is NaT; write None for that (at `[1].t`)",
    );
    refuses_to_write(
        &[at(1, Some(i64::MIN))],
        "expected `<m8[m]`, found integer `-9223372036854775808`, which is NaT; write None for that (at `[0].d`)",
    );
}

#[test]
fn complex_numbers_need_a_dtype() {
    writes(
        &[num_complex::Complex::new(1f32, 2.0)],
        "'<f4'",
        "(1, 2)",
        &[1f32.to_le_bytes(), 2f32.to_le_bytes()].concat(),
    );
    crate::routes::writes_with(
        &crate::routes::given("c8"),
        &[num_complex::Complex::new(1f32, 2.0)],
        "'<c8'",
        "(1,)",
        &[1f32.to_le_bytes(), 2f32.to_le_bytes()].concat(),
    );
}
