//! `m8`: a count of units of time ⇄ ISO 8601 durations, and between units. `NaT` is the caller's business.

use crate::codec::cursor::{Cursor, Quoted, attos, number};
use crate::codec::seconds::{Fraction, SECONDS_PER_DAY, Seconds};
use crate::codec::step::{Counted, Rest, Scale, Spelled, Step, fit};
use crate::dtype::TimeUnit;
use crate::error::{Error, Result};
use std::fmt;

/// The text of a timedelta: an ISO 8601 duration in its own unit, such as `P5Y`, `P3W`, `PT90M` or, for a second and
/// what is shorter, `-PT0.005S`.
///
/// Zero keeps the unit as well: `P0Y`, `P0D`, `PT0S`.
#[must_use]
pub(crate) fn format_timedelta(value: i64, unit: TimeUnit, count: u32) -> String {
    let units = i128::from(value) * i128::from(count);
    let (sign, units) = (if units < 0 { "-" } else { "" }, units.abs());
    match (unit, Scale::of(unit)) {
        (TimeUnit::Year, _) => format!("{sign}P{units}Y"),
        (TimeUnit::Month, _) | (_, Scale::Months(_)) => format!("{sign}P{units}M"),
        (TimeUnit::Week, _) => format!("{sign}P{units}W"),
        (TimeUnit::Day, _) => format!("{sign}P{units}D"),
        (TimeUnit::Hour, _) => format!("{sign}PT{units}H"),
        (TimeUnit::Minute, _) => format!("{sign}PT{units}M"),
        (_, Scale::Fixed(fixed)) => {
            let seconds = fixed.seconds(units);
            format!("{sign}PT{}{}S", seconds.whole, Fraction(seconds.attos))
        }
    }
}

/// The count that an ISO 8601 duration stands for.
///
/// A sign, `P`, then years, months, weeks, days and, behind a `T`, hours, minutes, seconds: each a whole number and its
/// letter, in this order, at least one. Only the seconds may have a fraction, of at most 18 digits.
///
/// # Errors
///
/// The text is no such duration; it has years or months where the unit has a fixed length, or the other way round; it
/// lies between two counts, or beyond the last one.
pub(crate) fn parse_timedelta(text: &str, unit: TimeUnit, count: u32) -> Result<i64> {
    let step = (unit, count);
    let found = Quoted(text);
    let (negative, duration) = match parse(text) {
        Ok(Some(parsed)) => parsed,
        Ok(None) => return Err(overflow(step, &found)),
        Err(expected) => return Err(Error::data(format!("expected {expected}, found {found}"))),
    };
    let counted = match Scale::of(unit) {
        Scale::Months(_) if duration.seconds != Seconds::ZERO => {
            return Err(Error::data(format!(
                "expected a timedelta of years and months for the unit `{}`, found {found}",
                Spelled(step)
            )));
        }
        Scale::Months(scale) => count_months(duration.months, scale, count),
        Scale::Fixed(_) if duration.months != 0 => {
            return Err(Error::data(format!(
                "expected a timedelta of fixed length, without years and months, for the unit `{}`, found {found}",
                Spelled(step)
            )));
        }
        Scale::Fixed(fixed) => fixed.count(duration.seconds, count),
    };
    signed(counted, negative, step, &found)
}

/// The two parts of a duration that cannot be converted into each other, without the sign.
#[derive(Clone, Copy)]
struct Duration {
    months: i128,
    seconds: Seconds,
}

/// Whether it is negative, and the duration; `None` where that is out of all range, or what was expected.
fn parse(text: &str) -> Result<Option<(bool, Duration)>, &'static str> {
    const EXPECTED: &str = "an ISO 8601 duration such as `P1DT2H3.5S`";
    /// Letter, whether it stands behind the `T`, months, seconds.
    const PARTS: [(u8, bool, i128, i128); 7] = [
        (b'Y', false, 12, 0),
        (b'M', false, 1, 0),
        (b'W', false, 0, 7 * SECONDS_PER_DAY),
        (b'D', false, 0, SECONDS_PER_DAY),
        (b'H', true, 0, 3600),
        (b'M', true, 0, 60),
        (b'S', true, 0, 1),
    ];

    let mut cursor = Cursor::new(text);
    let negative = cursor.take(b'-');
    if !negative {
        cursor.take(b'+');
    }
    if !cursor.take(b'P') {
        return Err(EXPECTED);
    }
    let mut parts = PARTS.iter();
    let mut in_time = false;
    let mut duration = Some(Duration { months: 0, seconds: Seconds::ZERO });
    loop {
        in_time = in_time || cursor.take(b'T');
        let digits = cursor.digits();
        if digits.is_empty() {
            // Neither `P` nor `PT` is a duration, nor one that ends in `T`.
            return Err(EXPECTED);
        }
        let fraction = if cursor.take(b'.') { Some(cursor.digits()) } else { None };
        let letter = cursor.next().ok_or(EXPECTED)?;
        let is_next = |part: &&(u8, bool, i128, i128)| part.0 == letter && part.1 == in_time;
        let (_, _, months, seconds) = parts.find(is_next).ok_or(EXPECTED)?;
        let attos = match fraction {
            None => 0,
            Some(digits) if letter == b'S' && !digits.is_empty() => {
                attos(digits).ok_or("an ISO 8601 duration with at most 18 digits of a second's fraction")?
            }
            Some(_) => return Err("an ISO 8601 duration with digits behind the point of its seconds only"),
        };
        duration = duration.zip(number(digits)).and_then(|(sum, number)| {
            Some(Duration {
                months: sum.months.checked_add(number.checked_mul(*months)?)?,
                seconds: Seconds { whole: sum.seconds.whole.checked_add(number.checked_mul(*seconds)?)?, attos },
            })
        });
        if cursor.is_empty() {
            return Ok(duration.map(|duration| (negative, duration)));
        }
    }
}

/// Counts the same length of time in another unit.
///
/// # Errors
///
/// The length lies between two counts of the new unit, or beyond the last one. Years and months have no fixed length in
/// the other units, so that between these not even zero is converted, as NumPy refuses it too.
pub(crate) fn convert_timedelta(value: i64, from: Step, to: Step) -> Result<i64> {
    if from == to && value != i64::MIN {
        return Ok(value);
    }
    let found = Found { value, step: from };
    // Without the sign, so that the rest is what lies behind the last whole count as seen from zero.
    let units = (i128::from(value) * i128::from(from.1)).abs();
    let counted = match (Scale::of(from.0), Scale::of(to.0)) {
        (Scale::Months(from), Scale::Months(scale)) => count_months(units * from, scale, to.1),
        (Scale::Fixed(from), Scale::Fixed(fixed)) => fixed.count(from.seconds(units), to.1),
        _ => {
            return Err(Error::data(format!(
                "there is no timedelta of `{}` in `{}`, since years and months have no fixed length",
                Spelled(from),
                Spelled(to)
            )));
        }
    };
    signed(counted, value < 0, to, &found)
}

fn count_months(months: i128, scale: i128, count: u32) -> Counted {
    // Not 0 in any dtype.
    let step = scale * i128::from(count.max(1));
    match months % step {
        0 => fit(months / step),
        rest => Counted::Rest(Rest::Months(rest)),
    }
}

/// The count of a length that was counted without its sign.
pub(super) fn signed(counted: Counted, negative: bool, step: Step, found: &dyn fmt::Display) -> Result<i64> {
    match counted {
        // Not the lowest count, which would be NaT.
        Counted::Exact(count) if negative => Ok(-count),
        Counted::Exact(count) => Ok(count),
        Counted::Rest(rest) => Err(Error::data(format!(
            "expected a timedelta that is a whole count of `{}`, found {found}, of which `{rest}` would be lost",
            Spelled(step)
        ))),
        Counted::Overflow => Err(overflow(step, found)),
    }
}

#[cold]
fn overflow(step: Step, found: &dyn fmt::Display) -> Error {
    Error::data(format!("expected a timedelta within the range of `{}`, found {found}", Spelled(step)))
}

/// A timedelta in an error, which becomes a text only there.
struct Found {
    value: i64,
    step: Step,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", format_timedelta(self.value, self.step.0, self.step.1))
    }
}
