//! [`Records`]: the iterator over the records of a reader.

use crate::de::Context;
use crate::error::{Error, Result};
use crate::stream::reader::Reader;
use serde::de::DeserializeOwned;
use std::fmt;
use std::io::Read;
use std::iter::FusedIterator;

/// How many records are decoded ahead of the one that is handed out.
const AHEAD: u64 = 256;

/// The records of a [`Reader`]: an iterator, and a lender of blocks.
///
/// A record that does not fit the type is an error with its path and place, after which the next record can be read.
/// Any other error, such as a file that is cut, ends the iterator.
///
/// # Examples
///
/// ```
/// use serde_npy::Reader;
///
/// # fn main() -> serde_npy::Result<()> {
/// let file = serde_npy::to_vec(&[1, 2000, 3])?;
/// let mut reader = Reader::new(&file[..])?;
/// let (good, bad): (Vec<_>, Vec<_>) = reader.records::<u8>().partition(Result::is_ok);
/// assert_eq!(good.into_iter().map(Result::unwrap).collect::<Vec<_>>(), [1, 3]);
/// assert_eq!(bad[0].as_ref().unwrap_err().path().as_deref(), Some("[1]"));
/// # Ok(()) }
/// ```
pub struct Records<'a, R, T> {
    reader: &'a mut Reader<R>,
    context: Context,
    /// The record before which to stop.
    end: u64,
    /// Records that have been decoded and not handed out, last one first. The reader has not passed them.
    ahead: Vec<T>,
    /// The error at the record behind them.
    failed: Option<Error>,
    /// The records that are lent out.
    block: Vec<T>,
}

impl<'a, R: Read, T: DeserializeOwned> Records<'a, R, T> {
    pub(crate) fn new(reader: &'a mut Reader<R>, end: u64) -> Self {
        let context = Context::new(reader.options().clone());
        Records { reader, context, end, ahead: Vec::new(), failed: None, block: Vec::new() }
    }

    /// Lends out the next records, as many as have arrived, up to 256 KiB of the file; `None` at the end.
    ///
    /// This is the fast way through a large file: the memory of the block is used again for the next.
    ///
    /// # Errors
    ///
    /// As for the items of the iterator; the records before the one that failed have been lent out by then.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&vec![0.5; 100_000])?;
    /// let mut reader = serde_npy::Reader::new(&file[..])?;
    /// let mut records = reader.records::<f64>();
    /// let mut sum = 0.0;
    /// while let Some(block) = records.next_block()? {
    ///     sum += block.iter().sum::<f64>();
    /// }
    /// assert_eq!(sum, 50_000.0);
    /// # Ok(()) }
    /// ```
    pub fn next_block(&mut self) -> Result<Option<&[T]>> {
        // Whatever was decoded ahead is still the reader's.
        self.ahead.clear();
        self.failed = None;
        self.block.clear();
        let left = self.left();
        // Values without bytes make no block of their own accord.
        let most = if self.reader.header().data_len() == 0 { left.min(AHEAD) } else { left };
        match self.reader.decode(&self.context, &mut self.block, most) {
            (0, None) => Ok(None),
            (0, Some(error)) => {
                self.reader.pass_failed(&error);
                Err(error)
            }
            (done, _) => {
                self.reader.pass(done);
                Ok(Some(&self.block))
            }
        }
    }

    /// How many records follow, as the header says.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        if self.reader.has_ended() { 0 } else { self.left() }
    }

    /// The reader, which stands behind the last record that was handed out.
    #[must_use]
    pub fn reader(&self) -> &Reader<R> {
        self.reader
    }

    pub(crate) fn reader_mut(&mut self) -> &mut Reader<R> {
        self.reader
    }

    fn left(&self) -> u64 {
        self.end.saturating_sub(self.reader.position()).min(self.reader.remaining())
    }

    fn decode_ahead(&mut self) {
        let most = self.left().min(AHEAD);
        let (_, failed) = self.reader.decode(&self.context, &mut self.ahead, most);
        self.ahead.reverse();
        self.failed = failed;
    }
}

impl<R: Read, T: DeserializeOwned> Iterator for Records<'_, R, T> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Result<T>> {
        if self.ahead.is_empty() && self.failed.is_none() {
            self.decode_ahead();
        }
        if let Some(record) = self.ahead.pop() {
            self.reader.pass(1);
            return Some(Ok(record));
        }
        let error = self.failed.take()?;
        self.reader.pass_failed(&error);
        Some(Err(error))
    }

    /// At least the records that have arrived, at most those of the header; see [`remaining`](Records::remaining).
    ///
    /// A header can promise any number, for which a collection must not set memory aside.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let most = usize::try_from(self.remaining()).ok();
        (self.reader.held().min(most.unwrap_or(usize::MAX)), most)
    }
}

impl<R: Read, T: DeserializeOwned> FusedIterator for Records<'_, R, T> {}

impl<R, T> fmt::Debug for Records<'_, R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("reader", &self.reader).field("end", &self.end).finish_non_exhaustive()
    }
}
