//! Helpers for `#[serde(with = "...")]`: what a Rust type alone cannot say of its dtype.
//!
//! A helper changes nothing for other formats: JSON, TOML, CBOR and the like see the bare value. Here it decides the
//! dtype that is written, and what is taken when reading.
//!
//! | helper | on | dtype |
//! |---|---|---|
//! | [`Datetime::<Ns>`](Datetime) | `i64`, `Option<i64>` | `<M8[ns]`, any other of the thirteen [units](TimeStep) |
//! | [`Timedelta::<Ns>`](Timedelta) | `i64`, `Option<i64>` | `<m8[ns]`, likewise |
//! | [`Raw`] | `i64`, `Option<i64>` | reads the bare count of any `M8` or `m8` |
//!
//! # Examples
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use serde_npy::with;
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Trade {
//!     #[serde(with = "with::Datetime::<with::Ns>")]
//!     time: i64,
//!     #[serde(with = "with::Timedelta::<with::Ms>", default)]
//!     delay: Option<i64>,
//!     price: f64,
//! }
//!
//! # fn main() -> serde_npy::Result<()> {
//! let trades = [Trade { time: 1_700_000_000_000_000_000, delay: None, price: 101.5 }];
//! let bytes = serde_npy::to_vec(&trades)?;
//! let header = serde_npy::Header::read(&bytes[..])?;
//! assert_eq!(header.dtype().to_string(), "[('time', '<M8[ns]'), ('delay', '<m8[ms]'), ('price', '<f8')]");
//! assert_eq!(serde_npy::from_slice::<Vec<Trade>>(&bytes)?, trades);
//! # Ok(()) }
//! ```

mod adapter;
mod time;

pub(crate) use adapter::Adapter;
pub use time::{As, Count, D, Datetime, Fs, H, M, Min, Ms, Ns, Ps, Raw, S, TimeStep, Timedelta, Us, W, Y};
