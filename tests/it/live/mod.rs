//! Files that pass between this crate and a NumPy that runs beside the tests.

#[cfg(feature = "npz")]
mod archives;
mod arrays;
mod floats;
#[cfg(feature = "npz")]
mod members;
mod names;
mod pandas;
mod pandas_times;
#[cfg(feature = "npz")]
mod sparse;
mod times;
mod types;
mod wide;
