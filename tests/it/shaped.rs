//! Arrays that bring their shape, `ndarray`'s and our own, and structs of columns.

use ndarray::{Array0, Array1, Array2, Array3, ArrayD, arr0, arr1, arr2};
use serde::{Deserialize, Serialize};
use serde_npy::{Array, Columns, Header, WriteOptions, from_reader, from_slice, to_vec, to_vec_with};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// The descr, the order and the shape of what a value is written as.
#[track_caller]
fn written<T: Serialize + ?Sized>(value: &T) -> (Vec<u8>, String) {
    let bytes = to_vec(value).unwrap();
    let header = Header::read(&bytes[..]).unwrap();
    let order = if header.fortran_order() { " F" } else { "" };
    let text = format!("{} {:?}{order}", header.dtype(), header.shape());
    (bytes, text)
}

/// Written as said, and read again the same by slice and by reader.
#[track_caller]
fn both_ways<T: Serialize + for<'de> Deserialize<'de> + PartialEq + Debug>(value: &T, text: &str) -> Vec<u8> {
    let (bytes, found) = written(value);
    assert_eq!(found, text);
    assert_eq!(from_slice::<T>(&bytes).unwrap(), *value);
    assert_eq!(from_reader::<T>(&bytes[..]).unwrap(), *value);
    bytes
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Point {
    x: f32,
    label: String,
}

#[test]
fn ndarray_is_its_shape_and_elements() {
    both_ways(&arr0(1.5f64), "'<f8' []");
    both_ways(&arr1(&[1i32, 2, 3]), "'<i4' [3]");
    both_ways(&arr2(&[[1u8, 2, 3], [4, 5, 6]]), "'|u1' [2, 3]");
    both_ways(&Array3::<f32>::zeros((2, 3, 4)), "'<f4' [2, 3, 4]");
    both_ways(&ArrayD::from_elem(vec![2, 1, 3], 1i64), "'<i8' [2, 1, 3]");
    both_ways(&ArrayD::from_elem(vec![], 1i64), "'<i8' []");
    both_ways(&vec![arr1(&[1.0, 2.0]), arr1(&[3.0, 4.0])], "'<f8' [2, 2]");
    both_ways(&arr1(&["a".to_owned(), "bcd".to_owned()]), "'<U3' [2]");
    both_ways(
        &arr1(&[Point { x: 1.0, label: "p".into() }, Point { x: 2.0, label: "qq".into() }]),
        "[('x', '<f4'), ('label', '<U2')] [2]",
    );
}

#[test]
fn ndarray_reads_either_order_and_other_numbers() {
    let options = WriteOptions::default().fortran_order(true);
    let bytes = to_vec_with(&[[1i16, 2, 3], [4, 5, 6]], &options).unwrap();
    assert!(Header::read(&bytes[..]).unwrap().fortran_order());
    let expected = arr2(&[[1i64, 2, 3], [4, 5, 6]]);
    assert_eq!(from_slice::<Array2<i64>>(&bytes).unwrap(), expected);
    assert_eq!(from_reader::<Array2<i64>>(&bytes[..]).unwrap(), expected);
    // Written from an array in Fortran order in memory, it is in its logical order.
    let transposed = expected.t();
    assert_eq!(from_slice::<Vec<[i64; 2]>>(&to_vec(&transposed).unwrap()).unwrap(), [[1, 4], [2, 5], [3, 6]]);
    // The number of axes must be that of the type.
    let error = from_slice::<Array1<i64>>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "expected 1 element in sequence, found 2 items");
}

#[test]
fn empty_ndarrays_take_a_given_dtype() {
    let empty = Array2::<f32>::zeros((0, 3));
    let error = to_vec(&empty).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no value to tell the dtype of an empty sequence; give it by `WriteOptions::dtype` or `with::Of` (at `[0][0]`)"
    );
    let options = WriteOptions::default().dtype_of::<f32>().unwrap();
    let bytes = to_vec_with(&empty, &options).unwrap();
    assert_eq!(Header::read(&bytes[..]).unwrap().shape(), [0, 3]);
    assert_eq!(from_slice::<Array2<f32>>(&bytes).unwrap(), empty);
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Body {
    id: u16,
    position: Array1<f64>,
    rotation: Array2<f32>,
    mass: Array0<f32>,
}

#[test]
fn ndarray_in_a_record_is_a_subarray() {
    let body = |id| Body {
        id,
        position: arr1(&[1.0, 2.0, 3.0]),
        rotation: arr2(&[[1.0, 0.0], [0.0, 1.0]]),
        mass: arr0(id.into()),
    };
    both_ways(
        &vec![body(1), body(2)],
        "[('id', '<u2'), ('position', '<f8', (3,)), ('rotation', '<f4', (2, 2)), ('mass', '<f4')] [2]",
    );
    let mut ragged = vec![body(1), body(2)];
    ragged[1].position = arr1(&[1.0]);
    assert_eq!(
        to_vec(&ragged).unwrap_err().to_string(),
        "expected an array of shape [3], found one of [1] (at `[1].position`, unlike `[0].position`)"
    );
}

#[test]
fn an_array_keeps_its_order() {
    both_ways(&Array::new(vec![2, 3], vec![1u8, 2, 3, 4, 5, 6]).unwrap(), "'|u1' [2, 3]");
    let fortran = Array::in_fortran_order(vec![2, 3], vec![1u8, 4, 2, 5, 3, 6]).unwrap();
    let bytes = both_ways(&fortran, "'|u1' [2, 3] F");
    assert_eq!(bytes[128..], [1, 4, 2, 5, 3, 6]);
    assert_eq!(from_slice::<Vec<Vec<u8>>>(&bytes).unwrap(), [[1, 2, 3], [4, 5, 6]]);
    both_ways(&Array::new(vec![], vec![7i64]).unwrap(), "'<i8' []");
    both_ways(&Array::new(vec![1], vec![true]).unwrap(), "'|b1' [1]");
    both_ways(
        &Array::new(vec![1, 2], vec![Point { x: 1.0, label: "a".into() }, Point { x: 2.0, label: "b".into() }])
            .unwrap(),
        "[('x', '<f4'), ('label', '<U1')] [1, 2]",
    );
    // Within others the outer order rules.
    let nested = vec![fortran.clone(), fortran];
    let (bytes, text) = written(&nested);
    assert_eq!(text, "'|u1' [2, 2, 3]");
    assert_eq!(from_slice::<Vec<Vec<Vec<u8>>>>(&bytes).unwrap(), vec![vec![vec![1, 2, 3], vec![4, 5, 6]]; 2]);
}

/// Numbers in bulk are those that come one by one, in every width, either byteorder and order, from memory and readers.
#[test]
fn numbers_are_read_in_bulk() {
    #[track_caller]
    fn check<T>(values: [T; 6])
    where
        T: Serialize + serde::de::DeserializeOwned + PartialEq + Debug + Copy + 'static,
    {
        for byteorder in [serde_npy::ByteOrder::Little, serde_npy::ByteOrder::Big] {
            for fortran_order in [false, true] {
                let options = WriteOptions::default().byteorder(byteorder).fortran_order(fortran_order);
                let rows = [[values[0], values[1], values[2]], [values[3], values[4], values[5]]];
                let bytes = to_vec_with(&rows, &options).unwrap();
                let [a, b, c, d, e, f] = values;
                let stored = if fortran_order { vec![a, d, b, e, c, f] } else { values.to_vec() };
                for array in [from_slice::<Array<T>>(&bytes).unwrap(), from_reader::<Array<T>>(&bytes[..]).unwrap()] {
                    assert_eq!((array.shape(), array.fortran_order()), (&[2, 3][..], fortran_order));
                    assert_eq!(array.data(), stored);
                    assert!(array.iter().eq(&values));
                }
                // As a field, where it is a subarray.
                let record = [(1u8, rows)];
                let options = WriteOptions::default().byteorder(byteorder);
                let bytes = to_vec_with(&record, &options).unwrap();
                let read: Vec<(u8, Array<T>)> = from_slice(&bytes).unwrap();
                assert_eq!(read[0].1.data(), values);
            }
        }
    }
    check([i8::MIN, -1, 0, 1, 2, i8::MAX]);
    check([i16::MIN, -1, 0, 1, 2, i16::MAX]);
    check([i32::MIN, -1, 0, 1, 2, i32::MAX]);
    check([i64::MIN, -1, 0, 1, 2, i64::MAX]);
    check([0u8, 1, 2, 3, 4, u8::MAX]);
    check([0u16, 1, 2, 3, 4, u16::MAX]);
    check([0u32, 1, 2, 3, 4, u32::MAX]);
    check([0u64, 1, 2, 3, 4, u64::MAX]);
    check([0.0f32, -0.0, 1.5, f32::MAX, f32::INFINITY, f32::MIN_POSITIVE]);
    check([0.0f64, -0.0, 1.5, f64::MAX, f64::INFINITY, f64::MIN_POSITIVE]);

    // Many blocks out of a reader, and a short one.
    let many = Array::new(vec![300_001], (0..300_001).map(f64::from).collect()).unwrap();
    let bytes = to_vec(&many).unwrap();
    assert_eq!(from_reader::<Array<f64>>(&bytes[..]).unwrap(), many);
    let error = from_reader::<Array<f64>>(&bytes[..bytes.len() - 3]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the array needs 2400008 bytes of data, found 2400005: element 300000 is cut (byte 2400133)"
    );
    // Another width comes one by one, and a dtype that would lose something not at all.
    assert_eq!(from_slice::<Array<f64>>(&to_vec(&[1i32, 2]).unwrap()).unwrap().data(), [1.0, 2.0]);
    assert!(from_slice::<Array<f32>>(&to_vec(&[1.5f64]).unwrap()).is_err());
}

#[test]
fn nested_vectors_are_arrays_and_arrays_nested_vectors() {
    let cube = vec![vec![vec![1, 2], vec![3, 4], vec![5, 6]]];
    let array: Array<i32> = Array::from_nested(cube.clone()).unwrap();
    assert_eq!(array.shape(), [1, 3, 2]);
    assert_eq!(array.clone().into_nested::<Vec<Vec<Vec<i32>>>>().unwrap(), cube);
    assert_eq!(Array::from_nested(vec![1, 2]).unwrap().into_nested::<Vec<i32>>().unwrap(), [1, 2]);
    assert_eq!(Array::<u8>::from_nested(vec![vec![vec![vec![7]]]]).unwrap().shape(), [1, 1, 1, 1]);
    assert_eq!(Array::<u8>::from_nested(Vec::<Vec<Vec<u8>>>::new()).unwrap().shape(), [0, 0, 0]);
    let empty: Array<u8> = Array::from_nested(vec![Vec::<u8>::new(), vec![]]).unwrap();
    assert_eq!(empty.shape(), [2, 0]);
    assert_eq!(empty.into_nested::<Vec<Vec<u8>>>().unwrap(), [[0u8; 0]; 2]);
    assert_eq!(
        array.into_nested::<Vec<Vec<i32>>>().unwrap_err().to_string(),
        "expected an array of 2 axes, found one of 3"
    );
    // Vectors without elements, which no byte of a file stands for.
    let nest = |shape: [u64; 3]| {
        let array = Array::<u8>::new(shape.to_vec(), vec![]).unwrap();
        array.into_nested::<Vec<Vec<Vec<u8>>>>().map(|nested| nested.len()).map_err(|error| error.to_string())
    };
    assert_eq!(nest([0, 1 << 40, 1 << 20]), Ok(0));
    assert_eq!(nest([3, 0, 1 << 60]), Ok(3));
    assert_eq!(nest([1 << 10, 1 << 10, 0]), Ok(1 << 10));
    let message = "an array without elements in over 1048576 vectors";
    for shape in [[1 << 10, 1025, 0], [1 << 40, 1 << 20, 0], [i64::MAX as u64, 0, 1], [1_000_000_000, 0, 1]] {
        assert_eq!(nest(shape), Err(message.to_owned()));
    }
    assert_eq!(
        Array::<u8>::from_nested(vec![vec![vec![1], vec![2]], vec![vec![3], vec![4, 5]]]).unwrap_err().to_string(),
        "expected 1 item, found 2; the lengths of an axis must be equal (at `[1][1]`)"
    );
}

#[test]
fn an_array_of_the_wrong_size_is_an_error() {
    let rows: &[(Vec<u64>, usize, &str)] = &[
        (vec![2, 3], 5, "expected 6 elements for an array of shape [2, 3], found 5"),
        (vec![], 0, "expected 1 element for an array of shape [], found 0"),
        (vec![0, 5], 1, "expected 0 elements for an array of shape [0, 5], found 1"),
        (
            vec![1 << 33, 1 << 33],
            0,
            "expected more than 2^64 elements for an array of shape [8589934592, 8589934592], found 0",
        ),
    ];
    for (shape, size, message) in rows {
        assert_eq!(Array::new(shape.clone(), vec![0u8; *size]).unwrap_err().to_string(), *message);
    }
}

#[test]
fn errors_in_arrays_tell_all_indices() {
    let options = WriteOptions::default().fortran_order(true);
    for bytes in [to_vec(&[[1, 2], [300, 4]]).unwrap(), to_vec_with(&[[1, 2], [300, 4]], &options).unwrap()] {
        for error in [
            from_slice::<Array<u8>>(&bytes).unwrap_err(),
            from_reader::<Array<u8>>(&bytes[..]).unwrap_err(),
            from_slice::<Array2<u8>>(&bytes).unwrap_err(),
        ] {
            assert_eq!(error.path().as_deref(), Some("[1][0]"), "{error}");
        }
    }
}

#[test]
fn an_array_in_json_is_a_struct() {
    let array = Array::in_fortran_order(vec![2, 2], vec![1, 3, 2, 4]).unwrap();
    let json = serde_json::to_string(&array).unwrap();
    assert_eq!(json, r#"{"shape":[2,2],"fortran_order":true,"data":[1,3,2,4]}"#);
    assert_eq!(serde_json::from_str::<Array<i32>>(&json).unwrap(), array);
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Table {
    id: Vec<u32>,
    #[serde(rename = "name of it")]
    name: Vec<String>,
    position: Vec<[f32; 2]>,
    matrix: Array3<i16>,
    #[serde(default, skip_serializing)]
    absent: Option<Vec<f64>>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Row {
    id: u32,
    #[serde(rename = "name of it")]
    name: String,
    position: [f32; 2],
    matrix: [[i16; 2]; 2],
}

#[test]
fn columns_are_the_records_that_they_make() {
    let table = Columns(Table {
        id: vec![1, 2, 3],
        name: vec!["a".into(), "bcd".into(), String::new()],
        position: vec![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
        matrix: Array3::from_shape_fn((3, 2, 2), |(i, j, k)| i16::try_from(100 * i + 10 * j + k).unwrap()),
        absent: None,
    });
    let bytes = both_ways(
        &table,
        "[('id', '<u4'), ('name of it', '<U3'), ('position', '<f4', (2,)), ('matrix', '<i2', (2, 2))] [3]",
    );
    let rows: Vec<Row> = from_slice(&bytes).unwrap();
    assert_eq!(rows[2], Row { id: 3, name: String::new(), position: [5.0, 6.0], matrix: [[200, 201], [210, 211]] });
    assert_eq!(to_vec(&rows).unwrap(), bytes);

    // A map of columns, some of them; and a given dtype.
    let map: BTreeMap<&str, Vec<f64>> = [("a", vec![1.0, 2.0]), ("b", vec![3.0, 4.0])].into();
    let (bytes, text) = written(&Columns(&map));
    assert_eq!(text, "[('a', '<f8'), ('b', '<f8')] [2]");
    let Columns(read) = from_slice::<Columns<BTreeMap<String, Vec<f64>>>>(&bytes).unwrap();
    assert_eq!(read["b"], [3.0, 4.0]);
    let options = WriteOptions::default().dtype("[('b', '>f4'), ('a', '<i2')]".parse().unwrap());
    let map: BTreeMap<&str, Vec<i32>> = [("a", vec![1, 2]), ("b", vec![3, 4])].into();
    let bytes = to_vec_with(&Columns(map), &options).unwrap();
    assert_eq!(from_slice::<Vec<(f32, i16)>>(&bytes).unwrap(), [(3.0, 1), (4.0, 2)]);
}

#[test]
fn only_the_columns_that_are_asked_for_are_decoded() {
    #[derive(Deserialize)]
    struct Ids {
        id: Vec<u64>,
    }
    // The other column holds what is no text.
    let options = WriteOptions::default().dtype("[('id', 'u2'), ('junk', 'S2')]".parse().unwrap());
    let rows: Vec<(u16, serde_bytes::ByteBuf)> =
        vec![(1, serde_bytes::ByteBuf::from(vec![0xff, 0xfe])), (2, serde_bytes::ByteBuf::from(vec![0xff]))];
    let bytes = to_vec_with(&rows, &options).unwrap();
    assert_eq!(from_slice::<Columns<Ids>>(&bytes).unwrap().0.id, [1, 2]);
    assert_eq!(from_reader::<Columns<Ids>>(&bytes[..]).unwrap().0.id, [1, 2]);
}

#[test]
fn columns_that_make_no_records_are_an_error() {
    #[derive(Serialize, Deserialize, Debug)]
    struct Two {
        a: Vec<u8>,
        b: Vec<u8>,
    }
    assert_eq!(
        to_vec(&Columns(Two { a: vec![1, 2], b: vec![3] })).unwrap_err().to_string(),
        "expected a column of 2 items, found 1 (at `b`)"
    );
    assert_eq!(to_vec(&Columns(5)).unwrap_err().to_string(), "expected a struct or a map of columns");
    assert_eq!(
        to_vec(&vec![Columns(Two { a: vec![1], b: vec![3] })]).unwrap_err().to_string(),
        "`Columns` stand only for a whole array (at `[0]`)"
    );
    let bytes = to_vec(&[1, 2]).unwrap();
    assert_eq!(
        from_slice::<Columns<Two>>(&bytes).unwrap_err().to_string(),
        "expected an array of records of one axis to read columns from, found dtype '<i4' and 1 axis"
    );
    let bytes = to_vec(&("a", 1u8)).unwrap();
    assert_eq!(
        from_slice::<Columns<Two>>(&bytes).unwrap_err().to_string(),
        "expected an array of records of one axis to read columns from, found dtype [('f0', '<U1'), ('f1', '|u1')] and 0 \
         axes"
    );
    let bytes = to_vec(&[("a", 1u8)]).unwrap();
    assert_eq!(
        from_slice::<Columns<Two>>(&bytes).unwrap_err().to_string(),
        "field `a` is missing, there are `f0`, `f1`"
    );
}
