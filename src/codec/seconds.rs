//! An exact length of time, or time since 1970, that every unit of fixed length converts to and from.

use std::fmt;

pub(super) const ATTOS_PER_SECOND: i128 = 1_000_000_000_000_000_000;
pub(super) const SECONDS_PER_DAY: i128 = 86_400;

/// Whole seconds, rounded down, and attoseconds.
///
/// All 64-bit counts of all steps fit with room to spare: 2<sup>63</sup> × 2<sup>32</sup> years are less than
/// 2<sup>121</sup> seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seconds {
    pub(super) whole: i128,
    /// From 0, less than a second.
    pub(super) attos: i128,
}

impl Seconds {
    pub(super) const ZERO: Seconds = Seconds { whole: 0, attos: 0 };

    pub(super) fn of_days(days: i128) -> Seconds {
        Seconds { whole: days * SECONDS_PER_DAY, attos: 0 }
    }

    /// Whole days, rounded down, and what is left of the last one.
    pub(super) fn split_days(self) -> (i128, Seconds) {
        let in_day = Seconds { whole: self.whole.rem_euclid(SECONDS_PER_DAY), attos: self.attos };
        (self.whole.div_euclid(SECONDS_PER_DAY), in_day)
    }
}

/// As an ISO 8601 duration, of what is not negative: not `PT90M`, but `PT1H30M`.
impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, in_day) = self.split_days();
        f.write_str("P")?;
        if days != 0 {
            write!(f, "{days}D")?;
            if in_day == Seconds::ZERO {
                return Ok(());
            }
        }
        f.write_str("T")?;
        let (hours, minutes, seconds) = (in_day.whole / 3600, in_day.whole / 60 % 60, in_day.whole % 60);
        if hours != 0 {
            write!(f, "{hours}H")?;
        }
        if minutes != 0 {
            write!(f, "{minutes}M")?;
        }
        if seconds != 0 || in_day.attos != 0 || *self == Seconds::ZERO {
            write!(f, "{seconds}{}S", Fraction(in_day.attos))?;
        }
        Ok(())
    }
}

/// Attoseconds as digits behind a second: a point and no trailing zeros, or nothing.
pub(super) struct Fraction(pub(super) i128);

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return Ok(());
        }
        let digits = format!("{:018}", self.0);
        write!(f, ".{}", digits.trim_end_matches('0'))
    }
}
