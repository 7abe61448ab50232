//! The dtype of records that are all alike, without a look at each by the slow tier.

use crate::dtype::{DType, Field, Kind, Struct, Subarray};
use crate::plan::Node;
use crate::program::{Miss, WORTH};
use crate::ser::fast::tier::{Encode, learn};
use crate::ser::trace::trace;
use crate::trace::Layout;
use serde::Serialize;

/// The dtype that is found from the records, or the given one if all of them fit it; `None` where only the slow tier
/// can say.
///
/// The first record is traced by the slow tier, the others only have to make the same calls. Nothing but the width of
/// text depends on their values then: a record with a longer one is traced as well.
pub(crate) fn uniform<T: Serialize>(records: &[T], given: Option<&DType>) -> Option<DType> {
    let first = records.first()?;
    if u64::try_from(records.len()).is_ok_and(|count| count < WORTH) {
        return None;
    }
    let mut dtype = match given {
        Some(dtype) => {
            let seen = trace(first, true).ok()?;
            Layout::around(&seen, dtype).shape.is_empty().then(|| dtype.clone())?
        }
        None => found(first)?,
    };
    let mut program = learn(&Node::new(&dtype), first)?;
    let mut done = 0usize;
    Miss::was_seen();
    loop {
        done = done.saturating_add(T::check(&program, records.get(done..).unwrap_or_default()));
        if Miss::was_seen() {
            return None;
        }
        let Some(odd) = records.get(done) else { return Some(dtype) };
        if given.is_some() {
            return None;
        }
        let wider = widened(&dtype, &found(odd)?)?;
        if wider == dtype {
            return None;
        }
        dtype = wider;
        program = learn(&Node::new(&dtype), odd)?;
    }
}

/// The dtype of one record, if it is an element.
fn found<T: Serialize>(record: &T) -> Option<DType> {
    let layout = Layout::of(&trace(record, false).ok()?).ok()?;
    (layout.shape.is_empty() && !layout.fortran_order).then_some(layout.dtype)
}

/// The dtype that holds both, if they differ in nothing but the widths of text.
pub(crate) fn widened(a: &DType, b: &DType) -> Option<DType> {
    match (a, b) {
        (DType::Scalar(one), DType::Scalar(other)) if one.kind() == Kind::Str && other.kind() == Kind::Str => {
            Some(if one.itemsize() < other.itemsize() { b.clone() } else { a.clone() })
        }
        (DType::Struct(one), DType::Struct(other)) if one.fields().len() == other.fields().len() => {
            let fields = one.fields().iter().zip(other.fields()).map(|(one, other)| {
                let dtype = widened(one.dtype(), other.dtype())?;
                (one.name() == other.name()).then(|| Field::new(one.name(), dtype))
            });
            Struct::packed(fields.collect::<Option<_>>()?).ok().map(DType::from)
        }
        (DType::Subarray(one), DType::Subarray(other)) if one.shape() == other.shape() => {
            Subarray::new(widened(one.base(), other.base())?, one.shape().to_vec()).ok().map(DType::from)
        }
        _ => (a == b).then(|| a.clone()),
    }
}
