//! How many elements and bytes an array has.

use crate::dtype::DType;
use crate::error::{Error, Result};

/// Number of elements and bytes of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) size: u64,
    pub(crate) data_len: u64,
}

impl Extent {
    /// Multiplies the lengths and the itemsize, the only place where this is done.
    ///
    /// Zeros are left out of the check: an axis of 0 must not hide that the others overflow.
    pub(crate) fn of(dtype: &DType, shape: &[u64]) -> Result<Extent> {
        let itemsize = u64::try_from(dtype.itemsize()).unwrap_or(u64::MAX);
        let mut full = itemsize.max(1);
        for &axis in shape {
            full = full
                .checked_mul(axis.max(1))
                .filter(|&full| i64::try_from(full).is_ok())
                .ok_or_else(|| Error::limit(format!("an array over {} bytes", i64::MAX)))?;
        }
        let size = if shape.contains(&0) { 0 } else { full.checked_div(itemsize.max(1)).unwrap_or(0) };
        // At most `full`, so this cannot wrap.
        Ok(Extent { size, data_len: size.saturating_mul(itemsize) })
    }
}
