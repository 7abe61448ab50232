//! `numpy.dtype((type, shape))`: a subarray, or the itemsize of a type that has none yet.

use crate::dtype::{DType, Kind, Scalar, Subarray};
use crate::error::{Error, Result};

/// The second item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Int(i128),
    Axes(Vec<i128>),
}

/// What NumPy makes of a type and a shape.
///
/// An integer is one axis, `()` leaves the type as it is. Of a string or void of itemsize 0 an integer is the length,
/// and nothing else will do.
pub(crate) fn shaped(base: DType, shape: Shape) -> Result<DType> {
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
    if axes.is_empty() { Ok(base) } else { Ok(DType::Subarray(Subarray::new(base, axes)?)) }
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
