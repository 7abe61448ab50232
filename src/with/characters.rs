//! `U`, `S` and `V`: text and bytes of a fixed width.

use crate::with::{adapter, newtype};
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

/// Text in at most `N` code points, a `<UN`: `#[serde(with = "with::U::<16>")]`.
///
/// On anything that serde shows as text to a person or as bytes in UTF-8: `String`, `&str`, `Cow<str>`, `Box<str>`,
/// `char`, enums of unit variants, addresses, UUIDs, `Vec<u8>`, `[u8; M]`; and on `Vec`s, arrays and newtypes of them.
/// Longer text is an error that tells both lengths, and so is text that ends in NUL, which NumPy would strip.
///
/// Text of any width is read, whether it is `U`, `S` or `V`; of `S` and `V` the bytes must be UTF-8 if text is wanted.
/// An array of bytes is filled up with NULs.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::with;
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Row {
///     #[serde(with = "with::U::<8>")]
///     symbol: String,
///     #[serde(with = "with::U::<4>")]
///     flags: Vec<String>,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let rows = [Row { symbol: "Ünit".into(), flags: vec!["a".into(), "b".into()] }];
/// let bytes = serde_npy::to_vec(&rows)?;
/// let header = serde_npy::Header::read(&bytes[..])?;
/// assert_eq!(header.dtype().to_string(), "[('symbol', '<U8'), ('flags', '<U4', (2,))]");
/// assert_eq!(serde_npy::from_slice::<Vec<Row>>(&bytes)?, rows);
///
/// let long = [Row { symbol: "a long name".into(), flags: vec![] }];
/// assert_eq!(
///     serde_npy::to_vec(&long).unwrap_err().to_string(),
///     "expected at most 8 code points, found 11 (at `[0].symbol`)"
/// );
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct U<const N: usize>;

/// Text or bytes in at most `N` bytes, an `|SN`: `#[serde(with = "with::S::<8>")]`.
///
/// On the same types as [`U`]; text is stored as UTF-8. Longer values are an error that tells both lengths, and so are
/// those that end in NUL, which NumPy would strip; but not the NULs that fill up an array `[u8; M]`, which are filled in
/// again when it is read.
///
/// Text or bytes of any width are read, whether they are `S`, `U` or `V`. `&str` and `&[u8]` are borrowed from a file in
/// memory.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::with;
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Row<'a> {
///     #[serde(with = "with::S::<8>", borrow)]
///     symbol: &'a str,
///     #[serde(with = "with::S::<6>")]
///     fixed: [u8; 6],
///     #[serde(with = "with::S::<4>")]
///     any: Vec<u8>,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let rows = [Row { symbol: "BTC", fixed: *b"ab\0\0\0\0", any: vec![255] }];
/// let bytes = serde_npy::to_vec(&rows)?;
/// let header = serde_npy::Header::read(&bytes[..])?;
/// assert_eq!(header.dtype().to_string(), "[('symbol', '|S8'), ('fixed', '|S6'), ('any', '|S4')]");
/// assert_eq!(serde_npy::from_slice::<Vec<Row>>(&bytes)?, rows);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct S<const N: usize>;

/// Exactly `N` raw bytes, a `|VN`: `#[serde(with = "with::V::<16>")]`.
///
/// On the same types as [`U`]; text is stored as UTF-8. Values that are shorter or longer are an error that tells both
/// lengths: nothing is filled up, and nothing stripped.
///
/// Bytes of any width are read, whether they are `V`, `S` or `U`.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::with;
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Row {
///     #[serde(with = "with::V::<4>")]
///     key: [u8; 4],
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let rows = [Row { key: [1, 2, 3, 0] }];
/// let bytes = serde_npy::to_vec(&rows)?;
/// assert_eq!(serde_npy::Header::read(&bytes[..])?.dtype().to_string(), "[('key', '|V4')]");
/// assert_eq!(serde_npy::from_slice::<Vec<Row>>(&bytes)?, rows);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct V<const N: usize>;

macro_rules! helpers {
    ($($name:ident $kind:literal;)*) => {$(
        impl<const N: usize> $name<N> {
            const BUILT: &'static ([u8; 40], usize) = &adapter::characters($kind, N);
            pub(crate) const NAME: &'static str = adapter::name(Self::BUILT);

            /// For serde's derive.
            ///
            /// # Errors
            ///
            /// The value is neither text nor bytes or does not fit; or whatever the serializer finds wrong.
            pub fn serialize<T: Serialize + ?Sized, Ser: Serializer>(
                value: &T,
                serializer: Ser,
            ) -> Result<Ser::Ok, Ser::Error> {
                newtype::serialize(Self::NAME, value, serializer)
            }

            /// For serde's derive.
            ///
            /// # Errors
            ///
            /// The element is neither text nor bytes, or not what the type takes.
            pub fn deserialize<'de, T: Deserialize<'de>, De: Deserializer<'de>>(
                deserializer: De,
            ) -> Result<T, De::Error> {
                newtype::deserialize(Self::NAME, deserializer)
            }
        }
    )*};
}

helpers! {
    U b'U';
    S b'S';
    V b'V';
}
