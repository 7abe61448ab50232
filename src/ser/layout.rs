//! From what a pass has seen to a dtype and a shape.

use crate::dtype::{ByteOrder, DType, Field, Kind as Scalars, Scalar, Struct, Subarray};
use crate::error::{Error, Result};
use crate::ser::trace::{Kind, Record, Trace};

/// The dtype and the shape that a value asks for.
pub(crate) fn layout(trace: &Trace) -> Result<(DType, Vec<u64>)> {
    // Bytes on their own are an array of bytes, in which nothing is lost; only within others they are an element.
    if let Kind::Bytes(length) = trace.kind {
        return Ok((scalar(Scalars::UInt, 1)?, vec![count(length)]));
    }
    let mut shape = Vec::new();
    let dtype = along_axes(trace, &mut shape)?;
    Ok((dtype, shape))
}

/// Sequences and tuples of equal items are axes; what stands under them is the element.
fn along_axes(trace: &Trace, shape: &mut Vec<u64>) -> Result<DType> {
    match &trace.kind {
        Kind::Sequence { length, item } => {
            shape.push(*length);
            along_axes(item, shape).map_err(|error| error.at_index(0))
        }
        Kind::Tuple { length, items } => match uniform(items) {
            Some(item) => {
                shape.push(count(*length));
                along_axes(&item, shape).map_err(|error| error.at_index(0))
            }
            None => element(trace),
        },
        _ => element(trace),
    }
}

/// The dtype of one element, in which sequences are subarrays.
fn element(trace: &Trace) -> Result<DType> {
    match &trace.kind {
        Kind::Unseen => Err(Error::data(
            "there is no value to tell the dtype of an empty sequence; give it by `WriteOptions::dtype`",
        )),
        Kind::Absent => Err(crate::ser::trace::none()),
        Kind::Bool => scalar(Scalars::Bool, 1),
        Kind::Number(numbers) => numbers.dtype().map(DType::from),
        Kind::Half => scalar(Scalars::Float, 2),
        Kind::Bfloat => scalar(Scalars::Void, 2),
        Kind::Text(width) => scalar(Scalars::Str, (*width).max(1).saturating_mul(4)),
        Kind::Bytes(length) => scalar(Scalars::Void, *length),
        Kind::Unit => scalar(Scalars::Void, 0),
        Kind::Time(kind, unit) => Scalar::time(*kind, *unit, 1, ByteOrder::Little).map(DType::from),
        Kind::Sequence { .. } => subarray(trace),
        Kind::Tuple { items, .. } if uniform(items).is_some() => subarray(trace),
        Kind::Tuple { items, .. } => {
            let fields = items.iter().enumerate().map(|(position, item)| {
                let dtype = element(item).map_err(|error| error.at_index(count(position)))?;
                Ok(Field::new(format!("f{position}"), dtype))
            });
            Struct::packed(fields.collect::<Result<_>>()?).map(DType::from)
        }
        Kind::Record(record) => fields(record),
    }
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
    others.iter().try_fold(first.clone(), |all, item| united(all, item))
}

fn united(mut a: Trace, b: &Trace) -> Option<Trace> {
    let fits = match (&mut a.kind, &b.kind) {
        (Kind::Number(all), Kind::Number(one)) => {
            let same = all.same_kind(one);
            all.merge(one);
            same
        }
        (Kind::Text(all), Kind::Text(one)) => {
            *all = (*all).max(*one);
            true
        }
        (Kind::Bytes(all), Kind::Bytes(one)) => all == one,
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
pub(crate) fn shape_around(trace: &Trace, dtype: &DType) -> Vec<u64> {
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

/// Whether a value has the structure of an element of a dtype.
fn fits(trace: &Trace, dtype: &DType) -> bool {
    let leaf = !matches!(trace.kind, Kind::Sequence { .. } | Kind::Tuple { .. } | Kind::Record(_) | Kind::Unseen);
    match dtype {
        DType::Scalar(scalar) => match (scalar.kind(), &trace.kind) {
            (_, Kind::Bytes(_)) => !is_byte(dtype),
            (Scalars::Complex, Kind::Record(record)) => record.fields.len() == 2,
            (Scalars::Complex, _) => is_sequence_of_numbers(trace, |length| length == 2),
            (Scalars::Bytes | Scalars::Void, _) => leaf || is_sequence_of_numbers(trace, |_| true),
            _ => leaf,
        },
        DType::Struct(record) => match &trace.kind {
            Kind::Record(_) => true,
            Kind::Tuple { length, items } if *length == record.fields().len() => {
                let item = |i| items.get(i).or(items.first());
                record.fields().iter().enumerate().all(|(i, field)| item(i).is_some_and(|item| fits(item, field.dtype())))
            }
            _ => false,
        },
        DType::Subarray(subarray) => {
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

fn is_sequence_of_numbers(trace: &Trace, length: impl Fn(u64) -> bool) -> bool {
    let number = |item: Option<&Trace>| item.is_none_or(|item| matches!(item.kind, Kind::Number(_) | Kind::Unseen));
    match &trace.kind {
        Kind::Sequence { length: found, item } => length(*found) && number(Some(item)),
        Kind::Tuple { length: found, items } => length(count(*found)) && number(items.first()),
        _ => false,
    }
}
