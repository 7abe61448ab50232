//! `Complex`, `F2`, `Round` and `Nan`: floats that are more, less or nothing.

use crate::with::{adapter, newtype};
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde::ser::{Serialize, Serializer};

/// Pairs of floats as complex numbers, `<c8` or `<c16`: `#[serde(with = "with::Complex")]`.
///
/// On anything that serde shows as two floats, real part first: `num_complex::Complex`, `(f64, f64)`, `[f32; 2]`; on
/// structs of the two fields `re` and `im`, or `real` and `imag`, in either order; and on `Vec`s and arrays of them.
/// Complex numbers need no helper to be read.
///
/// # Examples
///
/// ```
/// use num_complex::Complex;
/// use serde::{Deserialize, Serialize};
/// use serde_npy::with;
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Sample {
///     #[serde(with = "with::Complex")]
///     value: Complex<f64>,
///     #[serde(with = "with::Complex")]
///     spectrum: Vec<[f32; 2]>,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let samples = [Sample { value: Complex::new(1.0, -2.0), spectrum: vec![[0.0, 1.0], [2.0, 3.0]] }];
/// let bytes = serde_npy::to_vec(&samples)?;
/// let header = serde_npy::Header::read(&bytes[..])?;
/// assert_eq!(header.dtype().to_string(), "[('value', '<c16'), ('spectrum', '<c8', (2,))]");
/// assert_eq!(serde_npy::from_slice::<Vec<Sample>>(&bytes)?, samples);
/// # Ok(()) }
/// ```
///
/// A struct of one's own:
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::{DType, with};
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Impedance {
///     re: f32,
///     im: f32,
/// }
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Port {
///     #[serde(with = "with::Complex")]
///     s11: Impedance,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// assert_eq!(DType::of::<Port>()?.to_string(), "[('s11', '<c8')]");
/// let ports = [Port { s11: Impedance { re: 50.0, im: -0.5 } }];
/// assert_eq!(serde_npy::from_slice::<Vec<Port>>(&serde_npy::to_vec(&ports)?)?, ports);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Complex;

/// Floats as half-precision ones, `<f2`: `#[serde(with = "with::F2")]`.
///
/// On `f32` and `f64`, and `Vec`s and arrays of them. They are rounded to nearest even; a finite value that would become
/// infinite is an error. Halves need no helper to be read.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::with;
///
/// #[derive(Serialize, Deserialize)]
/// struct Pixel {
///     #[serde(with = "with::F2")]
///     rgb: [f32; 3],
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::to_vec(&[Pixel { rgb: [0.5, 1.0, 0.1] }])?;
/// assert_eq!(serde_npy::Header::read(&bytes[..])?.dtype().to_string(), "[('rgb', '<f2', (3,))]");
/// assert_eq!(serde_npy::from_slice::<Vec<Pixel>>(&bytes)?[0].rgb, [0.5, 1.0, 0.099975586]);
///
/// assert_eq!(
///     serde_npy::to_vec(&[Pixel { rgb: [0.0, 0.0, 1e6] }]).unwrap_err().to_string(),
///     "expected `<f2`, found float `1e6`, which is beyond its range (at `[0].rgb[2]`)"
/// );
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct F2;

/// Floats that may be rounded when they are read: `#[serde(with = "with::Round")]`.
///
/// On `f32`, and `Option`s, `Vec`s and arrays of it, to read `f8` (and long doubles, where
/// [`ReadOptions::long_double`](crate::ReadOptions::long_double) is set). A finite value that would become infinite is
/// an error. [`ReadOptions::round_floats`](crate::ReadOptions::round_floats) does the same
/// for the floats of a whole file. Writing is as without it.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::with;
///
/// #[derive(Serialize, Deserialize)]
/// struct Row {
///     #[serde(with = "with::Round")]
///     x: f32,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let options = serde_npy::WriteOptions::default().dtype("[('x', '<f8')]".parse()?);
/// let bytes = serde_npy::to_vec_with(&[Row { x: 0.1 }], &options)?;
/// assert_eq!(serde_npy::from_slice::<Vec<Row>>(&bytes)?[0].x, 0.1);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Round;

/// `None` as NaN: `#[serde(with = "with::Nan")]`.
///
/// On `Option<f32>` and `Option<f64>`, and `Vec`s and arrays of them. Every NaN is read as `None`, so `Some(NaN)` does
/// not come back. Other formats see the `Option`; those in which a missing field stands for `None` want
/// `#[serde(default)]` too.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::with;
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Row {
///     #[serde(with = "with::Nan", default)]
///     price: Option<f64>,
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let rows = [Row { price: Some(1.5) }, Row { price: None }];
/// let bytes = serde_npy::to_vec(&rows)?;
/// assert!(serde_npy::from_slice::<Vec<(f64,)>>(&bytes)?[1].0.is_nan());
/// assert_eq!(serde_npy::from_slice::<Vec<Row>>(&bytes)?, rows);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Nan;

/// What [`Nan`] is for: `Option<f32>`, `Option<f64>`, and `Vec`s and arrays of them.
///
/// # Examples
///
/// ```
/// use serde_npy::with::Nullable;
///
/// fn is_nullable<T: Nullable>() {}
/// is_nullable::<Vec<[Option<f32>; 3]>>();
/// ```
pub trait Nullable: private::Sealed {
    #[doc(hidden)]
    const NAME: &'static str;
}

mod private {
    pub trait Sealed {}
    impl Sealed for Option<f32> {}
    impl Sealed for Option<f64> {}
    impl<T: Sealed> Sealed for Vec<T> {}
    impl<T: Sealed> Sealed for Box<[T]> {}
    impl<T: Sealed, const N: usize> Sealed for [T; N] {}
}

impl Nullable for Option<f32> {
    const NAME: &'static str = adapter::NAN4;
}

impl Nullable for Option<f64> {
    const NAME: &'static str = adapter::NAN8;
}

impl<T: Nullable> Nullable for Vec<T> {
    const NAME: &'static str = T::NAME;
}

impl<T: Nullable> Nullable for Box<[T]> {
    const NAME: &'static str = T::NAME;
}

impl<T: Nullable, const N: usize> Nullable for [T; N] {
    const NAME: &'static str = T::NAME;
}

macro_rules! helpers {
    ($($name:ident $as:expr;)*) => {$(
        impl $name {
            /// For serde's derive.
            ///
            /// # Errors
            ///
            /// The value is not what the helper is for, or whatever the serializer finds wrong.
            pub fn serialize<T: Serialize + ?Sized, Ser: Serializer>(
                value: &T,
                serializer: Ser,
            ) -> Result<Ser::Ok, Ser::Error> {
                newtype::serialize($as, value, serializer)
            }

            /// For serde's derive.
            ///
            /// # Errors
            ///
            /// The element is not what the type takes.
            pub fn deserialize<'de, T: Deserialize<'de>, De: Deserializer<'de>>(
                deserializer: De,
            ) -> Result<T, De::Error> {
                newtype::deserialize($as, deserializer)
            }
        }
    )*};
}

helpers! {
    Complex adapter::COMPLEX;
    F2 adapter::F2;
    Round adapter::ROUND;
}

impl Nan {
    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// Whatever the serializer finds wrong.
    pub fn serialize<T: Nullable + Serialize, Ser: Serializer>(
        value: &T,
        serializer: Ser,
    ) -> Result<Ser::Ok, Ser::Error> {
        newtype::serialize(T::NAME, value, serializer)
    }

    /// For serde's derive.
    ///
    /// # Errors
    ///
    /// The element is no float, or too wide a one for the type.
    pub fn deserialize<'de, T: Nullable + DeserializeOwned, De: Deserializer<'de>>(
        deserializer: De,
    ) -> Result<T, De::Error> {
        newtype::deserialize(T::NAME, deserializer)
    }
}
