//! Python literals, as `ast.literal_eval` takes them: the text of a header, or a descr by itself.
//!
//! One pass, linear in the text, and never deeper than Python's own 200 brackets. The tree is a list of nodes of eight
//! bytes, in the order of the text; strings and numbers are read from the text where somebody asks for them.

use crate::error::{Error, Result};
use crate::header::fault::Fault;
use crate::header::node::{Kind, Node};
use crate::header::parser::{self, Grammar};
use crate::header::source::Source;
use crate::header::{number, quoted, trivia};
use std::borrow::Cow;

/// A parsed text.
#[derive(Debug)]
pub(crate) struct Literal<'a> {
    source: Source<'a>,
    nodes: Vec<Node>,
}

impl<'a> Literal<'a> {
    /// Parses a text that holds one literal and nothing else but white space and comments.
    pub(crate) fn parse(source: Source<'a>, grammar: Grammar) -> Result<Literal<'a>> {
        match parser::parse(source.text(), grammar) {
            Ok(nodes) => Ok(Literal { source, nodes }),
            Err(Fault { position, error }) => Err(source.at(position, error)),
        }
    }

    /// The outermost node.
    pub(crate) fn root(&self) -> Item<'_, 'a> {
        Item::resolve(self, 0)
    }
}

/// One node of a [`Literal`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'l, 'a> {
    literal: &'l Literal<'a>,
    index: usize,
    node: Node,
}

impl<'l, 'a> Item<'l, 'a> {
    #[inline]
    fn resolve(literal: &'l Literal<'a>, mut index: usize) -> Self {
        loop {
            let node = literal.nodes.get(index).copied().unwrap_or_default();
            if node.kind() != Kind::Parentheses {
                return Item { literal, index, node };
            }
            index = index.saturating_add(1);
        }
    }

    #[inline]
    pub(crate) fn kind(&self) -> Kind {
        let kind = self.node.kind();
        if kind == Kind::PlainStr { Kind::Str } else { kind }
    }

    /// The items of a tuple or a list; keys and values of the outermost dict by turns; none of anything else.
    #[inline]
    pub(crate) fn items(&self) -> Items<'l, 'a> {
        let next = self.index.saturating_add(1);
        Items {
            literal: self.literal,
            next,
            end: if self.node.kind().is_container() { self.node.link() } else { next },
        }
    }

    /// The first two items and the third, of a tuple or list of two or three.
    #[inline]
    pub(crate) fn two_or_three(&self) -> Option<(Self, Self, Option<Self>)> {
        let mut items = self.items();
        let found = (items.next()?, items.next()?, items.next());
        items.next().is_none().then_some(found)
    }

    /// The value of a string, borrowed where it stands in the text as it is.
    #[inline]
    pub(crate) fn str(&self) -> Option<Cow<'a, str>> {
        match self.node.kind() {
            Kind::PlainStr => {
                let (start, end) = (self.node.start(), self.node.link());
                self.literal.source.text().get(start.saturating_add(1)..end.saturating_sub(1)).map(Cow::Borrowed)
            }
            Kind::Str => self.joined_str(),
            _ => None,
        }
    }

    /// The value of a string of several pieces, or with a prefix or an escape.
    #[cold]
    fn joined_str(&self) -> Option<Cow<'a, str>> {
        let text = self.literal.source.text();
        let mut position = self.node.start();
        let first = quoted::read(text, position, None).ok()?;
        if let (Some(plain), true) = (first.plain, first.end >= self.node.link()) {
            return Some(Cow::Borrowed(plain));
        }
        // No piece is longer than its text.
        let mut value = String::with_capacity(self.node.link().saturating_sub(position));
        while position < self.node.link() {
            position = quoted::read(text, position, Some(&mut value)).ok()?.end;
            position = trivia::skip(text.as_bytes(), position);
        }
        Some(Cow::Owned(value))
    }

    /// The value of an integer; one beyond the type becomes its maximum or minimum.
    pub(crate) fn int(&self) -> Option<i128> {
        if self.node.kind() != Kind::Int {
            return None;
        }
        let bytes = self.literal.source.text().as_bytes();
        let mut position = self.node.start();
        if let Some(value) = number::short(bytes.get(position..self.node.link())?) {
            return Some(value);
        }
        let negative = bytes.get(position) == Some(&b'-');
        // A sign may be followed by white space and brackets.
        while !bytes.get(position)?.is_ascii_digit() {
            let next = trivia::skip(bytes, position);
            position = if next > position { next } else { position.saturating_add(1) };
        }
        let value = number::value(bytes, position);
        Some(if negative { value.saturating_neg() } else { value })
    }

    pub(crate) fn bool(&self) -> Option<bool> {
        let first = self.literal.source.text().as_bytes().get(self.node.start())?;
        (self.node.kind() == Kind::Bool).then_some(*first == b'T')
    }

    /// Adds the place of this node to an error.
    #[cold]
    pub(crate) fn at(&self, error: Error) -> Error {
        self.literal.source.at(self.node.start(), error)
    }

    /// What stands here, for the end of a message: a scalar as it is written, of the rest the kind.
    #[cold]
    pub(crate) fn describe(&self) -> String {
        const SHOWN: usize = 60;
        match self.kind() {
            Kind::Tuple => "a tuple".to_owned(),
            Kind::List => "a list".to_owned(),
            Kind::Dict | Kind::Opaque => "a dict".to_owned(),
            _ => match self.literal.source.text().get(self.node.start()..self.node.link()) {
                Some(text) if text.len() <= SHOWN => format!("`{text}`"),
                _ => match self.kind() {
                    Kind::Str => "a string".to_owned(),
                    Kind::Bytes => "bytes".to_owned(),
                    _ => "a number".to_owned(),
                },
            },
        }
    }
}

/// The items of a node.
#[derive(Clone, Debug)]
pub(crate) struct Items<'l, 'a> {
    literal: &'l Literal<'a>,
    next: usize,
    end: usize,
}

impl<'l, 'a> Iterator for Items<'l, 'a> {
    type Item = Item<'l, 'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        let outer = self.literal.nodes.get(self.next)?;
        let item = Item::resolve(self.literal, self.next);
        // Brackets link to what follows them, leaves are followed by the next node.
        self.next = if outer.kind().is_container() { outer.link() } else { self.next.saturating_add(1) };
        Some(item)
    }
}
