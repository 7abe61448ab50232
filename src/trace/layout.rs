//! From what a pass has seen to a dtype and a shape.

use crate::dtype::{ByteOrder, DType, Field, Kind as Scalars, Scalar, Struct, Subarray};
use crate::error::{Count, Error, Result};
use crate::trace::seen::{Kind, Record, Trace, none};

/// The dtype and the shape that a value asks for.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) dtype: DType,
    pub(crate) shape: Vec<u64>,
    /// Whether the value is an array that keeps Fortran order.
    pub(crate) fortran_order: bool,
}

impl Layout {
    /// What is found from the value alone.
    pub(crate) fn of(trace: &Trace) -> Result<Layout> {
        let (mut shape, fortran_order) = (Vec::new(), in_fortran_order(trace));
        let dtype = match &trace.kind {
            // Bytes on their own are an array of bytes, in which nothing is lost; only within others they are an
            // element.
            Kind::Bytes(length) => {
                shape.push(count(*length));
                scalar(Scalars::UInt, 1)?
            }
            Kind::Columns(record) => columns(record, &mut shape)?,
            _ => along_axes(trace, &mut shape)?,
        };
        Ok(Layout { dtype, shape, fortran_order })
    }

    /// The dtype of an element, if that alone tells of every value that fits it.
    pub(crate) fn of_alike(trace: &Trace) -> Option<DType> {
        let tells = |dtype: &DType| {
            matches!(dtype, DType::Struct(_) | DType::Subarray(_)) || matches!(trace.kind, Kind::Bool | Kind::Text(_))
        };
        if trace.has_gap() { None } else { element(trace).ok().filter(tells) }
    }

    /// The sequences and tuples around what fits a given dtype, for one record among others.
    pub(crate) fn around(trace: &Trace, dtype: &DType) -> Layout {
        Layout::of_shape(trace, dtype, shape_around(trace, dtype))
    }

    /// The same for all there is. A sequence of two numbers may be one complex number, and one of bytes text; but not
    /// records, and not numbers with signs.
    pub(crate) fn around_all(trace: &Trace, dtype: &DType, are_records: bool) -> Layout {
        let shape = match &trace.kind {
            Kind::Sequence { length, item } if are_records || is_text(dtype) && !may_be_bytes(item) => {
                let mut shape = vec![*length];
                shape.extend(shape_around(item, dtype));
                shape
            }
            _ => shape_around(trace, dtype),
        };
        Layout::of_shape(trace, dtype, shape)
    }

    fn of_shape(trace: &Trace, dtype: &DType, shape: Vec<u64>) -> Layout {
        Layout { dtype: dtype.clone(), shape, fortran_order: in_fortran_order(trace) }
    }
}

fn in_fortran_order(trace: &Trace) -> bool {
    matches!(trace.kind, Kind::Array { fortran_order: true, .. })
}

/// The columns of a table, which must be of one length.
fn columns(record: &Record, shape: &mut Vec<u64>) -> Result<DType> {
    let mut fields = Vec::with_capacity(record.fields.len());
    for (name, trace) in &record.fields {
        let mut axes = Vec::new();
        let base = along_axes(trace, &mut axes).map_err(|error| error.at_field(name))?;
        let Some((length, inner)) = axes.split_first() else {
            return Err(Error::data("expected a sequence as a column").at_field(name));
        };
        match shape.first() {
            None => shape.push(*length),
            Some(expected) if expected == length => {}
            Some(expected) => {
                return Err(Error::data(format!("expected a column of {}, found {length}", Count(*expected, "item")))
                    .at_field(name));
            }
        }
        let dtype = within(base, inner.to_vec()).map_err(|error| error.at_field(name))?;
        fields.push(Field::new(name.as_ref(), dtype));
    }
    if shape.is_empty() {
        return Err(Error::data("expected columns, found a struct without fields"));
    }
    Struct::packed(fields).map(DType::from)
}

/// Sequences and tuples of equal items are axes; what stands under them is the element.
fn along_axes(trace: &Trace, shape: &mut Vec<u64>) -> Result<DType> {
    match &trace.kind {
        Kind::Sequence { length, item } => {
            shape.push(*length);
            if matches!(item.kind, Kind::Unseen) {
                return Err(no_value());
            }
            along_axes(item, shape).map_err(|error| below(error, item))
        }
        Kind::Tuple { length, items } => match uniform(items) {
            Some(item) => {
                shape.push(count(*length));
                if matches!(item.kind, Kind::Unseen) {
                    return Err(no_value());
                }
                along_axes(&item, shape).map_err(|error| below(error, &item))
            }
            None => element(trace),
        },
        Kind::Array { shape: lengths, data, .. } => {
            shape.extend(lengths);
            match &data.kind {
                Kind::Sequence { item, .. } => along_axes(item, shape),
                _ => along_axes(data, shape),
            }
            .map_err(|error| lengths.iter().fold(error, |error, _| below(error, data)))
        }
        _ => element(trace),
    }
}

/// The place of an error in items, of which the first stands for all; but not in numbers, where two of them are to blame.
#[cold]
fn below(error: Error, item: &Trace) -> Error {
    let mut item = item;
    loop {
        item = match &item.kind {
            Kind::Sequence { item, .. } | Kind::Array { data: item, .. } => item,
            Kind::Tuple { items, .. } if items.len() == 1 => match items.first() {
                Some(item) => item,
                None => return error,
            },
            _ if are_numbers_to_blame(item) => return error,
            _ => return error.at_index(0),
        };
    }
}

/// Whether there are numbers for which there is no dtype, each of which has one.
fn are_numbers_to_blame(item: &Trace) -> bool {
    match &item.kind {
        Kind::Number(numbers) => numbers.dtype().is_err(),
        Kind::Sequence { item, .. } | Kind::Array { data: item, .. } => are_numbers_to_blame(item),
        Kind::Tuple { items, .. } => items.iter().any(are_numbers_to_blame),
        Kind::Record(record) | Kind::Columns(record) => {
            record.fields.iter().any(|(_, field)| are_numbers_to_blame(field))
        }
        _ => false,
    }
}

/// The dtype of one element, in which sequences are subarrays.
fn element(trace: &Trace) -> Result<DType> {
    match &trace.kind {
        Kind::Unseen => Err(no_value()),
        Kind::Absent => Err(none()),
        Kind::Bool => scalar(Scalars::Bool, 1),
        Kind::Number(numbers) => numbers.dtype().map(DType::from),
        Kind::Half => scalar(Scalars::Float, 2),
        Kind::Bfloat => scalar(Scalars::Void, 2),
        Kind::Text(width) => scalar(Scalars::Str, (*width).max(1).saturating_mul(4)),
        Kind::Bytes(length) => scalar(Scalars::Void, *length),
        Kind::Fixed(Scalars::Str, width) => width
            .checked_mul(4)
            .ok_or_else(|| Error::limit(format!("text of {width} code points")))
            .and_then(|itemsize| scalar(Scalars::Str, itemsize)),
        Kind::Fixed(kind, width) => scalar(*kind, *width),
        Kind::Complex(part) => scalar(Scalars::Complex, part.saturating_mul(2)),
        Kind::Unit => scalar(Scalars::Void, 0),
        Kind::Time(kind, unit) => Scalar::time(*kind, *unit, 1, ByteOrder::Little).map(DType::from),
        Kind::Sequence { .. } | Kind::Array { .. } => subarray(trace),
        Kind::Tuple { items, .. } if uniform(items).is_some() => subarray(trace),
        Kind::Tuple { items, .. } => {
            let fields = items.iter().enumerate().map(|(position, item)| {
                let dtype = element(item).map_err(|error| error.at_index(count(position)))?;
                Ok(Field::new(format!("f{position}"), dtype))
            });
            Struct::packed(fields.collect::<Result<_>>()?).map(DType::from)
        }
        Kind::Record(record) | Kind::Columns(record) => fields(record),
    }
}

#[cold]
fn no_value() -> Error {
    Error::data(
        "there is no value to tell the dtype of an empty sequence; give it by `WriteOptions::dtype` or `with::Of`",
    )
}

fn fields(record: &Record) -> Result<DType> {
    let fields = record.fields.iter().map(|(name, trace)| {
        if name.is_empty() {
            // NumPy would take a void field of this name for padding, and shows any other under another name.
            return Err(Error::data("a field without a name, which NumPy would not keep"));
        }
        let dtype = element(trace).map_err(|error| error.at_field(name))?;
        Ok(Field::new(name.as_ref(), dtype))
    });
    Struct::packed(fields.collect::<Result<_>>()?).map(DType::from)
}

/// One subarray for all axes that follow each other.
fn subarray(trace: &Trace) -> Result<DType> {
    let mut shape = Vec::new();
    let base = along_axes(trace, &mut shape)?;
    within(base, shape)
}

/// A dtype, or the subarray of it.
fn within(base: DType, shape: Vec<u64>) -> Result<DType> {
    if shape.is_empty() {
        return Ok(base);
    }
    let shape = shape.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>();
    Subarray::new(base, shape.map_err(|_| Error::limit("an axis too long for a subarray"))?).map(DType::from)
}

fn scalar(kind: Scalars, itemsize: usize) -> Result<DType> {
    Scalar::new(kind, itemsize, ByteOrder::Little).map(DType::from)
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// The one trace that stands for all items, if they are of equal kind and structure; widths may differ.
pub(crate) fn uniform(items: &[Trace]) -> Option<Trace> {
    let (first, others) = match items {
        [] => return Some(Trace::default()),
        [first, others @ ..] => (first, others),
    };
    others.iter().try_fold(first.clone(), united)
}

fn united(mut a: Trace, b: &Trace) -> Option<Trace> {
    let fits = match (&mut a.kind, &b.kind) {
        (Kind::Number(all), Kind::Number(one)) => {
            // Of floats of two widths the narrower could not be read back out of the wider.
            let same = all.same_kind(one) && all.same_float(one);
            all.merge(one);
            same
        }
        (Kind::Text(all), Kind::Text(one)) => {
            *all = (*all).max(*one);
            true
        }
        (Kind::Bytes(all), Kind::Bytes(one)) => all == one,
        (Kind::Fixed(kind, width), Kind::Fixed(other, other_width)) => kind == other && width == other_width,
        (Kind::Complex(all), Kind::Complex(one)) => {
            *all = (*all).max(*one);
            true
        }
        (Kind::Time(kind, unit), Kind::Time(other_kind, other_unit)) => kind == other_kind && unit == other_unit,
        (Kind::Sequence { length, item }, Kind::Sequence { length: other_length, item: other }) => {
            let same = length == other_length;
            **item = united(std::mem::take(item), other)?;
            same
        }
        (Kind::Tuple { length, items }, Kind::Tuple { length: other_length, items: others }) => {
            if length != other_length {
                return None;
            }
            // One trace may stand for many on either side.
            let size = items.len().max(others.len());
            let of = |traces: &[Trace], i: usize| traces.get(i).or(traces.first()).cloned().unwrap_or_default();
            let pairs = (0..size).map(|i| united(of(items, i), &of(others, i)));
            *items = pairs.collect::<Option<_>>()?;
            true
        }
        (
            Kind::Array { shape, fortran_order, data },
            Kind::Array { shape: other_shape, fortran_order: other_order, data: other },
        ) => {
            let same = shape == other_shape && fortran_order == other_order;
            **data = united(std::mem::take(data), other)?;
            same
        }
        (Kind::Record(all), Kind::Record(one)) => {
            if all.fields.len() != one.fields.len() {
                return None;
            }
            for ((name, trace), (other_name, other)) in all.fields.iter_mut().zip(&one.fields) {
                if name != other_name {
                    return None;
                }
                *trace = united(std::mem::take(trace), other)?;
            }
            true
        }
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    fits.then_some(a)
}

/// The shape of a value whose elements are of a given dtype: the sequences and tuples around what fits it.
fn shape_around(trace: &Trace, dtype: &DType) -> Vec<u64> {
    let mut shape = Vec::new();
    let mut trace = trace;
    while !fits(trace, dtype) {
        match &trace.kind {
            Kind::Sequence { length, item } => {
                shape.push(*length);
                trace = item;
            }
            Kind::Tuple { length, items } => {
                shape.push(count(*length));
                let Some(item) = items.first() else { break };
                trace = item;
            }
            Kind::Array { shape: lengths, data, .. } => {
                shape.extend(lengths);
                let Kind::Sequence { item, .. } = &data.kind else { break };
                trace = item;
            }
            Kind::Columns(record) => {
                shape.extend(record.fields.first().and_then(|(_, column)| match &column.kind {
                    Kind::Sequence { length, .. } => Some(*length),
                    Kind::Tuple { length, .. } => Some(count(*length)),
                    Kind::Array { shape, .. } => shape.first().copied(),
                    _ => None,
                }));
                break;
            }
            Kind::Bytes(length) if is_byte(dtype) => {
                shape.push(count(*length));
                break;
            }
            _ => break,
        }
    }
    shape
}

fn is_byte(dtype: &DType) -> bool {
    matches!(dtype, DType::Scalar(scalar) if scalar.kind() == Scalars::UInt && scalar.itemsize() == 1)
}

/// Whether an element is text or a void, as a sequence of bytes is.
fn is_text(dtype: &DType) -> bool {
    matches!(dtype, DType::Scalar(scalar) if matches!(scalar.kind(), Scalars::Bytes | Scalars::Void))
}

/// Whether items are numbers without signs, as which formats without bytes have bytes.
fn may_be_bytes(item: &Trace) -> bool {
    matches!(&item.kind, Kind::Number(numbers) if numbers.are_unsigned())
}

/// Whether a value has the structure of an element of a dtype.
fn fits(trace: &Trace, dtype: &DType) -> bool {
    let leaf = !matches!(
        trace.kind,
        Kind::Sequence { .. }
            | Kind::Tuple { .. }
            | Kind::Array { .. }
            | Kind::Columns(_)
            | Kind::Record(_)
            | Kind::Unseen
    );
    match dtype {
        DType::Scalar(scalar) => match (scalar.kind(), &trace.kind) {
            (_, Kind::Bytes(_)) => !is_byte(dtype),
            (Scalars::Complex, Kind::Record(record)) => record.fields.len() == 2,
            (Scalars::Complex, Kind::Complex(_)) => true,
            (Scalars::Complex, _) => is_sequence_of_numbers(trace, |length| length == 2),
            // An empty sequence of what is not known is an axis, as in NumPy: more often a list of no strings than a
            // string of no bytes.
            (Scalars::Bytes | Scalars::Void, _) => {
                let is_of_bytes = matches!(&trace.kind, Kind::Sequence { item, .. } if may_be_bytes(item));
                leaf || is_of_bytes || is_sequence_of_numbers(trace, |length| length > 0)
            }
            _ => leaf,
        },
        DType::Struct(record) => match &trace.kind {
            Kind::Record(_) => true,
            // An array of such records is not one of them, even if it has as many as they have fields.
            Kind::Tuple { items, .. } if !items.is_empty() && items.iter().all(|item| has_fields(item, record)) => {
                false
            }
            Kind::Tuple { length, items } if *length == record.fields().len() => {
                let item = |i| items.get(i).or(items.first());
                record
                    .fields()
                    .iter()
                    .enumerate()
                    .all(|(i, field)| item(i).is_some_and(|item| fits(item, field.dtype())))
            }
            _ => false,
        },
        DType::Subarray(subarray) => {
            if let Kind::Array { shape, .. } = &trace.kind {
                return shape.len() >= subarray.shape().len()
                    && shape.iter().zip(subarray.shape()).all(|(found, &length)| *found == count(length));
            }
            let mut trace = trace;
            for &length in subarray.shape() {
                trace = match &trace.kind {
                    Kind::Sequence { length: found, item } if *found == count(length) => item,
                    Kind::Tuple { length: found, items } if *found == length => match items.first() {
                        Some(item) => item,
                        None => return true,
                    },
                    Kind::Bytes(found) => return *found == length,
                    _ => return false,
                };
            }
            matches!(trace.kind, Kind::Unseen) || fits(trace, subarray.base())
        }
    }
}

/// Whether a value is a record with the names of a dtype's fields.
fn has_fields(trace: &Trace, dtype: &Struct) -> bool {
    matches!(&trace.kind, Kind::Record(record) if record.fields.len() == dtype.fields().len()
        && record.fields.iter().all(|(name, _)| dtype.fields().iter().any(|field| field.name() == name)))
}

fn is_sequence_of_numbers(trace: &Trace, length: impl Fn(u64) -> bool) -> bool {
    let number = |item: Option<&Trace>| item.is_none_or(|item| matches!(item.kind, Kind::Number(_) | Kind::Unseen));
    match &trace.kind {
        Kind::Sequence { length: found, item } => length(*found) && number(Some(item)),
        Kind::Tuple { length: found, items } => length(count(*found)) && number(items.first()),
        _ => false,
    }
}
