//! The steps in which `M8` and `m8` count: what they are worth, and counting in them exactly.

use crate::codec::seconds::{ATTOS_PER_SECOND, SECONDS_PER_DAY, Seconds};
use crate::dtype::TimeUnit;
use std::fmt;

/// A unit and how many of it: the `25s` of `M8[25s]`.
pub(crate) type Step = (TimeUnit, u32);

/// What a unit is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// A whole number of months, and so of no fixed length.
    Months(i128),
    Fixed(Fixed),
}

/// A unit of fixed length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fixed {
    Seconds(i128),
    /// A whole number of these makes a second.
    Attos(i128),
}

impl Scale {
    pub(super) fn of(unit: TimeUnit) -> Scale {
        match unit {
            TimeUnit::Year => Scale::Months(12),
            TimeUnit::Month => Scale::Months(1),
            TimeUnit::Week => Scale::Fixed(Fixed::Seconds(7 * SECONDS_PER_DAY)),
            TimeUnit::Day => Scale::Fixed(Fixed::Seconds(SECONDS_PER_DAY)),
            TimeUnit::Hour => Scale::Fixed(Fixed::Seconds(3600)),
            TimeUnit::Minute => Scale::Fixed(Fixed::Seconds(60)),
            TimeUnit::Second => Scale::Fixed(Fixed::Seconds(1)),
            TimeUnit::Millisecond => Scale::Fixed(Fixed::Attos(1_000_000_000_000_000)),
            TimeUnit::Microsecond => Scale::Fixed(Fixed::Attos(1_000_000_000_000)),
            TimeUnit::Nanosecond => Scale::Fixed(Fixed::Attos(1_000_000_000)),
            TimeUnit::Picosecond => Scale::Fixed(Fixed::Attos(1_000_000)),
            TimeUnit::Femtosecond => Scale::Fixed(Fixed::Attos(1_000)),
            TimeUnit::Attosecond => Scale::Fixed(Fixed::Attos(1)),
        }
    }
}

/// A time or length of time as a count of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    Exact(i64),
    /// What lies behind the last whole count.
    Rest(Rest),
    /// An element has no room for the count; the lowest one of 64 bits is `NaT`.
    Overflow,
}

/// What would be lost if a count were rounded down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    Months(i128),
    Seconds(Seconds),
}

impl Fixed {
    /// So many units, up to 2<sup>95</sup> of them.
    pub(super) fn seconds(self, units: i128) -> Seconds {
        match self {
            Fixed::Seconds(scale) => Seconds { whole: units * scale, attos: 0 },
            Fixed::Attos(scale) => {
                let per_second = ATTOS_PER_SECOND / scale;
                Seconds { whole: units.div_euclid(per_second), attos: units.rem_euclid(per_second) * scale }
            }
        }
    }

    /// Counts in steps of `count` units.
    pub(super) fn count(self, time: Seconds, count: u32) -> Counted {
        let (units, below) = match self {
            Fixed::Seconds(scale) => {
                (time.whole.div_euclid(scale), Seconds { whole: time.whole.rem_euclid(scale), attos: time.attos })
            }
            Fixed::Attos(scale) => {
                let units = time.whole.checked_mul(ATTOS_PER_SECOND / scale);
                // Even in the longest steps this is far beyond 64 bits.
                let Some(units) = units.and_then(|units| units.checked_add(time.attos / scale)) else {
                    return Counted::Overflow;
                };
                (units, Seconds { whole: 0, attos: time.attos % scale })
            }
        };
        // Not 0 in any dtype.
        let count = i128::from(count.max(1));
        let above = units.rem_euclid(count);
        if above == 0 && below == Seconds::ZERO {
            return fit(units.div_euclid(count));
        }
        // Of the two parts only one is in attoseconds, or both are and make less than a second.
        let above = self.seconds(above);
        let rest = Seconds { whole: above.whole + below.whole, attos: above.attos + below.attos };
        Counted::Rest(Rest::Seconds(rest))
    }
}

/// A count as an element holds it.
pub(super) fn fit(count: i128) -> Counted {
    match i64::try_from(count) {
        Ok(count) if count != i64::MIN => Counted::Exact(count),
        _ => Counted::Overflow,
    }
}

impl fmt::Display for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rest::Months(months) => write!(f, "P{months}M"),
            Rest::Seconds(seconds) => write!(f, "{seconds}"),
        }
    }
}

/// A step as a typestring spells it.
pub(super) struct Spelled(pub(super) Step);

impl fmt::Display for Spelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            (unit, 1) => f.write_str(unit.symbol()),
            (unit, count) => write!(f, "{count}{}", unit.symbol()),
        }
    }
}
