//! What the fuzz targets check, as plain functions: the tests of the library replay them over the seeds.

mod any;
mod choices;
mod reluctant;

#[cfg(feature = "npz")]
mod archive;

pub(crate) mod append;
pub(crate) mod descr;
pub(crate) mod from_slice;
pub(crate) mod header;
#[cfg(feature = "unstable-fuzzing")]
pub(crate) mod literal;
#[cfg(feature = "npz")]
pub(crate) mod npz;
#[cfg(feature = "unstable-fuzzing")]
mod reference;
pub(crate) mod roundtrip;
pub(crate) mod slice_vs_reader;
