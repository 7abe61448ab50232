//! [`Reader`]: the records of an array, one after the other.

use crate::de::{Context, Element, Record, refuse_objects, shape_text, too_short};
use crate::error::{Category, Count, Error, Result};
use crate::header::{Header, in_both_orders};
use crate::io::{Blocks, Bytes, Counted};
use crate::options::ReadOptions;
use crate::plan::Node;
use crate::stream::progress::{Callback, Progress};
use crate::stream::records::Records;
use serde::de::DeserializeOwned;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Reads an array record by record, in constant memory.
///
/// The records are what lies along the first axis: the elements of an array of one axis, the rows of any other; an
/// array without axes is one record. Rows must lie one after the other, so an array of several axes in Fortran order is
/// refused.
///
/// Records are handed out as soon as they have arrived, which matters at a pipe or a socket. Exactly the bytes of the
/// array are taken from the reader, in blocks of up to 256 KiB: no buffer is needed around it.
///
/// # Examples
///
/// ```
/// use serde::Deserialize;
/// use serde_npy::Reader;
///
/// #[derive(Deserialize)]
/// struct Tick {
///     price: f64,
/// }
///
/// # #[derive(serde::Serialize)]
/// # struct Written { time: i64, price: f64 }
/// # fn main() -> serde_npy::Result<()> {
/// # let file = serde_npy::to_vec(&[Written { time: 1, price: 0.5 }, Written { time: 2, price: 2.0 }])?;
/// let mut reader = Reader::new(&file[..])?;
/// assert_eq!(reader.header().shape(), [2]);
///
/// let mut highest = f64::MIN;
/// for tick in reader.records::<Tick>() {
///     highest = highest.max(tick?.price);
/// }
/// assert_eq!(highest, 2.0);
/// # Ok(()) }
/// ```
///
/// Rows of a matrix:
///
/// ```
/// # fn main() -> serde_npy::Result<()> {
/// let file = serde_npy::to_vec(&[[1, 2], [3, 4], [5, 6]])?;
/// let mut reader = serde_npy::Reader::new(&file[..])?;
/// let sums: Vec<i32> = reader.records::<[i32; 2]>().map(|row| Ok(row?.iter().sum())).collect::<serde_npy::Result<_>>()?;
/// assert_eq!(sums, [3, 7, 11]);
/// # Ok(()) }
/// ```
pub struct Reader<R> {
    pub(crate) header: Header,
    pub(crate) options: ReadOptions,
    pub(crate) blocks: Blocks<R>,
    /// One record; `None` where they cannot be read one by one.
    pub(crate) plan: Option<Node>,
    /// The next record.
    pub(crate) position: u64,
    /// How many records there are, or have been seen so far in a file that grows.
    pub(crate) length: u64,
    /// Whether an error has ended the array before its last record.
    pub(crate) ended: bool,
    /// Where the array starts, from where the reader did.
    pub(crate) start: u64,
    /// Whether it is not known where the next array starts, since what is there is none.
    lost: bool,
    progress: Option<Callback>,
    path: Option<PathBuf>,
}

impl Reader<File> {
    /// Opens a `.npy` file.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, or as for [`new`](Reader::new).
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Reader;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("vector.npy");
    /// serde_npy::to_path(&path, &[1.5, 2.5, 3.5])?;
    /// let mut reader = Reader::from_path(&path)?;
    /// reader.seek(1)?;
    /// assert_eq!(reader.records::<f64>().next().transpose()?, Some(2.5));
    /// # Ok(()) }
    /// ```
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self> {
        Reader::from_path_with(path, &ReadOptions::default())
    }

    /// [`from_path`](Reader::from_path) with options.
    ///
    /// # Errors
    ///
    /// As for [`from_path`](Reader::from_path).
    pub fn from_path_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self> {
        let path = path.as_ref();
        let file = File::open(path).map_err(Error::io);
        let reader = file.and_then(|file| Reader::new_with(file, options)).map_err(|error| error.in_file(path))?;
        Ok(Reader { path: Some(path.to_path_buf()), ..reader })
    }
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// The reader fails, or the header is not well formed.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = serde_npy::Reader::new(&b"PK\x03\x04...."[..]).unwrap_err();
    /// assert_eq!(error.to_string(), "expected a .npy file, found a zip archive such as a .npz file (byte 0)");
    /// ```
    pub fn new(reader: R) -> Result<Self> {
        Reader::new_with(reader, &ReadOptions::default())
    }

    /// [`new`](Reader::new) with options.
    ///
    /// # Errors
    ///
    /// As for [`new`](Reader::new).
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{ReadOptions, Reader};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[0.5f64, 0.25])?;
    /// let mut reader = Reader::new_with(&file[..], &ReadOptions::default().round_floats(true))?;
    /// assert_eq!(reader.records::<f32>().next().transpose()?, Some(0.5));
    /// # Ok(()) }
    /// ```
    pub fn new_with(reader: R, options: &ReadOptions) -> Result<Self> {
        let mut reader = Counted::new(reader);
        let header = Header::read_with(&mut reader, options)?;
        let blocks = Blocks::over(reader, 0, 0).eager();
        let mut reader = Reader {
            header,
            options: options.clone(),
            blocks,
            plan: None,
            position: 0,
            length: 0,
            ended: false,
            start: 0,
            lost: false,
            progress: None,
            path: None,
        };
        reader.begin();
        Ok(reader)
    }

    /// Calls a function each time a block of data has been read.
    ///
    /// See [`Progress`] for an example.
    #[must_use]
    pub fn on_progress(mut self, callback: impl FnMut(Progress) + Send + 'static) -> Self {
        self.progress = Some(Box::new(callback));
        self
    }

    /// The header of the array.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The index of the record that comes next.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// How many records follow, as the header says.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        self.length.saturating_sub(self.position)
    }

    /// The records that follow, as an iterator or block by block.
    ///
    /// What is left when the iterator is dropped can be read by another, of another type if need be.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[1u8, 2, 3, 4])?;
    /// let mut reader = serde_npy::Reader::new(&file[..])?;
    /// let first: Vec<u8> = reader.records().take(2).collect::<serde_npy::Result<_>>()?;
    /// let others: Vec<f64> = reader.records().collect::<serde_npy::Result<_>>()?;
    /// assert_eq!((first, others), (vec![1, 2], vec![3.0, 4.0]));
    /// # Ok(()) }
    /// ```
    pub fn records<T: DeserializeOwned>(&mut self) -> Records<'_, R, T> {
        Records::new(self, u64::MAX)
    }

    /// Appends up to `count` of the records that follow to a `Vec`, whose memory is so used again; says how many.
    ///
    /// Less than `count` are there only at the end. On an error, the records before the one that failed have been
    /// appended, and the one behind it is next.
    ///
    /// # Errors
    ///
    /// As for the items of [`records`](Reader::records).
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[1, 2, 3, 4, 5])?;
    /// let mut reader = serde_npy::Reader::new(&file[..])?;
    /// let mut batch: Vec<i32> = Vec::new();
    /// let mut sums = Vec::new();
    /// while reader.read_into(&mut batch, 2)? > 0 {
    ///     sums.push(batch.drain(..).sum::<i32>());
    /// }
    /// assert_eq!(sums, [3, 7, 5]);
    /// # Ok(()) }
    /// ```
    pub fn read_into<T: DeserializeOwned>(&mut self, records: &mut Vec<T>, count: usize) -> Result<usize> {
        let context = Context::new(self.options.clone());
        let mut done = 0usize;
        while done < count {
            match self.decode(&context, records, u64::try_from(count.saturating_sub(done)).unwrap_or(u64::MAX)) {
                (0, None) => break,
                (read, failed) => {
                    self.pass(read);
                    done = done.saturating_add(usize::try_from(read).unwrap_or(usize::MAX));
                    if let Some(error) = failed {
                        self.pass_failed(&error);
                        return Err(error);
                    }
                }
            }
        }
        Ok(done)
    }

    /// Goes on to the next of several arrays that follow each other; `None` where there is none.
    ///
    /// Records of the present array that have not been read are passed over.
    ///
    /// # Errors
    ///
    /// The reader fails, the present array is cut or holds objects (whose end is not known), or what follows is not an
    /// array; then there is an error every time, and [`seek`](Reader::seek) goes back to the present array. The byte in an
    /// error about the header that follows counts from where this reader began, since the file has no array there.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut file = serde_npy::to_vec(&[1, 2, 3])?;
    /// file.extend(serde_npy::to_vec(&[40])?);
    ///
    /// let mut reader = serde_npy::Reader::new(&file[..])?;
    /// let mut sums = Vec::new();
    /// loop {
    ///     sums.push(reader.records::<i32>().sum::<serde_npy::Result<i32>>()?);
    ///     if reader.next_array()?.is_none() {
    ///         break;
    ///     }
    /// }
    /// assert_eq!(sums, [6, 40]);
    /// # Ok(()) }
    /// ```
    pub fn next_array(&mut self) -> Result<Option<&Header>> {
        match self.go_on() {
            Ok(found) => Ok(found.then_some(&self.header)),
            Err(error) => {
                self.ended = true;
                Err(self.placed(error))
            }
        }
    }

    fn go_on(&mut self) -> Result<bool> {
        refuse_objects(&self.header)?;
        let end = self.header.data_offset().saturating_add(self.header.data_len());
        let next = self.start.saturating_add(end);
        if self.lost {
            let message = "it is not known where the next array starts, since there was none behind the one before";
            return Err(Error::syntax(message).at_offset(next));
        }
        self.check_place()?;
        self.blocks.restart(1, self.blocks.received(), self.header.data_len().saturating_sub(self.blocks.received()));
        while self.blocks.received() < self.header.data_len() {
            if !self.blocks.ready()? {
                return Err(too_short(&self.header, self.blocks.received()));
            }
            self.blocks.advance(usize::MAX);
        }
        self.blocks.restart(self.plan.as_ref().map_or(1, Node::itemsize), self.blocks.received(), 0);
        (self.position, self.ended) = (self.length, false);
        if self.blocks.at_end()? {
            return Ok(false);
        }
        self.lost = true;
        let header = Header::read_with(self.blocks.get_mut(), &self.options);
        self.header = header.map_err(|error| error.behind(next))?;
        (self.start, self.lost) = (next, false);
        self.begin();
        Ok(true)
    }

    /// The place of the data, from where the reader began.
    pub(crate) fn data_start(&self) -> u64 {
        self.start.saturating_add(self.header.data_offset())
    }

    /// Refuses to read on elsewhere than behind the bytes of the array that have been read.
    fn check_place(&self) -> Result<()> {
        if self.blocks.place() == Some(self.data_start().saturating_add(self.blocks.received())) {
            return Ok(());
        }
        let message = "the reader has failed on its way to another place of the file; `seek` finds the records again";
        Err(Error::io(std::io::Error::other(message)))
    }

    /// Refuses bytes behind the array, where [`ReadOptions::trailing`] is `false`.
    ///
    /// # Errors
    ///
    /// There are such bytes, there are records that have not been read, or the reader fails.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{ReadOptions, Reader};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut file = serde_npy::to_vec(&[1, 2, 3])?;
    /// file.push(0);
    /// let mut reader = Reader::new_with(&file[..], &ReadOptions::default().trailing(false))?;
    /// assert_eq!(reader.records::<i32>().count(), 3);
    /// assert_eq!(
    ///     reader.end().unwrap_err().to_string(),
    ///     "expected the end of the file, found more bytes behind the array (byte 140)"
    /// );
    /// # Ok(()) }
    /// ```
    pub fn end(&mut self) -> Result<()> {
        if self.options.trailing {
            return Ok(());
        }
        self.check_place().map_err(|error| self.placed(error))?;
        let offset = self.header.data_offset().saturating_add(self.blocks.received());
        let message = if self.remaining() > 0 {
            format!("expected the end of the array, found {}", Count(self.remaining(), "more record"))
        } else if self.blocks.at_end().map_err(|error| self.placed(error))? {
            return Ok(());
        } else {
            "expected the end of the file, found more bytes behind the array".to_owned()
        };
        Err(self.placed(Error::data(message).at_offset(offset)))
    }

    /// The reader within.
    #[must_use]
    pub fn get_ref(&self) -> &R {
        self.blocks.get_ref()
    }

    /// Gives the reader back.
    ///
    /// It stands right behind the array once all records have been read; before that, bytes of the array that were
    /// read in advance are lost.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut file = serde_npy::to_vec(&[1, 2, 3])?;
    /// file.extend(b"more");
    /// let mut reader = serde_npy::Reader::new(&file[..])?;
    /// assert_eq!(reader.records::<i32>().count(), 3);
    /// assert_eq!(reader.into_inner(), b"more");
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn into_inner(self) -> R {
        self.blocks.into_inner()
    }

    /// Prepares for the records behind a header that has just been read.
    fn begin(&mut self) {
        let (length, inner) = match self.header.shape() {
            [length, inner @ ..] => (*length, inner),
            [] => (1, Default::default()),
        };
        self.plan = self.check().and_then(|()| Node::row(self.header.dtype(), inner)).ok();
        self.blocks.restart(self.plan.as_ref().map_or(1, Node::itemsize), 0, self.header.data_len());
        (self.position, self.length, self.ended) = (0, length, false);
    }

    /// Why there is no plan.
    #[cold]
    fn refusal(&self) -> Error {
        let refused = self.check().and_then(|()| Node::row(self.header.dtype(), self.header.shape()));
        refused.err().unwrap_or_else(|| Error::unsupported("rows that cannot be read"))
    }

    /// Whether the records can be read one by one.
    pub(crate) fn check(&self) -> Result<()> {
        refuse_objects(&self.header)?;
        let shape = self.header.shape();
        if self.header.fortran_order() && !in_both_orders(shape) {
            return Err(Error::unsupported(format!(
                "the rows of an array of shape {} in Fortran order do not lie one after the other; read it as a whole \
                 by `from_reader` or `from_path`",
                shape_text(shape)
            )));
        }
        Ok(())
    }

    /// Decodes up to `most` of the records that follow, which stay the next ones: how many, and the error at the one
    /// behind them. No record and no error is the end.
    pub(crate) fn decode<T: DeserializeOwned>(
        &mut self,
        context: &Context,
        records: &mut Vec<T>,
        most: u64,
    ) -> (u64, Option<Error>) {
        let most = most.min(self.remaining());
        if self.length == 0 && self.plan.is_none() && !self.ended {
            // What cannot be read is no empty array, even where it is one.
            return (0, Some(self.placed(self.refusal())));
        }
        if self.ended || most == 0 {
            return (0, None);
        }
        match self.decode_block(context, records, most) {
            Ok(done) => (done, None),
            Err((done, failed)) => (done, Some(self.placed(failed))),
        }
    }

    fn decode_block<T: DeserializeOwned>(
        &mut self,
        context: &Context,
        records: &mut Vec<T>,
        most: u64,
    ) -> Result<u64, (u64, Error)> {
        self.receive().map_err(|error| (0, error))?;
        let Some(plan) = &self.plan else {
            return Err((0, self.refusal()));
        };
        let itemsize = u64::try_from(plan.itemsize()).unwrap_or(u64::MAX);
        let bytes = self.blocks.peek(usize::try_from(most).unwrap_or(usize::MAX));
        let held = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let count = held.checked_div(itemsize).unwrap_or(most).min(most);
        let offset = self.header.data_offset().saturating_add(self.position.saturating_mul(itemsize));
        let block = Element { context, node: plan, bytes: Bytes::Transient(bytes), offset };
        // As many as have arrived, so that memory follows them.
        records.reserve(usize::try_from(count).unwrap_or(0).min(bytes.len()));
        match T::read_block(block, count, records) {
            Ok(()) => Ok(count),
            Err((done, error)) => Err((done, error.at_index(self.position.saturating_add(done)))),
        }
    }

    /// Makes sure that the next record has been read.
    fn receive(&mut self) -> Result<()> {
        if self.plan.is_none() {
            return Ok(());
        }
        if self.blocks.held() == 0 {
            self.check_place()?;
        }
        let before = self.blocks.received();
        if !self.blocks.ready()? {
            return Err(too_short(&self.header, self.blocks.received()));
        }
        let bytes = self.blocks.received();
        if let Some(callback) = &mut self.progress
            && bytes > before
        {
            let itemsize = self.plan.as_ref().and_then(|plan| u64::try_from(plan.itemsize()).ok());
            let records = itemsize.and_then(|itemsize| bytes.checked_div(itemsize)).unwrap_or(0);
            callback(Progress { records, bytes, length: Some(self.length) });
        }
        Ok(())
    }

    /// Passes over records that have been decoded.
    pub(crate) fn pass(&mut self, count: u64) {
        self.position = self.position.saturating_add(count).min(self.length);
        self.blocks.advance(usize::try_from(count).unwrap_or(usize::MAX));
    }

    /// Passes over the record that failed, unless nothing can be said of those behind it.
    pub(crate) fn pass_failed(&mut self, error: &Error) {
        // A record that does not fit its type says nothing about the next one; anything else does.
        if error.category() == Category::Data {
            self.pass(1);
        } else {
            self.ended = true;
        }
    }

    pub(crate) fn options(&self) -> &ReadOptions {
        &self.options
    }

    /// How many records have been read from the reader and not been passed.
    pub(crate) fn held(&self) -> usize {
        let itemsize = self.plan.as_ref().map_or(0, Node::itemsize);
        self.blocks.held().checked_div(itemsize).unwrap_or(0)
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    #[cold]
    pub(crate) fn placed(&self, error: Error) -> Error {
        match &self.path {
            Some(path) => error.in_file(path),
            None => error,
        }
    }
}

impl<R> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("header", &self.header).field("position", &self.position).finish_non_exhaustive()
    }
}
