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
    /// Brackets around another node, without a meaning of their own.
    Parentheses,
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
    /// A string of one piece without prefix or escape, a quote at either end; [`Item::kind`] says `Str`.
    PlainStr,
}

impl Kind {
    /// In the order of the declaration, which is that of the codes in a [`Node`].
    const ALL: [Kind; 13] = [
        Kind::Tuple,
        Kind::List,
        Kind::Dict,
        Kind::Parentheses,
        Kind::Opaque,
        Kind::Str,
        Kind::Bytes,
        Kind::Int,
        Kind::Float,
        Kind::Bool,
        Kind::None,
        Kind::Ellipsis,
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
    /// A node of a text no longer than [`MAX_TEXT`].
    pub(crate) fn new(kind: Kind, start: usize, link: usize) -> Node {
        let start = u32::try_from(start).unwrap_or_default() & (MAX_TEXT - 1);
        Node { kind_and_start: (kind as u32) << START_BITS | start, link: u32::try_from(link).unwrap_or_default() }
    }

    #[inline]
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

#[cfg(test)]
mod tests {
    use super::{Kind, MAX_TEXT, Node};

    #[test]
    fn nodes_keep_what_they_are_made_of() {
        let last = usize::try_from(MAX_TEXT - 1).unwrap();
        for kind in Kind::ALL {
            for (start, link) in [(0, 1), (7, last), (last, 0)] {
                let node = Node::new(kind, start, link);
                assert_eq!((node.kind(), node.start(), node.link()), (kind, start, link));
            }
        }
    }
}
