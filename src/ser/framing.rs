//! A header and the elements behind it.

use crate::dtype::DType;
use crate::error::{Cut, Error, Result};
use crate::header::{Header, in_both_orders};
use crate::io::{Sink, zeroed};
use crate::options::WriteOptions;
use crate::plan::Node;
use crate::ser::array::Output;
use crate::ser::columns::{Table, no_table};
use crate::ser::open::refuse_open;
use crate::ser::trace::trace;
use crate::trace::{Kind, Layout};
use serde::ser::{Serialize, SerializeSeq as _, Serializer};
use std::io::Write;

/// What stands in front of a value, and how the value is to be written.
pub(crate) struct Frame {
    pub(crate) header: Header,
    /// Whether it is a struct of columns, which are written one after the other.
    columns: bool,
    /// Whether every part of the value is known to fit the header.
    fits: bool,
}

impl Frame {
    /// Whether all of the data is encoded in memory before the first byte is written.
    pub(crate) fn is_held(&self) -> bool {
        self.columns || self.header.fortran_order()
    }
}

/// The frame that a value and the options ask for.
pub(crate) fn frame<T: Serialize + ?Sized>(value: &T, options: &WriteOptions) -> Result<Frame> {
    frame_of(value, false, options)
}

/// The same for records, which lie along the first axis whatever they are.
pub(crate) fn frame_of_records<T: Serialize>(records: &[T], options: &WriteOptions) -> Result<Frame> {
    frame_of(records, true, options)
}

fn frame_of<T: Serialize + ?Sized>(value: &T, are_records: bool, options: &WriteOptions) -> Result<Frame> {
    let seen = trace(value, options.dtype.is_some())?;
    let columns = matches!(seen.kind, Kind::Columns(_));
    let Layout { dtype, shape, fortran_order } = match &options.dtype {
        Some(dtype) => Layout::around_all(&seen, dtype, are_records),
        None => Layout::of(&seen)?,
    };
    let mut header = header_of(dtype, shape, options)?;
    if fortran_order {
        header = in_order(header, true);
    }
    Ok(Frame { header, columns, fits: options.dtype.is_none() })
}

/// The header of an array of `length` rows like these, which are its first.
///
/// `open` says whether the width of text, bytes and sequences in records may be taken from the rows at hand.
pub(crate) fn header_of_rows<T: Serialize>(
    rows: &[T],
    length: u64,
    open: bool,
    options: &WriteOptions,
) -> Result<Header> {
    let mut shape = vec![length];
    let dtype = match (&options.dtype, rows.first()) {
        (Some(dtype), None) => dtype.clone(),
        (Some(dtype), Some(first)) => {
            let seen = trace(first, true).map_err(|error| error.at_index(0))?;
            shape.extend(Layout::around(&seen, dtype).shape);
            dtype.clone()
        }
        (None, _) => {
            let trace = trace(&OneByOne(rows), false)?;
            if !open {
                refuse_open(&trace)?;
            }
            let found = Layout::of(&trace)?;
            shape.extend(found.shape.get(1..).unwrap_or_default());
            found.dtype
        }
    };
    header_of(dtype, shape, options)
}

/// Rows that are shown one by one.
///
/// As the whole that they are they would be a second place for the loops over such records, which the compiler then inlines
/// in neither.
struct OneByOne<'a, T>(&'a [T]);

impl<T: Serialize> Serialize for OneByOne<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(Some(self.0.len()))?;
        self.0.iter().try_for_each(|row| sequence.serialize_element(row))?;
        sequence.end()
    }
}

/// The header of an array of a dtype and a shape.
pub(crate) fn header_of(dtype: DType, shape: Vec<u64>, options: &WriteOptions) -> Result<Header> {
    if let Some(path) = dtype.first_object() {
        let place = if path.is_empty() { String::new() } else { format!(" in field `{}`", Cut(path.join("."))) };
        return Err(Error::unsupported(format!("objects{place} are not written, since they would have to be pickled")));
    }
    let dtype = match options.byteorder {
        Some(byteorder) => dtype.with_byteorder(byteorder),
        None => dtype,
    };
    let (dtype, shape) = without_subarray(dtype, shape);
    let header = in_order(Header::new(dtype, shape)?, options.fortran_order);
    match options.version {
        Some(version) => header.with_version(version),
        None => Ok(header),
    }
}

/// As NumPy does: an array whose dtype is a subarray has further axes instead.
fn without_subarray(mut dtype: DType, mut shape: Vec<u64>) -> (DType, Vec<u64>) {
    while let DType::Subarray(subarray) = dtype {
        shape.extend(subarray.shape().iter().map(|&length| u64::try_from(length).unwrap_or(u64::MAX)));
        dtype = subarray.base().clone();
    }
    (dtype, shape)
}

/// As NumPy does: an array that is in both orders is in C order.
fn in_order(header: Header, fortran_order: bool) -> Header {
    let in_both = in_both_orders(header.shape());
    header.with_fortran_order(fortran_order && !in_both)
}

/// Writes a value behind the header that was found for it.
pub(crate) fn write_value<T: Serialize + ?Sized>(value: &T, frame: &Frame, writer: &mut dyn Write) -> Result<()> {
    let header = &frame.header;
    let plan = Node::new(header.dtype());
    if frame.is_held() {
        // All of it is encoded before the first byte is written.
        let mut data = zeroed(usize::try_from(header.data_len()).unwrap_or(usize::MAX))?;
        if frame.columns {
            let (Node::Struct(record), Some(&length)) = (&plan, header.shape().first()) else {
                return Err(no_table());
            };
            value.serialize(Table { record, length, data: &mut data })?;
        } else {
            let strides = fortran_strides(header.shape(), plan.itemsize());
            Output::held(&plan, header.shape(), &mut data, strides).write(value)?;
        }
        header.write(&mut *writer)?;
        return writer.write_all(&data).map_err(Error::io);
    }
    let mut sink = Sink::for_data(&mut *writer as &mut dyn Write, plan.itemsize(), header.data_len())?;
    header.write(sink.get_mut())?;
    Output::blocks(&plan, header.shape(), sink).write(value)
}

fn fortran_strides(shape: &[u64], itemsize: usize) -> Vec<usize> {
    let mut step = itemsize;
    let stride = |&length: &u64| {
        let stride = step;
        // Cannot saturate where there is memory for all of it.
        step = step.saturating_mul(usize::try_from(length).unwrap_or(usize::MAX));
        stride
    };
    shape.iter().map(stride).collect()
}

/// Checks that every part of a value fits its header, so that nothing is written of one that does not.
pub(crate) fn check_value<T: Serialize + ?Sized>(value: &T, frame: &Frame) -> Result<()> {
    // A dtype that was found from the value fits it, and what is encoded before the first byte is checked by that.
    if frame.fits || frame.is_held() {
        return Ok(());
    }
    let header = &frame.header;
    let plan = Node::new(header.dtype());
    let mut nowhere = std::io::sink();
    let sink = Sink::for_data(&mut nowhere as &mut dyn Write, plan.itemsize(), header.data_len())?;
    Output::blocks(&plan, header.shape(), sink).write(value)
}
