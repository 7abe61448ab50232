//! [`Elements`]: what lies along the first axis of a view, as values of one type.

use crate::de::Window;
use crate::error::{Error, Result};
use crate::view::borrowed::Placed;
use serde::de::Deserialize;
use std::fmt;
use std::iter::FusedIterator;

/// The most elements that are decoded ahead of the one that is handed out.
const AHEAD: u64 = 256;

/// The elements of a [`View`](crate::View) as values of one type: an iterator from both ends, and any element by its
/// index.
///
/// What is found out about the type and the dtype is kept, so that going through many elements by
/// [`get`](Elements::get) costs less here than by [`View::get`](crate::View::get). An element that does not fit the type
/// is an error with its path and place; the others can be read all the same.
///
/// # Examples
///
/// ```
/// use serde_npy::View;
///
/// # fn main() -> serde_npy::Result<()> {
/// let file = serde_npy::to_vec(&[10, 11, 12, 13])?;
/// let view = View::new(&file)?;
///
/// let mut elements = view.iter::<i32>();
/// assert_eq!(elements.len(), 4);
/// assert_eq!(elements.next_back().transpose()?, Some(13));
/// assert_eq!(elements.nth(1).transpose()?, Some(11));
/// assert_eq!(elements.get(3)?, 13); // an index of the view, wherever the iterator stands
/// assert_eq!(elements.to_vec()?, [12]); // what is left
/// # Ok(()) }
/// ```
pub struct Elements<'a, T> {
    window: Window<'a>,
    placed: Placed,
    length: u64,
    /// The next one from the front, and the one behind the next from the back.
    front: u64,
    back: u64,
    /// The elements from `front` on that have been decoded, and how many to decode next time.
    ahead: std::vec::IntoIter<T>,
    step: u64,
    /// Why there is only this error.
    refused: Option<Error>,
}

impl<'a, T: Deserialize<'a>> Elements<'a, T> {
    pub(crate) fn new(window: Window<'a>, placed: Placed, length: u64) -> Self {
        // So many that no collection could hold them, though they take no bytes.
        let refused = window.check_room(length).err().map(|error| placed.add(error));
        Elements { window, placed, length, front: 0, back: length, ahead: Vec::new().into_iter(), step: 1, refused }
    }

    /// The element of an index of the view, in constant time.
    ///
    /// # Errors
    ///
    /// There is no such index, or the element does not fit the type.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[0.5, 1.5, 2.5])?;
    /// let mut elements = serde_npy::View::new(&file)?.iter::<f64>();
    /// assert_eq!(elements.get(2)?, 2.5);
    /// assert_eq!(elements.get(3).unwrap_err().to_string(), "expected an index below 3, found 3");
    /// # Ok(()) }
    /// ```
    #[inline]
    pub fn get(&mut self, index: u64) -> Result<T> {
        self.window.get(index).map_err(|error| self.placed.add(error))
    }

    /// All elements that are left, the fast way.
    ///
    /// # Errors
    ///
    /// One of them does not fit the type: the first of these.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[1, 2, 3])?;
    /// let mut elements = serde_npy::View::new(&file)?.iter::<i32>();
    /// elements.next();
    /// assert_eq!(elements.to_vec()?, [2, 3]);
    /// # Ok(()) }
    /// ```
    pub fn to_vec(mut self) -> Result<Vec<T>> {
        if let Some(error) = self.refused {
            return Err(error);
        }
        let mut all = Vec::new();
        self.window.records(self.front..self.back, &mut all).map_err(|error| self.placed.add(error))?;
        Ok(all)
    }

    fn left(&self) -> u64 {
        if self.refused.is_some() { 1 } else { self.back.saturating_sub(self.front) }
    }

    /// The next element, and some more where others have been asked for before.
    fn decode_ahead(&mut self) -> Result<T> {
        let front = self.front;
        let count = self.step.min(self.left());
        // What takes no bytes is counted one by one.
        if !self.window.is_empty_handed() {
            self.step = self.step.saturating_mul(2).min(AHEAD);
        }
        if count <= 1 || self.refused.is_some() {
            return self.take(front);
        }
        let mut values = Vec::new();
        let end = self.window.records(front..front.saturating_add(count), &mut values);
        self.ahead = values.into_iter();
        match (self.ahead.next(), end) {
            (Some(value), _) => Ok(value),
            (None, Err(error)) => Err(self.placed.add(error)),
            (None, Ok(())) => self.take(front),
        }
    }

    /// Where the elements end that have been decoded.
    fn ahead_end(&self) -> u64 {
        self.front.saturating_add(u64::try_from(self.ahead.len()).unwrap_or(u64::MAX))
    }

    /// Hands out the element, or the error instead of all of them.
    #[inline]
    fn take(&mut self, index: u64) -> Result<T> {
        match self.refused.take() {
            Some(error) => {
                self.front = self.back;
                Err(error)
            }
            None => self.get(index),
        }
    }
}

impl<'a, T: Deserialize<'a>> Iterator for Elements<'a, T> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Result<T>> {
        if self.left() == 0 {
            return None;
        }
        let value = match self.ahead.next() {
            Some(value) => Ok(value),
            None => self.decode_ahead(),
        };
        // An error instead of all elements has ended the iterator.
        self.front = self.front.saturating_add(1).min(self.back);
        Some(value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // Elements that take bytes are in memory, so there are not more of them.
        let left = usize::try_from(self.left()).unwrap_or(usize::MAX);
        (left, Some(left))
    }

    fn nth(&mut self, n: usize) -> Option<Result<T>> {
        self.front = self.front.saturating_add(u64::try_from(n).unwrap_or(u64::MAX)).min(self.back);
        if let Some(before) = n.checked_sub(1) {
            _ = self.ahead.nth(before);
        }
        self.next()
    }

    fn count(self) -> usize {
        self.size_hint().0
    }

    fn last(mut self) -> Option<Result<T>> {
        self.next_back()
    }
}

impl<'a, T: Deserialize<'a>> DoubleEndedIterator for Elements<'a, T> {
    #[inline]
    fn next_back(&mut self) -> Option<Result<T>> {
        if self.left() == 0 {
            return None;
        }
        let index = self.back.saturating_sub(1);
        let decoded = if self.ahead_end() == self.back { self.ahead.next_back() } else { None };
        self.back = index;
        Some(match decoded {
            Some(value) => Ok(value),
            None => self.take(index),
        })
    }

    fn nth_back(&mut self, n: usize) -> Option<Result<T>> {
        self.back = self.back.saturating_sub(u64::try_from(n).unwrap_or(u64::MAX)).max(self.front);
        while self.ahead_end() > self.back && self.ahead.next_back().is_some() {}
        self.next_back()
    }
}

impl<'a, T: Deserialize<'a>> ExactSizeIterator for Elements<'a, T> {
    fn len(&self) -> usize {
        self.size_hint().0
    }
}

impl<'a, T: Deserialize<'a>> FusedIterator for Elements<'a, T> {}

impl<T> fmt::Debug for Elements<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Elements { length, front, back, .. } = self;
        f.debug_struct("Elements").field("length", length).field("left", &(front..back)).finish_non_exhaustive()
    }
}
