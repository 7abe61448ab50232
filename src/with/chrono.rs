//! The times of the `chrono` crate.

use crate::with::count::{count, private};
use crate::with::moment::{Length, Moment};
use crate::with::time::{Datetime, TimeStep, Timedelta};
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};

impl private::Sealed for DateTime<Utc> {}
impl private::Sealed for NaiveDateTime {}
impl private::Sealed for NaiveDate {}
impl private::Sealed for TimeDelta {}
count!([U: TimeStep] Datetime<U>, DateTime<Utc>);
count!([U: TimeStep] Datetime<U>, NaiveDateTime);
count!([U: TimeStep] Datetime<U>, NaiveDate);
count!([U: TimeStep] Timedelta<U>, TimeDelta);

impl Moment for DateTime<Utc> {
    const TYPE: &'static str = "DateTime<Utc>";

    fn to_parts(&self) -> Option<(i64, u32)> {
        // A leap second has more nanoseconds than that.
        Some((self.timestamp(), self.timestamp_subsec_nanos())).filter(|(_, nanos)| *nanos < 1_000_000_000)
    }

    fn from_parts(whole: i64, nanos: u32) -> Option<Self> {
        DateTime::from_timestamp(whole, nanos)
    }
}

impl Moment for NaiveDateTime {
    const TYPE: &'static str = "NaiveDateTime";

    fn to_parts(&self) -> Option<(i64, u32)> {
        self.and_utc().to_parts()
    }

    fn from_parts(whole: i64, nanos: u32) -> Option<Self> {
        DateTime::from_parts(whole, nanos).map(|time| time.naive_utc())
    }
}

impl Moment for NaiveDate {
    const TYPE: &'static str = "NaiveDate";

    fn to_parts(&self) -> Option<(i64, u32)> {
        self.and_time(NaiveTime::MIN).to_parts()
    }

    fn from_parts(whole: i64, nanos: u32) -> Option<Self> {
        let time = NaiveDateTime::from_parts(whole, nanos)?;
        (time.time() == NaiveTime::MIN).then(|| time.date())
    }
}

impl Length for TimeDelta {
    const TYPE: &'static str = "TimeDelta";

    fn to_parts(&self) -> (i128, u32) {
        let nanos = u32::try_from(self.subsec_nanos().rem_euclid(1_000_000_000)).unwrap_or_default();
        // Its seconds are rounded towards zero.
        let down = i128::from(self.subsec_nanos() < 0);
        (i128::from(self.num_seconds()).saturating_sub(down), nanos)
    }

    fn from_parts(whole: i64, nanos: u32) -> Option<Self> {
        TimeDelta::new(whole, nanos)
    }
}
