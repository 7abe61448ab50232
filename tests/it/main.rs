//! The public face, in one binary.

mod hostile;
mod read;
mod routes;
mod write;
