//! The list of calls that is a program.

use crate::program::moves::Move;

/// One call of serde.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Op {
    /// Behind the last op: nothing is expected.
    #[default]
    End,
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    /// An `I64` that is no NaT.
    Time,
    /// A struct; the address and the length of its list of names.
    Struct,
    /// As many parts as the length says, by position.
    Tuple,
    /// As many numbers as the length says, all of one op: which, and behind the lowest byte how many bytes.
    Run,
    /// Characters or bytes of fixed width, in place: offset and width.
    Bytes,
    Str,
    StrBig,
    Void,
    /// The newtype of a helper; the address and the length of its name.
    Adapter,
    /// The newtype of a helper that tells what is in it that the format is human-readable.
    Readable,
    /// An `Option` whose `None` is the NaN of the float that follows.
    NanOption,
    /// An `Option` whose `None` is the NaT that follows.
    TimeOption,
    /// What nobody wants to know.
    Skip,
}

impl Op {
    /// Bytes of the number in a stream; 0 for all but numbers.
    pub(crate) const fn width(self) -> usize {
        match self {
            Op::Bool | Op::I8 | Op::U8 => 1,
            Op::I16 | Op::U16 => 2,
            Op::I32 | Op::U32 | Op::F32 => 4,
            Op::I64 | Op::U64 | Op::F64 | Op::Time => 8,
            _ => 0,
        }
    }
}

/// An op as it stands in a program, to be compared with a call.
pub(crate) trait Step: Copy + Default {
    /// An op that stands under the key of a field, where a type is written; `None` if it cannot be told from others.
    fn new(op: Op, key: Option<&'static str>) -> Option<Self>;
}

impl Step for Op {
    #[inline]
    fn new(op: Op, _: Option<&'static str>) -> Option<Self> {
        Some(op)
    }
}

/// An op together with the key that it stands under.
///
/// A struct that is written tells the keys of its fields one by one. Both are compared at once: the key as the address
/// and the length of its string, which are constants in the code of the struct. No two strings lie 2^48 bytes apart, so
/// that no other key gives the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Due(u64);

impl Due {
    pub(crate) const NO_KEY: u64 = 0;
    /// The key of no op, as which one is taken that is too long to stand beside one.
    const LONG_KEY: u64 = u64::MAX;

    #[inline(always)]
    pub(crate) fn key(key: &'static str) -> u64 {
        if key.len() < 1 << 10 {
            (key.as_ptr().addr() as u64).wrapping_add((key.len() as u64) << 48)
        } else {
            Due::LONG_KEY
        }
    }

    #[inline(always)]
    pub(crate) fn under(key: u64, op: Op) -> Self {
        Due(key.wrapping_add((op as u64) << 58))
    }
}

impl Step for Due {
    fn new(op: Op, key: Option<&'static str>) -> Option<Self> {
        let key = key.map_or(Due::NO_KEY, Due::key);
        (key != Due::LONG_KEY).then(|| Due::under(key, op))
    }
}

/// Room for the ops of one program: a power of two, so that a masked position needs no check.
pub(crate) const ROOM: usize = 1024;
/// The most ops of one program; the places behind them are never anything but [`Op::End`].
pub(crate) const MOST_OPS: usize = 1000;
/// A position behind all ops, at which every call is a miss.
pub(crate) const POISON: usize = 1023;

/// The calls for one element, and where its parts are.
pub(crate) struct Program<S> {
    pub(crate) steps: Box<[S; ROOM]>,
    /// What belongs to the op of the same position.
    pub(crate) details: Vec<[usize; 2]>,
    /// How many ops there are.
    pub(crate) length: usize,
    /// Bytes of an element.
    pub(crate) itemsize: usize,
    /// Bytes of a stream.
    pub(crate) stride: usize,
    /// What makes streams of elements; `None` where every element is its own stream.
    pub(crate) moves: Option<Vec<Move>>,
}

impl<S: Step> Program<S> {
    // Always inlined, as all that stands on the way of a number: called, each would cost more than the number itself.
    #[inline(always)]
    pub(crate) fn step(&self, at: usize) -> S {
        self.steps.get(at & (ROOM - 1)).copied().unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn detail(&self, at: usize) -> [usize; 2] {
        self.details.get(at).copied().unwrap_or_default()
    }
}
