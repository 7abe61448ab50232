//! `M8` and `m8` ⇄ whole seconds and nanoseconds, in which other types count.

use crate::codec::datetime::{self, count_in, instant};
use crate::codec::seconds::Seconds;
use crate::codec::step::{Fixed, Scale};
use crate::codec::timedelta;
use crate::dtype::TimeUnit;
use crate::error::{Error, Result};
use std::fmt;

const ATTOS_PER_NANO: i128 = 1_000_000_000;

/// The count of a datetime that is so many seconds since 1970-01-01T00:00, rounded down, and nanoseconds.
///
/// # Errors
///
/// The time lies between two counts, or beyond the last one.
pub(crate) fn datetime_of(whole: i64, nanos: u32, unit: TimeUnit) -> Result<i64> {
    let instant = seconds(whole, nanos);
    count_in(instant, (unit, 1), &Moment(instant))
}

/// The seconds and nanoseconds of a datetime.
///
/// # Errors
///
/// The time has a fraction of a nanosecond, or is out of the range of 64-bit seconds.
pub(crate) fn datetime_parts(count: i64, unit: TimeUnit) -> Result<(i64, u32)> {
    let instant = instant(count, (unit, 1));
    parts(instant)
        .ok_or_else(|| Error::data(format!("expected a datetime in whole nanoseconds, found {}", Moment(instant))))
}

/// The count of a timedelta that is so many seconds, rounded down, and nanoseconds long.
///
/// # Errors
///
/// The length lies between two counts, or beyond the last one, or the unit has no fixed length.
pub(crate) fn timedelta_of(whole: i128, nanos: u32, unit: TimeUnit) -> Result<i64> {
    let length = Seconds { whole, attos: i128::from(nanos) * ATTOS_PER_NANO };
    let fixed = fixed(unit)?;
    let negative = length.whole < 0;
    let magnitude = if negative { negated(length) } else { length };
    timedelta::signed(fixed.count(magnitude, 1), negative, (unit, 1), &Length { negative, magnitude })
}

/// The seconds, rounded down, and nanoseconds of a timedelta.
///
/// # Errors
///
/// The length has a fraction of a nanosecond, or is out of the range of 64-bit seconds, or the unit has no fixed length.
pub(crate) fn timedelta_parts(count: i64, unit: TimeUnit) -> Result<(i64, u32)> {
    let length = fixed(unit)?.seconds(i128::from(count));
    parts(length).ok_or_else(|| {
        let found = timedelta::format_timedelta(count, unit, 1);
        Error::data(format!("expected a timedelta in whole nanoseconds, found `{found}`"))
    })
}

fn seconds(whole: i64, nanos: u32) -> Seconds {
    Seconds { whole: i128::from(whole), attos: i128::from(nanos) * ATTOS_PER_NANO }
}

fn parts(seconds: Seconds) -> Option<(i64, u32)> {
    let nanos = if seconds.attos % ATTOS_PER_NANO == 0 { seconds.attos / ATTOS_PER_NANO } else { return None };
    Some((i64::try_from(seconds.whole).ok()?, u32::try_from(nanos).ok()?))
}

fn fixed(unit: TimeUnit) -> Result<Fixed> {
    match Scale::of(unit) {
        Scale::Fixed(fixed) => Ok(fixed),
        Scale::Months(_) => Err(Error::data(format!(
            "expected a unit of fixed length, found `{}`, since years and months have none",
            unit.symbol()
        ))),
    }
}

fn negated(seconds: Seconds) -> Seconds {
    const ONE: i128 = ATTOS_PER_NANO * 1_000_000_000;
    match seconds.attos {
        0 => Seconds { whole: -seconds.whole, attos: 0 },
        attos => Seconds { whole: -seconds.whole - 1, attos: ONE - attos },
    }
}

/// A time in an error.
struct Moment(Seconds);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match datetime::print_exactly(self.0) {
            Some(text) => write!(f, "`{text}`"),
            None => write!(f, "{} seconds since 1970", self.0.whole),
        }
    }
}

/// A length of time in an error.
struct Length {
    negative: bool,
    magnitude: Seconds,
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        write!(f, "`{sign}{}`", self.magnitude)
    }
}
