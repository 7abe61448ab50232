//! The public face of the crate, tested as one binary.

mod of;
