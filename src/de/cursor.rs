//! The elements of an array by their position, and what is needed to read them.

use crate::de::context::Context;
use crate::de::element::Element;
use crate::de::rows::Known;
use crate::de::source::{Source, too_short};
use crate::error::{Cut, Error, Result};
use crate::header::{Header, in_both_orders, strides};
use crate::options::ReadOptions;
use crate::plan::Node;
use std::sync::Arc;

/// An array that is being read.
pub(crate) struct Cursor<'de> {
    pub(crate) header: Arc<Header>,
    pub(crate) plan: Arc<Node>,
    pub(crate) context: Context,
    pub(crate) source: Source<'de>,
    /// How far neighbours along each axis lie apart, in elements of the file; in bytes for [`Source::Places`].
    pub(crate) strides: Vec<u64>,
    /// Whether the elements lie in the file in logical order.
    pub(crate) in_order: bool,
    /// What is known of rows as elements.
    pub(crate) rows: Vec<Known>,
}

impl<'de> Cursor<'de> {
    pub(crate) fn new(header: Header, source: Source<'de>, options: &ReadOptions) -> Self {
        let plan = Arc::new(Node::new(header.dtype()));
        Cursor::over(Arc::new(header), plan, Context::new(options.clone()), source)
    }

    /// All of the data that a header describes.
    pub(crate) fn over(header: Arc<Header>, plan: Arc<Node>, context: Context, source: Source<'de>) -> Self {
        let strides = strides(header.shape(), 1, header.fortran_order());
        let in_order = !header.fortran_order() || in_both_orders(header.shape());
        Cursor { header, plan, context, source, strides, in_order, rows: Vec::new() }
    }

    /// Makes sure that elements can be asked for in any order.
    pub(crate) fn hold_all(&mut self) -> Result<()> {
        if matches!(self.source, Source::Blocks(_)) {
            let empty = Source::Slice { data: &[], rest: &[] };
            self.source = std::mem::replace(&mut self.source, empty).hold_all(&self.header)?;
        }
        Ok(())
    }

    /// Bytes of an element.
    #[inline]
    pub(crate) fn itemsize(&self) -> u64 {
        u64::try_from(self.plan.itemsize()).unwrap_or(u64::MAX)
    }

    /// The place of an element, in bytes from the start of the file.
    #[inline]
    pub(crate) fn offset(&self, position: u64) -> u64 {
        let step = if matches!(self.source, Source::Places { .. }) { 1 } else { self.itemsize() };
        self.header.data_offset().saturating_add(position.saturating_mul(step))
    }

    /// Makes sure that the next element has arrived, where it comes out of a reader.
    #[inline]
    pub(crate) fn ready(&mut self) -> Result<()> {
        if let Source::Blocks(blocks) = &mut self.source
            && !blocks.ready()?
        {
            return Err(too_short(&self.header, blocks.received()));
        }
        Ok(())
    }

    /// Adds to the error of an element what is known here of its place.
    #[cold]
    pub(crate) fn place(&self, position: u64, error: Error) -> Error {
        match &*self.plan {
            Node::Leaf(leaf) => error.of_dtype(|| leaf.scalar.to_string()),
            _ => error,
        }
        .at_offset(self.offset(position))
    }

    /// The element at a position in the file; out of a reader, each position must be asked for in its turn.
    #[inline]
    pub(crate) fn element(&mut self, position: u64) -> Result<Element<'_, 'de>> {
        self.elements(position, 1)
    }

    /// The bytes of a number so far from the start of the element at a position in the file, if that is in memory.
    #[inline]
    pub(crate) fn number<const N: usize>(&self, position: u64, offset: usize) -> Option<[u8; N]> {
        let (data, step): (&[u8], _) = match &self.source {
            Source::Slice { data, .. } => (data, self.plan.itemsize()),
            Source::Buffer { data, .. } => (data, self.plan.itemsize()),
            Source::Places { data } => (data, 1),
            Source::Blocks(_) => return None,
        };
        let place = usize::try_from(position).ok()?.checked_mul(step)?.checked_add(offset)?;
        data.get(place..)?.first_chunk().copied()
    }

    /// The elements from a position in the file, `most` of them or as many as a block has, at least one.
    #[inline]
    pub(crate) fn elements(&mut self, position: u64, most: u64) -> Result<Element<'_, 'de>> {
        let offset = self.offset(position);
        let bytes = self.source.elements(&self.header, position, most)?;
        Ok(Element { context: &self.context, node: &self.plan, bytes, offset })
    }
}

/// One field of objects turns the data of the whole array into a pickle, in which nothing has an offset.
pub(crate) fn refuse_objects(header: &Header) -> Result<()> {
    let Some(path) = header.dtype().first_object() else { return Ok(()) };
    let what = if path.is_empty() {
        "the dtype is `|O`".to_owned()
    } else {
        format!("field `{}` is of dtype `|O`", Cut(path.join(".")))
    };
    Err(Error::unsupported(format!(
        "{what}: Python objects, for which NumPy saves the whole array as a pickle; save it with fixed-width strings or \
         numbers instead, such as `astype('U16')`, or `column_dtypes` of `DataFrame.to_records`, and times with a zone \
         after `dt.tz_convert(None)`"
    )))
}

/// A shape as Python prints it.
pub(crate) fn shape_text(shape: &[u64]) -> String {
    match shape {
        [only] => format!("({only},)"),
        _ => format!("({})", shape.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}
