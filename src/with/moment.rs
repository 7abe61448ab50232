//! `std`'s times, and how those of any crate become counts: by way of whole seconds and nanoseconds.

use crate::codec;
use crate::error::{Error, Result};
use crate::with::count::{Single, count, private};
use crate::with::time::{Datetime, TimeStep, Timedelta};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A time, as seconds since 1970-01-01T00:00, rounded down, and nanoseconds.
pub(crate) trait Moment: Sized {
    /// The type in words, for errors.
    const TYPE: &'static str;
    /// `None` where there is no such time in UTC.
    fn to_parts(&self) -> Option<(i64, u32)>;
    /// `None` where the type cannot hold it.
    fn from_parts(whole: i64, nanos: u32) -> Option<Self>;
}

/// A length of time, as seconds, rounded down, and nanoseconds.
pub(crate) trait Length: Sized {
    /// The type in words, for errors.
    const TYPE: &'static str;
    fn to_parts(&self) -> (i128, u32);
    /// `None` where the type cannot hold it.
    fn from_parts(whole: i64, nanos: u32) -> Option<Self>;
}

impl<U: TimeStep, T: Moment> Single<Datetime<U>> for T {
    fn to_count(&self) -> Result<i64> {
        match self.to_parts() {
            Some((whole, nanos)) => codec::datetime_of(whole, nanos, U::UNIT),
            None => Err(Error::data(format!("found a {} that NumPy does not count, such as a leap second", T::TYPE))),
        }
    }

    fn from_count(count: i64) -> Result<Self> {
        let (whole, nanos) = codec::datetime_parts(count, U::UNIT)?;
        T::from_parts(whole, nanos).ok_or_else(|| cannot_hold(T::TYPE, codec::format_datetime(count, U::UNIT, 1)))
    }
}

impl<U: TimeStep, T: Length> Single<Timedelta<U>> for T {
    fn to_count(&self) -> Result<i64> {
        let (whole, nanos) = self.to_parts();
        codec::timedelta_of(whole, nanos, U::UNIT)
    }

    fn from_count(count: i64) -> Result<Self> {
        let (whole, nanos) = codec::timedelta_parts(count, U::UNIT)?;
        T::from_parts(whole, nanos).ok_or_else(|| cannot_hold(T::TYPE, Ok(codec::format_timedelta(count, U::UNIT, 1))))
    }
}

#[cold]
fn cannot_hold(what: &str, text: Result<String>) -> Error {
    let text = text.unwrap_or_else(|_| "a time out of range".to_owned());
    Error::data(format!("expected a time that `{what}` can hold, found `{text}`"))
}

/// Seconds, rounded down, and nanoseconds, out of nanoseconds of either sign.
pub(crate) fn split(nanos: i128) -> Option<(i64, u32)> {
    const PER_SECOND: i128 = 1_000_000_000;
    let whole = i64::try_from(nanos.div_euclid(PER_SECOND)).ok()?;
    Some((whole, u32::try_from(nanos.rem_euclid(PER_SECOND)).ok()?))
}

impl private::Sealed for SystemTime {}
impl private::Sealed for Duration {}
count!([U: TimeStep] Datetime<U>, SystemTime);
count!([U: TimeStep] Timedelta<U>, Duration);

impl Moment for SystemTime {
    const TYPE: &'static str = "SystemTime";

    fn to_parts(&self) -> Option<(i64, u32)> {
        match self.duration_since(UNIX_EPOCH) {
            Ok(since) => Some((i64::try_from(since.as_secs()).ok()?, since.subsec_nanos())),
            Err(before) => {
                let nanos = i128::try_from(before.duration().as_nanos()).ok()?;
                split(nanos.checked_neg()?)
            }
        }
    }

    fn from_parts(whole: i64, nanos: u32) -> Option<Self> {
        let seconds = Duration::from_secs(whole.unsigned_abs());
        let second = if whole < 0 { UNIX_EPOCH.checked_sub(seconds) } else { UNIX_EPOCH.checked_add(seconds) };
        let time = second?.checked_add(Duration::from_nanos(nanos.into()))?;
        // Not every system counts nanoseconds.
        (time.to_parts() == Some((whole, nanos))).then_some(time)
    }
}

impl Length for Duration {
    const TYPE: &'static str = "Duration";

    fn to_parts(&self) -> (i128, u32) {
        (self.as_secs().into(), self.subsec_nanos())
    }

    fn from_parts(whole: i64, nanos: u32) -> Option<Self> {
        Some(Duration::new(u64::try_from(whole).ok()?, nanos))
    }
}
