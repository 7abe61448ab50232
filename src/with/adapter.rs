//! How a helper travels through serde: as a newtype struct under a name that no derive makes.

use crate::dtype::{Kind, TimeUnit};

/// What a helper asks of the serializer or deserializer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Adapter {
    /// An integer that counts units, as a datetime or a timedelta.
    Time(Kind, TimeUnit),
    /// An integer that is the bare count of whatever unit the dtype has.
    Raw,
}

/// In front of every name, so that no type of a user's is taken for a helper.
const PREFIX: &str = "__serde_npy_";

pub(crate) const RAW: &str = "__serde_npy_Raw";

impl Adapter {
    /// The helper that a newtype struct's name stands for.
    #[inline]
    pub(crate) fn from_name(name: &str) -> Option<Adapter> {
        let name = name.strip_prefix(PREFIX)?;
        match name.split_once('_') {
            None if name == "Raw" => Some(Adapter::Raw),
            Some(("M8", unit)) => Some(Adapter::Time(Kind::Datetime, TimeUnit::from_symbol(unit)?)),
            Some(("m8", unit)) => Some(Adapter::Time(Kind::Timedelta, TimeUnit::from_symbol(unit)?)),
            _ => None,
        }
    }
}
