//! [`ByHand`]: the loops that somebody would write who knows the layout of one type.

use crate::random::Random;
use crate::types::{Five, Flat, Nested, Particle, Tick, Wide, Xyz};

/// A packed little-endian record.
pub trait ByHand: Sized {
    const DESCR: &'static str;
    const ITEMSIZE: usize;

    fn sample(random: &mut Random) -> Self;

    /// `None` where a bool is neither 0 nor 1, as must be checked by everyone.
    fn decode(bytes: &[u8]) -> Option<Self>;

    fn encode(&self, bytes: &mut [u8]);
}

/// The records of `bytes` behind those that are in `records`.
#[inline(never)]
pub fn decode_all<T: ByHand>(bytes: &[u8], records: &mut Vec<T>) -> bool {
    records.reserve(bytes.len() / T::ITEMSIZE);
    for bytes in bytes.chunks_exact(T::ITEMSIZE) {
        match T::decode(bytes) {
            Some(record) => records.push(record),
            None => return false,
        }
    }
    true
}

#[inline(never)]
pub fn encode_all<T: ByHand>(records: &[T], bytes: &mut [u8]) {
    for (record, bytes) in records.iter().zip(bytes.chunks_exact_mut(T::ITEMSIZE)) {
        record.encode(bytes);
    }
}

/// So many records, and the file that holds them.
pub fn samples<T: ByHand>(count: usize) -> (Vec<T>, Vec<u8>) {
    let mut random = Random::new(42);
    let records: Vec<T> = (0..count).map(|_| T::sample(&mut random)).collect();
    let mut file = header(T::DESCR, &[count]);
    let begin = file.len();
    file.resize(begin + count * T::ITEMSIZE, 0);
    encode_all(&records, &mut file[begin..]);
    (records, file)
}

/// The bytes in front of an array in C order, as NumPy writes them.
pub fn header(descr: &str, shape: &[usize]) -> Vec<u8> {
    let mut lengths: String = shape.iter().map(|length| format!("{length}, ")).collect();
    lengths.truncate(lengths.len().saturating_sub(if shape.len() == 1 { 1 } else { 2 }));
    let mut text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({lengths}), }}");
    let (version, preamble) = if text.len() < 60_000 { (1, 10) } else { (2, 12) };
    let total = (preamble + text.len() + 1).next_multiple_of(64);
    let padding = total - preamble - text.len() - 1;
    text.extend(std::iter::repeat_n(' ', padding));
    text.push('\n');
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    if version == 1 {
        bytes.extend((text.len() as u16).to_le_bytes());
    } else {
        bytes.extend((text.len() as u32).to_le_bytes());
    }
    bytes.extend(text.bytes());
    bytes
}

trait Value: Sized {
    fn get(bytes: &[u8], at: usize) -> Option<Self>;
    fn put(&self, bytes: &mut [u8], at: usize);
}

macro_rules! number {
    ($($type:ty)*) => {$(
        impl Value for $type {
            #[inline(always)]
            fn get(bytes: &[u8], at: usize) -> Option<Self> {
                const N: usize = size_of::<$type>();
                Some(<$type>::from_le_bytes(bytes[at..at + N].try_into().unwrap()))
            }

            #[inline(always)]
            fn put(&self, bytes: &mut [u8], at: usize) {
                const N: usize = size_of::<$type>();
                bytes[at..at + N].copy_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
number!(i64 f64 u32 u16 u8 i32 f32);

impl Value for bool {
    #[inline(always)]
    fn get(bytes: &[u8], at: usize) -> Option<Self> {
        match bytes[at] {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    #[inline(always)]
    fn put(&self, bytes: &mut [u8], at: usize) {
        bytes[at] = u8::from(*self);
    }
}

impl Value for [f32; 3] {
    #[inline(always)]
    fn get(bytes: &[u8], at: usize) -> Option<Self> {
        Some([f32::get(bytes, at)?, f32::get(bytes, at + 4)?, f32::get(bytes, at + 8)?])
    }

    #[inline(always)]
    fn put(&self, bytes: &mut [u8], at: usize) {
        for (i, value) in self.iter().enumerate() {
            value.put(bytes, at + 4 * i);
        }
    }
}

impl Value for Xyz {
    #[inline(always)]
    fn get(bytes: &[u8], at: usize) -> Option<Self> {
        Some(Xyz { x: f64::get(bytes, at)?, y: f64::get(bytes, at + 8)?, z: f64::get(bytes, at + 16)? })
    }

    #[inline(always)]
    fn put(&self, bytes: &mut [u8], at: usize) {
        self.x.put(bytes, at);
        self.y.put(bytes, at + 8);
        self.z.put(bytes, at + 16);
    }
}

macro_rules! by_hand {
    ($type:ty, $itemsize:literal, $descr:literal, { $($field:ident @ $at:literal = $sample:expr),* $(,)? }) => {
        impl ByHand for $type {
            const DESCR: &'static str = $descr;
            const ITEMSIZE: usize = $itemsize;

            fn sample(random: &mut Random) -> Self {
                Self { $($field: { let sample: fn(&mut Random) -> _ = $sample; sample(random) }),* }
            }

            #[inline(always)]
            fn decode(bytes: &[u8]) -> Option<Self> {
                Some(Self { $($field: Value::get(bytes, $at)?),* })
            }

            #[inline(always)]
            fn encode(&self, bytes: &mut [u8]) {
                $(self.$field.put(bytes, $at);)*
            }
        }
    };
}

fn float(random: &mut Random) -> f32 {
    random.normal() as f32
}

fn floats(random: &mut Random) -> [f32; 3] {
    [float(random), float(random), float(random)]
}

fn xyz(random: &mut Random) -> Xyz {
    Xyz { x: random.normal(), y: random.normal(), z: random.normal() }
}

by_hand!(
    Tick,
    24,
    "[('time', '<i8'), ('price', '<f8'), ('size', '<u4'), ('flags', '<u2'), ('side', '|u1'), ('ok', '|b1')]",
    {
        time @ 0 = |r| 1_700_000_000_000_000_000 + r.range(0, 1 << 40) as i64,
        price @ 8 = |r| ((100.0 + r.normal()) * 100.0).round() / 100.0,
        size @ 16 = |r| r.range(1, 10_000) as u32,
        flags @ 20 = |r| r.range(0, 65_536) as u16,
        side @ 22 = |r| r.range(0, 3) as u8,
        ok @ 23 = |r| r.range(0, 2) == 1,
    }
);
by_hand!(Xyz, 24, "[('x', '<f8'), ('y', '<f8'), ('z', '<f8')]", {
    x @ 0 = Random::normal,
    y @ 8 = Random::normal,
    z @ 16 = Random::normal,
});
by_hand!(
    Nested,
    56,
    "[('id', '<u4'), ('at', [('x', '<f8'), ('y', '<f8'), ('z', '<f8')]), \
     ('speed', [('x', '<f8'), ('y', '<f8'), ('z', '<f8')]), ('mass', '<f4')]",
    {
        id @ 0 = |r| r.range(0, 1 << 32) as u32,
        at @ 4 = xyz,
        speed @ 28 = xyz,
        mass @ 52 = float,
    }
);
by_hand!(
    Flat,
    32,
    "[('id', '<u4'), ('x', '<f4'), ('y', '<f4'), ('z', '<f4'), ('u', '<f4'), ('v', '<f4'), ('w', '<f4'), ('m', '<f4')]",
    {
        id @ 0 = |r| r.range(0, 1 << 32) as u32,
        x @ 4 = float,
        y @ 8 = float,
        z @ 12 = float,
        u @ 16 = float,
        v @ 20 = float,
        w @ 24 = float,
        m @ 28 = float,
    }
);
by_hand!(Particle, 32, "[('id', '<u4'), ('pos', '<f4', (3,)), ('vel', '<f4', (3,)), ('m', '<f4')]", {
    id @ 0 = |r| r.range(0, 1 << 32) as u32,
    pos @ 4 = floats,
    vel @ 16 = floats,
    m @ 28 = float,
});
by_hand!(
    Wide,
    48,
    "[('a0', '<i4'), ('b0', '<u2'), ('c0', '|u1'), ('d0', '|b1'), ('e0', '<f4'), \
     ('a1', '<i4'), ('b1', '<u2'), ('c1', '|u1'), ('d1', '|b1'), ('e1', '<f4'), \
     ('a2', '<i4'), ('b2', '<u2'), ('c2', '|u1'), ('d2', '|b1'), ('e2', '<f4'), \
     ('a3', '<i4'), ('b3', '<u2'), ('c3', '|u1'), ('d3', '|b1'), ('e3', '<f4')]",
    {
        a0 @ 0 = |r| r.bits() as i32, b0 @ 4 = |r| r.bits() as u16, c0 @ 6 = |r| r.bits() as u8, d0 @ 7 = |r| r.range(0, 2) == 1, e0 @ 8 = float,
        a1 @ 12 = |r| r.bits() as i32, b1 @ 16 = |r| r.bits() as u16, c1 @ 18 = |r| r.bits() as u8, d1 @ 19 = |r| r.range(0, 2) == 1, e1 @ 20 = float,
        a2 @ 24 = |r| r.bits() as i32, b2 @ 28 = |r| r.bits() as u16, c2 @ 30 = |r| r.bits() as u8, d2 @ 31 = |r| r.range(0, 2) == 1, e2 @ 32 = float,
        a3 @ 36 = |r| r.bits() as i32, b3 @ 40 = |r| r.bits() as u16, c3 @ 42 = |r| r.bits() as u8, d3 @ 43 = |r| r.range(0, 2) == 1, e3 @ 44 = float,
    }
);

/// Five fields out of a record of a thousand.
impl ByHand for Five {
    const DESCR: &'static str = "";
    const ITEMSIZE: usize = 8000;

    fn sample(random: &mut Random) -> Self {
        let mut next = || random.normal();
        Five { f000: next(), f250: next(), f500: next(), f750: next(), f999: next() }
    }

    #[inline(always)]
    fn decode(bytes: &[u8]) -> Option<Self> {
        Some(Five {
            f000: f64::get(bytes, 0)?,
            f250: f64::get(bytes, 2000)?,
            f500: f64::get(bytes, 4000)?,
            f750: f64::get(bytes, 6000)?,
            f999: f64::get(bytes, 7992)?,
        })
    }

    #[inline(always)]
    fn encode(&self, bytes: &mut [u8]) {
        self.f000.put(bytes, 0);
        self.f250.put(bytes, 2000);
        self.f500.put(bytes, 4000);
        self.f750.put(bytes, 6000);
        self.f999.put(bytes, 7992);
    }
}
