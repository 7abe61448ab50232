//! An arbitrary dtype, shape and value: what is read is written as it was, and what is written is read as it was.

use super::any::Any;
use super::choices::Choices;
use serde_npy::{DType, Header, ReadOptions, WriteOptions};

pub(crate) fn check(data: &[u8]) {
    let mut choices = Choices(data);
    let Some(header) = choices.header() else { return };
    let printed = header.dtype().to_string();
    assert_eq!(printed.parse::<DType>().unwrap(), *header.dtype());

    let mut file = header.to_bytes().unwrap();
    let start = file.len();
    file.resize(start + usize::try_from(header.data_len()).unwrap(), 0);
    for slot in file[start..].chunks_mut(header.dtype().itemsize().max(1)) {
        choices.fill(header.dtype(), slot);
    }
    let strict = ReadOptions::default().strict(true).trailing(false);
    assert_eq!(Header::read_with(&file[..], &strict).unwrap(), header);
    // Dates beyond the calendar and text that ends within a character are errors.
    let Ok(value) = serde_npy::from_slice_with::<Any>(&file, &strict) else { return };
    given(&header, &file, &value);
    traced(&value);
}

/// With the dtype given, the value is written as the file that it was read from.
fn given(header: &Header, file: &[u8], value: &Any) {
    // Nested sequences do not tell the axes behind one of length 0, nor those of no elements.
    let shape = header.shape();
    if shape.iter().rev().skip(1).any(|&length| length == 0) {
        return;
    }
    let options = WriteOptions::default().dtype(header.dtype().clone()).fortran_order(header.fortran_order());
    let written = serde_npy::to_vec_with(value, &options).unwrap();
    let again = Header::read(&written[..]).unwrap();
    assert_eq!((again.dtype(), again.shape()), (header.dtype(), shape));
    assert_eq!(serde_npy::from_slice::<Any>(&written).unwrap(), *value);
    // Arrays that are in both orders are written as C.
    if again.fortran_order() == header.fortran_order() && !value.has_nan() {
        assert_eq!(written, file);
    }
}

/// Without one, the dtype is found from the value, which is read as it was or is refused.
fn traced(value: &Any) {
    let Ok(written) = serde_npy::to_vec(value) else { return };
    let strict = ReadOptions::default().strict(true).trailing(false);
    let again = serde_npy::from_slice_with::<Any>(&written, &strict).unwrap();
    assert!(equal(value, &again), "{value:?}, {again:?}");
}

/// Equal, where whole numbers are equal in every type and bytes at the top are a sequence of them.
fn equal(a: &Any, b: &Any) -> bool {
    match (a, b) {
        (Any::Seq(a), Any::Seq(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Any::Map(a), Any::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((name, a), (other, b))| name == other && equal(a, b))
        }
        (Any::Bytes(a), Any::Seq(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(&Any::UInt((*a).into()), b))
        }
        // No bytes are no text: `|V0`.
        (Any::Bytes(a), Any::Unit) | (Any::Unit, Any::Bytes(a)) => a.is_empty(),
        _ => match (a.number(), b.number()) {
            (Some((a, Some(exact))), Some((b, other))) => a == b && other.is_none_or(|other| other == exact),
            (Some((a, None)), Some((b, None))) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (None, None) => a == b,
            _ => false,
        },
    }
}
