//! [`Writer`]: records into an array, one after the other.

use crate::error::{Count, Error, Result};
use crate::io::{Replacement, Sink};
use crate::options::WriteOptions;
use crate::ser::{Content, Record as _, Tier, header_of_rows, write_record};
use crate::stream::layout::{Layout, difference, no_room};
use crate::stream::length::{Length, patch};
use crate::stream::progress::{Callback, Progress};
use serde::Serialize;
use std::fmt;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::slice;

/// Writes an array record by record, in constant memory.
///
/// The records lie along the first axis: a struct or a number makes an array of one axis, a row such as `[f64; 3]` one
/// of shape `(n, 3)`. The first record decides the dtype, unless [`WriteOptions::dtype`] does. Later records must fit
/// it, as they would a given one, and no wider float is rounded to it. Text, bytes and sequences within a record do not
/// tell how long later ones will be; such a record is refused unless the width is given, or found from more records by
/// [`spool`](Writer::spool).
///
/// There are four ways to start:
///
/// | | number of records | needs |
/// |---|---|---|
/// | [`new`](Writer::new) | known in advance | [`Write`]: pipes, compressors |
/// | [`open_length`](Writer::open_length) | found at the end | [`Write`] + [`Seek`] |
/// | [`create`](Writer::create) | found at the end | a path; the file appears at the end |
/// | [`append`](Writer::append) | added to those there | a path to a `.npy` file |
///
/// Records are written in blocks of 256 KiB: no buffer is needed around the writer. Only [`finish`](Writer::finish)
/// makes the file complete; a writer that is dropped writes nothing, and what it leaves behind is no array, to NumPy
/// neither.
///
/// # Examples
///
/// ```
/// use serde::Serialize;
/// use serde_npy::Writer;
/// use std::io::Cursor;
///
/// #[derive(Serialize)]
/// struct Tick {
///     time: i64,
///     price: f64,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let mut writer = Writer::open_length(Cursor::new(Vec::new()))?;
/// for time in 0..1000 {
///     writer.write(&Tick { time, price: 0.5 })?;
/// }
/// let file = writer.finish()?.into_inner();
///
/// let header = serde_npy::Header::read(&file[..])?;
/// assert_eq!(header.shape(), [1000]);
/// assert_eq!(header.dtype().to_string(), "[('time', '<i8'), ('price', '<f8')]");
/// # Ok(()) }
/// ```
pub struct Writer<W> {
    sink: Sink<W>,
    options: WriteOptions,
    length: Length<W>,
    /// Known with the first record.
    layout: Option<Layout>,
    tier: Tier,
    /// Records that are held back until there are `spool` of them.
    held: Vec<Content>,
    spool: usize,
    /// Records of the array, those in the block included.
    count: u64,
    /// Whether the inner writer has failed, after which nothing is known of the file.
    failed: bool,
    progress: Option<Callback>,
    disk: Disk,
}

/// What there is to do about the file of a path.
#[derive(Default)]
pub(crate) struct Disk {
    pub(crate) path: Option<PathBuf>,
    /// The new file beside the one that it shall replace.
    pub(crate) replacement: Option<Replacement>,
    /// The file that is appended to.
    pub(crate) appended: Option<File>,
}

impl<W: Write> Writer<W> {
    /// A writer of an array of `length` records; the writer need not be able to seek.
    ///
    /// The header is written with the first record.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Writer;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut writer = Writer::new(Vec::new(), 3);
    /// writer.write_all([[1.0, 2.0], [3.0, 4.0]])?;
    /// assert_eq!(writer.finish().unwrap_err().to_string(), "expected 3 records, found 2");
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn new(writer: W, length: u64) -> Self {
        Writer::new_with(writer, length, &WriteOptions::default())
    }

    /// [`new`](Writer::new) with options.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{WriteOptions, Writer};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let options = WriteOptions::default().dtype("[('name', 'S8'), ('age', '>u2')]".parse()?);
    /// let mut writer = Writer::new_with(Vec::new(), 2, &options);
    /// writer.write(&("Ada", 36))?;
    /// writer.write(&("Alan", 41))?;
    /// let file = writer.finish()?;
    /// assert_eq!(serde_npy::from_slice::<Vec<(String, u32)>>(&file)?[1], ("Alan".to_owned(), 41));
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn new_with(writer: W, length: u64, options: &WriteOptions) -> Self {
        Writer::over(writer, Length::Known(length), options, Disk::default())
    }

    fn over(writer: W, length: Length<W>, options: &WriteOptions, disk: Disk) -> Self {
        Writer {
            sink: Sink::without_itemsize(writer),
            options: options.clone(),
            length,
            layout: None,
            tier: Tier::default(),
            held: Vec::new(),
            spool: 0,
            count: 0,
            failed: false,
            progress: None,
            disk,
        }
    }

    /// Holds the first `count` records in memory, and finds from all of them how wide text and bytes must be.
    ///
    /// They are written with the last of them, or by [`flush`](Writer::flush) or [`finish`](Writer::finish). Later
    /// records that are wider still are an error. No effect where the dtype is given.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Writer;
    /// use std::io::Cursor;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut writer = Writer::open_length(Cursor::new(Vec::new()))?.spool(2);
    /// writer.write(&(1, "Rome"))?;
    /// writer.write(&(2, "Berlin"))?;
    /// writer.write(&(3, "Paris"))?;
    /// assert_eq!(
    ///     writer.write(&(4, "Amsterdam")).unwrap_err().to_string(),
    ///     "expected at most 6 code points, found 9 (at `[3].f1`)"
    /// );
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn spool(mut self, count: usize) -> Self {
        self.spool = count;
        self
    }

    /// Calls a function each time a block of data has been written.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Writer;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use std::sync::Arc;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let bytes = Arc::new(AtomicU64::new(0));
    /// let shown = Arc::clone(&bytes);
    /// let mut writer = Writer::new(Vec::new(), 100_000).on_progress(move |progress| {
    ///     shown.store(progress.bytes, Ordering::Relaxed);
    /// });
    /// writer.write_all((0..100_000).map(f64::from))?;
    /// writer.finish()?;
    /// assert_eq!(bytes.load(Ordering::Relaxed), 800_000);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn on_progress(mut self, callback: impl FnMut(Progress) + Send + 'static) -> Self {
        self.progress = Some(Box::new(callback));
        self
    }

    /// How many records the array has so far, those that were there before an [`append`](Writer::append) included.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count.saturating_add(u64::try_from(self.held.len()).unwrap_or(u64::MAX))
    }

    /// Writes one record.
    ///
    /// # Errors
    ///
    /// The record has no dtype, leaves a width open or does not fit the dtype; there are as many records as there should
    /// be already. The record is then not written, and others can be. Or the writer fails, and nothing more can be
    /// written.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Writer;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut writer = Writer::new(Vec::new(), 2);
    /// writer.write(&1u8)?;
    /// assert_eq!(
    ///     writer.write(&300).unwrap_err().to_string(),
    ///     "expected `|u1`, found integer `300`, which is beyond its range (at `[1]`)"
    /// );
    /// writer.write(&200)?;
    /// assert_eq!(serde_npy::from_slice::<Vec<u8>>(&writer.finish()?)?, [1, 200]);
    /// # Ok(()) }
    /// ```
    pub fn write<T: Serialize + ?Sized>(&mut self, record: &T) -> Result<()> {
        self.usable()?;
        if self.layout.is_none() && self.begin(record)? {
            return Ok(());
        }
        self.encode_one(record)
    }

    /// Writes the records of an iterator.
    ///
    /// # Errors
    ///
    /// As for [`write`](Writer::write); the records before the one that failed have been written.
    pub fn write_all<I: IntoIterator>(&mut self, records: I) -> Result<()>
    where
        I::Item: Serialize,
    {
        records.into_iter().try_for_each(|record| self.write(&record))
    }

    /// Writes the records of a slice: the fast way where there are many at a time.
    ///
    /// # Errors
    ///
    /// As for [`write`](Writer::write); the records before the one that failed have been written.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut writer = serde_npy::Writer::new(Vec::new(), 4);
    /// writer.write_block(&[0.5, 1.5, 2.5])?;
    /// writer.write_block(&[3.5])?;
    /// assert_eq!(serde_npy::from_slice::<Vec<f64>>(&writer.finish()?)?, [0.5, 1.5, 2.5, 3.5]);
    /// # Ok(()) }
    /// ```
    pub fn write_block<T: Serialize>(&mut self, records: &[T]) -> Result<()> {
        self.usable()?;
        let mut records = records;
        while self.layout.is_none() {
            let Some((first, others)) = records.split_first() else { return Ok(()) };
            if self.begin(first)? {
                records = others;
            }
        }
        self.encode(records)
    }

    /// Settles on the dtype by a record, or holds the record back until there are more; whether it does.
    fn begin<T: Serialize + ?Sized>(&mut self, record: &T) -> Result<bool> {
        if self.spool == 0 || self.options.dtype.is_some() {
            return self.set_layout(slice::from_ref(&record), false).map(|()| false);
        }
        let index = self.count();
        self.within_length(index)?;
        self.held.push(Content::of(record).map_err(|error| self.placed(error.at_index(index)))?);
        if self.held.len() >= self.spool {
            self.release()?;
        }
        Ok(true)
    }

    /// Settles on the dtype by the records held back, and writes them.
    fn release(&mut self) -> Result<()> {
        let held = std::mem::take(&mut self.held);
        // A record that does not go with the others cannot be taken out of them any more.
        self.set_layout(&held, true).and_then(|()| self.encode(&held)).inspect_err(|_| self.failed = true)
    }

    /// Settles on the dtype and the shape of the rows, and writes the header, blank if the length is open.
    fn set_layout<T: Serialize>(&mut self, rows: &[T], open: bool) -> Result<()> {
        let length = if let Length::Known(length) = self.length { length } else { 0 };
        let layout = header_of_rows(rows, length, open, &self.options)
            .and_then(|header| Layout::new(header, self.options.dtype.is_some()));
        // A record that does not fit must not decide the shape of the others.
        let layout = layout.and_then(|layout| layout.try_first(rows).map(|()| layout));
        let layout = layout.map_err(|error| self.placed(error))?;
        let bytes = match self.length {
            Length::Known(_) => layout.header.to_bytes(),
            Length::Open { .. } => layout.header.blank(),
        };
        let written = bytes.map_err(|error| self.placed(error))?;
        let sized = self.sink.set_itemsize(layout.plan.itemsize());
        sized.map_err(|error| self.placed(error))?;
        let done = self.sink.get_mut().write_all(&written);
        self.check_io(done)?;
        self.layout = Some(Layout { written, ..layout });
        Ok(())
    }

    fn encode_one<T: Serialize + ?Sized>(&mut self, record: &T) -> Result<()> {
        self.within_length(self.count)?;
        if self.sink.room() == 0 {
            self.flush_block()?;
        }
        let Some(layout) = &self.layout else { return Ok(()) };
        let (slot, _) = self.sink.free(1)?;
        if let Err(error) = write_record(&mut self.tier, &layout.plan, record, 0, slot) {
            return Err(self.placed(error.at_index(self.count)));
        }
        self.sink.keep(1);
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    fn encode<T: Serialize>(&mut self, records: &[T]) -> Result<()> {
        let mut rest = records;
        let mut held = Vec::new();
        while !rest.is_empty() {
            self.within_length(self.count)?;
            if self.sink.room() == 0 {
                self.flush_block()?;
            }
            let Some(layout) = &self.layout else { return Ok(()) };
            let most = match self.length {
                Length::Known(length) => length,
                Length::Open { .. } => layout.most,
            };
            let left = usize::try_from(most.saturating_sub(self.count)).unwrap_or(usize::MAX);
            let (chunk, others) = rest.split_at(rest.len().min(self.sink.room()).min(left));
            rest = others;
            let (block, _) = self.sink.free(chunk.len())?;
            let mut items = chunk.iter();
            let result = <&T>::write_block(&mut self.tier, &layout.plan, &mut items, &mut held, chunk.len(), block);
            let (Ok(done) | Err((done, _))) = result;
            self.sink.keep(done);
            self.count = self.count.saturating_add(u64::try_from(done).unwrap_or(u64::MAX));
            if let Err((_, error)) = result {
                return Err(self.placed(error.at_index(self.count)));
            }
        }
        Ok(())
    }

    /// Whether the array may have a record of this index.
    fn within_length(&self, index: u64) -> Result<()> {
        let error = match (&self.length, &self.layout) {
            (Length::Known(length), _) if index >= *length => {
                Error::data(format!("expected {}, found more", Count(*length, "record")))
            }
            (Length::Open { .. }, Some(layout)) if index >= layout.most => no_room(layout.most),
            _ => return Ok(()),
        };
        Err(self.placed(error))
    }

    /// Writes what is held in memory.
    ///
    /// If the length is open, the header is written over by one that tells of the records so far. The file is then a
    /// whole array, and stays one while more records are written behind it.
    ///
    /// # Errors
    ///
    /// The writer fails, or records held back by [`spool`](Writer::spool) do not go together.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{Reader, Writer};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("growing.npy");
    /// let mut writer = Writer::open_length(std::fs::File::create(&path)?)?;
    /// writer.write(&1)?;
    /// let error = Reader::from_path(&path).unwrap_err();
    /// assert!(error.to_string().starts_with("the file is not finished: its header is blank"));
    ///
    /// writer.flush()?;
    /// assert_eq!(serde_npy::from_path::<Vec<i32>>(&path)?, [1]);
    /// # Ok(()) }
    /// ```
    pub fn flush(&mut self) -> Result<()> {
        self.usable()?;
        if !self.held.is_empty() {
            self.release()?;
        }
        self.flush_block()?;
        self.publish()?;
        let done = self.sink.get_mut().flush();
        self.check_io(done)
    }

    /// Writes what is missing and gives the inner writer back.
    ///
    /// # Errors
    ///
    /// The writer fails or has failed; there are not as many records as there should be; there is no record to tell the
    /// dtype of, and none was given.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{WriteOptions, Writer};
    /// use std::io::Cursor;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let writer = Writer::open_length(Cursor::new(Vec::new()))?;
    /// assert_eq!(
    ///     writer.finish().unwrap_err().to_string(),
    ///     "there is no record to tell the dtype of; give it by `WriteOptions::dtype`"
    /// );
    ///
    /// let options = WriteOptions::default().dtype("<f8".parse()?);
    /// let file = Writer::open_length_with(Cursor::new(Vec::new()), &options)?.finish()?.into_inner();
    /// assert_eq!(serde_npy::Header::read(&file[..])?.shape(), [0]);
    /// # Ok(()) }
    /// ```
    pub fn finish(mut self) -> Result<W> {
        self.usable()?;
        if let Length::Known(length) = self.length
            && length != self.count()
        {
            let message = format!("expected {}, found {}", Count(length, "record"), self.count());
            return Err(self.placed(Error::data(message)));
        }
        if !self.held.is_empty() {
            self.release()?;
        } else if self.layout.is_none() {
            if self.options.dtype.is_none() {
                let message = "there is no record to tell the dtype of; give it by `WriteOptions::dtype`";
                return Err(self.placed(Error::data(message)));
            }
            self.set_layout::<()>(&[], false)?;
        }
        self.flush()?;
        let Disk { path, replacement, appended } = self.disk;
        if let Some(replacement) = replacement {
            replacement.complete()?;
        }
        if let Some(file) = appended {
            // Another may append now, though the caller keeps the file open.
            file.unlock().map_err(|error| in_file(Error::io(error), path.as_deref()))?;
        }
        Ok(self.sink.into_inner())
    }

    /// Writes the block that is not full yet.
    fn flush_block(&mut self) -> Result<()> {
        if let Err(error) = self.sink.flush() {
            self.failed = true;
            return Err(self.placed(error));
        }
        if let (Some(callback), Some(layout)) = (&mut self.progress, &self.layout) {
            let itemsize = u64::try_from(layout.plan.itemsize()).unwrap_or(u64::MAX);
            let length = if let Length::Known(length) = self.length { Some(length) } else { None };
            callback(Progress { records: self.count, bytes: self.count.saturating_mul(itemsize), length });
        }
        Ok(())
    }

    /// Lets the header tell of all records that have been written.
    fn publish(&mut self) -> Result<()> {
        let (Length::Open { start, patch }, Some(layout)) = (&self.length, &self.layout) else { return Ok(()) };
        let bytes = layout.header.grown(self.count).map_err(|error| self.placed(error))?;
        let Some((from, changed)) = difference(&layout.written, &bytes) else { return Ok(()) };
        let at = start.saturating_add(u64::try_from(from).unwrap_or(u64::MAX));
        let done = self.sync().and_then(|()| patch(self.sink.get_mut(), at, changed)).and_then(|()| self.sync());
        self.check_io(done)?;
        if let Some(layout) = &mut self.layout {
            layout.written = bytes;
        }
        let done = self.cut_tail();
        self.check_io(done)
    }

    /// Waits for the disk, where that was asked for.
    fn sync(&self) -> io::Result<()> {
        match &self.disk.appended {
            Some(file) if self.options.sync => file.sync_data(),
            _ => Ok(()),
        }
    }

    /// Takes off what a writer that was stopped has left behind the array.
    fn cut_tail(&self) -> io::Result<()> {
        let (Some(file), Some(layout)) = (&self.disk.appended, &self.layout) else { return Ok(()) };
        let itemsize = u64::try_from(layout.plan.itemsize()).unwrap_or(u64::MAX);
        let end = layout.header.data_offset().saturating_add(self.count.saturating_mul(itemsize));
        if file.metadata()?.len() > end { file.set_len(end) } else { Ok(()) }
    }

    fn usable(&self) -> Result<()> {
        if !self.failed {
            return Ok(());
        }
        Err(self.placed(Error::io(io::Error::other("the writer has failed before, the file is not complete"))))
    }

    fn check_io(&mut self, result: io::Result<()>) -> Result<()> {
        result.map_err(|error| {
            self.failed = true;
            self.placed(Error::io(error))
        })
    }

    #[cold]
    fn placed(&self, error: Error) -> Error {
        in_file(error, self.disk.path.as_deref())
    }
}

fn in_file(error: Error, path: Option<&Path>) -> Error {
    match path {
        Some(path) => error.in_file(path),
        None => error,
    }
}

impl<W: Write + Seek> Writer<W> {
    /// A writer of an array whose length is found at the end.
    ///
    /// The array starts where the writer stands. Its header is blank until [`flush`](Writer::flush) or
    /// [`finish`](Writer::finish), so that an unfinished file is not taken for an array.
    ///
    /// # Errors
    ///
    /// The writer cannot seek, as a pipe.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Writer;
    /// use std::io::Cursor;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut writer = Writer::open_length(Cursor::new(Vec::new()))?;
    /// writer.write_all([[1, 2], [3, 4], [5, 6]])?;
    /// let file = writer.finish()?.into_inner();
    /// assert_eq!(file, serde_npy::to_vec(&[[1, 2], [3, 4], [5, 6]])?);
    /// # Ok(()) }
    /// ```
    pub fn open_length(writer: W) -> Result<Self> {
        Writer::open_length_with(writer, &WriteOptions::default())
    }

    /// [`open_length`](Writer::open_length) with options.
    ///
    /// # Errors
    ///
    /// As for [`open_length`](Writer::open_length).
    pub fn open_length_with(mut writer: W, options: &WriteOptions) -> Result<Self> {
        let start = writer.stream_position().map_err(Error::io)?;
        Ok(Writer::over(writer, Length::Open { start, patch }, options, Disk::default()))
    }

    /// A writer of a new file.
    pub(crate) fn at(writer: W, options: &WriteOptions, disk: Disk) -> Self {
        Writer::over(writer, Length::Open { start: 0, patch }, options, disk)
    }

    /// A writer that goes on behind the records of a file, which stands at the end of its data.
    pub(crate) fn behind(writer: W, layout: Layout, options: &WriteOptions, disk: Disk) -> Result<Self> {
        let count = layout.header.shape().first().copied().unwrap_or(0);
        let mut writer = Writer::over(writer, Length::Open { start: 0, patch }, options, disk);
        writer.sink.set_itemsize(layout.plan.itemsize())?;
        Ok(Writer { layout: Some(layout), count, ..writer })
    }
}

impl<W> fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("options", &self.options).field("count", &self.count).finish_non_exhaustive()
    }
}
