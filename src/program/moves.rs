//! Numbers from elements into streams, and back: reordered, swapped, widened, a block at a time.

use crate::codec;
use crate::plan::{Coding, Leaf};
use crate::program::ops::{Op, Program};

/// Numbers that lie one after the other in an element, and where they belong in its stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    /// What they are in the element.
    pub(crate) leaf: Leaf,
    /// What they are in the stream.
    pub(crate) op: Op,
    pub(crate) count: usize,
    /// Where the first of them lies in the element, and where in the stream.
    pub(crate) offset: usize,
    pub(crate) target: usize,
}

impl Move {
    /// Whether the type is the same on both sides, and at most the byteorder is not.
    pub(crate) fn keeps_type(&self) -> bool {
        plain(self.leaf.coding) == Some(if self.op == Op::Time { Op::I64 } else { self.op })
    }

    /// Whether floats are rounded on the way.
    pub(crate) fn is_rounding(&self) -> bool {
        (self.leaf.coding, self.op) == (Coding::F64, Op::F32)
    }

    /// Whether the bytes in the stream are those in the element.
    pub(crate) fn is_plain(&self) -> bool {
        self.keeps_type() && (!self.leaf.big || self.op.width() == 1)
    }
}

/// The op of the same bytes, for numbers.
pub(crate) fn plain(coding: Coding) -> Option<Op> {
    Some(match coding {
        Coding::Bool => Op::Bool,
        Coding::I8 => Op::I8,
        Coding::I16 => Op::I16,
        Coding::I32 => Op::I32,
        Coding::I64 | Coding::Datetime(_) | Coding::Timedelta(_) => Op::I64,
        Coding::U8 => Op::U8,
        Coding::U16 => Op::U16,
        Coding::U32 => Op::U32,
        Coding::U64 => Op::U64,
        Coding::F32 => Op::F32,
        Coding::F64 => Op::F64,
        _ => return None,
    })
}

/// The ways from a coding to an op that lose nothing: the primitive on each side, and whatever `From` says between them.
macro_rules! ways {
    ($($coding:pat, $source:ty => [$($op:pat, $target:ty);+];)*) => {
        impl Move {
            /// Whether there is a way between the two: of the same kind, to a wider one without loss, or from an integer
            /// to another type that may have its equal.
            pub(crate) fn is_possible(&self) -> bool {
                match self.leaf.coding {
                    $($coding if matches!(self.op, $($op)|+) => true,)*
                    Coding::F16 => matches!(self.op, Op::F32 | Op::F64),
                    _ => integer(self.leaf).is_some() && equal(self.op).is_some(),
                }
            }

            /// Fills the places of these numbers in the streams of as many elements: how many of the first have numbers
            /// that are equal there.
            fn gather(&self, elements: &[u8], itemsize: usize, streams: &mut [u8], stride: usize) -> usize {
                let pairs = Pairs { elements, itemsize, streams, stride };
                match (self.leaf.coding, self.op, self.leaf.big) {
                    $($(
                        ($coding, $op, false) => {
                            pairs.carry(self, |bytes| Some(<$target>::from(<$source>::from_le_bytes(bytes)).to_le_bytes()))
                        }
                        ($coding, $op, true) => {
                            pairs.carry(self, |bytes| Some(<$target>::from(<$source>::from_be_bytes(bytes)).to_le_bytes()))
                        }
                    )+)*
                    (Coding::F16, Op::F32, false) => {
                        pairs.carry(self, |bytes| Some(codec::f16_to_f32(u16::from_le_bytes(bytes)).to_le_bytes()))
                    }
                    (Coding::F16, Op::F32, true) => {
                        pairs.carry(self, |bytes| Some(codec::f16_to_f32(u16::from_be_bytes(bytes)).to_le_bytes()))
                    }
                    (Coding::F16, Op::F64, false) => pairs.carry(self, |bytes| {
                        Some(f64::from(codec::f16_to_f32(u16::from_le_bytes(bytes))).to_le_bytes())
                    }),
                    (Coding::F16, Op::F64, true) => pairs.carry(self, |bytes| {
                        Some(f64::from(codec::f16_to_f32(u16::from_be_bytes(bytes))).to_le_bytes())
                    }),
                    (Coding::F64, Op::F32, false) => {
                        pairs.carry(self, |bytes| Some(codec::f64_to_f32(f64::from_le_bytes(bytes))?.to_le_bytes()))
                    }
                    (Coding::F64, Op::F32, true) => {
                        pairs.carry(self, |bytes| Some(codec::f64_to_f32(f64::from_be_bytes(bytes))?.to_le_bytes()))
                    }
                    _ => match (integer(self.leaf), equal(self.op)) {
                        (Some(integer), Some(equal)) => pairs.compare(self, integer, equal),
                        _ => 0,
                    },
                }
            }
        }
    };
}

ways! {
    Coding::Bool, u8 => [Op::Bool, u8];
    Coding::I8, i8 => [Op::I8, i8; Op::I16, i16; Op::I32, i32; Op::I64, i64; Op::F32, f32; Op::F64, f64];
    Coding::I16, i16 => [Op::I16, i16; Op::I32, i32; Op::I64, i64; Op::F32, f32; Op::F64, f64];
    Coding::I32, i32 => [Op::I32, i32; Op::I64, i64; Op::F64, f64];
    Coding::I64, i64 => [Op::I64, i64];
    Coding::U8, u8 => [Op::U8, u8; Op::U16, u16; Op::U32, u32; Op::U64, u64; Op::I16, i16; Op::I32, i32; Op::I64, i64; Op::F32, f32; Op::F64, f64];
    Coding::U16, u16 => [Op::U16, u16; Op::U32, u32; Op::U64, u64; Op::I32, i32; Op::I64, i64; Op::F32, f32; Op::F64, f64];
    Coding::U32, u32 => [Op::U32, u32; Op::U64, u64; Op::I64, i64; Op::F64, f64];
    Coding::U64, u64 => [Op::U64, u64];
    Coding::F32, f32 => [Op::F32, f32; Op::F64, f64];
    Coding::F64, f64 => [Op::F64, f64];
    Coding::Datetime(_) | Coding::Timedelta(_), i64 => [Op::I64 | Op::Time, i64];
}

impl<S> Program<S> {
    /// Fills the streams of elements: how many of the first have numbers that all are equal there.
    pub(crate) fn gather(&self, elements: &[u8], streams: &mut [u8]) -> usize {
        let mut done = elements.len().checked_div(self.itemsize).unwrap_or(0);
        for numbers in self.moves.iter().flatten() {
            let elements = elements.get(..done.saturating_mul(self.itemsize)).unwrap_or_default();
            done = numbers.gather(elements, self.itemsize, streams, self.stride);
        }
        done
    }
}

/// What an integer is read by.
type Integer = fn(&[u8]) -> Option<i128>;
/// What writes the number that is equal to an integer, if there is one.
type Equal = fn(i128, &mut [u8]) -> Option<()>;

// By way of functions, since there are a hundred ways, few of which any program takes.
macro_rules! integers {
    ($($coding:ident $type:ident)*) => {
        fn integer(leaf: Leaf) -> Option<Integer> {
            Some(match (leaf.coding, leaf.big) {
                $(
                    (Coding::$coding, false) => |bytes| Some($type::from_le_bytes(*bytes.first_chunk()?).into()),
                    (Coding::$coding, true) => |bytes| Some($type::from_be_bytes(*bytes.first_chunk()?).into()),
                )*
                _ => return None,
            })
        }

        fn equal(op: Op) -> Option<Equal> {
            Some(match op {
                $(Op::$coding => |value, place| {
                    *place.first_chunk_mut()? = $type::try_from(value).ok()?.to_le_bytes();
                    Some(())
                },)*
                Op::F32 => |value, place| {
                    *place.first_chunk_mut()? = codec::exact_f32(value)?.to_le_bytes();
                    Some(())
                },
                Op::F64 => |value, place| {
                    *place.first_chunk_mut()? = codec::exact_f64(value)?.to_le_bytes();
                    Some(())
                },
                _ => return None,
            })
        }
    };
}

integers! { I8 i8 I16 i16 I32 i32 I64 i64 U8 u8 U16 u16 U32 u32 U64 u64 }

impl Move {
    /// Writes these numbers out of the streams into as many elements, where they have the same width.
    pub(crate) fn scatter(&self, streams: &[u8], stride: usize, elements: &mut [u8], itemsize: usize) {
        let back = Move { offset: self.target, target: self.offset, ..*self };
        let pairs = Pairs { elements: streams, itemsize: stride, streams: elements, stride: itemsize };
        let _ = match (self.op.width(), self.leaf.big) {
            (1, _) => pairs.carry(&back, |bytes: [u8; 1]| Some(bytes)),
            (2, false) => pairs.carry(&back, |bytes: [u8; 2]| Some(bytes)),
            (4, false) => pairs.carry(&back, |bytes: [u8; 4]| Some(bytes)),
            (8, false) => pairs.carry(&back, |bytes: [u8; 8]| Some(bytes)),
            (2, true) => pairs.carry(&back, |[a, b]: [u8; 2]| Some([b, a])),
            (4, true) => pairs.carry(&back, |[a, b, c, d]: [u8; 4]| Some([d, c, b, a])),
            (8, true) => pairs.carry(&back, |bytes: [u8; 8]| Some(u64::from_be_bytes(bytes).to_le_bytes())),
            _ => 0,
        };
    }
}

/// Elements and their streams.
struct Pairs<'a> {
    elements: &'a [u8],
    itemsize: usize,
    streams: &'a mut [u8],
    stride: usize,
}

impl Pairs<'_> {
    /// Carries numbers over until one has no equal: the elements before.
    fn carry<const S: usize, const T: usize>(
        self,
        numbers: &Move,
        convert: impl Fn([u8; S]) -> Option<[u8; T]>,
    ) -> usize {
        self.each(|element, stream| {
            let source = element.get(numbers.offset..)?;
            let target = stream.get_mut(numbers.target..)?;
            if numbers.count == 1 {
                *target.first_chunk_mut()? = convert(*source.first_chunk()?)?;
                return Some(());
            }
            let (source, _) = source.as_chunks();
            let (target, _) = target.as_chunks_mut();
            for (source, target) in source.iter().zip(target).take(numbers.count) {
                *target = convert(*source)?;
            }
            Some(())
        })
    }

    /// Carries numbers over as the functions say.
    fn compare(self, numbers: &Move, integer: Integer, equal: Equal) -> usize {
        let (width, found) = (numbers.op.width(), numbers.leaf.scalar.itemsize());
        self.each(|element, stream| {
            let source = element.get(numbers.offset..)?.chunks_exact(found.max(1));
            let target = stream.get_mut(numbers.target..)?.chunks_exact_mut(width.max(1));
            source.zip(target).take(numbers.count).try_for_each(|(source, target)| equal(integer(source)?, target))
        })
    }

    #[inline(always)]
    fn each(self, carry: impl Fn(&[u8], &mut [u8]) -> Option<()>) -> usize {
        if self.itemsize == 0 || self.stride == 0 {
            return 0;
        }
        let mut done = 0usize;
        let pairs = self.elements.chunks_exact(self.itemsize).zip(self.streams.chunks_exact_mut(self.stride));
        for (element, stream) in pairs {
            if carry(element, stream).is_none() {
                break;
            }
            done = done.wrapping_add(1);
        }
        done
    }
}
