//! `M8`: a count of units since 1970-01-01T00:00 ⇄ ISO 8601 text, and between units. `NaT` is the caller's business.

use crate::codec::calendar::Date;
use crate::codec::cursor::{Cursor, Quoted, attos, number};
use crate::codec::seconds::Seconds;
use crate::codec::step::{Counted, Fixed, Rest, Scale, Spelled, Step, fit};
use crate::dtype::TimeUnit;
use crate::error::{Error, Result};
use std::fmt::{self, Write as _};

/// How `M8` and `m8` say that there is no time: the lowest count.
pub(crate) const NAT: i64 = i64::MIN;

/// Days from 1970-01-01 to 2000-01-01, from where NumPy counts.
const NUMPY_EPOCH: i64 = 10_957;

/// The text of a datetime, as `numpy.datetime_as_string` prints it: as many parts as the unit has, such as `2020`,
/// `2020-01-02T03` or `2020-01-02T03:04:05.006`.
///
/// Years have at least four characters, a minus included.
///
/// # Errors
///
/// NumPy itself would compute it wrongly: the units, or the days since 2000, or the year have no room in 64 bits.
pub(crate) fn format_datetime(value: i64, unit: TimeUnit, count: u32) -> Result<String> {
    split(value, unit, count).and_then(|(date, in_day)| print(date, in_day, unit)).ok_or_else(|| {
        let step = Spelled((unit, count));
        Error::data(format!("expected a datetime that NumPy can print, found {value} counts of `{step}`"))
    })
}

/// The date and the time since its midnight; `None` where NumPy's own arithmetic wraps.
fn split(value: i64, unit: TimeUnit, count: u32) -> Option<(Date, Seconds)> {
    let units = value.checked_mul(i64::from(count))?;
    match Scale::of(unit) {
        Scale::Months(scale) => Some((Date::from_months(i128::from(units) * scale), Seconds::ZERO)),
        Scale::Fixed(fixed) => {
            let (days, in_day) = fixed.seconds(i128::from(units)).split_days();
            i64::try_from(days).ok()?.checked_sub(NUMPY_EPOCH)?;
            Some((Date::from_days(days), in_day))
        }
    }
}

/// `None` for a year beyond 64 bits; with narrower numbers than the calendar's, since those print slowly.
fn print(date: Date, in_day: Seconds, unit: TimeUnit) -> Option<String> {
    let year = i64::try_from(date.year).ok()?;
    let seconds = i64::try_from(in_day.whole).ok()?;
    let mut text = String::with_capacity(40);
    if (1000..=9999).contains(&year) {
        push_two_digits(&mut text, year / 100)?;
        push_two_digits(&mut text, year % 100)?;
    } else {
        write!(text, "{year:04}").ok()?;
    }
    for (first, separator, number) in [
        (TimeUnit::Month, '-', date.month),
        (TimeUnit::Week, '-', date.day),
        (TimeUnit::Hour, 'T', seconds / 3600),
        (TimeUnit::Minute, ':', seconds / 60 % 60),
        (TimeUnit::Second, ':', seconds % 60),
    ] {
        if unit >= first {
            text.push(separator);
            push_two_digits(&mut text, number)?;
        }
    }
    let digits = match unit {
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
        TimeUnit::Picosecond => 12,
        TimeUnit::Femtosecond => 15,
        TimeUnit::Attosecond => 18,
        _ => return Some(text),
    };
    if let Scale::Fixed(Fixed::Attos(scale)) = Scale::of(unit) {
        let fraction = i64::try_from(in_day.attos / scale).ok()?;
        write!(text, ".{fraction:0digits$}").ok()?;
    }
    Some(text)
}

fn push_two_digits(text: &mut String, number: i64) -> Option<()> {
    let number = u8::try_from(number).ok()?;
    text.push(char::from(b'0' + number / 10 % 10));
    text.push(char::from(b'0' + number % 10));
    Some(())
}

/// The count that a text stands for: the ISO 8601 that NumPy parses.
///
/// `2020`, `2020-01`, `2020-01-02` and, behind a `T` or a space, `03`, `03:04`, `03:04:05` and up to 18 digits of a
/// fraction; then `Z` or an offset from UTC such as `+01:30`, `+0130` or `+01`, which is subtracted. A sign before the
/// year and more or fewer than four digits in it are well formed, white space is at the start and behind a time. What is
/// missing is the first of its kind. Not taken, other than by NumPy: `today` and `now`, and no text and no year at all.
///
/// # Errors
///
/// The text is none of these, or a date that does not exist; the time lies between two counts, or beyond the last one.
pub(crate) fn parse_datetime(text: &str, unit: TimeUnit, count: u32) -> Result<i64> {
    let step = (unit, count);
    let (date, time) = match Parser::parse(text) {
        Ok(Some(parsed)) => parsed,
        Ok(None) => return Err(overflow(step, &Quoted(text))),
        Err(expected) => return Err(Error::data(format!("expected {expected}, found {}", Quoted(text)))),
    };
    let instant = Seconds { whole: Seconds::of_days(date.days()).whole + time.whole, attos: time.attos };
    count_in(instant, step, &Quoted(text))
}

/// What NumPy's own parser takes, read from left to right.
struct Parser<'a> {
    cursor: Cursor<'a>,
}

impl<'a> Parser<'a> {
    /// Date and the time since its midnight in UTC, which may be negative; `None` where the year is out of all range,
    /// or what was expected.
    fn parse(text: &'a str) -> Result<Option<(Date, Seconds)>, &'static str> {
        let mut parser = Parser { cursor: Cursor::new(text) };
        let Some(date) = parser.date()? else { return Ok(None) };
        let time = if parser.cursor.is_empty() { Seconds::ZERO } else { parser.time()? };
        if parser.cursor.is_empty() {
            Ok(Some((date, time)))
        } else {
            Err("a datetime such as `2020-01-02T03:04:05` and nothing behind it")
        }
    }

    fn date(&mut self) -> Result<Option<Date>, &'static str> {
        self.cursor.skip_whitespace();
        let negative = self.cursor.take(b'-');
        if !negative {
            self.cursor.take(b'+');
        }
        let digits = self.cursor.digits();
        if digits.is_empty() {
            return Err("a datetime such as `2020-01-02T03:04:05`");
        }
        let year =
            number(digits).and_then(|year| i64::try_from(year).ok()).map(|year| if negative { -year } else { year });
        let mut date = Date { year: i128::from(year.unwrap_or(0)), month: 1, day: 1 };
        if self.cursor.take(b'-') {
            date.month = self.two_digits(1, 12, "a datetime with a month from 01 to 12")?;
            if self.cursor.take(b'-') {
                date.day = self.two_digits(1, 31, "a datetime with a day of its month")?;
                if !date.exists() {
                    return Err("a datetime with a day of its month");
                }
                return Ok(year.map(|_| date));
            }
        }
        if self.cursor.is_empty() { Ok(year.map(|_| date)) } else { Err("a datetime such as `2020-01-02T03:04:05`") }
    }

    /// Not empty, the date being complete.
    fn time(&mut self) -> Result<Seconds, &'static str> {
        if !self.cursor.take(b'T') && !self.cursor.take(b' ') {
            return Err("a datetime with `T` or a space between date and time");
        }
        let mut whole = 3600 * self.two_digits(0, 23, "a datetime with an hour from 00 to 23")?;
        let mut fraction = 0;
        if self.cursor.take(b':') {
            whole += 60 * self.two_digits(0, 59, "a datetime with a minute from 00 to 59")?;
            if self.cursor.take(b':') {
                whole += self.two_digits(0, 59, "a datetime with a second from 00 to 59")?;
                if self.cursor.take(b'.') {
                    fraction = attos(self.cursor.digits())
                        .ok_or("a datetime with at most 18 digits of a second's fraction")?;
                }
            }
        }
        let offset = self.offset()?;
        self.cursor.skip_whitespace();
        Ok(Seconds { whole: i128::from(whole - offset), attos: fraction })
    }

    /// Seconds east of UTC.
    fn offset(&mut self) -> Result<i64, &'static str> {
        const EXPECTED: &str = "a datetime with an offset from UTC from -23:59 to +23:59";
        if self.cursor.take(b'Z') {
            return Ok(0);
        }
        let negative = self.cursor.take(b'-');
        if !negative && !self.cursor.take(b'+') {
            return Ok(0);
        }
        let mut offset = 3600 * self.two_digits(0, 23, EXPECTED)?;
        let colon = self.cursor.take(b':');
        if let Some(minutes) = self.cursor.two_digits() {
            if minutes > 59 {
                return Err(EXPECTED);
            }
            offset += 60 * minutes;
        } else if colon {
            return Err(EXPECTED);
        }
        Ok(if negative { -offset } else { offset })
    }

    fn two_digits(&mut self, lowest: i64, highest: i64, expected: &'static str) -> Result<i64, &'static str> {
        self.cursor.two_digits().filter(|number| (lowest..=highest).contains(number)).ok_or(expected)
    }
}

/// Counts the same time in another unit, years and months by the calendar.
///
/// # Errors
///
/// The time lies between two counts of the new unit, or beyond the last one.
pub(crate) fn convert_datetime(value: i64, from: Step, to: Step) -> Result<i64> {
    if from == to && value != NAT {
        return Ok(value);
    }
    count_in(instant(value, from), to, &Found { value, step: from })
}

/// The time since 1970-01-01T00:00.
pub(super) fn instant(value: i64, step: Step) -> Seconds {
    let units = i128::from(value) * i128::from(step.1);
    match Scale::of(step.0) {
        Scale::Months(scale) => Seconds::of_days(Date::from_months(units * scale).days()),
        Scale::Fixed(fixed) => fixed.seconds(units),
    }
}

/// The text of a time in the widest unit that shows all of it.
pub(super) fn print_exactly(instant: Seconds) -> Option<String> {
    let (days, in_day) = instant.split_days();
    let unit = match in_day.attos {
        0 => TimeUnit::Second,
        attos if attos % 1_000_000_000 == 0 => TimeUnit::Nanosecond,
        _ => TimeUnit::Attosecond,
    };
    print(Date::from_days(days), in_day, unit)
}

pub(super) fn count_in(instant: Seconds, step: Step, found: &dyn fmt::Display) -> Result<i64> {
    let counted = match Scale::of(step.0) {
        Scale::Fixed(fixed) => fixed.count(instant, step.1),
        Scale::Months(scale) => count_months(instant, scale * i128::from(step.1.max(1))),
    };
    match counted {
        Counted::Exact(count) => Ok(count),
        Counted::Rest(rest) => Err(Error::data(format!(
            "expected a datetime that is a whole count of `{}`, found {found}, of which `{rest}` would be lost",
            Spelled(step)
        ))),
        Counted::Overflow => Err(overflow(step, found)),
    }
}

/// Counts in steps of so many months, exactly only at midnight of the first day of one.
fn count_months(instant: Seconds, months: i128) -> Counted {
    let (days, in_day) = instant.split_days();
    let since_epoch = Date::from_days(days).months();
    let count = since_epoch.div_euclid(months);
    let days_behind = days - Date::from_months(count * months).days();
    if days_behind == 0 && in_day == Seconds::ZERO {
        return fit(count);
    }
    let rest = Seconds { whole: Seconds::of_days(days_behind).whole + in_day.whole, attos: in_day.attos };
    Counted::Rest(Rest::Seconds(rest))
}

#[cold]
fn overflow(step: Step, found: &dyn fmt::Display) -> Error {
    Error::data(format!("expected a datetime within the range of `{}`, found {found}", Spelled(step)))
}

/// A datetime in an error, which becomes a text only there.
struct Found {
    value: i64,
    step: Step,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match format_datetime(self.value, self.step.0, self.step.1) {
            Ok(text) => write!(f, "`{text}`"),
            Err(_) => write!(f, "{} counts of `{}`", self.value, Spelled(self.step)),
        }
    }
}
