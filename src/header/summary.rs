//! [`Header`]: what a file says about its data.

use crate::dtype::{DType, MAX_NDIM};
use crate::error::{Cut, Error, Result};
use crate::header::dict::Dict;
use crate::header::extent::Extent;
use crate::header::preamble::{Preamble, Version};
use crate::header::source::Source;
use crate::header::type_tuple::is_unsized;
use crate::limits::Limits;
use std::io::{Read, Write};

/// The header of a `.npy` file: dtype, shape and order of the data, and the version of the format.
///
/// # What is accepted
///
/// Everything that NumPy's loader accepts from a real writer, files of Python 2 included. The differences are these, and
/// no others; with [`ReadOptions::strict`](crate::ReadOptions#structfield.strict), nothing is taken that NumPy refuses.
///
#[doc = include_str!("../../docs/differences.md")]
///
/// # Examples
///
/// ```
/// use serde_npy::Header;
///
/// # fn main() -> serde_npy::Result<()> {
/// let header = Header::new("[('id', '<i8'), ('px', '<f4')]".parse()?, vec![1000])?;
/// let mut file = header.to_bytes()?;
/// file.extend([0; 12 * 1000]);
///
/// let mut reader = &file[..];
/// let read = Header::read(&mut reader)?;
/// assert_eq!(read, header);
/// assert_eq!(read.shape(), [1000]);
/// assert_eq!(read.data_len(), 12 * 1000);
/// assert_eq!(reader.len(), 12 * 1000); // left at the first byte of the data
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Header {
    dtype: DType,
    shape: Vec<u64>,
    fortran_order: bool,
    version: Version,
    /// Whether the version was read or asked for, not chosen by us.
    version_is_given: bool,
    size: u64,
    data_len: u64,
    data_offset: u64,
    /// The bytes as read, to tell whether we would write the same.
    as_read: Option<Box<[u8]>>,
}

/// Dtype, shape, order and version are equal; how the text was spelled does not count.
impl PartialEq for Header {
    fn eq(&self, other: &Self) -> bool {
        self.dtype == other.dtype
            && self.shape == other.shape
            && self.fortran_order == other.fortran_order
            && self.version == other.version
    }
}

impl Eq for Header {}

impl Header {
    /// A header for data in C order, in the lowest version of the format that can hold it.
    ///
    /// # Errors
    ///
    /// NumPy could not load the file: over 64 axes, a size over 2<sup>63</sup>-1, a subarray as the dtype of the whole
    /// array, a shape around a type of 0 bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Header;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let header = Header::new("<f8".parse()?, vec![2, 3])?;
    /// assert_eq!(header.size(), 6);
    /// assert_eq!(header.data_offset(), 128);
    /// let text = String::from_utf8(header.to_bytes()?[10..70].to_vec()).unwrap();
    /// assert_eq!(text, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), } ");
    ///
    /// let error = Header::new("<f8".parse()?, vec![1 << 62, 4]).unwrap_err();
    /// assert_eq!(error.to_string(), "an array over 9223372036854775807 bytes");
    /// # Ok(()) }
    /// ```
    pub fn new(dtype: DType, shape: Vec<u64>) -> Result<Header> {
        if let DType::Subarray(_) = &dtype {
            let message = "a subarray as the dtype of a whole array; take its base, and add its shape to the array's";
            return Err(Error::data(message));
        }
        check_loadable(&dtype)?;
        if shape.len() > MAX_NDIM {
            return Err(Error::limit(format!("an array of over {MAX_NDIM} axes")));
        }
        let Extent { size, data_len } = Extent::of(&dtype, &shape)?;
        let preamble = Preamble::wrap_lowest(&Dict::print(&dtype, false, &shape))?;
        Ok(Header {
            dtype,
            shape,
            fortran_order: false,
            version: preamble.version,
            version_is_given: false,
            size,
            data_len,
            data_offset: length(&preamble.bytes),
            as_read: None,
        })
    }

    /// The same header for data in Fortran order (`true`), the first axis varying fastest, or in C order.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let header = serde_npy::Header::new("<f8".parse()?, vec![2, 3])?.with_fortran_order(true);
    /// assert!(header.fortran_order());
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_fortran_order(mut self, fortran_order: bool) -> Header {
        self.fortran_order = fortran_order;
        self.as_read = None;
        // Where the text does not fit, `to_bytes` will say so.
        if let Ok(preamble) = self.wrap() {
            self.version = preamble.version;
            self.data_offset = length(&preamble.bytes);
        }
        self
    }

    /// The same header in a given version of the format.
    ///
    /// # Errors
    ///
    /// The version cannot hold the text: it is too long, or has characters other than Latin-1.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{Header, Version};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let header = Header::new("<f8".parse()?, vec![3])?.with_version(Version::V2_0)?;
    /// assert_eq!(header.to_bytes()?[..8], *b"\x93NUMPY\x02\x00");
    ///
    /// let error = Header::new("[('λ', '<f8')]".parse()?, vec![3])?.with_version(Version::V1_0).unwrap_err();
    /// assert_eq!(error.to_string(), "the character `λ` in a header of version 1.0, which is Latin-1");
    /// # Ok(()) }
    /// ```
    pub fn with_version(mut self, version: Version) -> Result<Header> {
        self.version = version;
        self.version_is_given = true;
        self.as_read = None;
        self.data_offset = length(&self.wrap()?.bytes);
        Ok(self)
    }

    /// Reads a header, with the default [`Limits`], and leaves the reader at the first byte of the data.
    ///
    /// Wrap a file in a [`BufReader`](std::io::BufReader) only if the data is read through it as well.
    ///
    /// # Errors
    ///
    /// The file is no `.npy` file, of an unknown version or ends too early; its header is malformed, or describes what
    /// NumPy cannot hold; it is over the limit; the reader fails.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Header;
    ///
    /// let mut file = b"\x93NUMPY\x01\x00\x39\x00{'descr':'<i2','fortran_order':False,'shape':(184)}      \n".as_slice();
    /// let error = Header::read(&mut file).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "expected a tuple of integers as shape, found `184` (a missing comma: one axis is `(184,)`) (byte 56)",
    /// );
    /// ```
    pub fn read<R: Read>(reader: R) -> Result<Header> {
        Header::read_limited(reader, &Limits::default(), false)
    }

    /// Reads a header within limits; `strict` refuses what NumPy refuses.
    pub(crate) fn read_limited<R: Read>(reader: R, limits: &Limits, strict: bool) -> Result<Header> {
        let preamble = Preamble::read(reader, limits.max_header_size)?;
        let version = preamble.version;
        let text = preamble.text()?;
        let base = u64::try_from(preamble.text_at()).unwrap_or(u64::MAX);
        let source = Source::in_file(&text, base, version.is_latin1());
        let Dict { descr: dtype, fortran_order, shape, extent } =
            Dict::parse(source, version.is_latin1(), strict, limits)?;
        let Extent { size, data_len } = extent;
        drop(text);
        Ok(Header {
            dtype,
            shape,
            fortran_order,
            version,
            version_is_given: true,
            size,
            data_len,
            data_offset: length(&preamble.bytes),
            as_read: Some(preamble.bytes.into_boxed_slice()),
        })
    }

    /// The header of an array within this one, whose data starts at another place of the same file.
    pub(crate) fn part(&self, dtype: DType, shape: Vec<u64>, fortran_order: bool, data_offset: u64) -> Result<Header> {
        let Extent { size, data_len } = Extent::of(&dtype, &shape)?;
        let (version, version_is_given) = (self.version, self.version_is_given);
        Ok(Header {
            dtype,
            shape,
            fortran_order,
            version,
            version_is_given,
            size,
            data_len,
            data_offset,
            as_read: None,
        })
    }

    /// Writes [`to_bytes`](Header::to_bytes).
    ///
    /// # Errors
    ///
    /// As for `to_bytes`, or the writer fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut file = Vec::new();
    /// serde_npy::Header::new("<f8".parse()?, vec![0])?.write(&mut file)?;
    /// assert_eq!(file.len(), 128);
    /// # Ok(()) }
    /// ```
    pub fn write<W: Write>(&self, mut writer: W) -> Result<()> {
        writer.write_all(&self.to_bytes()?).map_err(Error::io)
    }

    /// All bytes before the data, exactly as NumPy 2 writes them.
    ///
    /// A header that was read keeps its version, but is spelled our way; see [`is_canonical`](Header::is_canonical).
    ///
    /// # Errors
    ///
    /// The version that was read or asked for cannot hold the text: short spellings such as `f8` become longer.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let bytes = serde_npy::Header::new("<f8".parse()?, vec![])?.to_bytes()?;
    /// assert!(bytes.starts_with(b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (), }"));
    /// assert!(bytes.ends_with(b" \n"));
    /// # Ok(()) }
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(self.wrap()?.bytes)
    }

    fn wrap(&self) -> Result<Preamble> {
        let text = Dict::print(&self.dtype, self.fortran_order, &self.shape);
        if self.version_is_given { Preamble::wrap(self.version, &text) } else { Preamble::wrap_lowest(&text) }
    }

    /// What one element looks like.
    #[must_use]
    pub fn dtype(&self) -> &DType {
        &self.dtype
    }

    /// The lengths of the axes; empty for a single element.
    #[must_use]
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Whether the first axis varies fastest in the data, not the last.
    #[must_use]
    pub fn fortran_order(&self) -> bool {
        self.fortran_order
    }

    /// The version of the format.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// How many axes there are.
    #[must_use]
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// How many elements there are.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Bytes of the data.
    #[must_use]
    pub fn data_len(&self) -> u64 {
        self.data_len
    }

    /// Bytes before the data: of the header as it was read, else as [`to_bytes`](Header::to_bytes) gives it.
    #[must_use]
    pub fn data_offset(&self) -> u64 {
        self.data_offset
    }

    /// Whether [`to_bytes`](Header::to_bytes) gives the bytes that were read; true for a header that was not.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Header;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let ours = Header::new("<f8".parse()?, vec![3])?.to_bytes()?;
    /// assert!(Header::read(&ours[..])?.is_canonical());
    ///
    /// let others = b"\x93NUMPY\x01\x00\x36\x00{'shape':(3,),'fortran_order':False,'descr':'f8'}     \n";
    /// assert!(!Header::read(&others[..])?.is_canonical());
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        match &self.as_read {
            Some(bytes) => self.wrap().is_ok_and(|preamble| preamble.bytes == **bytes),
            None => true,
        }
    }
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// Refuses what NumPy would not load, or load as something else.
fn check_loadable(dtype: &DType) -> Result<()> {
    match dtype {
        DType::Scalar(_) => Ok(()),
        DType::Subarray(subarray) => {
            if is_unsized(subarray.base()) {
                return Err(Error::data(format!(
                    "a subarray of `{}`, which NumPy does not load",
                    Cut(subarray.base())
                )));
            }
            check_loadable(subarray.base())
        }
        DType::Struct(record) => record
            .fields()
            .iter()
            .try_for_each(|field| check_loadable(field.dtype()).map_err(|error| error.at_field(field.name()))),
    }
}
