//! What a file may make us allocate or loop.

/// Bounds on what a file can make its reader do.
///
/// Memory follows the bytes that are really there, never what a header promises, so no limit is needed against headers
/// that lie about their data. The limits here bound the rest: text that has to be parsed before any data, and values
/// that take no bytes at all, of which a header of a hundred bytes can promise any number.
///
/// # Examples
///
/// ```
/// use serde_npy::Limits;
///
/// let limits = Limits::default();
/// assert_eq!(limits.max_header_size, 16 << 20);
/// assert_eq!(limits.empty_items, 1 << 20);
///
/// // A service that takes small files from strangers:
/// let strict = Limits::default().max_header_size(10_000).empty_items(1_000);
/// assert_eq!(strict.max_header_size, 10_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The longest header text that is read, in bytes, the padding included. Default: 16 MiB.
    ///
    /// NumPy's own default is 10 000; since this crate parses in linear time, it can afford the headers of real files
    /// with a thousand fields.
    pub max_header_size: usize,
    /// How many values and rows that take no bytes are handed out in one read. Default: 1 048 576.
    ///
    /// Elements of `|S0`, `<U0`, `|V0` or of a record without fields, and the rows of an array such as `(1000, 0)`.
    pub empty_items: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_header_size: 16 << 20, empty_items: 1 << 20 }
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
}
