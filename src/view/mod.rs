//! An array in memory, such as a memory map, out of which elements, columns and slices are taken: [`View`].

mod borrowed;
#[cfg(feature = "bytemuck")]
mod cast;
mod elements;
#[cfg(feature = "bytemuck")]
mod layout;
#[cfg(feature = "rayon")]
mod parallel;
mod place;

pub use borrowed::View;
pub use elements::Elements;
