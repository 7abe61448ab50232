//! Inert options: how to read and how to write.

use crate::dtype::{ByteOrder, DType};
use crate::error::Result;
use crate::header::{Header, Version};
use crate::limits::Limits;
use std::io::Read;

/// What the bytes of an `S` element become where the Rust type takes anything (`deserialize_any`), and what text they are.
///
/// # Examples
///
/// ```
/// use serde_npy::{BytesAs, ReadOptions};
///
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::to_vec_with(b"caf\xe9", &serde_npy::WriteOptions::default().dtype("S4".parse()?))?;
/// let latin1 = ReadOptions::default().bytes_as(BytesAs::Latin1);
/// assert_eq!(serde_npy::from_slice_with::<serde_json::Value>(&bytes, &latin1)?, "café");
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BytesAs {
    /// Text; an error where the bytes are not UTF-8.
    Text,
    /// Text, each byte the code point of the same number, as Python's `latin-1` decodes.
    Latin1,
    /// Bytes.
    Bytes,
}

/// In which encoding the bytes of long doubles are, `f16` and `c32`; the header does not tell.
///
/// # Examples
///
/// ```
/// use serde_npy::{LongDouble, ReadOptions};
///
/// # fn main() -> serde_npy::Result<()> {
/// // numpy.save(file, numpy.longdouble(1.5)) on x86-64
/// let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
/// file.extend(format!("{:<117}\n", "{'descr': '<f16', 'fortran_order': False, 'shape': (), }").into_bytes());
/// file.extend(b"\x00\x00\x00\x00\x00\x00\x00\xc0\xff\x3f\x00\x00\x00\x00\x00\x00");
///
/// let x86 = ReadOptions::default().long_double(LongDouble::X87);
/// assert_eq!(serde_npy::from_slice_with::<f64>(&file, &x86)?, 1.5);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LongDouble {
    /// The 80-bit format of the x87, in 16 bytes: what NumPy writes on x86-64 under Linux and macOS.
    X87,
    /// IEEE 754 binary128: what NumPy writes on 64-bit Arm, RISC-V and POWER under Linux.
    Ieee128,
}

/// How to read.
///
/// # Examples
///
/// Every default:
///
/// ```
/// use serde_npy::{BytesAs, Limits, ReadOptions};
///
/// let options = ReadOptions::default();
/// assert_eq!(options.limits, Limits::default());
/// assert_eq!(options.trailing, true);
/// assert_eq!(options.strict, false);
/// assert_eq!(options.round_floats, false);
/// assert_eq!(options.enum_by_index, false);
/// assert_eq!(options.lossy_text, false);
/// assert_eq!(options.bytes_as, BytesAs::Text);
/// assert_eq!(options.long_double, None);
/// ```
///
/// ```
/// use serde_npy::ReadOptions;
///
/// # fn main() -> serde_npy::Result<()> {
/// let bytes = serde_npy::to_vec(&[0.1f64, 0.2])?;
/// let single: Vec<f32> = serde_npy::from_slice_with(&bytes, &ReadOptions::default().round_floats(true))?;
/// assert_eq!(single, [0.1, 0.2]);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// What the file may make us allocate or loop.
    pub limits: Limits,
    /// Whether bytes may follow the array, as NumPy allows. Default: `true`.
    pub trailing: bool,
    /// Whether to refuse every header that NumPy 2 refuses. Default: `false`; what else is taken is listed at
    /// [`Header`](crate::Header).
    ///
    /// Headers over 10 000 bytes count as ones that NumPy takes, as it does with `np.load(…, max_header_size=…)`;
    /// [`Limits::max_header_size`] sets another bound.
    pub strict: bool,
    /// Whether a wider float may be rounded into a narrower one, `<f8` into an `f32`. Default: `false`.
    pub round_floats: bool,
    /// Whether integers select the variants of an enum by their position. Default: `false`, since the position is not
    /// the discriminant.
    pub enum_by_index: bool,
    /// Whether code points that are no characters (lone surrogates, over U+10FFFF) in `U` elements become U+FFFD.
    /// Default: `false`, they are an error.
    pub lossy_text: bool,
    /// What the bytes of `S` become where any type will do. Default: [`BytesAs::Text`].
    pub bytes_as: BytesAs,
    /// The encoding of long doubles. Default: `None`, they are an error unless they are skipped.
    pub long_double: Option<LongDouble>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            limits: Limits::default(),
            trailing: true,
            strict: false,
            round_floats: false,
            enum_by_index: false,
            lossy_text: false,
            bytes_as: BytesAs::Text,
            long_double: None,
        }
    }
}

impl Header {
    /// Reads a header with options: its limits, and whether to be strict.
    ///
    /// # Errors
    ///
    /// As for [`Header::read`].
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{Header, ReadOptions};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let bytes = serde_npy::to_vec(&[1, 2, 3])?;
    /// let header = Header::read_with(&bytes[..], &ReadOptions::default().strict(true))?;
    /// assert_eq!(header.shape(), [3]);
    /// # Ok(()) }
    /// ```
    pub fn read_with<R: Read>(reader: R, options: &ReadOptions) -> Result<Header> {
        Header::read_limited(reader, &options.limits, options.strict)
    }
}

impl ReadOptions {
    /// Sets all [`limits`](ReadOptions#structfield.limits).
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets [`Limits::max_header_size`].
    #[must_use]
    pub fn max_header_size(mut self, bytes: usize) -> Self {
        self.limits.max_header_size = bytes;
        self
    }

    /// Sets [`trailing`](ReadOptions#structfield.trailing).
    #[must_use]
    pub fn trailing(mut self, allowed: bool) -> Self {
        self.trailing = allowed;
        self
    }

    /// Sets [`strict`](ReadOptions#structfield.strict).
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Sets [`round_floats`](ReadOptions#structfield.round_floats).
    #[must_use]
    pub fn round_floats(mut self, round: bool) -> Self {
        self.round_floats = round;
        self
    }

    /// Sets [`enum_by_index`](ReadOptions#structfield.enum_by_index).
    #[must_use]
    pub fn enum_by_index(mut self, by_index: bool) -> Self {
        self.enum_by_index = by_index;
        self
    }

    /// Sets [`lossy_text`](ReadOptions#structfield.lossy_text).
    #[must_use]
    pub fn lossy_text(mut self, lossy: bool) -> Self {
        self.lossy_text = lossy;
        self
    }

    /// Sets [`bytes_as`](ReadOptions#structfield.bytes_as).
    #[must_use]
    pub fn bytes_as(mut self, bytes_as: BytesAs) -> Self {
        self.bytes_as = bytes_as;
        self
    }

    /// Sets [`long_double`](ReadOptions#structfield.long_double).
    #[must_use]
    pub fn long_double(mut self, encoding: LongDouble) -> Self {
        self.long_double = Some(encoding);
        self
    }
}

/// How to write.
///
/// # Examples
///
/// Every default:
///
/// ```
/// use serde_npy::WriteOptions;
///
/// let options = WriteOptions::default();
/// assert_eq!(options.dtype, None);
/// assert_eq!(options.byteorder, None);
/// assert_eq!(options.fortran_order, false);
/// assert_eq!(options.version, None);
/// assert_eq!(options.sync, false);
/// ```
///
/// ```
/// use serde_npy::WriteOptions;
///
/// # fn main() -> serde_npy::Result<()> {
/// let options = WriteOptions::default().dtype("<f4".parse()?);
/// let bytes = serde_npy::to_vec_with(&[1, 2, 3], &options)?; // integers, each exact in a float
/// assert_eq!(serde_npy::from_slice::<Vec<f32>>(&bytes)?, [1.0, 2.0, 3.0]);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The dtype of the elements. Default: `None`, it is found from the value.
    ///
    /// Every value must fit it: integers its range, and exactly where it is a float; text its width. A float that is
    /// wider is rounded to the nearest, since that is what the dtype asks for, but never to an infinity.
    pub dtype: Option<DType>,
    /// The byteorder of every number and string. Default: `None`, little-endian or what the given dtype says.
    pub byteorder: Option<ByteOrder>,
    /// Whether arrays of two axes and more are stored column-major. Default: `false`.
    pub fortran_order: bool,
    /// The version of the format. Default: `None`, the lowest that fits, as NumPy chooses.
    pub version: Option<Version>,
    /// Whether `to_path` waits until the disk has the file, so that it survives a loss of power. Default: `false`.
    pub sync: bool,
}

impl WriteOptions {
    /// Sets [`dtype`](WriteOptions#structfield.dtype).
    #[must_use]
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.dtype = Some(dtype);
        self
    }

    /// Sets [`byteorder`](WriteOptions#structfield.byteorder).
    #[must_use]
    pub fn byteorder(mut self, byteorder: ByteOrder) -> Self {
        self.byteorder = Some(byteorder);
        self
    }

    /// Sets [`fortran_order`](WriteOptions#structfield.fortran_order).
    #[must_use]
    pub fn fortran_order(mut self, fortran_order: bool) -> Self {
        self.fortran_order = fortran_order;
        self
    }

    /// Sets [`version`](WriteOptions#structfield.version).
    #[must_use]
    pub fn version(mut self, version: Version) -> Self {
        self.version = Some(version);
        self
    }

    /// Sets [`sync`](WriteOptions#structfield.sync).
    #[must_use]
    pub fn sync(mut self, sync: bool) -> Self {
        self.sync = sync;
        self
    }
}
