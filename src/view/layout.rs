//! Whether the memory of a Rust type is an element of a file: proved before a slice of the type is handed out.

use crate::dtype::{ByteOrder, DType, Kind, Scalar, Struct};
use crate::error::{Count, Error, Result};
use crate::options::WriteOptions;
use crate::plan::Node;
use crate::ser::{header_of_rows, write_slowly};
use bytemuck::{AnyBitPattern, Zeroable};
use serde::Serialize;

/// What is said to those whose type does not fit.
const INSTEAD: &str = "use `records`, `column` or `to_cow`, which decode";

/// What a pattern may have as a byte: 1 to this. No float of such bytes is NaN or infinite, no integer negative, no text
/// anything but ASCII, so that whatever a type makes of them is written back as it is.
const MOST: usize = 126;

/// A dtype and axes around it.
struct Shaped {
    dtype: DType,
    axes: Vec<u64>,
}

impl Shaped {
    /// Makes axes of subarrays.
    fn new(dtype: &DType, axes: &[u64]) -> Shaped {
        let (mut dtype, mut axes) = (dtype, axes.to_vec());
        while let DType::Subarray(subarray) = dtype {
            axes.extend(subarray.shape().iter().map(|&length| u64::try_from(length).unwrap_or(u64::MAX)));
            dtype = subarray.base();
        }
        Shaped { dtype: dtype.clone(), axes }
    }

    /// As an array of parts, where a type has these in the place of the whole: a complex number as two floats, bytes as
    /// numbers.
    fn in_parts(mut self, other: &DType) -> Result<Shaped> {
        let (DType::Scalar(own), DType::Scalar(other)) = (&self.dtype, other) else { return Ok(self) };
        let count = match (own.kind(), other.kind()) {
            (Kind::Complex, Kind::Float) => 2,
            (Kind::Bytes | Kind::Void, Kind::UInt) if other.itemsize() == 1 => own.itemsize(),
            _ => return Ok(self),
        };
        let itemsize = own.itemsize().checked_div(count).unwrap_or(0);
        let part = Scalar::new(other.kind(), itemsize, own.byteorder())?;
        self.axes.push(u64::try_from(count).unwrap_or(u64::MAX));
        self.dtype = DType::Scalar(part);
        Ok(self)
    }
}

/// How many of the last axes of an array of such elements one `T` has in it, proved in full: dtype, names, size, places.
pub(crate) fn axes_within<T: AnyBitPattern + Serialize>(dtype: &DType, shape: &[u64]) -> Result<usize> {
    let traced = traced::<T>()?;
    let within = count_within(&traced, dtype, shape)?;
    let axes = shape.len().checked_sub(within).and_then(|outer| shape.get(outer..)).unwrap_or_default();
    same(&traced, Shaped::new(dtype, axes))?;
    let node = Node::row(dtype, axes)?;
    if node.itemsize() != size_of::<T>() {
        return Err(Error::data(format!(
            "expected a type of {}, found one of {}; {INSTEAD}",
            Count(node.itemsize(), "byte"),
            size_of::<T>()
        )));
    }
    if size_of::<T>() == 0 {
        return Err(Error::data(format!("a slice of values of 0 bytes; {INSTEAD}")));
    }
    probe::<T>(&node)?;
    Ok(within)
}

/// How many of the last axes of an array one `T` has in it, as far as the number of axes tells.
pub(crate) fn axes_of<T: AnyBitPattern + Serialize>(dtype: &DType, shape: &[u64]) -> Result<usize> {
    count_within(&traced::<T>()?, dtype, shape)
}

/// What a value of the type would be written as.
fn traced<T: Zeroable + Serialize>() -> Result<Shaped> {
    let header = header_of_rows(&[T::zeroed()], 1, true, &WriteOptions::default())?;
    let axes = header.shape().get(1..).unwrap_or_default();
    Ok(Shaped { dtype: header.dtype().clone(), axes: axes.to_vec() })
}

fn count_within(traced: &Shaped, dtype: &DType, shape: &[u64]) -> Result<usize> {
    let element = Shaped::new(dtype, &[]).in_parts(&traced.dtype)?;
    match traced.axes.len().checked_sub(element.axes.len()) {
        Some(within) if within <= shape.len() => Ok(within),
        _ => Err(Error::data(format!(
            "expected a type for elements of dtype {dtype} in {}, found one of {}; {INSTEAD}",
            Count(shape.len(), "axis"),
            Count(traced.axes.len(), "axis")
        ))),
    }
}

/// Refuses a type that is written as something else than what the file has, in a field at least.
fn same(traced: &Shaped, file: Shaped) -> Result<()> {
    let file = file.in_parts(&traced.dtype)?;
    if file.axes != traced.axes {
        return Err(Error::data(format!(
            "expected a type of shape {:?}, found one of {:?}; {INSTEAD}",
            file.axes, traced.axes
        )));
    }
    match (&traced.dtype, &file.dtype) {
        (DType::Struct(ours), DType::Struct(theirs)) => same_fields(ours, theirs),
        (DType::Scalar(ours), DType::Scalar(theirs)) => same_scalar(*ours, *theirs),
        (ours, theirs) => Err(Error::data(format!("expected a type for {theirs}, found one for {ours}; {INSTEAD}"))),
    }
}

fn same_fields(ours: &Struct, theirs: &Struct) -> Result<()> {
    let (ours_len, theirs_len) = (ours.fields().len(), theirs.fields().len());
    if ours_len != theirs_len {
        return Err(Error::data(format!(
            "expected a struct of {}, found one of {ours_len}; {INSTEAD}",
            Count(theirs_len, "field")
        )));
    }
    let mut end = 0usize;
    for (position, (our, their)) in ours.fields().iter().zip(theirs.fields()).enumerate() {
        if our.name() != their.name() {
            return Err(Error::data(format!(
                "expected the field `{}` at position {position} of the struct, found `{}`; {INSTEAD}",
                their.name(),
                our.name()
            )));
        }
        if their.offset() != end {
            return Err(padding().at_field(their.name()));
        }
        end = end.saturating_add(their.dtype().itemsize());
        same(&Shaped::new(our.dtype(), &[]), Shaped::new(their.dtype(), &[]))
            .map_err(|error| error.at_field(their.name()))?;
    }
    if theirs.itemsize() == end { Ok(()) } else { Err(padding()) }
}

fn padding() -> Error {
    Error::data(format!("expected records without padding, found bytes between their fields; {INSTEAD}"))
}

fn same_scalar(ours: Scalar, theirs: Scalar) -> Result<()> {
    let alike = ours.kind() == theirs.kind()
        && ours.itemsize() == theirs.itemsize()
        && ours.datetime_data() == theirs.datetime_data();
    if !alike {
        return Err(Error::data(format!("expected a type for `{theirs}`, found one for `{ours}`; {INSTEAD}")));
    }
    let foreign = if cfg!(target_endian = "big") { ByteOrder::Little } else { ByteOrder::Big };
    if theirs.byteorder() == foreign {
        let message = format!("expected the byteorder of this machine, found dtype `{theirs}`; {INSTEAD}");
        return Err(Error::data(message));
    }
    Ok(())
}

/// Makes values of known bytes, and compares these with what the values are written as.
///
/// Each pattern tells one digit of the place of each byte; together they tell every place apart, so that bytes that come
/// back equal lie where the file has them.
fn probe<T: AnyBitPattern + Serialize>(node: &Node) -> Result<()> {
    let size = size_of::<T>();
    let mut unit = 1usize;
    let mut told = 0usize;
    while told < 2 || unit < size {
        let pattern: Vec<u8> = (0..size)
            .map(|place| place.checked_div(unit).and_then(|digits| digits.checked_rem(MOST)).unwrap_or(0))
            .map(|digit| u8::try_from(digit).unwrap_or(0).saturating_add(1))
            .collect();
        let Ok(value) = bytemuck::try_pod_read_unaligned::<T>(&pattern) else {
            return Err(Error::data(format!("a value that cannot be made of its bytes; {INSTEAD}")));
        };
        let mut written = vec![0; size];
        write_slowly(node, &value, &mut written).map_err(|error| error.because(INSTEAD))?;
        if written != pattern {
            return Err(Error::data(format!(
                "expected the fields of the type in memory where the file has them, found them elsewhere; give it \
                 `#[repr(C)]`, or {INSTEAD}"
            )));
        }
        unit = unit.saturating_mul(MOST);
        told = told.saturating_add(1);
    }
    Ok(())
}
