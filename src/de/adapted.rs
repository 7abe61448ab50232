//! What the helpers of `with` make of an element.

use crate::codec;
use crate::de::element::{Element, invalid, utf8};
use crate::dtype::Kind;
use crate::error::{Error, Result};
use crate::io::Bytes;
use crate::plan::{Coding, Leaf, Node};
use crate::with::Adapter;
use serde::de::Visitor;
use serde::de::value::SeqDeserializer;

/// Refuses a dtype whose values are none of the helper's, whatever they are.
pub(crate) fn check_adapted(node: &Node, adapter: Adapter) -> Result<()> {
    let found = match node.base() {
        Some(leaf) => {
            let fits = match adapter {
                Adapter::Time(kind, _) => leaf.scalar.kind() == kind,
                Adapter::Raw => {
                    matches!(leaf.scalar.kind(), Kind::Datetime | Kind::Timedelta | Kind::Int | Kind::UInt)
                }
                _ => true,
            };
            if fits {
                return Ok(());
            }
            format!("`{}`", leaf.scalar)
        }
        None if matches!(adapter, Adapter::Time(..) | Adapter::Raw) => "a record".to_owned(),
        None => return Ok(()),
    };
    Err(Error::data(format!("expected {adapter}, found {found}")))
}

impl<'a, 'de: 'a> Element<'a, 'de> {
    /// The value of a helper.
    pub(crate) fn adapted<V: Visitor<'de>>(self, adapter: Adapter, visitor: V) -> Result<V::Value> {
        check_adapted(self.node, adapter)?;
        let before = self.context.set_scope(Some(adapter));
        let value = visitor.visit_newtype_struct(self);
        self.context.set_scope(before);
        value
    }

    /// The count of a time in the unit that a helper asks for; `None` where no helper does.
    pub(crate) fn count(&self, leaf: &Leaf) -> Result<Option<i64>> {
        let (Some(adapter @ (Adapter::Time(..) | Adapter::Raw)), Some(count)) = (self.context.scope(), self.ticks()?)
        else {
            return Ok(None);
        };
        let Adapter::Time(kind, unit) = adapter else { return Ok(Some(count.unwrap_or(codec::NAT))) };
        let Some(count) = count else {
            return Err(Error::data(format!("expected {adapter}, found NaT, which only an `Option` holds")));
        };
        let to = (unit, 1);
        match leaf.scalar.datetime_data() {
            Some(from) if from == to => Ok(count),
            Some(from) if kind == Kind::Datetime => codec::convert_datetime(count, from, to),
            Some(from) => codec::convert_timedelta(count, from, to),
            None => Err(Error::data(format!("expected {adapter}, found a count of the generic unit; use `with::Raw`"))),
        }
        .map(Some)
    }

    /// Whether a helper asks for text or bytes, whichever the element is.
    #[inline]
    pub(crate) fn wants_characters(&self) -> bool {
        matches!(self.context.scope(), Some(Adapter::Characters(..) | Adapter::Text))
    }

    /// The bytes of a `V` as text.
    pub(crate) fn void_text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if !self.wants_characters() {
            return Err(invalid("bytes", &visitor));
        }
        match self.bytes {
            Bytes::Borrowed(bytes) => visitor.visit_borrowed_str(utf8(bytes)?),
            Bytes::Transient(bytes) => {
                visitor.visit_str(utf8(bytes)?).map_err(|error: Error| error.cannot_borrow("out of a reader"))
            }
        }
    }

    /// The text of a `U` as the bytes of its UTF-8, if a helper asks for text or bytes.
    pub(crate) fn text_bytes(&self) -> Result<Option<Vec<u8>>> {
        match self.node {
            Node::Leaf(Leaf { coding: Coding::Str, big, .. }) if self.wants_characters() => {
                let mut text = String::new();
                codec::decode_ucs4(self.bytes.get(), *big, self.context.options.lossy_text, &mut text)?;
                Ok(Some(text.into_bytes()))
            }
            _ => Ok(None),
        }
    }

    /// The bytes of an array of bytes of a fixed length, filled up with the NULs that were stripped, if a helper asks
    /// for text or bytes.
    pub(crate) fn filled_bytes(&self, length: usize) -> Result<Option<Vec<u8>>> {
        if !self.wants_characters() {
            return Ok(None);
        }
        let mut bytes = match (self.text_bytes()?, self.node) {
            (Some(bytes), _) => bytes,
            (None, Node::Leaf(Leaf { coding: Coding::Bytes, .. })) => codec::trim_nuls(self.bytes.get()).to_vec(),
            _ => return Ok(None),
        };
        if bytes.len() < length {
            bytes.resize(length, 0);
        }
        Ok(Some(bytes))
    }

    /// Bytes as a sequence of numbers, all of which must be taken.
    pub(crate) fn visit_items<V: Visitor<'de>>(bytes: &[u8], visitor: V) -> Result<V::Value> {
        let mut items = SeqDeserializer::<_, Error>::new(bytes.iter().copied());
        let value = visitor.visit_seq(&mut items)?;
        items.end()?;
        Ok(value)
    }
}
