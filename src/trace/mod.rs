//! What dtype and shape a value or a type asks for.

mod layout;
mod numbers;
mod seen;

pub(crate) use layout::{Layout, uniform};
pub(crate) use numbers::Numbers;
pub(crate) use seen::{Kind, Record, Trace, none};
