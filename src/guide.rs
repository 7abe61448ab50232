//! What is worth knowing and belongs to no single item.

#[doc = include_str!("../docs/format.md")]
pub mod format {}

#[doc = include_str!("../docs/names.md")]
pub mod names {}

#[doc = include_str!("../docs/types.md")]
pub mod types {}
