//! Slices of a type: given where the type's memory is the file's record, refused with the reason where it is not.

use crate::routes::{npy, npy_fortran};
use bytemuck::AnyBitPattern;
use serde::{Deserialize, Serialize, Serializer};
use serde_npy::with::{Datetime, Ns, S};
use serde_npy::{View, WriteOptions};
use std::borrow::Cow;
use std::fmt::Debug;
use std::mem::offset_of;

/// A file at a multiple of 64 bytes in memory, or `shift` bytes behind one.
struct Aligned {
    bytes: Vec<u8>,
    start: usize,
    length: usize,
}

impl Aligned {
    fn new(file: &[u8], shift: usize) -> Aligned {
        let mut bytes = vec![0; file.len() + 128];
        let start = bytes.as_ptr().align_offset(64) + shift;
        bytes[start..start + file.len()].copy_from_slice(file);
        Aligned { bytes, start, length: file.len() }
    }

    fn file(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.length]
    }
}

/// Asserts that a file gives a slice of these values, in place, and the same values decoded.
#[track_caller]
fn gives<T>(file: &[u8], expected: &[T])
where
    T: AnyBitPattern + Serialize + for<'de> Deserialize<'de> + PartialEq + Debug,
{
    let aligned = Aligned::new(file, 0);
    let view = View::new(aligned.file()).unwrap();
    let slice = view.as_slice::<T>().unwrap();
    assert_eq!(slice, expected);
    if !expected.is_empty() {
        assert!(aligned.file().as_ptr_range().contains(&slice.as_ptr().cast()));
    }
    assert!(matches!(view.to_cow::<T>().unwrap(), Cow::Borrowed(_)));
    let shifted = Aligned::new(file, 1);
    let view = View::new(shifted.file()).unwrap();
    let decoded = view.to_cow::<T>().unwrap();
    assert_eq!(*decoded, *expected);
    if align_of::<T>() > 1 && !expected.is_empty() {
        assert!(matches!(decoded, Cow::Owned(_)));
        assert_eq!(
            view.as_slice::<T>().unwrap_err().to_string(),
            format!(
                "expected data at a multiple of {} bytes in memory, found it elsewhere, as members of archives by \
                 NumPy may lie; use `records` or `to_cow`, which decode",
                align_of::<T>()
            )
        );
    }
}

/// Asserts that a file gives no slice of a type, and why.
#[track_caller]
fn refuses<T: AnyBitPattern + Serialize + Debug>(file: &[u8], expected: &str) {
    let aligned = Aligned::new(file, 0);
    let error = View::new(aligned.file()).unwrap().as_slice::<T>().unwrap_err();
    assert_eq!(error.to_string(), expected);
}

const INSTEAD: &str = "use `records`, `column` or `to_cow`, which decode";

fn native(descr: &str, values: &[impl Serialize]) -> Vec<u8> {
    let dtype: serde_npy::DType = descr.parse().unwrap();
    let dtype = if cfg!(target_endian = "big") { dtype.with_byteorder(serde_npy::ByteOrder::Big) } else { dtype };
    serde_npy::to_vec_with(values, &WriteOptions::default().dtype(dtype)).unwrap()
}

#[test]
fn numbers_are_seen_in_place() {
    gives(&native("<f4", &[1.5f32, -2.5, f32::MAX]), &[1.5f32, -2.5, f32::MAX]);
    gives(&native("<f8", &[1.5f64, f64::NEG_INFINITY]), &[1.5f64, f64::NEG_INFINITY]);
    gives(&native("|i1", &[-1i8, 2]), &[-1i8, 2]);
    gives(&native("|u1", &[255u8, 2]), &[255u8, 2]);
    gives(&native("<i2", &[-1i16, 2]), &[-1i16, 2]);
    gives(&native("<u2", &[65_535u16, 2]), &[65_535u16, 2]);
    gives(&native("<i4", &[i32::MIN, 2]), &[i32::MIN, 2]);
    gives(&native("<u4", &[u32::MAX, 2]), &[u32::MAX, 2]);
    gives(&native("<i8", &[i64::MIN, 2]), &[i64::MIN, 2]);
    gives(&native("<u8", &[u64::MAX, 2]), &[u64::MAX, 2]);
    gives::<f64>(&npy("'<f8'", "(0,)", &[]), &[]);
    gives::<f64>(&npy("'<f8'", "(0, 4)", &[]), &[]);
    // Signalling NaN and all bits.
    let bits = [0x7fa0_0001u32, 0xffff_ffff];
    let file = native("<u4", &bits);
    let aligned = Aligned::new(&file, 0);
    assert_eq!(View::new(aligned.file()).unwrap().as_slice::<u32>().unwrap(), bits);
}

#[test]
fn axes_are_flat_or_rows() {
    let file = native("<i4", &[[1, 2, 3], [4, 5, 6]]);
    gives(&file, &[1, 2, 3, 4, 5, 6]);
    gives(&file, &[[1, 2, 3], [4, 5, 6]]);
    gives(&native("<i4", &[[[1, 2], [3, 4]]]), &[[1, 2], [3, 4]]);
    gives(&native("<i4", &[[[1, 2], [3, 4]]]), &[[[1, 2], [3, 4]]]);
    gives(&serde_npy::to_vec(&7i32).unwrap(), &[7]);
    refuses::<[i32; 2]>(&file, &format!("expected a type of shape [3], found one of [2]; {INSTEAD}"));
    refuses::<[[[i32; 3]; 2]; 1]>(
        &file,
        &format!("expected a type for elements of dtype '<i4' in 2 axes, found one of 3 axes; {INSTEAD}"),
    );

    let file = npy_fortran("'|u1'", "(2, 3)", &[1, 4, 2, 5, 3, 6]);
    let view = View::new(&file).unwrap();
    assert_eq!(
        view.as_slice::<u8>().unwrap_err().to_string(),
        "expected elements in C order, found them in Fortran order; use `transpose`, or `to_cow`, which decodes"
    );
    assert_eq!(*view.to_cow::<u8>().unwrap(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(*view.to_cow::<[u8; 3]>().unwrap(), [[1, 2, 3], [4, 5, 6]]);
    assert_eq!(view.transpose().as_slice::<[u8; 2]>().unwrap(), [[1, 4], [2, 5], [3, 6]]);
    assert_eq!(view.axis(1, 2).unwrap().as_slice::<u8>().unwrap(), [3, 6]);
    assert_eq!(*view.row(1).unwrap().to_cow::<u8>().unwrap(), [4, 5, 6]);
    let gaps = format!("expected elements that follow each other, found gaps between them; {INSTEAD}");
    assert_eq!(view.row(1).unwrap().as_slice::<u8>().unwrap_err().to_string(), gaps);
    let c = npy("'|u1'", "(2, 3)", &[1, 2, 3, 4, 5, 6]);
    let view = View::new(&c).unwrap();
    assert_eq!(view.slice(1..).unwrap().as_slice::<u8>().unwrap(), [4, 5, 6]);
    assert_eq!(view.axis(1, 1).unwrap().as_slice::<u8>().unwrap_err().to_string(), gaps);
}

#[derive(Serialize, Deserialize, AnyBitPattern, Clone, Copy, PartialEq, Debug)]
#[repr(C)]
struct Tick {
    #[serde(with = "Datetime::<Ns>")]
    time: i64,
    at: Point,
    price: f64,
    #[serde(with = "S::<4>")]
    symbol: [u8; 4],
    flags: [u16; 2],
}

#[derive(Serialize, Deserialize, AnyBitPattern, Clone, Copy, PartialEq, Debug)]
#[repr(C)]
struct Point {
    x: f32,
    y: f32,
}

#[test]
fn records_are_seen_in_place() {
    let ticks = [1, 2, 3].map(|n| Tick {
        time: i64::from(n) << 40,
        at: Point { x: n as f32, y: -0.5 },
        price: f64::from(n) / 8.0,
        symbol: *b"ACME",
        flags: [n as u16, 7],
    });
    let descr = "[('time', '<M8[ns]'), ('at', [('x', '<f4'), ('y', '<f4')]), ('price', '<f8'), ('symbol', '|S4'), \
                 ('flags', '<u2', (2,))]";
    gives(&native(descr, &ticks), &ticks);
    // A field by itself, and one within it.
    let aligned = Aligned::new(&native("[('at', [('x', '<f4'), ('y', '<f4')])]", &[(ticks[0].at,)]), 0);
    let view = View::new(aligned.file()).unwrap();
    assert_eq!(view.field(&["at"]).unwrap().as_slice::<Point>().unwrap(), [ticks[0].at]);
    // Raw bytes as bytes, complex numbers as pairs.
    gives(&npy("'|V3'", "(2,)", b"abcdef"), &[*b"abc", *b"def"]);
    gives(&npy("'|S2'", "(2,)", b"a\0cd"), &[*b"a\0", *b"cd"]);
    gives(&native("<c8", &[(1.5f32, 2.5f32)]), &[[1.5f32, 2.5]]);
    gives(&native("<c16", &[(1.5f64, 2.5f64)]), &[num_of([1.5, 2.5])]);
}

fn num_of(parts: [f64; 2]) -> Complex {
    Complex(parts)
}

/// A complex number of one's own.
#[derive(Serialize, Deserialize, AnyBitPattern, Clone, Copy, PartialEq, Debug)]
#[repr(transparent)]
#[serde(transparent)]
struct Complex([f64; 2]);

#[test]
fn a_type_that_is_something_else_is_refused() {
    let number = |file: &str, ours: &str| format!("expected a type for `{file}`, found one for `{ours}`; {INSTEAD}");
    // The bytes of small numbers would pass for each other.
    refuses::<u32>(&npy("'<i4'", "(1,)", &[0; 4]), &number("<i4", "<u4"));
    refuses::<i32>(&npy("'<u4'", "(1,)", &[0; 4]), &number("<u4", "<i4"));
    refuses::<f32>(&npy("'<i4'", "(1,)", &[0; 4]), &number("<i4", "<f4"));
    refuses::<f32>(&npy("'<f8'", "(1,)", &[0; 8]), &number("<f8", "<f4"));
    refuses::<i64>(&npy("'<M8[ns]'", "(1,)", &[0; 8]), &number("<M8[ns]", "<i8"));
    refuses::<i64>(&npy("'<m8'", "(1,)", &[0; 8]), &number("<m8", "<i8"));
    refuses::<u8>(&npy("'|b1'", "(1,)", &[0; 1]), &number("|b1", "|u1"));
    refuses::<u16>(&npy("'<f2'", "(1,)", &[0; 2]), &number("<f2", "<u2"));
    refuses::<[f32; 2]>(&npy("'<c16'", "(1,)", &[0; 16]), &number("<f8", "<f4"));
    refuses::<u32>(&npy("'<U1'", "(1,)", &[0; 4]), &number("<U1", "<u4"));
    refuses::<f64>(
        &npy("[('a', '<f8')]", "(1,)", &[0; 8]),
        &format!("expected a type for [('a', '<f8')], found one for '<f8'; {INSTEAD}"),
    );
    refuses::<Point>(
        &npy("'<f8'", "(1,)", &[0; 8]),
        &format!("expected a type for '<f8', found one for [('x', '<f4'), ('y', '<f4')]; {INSTEAD}"),
    );
    let foreign = if cfg!(target_endian = "big") { "<" } else { ">" };
    refuses::<f32>(
        &npy(&format!("'{foreign}f4'"), "(1,)", &[0; 4]),
        &format!("expected the byteorder of this machine, found dtype `{foreign}f4`; {INSTEAD}"),
    );
    refuses::<Unit>(&npy("[]", "(1,)", &[]), &format!("a slice of values of 0 bytes; {INSTEAD}"));
}

#[derive(Serialize, AnyBitPattern, Clone, Copy, Debug)]
struct Unit {}

#[test]
fn a_struct_that_differs_says_in_what() {
    for (descr, itemsize, expected) in [
        ("[('x', '<f4'), ('y', '<f4'), ('z', '<f4')]", 12, "expected a struct of 3 fields, found one of 2"),
        ("[('x', '<f4'), ('z', '<f4')]", 8, "expected the field `z` at position 1 of the struct, found `y`"),
        ("[('y', '<f4'), ('x', '<f4')]", 8, "expected the field `y` at position 0 of the struct, found `x`"),
    ] {
        refuses::<Point>(&npy(descr, "(1,)", &vec![0; itemsize]), &format!("{expected}; {INSTEAD}"));
    }
    let padding = "expected records without padding, found bytes between their fields";
    refuses::<Point>(
        &npy("[('x', '<f4'), ('', '|V4'), ('y', '<f4')]", "(1,)", &[0; 12]),
        &format!("{padding}; {INSTEAD} (at `y`)"),
    );
    refuses::<Point>(
        &npy("[('x', '<f4'), ('y', '<f4'), ('', '|V4')]", "(1,)", &[0; 12]),
        &format!("{padding}; {INSTEAD}"),
    );
    refuses::<Point>(
        &npy("[('x', '<f4'), ('y', '<i4')]", "(1,)", &[0; 8]),
        &format!("expected a type for `<i4`, found one for `<f4`; {INSTEAD} (at `y`)"),
    );
    refuses::<Point>(
        &npy("[('x', '<f4'), ('y', '<f4', (2,))]", "(1,)", &[0; 12]),
        &format!("expected a type of shape [2], found one of []; {INSTEAD} (at `y`)"),
    );
    refuses::<Hidden>(
        &npy("[('a', '<u4')]", "(1,)", &[0; 4]),
        &format!("expected a type of 4 bytes, found one of 8; {INSTEAD}"),
    );
}

#[derive(Serialize, AnyBitPattern, Clone, Copy, Debug)]
#[repr(C)]
struct Hidden {
    a: u32,
    #[serde(skip)]
    b: u32,
}

/// A struct whose fields the compiler may order as it likes; for these it does, to leave no gaps.
macro_rules! free {
    ($($name:ident { $($field:ident: $type:ty),* } $descr:literal)*) => {$(
        #[derive(Serialize, Deserialize, AnyBitPattern, Clone, Copy, PartialEq, Debug)]
        struct $name { $($field: $type),* }

        impl $name {
            /// Whether the fields lie in memory as in the file.
            fn in_order() -> bool {
                let mut end = 0;
                $(
                    let in_order = offset_of!($name, $field) == end;
                    end += size_of::<$type>();
                    if !in_order { return false; }
                )*
                end == size_of::<$name>()
            }
        }
    )*

    #[test]
    fn a_struct_that_the_compiler_reordered_is_refused() {
        let mut reordered = 0;
        $({
            let size = $descr.parse::<serde_npy::DType>().unwrap().itemsize();
            assert_eq!(size, size_of::<$name>(), "the size must not tell");
            let data: Vec<u8> = (0..size as u8 * 2).collect();
            let aligned = Aligned::new(&npy($descr, "(2,)", &data), 0);
            let view = View::new(aligned.file()).unwrap();
            let decoded = view.records::<$name>(..).unwrap();
            match view.as_slice::<$name>() {
                Ok(slice) => assert!($name::in_order() && slice == decoded, "{}", stringify!($name)),
                Err(error) => {
                    assert!(!$name::in_order(), "{}: {error}", stringify!($name));
                    assert_eq!(
                        error.to_string(),
                        format!(
                            "expected the fields of the type in memory where the file has them, found them elsewhere; \
                             give it `#[repr(C)]`, or {INSTEAD}"
                        )
                    );
                    reordered += 1;
                }
            }
            assert_eq!(*view.to_cow::<$name>().unwrap(), decoded);
        })*
        assert!(reordered >= 4, "the compiler reordered {reordered}");
    }
    };
}

free! {
    First { a: u8, b: u32, c: u8, d: u16 } "[('a', '|u1'), ('b', '<u4'), ('c', '|u1'), ('d', '<u2')]"
    Second { a: u16, b: u32, c: u8, d: u8 } "[('a', '<u2'), ('b', '<u4'), ('c', '|u1'), ('d', '|u1')]"
    Third { a: u8, b: u64, c: [u8; 3], d: u32 } "[('a', '|u1'), ('b', '<u8'), ('c', '|u1', (3,)), ('d', '<u4')]"
    Fourth { a: i16, b: f64, c: i32, d: i16 } "[('a', '<i2'), ('b', '<f8'), ('c', '<i4'), ('d', '<i2')]"
    Fifth { a: u32, b: u32 } "[('a', '<u4'), ('b', '<u4')]"
}

/// So large that two bytes of a pattern do not tell one half from the other.
type Half = [[[u8; 28]; 27]; 21];

#[derive(AnyBitPattern, Clone, Copy)]
#[repr(C)]
struct Halves {
    second: Half,
    first: Half,
}

impl Debug for Halves {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Halves").field(&self.first.len()).finish()
    }
}

impl Serialize for Halves {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut halves = serializer.serialize_struct("Halves", 2)?;
        halves.serialize_field("first", &self.first)?;
        halves.serialize_field("second", &self.second)?;
        halves.end()
    }
}

/// Written as something else than what it has in memory.
#[derive(AnyBitPattern, Clone, Copy, Debug)]
#[repr(transparent)]
struct Doubled(u32);

impl Serialize for Doubled {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0.wrapping_mul(2))
    }
}

#[test]
fn a_type_that_writes_itself_otherwise_is_refused() {
    let elsewhere = format!(
        "expected the fields of the type in memory where the file has them, found them elsewhere; give it `#[repr(C)]`, \
         or {INSTEAD}"
    );
    let half = "'|u1', (21, 27, 28)";
    let file = npy(&format!("[('first', {half}), ('second', {half})]"), "(1,)", &vec![0; 2 * 126 * 126]);
    assert_eq!(size_of::<Half>(), 126 * 126);
    refuses::<Halves>(&file, &elsewhere);
    refuses::<Doubled>(&npy("'<u4'", "(1,)", &[0; 4]), &elsewhere);
}

/// However many rows there are, they are not gone through one by one.
#[test]
fn elements_without_bytes_are_counted() {
    let refused = "more than 1048576 values that take no bytes; raise `Limits::empty_items` if they are wanted";
    for (descr, shape) in [
        ("'|u1'", "(9223372036854775807, 0)"),
        ("'|u1'", "(0, 9223372036854775807)"),
        ("'>f8'", "(1000000000, 100000, 0)"),
        ("[]", "(0,)"),
    ] {
        let file = npy(descr, shape, &[]);
        assert_eq!(*View::new(&file).unwrap().to_cow::<f64>().unwrap(), [0.0; 0], "{shape}");
    }
    #[derive(Serialize, Deserialize, AnyBitPattern, Clone, Copy, Debug)]
    #[repr(C)]
    struct Nothing {}

    for (shape, expected) in [
        ("(5,)", Ok(5)),
        ("(0, 9223372036854775807)", Ok(0)),
        ("(1024, 1024)", Ok(1 << 20)),
        ("(1024, 1025)", Err(refused)),
        ("(9223372036854775807,)", Err(refused)),
        ("(1000000000, 1000000000)", Err(refused)),
    ] {
        let file = npy("[]", shape, &[]);
        let view = View::new(&file).unwrap();
        let found = view.to_cow::<Nothing>().map(|all| all.len()).map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(str::to_owned), "{shape}");
        assert_eq!(
            view.as_slice::<Nothing>().unwrap_err().to_string(),
            format!("a slice of values of 0 bytes; {INSTEAD}")
        );
    }
}
