//! `numpy.dtype((type, shape))`: a subarray, or the itemsize of a type that has none yet.

use crate::dtype::{DType, Kind, MAX_NDIM, Scalar, Subarray};
use crate::error::{Error, Result};
use crate::limits::Fields;

/// The second item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Int(i128),
    Axes(Vec<i128>),
}

/// What NumPy makes of a type and a shape.
///
/// An integer is one axis, `()` leaves the type as it is. Of a string or void of itemsize 0 an integer is the length,
/// and nothing else will do. The axes of a field but the first are counted among the fields: each is a node of the plan.
pub(crate) fn shaped(base: DType, shape: Shape, fields: &mut Fields) -> Result<DType> {
    if is_unsized(&base) {
        let (DType::Scalar(scalar), Shape::Int(length)) = (&base, &shape) else {
            return Err(Error::data("a shape around a type of 0 bytes, which NumPy does not take"));
        };
        let item = if scalar.kind() == Kind::Str { 4 } else { 1 };
        let itemsize = length_of(*length)?.saturating_mul(item);
        return Ok(DType::Scalar(Scalar::new(scalar.kind(), itemsize, scalar.byteorder())?));
    }
    let axes = match shape {
        Shape::Int(length) => vec![length_of(length)?],
        Shape::Axes(axes) => axes.into_iter().map(length_of).collect::<Result<_>>()?,
    };
    if axes.is_empty() {
        return Ok(base);
    }
    let first = usize::from(!matches!(base, DType::Subarray(_)));
    let further = axes.len().saturating_sub(first);
    let subarray = Subarray::new(base, axes)?;
    fields.add_all(further)?;
    Ok(DType::Subarray(subarray))
}

/// The refusal of a shape that is too long, before it is kept.
#[cold]
pub(crate) fn too_many_axes() -> Error {
    Error::limit(format!("a subarray of over {MAX_NDIM} axes"))
}

/// Whether NumPy takes a type as one whose itemsize is still open.
pub(crate) fn is_unsized(base: &DType) -> bool {
    base.itemsize() == 0 && !matches!(base, DType::Struct(_))
}

fn length_of(length: i128) -> Result<usize> {
    if length < 0 {
        return Err(Error::data(format!("expected a length of 0 or more, found `{length}`")));
    }
    // What is beyond the type is beyond NumPy's limit as well, which is checked behind this.
    Ok(usize::try_from(length).unwrap_or(usize::MAX))
}
