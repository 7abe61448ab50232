//! Parts of a file that are read on their own: whole records, and where they lie.

use crate::error::{Error, Result};
use crate::header::place::{bounds, in_both_orders};
use crate::header::summary::Header;
use std::ops::Range;

impl Header {
    /// How many records there are: the length of the first axis, and one where there are no axes.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Header;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// assert_eq!(Header::new("<f8".parse()?, vec![5, 3])?.records(), 5);
    /// assert_eq!(Header::new("<f8".parse()?, vec![])?.records(), 1);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn records(&self) -> u64 {
        self.shape().first().copied().unwrap_or(1)
    }

    /// The records in `n` parts that follow each other, whose lengths differ by one at most.
    ///
    /// Parts may be empty where there are fewer records; a count of 0 is taken as 1, so that no record is left out.
    /// [`byte_range`](Header::byte_range) tells where each part lies.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let header = serde_npy::Header::new("<f8".parse()?, vec![10])?;
    /// assert_eq!(header.split(4).collect::<Vec<_>>(), [0..3, 3..6, 6..8, 8..10]);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn split(&self, n: usize) -> impl DoubleEndedIterator<Item = Range<u64>> + ExactSizeIterator + use<> {
        let n = n.max(1);
        let count = u64::try_from(n).unwrap_or(u64::MAX);
        let records = self.records();
        let length = records.checked_div(count).unwrap_or(0);
        let longer = records.checked_rem(count).unwrap_or(0);
        // At most the number of records, so nothing saturates.
        let start = move |part: u64| part.saturating_mul(length).saturating_add(part.min(longer));
        (0..n).map(move |part| {
            let part = u64::try_from(part).unwrap_or(u64::MAX);
            start(part)..start(part.saturating_add(1))
        })
    }

    /// Where some of the records lie in the file, in bytes from its first.
    ///
    /// What a client needs that asks a server for a range of bytes: the header by a first small request, then for each
    /// part of the work one request, whose bytes [`View::part`](crate::View::part) reads.
    ///
    /// # Errors
    ///
    /// The range is not within the records; or the records do not lie one after the other, since the array has several
    /// axes and is in Fortran order; or it holds Python objects.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{Header, View};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[10, 11, 12, 13, 14])?; // on a server, say
    ///
    /// let header = Header::read(&file[..128])?;
    /// let mut sum = 0;
    /// for records in header.split(2) {
    ///     let range = header.byte_range(records.clone())?;
    ///     let bytes = &file[range.start as usize..range.end as usize]; // one request
    ///     sum += View::part(&header, records, bytes)?.iter::<i32>().sum::<serde_npy::Result<i32>>()?;
    /// }
    /// assert_eq!(sum, 60);
    ///
    /// assert_eq!(header.byte_range(3..5)?, 140..148);
    /// assert_eq!(header.byte_range(3..6).unwrap_err().to_string(), "expected a range within 0..5, found 3..6");
    /// # Ok(()) }
    /// ```
    pub fn byte_range(&self, records: Range<u64>) -> Result<Range<u64>> {
        if let Some(path) = self.dtype().first_object() {
            let place = if path.is_empty() { String::new() } else { format!(" in field `{}`", path.join(".")) };
            return Err(Error::unsupported(format!(
                "Python objects{place}: NumPy saves the whole array as a pickle, in which records have no place"
            )));
        }
        let shape = self.shape();
        if self.fortran_order() && !in_both_orders(shape) {
            return Err(Error::unsupported(
                "the records of an array of several axes in Fortran order do not lie one after the other; read all of \
                 its bytes, and take rows out of a `View`",
            ));
        }
        let length = self.records();
        let Range { start, end } = bounds(&records, length)?;
        // Nothing overflows: at most all of the data, whose length was checked with the header, behind the header.
        let record = self.data_len().checked_div(length).unwrap_or(0);
        let place = |index: u64| self.data_offset().saturating_add(index.saturating_mul(record));
        Ok(place(start)..place(end))
    }
}
