//! Files that pass between this crate and a NumPy that runs beside the tests.

mod arrays;
mod floats;
mod pandas;
mod pandas_times;
mod times;
mod types;
mod wide;
