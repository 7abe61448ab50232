//! An array within an array in memory, whose elements are read by their index.

use crate::de::access::deserialize_part;
use crate::de::axis::Axis;
use crate::de::context::Context;
use crate::de::cursor::{Cursor, refuse_objects};
use crate::de::element::Element;
use crate::de::record::Record;
use crate::de::source::Source;
use crate::error::{Error, Result};
use crate::header::Header;
use crate::io::Bytes;
use crate::options::ReadOptions;
use crate::plan::{Coding, Node};
use serde::de::Deserialize;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

/// Elements that are copied into one block: so few that they stay in the innermost cache.
const GATHERED: u64 = 2048;

/// Where the elements of a [`Window`] lie.
pub(crate) struct Frame<'de> {
    /// Dtype and shape of the window; the offset of its data is that of its first element.
    pub(crate) header: Arc<Header>,
    pub(crate) plan: Arc<Node>,
    /// The bytes from the first element on.
    pub(crate) data: &'de [u8],
    /// Bytes from one neighbour to the next along each axis.
    pub(crate) strides: Vec<u64>,
    /// Whether the elements follow each other without gaps, in the order that the header says.
    pub(crate) packed: bool,
    /// The fields on the way from a record of the file to an element of the window.
    pub(crate) fields: Arc<[String]>,
}

/// Reads what lies along the first axis, by its index: elements, or rows of the other axes.
pub(crate) struct Window<'de> {
    cursor: Cursor<'de>,
    fields: Arc<[String]>,
}

impl<'de> Window<'de> {
    pub(crate) fn new(frame: Frame<'de>, options: &ReadOptions) -> Self {
        let Frame { header, plan, data, strides, packed, fields } = frame;
        let context = Context::new(options.clone());
        let cursor = if packed {
            let data = usize::try_from(header.data_len()).ok().and_then(|length| data.get(..length)).unwrap_or(data);
            Cursor::over(header, plan, context, Source::Slice { data, rest: &[] })
        } else {
            Cursor {
                header,
                plan,
                context,
                source: Source::Places { data },
                strides,
                in_order: false,
                rows: Vec::new(),
            }
        };
        Window { cursor, fields }
    }

    /// What lies at an index; the element itself where there is no axis.
    #[inline]
    pub(crate) fn get<T: Deserialize<'de>>(&mut self, index: u64) -> Result<T> {
        match *self.cursor.header.shape() {
            [length] if index < length => {
                let stride = self.cursor.strides.first().copied().unwrap_or(0);
                let element = self.cursor.element(index.saturating_mul(stride));
                let value = match element {
                    Ok(element) if matches!(element.node, Node::Struct(_)) => {
                        let tier = element.context.tier::<T>(element.node);
                        T::read_one(&tier, element, 0)
                    }
                    element => element.and_then(|element| deserialize_part(element, PhantomData)),
                };
                value.map_err(|error| self.at_fields(error).at_index(index))
            }
            [] if index == 0 => {
                let value = self.cursor.element(0).and_then(|element| deserialize_part(element, PhantomData));
                value.map_err(|error| self.at_fields(error))
            }
            [] => Err(Error::data(format!("expected an index below 1, found {index}"))),
            _ => Axis::whole(&mut self.cursor).item(index).map_err(|error| self.at_fields(error)),
        }
    }

    /// All that lies within a range, behind what is there already.
    pub(crate) fn records<T: Record<'de>>(&mut self, range: Range<u64>, out: &mut Vec<T>) -> Result<()> {
        let Range { start, end } = range;
        let (inner, is_flat) = match self.cursor.header.shape() {
            [_, inner @ ..] => (inner, inner.is_empty()),
            [] => return (start..end).try_for_each(|index| self.get(index).map(|value| out.push(value))),
        };
        let row = if is_flat {
            Ok(Arc::clone(&self.cursor.plan))
        } else {
            Node::row(self.cursor.header.dtype(), inner).map(Arc::new)
        };
        let bytes = row.as_ref().map_or(0, |row| u64::try_from(row.itemsize()).unwrap_or(u64::MAX));
        let count = end.saturating_sub(start);
        self.check_room(count)?;
        if let (Source::Slice { data, .. }, Ok(row), true) = (&self.cursor.source, &row, self.cursor.in_order) {
            let first = start.saturating_mul(bytes);
            let place = usize::try_from(first).ok().zip(usize::try_from(end.saturating_mul(bytes)).ok());
            let block = place.and_then(|(start, end)| data.get(start..end)).unwrap_or_default();
            out.reserve(usize::try_from(count).unwrap_or(usize::MAX).min(block.len()));
            let offset = self.cursor.header.data_offset().saturating_add(first);
            let block = Element { context: &self.cursor.context, node: row, bytes: Bytes::Borrowed(block), offset };
            return T::read_block(block, count, out).map_err(|(done, error)| {
                let index = start.saturating_add(done);
                if is_flat { self.at_fields(error).at_index(index) } else { self.at_fields(error.at_index(index)) }
            });
        }
        let room = if bytes == 0 { 0 } else { usize::try_from(count).unwrap_or(0) };
        out.reserve(room);
        if is_flat
            && let Source::Places { data } = self.cursor.source
            && let Node::Leaf(leaf) = &*self.cursor.plan
            // What may be borrowed must stay where it is.
            && !matches!(leaf.coding, Coding::Bytes | Coding::Void)
        {
            return self.gather(data, start..end, out);
        }
        (start..end).try_for_each(|index| self.get(index).map(|value| out.push(value)))
    }

    /// Reads elements that lie apart, in blocks that they are copied into.
    fn gather<T: Record<'de>>(&mut self, data: &[u8], range: Range<u64>, out: &mut Vec<T>) -> Result<()> {
        let itemsize = self.cursor.plan.itemsize();
        let stride = self.cursor.strides.first().copied().unwrap_or(0);
        let mut block = Vec::new();
        let mut start = range.start;
        while start < range.end {
            let end = start.saturating_add(GATHERED).min(range.end);
            block.clear();
            for index in start..end {
                let place = usize::try_from(index.saturating_mul(stride)).ok();
                let element = place.and_then(|place| data.get(place..)).and_then(|rest| rest.get(..itemsize));
                block.extend_from_slice(
                    element.ok_or_else(|| Error::data("an element beyond the data").at_index(index))?,
                );
            }
            let (context, node) = (&self.cursor.context, &*self.cursor.plan);
            let block = Element { context, node, bytes: Bytes::Transient(&block), offset: 0 };
            if let Err((done, error)) = T::read_block(block, end.saturating_sub(start), out) {
                // The element where it lies has the place that its copy has not.
                let index = start.saturating_add(done);
                return Err(self.get::<T>(index).err().unwrap_or_else(|| self.at_fields(error).at_index(index)));
            }
            start = end;
        }
        Ok(())
    }

    /// Whether what lies along the first axis takes no bytes.
    pub(crate) fn is_empty_handed(&self) -> bool {
        self.cursor.itemsize() == 0 || self.cursor.header.shape().get(1..).unwrap_or_default().contains(&0)
    }

    /// Refuses so many rows before the first, if they take no bytes and are too many.
    pub(crate) fn check_room(&self, count: u64) -> Result<()> {
        let header = &self.cursor.header;
        let inner = header.shape().get(1..).unwrap_or_default();
        self.cursor.context.check_room(count, u64::from(!self.is_empty_handed())).map_err(|error| match inner {
            [] => error.at_offset(header.data_offset()),
            _ => error,
        })
    }

    /// All of it as one value.
    pub(crate) fn whole<T: Deserialize<'de>>(&mut self) -> Result<T> {
        T::deserialize(Axis::whole(&mut self.cursor)).map_err(|error| self.at_fields(error))
    }

    /// How many values without bytes have been handed out.
    #[cfg(feature = "rayon")]
    pub(crate) fn empty_used(&self) -> u64 {
        self.cursor.context.options.limits.empty_items.saturating_sub(self.cursor.context.empty_left())
    }

    #[cold]
    fn at_fields(&self, error: Error) -> Error {
        self.fields.iter().rev().fold(error, |error, field| error.at_field(field))
    }
}

/// The header of a file in memory and all of its data; what follows it is refused where the options say so.
pub(crate) fn open<'de>(input: &'de [u8], options: &ReadOptions) -> Result<(Header, &'de [u8])> {
    let mut rest = input;
    let header = Header::read_with(&mut rest, options)?;
    refuse_objects(&header)?;
    let mut source = Source::slice(&header, rest)?;
    if !options.trailing {
        source.end(&header)?;
    }
    match source {
        Source::Slice { data, .. } => Ok((header, data)),
        _ => Ok((header, rest)),
    }
}
