//! A header and the elements behind it.

use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::header::Header;
use crate::io::{BLOCK, Sink};
use crate::options::WriteOptions;
use crate::plan::Node;
use crate::ser::array::{Output, Record};
use crate::ser::layout::{layout, shape_around};
use crate::ser::open::refuse_open;
use crate::ser::trace::trace;
use serde::Serialize;
use std::io::Write;

/// The header that a value and the options ask for.
pub(crate) fn header_for<T: Serialize + ?Sized>(value: &T, options: &WriteOptions) -> Result<Header> {
    let (dtype, shape) = match &options.dtype {
        Some(dtype) => (dtype.clone(), shape_around(&trace(value, true)?, dtype)),
        None => layout(&trace(value, false)?)?,
    };
    header_of(dtype, shape, options)
}

/// The header of an array of `length` rows like these, which are its first.
///
/// `open` says whether the width of text, bytes and sequences in records may be taken from the rows at hand.
pub(crate) fn header_of_rows<T: Serialize>(rows: &[T], length: u64, open: bool, options: &WriteOptions) -> Result<Header> {
    let mut shape = vec![length];
    let dtype = match (&options.dtype, rows.first()) {
        (Some(dtype), None) => dtype.clone(),
        (Some(dtype), Some(first)) => {
            let inner = shape_around(&trace(first, true).map_err(|error| error.at_index(0))?, dtype);
            shape.extend(inner);
            dtype.clone()
        }
        (None, _) => {
            let trace = trace(rows, false)?;
            if !open {
                refuse_open(&trace)?;
            }
            let (dtype, found) = layout(&trace)?;
            shape.extend(found.get(1..).unwrap_or_default());
            dtype
        }
    };
    header_of(dtype, shape, options)
}

/// The header of an array of a dtype and a shape.
pub(crate) fn header_of(dtype: DType, shape: Vec<u64>, options: &WriteOptions) -> Result<Header> {
    if let Some(path) = dtype.first_object() {
        let place = if path.is_empty() { String::new() } else { format!(" in field `{}`", path.join(".")) };
        return Err(Error::unsupported(format!("objects{place} are not written, since they would have to be pickled")));
    }
    let dtype = match options.byteorder {
        Some(byteorder) => dtype.with_byteorder(byteorder),
        None => dtype,
    };
    // As NumPy does: an array that is in both orders is in C order.
    let in_both = shape.iter().filter(|&&length| length != 1).count() <= 1 || shape.contains(&0);
    let header = Header::new(dtype, shape)?.with_fortran_order(options.fortran_order && !in_both);
    match options.version {
        Some(version) => header.with_version(version),
        None => Ok(header),
    }
}

/// Writes a value behind the header that was found for it.
pub(crate) fn write_value<T: Serialize + ?Sized>(value: &T, header: &Header, writer: &mut dyn Write) -> Result<()> {
    let plan = Node::new(header.dtype());
    if header.fortran_order() {
        // All of it is encoded before the first byte is written.
        let mut output = Output::fortran(&plan, header.shape())?;
        value.serialize(output.array())?;
        let data = output.finish()?.unwrap_or_default();
        header.write(&mut *writer)?;
        return writer.write_all(&data).map_err(Error::io);
    }
    header.write(&mut *writer)?;
    let mut output = Output::blocks(&plan, header.shape(), Sink::new(writer, plan.itemsize()));
    value.serialize(output.array())?;
    output.finish()?;
    Ok(())
}

/// Checks that every part of a value fits its header, so that nothing is written of one that does not.
///
/// Needed only where the dtype was given: one that was found from the value fits it.
pub(crate) fn check_value<T: Serialize + ?Sized>(value: &T, header: &Header) -> Result<()> {
    let plan = Node::new(header.dtype());
    let mut output = Output::check(&plan, header.shape());
    value.serialize(output.array())
}

/// Writes records behind the header that was found for them, a block at a time.
pub(crate) fn write_records<T: Serialize>(records: &[T], header: &Header, writer: &mut dyn Write) -> Result<()> {
    let plan = Node::new(header.dtype());
    let itemsize = plan.itemsize();
    header.write(&mut *writer)?;
    let mut sink = Sink::new(writer, itemsize);
    let count = BLOCK.checked_div(itemsize).map_or(records.len(), |count| count.max(1)).max(1);
    let mut before = 0usize;
    for chunk in records.chunks(count) {
        sink.flush()?;
        let block = sink.slots(chunk.len())?;
        T::write_block(&plan, chunk, block).map_err(|(done, error)| {
            error.at_index(u64::try_from(before.saturating_add(done)).unwrap_or(u64::MAX))
        })?;
        before = before.saturating_add(chunk.len());
    }
    sink.flush()
}
