//! Views: elements by index, columns and slices, each compared with the whole array that NumPy and `from_slice` have.

#[cfg(feature = "bytemuck")]
mod cast;
mod elements;
mod golden;
mod hostile;
mod live;
mod member;
mod parts;
#[cfg(feature = "rayon")]
mod side_by_side;
