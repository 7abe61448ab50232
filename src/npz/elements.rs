//! One array of an archive, written element by element.

use crate::dtype::DType;
use crate::error::{Count, Error, Result};
use crate::header::Header;
use crate::npz::name::member_name;
use crate::npz::writer::{Writer, length_of};
use crate::options;
use crate::plan::Node;
use crate::ser::{Record, Tier, header_of};
use serde::Serialize;
use std::fmt;
use std::io::{self, Seek as _, SeekFrom, Write};
use tempfile::SpooledTempFile;

/// Bytes that are gathered before they are written.
const BLOCK: usize = 256 << 10;

/// Bytes that are held in memory before they go to a temporary file.
const HELD: usize = 16 << 20;

/// Takes the elements of one array of a [`Writer`], in C order; [`finish`](Elements::finish) completes the member.
///
/// Dropped without that, a member that has been started takes the whole archive with it.
#[must_use = "an array is no array without `finish`"]
pub struct Elements<'w, W: Write> {
    writer: &'w mut Writer<W>,
    name: String,
    plan: Node,
    tier: Tier,
    /// Encoded elements that have not been written yet.
    block: Vec<u8>,
    count: u64,
    target: Target,
}

enum Target {
    /// The member itself, of so many elements.
    Member {
        size: u64,
    },
    /// Held until their number is known.
    Spool {
        dtype: DType,
        file: Box<SpooledTempFile>,
    },
    Done,
}

impl<'w, W: Write> Elements<'w, W> {
    pub(crate) fn known(writer: &'w mut Writer<W>, name: &str, header: Header) -> Result<Self> {
        let header = header_of(header.dtype().clone(), header.shape().to_vec(), &plain(writer))
            .and_then(|checked| checked.with_version(header.version()))
            .map_err(|error| error.in_member(name))?;
        let plan = Node::new(header.dtype());
        writer.start(&member_name(name), name, Some(length_of(&header)))?;
        let result = writer.sink().and_then(|sink| header.write(sink));
        result.map_err(|error| writer.fail(error, name))?;
        let target = Target::Member { size: header.size() };
        Ok(Elements { writer, name: name.to_owned(), plan, tier: Tier::default(), block: Vec::new(), count: 0, target })
    }

    pub(crate) fn open(writer: &'w mut Writer<W>, name: &str, dtype: DType) -> Result<Self> {
        writer.check_name(&member_name(name), name)?;
        let header = header_of(dtype, vec![0], &plain(writer)).map_err(|error| error.in_member(name))?;
        let plan = Node::new(header.dtype());
        let target = Target::Spool { dtype: header.dtype().clone(), file: Box::new(SpooledTempFile::new(HELD)) };
        Ok(Elements { writer, name: name.to_owned(), plan, tier: Tier::default(), block: Vec::new(), count: 0, target })
    }

    /// Adds an element.
    ///
    /// # Errors
    ///
    /// It does not fit the dtype, and is not added; or there are as many as the header says; or the sink fails.
    pub fn push<T: Serialize>(&mut self, element: &T) -> Result<()> {
        self.extend(std::slice::from_ref(element))
    }

    /// Adds elements, faster than one by one.
    ///
    /// # Errors
    ///
    /// As for [`push`](Elements::push), which none of them is added after.
    pub fn extend<T: Serialize>(&mut self, elements: &[T]) -> Result<()> {
        let itemsize = self.plan.itemsize();
        let mut held = Vec::new();
        for chunk in elements.chunks((BLOCK / itemsize.max(1)).max(1)) {
            let added = u64::try_from(chunk.len()).unwrap_or(u64::MAX);
            let count = self.count.saturating_add(added);
            if let Target::Member { size } = self.target
                && count > size
            {
                return Err(
                    Error::data(format!("expected {}, found more", Count(size, "element"))).in_member(&self.name)
                );
            }
            let start = self.block.len();
            self.block.resize(start.saturating_add(chunk.len().saturating_mul(itemsize)), 0);
            let slots = self.block.get_mut(start..).unwrap_or_default();
            // An element that panics leaves the block as it is.
            let closing = self.writer.latch().closing();
            let written =
                <&T>::write_block(&mut self.tier, &self.plan, &mut chunk.iter(), &mut held, chunk.len(), slots);
            closing.all_went_well();
            if let Err((done, error)) = written {
                self.block.truncate(start);
                let index = self.count.saturating_add(u64::try_from(done).unwrap_or(u64::MAX));
                return Err(error.at_index(index).in_member(&self.name));
            }
            self.count = count;
            if self.block.len() >= BLOCK {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Completes the array, after which the writer takes others.
    ///
    /// # Errors
    ///
    /// There are fewer elements than the header says, or the sink fails.
    pub fn finish(mut self) -> Result<()> {
        self.flush()?;
        match std::mem::replace(&mut self.target, Target::Done) {
            Target::Member { size } if self.count < size => {
                let error = Error::data(format!("expected {}, found {}", Count(size, "element"), self.count));
                Err(self.writer.fail(error, &self.name))
            }
            Target::Member { .. } | Target::Done => Ok(()),
            Target::Spool { dtype, mut file } => {
                let header = header_of(dtype, vec![self.count], &plain(self.writer))
                    .map_err(|error| error.in_member(&self.name))?;
                file.seek(SeekFrom::Start(0)).map_err(Error::io)?;
                self.writer.start(&member_name(&self.name), &self.name, Some(length_of(&header)))?;
                let result = self.writer.sink().and_then(|sink| {
                    header.write(&mut *sink)?;
                    io::copy(&mut file, sink).map(|_| ()).map_err(Error::io)
                });
                result.map_err(|error| self.writer.fail(error, &self.name))
            }
        }
    }

    fn flush(&mut self) -> Result<()> {
        let result = match &mut self.target {
            Target::Spool { file, .. } => file.write_all(&self.block).map_err(Error::io),
            Target::Member { .. } => self.writer.sink().and_then(|sink| sink.write_all(&self.block).map_err(Error::io)),
            Target::Done => Ok(()),
        };
        self.block.clear();
        result.map_err(|error| self.writer.fail(error, &self.name))
    }
}

/// The options of a writer, less those that a value decides: elements come in C order.
fn plain<W: Write>(writer: &Writer<W>) -> options::WriteOptions {
    let mut options = writer.options().array.clone();
    options.fortran_order = false;
    options.byteorder = None;
    options
}

impl<W: Write> Drop for Elements<'_, W> {
    fn drop(&mut self) {
        // A member that ends too early; what was only held has not been started.
        if let Target::Member { .. } = self.target {
            _ = self.writer.fail(Error::data("an array without its end"), &self.name);
        }
    }
}

impl<W: Write> fmt::Debug for Elements<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elements").field("name", &self.name).field("count", &self.count).finish_non_exhaustive()
    }
}
