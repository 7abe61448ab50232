//! How far a long read or write has come.

/// How far a [`Reader`](crate::Reader) or a [`Writer`](crate::Writer) has come, as it tells a callback.
///
/// # Examples
///
/// ```
/// use serde_npy::Reader;
/// use std::sync::{Arc, Mutex};
///
/// # fn main() -> serde_npy::Result<()> {
/// let file = serde_npy::to_vec(&vec![0.5; 100_000])?;
///
/// let log = Arc::new(Mutex::new(Vec::new()));
/// let lines = Arc::clone(&log);
/// let mut reader = Reader::new(&file[..])?.on_progress(move |progress| {
///     lines.lock().unwrap().push(format!("{} of {:?}, {} bytes", progress.records, progress.length, progress.bytes));
/// });
/// let sum: f64 = reader.records::<f64>().sum::<serde_npy::Result<f64>>()?;
/// assert_eq!(sum, 50_000.0);
/// // A block of 256 KiB at a time:
/// assert_eq!(log.lock().unwrap()[0], "32768 of Some(100000), 262144 bytes");
/// assert_eq!(log.lock().unwrap()[3], "100000 of Some(100000), 800000 bytes");
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Records of the array up to here.
    pub records: u64,
    /// Bytes of the array's data up to here.
    pub bytes: u64,
    /// Records that there will be, where that is known.
    pub length: Option<u64>,
}

/// Called once for each block of data.
pub(crate) type Callback = Box<dyn FnMut(Progress) + Send>;
