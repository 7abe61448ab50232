//! Where elements lie: lengths and places of 64 bits, and the step to the machine's own size.

use crate::header::strides;
use std::ops::Range;

/// Whether elements that lie so far apart follow each other in an order.
pub(crate) fn is_packed(shape: &[u64], found: &[u64], itemsize: u64, fortran_order: bool) -> bool {
    let packed = strides(shape, itemsize, fortran_order);
    shape.contains(&0) || shape.iter().zip(found.iter().zip(packed)).all(|(&length, (&a, b))| length == 1 || a == b)
}

/// The bytes from `start` on, on a machine whose sizes are of the type `N`.
///
/// Generic, so that a test can ask about a machine smaller than its own.
pub(crate) fn within<N: TryFrom<u64>>(start: u64, length: u64) -> Option<Range<N>> {
    let end = start.checked_add(length)?;
    Some(N::try_from(start).ok()?..N::try_from(end).ok()?)
}

/// The data behind a place.
pub(crate) fn data_from(data: &[u8], start: u64) -> &[u8] {
    // Where there are no elements, a place may lie behind the data.
    within::<usize>(start, 0).and_then(|place| data.get(place.start..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_are_those_of_numpy() {
        for (shape, c, f) in [
            (&[] as &[u64], &[] as &[u64], &[] as &[u64]),
            (&[5], &[8], &[8]),
            (&[2, 3], &[24, 8], &[8, 16]),
            (&[2, 3, 4], &[96, 32, 8], &[8, 16, 48]),
            (&[1, 3, 1], &[24, 8, 8], &[8, 8, 24]),
        ] {
            assert_eq!(strides(shape, 8, false), c, "{shape:?}");
            assert_eq!(strides(shape, 8, true), f, "{shape:?}");
        }
    }

    #[test]
    fn packed_is_what_follows_each_other() {
        for (shape, found, c, f) in [
            (&[] as &[u64], &[] as &[u64], true, true),
            (&[5], &[8], true, true),
            (&[5], &[16], false, false),
            (&[1], &[16], true, true),
            (&[2, 3], &[24, 8], true, false),
            (&[2, 3], &[8, 16], false, true),
            (&[2, 3], &[8, 32], false, false),
            (&[2, 0], &[1, 1], true, true),
        ] {
            assert_eq!(is_packed(shape, found, 8, false), c, "{shape:?} {found:?}");
            assert_eq!(is_packed(shape, found, 8, true), f, "{shape:?} {found:?}");
        }
    }

    #[test]
    fn a_machine_of_16_bits_says_no_where_this_one_would_wrap() {
        for (start, length, expected) in [
            (0, 0, Some(0..0)),
            (0, 65_535, Some(0..65_535)),
            (65_535, 0, Some(65_535..65_535)),
            (1, 65_535, None),
            (65_536, 0, None),
            (65_536, 8, None),
            ((1 << 32) + 8, 8, None),
            (u64::MAX, 0, None),
            (u64::MAX, 1, None),
            (1, u64::MAX, None),
        ] {
            assert_eq!(within::<u16>(start, length), expected, "{start} + {length}");
        }
        // As usize is on 32 bits: beyond 4 GiB there is nothing, not what lies 4 GiB before.
        assert_eq!(within::<u32>(u64::from(u32::MAX), 0), Some(u32::MAX..u32::MAX));
        assert_eq!(within::<u32>(1 << 32, 8), None);
        assert_eq!(within::<u64>(1 << 32, 8), Some(1 << 32..(1 << 32) + 8));
    }
}
