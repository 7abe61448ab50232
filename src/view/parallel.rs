//! Records decoded on all cores.

use crate::error::{Count, Error, Result};
use crate::header::bounds;
use crate::view::borrowed::View;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde::de::Deserialize;
use std::ops::{Range, RangeBounds};

/// Bytes of the file below which a part is not worth a thread of its own.
const PART: u64 = 256 << 10;

/// Parts for each thread, so that one that is held up leaves its work to others.
const PARTS_PER_THREAD: usize = 4;

impl<'a> View<'a> {
    /// [`records`](View::records) on all cores: needs the feature `rayon`.
    ///
    /// The same values in the same order, and the same error. Where memory or disk is what takes the time, more cores do
    /// not help: the parts are put together at the end, which costs another pass over the values. Measure both.
    ///
    /// # Errors
    ///
    /// As for [`records`](View::records).
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let rows: Vec<(u32, String)> = (0..10_000).map(|i| (i, format!("row {i}"))).collect();
    /// let file = serde_npy::to_vec(&rows)?;
    /// assert_eq!(serde_npy::View::new(&file)?.par_records::<(u32, String)>(..)?, rows);
    /// # Ok(()) }
    /// ```
    pub fn par_records<T: Deserialize<'a> + Send>(&self, range: impl RangeBounds<u64>) -> Result<Vec<T>> {
        let range = bounds(&range, self.len()).map_err(|error| self.placed(error))?;
        let decoded: Vec<Result<(Vec<T>, u64)>> =
            self.parts(&range).into_par_iter().map(|part| self.decode_part(part)).collect();
        let mut parts = Vec::with_capacity(decoded.len());
        let (mut count, mut empty) = (0usize, 0u64);
        for part in decoded {
            let Ok((records, used)) = part else { return self.records(range) };
            count = count.saturating_add(records.len());
            empty = empty.saturating_add(used);
            parts.push(records);
        }
        // Each part kept to the limit on values without bytes, but all of them together may not have. Here and after an
        // error, only the records one after the other tell what is wrong first.
        if empty > self.limits().empty_items {
            return self.records(range);
        }
        let mut all = Vec::new();
        all.try_reserve_exact(count).map_err(|_| Error::limit(format!("no memory for {}", Count(count, "record"))))?;
        parts.iter_mut().for_each(|part| all.append(part));
        Ok(all)
    }

    /// The records of a part, and how many values without bytes were among them.
    fn decode_part<T: Deserialize<'a>>(&self, part: Range<u64>) -> Result<(Vec<T>, u64)> {
        let mut records = Vec::new();
        let mut window = self.window();
        window.records(part, &mut records)?;
        Ok((records, window.empty_used()))
    }

    /// Parts that follow each other, none of them too small to be worth it.
    fn parts(&self, range: &Range<u64>) -> Vec<Range<u64>> {
        let length = range.end.saturating_sub(range.start);
        let threads = rayon::current_num_threads().saturating_mul(PARTS_PER_THREAD);
        let record = self.header().data_len().checked_div(self.len()).unwrap_or(0);
        let worth = length.saturating_mul(record).div_ceil(PART).max(1);
        let count = u64::try_from(threads).unwrap_or(u64::MAX).min(worth);
        let step = length.div_ceil(count).max(1);
        let starts = (0..count).map(|part| range.start.saturating_add(part.saturating_mul(step)).min(range.end));
        starts.map(|start| start..start.saturating_add(step).min(range.end)).collect()
    }
}
