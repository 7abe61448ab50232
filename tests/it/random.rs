//! Values for the fields of test types, from a seed.

use serde_bytes::ByteBuf;
use std::collections::BTreeMap;

/// A generator of numbers (xorshift), the same for every run.
pub(crate) struct Random {
    state: u64,
    /// Whether the next value shall be the widest of its type, so that every file has one and its dtype is known.
    pub(crate) widest: bool,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, widest: false }
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.bits() % u64::try_from(bound).unwrap()).unwrap()
    }
}

/// A type of which there are random values.
pub(crate) trait Sample {
    fn sample(random: &mut Random) -> Self;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Sample for $type {
            fn sample(random: &mut Random) -> Self {
                match random.below(8) {
                    0 => <$type>::MIN,
                    1 => <$type>::MAX,
                    _ => {
                        let bytes = random.bits().to_le_bytes();
                        <$type>::from_le_bytes(*bytes.first_chunk().unwrap())
                    }
                }
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

impl Sample for f32 {
    fn sample(random: &mut Random) -> Self {
        // JSON, by which the values are compared, has neither NaN nor infinity.
        Some(f32::from_bits(u32::sample(random))).filter(|float| float.is_finite()).unwrap_or(-0.0)
    }
}

impl Sample for f64 {
    fn sample(random: &mut Random) -> Self {
        Some(f64::from_bits(u64::sample(random))).filter(|float| float.is_finite()).unwrap_or(-0.0)
    }
}

impl Sample for bool {
    fn sample(random: &mut Random) -> Self {
        random.below(2) == 1
    }
}

impl Sample for char {
    fn sample(random: &mut Random) -> Self {
        ['a', 'é', 'λ', '日', '🦀', '\u{10ffff}', '\u{7f}', '\''][random.below(8)]
    }
}

/// At most six characters.
impl Sample for String {
    fn sample(random: &mut Random) -> Self {
        let length = if random.widest { 6 } else { random.below(7) };
        (0..length).map(|_| char::sample(random)).collect()
    }
}

/// Five bytes, since `V` has one length for all.
impl Sample for ByteBuf {
    fn sample(random: &mut Random) -> Self {
        ByteBuf::from(<[u8; 5]>::sample(random))
    }
}

impl Sample for () {
    fn sample(_random: &mut Random) -> Self {}
}

impl<T: Sample> Sample for Option<T> {
    fn sample(random: &mut Random) -> Self {
        (random.below(4) > 0).then(|| T::sample(random))
    }
}

/// Three items, since a subarray has one length for all.
impl<T: Sample> Sample for Vec<T> {
    fn sample(random: &mut Random) -> Self {
        (0..3).map(|_| T::sample(random)).collect()
    }
}

impl<T: Sample, const N: usize> Sample for [T; N] {
    fn sample(random: &mut Random) -> Self {
        std::array::from_fn(|_| T::sample(random))
    }
}

impl<A: Sample, B: Sample> Sample for (A, B) {
    fn sample(random: &mut Random) -> Self {
        (A::sample(random), B::sample(random))
    }
}

impl<A: Sample, B: Sample, C: Sample> Sample for (A, B, C) {
    fn sample(random: &mut Random) -> Self {
        (A::sample(random), B::sample(random), C::sample(random))
    }
}

/// The same keys in all.
impl<T: Sample> Sample for BTreeMap<String, T> {
    fn sample(random: &mut Random) -> Self {
        ["ask", "bid", "größe"].into_iter().map(|key| (key.to_owned(), T::sample(random))).collect()
    }
}
