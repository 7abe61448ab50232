//! The proleptic Gregorian calendar, with a year 0, as NumPy and ISO 8601 use it.
//!
//! Its numbers are wide enough for every 64-bit count of every step of `M8`, so that nothing here can overflow.

/// Days of 400 years, after which the calendar repeats.
const CYCLE: i128 = 146_097;
/// Days from 0000-03-01 to 1970-01-01. Counted from March, the leap day is the last of its year.
const EPOCH: i128 = 719_468;

/// One day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) year: i128,
    /// From 1.
    pub(super) month: i64,
    /// From 1.
    pub(super) day: i64,
}

impl Date {
    /// The day that lies so many days after 1970-01-01.
    pub(super) fn from_days(days: i128) -> Date {
        let days = days + EPOCH;
        let cycle = days.div_euclid(CYCLE);
        let day = narrow(days.rem_euclid(CYCLE));
        // The last century of a cycle and the last of four years may be a day longer than the others.
        let century = (day / 36_524).min(3);
        let day = day - century * 36_524;
        let leap_cycle = day / 1461;
        let day = day - leap_cycle * 1461;
        let year = (day / 365).min(3);
        let day = day - year * 365;
        // From March on, every five months have 153 days.
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let year = cycle * 400 + i128::from(century * 100 + leap_cycle * 4 + year);
        if month < 10 { Date { year, month: month + 3, day } } else { Date { year: year + 1, month: month - 9, day } }
    }

    /// Days after 1970-01-01.
    pub(super) fn days(self) -> i128 {
        let (year, month) = if self.month > 2 { (self.year, self.month - 3) } else { (self.year - 1, self.month + 9) };
        let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        let in_year = (153 * month + 2) / 5 + self.day - 1;
        year * 365 + leap_days + i128::from(in_year) - EPOCH
    }

    /// The first day of the month that lies so many months after January 1970.
    pub(super) fn from_months(months: i128) -> Date {
        Date { year: months.div_euclid(12) + 1970, month: narrow(months.rem_euclid(12)) + 1, day: 1 }
    }

    /// Months after January 1970, whatever the day.
    pub(super) fn months(self) -> i128 {
        (self.year - 1970) * 12 + i128::from(self.month - 1)
    }

    /// Whether the calendar has such a day.
    pub(super) fn exists(self) -> bool {
        let leap = self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0);
        let length = match self.month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return false,
        };
        (1..=length).contains(&self.day)
    }
}

/// The remainder of a small divisor.
fn narrow(remainder: i128) -> i64 {
    i64::try_from(remainder).unwrap_or(0)
}
