//! Helpers for `#[serde(with = "...")]`: what a Rust type alone cannot say of its dtype.
//!
//! A helper changes nothing for other formats: JSON, TOML, CBOR and the like see the bare value. Here it decides the
//! dtype that is written, and what is taken when reading.
//!
//! | helper | on | dtype written | read |
//! |---|---|---|---|
//! | [`U::<N>`](U) | text, bytes | `<UN`, at most `N` code points | any `U`, `S`, `V` |
//! | [`S::<N>`](S) | text, bytes | `\|SN`, at most `N` bytes | any `S`, `U`, `V` |
//! | [`V::<N>`](V) | text, bytes | `\|VN`, exactly `N` bytes | any `V`, `S`, `U` |
//! | [`Text`] | `Display` and `FromStr` | `<U`, as wide as the longest | any text |
//! | [`TextN::<N>`](TextN) | `Display` and `FromStr` | `<UN` | any text |
//! | [`Complex`] | pairs of floats, structs of `re` and `im` | `<c8`, `<c16` | as without it |
//! | [`F2`] | `f32`, `f64` | `<f2`, rounded | as without it |
//! | [`Round`] | `f32` | `<f4` | any float, rounded |
//! | [`Nan`] | `Option<f32>`, `Option<f64>` | `<f4`, `<f8`, `None` as NaN | NaN as `None` |
//! | [`Of::<T>`](Of) | sequences | of an empty one, that of `T` | as without it |
//! | [`Datetime::<Ns>`](Datetime) | `i64`, times | `<M8[ns]`, any other of the thirteen [units](TimeStep) | any `M8`, converted |
//! | [`Timedelta::<Ns>`](Timedelta) | `i64`, durations | `<m8[ns]`, likewise | any `m8`, converted |
//! | [`Raw`] | `i64` | `<i8` | the bare count of any `M8` or `m8` |
//!
//! The [times and durations](Count) are those of `std` and, with the features of these names, of `chrono` and `jiff`.
//!
//! A helper is for the whole field, and reaches through `Option`s, `Vec`s, arrays and newtypes: a `Vec<String>` with
//! `U::<8>` is a subarray of `<U8`. `None` is written only by [`Nan`], [`Datetime`] and [`Timedelta`], since NumPy has no
//! other value for it. Where the field is an `Option`, serde wants `#[serde(default)]` beside `with` for it to be allowed
//! to be missing. Behind `#[serde(flatten)]` and `#[serde(untagged)]` the helpers read what such an element is to any
//! type, so that they work there too, but for [`Raw`], which cannot tell the count of a text.
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
mod buffered;
mod characters;
#[cfg(feature = "chrono")]
mod chrono;
mod complex;
mod count;
mod float;
#[cfg(feature = "jiff")]
mod jiff;
mod moment;
mod newtype;
mod of;
mod text;
mod time;

pub(crate) use adapter::Adapter;
pub use characters::{S, U, V};
pub(crate) use complex::Part;
pub use count::Count;
pub use float::{Complex, F2, Nan, Nullable, Round};
pub use of::Of;
pub use text::{Text, TextN};
pub use time::{As, D, Datetime, Fs, H, M, Min, Ms, Ns, Ps, Raw, Sec, TimeStep, Timedelta, Us, W, Y};
