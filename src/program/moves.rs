//! Numbers from elements into streams, and back: reordered, swapped, widened, a block at a time.

use crate::codec;
use crate::plan::{Coding, Leaf};
use crate::program::ops::Op;

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

/// The ways from a coding to an op: the primitive on each side, and whatever `From` says between them, which loses
/// nothing.
macro_rules! ways {
    ($($coding:pat, $source:ty => [$($op:pat, $target:ty);+];)*) => {
        impl Move {
            /// Whether there is a way between the two: of the same kind, or to a wider one without loss.
            pub(crate) fn is_possible(&self) -> bool {
                match self.leaf.coding {
                    $($coding => matches!(self.op, $($op)|+),)*
                    Coding::F16 => matches!(self.op, Op::F32 | Op::F64),
                    _ => false,
                }
            }

            /// Fills the places of these numbers in the streams of as many elements.
            pub(crate) fn gather(&self, elements: &[u8], itemsize: usize, streams: &mut [u8], stride: usize) {
                let pairs = Pairs { elements, itemsize, streams, stride };
                match (self.leaf.coding, self.op, self.leaf.big) {
                    $($(
                        ($coding, $op, false) => {
                            pairs.carry(self, |bytes| <$target>::from(<$source>::from_le_bytes(bytes)).to_le_bytes());
                        }
                        ($coding, $op, true) => {
                            pairs.carry(self, |bytes| <$target>::from(<$source>::from_be_bytes(bytes)).to_le_bytes());
                        }
                    )+)*
                    (Coding::F16, Op::F32, false) => {
                        pairs.carry(self, |bytes| codec::f16_to_f32(u16::from_le_bytes(bytes)).to_le_bytes());
                    }
                    (Coding::F16, Op::F32, true) => {
                        pairs.carry(self, |bytes| codec::f16_to_f32(u16::from_be_bytes(bytes)).to_le_bytes());
                    }
                    (Coding::F16, Op::F64, false) => pairs.carry(self, |bytes| {
                        f64::from(codec::f16_to_f32(u16::from_le_bytes(bytes))).to_le_bytes()
                    }),
                    (Coding::F16, Op::F64, true) => pairs.carry(self, |bytes| {
                        f64::from(codec::f16_to_f32(u16::from_be_bytes(bytes))).to_le_bytes()
                    }),
                    _ => {}
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

impl Move {
    /// Writes these numbers out of the streams into as many elements, where they have the same width.
    pub(crate) fn scatter(&self, streams: &[u8], stride: usize, elements: &mut [u8], itemsize: usize) {
        let back = Move { offset: self.target, target: self.offset, ..*self };
        let pairs = Pairs { elements: streams, itemsize: stride, streams: elements, stride: itemsize };
        match (self.op.width(), self.leaf.big) {
            (1, _) => pairs.carry(&back, |bytes: [u8; 1]| bytes),
            (2, false) => pairs.carry(&back, |bytes: [u8; 2]| bytes),
            (4, false) => pairs.carry(&back, |bytes: [u8; 4]| bytes),
            (8, false) => pairs.carry(&back, |bytes: [u8; 8]| bytes),
            (2, true) => pairs.carry(&back, |[a, b]: [u8; 2]| [b, a]),
            (4, true) => pairs.carry(&back, |[a, b, c, d]: [u8; 4]| [d, c, b, a]),
            (8, true) => pairs.carry(&back, |bytes: [u8; 8]| u64::from_be_bytes(bytes).to_le_bytes()),
            _ => {}
        }
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
    fn carry<const S: usize, const T: usize>(self, numbers: &Move, convert: impl Fn([u8; S]) -> [u8; T]) {
        if self.itemsize == 0 || self.stride == 0 {
            return;
        }
        let pairs = self.elements.chunks_exact(self.itemsize).zip(self.streams.chunks_exact_mut(self.stride));
        for (element, stream) in pairs {
            let source = element.get(numbers.offset..).unwrap_or_default();
            let target = stream.get_mut(numbers.target..).unwrap_or_default();
            if numbers.count == 1 {
                if let (Some(source), Some(target)) = (source.first_chunk(), target.first_chunk_mut()) {
                    *target = convert(*source);
                }
                continue;
            }
            let (source, _) = source.as_chunks();
            let (target, _) = target.as_chunks_mut();
            for (source, target) in source.iter().zip(target).take(numbers.count) {
                *target = convert(*source);
            }
        }
    }
}
