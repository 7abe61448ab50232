//! An archive, written member by member.

use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::header::Header;
use crate::limits::Limits;
use crate::npz::directory::Directory;
use crate::npz::elements::Elements;
use crate::npz::gate::Latch;
use crate::npz::name::{array_name, member_name};
use crate::npz::options::WriteOptions;
use crate::npz::rehearsal::rehearse;
use crate::npz::sink::Sink;
use crate::options;
use crate::ser::{check_value, frame, write_value};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt;
use std::io::{Read, Seek, SeekFrom, Write};

/// Writes an archive member by member.
///
/// [`finish`](Writer::finish) completes it and gives the sink back. Without that, and after an error of the sink, what has
/// been written has no list of members, so that no program takes it for a whole archive.
///
/// Names are those of the arrays: the member of `x` is `x.npy`, as in NumPy. Members have no times of their own, so that
/// the same values give the same bytes. Members and archives over 4 GiB and more than 65,535 members need nothing special.
///
/// # Examples
///
/// ```
/// use serde_npy::npz;
/// use std::io::Cursor;
///
/// # fn main() -> serde_npy::Result<()> {
/// let mut writer = npz::Writer::new(Cursor::new(Vec::new())); // or a `File`
/// writer.add("weights", &vec![[0.5f32, 1.5], [2.5, 3.5]])?;
/// writer.add("labels", &["cat", "dog"])?;
/// let archive = writer.finish()?.into_inner();
///
/// let mut reader = npz::Reader::from_slice(&archive)?;
/// assert_eq!(reader.header("weights")?.shape(), [2, 2]);
/// assert_eq!(reader.get::<Vec<String>>("labels")?, ["cat", "dog"]);
/// # Ok(()) }
/// ```
#[must_use = "an archive is no archive without `finish`"]
pub struct Writer<W: Write> {
    /// `None` once it is finished.
    sink: Option<Sink<W>>,
    latch: Latch,
    options: WriteOptions,
    /// The names of members, as the archive has them.
    names: HashSet<String>,
}

impl<W: Write + Seek> Writer<W> {
    /// Starts an archive at the position of the sink, which can seek; one that cannot takes [`streaming`](Writer::streaming).
    pub fn new(sink: W) -> Self {
        Writer::with_options(sink, &WriteOptions::default())
    }

    /// [`new`](Writer::new) with options.
    pub fn with_options(sink: W, options: &WriteOptions) -> Self {
        let latch = Latch::default();
        Writer::over(Sink::seekable(sink, latch.clone()), latch, options, HashSet::new())
    }

    /// Goes on with an archive in place, behind its last member.
    ///
    /// The list of members is overwritten first: if the process dies before [`finish`](Writer::finish), or the sink fails,
    /// the archive is lost. [`npz::append`](crate::npz::append) makes a copy.
    ///
    /// # Errors
    ///
    /// It is no zip archive, cannot be read, or would not be whole afterwards: its comment may be taken for the end of
    /// another archive, a member lies in or behind the list, or the list is so damaged that it cannot be written anew.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::npz;
    /// use std::io::Cursor;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let archive = npz::to_vec(&(1,))?;
    /// let mut writer = npz::Writer::append_in_place_unsafely(Cursor::new(archive), &npz::WriteOptions::default())?;
    /// writer.add("arr_1", &2)?;
    /// assert_eq!(npz::from_slice::<(i32, i32)>(writer.finish()?.get_ref())?, (1, 2));
    /// # Ok(()) }
    /// ```
    pub fn append_in_place_unsafely(mut archive: W, options: &WriteOptions) -> Result<Self>
    where
        W: Read,
    {
        let directory = Directory::read(&mut archive, &Limits::default())?;
        rehearse(&mut archive, &directory)?;
        archive.seek(SeekFrom::Start(0)).map_err(Error::io)?;
        let names = directory.members().map(str::to_owned).collect();
        let latch = Latch::default();
        Ok(Writer::over(Sink::append(archive, latch.clone())?, latch, options, names))
    }
}

impl<W: Write> Writer<W> {
    /// Starts an archive in a sink that cannot seek, such as a socket or standard output.
    ///
    /// The sizes of members follow their data; NumPy and everything else that reads the list of members takes it.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::npz;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut writer = npz::Writer::streaming(Vec::new(), &npz::WriteOptions::default());
    /// writer.add("x", &[1, 2, 3])?;
    /// let archive: Vec<u8> = writer.finish()?;
    /// assert_eq!(npz::Reader::from_slice(&archive)?.get::<Vec<i32>>("x")?, [1, 2, 3]);
    /// # Ok(()) }
    /// ```
    pub fn streaming(sink: W, options: &WriteOptions) -> Self {
        let latch = Latch::default();
        Writer::over(Sink::streaming(sink, latch.clone()), latch, options, HashSet::new())
    }

    fn over(sink: Sink<W>, latch: Latch, options: &WriteOptions, names: HashSet<String>) -> Self {
        Writer { sink: Some(sink), latch, options: options.clone(), names }
    }

    /// Adds an array, as [`to_vec`](crate::to_vec) would write it.
    ///
    /// # Errors
    ///
    /// The name is taken, the value has no dtype or does not fit the one in the options, or the sink fails. Only after the
    /// last the archive is lost; else nothing has been written, and the writer goes on.
    ///
    /// Names that others would not find again are refused too: one with a NUL, one of over 32,000 bytes, and `x.npy` where
    /// there is an array `x`, or the other way round, which NumPy cannot tell apart.
    pub fn add<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        let options = self.options.of(name);
        self.add_with(name, value, &options)
    }

    /// [`add`](Writer::add) with options for this one array, in place of those of the writer.
    ///
    /// # Errors
    ///
    /// As for [`add`](Writer::add).
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{WriteOptions, npz};
    /// use std::io::Cursor;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut writer = npz::Writer::new(Cursor::new(Vec::new()));
    /// writer.add_with("x", &[1, 2, 3], &WriteOptions::default().dtype(">i2".parse()?))?;
    ///
    /// let mut reader = npz::Reader::new(writer.finish()?)?;
    /// assert_eq!(reader.header("x")?.dtype().to_string(), "'>i2'");
    /// # Ok(()) }
    /// ```
    pub fn add_with<T: Serialize + ?Sized>(
        &mut self,
        name: &str,
        value: &T,
        options: &options::WriteOptions,
    ) -> Result<()> {
        let mut held = Vec::new();
        let checked = frame(value, options).and_then(|frame| {
            if frame.is_held() {
                // Encoded before its member is started, so that an error costs nothing.
                write_value(value, &frame, &mut held)?;
            } else if options.dtype.is_some() {
                check_value(value, &frame)?;
            }
            Ok(frame)
        });
        let frame = checked.map_err(|error: Error| error.in_member(name))?;
        self.member(&member_name(name), name, length_of(&frame.header), |sink| {
            if held.is_empty() { write_value(value, &frame, sink) } else { sink.write_all(&held).map_err(Error::io) }
        })
    }

    /// Adds records as an array of one axis: [`add`](Writer::add) by the name that goes with reading records.
    ///
    /// # Errors
    ///
    /// As for [`add`](Writer::add).
    pub fn add_records<T: Serialize>(&mut self, name: &str, records: &[T]) -> Result<()> {
        let options = self.options.of(name);
        self.add_with(name, records, &options)
    }

    /// Adds a member of any name that holds any bytes; NumPy shows it under this name, and gives the bytes for it.
    ///
    /// # Errors
    ///
    /// The name is refused, as by [`add`](Writer::add), or the sink fails.
    pub fn add_bytes(&mut self, member: &str, bytes: &[u8]) -> Result<()> {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let name = array_name(member).unwrap_or(member);
        self.member(member, name, length, |sink| sink.write_all(bytes).map_err(Error::io))
    }

    /// Starts an array whose elements are handed over one after the other, as many as the header says.
    ///
    /// # Errors
    ///
    /// The name is refused, as by [`add`](Writer::add), the dtype contains objects, or the sink fails.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{Header, npz};
    /// use std::io::Cursor;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut writer = npz::Writer::new(Cursor::new(Vec::new()));
    /// let mut squares = writer.stream("squares", Header::new("<u4".parse()?, vec![2, 3])?)?;
    /// for i in 0..6u32 {
    ///     squares.push(&(i * i))?;
    /// }
    /// squares.finish()?;
    ///
    /// let mut reader = npz::Reader::new(writer.finish()?)?;
    /// assert_eq!(reader.get::<Vec<Vec<u32>>>("squares")?, [[0, 1, 4], [9, 16, 25]]);
    /// # Ok(()) }
    /// ```
    pub fn stream(&mut self, name: &str, header: Header) -> Result<Elements<'_, W>> {
        Elements::known(self, name, header)
    }

    /// Starts an array of one axis whose elements are handed over one after the other, until there are no more.
    ///
    /// They are held in memory, and from 16 MiB on in a temporary file, until their number is known.
    ///
    /// # Errors
    ///
    /// The name is refused, as by [`add`](Writer::add), or the dtype contains objects.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::npz;
    /// use std::io::Cursor;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut writer = npz::Writer::new(Cursor::new(Vec::new()));
    /// let mut lines = writer.spool("lines", "<U8".parse()?)?;
    /// for line in "one\ntwo".lines() {
    ///     lines.push(&line)?;
    /// }
    /// lines.finish()?;
    ///
    /// let mut reader = npz::Reader::new(writer.finish()?)?;
    /// assert_eq!(reader.get::<Vec<String>>("lines")?, ["one", "two"]);
    /// # Ok(()) }
    /// ```
    pub fn spool(&mut self, name: &str, dtype: DType) -> Result<Elements<'_, W>> {
        Elements::open(self, name, dtype)
    }

    /// Completes the archive and gives the sink back.
    ///
    /// # Errors
    ///
    /// The sink fails, or has failed before.
    pub fn finish(mut self) -> Result<W> {
        self.check_sound()?;
        match self.sink.take() {
            Some(sink) => sink.finish().inspect_err(|_| self.latch.close()),
            None => Err(lost()),
        }
    }

    /// Writes one member; an error or a panic in the middle of it is the end of the archive.
    fn member(
        &mut self,
        member: &str,
        name: &str,
        length: u64,
        write: impl FnOnce(&mut Sink<W>) -> Result<()>,
    ) -> Result<()> {
        self.start(member, name, Some(length))?;
        let latch = self.latch.clone();
        // A value that panics is half a member too.
        let closing = latch.closing();
        self.sink().and_then(write).map_err(|error| error.in_member(name))?;
        closing.all_went_well();
        Ok(())
    }

    /// Starts a member.
    pub(crate) fn start(&mut self, member: &str, name: &str, length: Option<u64>) -> Result<()> {
        self.check_name(member, name)?;
        self.names.insert(member.to_owned());
        let options = self.options.clone();
        let result = self.sink().and_then(|sink| sink.start(member, length, &options));
        result.map_err(|error| self.fail(error, name))
    }

    /// Refuses a name that is taken.
    pub(crate) fn check_name(&self, member: &str, name: &str) -> Result<()> {
        self.check_sound()?;
        if self.names.contains(member) {
            return Err(Error::data(format!("the archive has a member `{member}` already")).in_member(name));
        }
        if member.contains('\0') {
            // Readers in C and Python end a name there.
            return Err(Error::data("a name of a member with a NUL, which other readers cut").in_member(name));
        }
        // NumPy looks an array up by the name of its member first: these two would be one to it.
        let twin = array_name(name).is_some() && self.names.contains(name);
        if twin || self.names.contains(&member_name(member)) {
            let message = "NumPy cannot tell arrays apart of which one is named as the member of the other";
            return Err(Error::data(message).in_member(name));
        }
        if member.len() > usize::from(u16::MAX / 2) {
            return Err(Error::limit(format!("a name of {} bytes, more than an archive takes", member.len())));
        }
        Ok(())
    }

    pub(crate) fn latch(&self) -> &Latch {
        &self.latch
    }

    pub(crate) fn options(&self) -> &WriteOptions {
        &self.options
    }

    pub(crate) fn sink(&mut self) -> Result<&mut Sink<W>> {
        self.sink.as_mut().ok_or_else(lost)
    }

    /// Gives the archive up.
    #[cold]
    pub(crate) fn fail(&self, error: Error, name: &str) -> Error {
        self.latch.close();
        error.in_member(name)
    }

    fn check_sound(&self) -> Result<()> {
        if self.latch.is_closed() { Err(lost()) } else { Ok(()) }
    }
}

#[cold]
fn lost() -> Error {
    Error::data("the archive cannot be finished, since writing a member to it failed before")
}

/// The bytes of the file that a header starts.
pub(crate) fn length_of(header: &Header) -> u64 {
    header.data_offset().saturating_add(header.data_len())
}

impl<W: Write> Drop for Writer<W> {
    fn drop(&mut self) {
        // Before the zip crate's own drop, which would complete the archive.
        self.latch.close();
    }
}

impl<W: Write> fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("members", &self.names.len()).finish_non_exhaustive()
    }
}
