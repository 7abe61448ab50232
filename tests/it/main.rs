//! The public face, in one binary.

mod fuzz;
mod header;
mod typestring;
