//! The rows of an array as elements of their own, where they are short: what each costs by itself is then more than its
//! numbers.

use crate::de::cursor::Cursor;
use crate::de::element::Element;
use crate::de::fast::{Found, Ready, Tier};
use crate::de::record::Record;
use crate::de::row::held;
use crate::de::source::Source;
use crate::io::Bytes;
use crate::plan::Node;
use serde::de::Deserialize;
use std::any::type_name;
use std::rc::Rc;
use std::sync::Arc;

/// What is known of the rows that begin with an axis, for all sequences of them.
pub(crate) struct Known {
    depth: usize,
    node: Arc<Node>,
    /// Kept beside its node, by whose address it goes.
    tier: Option<Rc<Tier>>,
    /// Whether a type has shown that it is not to be read so.
    refused: bool,
}

/// Rows one after the other.
pub(crate) struct Rows<'de> {
    depth: usize,
    node: Arc<Node>,
    itemsize: usize,
    /// How many elements of the array a row has.
    count: usize,
    /// The bytes from the next row on, where they lie in memory.
    held: &'de [u8],
    tier: Option<Rc<Tier>>,
    ready: Option<Ready>,
}

impl<'de> Rows<'de> {
    /// The rows from a position in the file on, which begin with an axis; `None` where they are no elements.
    pub(crate) fn new(array: &mut Cursor<'de>, depth: usize, start: u64, length: u64) -> Option<Self> {
        if !array.in_order
            || array.context.scope().is_some()
            || !matches!(array.source, Source::Slice { .. } | Source::Blocks(_))
        {
            return None;
        }
        let axes = array.header.shape().get(depth..)?;
        // Cannot saturate: the product was checked with the header.
        let count = axes.iter().fold(1u64, |count, &length| count.saturating_mul(length));
        if !array.rows.iter().any(|known| known.depth == depth) {
            let node = Arc::new(array.plan.short_row(axes)?);
            array.rows.push(Known { depth, node, tier: None, refused: false });
        }
        let known = array.rows.iter().find(|known| known.depth == depth && !known.refused)?;
        let (node, tier) = (Arc::clone(&known.node), known.tier.clone());
        let ready = tier.as_ref().and_then(|tier| tier.ready());
        let held = held(array, start, 1, length.saturating_mul(count));
        let count = usize::try_from(count).ok()?;
        Some(Rows { depth, itemsize: node.itemsize(), node, count, held, tier, ready })
    }

    fn take(&mut self, array: &mut Cursor<'de>) {
        if let Source::Blocks(blocks) = &mut array.source {
            blocks.advance(self.count);
        }
        self.pass();
    }

    /// Passes over a row that is read by its elements.
    #[inline]
    pub(crate) fn pass(&mut self) {
        self.held = self.held.get(self.itemsize..).unwrap_or_default();
    }

    /// Takes the next row, if it is not out of the ordinary.
    #[inline(always)] // As the tier's functions that it calls.
    pub(crate) fn read<T: Deserialize<'de>>(&mut self, array: &mut Cursor<'de>) -> Found<T> {
        if let Some(ready) = &mut self.ready
            && ready.is_for::<T>()
            && let Some(block) = bytes_of(array, self.held, self.count, self.itemsize)
            && let Found::Value(value) = ready.read(block, &array.context.options)
        {
            self.take(array);
            return Found::Value(value);
        }
        Found::Miss
    }

    /// Takes a row that the fast tier has not, of which `left` more follow, if that learns from it.
    ///
    /// What it does not learn from is left to the elements, whose errors have another place: the type is then handed
    /// that row twice, and none after it.
    #[inline(never)]
    pub(crate) fn learn<T: Record<'de>>(&mut self, array: &mut Cursor<'de>, position: u64, left: u64) -> Option<T> {
        self.end();
        let tier = self.tier.get_or_insert_with(|| Rc::new(Tier::new(&self.node, type_name::<T>())));
        if !tier.is_for::<T>(&self.node) {
            // Types that take turns would be learnt again and again.
            self.keep(array, true);
            return None;
        }
        let tier = Rc::clone(tier);
        self.ready = tier.ready();
        let bytes = bytes_of(array, self.held, self.count, self.itemsize)?;
        if !tier.is_to_learn(left) {
            tier.missed();
            self.ready = tier.ready();
            return None;
        }
        let empty_left = array.context.empty_left();
        let element = Element { context: &array.context, node: &self.node, bytes, offset: array.offset(position) };
        let value = T::read_one(&tier, element, left);
        self.ready = tier.ready();
        match value {
            Ok(value) if self.ready.is_some() => {
                self.keep(array, false);
                self.take(array);
                Some(value)
            }
            _ => {
                array.context.set_empty_left(empty_left);
                self.keep(array, true);
                None
            }
        }
    }

    /// Keeps what is known for the sequences to come.
    fn keep(&self, array: &mut Cursor<'de>, refused: bool) {
        if let Some(known) = array.rows.iter_mut().find(|known| known.depth == self.depth) {
            (known.tier, known.refused) = (self.tier.clone(), refused);
        }
    }

    /// Whether no row is to be read so any more.
    pub(crate) fn is_refused(&self, array: &Cursor<'de>) -> bool {
        array.rows.iter().any(|known| known.depth == self.depth && known.refused)
    }

    /// Tells what has become of the rows.
    pub(crate) fn end(&mut self) {
        if let (Some(tier), Some(ready)) = (&self.tier, self.ready.take()) {
            tier.took(ready.taken());
        }
    }
}

/// The bytes of the next row, if they are at hand in one piece.
#[inline(always)]
fn bytes_of<'a, 'de>(array: &'a Cursor<'de>, held: &'de [u8], count: usize, itemsize: usize) -> Option<Bytes<'a, 'de>> {
    let block = match &array.source {
        Source::Blocks(blocks) => Bytes::Transient(blocks.peek(count)),
        _ => Bytes::Borrowed(held.get(..itemsize).unwrap_or_default()),
    };
    (block.get().len() == itemsize).then_some(block)
}
