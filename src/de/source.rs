//! Where the elements of an array come from.

use crate::dtype::DType;
use crate::error::{Count, Error, Result};
use crate::header::Header;
use crate::io::{BLOCK, Blocks, Bytes};
use std::io::Read;

/// The data of an array, element by element.
pub(crate) enum Source<'de> {
    /// In memory, at any position, for as long as the value may live; and what follows the array.
    Slice { data: &'de [u8], rest: &'de [u8] },
    /// In memory, at any place: what counts the elements of the others counts bytes here.
    Places { data: &'de [u8] },
    /// Out of a reader, one after the other.
    Blocks(Blocks<Box<dyn Read + 'de>>),
    /// All of it out of a reader, where the elements are not wanted in the order of the file.
    Buffer { data: Vec<u8>, reader: Blocks<Box<dyn Read + 'de>> },
}

impl<'de> Source<'de> {
    /// The data behind a header in memory, which may be followed by other bytes.
    pub(crate) fn slice(header: &Header, input: &'de [u8]) -> Result<Self> {
        match usize::try_from(header.data_len()).ok().and_then(|length| input.split_at_checked(length)) {
            Some((data, rest)) => Ok(Source::Slice { data, rest }),
            None => Err(too_short(header, u64::try_from(input.len()).unwrap_or(u64::MAX))),
        }
    }

    /// The data behind a header out of a reader, of which no more is taken.
    pub(crate) fn reader(header: &Header, reader: Box<dyn Read + 'de>) -> Self {
        Source::Blocks(Blocks::new(reader, header.dtype().itemsize(), header.data_len()))
    }

    /// The bytes of data that are known to be there.
    pub(crate) fn held(&self) -> Option<u64> {
        match self {
            Source::Slice { data, .. } | Source::Places { data } => u64::try_from(data.len()).ok(),
            Source::Buffer { data, .. } => u64::try_from(data.len()).ok(),
            Source::Blocks(blocks) => blocks.known(),
        }
    }

    /// Reads all of the data, so that elements can be asked for in any order.
    pub(crate) fn hold_all(self, header: &Header) -> Result<Self> {
        let Source::Blocks(mut reader) = self else { return Ok(self) };
        let mut data = Vec::new();
        while reader.received() < header.data_len() {
            if !reader.ready()? {
                return Err(too_short(header, reader.received()));
            }
            data.extend_from_slice(reader.take(usize::MAX));
        }
        Ok(Source::Buffer { data, reader })
    }

    /// The element at a position in the file; out of a reader, each position must be asked for in its turn.
    #[inline]
    pub(crate) fn element(&mut self, header: &Header, position: u64) -> Result<Bytes<'_, 'de>> {
        self.elements(header, position, 1)
    }

    /// The elements from a position in the file, `most` of them or as many as a block has, at least one.
    #[inline]
    pub(crate) fn elements(&mut self, header: &Header, position: u64, most: u64) -> Result<Bytes<'_, 'de>> {
        let itemsize = header.dtype().itemsize();
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let range = |all: usize| {
            let start = usize::try_from(position).ok()?.checked_mul(itemsize)?;
            let count =
                if most == 1 { 1 } else { BLOCK.checked_div(itemsize).map_or(most, |count| most.min(count.max(1))) };
            Some(start..start.checked_add(count.saturating_mul(itemsize))?.min(all))
        };
        let found = match self {
            Source::Slice { data, .. } => range(data.len()).and_then(|range| data.get(range)).map(Bytes::Borrowed),
            Source::Places { data } => {
                let place = usize::try_from(position).ok().and_then(|start| Some(start..start.checked_add(itemsize)?));
                place.and_then(|place| data.get(place)).map(Bytes::Borrowed)
            }
            Source::Buffer { data, .. } => range(data.len()).and_then(|range| data.get(range)).map(Bytes::Transient),
            Source::Blocks(blocks) => {
                if !blocks.ready()? {
                    return Err(too_short(header, blocks.received()));
                }
                Some(Bytes::Transient(blocks.take(most)))
            }
        };
        found.ok_or_else(|| too_short(header, 0))
    }

    /// Refuses bytes behind the array.
    pub(crate) fn end(&mut self, header: &Header) -> Result<()> {
        let extra = match self {
            Source::Slice { rest: [], .. } | Source::Places { .. } => return Ok(()),
            Source::Slice { rest, .. } => {
                let whole = rest.len().checked_div(header.dtype().itemsize()).unwrap_or(0);
                let whole = Count(whole, if noun(header) == "record" { "whole record" } else { "whole element" });
                format!("{}, {whole} among them,", Count(rest.len(), "byte"))
            }
            Source::Blocks(reader) if reader.received() < header.data_len() => {
                let message = "expected the end of the array, whose data has not been read";
                return Err(Error::data(message).at_offset(header.data_offset().saturating_add(reader.received())));
            }
            Source::Blocks(reader) | Source::Buffer { reader, .. } => {
                if reader.at_end()? {
                    return Ok(());
                }
                "more bytes".to_owned()
            }
        };
        let end = header.data_offset().saturating_add(header.data_len());
        Err(Error::data(format!("expected the end of the file, found {extra} behind the array")).at_offset(end))
    }
}

/// The error for an input that ends before the array does.
#[cold]
pub(crate) fn too_short(header: &Header, found: u64) -> Error {
    let needed = Count(header.data_len(), "byte");
    let itemsize = u64::try_from(header.dtype().itemsize()).unwrap_or(u64::MAX);
    let whole = found.checked_div(itemsize).unwrap_or(0);
    let name = noun(header);
    let verb = if found.checked_rem(itemsize).unwrap_or(0) == 0 { "is missing" } else { "is cut" };
    Error::eof(format!("the array needs {needed} of data, found {found}: {name} {whole} {verb}"))
        .at_offset(header.data_offset().saturating_add(found))
}

/// What one element is called.
fn noun(header: &Header) -> &'static str {
    if matches!(header.dtype(), DType::Struct(_)) { "record" } else { "element" }
}
