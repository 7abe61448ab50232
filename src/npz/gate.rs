//! What stands between the zip crate and the sink, so that only a finished archive looks whole.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Closes a gate from outside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Latch(Arc<AtomicBool>);

impl Latch {
    pub(crate) fn close(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Closes it if what follows does not come to its end, by an error or a panic.
    pub(crate) fn closing(&self) -> Closing<'_> {
        Closing(Some(self))
    }
}

/// Closes a gate unless it is told that all went well.
pub(crate) struct Closing<'a>(Option<&'a Latch>);

impl Closing<'_> {
    pub(crate) fn all_went_well(mut self) {
        self.0 = None;
    }
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        if let Some(latch) = self.0 {
            latch.close();
        }
    }
}

/// Hands bytes on until it is closed, which the first error does; then it takes everything and hands on nothing.
///
/// The zip crate's writer completes its archive when it is dropped: without the gate, what a failed or forgotten writer
/// leaves behind would look whole. Silence instead of errors, since the crate prints those of its `drop`.
pub(crate) struct Gate<W> {
    inner: W,
    latch: Latch,
    /// Where it stands; pretended from the closing on.
    position: u64,
    end: u64,
    /// How the sink seeks, if it can; a function, so that the type asks nothing of sinks that cannot.
    seek: Option<fn(&mut W, SeekFrom) -> io::Result<u64>>,
}

impl<W> Gate<W> {
    /// A gate to a sink that cannot seek.
    pub(crate) fn new(inner: W, latch: Latch) -> Self {
        Gate { inner, latch, position: 0, end: 0, seek: None }
    }

    /// A gate to a sink that can seek.
    pub(crate) fn seekable(inner: W, latch: Latch) -> Self
    where
        W: Seek,
    {
        Gate { inner, latch, position: 0, end: 0, seek: Some(W::seek) }
    }

    pub(crate) fn into_inner(self) -> W {
        self.inner
    }

    /// Calls the sink; an error closes the gate, and so does a panic, after which the zip crate's writer would write more.
    fn attempt<T>(&mut self, mut call: impl FnMut(&mut W) -> io::Result<T>) -> io::Result<T> {
        let closing = self.latch.closing();
        let position = std::mem::replace(&mut self.position, self.end);
        let result = again(|| call(&mut self.inner));
        if result.is_ok() {
            closing.all_went_well();
            self.position = position;
        }
        // Else it stands at the end, as if all had gone well: the zip crate asserts that.
        result
    }

    fn moved(&mut self, to: u64) -> u64 {
        self.position = to;
        self.end = self.end.max(to);
        to
    }
}

/// Tries again after an interruption: the deflater in the zip crate takes one for an error when it ends a member.
fn again<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

impl<W: Write> Write for Gate<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = if self.latch.is_closed() {
            bytes.len()
        } else {
            self.attempt(|inner| match inner.write(bytes) {
                // Else a loop around would write nothing for ever.
                Ok(0) if !bytes.is_empty() => Err(io::ErrorKind::WriteZero.into()),
                other => other,
            })?
        };
        self.moved(self.position.saturating_add(u64::try_from(count).unwrap_or(u64::MAX)));
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.latch.is_closed() {
            return Ok(());
        }
        self.attempt(W::flush)
    }
}

impl<W> Seek for Gate<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if self.latch.is_closed() {
            let target = match to {
                SeekFrom::Start(target) => Some(target),
                SeekFrom::Current(by) => self.position.checked_add_signed(by),
                SeekFrom::End(by) => self.end.checked_add_signed(by),
            };
            let target = target.ok_or(io::ErrorKind::InvalidInput)?;
            return Ok(self.moved(target));
        }
        let seek = self.seek;
        let target = self.attempt(|inner| match seek {
            Some(seek) => seek(inner, to),
            None => Err(io::ErrorKind::Unsupported.into()),
        })?;
        Ok(self.moved(target))
    }
}

/// For appending, which reads the list of members first.
impl<W: Read> Read for Gate<W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.latch.is_closed() {
            return Ok(0);
        }
        let count = self.inner.read(buffer)?;
        self.moved(self.position.saturating_add(u64::try_from(count).unwrap_or(u64::MAX)));
        Ok(count)
    }
}

impl<W> fmt::Debug for Gate<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate").field("closed", &self.latch.is_closed()).finish_non_exhaustive()
    }
}
