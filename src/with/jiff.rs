//! The times of the `jiff` crate.

use crate::with::count::{count, private};
use crate::with::moment::{Length, Moment, split};
use crate::with::time::{Datetime, TimeStep, Timedelta};
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

impl private::Sealed for Timestamp {}
impl private::Sealed for DateTime {}
impl private::Sealed for Date {}
impl private::Sealed for SignedDuration {}
count!([U: TimeStep] Datetime<U>, Timestamp);
count!([U: TimeStep] Datetime<U>, DateTime);
count!([U: TimeStep] Datetime<U>, Date);
count!([U: TimeStep] Timedelta<U>, SignedDuration);

impl Moment for Timestamp {
    const TYPE: &'static str = "Timestamp";

    fn to_parts(&self) -> Option<(i64, u32)> {
        split(self.as_nanosecond())
    }

    fn from_parts(whole: i64, nanos: u32) -> Option<Self> {
        Timestamp::new(whole, i32::try_from(nanos).ok()?).ok()
    }
}

impl Moment for DateTime {
    const TYPE: &'static str = "civil::DateTime";

    fn to_parts(&self) -> Option<(i64, u32)> {
        TimeZone::UTC.to_timestamp(*self).ok()?.to_parts()
    }

    fn from_parts(whole: i64, nanos: u32) -> Option<Self> {
        Timestamp::from_parts(whole, nanos).map(|time| TimeZone::UTC.to_datetime(time))
    }
}

impl Moment for Date {
    const TYPE: &'static str = "civil::Date";

    fn to_parts(&self) -> Option<(i64, u32)> {
        self.to_datetime(Time::midnight()).to_parts()
    }

    fn from_parts(whole: i64, nanos: u32) -> Option<Self> {
        let time = <DateTime as Moment>::from_parts(whole, nanos)?;
        (time.time() == Time::midnight()).then(|| time.date())
    }
}

impl Length for SignedDuration {
    const TYPE: &'static str = "SignedDuration";

    fn to_parts(&self) -> (i128, u32) {
        let nanos = u32::try_from(self.subsec_nanos().rem_euclid(1_000_000_000)).unwrap_or_default();
        // Its seconds are rounded towards zero.
        let down = i128::from(self.subsec_nanos() < 0);
        (i128::from(self.as_secs()).saturating_sub(down), nanos)
    }

    fn from_parts(whole: i64, nanos: u32) -> Option<Self> {
        Some(SignedDuration::new(whole, i32::try_from(nanos).ok()?))
    }
}
