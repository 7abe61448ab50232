//! Elements in blocks: out of a reader, into a writer.

use crate::error::{Count, Error, Result};
use crate::io::counted::Counted;
use std::io::{ErrorKind, Read, Write};

/// Bytes moved at a time. Measured: 64 KiB to 256 KiB are within 3 % of each other, 8 KiB costs a third more.
pub(crate) const BLOCK: usize = 256 << 10;

/// The bytes of elements: borrowed from the input for as long as the value may live, or only until the next block.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bytes<'a, 'de> {
    Borrowed(&'de [u8]),
    Transient(&'a [u8]),
}

impl<'a, 'de: 'a> Bytes<'a, 'de> {
    #[inline]
    pub(crate) fn get(self) -> &'a [u8] {
        match self {
            Bytes::Borrowed(bytes) => bytes,
            Bytes::Transient(bytes) => bytes,
        }
    }

    /// The `length` bytes from `start`; fewer, down to none, where there are not so many.
    #[inline]
    pub(crate) fn part(self, start: usize, length: usize) -> Self {
        match self {
            Bytes::Borrowed(bytes) => Bytes::Borrowed(part(bytes, start, length)),
            Bytes::Transient(bytes) => Bytes::Transient(part(bytes, start, length)),
        }
    }
}

#[inline]
fn part(bytes: &[u8], start: usize, length: usize) -> &[u8] {
    bytes.get(start..).map_or(&[], |rest| rest.get(..length).unwrap_or(rest))
}

/// Whole elements out of a reader, a block at a time, and not a byte more than the array has.
pub(crate) struct Blocks<R> {
    reader: Counted<R>,
    itemsize: usize,
    /// Whether a block is handed out as soon as it has an element, not only when it is full.
    eager: bool,
    buffer: Vec<u8>,
    /// Bytes of `buffer` that hold whole elements.
    filled: usize,
    /// Bytes behind them: the start of an element.
    tail: usize,
    /// Where in `buffer` the next element starts.
    next: usize,
    /// Bytes of the array that have not been read yet.
    left: u64,
    /// Bytes of the array that have been read.
    received: u64,
    /// What stopped the reader after whole elements, which come first.
    stopped: Option<Error>,
    /// How many bytes the reader is known to have, as a file does.
    known: Option<u64>,
}

impl<R: Read> Blocks<R> {
    pub(crate) fn new(reader: R, itemsize: usize, data_len: u64) -> Self {
        Blocks::over(Counted::new(reader), itemsize, data_len)
    }

    /// The same, where it matters what has been read before.
    pub(crate) fn over(reader: Counted<R>, itemsize: usize, data_len: u64) -> Self {
        let (buffer, filled, tail, next, stopped) = (Vec::new(), 0, 0, 0, None);
        Blocks {
            reader,
            itemsize,
            eager: false,
            buffer,
            filled,
            tail,
            next,
            left: data_len,
            received: 0,
            stopped,
            known: None,
        }
    }

    /// Notes that the reader has so many bytes.
    pub(crate) fn set_known(&mut self, bytes: u64) {
        self.known = Some(bytes);
    }

    /// How many bytes of the array the reader is known to have.
    pub(crate) fn known(&self) -> Option<u64> {
        self.known.map(|bytes| bytes.min(self.left))
    }

    /// Hands elements out as soon as they have arrived, as those who wait at a pipe want them.
    pub(crate) fn eager(mut self) -> Self {
        self.eager = true;
        self
    }

    /// Makes sure that there is an element to [`take`](Blocks::take); not so at an early end of the input.
    #[inline]
    pub(crate) fn ready(&mut self) -> Result<bool> {
        Ok(self.next < self.filled || self.fill()?)
    }

    /// The bytes of the next elements, `most` of them or as many as the block still has.
    #[inline]
    pub(crate) fn take(&mut self, most: usize) -> &[u8] {
        let start = self.next;
        self.advance(most);
        self.buffer.get(start..self.next).unwrap_or_default()
    }

    /// Takes the next element of so many bytes, if the block still has one.
    #[inline]
    pub(crate) fn number<const N: usize>(&mut self) -> Option<[u8; N]> {
        let end = self.next.checked_add(N).filter(|&end| end <= self.filled)?;
        let bytes = self.buffer.get(self.next..end)?.first_chunk()?;
        self.next = end;
        Some(*bytes)
    }

    /// The bytes that [`take`](Blocks::take) would give, which stay the next ones.
    #[inline]
    pub(crate) fn peek(&self, most: usize) -> &[u8] {
        self.buffer.get(self.next..self.after(most)).unwrap_or_default()
    }

    /// Passes over elements of the block.
    #[inline]
    pub(crate) fn advance(&mut self, count: usize) {
        self.next = self.after(count);
    }

    #[inline]
    fn after(&self, count: usize) -> usize {
        self.filled.min(self.next.saturating_add(count.saturating_mul(self.itemsize)))
    }

    /// Bytes of the array that have been read.
    pub(crate) fn received(&self) -> u64 {
        self.received
    }

    /// Bytes of whole elements that have been read and not taken.
    pub(crate) fn held(&self) -> usize {
        self.filled.saturating_sub(self.next)
    }

    pub(crate) fn get_mut(&mut self) -> &mut Counted<R> {
        &mut self.reader
    }

    /// The place of the byte that is read next: see [`Counted`].
    pub(crate) fn place(&self) -> Option<u64> {
        self.reader.place()
    }

    pub(crate) fn get_ref(&self) -> &R {
        self.reader.get_ref()
    }

    pub(crate) fn into_inner(self) -> R {
        self.reader.into_inner()
    }

    /// Starts anew where the reader stands: `received` bytes into an array of elements of `itemsize` bytes, of which
    /// `left` follow.
    pub(crate) fn restart(&mut self, itemsize: usize, received: u64, left: u64) {
        (self.itemsize, self.received, self.left) = (itemsize, received, left);
        (self.filled, self.tail, self.next, self.stopped) = (0, 0, 0, None);
    }

    /// Sets how many bytes follow of an array that has grown.
    pub(crate) fn set_left(&mut self, left: u64) {
        self.left = left;
    }

    /// Reads the next block; whether it holds a whole element.
    fn fill(&mut self) -> Result<bool> {
        if self.itemsize == 0 {
            return Ok(true);
        }
        if let Some(error) = self.stopped.take() {
            return Err(error);
        }
        // The tail lies within the buffer, into which it was read.
        self.buffer.copy_within(self.filled..self.filled.saturating_add(self.tail), 0);
        (self.filled, self.next) = (0, 0);
        let whole = (BLOCK / self.itemsize).max(1).saturating_mul(self.itemsize);
        let wanted = usize::try_from(self.left).unwrap_or(usize::MAX).saturating_add(self.tail).min(whole);
        while self.tail < wanted && !(self.eager && self.tail >= self.itemsize) {
            // A single element may be promised to be huge: the buffer grows with what arrives, once it is full.
            if self.buffer.len() <= self.tail || self.buffer.len() < wanted.min(BLOCK) {
                self.buffer.resize(wanted.min(self.tail.saturating_add(BLOCK)), 0);
            }
            let step = wanted.min(self.buffer.len());
            let Some(free) = self.buffer.get_mut(self.tail..step) else { break };
            match self.reader.read(free) {
                Ok(0) => break,
                Ok(count) if count > free.len() => return Err(Error::overcounted()),
                Ok(count) => {
                    self.tail = self.tail.saturating_add(count);
                    let count = u64::try_from(count).unwrap_or(u64::MAX);
                    self.received = self.received.saturating_add(count);
                    self.left = self.left.saturating_sub(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if self.tail < self.itemsize => return Err(Error::io(error)),
                Err(error) => {
                    self.stopped = Some(Error::io(error));
                    break;
                }
            }
        }
        self.filled = self.tail / self.itemsize * self.itemsize;
        self.tail = self.tail.saturating_sub(self.filled);
        Ok(self.filled > 0)
    }

    /// Whether the reader is at its end.
    pub(crate) fn at_end(&mut self) -> Result<bool> {
        self.reader.is_at_end()
    }
}

/// So many zeros, or an error where there is no memory for them.
///
/// The system provides most of them only once they are written to: what a header promises of a row costs nothing as yet.
pub(crate) fn zeroed(length: usize) -> Result<Vec<u8>> {
    if length > BLOCK {
        // A vector of zeros would end the process.
        let mut probe = Vec::<u8>::new();
        let error = |_| Error::limit(format!("no memory for {}", Count(length, "byte")));
        probe.try_reserve_exact(length).map_err(error)?;
        drop(std::hint::black_box(probe));
    }
    Ok(vec![0; length])
}

/// Zeros again; of more than a block only what is not zero, since the system would provide the rest to be written to.
#[inline]
pub(crate) fn clear(slot: &mut [u8]) {
    if slot.len() <= BLOCK {
        slot.fill(0);
    } else {
        clear_long(slot);
    }
}

#[cold]
fn clear_long(slot: &mut [u8]) {
    const PAGE: usize = 4096;
    for page in slot.chunks_mut(PAGE) {
        if page.iter().any(|&byte| byte != 0) {
            page.fill(0);
        }
    }
}

/// Whole elements into a writer, a block at a time.
pub(crate) struct Sink<W> {
    writer: W,
    itemsize: usize,
    /// The block, zeroed from `used` on, so that padding is.
    block: Vec<u8>,
    used: usize,
}

impl<W: Write> Sink<W> {
    /// A sink whose itemsize is not known as yet.
    pub(crate) fn without_itemsize(writer: W) -> Self {
        Sink { writer, itemsize: 0, block: Vec::new(), used: 0 }
    }

    pub(crate) fn new(writer: W, itemsize: usize) -> Result<Self> {
        Sink::for_data(writer, itemsize, u64::MAX)
    }

    /// A sink for so many bytes of data, with a block no larger than these need.
    pub(crate) fn for_data(writer: W, itemsize: usize, data_len: u64) -> Result<Self> {
        let mut sink = Sink::without_itemsize(writer);
        sink.provide(itemsize, usize::try_from(data_len).unwrap_or(usize::MAX))?;
        Ok(sink)
    }

    /// Sets the itemsize of a sink into which nothing has been written.
    pub(crate) fn set_itemsize(&mut self, itemsize: usize) -> Result<()> {
        self.provide(itemsize, usize::MAX)
    }

    fn provide(&mut self, itemsize: usize, data_len: usize) -> Result<()> {
        let whole = BLOCK.checked_div(itemsize).map_or(0, |count| count.max(1).saturating_mul(itemsize));
        self.block = zeroed(whole.min(data_len.max(itemsize)))?;
        self.itemsize = itemsize;
        Ok(())
    }

    /// For how many elements the block has room; of elements without bytes for any number.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        self.block.len().saturating_sub(self.used).checked_div(self.itemsize).unwrap_or(usize::MAX)
    }

    /// The zeroed bytes of the next `count` elements, or of as many as the block has room for, at least one; and how
    /// many that are. They count once they are [kept](Sink::keep).
    #[inline]
    pub(crate) fn free(&mut self, count: usize) -> Result<(&mut [u8], usize)> {
        if self.block.len().saturating_sub(self.used) < self.itemsize {
            self.flush()?;
        }
        let count = count.min(self.room());
        let end = self.used.saturating_add(count.saturating_mul(self.itemsize));
        let room = self.block.get_mut(self.used..end).ok_or_else(|| Error::limit("a block without room"))?;
        Ok((room, count))
    }

    /// Keeps elements whose [bytes](Sink::free) were filled.
    #[inline]
    pub(crate) fn keep(&mut self, count: usize) {
        self.used = self.used.saturating_add(count.saturating_mul(self.itemsize)).min(self.block.len());
    }

    /// The zeroed bytes of the next element, which counts at once.
    #[inline]
    pub(crate) fn slot(&mut self) -> Result<&mut [u8]> {
        if self.block.len().saturating_sub(self.used) < self.itemsize {
            self.flush()?;
        }
        let start = self.used;
        self.used = start.saturating_add(self.itemsize);
        self.block.get_mut(start..self.used).ok_or_else(|| Error::limit("a block without room"))
    }

    /// Hands the block to the writer.
    pub(crate) fn flush(&mut self) -> Result<()> {
        let used = self.block.get_mut(..self.used).unwrap_or_default();
        self.writer.write_all(used).map_err(Error::io)?;
        used.fill(0);
        self.used = 0;
        Ok(())
    }

    pub(crate) fn get_mut(&mut self) -> &mut W {
        &mut self.writer
    }

    pub(crate) fn into_inner(self) -> W {
        self.writer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, and an interruption before each.
    struct Trickle<'a>(&'a [u8], bool);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::Interrupted.into());
            }
            self.0.read(&mut buffer[..1])
        }
    }

    #[test]
    fn exactly_the_bytes_of_the_array_are_taken() {
        let mut input: &[u8] = b"abcdefgh";
        let mut blocks = Blocks::new(&mut input, 3, 6);
        assert!(blocks.ready().unwrap());
        assert_eq!(blocks.take(1), b"abc");
        assert!(blocks.ready().unwrap());
        assert_eq!(blocks.take(9), b"def");
        drop(blocks);
        assert_eq!(input, b"gh");
    }

    #[test]
    fn a_cut_element_is_none_after_the_whole_ones() {
        for trickle in [false, true] {
            let reader: Box<dyn Read> =
                if trickle { Box::new(Trickle(b"abcde", false)) } else { Box::new(&b"abcde"[..]) };
            let mut blocks = Blocks::new(reader, 2, 8);
            assert!(blocks.ready().unwrap());
            assert_eq!(blocks.take(1), b"ab");
            assert!(blocks.ready().unwrap());
            assert_eq!(blocks.take(1), b"cd");
            assert!(!blocks.ready().unwrap());
            assert_eq!(blocks.received(), 5);
        }
    }

    #[test]
    fn an_eager_reader_gives_what_has_arrived() {
        let mut blocks = Blocks::new(Trickle(b"abcde", false), 2, 8).eager();
        for expected in [b"ab", b"cd"] {
            assert!(blocks.ready().unwrap());
            assert_eq!(blocks.peek(9), expected);
            assert_eq!(blocks.take(9), expected);
        }
        assert!(!blocks.ready().unwrap());
        assert_eq!(blocks.received(), 5);
    }

    /// Fails for good after its bytes.
    struct Broken<'a>(&'a [u8]);

    impl Read for Broken<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() { Err(ErrorKind::ConnectionReset.into()) } else { self.0.read(buffer) }
        }
    }

    #[test]
    fn elements_before_an_error_come_first() {
        for eager in [false, true] {
            let mut blocks = Blocks::new(Broken(b"abc"), 2, 8);
            blocks.eager = eager;
            assert!(blocks.ready().unwrap());
            assert_eq!(blocks.take(9), b"ab");
            assert_eq!(blocks.ready().unwrap_err().io_error_kind(), Some(ErrorKind::ConnectionReset));
        }
    }

    #[test]
    fn a_huge_promised_element_costs_what_arrives() {
        let mut blocks = Blocks::new(&b"abc"[..], 1 << 31, 1 << 40);
        assert!(!blocks.ready().unwrap());
        assert!(blocks.buffer.capacity() <= 2 * BLOCK);
    }

    #[test]
    fn padding_is_zero_in_every_block() {
        let mut out = Vec::new();
        let mut sink = Sink::new(&mut out, BLOCK / 2).unwrap();
        for _ in 0..4 {
            let slot = sink.slot().unwrap();
            assert!(slot.iter().all(|byte| *byte == 0));
            slot[0] = 7;
        }
        sink.flush().unwrap();
        assert_eq!(out.len(), 2 * BLOCK);
        assert_eq!(out.iter().filter(|byte| **byte == 7).count(), 4);
    }
}
