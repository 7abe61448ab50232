//! The numbers seen at one place, and the one dtype that holds them all.

use crate::dtype::{ByteOrder, Kind, Scalar};
use crate::error::{Error, Result};

/// The widest type of each kind, and the range of the integers; a width of 0 is a kind that has not been seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Numbers {
    signed: usize,
    unsigned: usize,
    float: usize,
    least: i64,
    greatest: u64,
}

const NONE: Numbers = Numbers { signed: 0, unsigned: 0, float: 0, least: 0, greatest: 0 };

macro_rules! seen {
    ($($type:ident: $kind:ident;)*) => {$(
        #[inline]
        pub(crate) fn $type(value: $type) -> Numbers {
            Numbers { $kind: size_of::<$type>(), ..Numbers::range(value.into()) }
        }
    )*};
}

impl Numbers {
    seen! {
        i8: signed;
        i16: signed;
        i32: signed;
        i64: signed;
    }

    #[inline]
    pub(crate) fn u8(value: u8) -> Numbers {
        Numbers { unsigned: 1, greatest: value.into(), ..NONE }
    }

    #[inline]
    pub(crate) fn u16(value: u16) -> Numbers {
        Numbers { unsigned: 2, greatest: value.into(), ..NONE }
    }

    #[inline]
    pub(crate) fn u32(value: u32) -> Numbers {
        Numbers { unsigned: 4, greatest: value.into(), ..NONE }
    }

    #[inline]
    pub(crate) fn u64(value: u64) -> Numbers {
        Numbers { unsigned: 8, greatest: value, ..NONE }
    }

    #[inline]
    pub(crate) fn f32(_value: f32) -> Numbers {
        Numbers { float: 4, ..NONE }
    }

    #[inline]
    pub(crate) fn f64(_value: f64) -> Numbers {
        Numbers { float: 8, ..NONE }
    }

    #[inline]
    fn range(value: i64) -> Numbers {
        Numbers { least: value.min(0), greatest: u64::try_from(value).unwrap_or(0), ..NONE }
    }

    /// Whether `other` adds no kind and no width.
    #[inline]
    pub(crate) fn covers(&self, other: &Numbers) -> bool {
        (self.signed, self.unsigned, self.float) == (other.signed, other.unsigned, other.float)
    }

    #[inline]
    pub(crate) fn merge(&mut self, other: &Numbers) {
        self.signed = self.signed.max(other.signed);
        self.unsigned = self.unsigned.max(other.unsigned);
        self.float = self.float.max(other.float);
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
    }

    /// Whether only floats were seen.
    pub(crate) fn is_float(&self) -> bool {
        (self.signed, self.unsigned) == (0, 0)
    }

    /// Whether only integers without signs were seen.
    pub(crate) fn are_unsigned(&self) -> bool {
        (self.signed, self.float) == (0, 0)
    }

    /// Whether both are of one kind, so that only their widths differ.
    pub(crate) fn same_kind(&self, other: &Numbers) -> bool {
        let kinds = |numbers: &Numbers| (numbers.signed > 0, numbers.unsigned > 0, numbers.float > 0);
        kinds(self) == kinds(other)
    }

    /// Whether both have floats of one width, or none.
    pub(crate) fn same_float(&self, other: &Numbers) -> bool {
        self.float == other.float
    }

    /// The dtype: the widest of a single kind; of signed and unsigned integers the narrowest, not narrower than any of
    /// them, that holds every value; of integers and floats the float, if no integer is beyond those up to which it holds
    /// each.
    pub(crate) fn dtype(&self) -> Result<Scalar> {
        let little = |kind, size| Scalar::new(kind, size, ByteOrder::Little);
        match (self.signed, self.unsigned, self.float) {
            (signed, 0, 0) => little(Kind::Int, signed),
            (0, unsigned, 0) => little(Kind::UInt, unsigned),
            (signed, unsigned, 0) => {
                let mut size = signed.max(unsigned);
                while size <= 8 {
                    if self.fit(size, true) {
                        return little(Kind::Int, size);
                    }
                    if self.fit(size, false) {
                        return little(Kind::UInt, size);
                    }
                    size = size.saturating_mul(2);
                }
                Err(Error::data(format!("no dtype holds the integers from {} to {}", self.least, self.greatest)))
            }
            (_, _, float) => {
                // All integers up to this are exact.
                let most = if float == 4 { 1u64 << 24 } else { 1 << 53 };
                if self.greatest.max(self.least.unsigned_abs()) > most {
                    let far = if self.greatest > most { self.greatest.to_string() } else { self.least.to_string() };
                    return Err(Error::data(format!(
                        "found integer `{far}` beside floats: `<f{float}` holds every integer only up to {most}; give the dtype \
                         if it is meant"
                    )));
                }
                little(Kind::Float, float)
            }
        }
    }

    fn fit(&self, size: usize, signed: bool) -> bool {
        let bits = u32::try_from(size.saturating_mul(8)).unwrap_or(64).min(64);
        let most = u64::MAX.checked_shr(64u32.saturating_sub(bits)).unwrap_or(0);
        if signed {
            let half = most / 2;
            self.greatest <= half && self.least.unsigned_abs() <= half.saturating_add(1)
        } else {
            self.least >= 0 && self.greatest <= most
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_merge_to_the_dtype_that_holds_them() {
        let rows: &[(&[Numbers], &str)] = &[
            (&[Numbers::i8(-1)], "|i1"),
            (&[Numbers::i8(-1), Numbers::i32(5)], "<i4"),
            (&[Numbers::u8(1), Numbers::u16(5)], "<u2"),
            (&[Numbers::u64(1), Numbers::i64(-1)], "<i8"),
            (&[Numbers::u64(1), Numbers::i64(1)], "<i8"),
            (&[Numbers::u64(u64::MAX), Numbers::i64(1)], "<u8"),
            (&[Numbers::u8(200), Numbers::i8(-1)], "<i2"),
            (&[Numbers::u8(200), Numbers::i8(1)], "|u1"),
            (&[Numbers::u8(100), Numbers::i8(-100)], "|i1"),
            (&[Numbers::u32(4_000_000_000), Numbers::i32(-1)], "<i8"),
            (&[Numbers::f32(0.5), Numbers::f64(0.5)], "<f8"),
            (&[Numbers::f32(0.5), Numbers::i64(1 << 24)], "<f4"),
            (&[Numbers::f64(0.5), Numbers::i64(-(1 << 53))], "<f8"),
            (&[Numbers::f64(0.5), Numbers::u64(7), Numbers::i64(-7)], "<f8"),
        ];
        for (numbers, dtype) in rows {
            let mut all = numbers[0];
            numbers.iter().for_each(|one| all.merge(one));
            assert_eq!(all.dtype().unwrap().to_string(), *dtype, "{numbers:?}");
        }
    }

    #[test]
    fn numbers_that_no_dtype_holds_are_an_error() {
        let rows: &[(Numbers, Numbers, &str)] = &[
            (Numbers::u64(u64::MAX), Numbers::i64(-1), "no dtype holds the integers from -1 to 18446744073709551615"),
            (
                Numbers::f64(0.5),
                Numbers::i64((1 << 53) + 1),
                "found integer `9007199254740993` beside floats: `<f8` holds every integer only up to 9007199254740992; give the dtype if it is meant",
            ),
            (
                Numbers::f32(0.5),
                Numbers::i32(-16_777_217),
                "found integer `-16777217` beside floats: `<f4` holds every integer only up to 16777216; give the dtype if it is meant",
            ),
        ];
        for (a, b, message) in rows {
            let mut all = *a;
            all.merge(b);
            assert_eq!(all.dtype().unwrap_err().to_string(), *message);
        }
    }
}
