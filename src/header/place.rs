//! Where the elements of a shape lie, and which of them a range means.

use crate::error::{Error, Result};
use std::ops::{Bound, Range, RangeBounds};

/// How far neighbours along each axis lie apart, where elements follow each other every `step`.
pub(crate) fn strides(shape: &[u64], step: u64, fortran_order: bool) -> Vec<u64> {
    let mut strides = vec![0; shape.len()];
    let mut step = step;
    let mut set = |(stride, length): (&mut u64, &u64)| {
        *stride = step;
        // The product was checked with the header; where an axis has no length, there is no element to find.
        step = step.saturating_mul(*length);
    };
    if fortran_order {
        strides.iter_mut().zip(shape).for_each(&mut set);
    } else {
        strides.iter_mut().zip(shape).rev().for_each(&mut set);
    }
    strides
}

/// Whether the elements of a shape lie in the same places in C order and in Fortran order.
pub(crate) fn in_both_orders(shape: &[u64]) -> bool {
    shape.iter().filter(|&&length| length != 1).count() <= 1 || shape.contains(&0)
}

/// A range of indices, if it lies within a length.
pub(crate) fn bounds(range: &impl RangeBounds<u64>, length: u64) -> Result<Range<u64>> {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => length,
    };
    if start > end || end > length {
        return Err(Error::data(format!("expected a range within 0..{length}, found {start}..{end}")));
    }
    Ok(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_checked() {
        let found = |range: (Bound<u64>, Bound<u64>)| bounds(&range, 4).map_err(|error| error.to_string());
        use Bound::{Excluded, Included, Unbounded};
        assert_eq!(found((Unbounded, Unbounded)), Ok(0..4));
        assert_eq!(found((Included(1), Excluded(3))), Ok(1..3));
        assert_eq!(found((Excluded(1), Included(3))), Ok(2..4));
        assert_eq!(found((Included(4), Unbounded)), Ok(4..4));
        for (range, text) in [
            ((Included(5), Unbounded), "5..4"),
            ((Included(3), Excluded(2)), "3..2"),
            ((Unbounded, Excluded(5)), "0..5"),
            ((Unbounded, Included(u64::MAX)), "0..18446744073709551615"),
            ((Excluded(u64::MAX), Unbounded), "18446744073709551615..4"),
        ] {
            assert_eq!(found(range), Err(format!("expected a range within 0..4, found {text}")));
        }
    }
}
