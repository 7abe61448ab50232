//! The tables of `docs/types.md`: made here from what the crate does, compared with what the page says, and the files
//! behind them handed to NumPy.
//!
//! `SERDE_NPY_BLESS=1 cargo test matrix` writes the page anew.

use crate::python::python;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_npy::{DType, Header, WriteOptions, from_slice, to_vec, to_vec_with, with};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// A file and what NumPy should find in it.
struct File {
    name: String,
    bytes: Vec<u8>,
}

#[derive(Serialize)]
struct Field<'a, T: ?Sized> {
    x: &'a T,
}

/// The written tables, and the files behind them.
struct Written {
    table: String,
    files: Vec<File>,
}

impl Written {
    fn row<T: Serialize + ?Sized>(&mut self, rust: &str, value: &T) {
        let alone = match to_vec(value) {
            Ok(bytes) => {
                let header = Header::read(&bytes[..]).unwrap();
                let text = format!("`{}`, shape {}", bare(header.dtype()), tuple(header.shape()));
                self.files.push(File { name: rust.to_owned(), bytes });
                text
            }
            Err(error) => error.to_string(),
        };
        let field = match to_vec(&[Field { x: value }]) {
            Ok(bytes) => {
                let header = Header::read(&bytes[..]).unwrap();
                let DType::Struct(record) = header.dtype() else { panic!("{rust}") };
                let text = format!("`{}`", bare(record.fields()[0].dtype()));
                self.files.push(File { name: format!("field {rust}"), bytes });
                text
            }
            Err(error) => error.to_string().replace(" (at `[0].x`)", "").replace("`[0].x", "`").replace("[0].x", ""),
        };
        let cells = [alone, field].map(|cell| cell.replace('|', "\\|"));
        writeln!(self.table, "| `{rust}` | {} | {} |", cells[0], cells[1]).unwrap();
    }
}

/// A dtype as a person writes it: a typestring without quotes.
fn bare(dtype: &DType) -> String {
    match dtype {
        DType::Scalar(scalar) => scalar.to_string(),
        other => other.to_string(),
    }
}

fn tuple(shape: &[u64]) -> String {
    match shape {
        [only] => format!("`({only},)`"),
        _ => format!("`({})`", shape.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Serialize, Deserialize)]
enum Side {
    Buy,
    Sell,
}

#[derive(Serialize)]
enum Shape {
    Circle(f64),
}

#[derive(serde_repr::Serialize_repr, serde_repr::Deserialize_repr)]
#[repr(u8)]
enum Code {
    Seven = 7,
}

#[derive(Serialize)]
struct Meters(f64);

#[derive(Serialize)]
struct Marker;

#[derive(Serialize)]
struct Times {
    #[serde(with = "with::Datetime::<with::Ns>")]
    time: i64,
    #[serde(with = "with::Timedelta::<with::Ms>")]
    delay: Option<i64>,
}

fn written() -> Written {
    let mut rows = Written { table: String::new(), files: Vec::new() };
    rows.table.push_str("| Rust value | alone | field of a record |\n|---|---|---|\n");
    rows.row("true", &true);
    rows.row("1i8", &1i8);
    rows.row("1i16", &1i16);
    rows.row("1i32", &1i32);
    rows.row("1i64", &1i64);
    rows.row("1u8", &1u8);
    rows.row("1u16", &1u16);
    rows.row("1u32", &1u32);
    rows.row("1u64", &1u64);
    rows.row("1i128", &1i128);
    rows.row("1.5f32", &1.5f32);
    rows.row("1.5f64", &1.5f64);
    rows.row("half::f16", &half::f16::ONE);
    rows.row("half::bf16", &half::bf16::ONE);
    rows.row("'é'", &'é');
    rows.row("\"text\"", &"text");
    rows.row("String::new()", &String::new());
    rows.row("Path::new(\"a/b\")", Path::new("a/b"));
    rows.row("serde_bytes::Bytes of 4", serde_bytes::Bytes::new(b"\0\x01\x02\x03"));
    rows.row("Some(1i32)", &Some(1i32));
    rows.row("None::<i32>", &None::<i32>);
    rows.row("()", &());
    rows.row("PhantomData::<u8>", &std::marker::PhantomData::<u8>);
    rows.row("struct Marker;", &Marker);
    rows.row("struct Meters(f64)", &Meters(1.5));
    rows.row("struct Point { x: f32, y: f32 }", &Point { x: 1.0, y: 2.0 });
    rows.row("BTreeMap::from([(\"a\", 1u8)])", &BTreeMap::from([("a", 1u8)]));
    rows.row("BTreeMap::from([(1, 1u8)])", &BTreeMap::from([(1, 1u8)]));
    rows.row("enum Side { Buy, Sell }", &[Side::Buy, Side::Sell][0]);
    rows.row("Shape::Circle(1.0)", &Shape::Circle(1.0));
    rows.row("serde_repr enum, repr(u8)", &Code::Seven);
    rows.row("(1i32, 2i32)", &(1i32, 2i32));
    rows.row("(1i32, 2i64)", &(1i32, 2i64));
    rows.row("(1i32, 0.5f64)", &(1i32, 0.5f64));
    rows.row("[0.5f32; 3]", &[0.5f32; 3]);
    rows.row("[[0u8; 3]; 2]", &[[0u8; 3]; 2]);
    rows.row("vec![1u16, 2]", &vec![1u16, 2]);
    rows.row("vec![\"a\", \"bcd\"]", &vec!["a", "bcd"]);
    rows.row("vec![Point {..}; 2]", &vec![Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 }]);
    rows.row("Vec::<f64>::new()", &Vec::<f64>::new());
    rows.row("vec![vec![1], vec![]]", &vec![vec![1], vec![]]);
    rows.row("with::Datetime, with::Timedelta", &Times { time: 1, delay: None });
    rows.row("NonZeroU32", &std::num::NonZeroU32::MIN);
    rows.row("Duration", &std::time::Duration::from_millis(1500));
    rows.row("0..3i32", &(0..3i32));
    rows.row("IpAddr", &std::net::IpAddr::from([127, 0, 0, 1]));
    rows.row("num_complex::Complex<f64>", &num_complex::Complex::new(1.0, 2.0));
    rows.row("ndarray::Array2<f32> of 2 × 3", &ndarray::Array2::<f32>::zeros((2, 3)));
    rows.row("uuid::Uuid", &uuid::Uuid::nil());
    rows.row("chrono::NaiveDate", &chrono::NaiveDate::from_ymd_opt(2024, 2, 29).unwrap());
    rows.row("jiff::Timestamp", &jiff::Timestamp::UNIX_EPOCH);
    rows.row("serde_json::json!(1.5)", &serde_json::json!(1.5));
    rows.row("serde_json::json!({\"a\": [1, -2]})", &serde_json::json!({"a": [1, -2]}));
    rows.row("serde_json::json!(null)", &serde_json::json!(null));
    rows
}

/// Arrays without axes of a dtype, with values small, large and odd.
fn samples(dtype: &str) -> Vec<Vec<u8>> {
    fn give<T: Serialize>(dtype: &str, values: &[T]) -> Vec<Vec<u8>> {
        let options = WriteOptions::default().dtype(dtype.parse().unwrap());
        values.iter().map(|value| to_vec_with(value, &options).unwrap()).collect()
    }
    match dtype {
        "|b1" => give(dtype, &[false, true]),
        "|i1" => give(dtype, &[-128, 0, 1, 127]),
        "<i2" => give(dtype, &[-32768, 0, 1, 32767]),
        "<i4" => give(dtype, &[i32::MIN, 0, 1, i32::MAX]),
        "<i8" => give(dtype, &[i64::MIN, 0, 1, i64::MAX]),
        "|u1" => give(dtype, &[0, 1, 255]),
        "<u2" => give(dtype, &[0, 1, 65535]),
        "<u4" => give(dtype, &[0, 1, u32::MAX]),
        "<u8" => give(dtype, &[0, 1, u64::MAX]),
        "<f2" | "<f4" | "<f8" => give(dtype, &[0.0, 1.5, -2.25, f64::INFINITY]),
        "<c8" | "<c16" => give(dtype, &[(1.0, 2.0), (0.0, -1.5)]),
        "|S4" => give(dtype, &["", "a", "abcd"]),
        "<U4" => give(dtype, &["", "a", "é中𝄞x"]),
        "|V4" => give(dtype, &[[0u8, 1, 2, 3], [97, 98, 99, 100]]),
        "|V0" => give(dtype, &[()]),
        "<M8[ns]" => give(dtype, &[Some("2024-02-29T12:00:00.000000001"), Some("1969-12-31"), None]),
        "<m8[ms]" => give(dtype, &[Some("PT1.5S"), Some("-P1D"), None]),
        "[('x', '<f4'), ('y', '<f4')]" => give(dtype, &[Point { x: 1.0, y: 2.0 }]),
        _ => panic!("{dtype}"),
    }
}

const DTYPES: [&str; 20] = [
    "|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16", "|S4", "<U4",
    "|V4", "|V0", "<M8[ns]", "<m8[ms]",
];

#[derive(Deserialize)]
struct Ns(
    #[serde(with = "with::Datetime::<with::Ns>")]
    #[allow(dead_code, reason = "only read")]
    Option<i64>,
);

#[derive(Deserialize)]
struct Ms(
    #[serde(with = "with::Timedelta::<with::Ms>")]
    #[allow(dead_code, reason = "only read")]
    Option<i64>,
);

/// Whether every sample, some or none can be read.
fn cell<T: DeserializeOwned>(samples: &[Vec<u8>]) -> &'static str {
    let good = samples.iter().filter(|bytes| from_slice::<T>(bytes).is_ok()).count();
    match good {
        0 => "",
        _ if good == samples.len() => "all",
        _ => "some",
    }
}

type Column = (&'static str, fn(&[Vec<u8>]) -> &'static str);

fn numbers() -> Vec<Column> {
    vec![
        ("bool", cell::<bool>),
        ("i8", cell::<i8>),
        ("i16", cell::<i16>),
        ("i32", cell::<i32>),
        ("i64", cell::<i64>),
        ("i128", cell::<i128>),
        ("u8", cell::<u8>),
        ("u16", cell::<u16>),
        ("u32", cell::<u32>),
        ("u64", cell::<u64>),
        ("f32", cell::<f32>),
        ("f64", cell::<f64>),
        ("f16", cell::<half::f16>),
        ("Complex<f32>", cell::<num_complex::Complex<f32>>),
        ("Complex<f64>", cell::<num_complex::Complex<f64>>),
    ]
}

fn others() -> Vec<Column> {
    vec![
        ("char", cell::<char>),
        ("String", cell::<String>),
        ("ByteBuf", cell::<serde_bytes::ByteBuf>),
        ("Vec<u8>", cell::<Vec<u8>>),
        ("[u8; 4]", cell::<[u8; 4]>),
        ("Side", cell::<Side>),
        ("Option<String>", cell::<Option<String>>),
        ("Datetime::<Ns>", cell::<Ns>),
        ("Timedelta::<Ms>", cell::<Ms>),
        ("()", cell::<()>),
        ("serde_json::Value", cell::<serde_json::Value>),
        ("ciborium::Value", cell::<ciborium::Value>),
    ]
}

fn read(columns: &[Column]) -> String {
    let mut table = String::from("| dtype |");
    for (name, _) in columns {
        write!(table, " `{name}` |").unwrap();
    }
    table.push_str("\n|---|");
    table.push_str(&"---|".repeat(columns.len()));
    table.push('\n');
    for dtype in DTYPES {
        let samples = samples(dtype);
        write!(table, "| `{}` |", dtype.replace('|', "\\|")).unwrap();
        for (_, cell) in columns {
            write!(table, " {} |", cell(&samples)).unwrap();
        }
        table.push('\n');
    }
    table
}

#[test]
fn the_page_of_types_says_what_the_crate_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/types.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let tables = [("written", written().table), ("numbers", read(&numbers())), ("others", read(&others()))];
    let mut expected = page.clone();
    for (name, table) in tables {
        let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->"));
        let (head, rest) = expected.split_once(&begin).unwrap();
        let (_, tail) = rest.split_once(&end).unwrap();
        expected = format!("{head}{begin}{table}{end}{tail}");
    }
    if std::env::var_os("SERDE_NPY_BLESS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    assert!(
        page == expected,
        "docs/types.md is not what the crate does; SERDE_NPY_BLESS=1 writes it anew:\n{expected}"
    );
}

/// NumPy opens each file as the dtype and shape that its header says, and saves it as the same bytes again.
#[test]
fn numpy_opens_what_stands_on_the_page() {
    let mut files = written().files;
    for dtype in DTYPES {
        for bytes in samples(dtype) {
            files.push(File { name: dtype.to_owned(), bytes });
        }
    }
    let mut input = Vec::new();
    for file in &files {
        input.extend(u32::try_from(file.bytes.len()).unwrap().to_le_bytes());
        input.extend(&file.bytes);
    }
    let script = r"
import io, struct, sys, numpy
data, at = sys.stdin.buffer.read(), 0
while at < len(data):
    (size,) = struct.unpack_from('<I', data, at)
    file = data[at + 4:at + 4 + size]
    at += 4 + size
    again = io.BytesIO()
    array = numpy.load(io.BytesIO(file))
    numpy.save(again, array)
    print(numpy.lib.format.dtype_to_descr(array.dtype).__repr__(), array.shape, again.getvalue() == file, sep='\t')
";
    let Some(output) = python(script, &input) else { return };
    let output = String::from_utf8(output).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), files.len());
    for (line, file) in lines.iter().zip(&files) {
        let header = Header::read(&file.bytes[..]).unwrap();
        let shape = tuple(header.shape()).replace('`', "");
        assert_eq!(*line, format!("{}\t{shape}\tTrue", header.dtype()), "{}", file.name);
    }
}
