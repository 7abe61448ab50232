//! A reader over a file: records by their index, and a look at whether there are more by now.

use crate::error::{Count, Error, Result};
use crate::header::{Header, bounds};
use crate::plan::Node;
use crate::stream::reader::Reader;
use crate::stream::records::Records;
use serde::de::DeserializeOwned;
use std::io::{Read, Seek};
use std::ops::RangeBounds;

impl<R: Read + Seek> Reader<R> {
    /// Goes to the record of an index; that of the length is the end.
    ///
    /// # Errors
    ///
    /// The index lies behind the end, the records cannot be read one by one, or the reader fails.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[10, 11, 12, 13])?;
    /// let mut reader = serde_npy::Reader::new(Cursor::new(file))?;
    /// reader.seek(3)?;
    /// assert_eq!(reader.records::<i32>().next().transpose()?, Some(13));
    /// reader.seek(0)?;
    /// assert_eq!(reader.records::<i32>().next().transpose()?, Some(10));
    /// assert_eq!(reader.seek(5).unwrap_err().to_string(), "expected an index of at most 4, found 5");
    /// # Ok(()) }
    /// ```
    pub fn seek(&mut self, index: u64) -> Result<()> {
        self.seek_to(index).map_err(|error| self.placed(error))
    }

    fn seek_to(&mut self, index: u64) -> Result<()> {
        self.check()?;
        if index > self.length {
            return Err(Error::data(format!("expected an index of at most {}, found {index}", self.length)));
        }
        let itemsize = self.plan.as_ref().map_or(0, Node::itemsize);
        let target = index.saturating_mul(u64::try_from(itemsize).unwrap_or(u64::MAX));
        self.go_to_byte(target)?;
        self.blocks.restart(itemsize, target, self.data_len().saturating_sub(target));
        (self.position, self.ended) = (index, false);
        Ok(())
    }

    /// The records of a range of indices.
    ///
    /// # Errors
    ///
    /// As for [`seek`](Reader::seek), for both ends; or the range ends before it starts.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[10, 11, 12, 13])?;
    /// let mut reader = serde_npy::Reader::new(Cursor::new(file))?;
    /// let middle: Vec<i32> = reader.range(1..3)?.collect::<serde_npy::Result<_>>()?;
    /// assert_eq!(middle, [11, 12]);
    /// # Ok(()) }
    /// ```
    pub fn range<T: DeserializeOwned>(&mut self, range: impl RangeBounds<u64>) -> Result<Records<'_, R, T>> {
        let range = bounds(&range, self.length).map_err(|error| self.placed(error))?;
        self.seek(range.start)?;
        Ok(Records::new(self, range.end))
    }

    /// Looks whether the file has grown since its header was read; says how many records can be read now.
    ///
    /// The header is read anew until two reads agree, since its writer may be at work. What it says is believed only
    /// as far as the file holds the bytes. [`follow`](Reader::follow) does this in a loop.
    ///
    /// # Errors
    ///
    /// The header is now one of another array, or of less records than have been read. Or the reader fails, somewhere on
    /// its way: records that have arrived are still given, those behind them are an error until a
    /// [`seek`](Reader::seek) or another `refresh` has gone back.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{Reader, Writer};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("log.npy");
    /// serde_npy::to_path(&path, &[1, 2])?;
    /// let mut reader = Reader::from_path(&path)?;
    /// assert_eq!(reader.records::<i32>().count(), 2);
    ///
    /// let mut writer = Writer::append(&path)?;
    /// writer.write(&3)?;
    /// writer.finish()?;
    ///
    /// assert_eq!(reader.refresh()?, 1);
    /// assert_eq!(reader.records::<i32>().next().transpose()?, Some(3));
    /// # Ok(()) }
    /// ```
    pub fn refresh(&mut self) -> Result<u64> {
        self.look_again().map_err(|error| self.placed(error))?;
        Ok(self.remaining())
    }

    fn look_again(&mut self) -> Result<()> {
        self.check()?;
        let received = self.blocks.received();
        let header = self.read_header_again()?;
        let after = self.blocks.get_mut().go_to_end()?.saturating_sub(self.data_start());
        self.go_to_byte(received)?;
        let (Some((&length, inner)), Some((_, known))) =
            (header.shape().split_first(), self.header.shape().split_first())
        else {
            return Ok(());
        };
        let same = header.dtype() == self.header.dtype()
            && header.fortran_order() == self.header.fortran_order()
            && header.data_offset() == self.header.data_offset()
            && inner == known;
        if !same {
            return Err(Error::data("the header has become that of another array since it was first read"));
        }
        if length < self.position {
            let message =
                format!("the array has shrunk to {}, {} of it have been read", Count(length, "record"), self.position);
            return Err(Error::data(message));
        }
        let itemsize = self.plan.as_ref().and_then(|plan| u64::try_from(plan.itemsize()).ok()).unwrap_or(0);
        self.length = match after.checked_div(itemsize) {
            Some(whole) => length.min(whole).max(self.position),
            None => length,
        };
        self.header = header;
        self.blocks.set_left(self.data_len().saturating_sub(received));
        Ok(())
    }

    /// Reads the header at the start of the array until two reads agree.
    fn read_header_again(&mut self) -> Result<Header> {
        const TRIES: usize = 100;
        let offset = self.header.data_offset();
        let mut last = None;
        for _ in 0..TRIES {
            self.blocks.get_mut().go(self.start)?;
            let mut bytes = vec![0; usize::try_from(offset).unwrap_or(usize::MAX)];
            self.blocks.get_mut().read_exact(&mut bytes).map_err(Error::io)?;
            if last.as_ref() == Some(&bytes) {
                return Header::read_with(&bytes[..], &self.options);
            }
            last = Some(bytes);
        }
        Err(Error::data(format!("the header has changed in each of {TRIES} reads")))
    }

    /// Goes to a byte of the data.
    fn go_to_byte(&mut self, byte: u64) -> Result<()> {
        let place = self.data_start().saturating_add(byte);
        self.blocks.get_mut().go(place)
    }

    /// Bytes of the records that there are.
    fn data_len(&self) -> u64 {
        let itemsize = self.plan.as_ref().and_then(|plan| u64::try_from(plan.itemsize()).ok()).unwrap_or(0);
        self.length.saturating_mul(itemsize)
    }
}
