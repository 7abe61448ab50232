//! What a file may make us allocate or loop.

use crate::error::{Count, Error, Result};

/// Bounds on what a file can make its reader do.
///
/// Memory follows the bytes that are really there, never what a header promises, so no limit is needed against headers
/// that lie about their data. The limits here bound the rest: text that has to be parsed before any data, values that
/// take no bytes at all, of which a header of a hundred bytes can promise any number, and deflated members, which may
/// inflate to a thousand times their size.
///
/// What is beyond a limit is an error of [`Category::Limit`](crate::Category::Limit) that names it. Fixed are, as NumPy
/// has them, 200 brackets inside each other in a header, 64 axes, 2<sup>31</sup>-1 bytes of an element and
/// 2<sup>63</sup>-1 of an array.
///
/// # Examples
///
/// ```
/// use serde_npy::Limits;
///
/// let limits = Limits::default();
/// assert_eq!(limits.max_header_size, 16 << 20);
/// assert_eq!(limits.max_fields, 1 << 17);
/// assert_eq!(limits.empty_items, 1 << 20);
/// assert_eq!(limits.max_data_size, u64::MAX); // none
/// assert_eq!(limits.max_members, 1 << 20);
/// assert_eq!(limits.max_inflated_size, u64::MAX); // none
///
/// // A service that takes small files from strangers:
/// let strict = Limits::default()
///     .max_header_size(10_000)
///     .max_fields(100)
///     .empty_items(1_000)
///     .max_data_size(100 << 20)
///     .max_members(100)
///     .max_inflated_size(100 << 20);
/// assert_eq!(strict.max_header_size, 10_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The longest header text that is read, in bytes, the padding included. Default: 16 MiB.
    ///
    /// While it is read, a header takes at most eight times its bytes, most often two to five times, besides its fields.
    ///
    /// NumPy's own default is 10 000; since this crate parses in linear time, it can afford the headers of real files
    /// with a thousand fields.
    pub max_header_size: usize,
    /// The most fields that a dtype has, those of inner records included. Default: 131 072.
    ///
    /// Each becomes a name and a dtype of its own, up to 250 bytes, while `'b,b,b'` names one with two. The axes of a
    /// subarray are counted with the fields, all but the first.
    pub max_fields: usize,
    /// How many values and rows that take no bytes are handed out in one read. Default: 1 048 576.
    ///
    /// Elements of `|S0`, `<U0`, `|V0` or of a record without fields, and the rows of an array such as `(1000, 0)`.
    pub empty_items: u64,
    /// The most bytes of data that the header of an array declares. Default: none, [`u64::MAX`].
    ///
    /// They need not be there: no memory is taken for those that are not. What is read may take more than its bytes, as
    /// where a `u1` becomes a `u64`.
    pub max_data_size: u64,
    /// The most members of an archive. Default: 1 048 576.
    ///
    /// Counted once the list of them has been read, of which each takes at least 46 bytes of the file and up to 500 bytes
    /// of memory. What can be refused before that is a file that is too long.
    pub max_members: usize,
    /// The most bytes to which a deflated member of an archive inflates. Default: none, [`u64::MAX`].
    ///
    /// No member gives more bytes than the archive declares, and that is what is compared, before any is inflated. The
    /// header of a member is read all the same.
    pub max_inflated_size: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_header_size: 16 << 20,
            max_fields: 1 << 17,
            empty_items: 1 << 20,
            max_data_size: u64::MAX,
            max_members: 1 << 20,
            max_inflated_size: u64::MAX,
        }
    }
}

impl Limits {
    /// Sets [`max_header_size`](Limits#structfield.max_header_size).
    #[must_use]
    pub fn max_header_size(mut self, bytes: usize) -> Self {
        self.max_header_size = bytes;
        self
    }

    /// Sets [`empty_items`](Limits#structfield.empty_items).
    #[must_use]
    pub fn empty_items(mut self, items: u64) -> Self {
        self.empty_items = items;
        self
    }

    /// Sets [`max_fields`](Limits#structfield.max_fields).
    #[must_use]
    pub fn max_fields(mut self, fields: usize) -> Self {
        self.max_fields = fields;
        self
    }

    /// Sets [`max_data_size`](Limits#structfield.max_data_size).
    #[must_use]
    pub fn max_data_size(mut self, bytes: u64) -> Self {
        self.max_data_size = bytes;
        self
    }

    /// Sets [`max_members`](Limits#structfield.max_members).
    #[must_use]
    pub fn max_members(mut self, members: usize) -> Self {
        self.max_members = members;
        self
    }

    /// Sets [`max_inflated_size`](Limits#structfield.max_inflated_size).
    #[must_use]
    pub fn max_inflated_size(mut self, bytes: u64) -> Self {
        self.max_inflated_size = bytes;
        self
    }

    #[cold]
    pub(crate) fn too_many_empty(&self) -> Error {
        Error::limit(format!(
            "more than {} that take no bytes; raise `Limits::empty_items` if they are wanted",
            Count(self.empty_items, "value")
        ))
    }
}

/// Counts the fields of a dtype that is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    most: usize,
    count: usize,
}

impl Fields {
    pub(crate) fn at_most(most: usize) -> Self {
        Fields { most, count: 0 }
    }

    /// Counts one more.
    #[inline]
    pub(crate) fn add(&mut self) -> Result<()> {
        if self.count >= self.most {
            return Err(self.exceeded());
        }
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    /// Counts so many more.
    #[inline]
    pub(crate) fn add_all(&mut self, more: usize) -> Result<()> {
        let count = self.count.saturating_add(more);
        if count > self.most {
            return Err(self.exceeded());
        }
        self.count = count;
        Ok(())
    }

    #[cold]
    fn exceeded(&self) -> Error {
        Error::limit(format!("a dtype of over {}, the limit `max_fields`", Count(self.most, "field")))
    }
}
