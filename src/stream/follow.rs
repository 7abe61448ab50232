//! [`Follow`]: the records of a file that another process is still appending to.

use crate::error::Result;
use crate::stream::reader::Reader;
use crate::stream::records::Records;
use serde::de::DeserializeOwned;
use std::fmt;
use std::io::{Read, Seek};
use std::thread;
use std::time::Duration;

/// The records of a growing file, those to come included: see [`Reader::follow`].
pub struct Follow<'a, R, T> {
    records: Records<'a, R, T>,
    every: Duration,
    stop: Box<dyn FnMut() -> bool + 'a>,
    /// Whether the file has been looked at, without which its header is not yet believed.
    looked: bool,
    ended: bool,
}

impl<R: Read + Seek> Reader<R> {
    /// The records that follow and those that are yet to be appended, by this process or another.
    ///
    /// Where there is none, `stop` is asked; while it says `false`, the file is looked at again `every` so often. Once
    /// it says `true`, the file is looked at for a last time, so that what was appended before is not missed.
    ///
    /// A writer publishes records by [`flush`](crate::Writer::flush) and [`finish`](crate::Writer::finish); only whole
    /// ones are seen, also if it is killed. A file that is replaced by a new one of the same name is not noticed: the
    /// old one does not grow any more.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{Reader, Writer};
    /// use std::time::Duration;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("log.npy");
    /// serde_npy::to_path(&path, &[0, 1])?;
    /// std::thread::scope(|scope| -> Result<(), Box<dyn std::error::Error>> {
    ///     let appending = scope.spawn(|| -> serde_npy::Result<()> {
    ///         let mut writer = Writer::append(&path)?;
    ///         for number in 2..10 {
    ///             writer.write(&number)?;
    ///             writer.flush()?;
    ///         }
    ///         writer.finish().map(|_| ())
    ///     });
    ///     let mut reader = Reader::from_path(&path)?;
    ///     let numbers: Vec<i32> = reader
    ///         .follow(Duration::from_millis(1), || appending.is_finished())
    ///         .collect::<serde_npy::Result<_>>()?;
    ///     assert_eq!(numbers, (0..10).collect::<Vec<_>>());
    ///     Ok(())
    /// })
    /// # }
    /// ```
    pub fn follow<'a, T: DeserializeOwned>(
        &'a mut self,
        every: Duration,
        stop: impl FnMut() -> bool + 'a,
    ) -> Follow<'a, R, T> {
        Follow { records: Records::new(self, u64::MAX), every, stop: Box::new(stop), looked: false, ended: false }
    }
}

impl<R: Read + Seek, T: DeserializeOwned> Follow<'_, R, T> {
    /// Waits until there are records; `false` where it was told to stop.
    fn wait(&mut self) -> Result<bool> {
        loop {
            let stop = (self.stop)();
            if self.records.reader_mut().refresh()? > 0 {
                return Ok(true);
            }
            if stop {
                return Ok(false);
            }
            thread::sleep(self.every);
        }
    }
}

impl<R: Read + Seek, T: DeserializeOwned> Iterator for Follow<'_, R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        while !self.ended {
            if self.looked
                && let Some(item) = self.records.next()
            {
                return Some(item);
            }
            if self.records.reader().has_ended() {
                break;
            }
            self.looked = true;
            match self.wait() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        self.ended = true;
        None
    }
}

impl<R: Read + Seek, T: DeserializeOwned> std::iter::FusedIterator for Follow<'_, R, T> {}

impl<R, T> fmt::Debug for Follow<'_, R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Follow").field("records", &self.records).field("every", &self.every).finish_non_exhaustive()
    }
}
