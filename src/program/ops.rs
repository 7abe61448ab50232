//! The list of calls that is a program.

use crate::program::moves::Move;

/// One call of serde.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Op {
    /// Behind the last op: nothing is expected.
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

/// Room for the ops of one program: a power of two, so that a masked position needs no check.
pub(crate) const ROOM: usize = 1024;
/// The most ops of one program; the places behind them are never anything but [`Op::End`].
pub(crate) const MOST_OPS: usize = 1000;
/// A position behind all ops, at which every call is a miss.
pub(crate) const POISON: u16 = 1023;

/// The calls for one element, and where its parts are.
pub(crate) struct Program {
    pub(crate) ops: Box<[Op; ROOM]>,
    /// What belongs to the op of the same position.
    pub(crate) details: Vec<[usize; 2]>,
    /// How many ops there are.
    pub(crate) length: u16,
    /// Bytes of an element.
    pub(crate) itemsize: usize,
    /// Bytes of a stream.
    pub(crate) stride: usize,
    /// What makes streams of elements; `None` where every element is its own stream.
    pub(crate) moves: Option<Vec<Move>>,
    /// The keys of all structs, folded, in the order in which they are written.
    pub(crate) keys: u64,
}

impl Program {
    // Always inlined, as all that stands on the way of a number: called, each would cost more than the number itself.
    #[inline(always)]
    pub(crate) fn op(&self, at: u16) -> Op {
        self.ops.get(usize::from(at) & (ROOM - 1)).copied().unwrap_or(Op::End)
    }

    #[inline(always)]
    pub(crate) fn detail(&self, at: u16) -> [usize; 2] {
        self.details.get(usize::from(at)).copied().unwrap_or_default()
    }
}
