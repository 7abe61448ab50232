//! Files that pass between this crate and a NumPy that runs beside the tests.

mod arrays;
mod pandas;
mod types;
mod wide;
