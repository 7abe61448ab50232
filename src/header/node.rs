//! The nodes that a parsed literal is made of.

/// The low bits of a node's first word; the kind takes the upper four.
const START_BITS: u32 = 28;

/// No text may be longer, in bytes.
pub(crate) const MAX_TEXT: u32 = 1 << START_BITS;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tuple,
    List,
    /// The dict that opens the text, brackets aside: its items are key, value, key, value...
    Dict,
    /// A dict or a set inside of something else. Its contents are checked, but not kept: no header needs them.
    Opaque,
    Str,
    Bytes,
    Int,
    /// A float or a complex number.
    Float,
    Bool,
    None,
    Ellipsis,
    /// Brackets around another node, without a meaning of their own.
    Parentheses,
    /// A string of one piece in single quotes without prefix or escape; [`Item::kind`] says `Str`.
    PlainStr,
}

impl Kind {
    const ALL: [Kind; 13] = [
        Kind::Tuple,
        Kind::List,
        Kind::Dict,
        Kind::Opaque,
        Kind::Str,
        Kind::Bytes,
        Kind::Int,
        Kind::Float,
        Kind::Bool,
        Kind::None,
        Kind::Ellipsis,
        Kind::Parentheses,
        Kind::PlainStr,
    ];

    pub(crate) fn is_container(self) -> bool {
        matches!(self, Kind::Tuple | Kind::List | Kind::Dict | Kind::Parentheses)
    }
}

/// One value of a literal, in eight bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    /// The kind and the place of the first byte.
    kind_and_start: u32,
    /// Of a container the index of the node behind its last item, else the place behind the last byte.
    link: u32,
}

impl Node {
    /// A node that starts at a place of a text no longer than [`MAX_TEXT`]; kind and link follow with
    /// [`close`](Self::close).
    pub(crate) fn open(start: usize) -> Node {
        Node { kind_and_start: u32::try_from(start).unwrap_or_default() & (MAX_TEXT - 1), link: 0 }
    }

    pub(crate) fn close(&mut self, kind: Kind, link: usize) {
        let code = Kind::ALL.iter().position(|&each| each == kind).unwrap_or_default();
        self.kind_and_start |= u32::try_from(code).unwrap_or_default() << START_BITS;
        self.link = u32::try_from(link).unwrap_or_default();
    }

    pub(crate) fn kind(self) -> Kind {
        let code = usize::try_from(self.kind_and_start >> START_BITS).unwrap_or_default();
        Kind::ALL.get(code).copied().unwrap_or(Kind::None)
    }

    pub(crate) fn start(self) -> usize {
        usize::try_from(self.kind_and_start & (MAX_TEXT - 1)).unwrap_or_default()
    }

    pub(crate) fn link(self) -> usize {
        usize::try_from(self.link).unwrap_or_default()
    }
}
