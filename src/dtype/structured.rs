//! Dtypes made of others: records with fields, subarrays, and the sum of all, [`DType`].
//!
//! The types name each other, so they share a file.

use crate::dtype::name::Name;
use crate::dtype::scalar::{ByteOrder, Kind, MAX_ITEMSIZE, Scalar};
use crate::error::{Count, Cut, Error, Result};
use std::collections::HashSet;
use std::fmt;

/// The most axes that NumPy gives an array or a subarray (`NPY_MAXDIMS`).
pub(crate) const MAX_NDIM: usize = 64;

/// How many brackets the descr of a dtype may nest, so that it still fits into a header that Python parses: its
/// tokenizer stops at 200, and the dict around the descr is one.
const MAX_BRACKETS: u8 = 199;

/// What one element of an array looks like: NumPy's `dtype`.
///
/// There are three forms: a [`Scalar`], a [`Struct`] of named fields, and a [`Subarray`], an array of fixed shape inside
/// a record. All are checked when they are built, so that a `DType` is always one that NumPy can hold as well.
///
/// [`Display`](std::fmt::Display) prints the descr as it stands in a header, [`FromStr`](std::str::FromStr) takes that
/// and every other text that `numpy.dtype` takes.
///
/// # Examples
///
/// ```
/// use serde_npy::DType;
///
/// # fn main() -> serde_npy::Result<()> {
/// let dtype: DType = "[('time', '<M8[ns]'), ('bid', '<f8', (2,)), ('ok', '|b1')]".parse()?;
/// assert_eq!(dtype.itemsize(), 8 + 2 * 8 + 1);
///
/// let DType::Struct(record) = &dtype else { panic!() };
/// let names: Vec<&str> = record.fields().iter().map(|field| field.name()).collect();
/// assert_eq!(names, ["time", "bid", "ok"]);
/// assert_eq!(record.fields()[2].offset(), 24);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DType {
    /// One value: a number, a time, a string, raw bytes.
    Scalar(Scalar),
    /// A record.
    Struct(Struct),
    /// An array of fixed shape.
    Subarray(Subarray),
}

/// A structured dtype: fields at fixed offsets in a record of a fixed itemsize.
///
/// Fields stand in ascending order and do not overlap; between and behind them there may be padding. These are the
/// layouts that the list form of a descr, and so a `.npy` file, can tell.
///
/// # Examples
///
/// ```
/// use serde_npy::{DType, Field, Struct};
///
/// # fn main() -> serde_npy::Result<()> {
/// let packed = Struct::packed(vec![Field::new("flag", "u1".parse()?), Field::new("value", "<f8".parse()?)])?;
/// assert_eq!(packed.itemsize(), 9);
///
/// let aligned = Struct::aligned(vec![Field::new("flag", "u1".parse()?), Field::new("value", "<f8".parse()?)])?;
/// assert_eq!(aligned.itemsize(), 16);
/// assert_eq!(DType::Struct(aligned).to_string(), "[('flag', '|u1'), ('', '|V7'), ('value', '<f8')]");
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Struct {
    fields: Box<[Field]>,
    /// At most [`MAX_ITEMSIZE`].
    itemsize: u32,
    /// How many brackets deep the descr is, at most [`MAX_BRACKETS`]; kept, so that building a nested dtype costs no walk
    /// per level.
    brackets: u8,
}

/// One field of a [`Struct`]: a name, a dtype, an offset and sometimes a title.
///
/// # Examples
///
/// ```
/// use serde_npy::Field;
///
/// # fn main() -> serde_npy::Result<()> {
/// let field = Field::new("px", "<f8".parse()?).with_title("price in cents");
/// assert_eq!(field.name(), "px");
/// assert_eq!(field.title(), Some("price in cents"));
/// assert_eq!(field.dtype().to_string(), "'<f8'");
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    name: Name,
    title: Option<Box<str>>,
    offset: usize,
    dtype: DType,
}

/// A dtype that is itself an array of fixed shape: base and shape.
///
/// The base may be a subarray again, as in `(('<f8', (5,)), (2,))`; the axes of the two then follow each other, the
/// outer ones first.
///
/// # Examples
///
/// ```
/// use serde_npy::{DType, Subarray};
///
/// # fn main() -> serde_npy::Result<()> {
/// let matrix = Subarray::new("<f4".parse()?, vec![3, 3])?;
/// assert_eq!(matrix.itemsize(), 36);
/// assert_eq!(DType::Subarray(matrix).to_string(), "('<f4', (3, 3))");
/// # Ok(()) }
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Subarray {
    /// In one box, so that a dtype, of which most are scalars, is no larger for the sake of subarrays.
    parts: Box<Parts>,
    /// As in [`Struct`].
    itemsize: u32,
    /// As in [`Struct`].
    brackets: u8,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Parts {
    base: DType,
    shape: Box<[usize]>,
}

impl fmt::Debug for Subarray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Subarray { parts, itemsize, brackets } = self;
        f.debug_struct("Subarray")
            .field("base", &parts.base)
            .field("shape", &parts.shape)
            .field("itemsize", itemsize)
            .field("brackets", brackets)
            .finish()
    }
}

impl DType {
    /// Bytes of one element, padding included.
    #[must_use]
    #[inline]
    pub fn itemsize(&self) -> usize {
        match self {
            DType::Scalar(scalar) => scalar.itemsize(),
            DType::Struct(record) => record.itemsize(),
            DType::Subarray(subarray) => subarray.itemsize(),
        }
    }

    /// The path to the first object field, outermost name first; `None` where there is none.
    ///
    /// Objects anywhere in a dtype turn the data of the whole array into one pickle, so that nothing of it can be
    /// decoded by offsets.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::DType;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let dtype: DType = "[('id', '<i8'), ('who', [('name', '|O')])]".parse()?;
    /// assert_eq!(dtype.first_object(), Some(vec!["who", "name"]));
    /// assert_eq!("|O".parse::<DType>()?.first_object(), Some(vec![]));
    /// assert_eq!("<i8".parse::<DType>()?.first_object(), None);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn first_object(&self) -> Option<Vec<&str>> {
        match self {
            DType::Scalar(scalar) => (scalar.kind() == Kind::Object).then(Vec::new),
            DType::Struct(record) => record.fields.iter().find_map(|field| {
                let mut path = field.dtype.first_object()?;
                path.insert(0, field.name());
                Some(path)
            }),
            DType::Subarray(subarray) => subarray.base().first_object(),
        }
    }

    /// The same dtype with every number and string in another byteorder: NumPy's `dtype.newbyteorder`.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{ByteOrder, DType};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let dtype: DType = "[('a', '<i4'), ('b', '<f8', (2,)), ('c', '|u1')]".parse()?;
    /// let big = dtype.with_byteorder(ByteOrder::Big);
    /// assert_eq!(big.to_string(), "[('a', '>i4'), ('b', '>f8', (2,)), ('c', '|u1')]");
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_byteorder(self, byteorder: ByteOrder) -> DType {
        match self {
            DType::Scalar(scalar) => DType::Scalar(scalar.with_byteorder(byteorder)),
            DType::Struct(mut record) => {
                record.fields = record
                    .fields
                    .into_iter()
                    .map(|field| Field { dtype: field.dtype.with_byteorder(byteorder), ..field })
                    .collect();
                DType::Struct(record)
            }
            DType::Subarray(Subarray { parts, itemsize, brackets }) => {
                let Parts { base, shape } = *parts;
                let parts = Box::new(Parts { base: base.with_byteorder(byteorder), shape });
                DType::Subarray(Subarray { parts, itemsize, brackets })
            }
        }
    }

    /// The alignment that a C compiler, and `numpy.dtype(align=True)`, gives the type on 64-bit Linux.
    fn alignment(&self) -> usize {
        match self {
            DType::Scalar(scalar) => match scalar.kind() {
                Kind::Bytes | Kind::Void => 1,
                Kind::Str => 4,
                Kind::Complex => scalar.itemsize() / 2,
                _ => scalar.itemsize(),
            },
            DType::Struct(record) => record.fields.iter().map(|field| field.dtype.alignment()).max().unwrap_or(1),
            DType::Subarray(subarray) => subarray.base().alignment(),
        }
    }

    /// How many brackets deep the descr is.
    fn brackets(&self) -> usize {
        match self {
            DType::Scalar(_) => 0,
            DType::Struct(record) => usize::from(record.brackets),
            DType::Subarray(subarray) => usize::from(subarray.brackets),
        }
    }
}

/// Refuses what is nested too deep for a header, and gives the depth back.
fn checked_depth(brackets: usize) -> Result<u8> {
    match u8::try_from(brackets) {
        Ok(brackets) if brackets <= MAX_BRACKETS => Ok(brackets),
        _ => Err(Error::limit(format!("a dtype nested over {MAX_BRACKETS} brackets deep"))),
    }
}

/// An itemsize as it is kept, or why it cannot be.
fn checked_itemsize(itemsize: usize) -> Result<u32> {
    if itemsize > MAX_ITEMSIZE {
        return Err(too_large());
    }
    u32::try_from(itemsize).map_err(|_| too_large())
}

impl From<Scalar> for DType {
    fn from(scalar: Scalar) -> Self {
        DType::Scalar(scalar)
    }
}

impl From<Struct> for DType {
    fn from(record: Struct) -> Self {
        DType::Struct(record)
    }
}

impl From<Subarray> for DType {
    fn from(subarray: Subarray) -> Self {
        DType::Subarray(subarray)
    }
}

impl Struct {
    /// A record whose fields follow each other without gaps, as `numpy.dtype([...])` lays them out.
    ///
    /// The offsets of the fields passed are ignored.
    ///
    /// # Errors
    ///
    /// Two fields share a name or title, the record exceeds 2<sup>31</sup>-1 bytes, or it nests too deep for a header.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{Field, Struct};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let error = Struct::packed(vec![Field::new("a", "i4".parse()?), Field::new("a", "i4".parse()?)]).unwrap_err();
    /// assert_eq!(error.to_string(), "the field name `a` occurs twice");
    /// # Ok(()) }
    /// ```
    pub fn packed(fields: Vec<Field>) -> Result<Struct> {
        Struct::laid_out(fields, |_| 1)
    }

    /// A record laid out as a C compiler would on 64-bit Linux, and `numpy.dtype([...], align=True)` does.
    ///
    /// The offsets of the fields passed are ignored.
    ///
    /// # Errors
    ///
    /// As for [`packed`](Struct::packed).
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{Field, Struct};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let record = Struct::aligned(vec![Field::new("a", "<u2".parse()?), Field::new("b", "<u4".parse()?)])?;
    /// assert_eq!(record.fields()[1].offset(), 4);
    /// # Ok(()) }
    /// ```
    pub fn aligned(fields: Vec<Field>) -> Result<Struct> {
        Struct::laid_out(fields, DType::alignment)
    }

    fn laid_out(mut fields: Vec<Field>, alignment: impl Fn(&DType) -> usize) -> Result<Struct> {
        let mut end = 0usize;
        let mut widest = 1;
        for field in &mut fields {
            let align = alignment(&field.dtype).max(1);
            widest = widest.max(align);
            field.offset = end.checked_next_multiple_of(align).ok_or_else(too_large)?;
            end = field.offset.checked_add(field.dtype.itemsize()).ok_or_else(too_large)?;
        }
        let itemsize = end.checked_next_multiple_of(widest).ok_or_else(too_large)?;
        Struct::new(fields, itemsize)
    }

    /// A record with its fields at the [offsets](Field::at) they were given, in a record of `itemsize` bytes.
    ///
    /// # Errors
    ///
    /// Two fields share a name or title; a field overlaps the one before it, stands before it, or exceeds the record;
    /// the record exceeds 2<sup>31</sup>-1 bytes or nests too deep for a header.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{DType, Field, Struct};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let record = Struct::new(vec![Field::new("b", "<f4".parse()?).at(4)], 16)?;
    /// assert_eq!(DType::Struct(record).to_string(), "[('', '|V4'), ('b', '<f4'), ('', '|V8')]");
    /// # Ok(()) }
    /// ```
    pub fn new(fields: Vec<Field>, itemsize: usize) -> Result<Struct> {
        Struct::checked(fields, itemsize).map_err(|(_, error)| error)
    }

    /// As [`new`](Struct::new); with an error the position of the field that is at fault, where it is one.
    pub(crate) fn checked(fields: Vec<Field>, itemsize: usize) -> Result<Struct, (Option<usize>, Error)> {
        let whole = |error| (None, error);
        let kept_itemsize = checked_itemsize(itemsize).map_err(whole)?;
        // Names that only rise, as numbered ones do, are all different; of a handful each is compared with those before
        // it. Either takes less time than a table of hashes.
        const FEW: usize = 12;
        let few = fields.len() <= FEW;
        let rising = !few && fields.is_sorted_by(|a, b| a.name.rank() < b.name.rank());
        let mut seen = HashSet::with_capacity(if few || rising { 0 } else { fields.len() });
        let mut end = 0;
        for (position, field) in fields.iter().enumerate() {
            let before = fields.get(..position).unwrap_or_default();
            let is_new = if few {
                before.iter().all(|other| other.name != field.name)
            } else {
                rising || seen.insert(field.name.as_bytes())
            };
            let fault = |message| Err((Some(position), Error::data(message)));
            let name = || Cut(field.name());
            if !is_new {
                return fault(format!("the field name `{}` occurs twice", name()));
            }
            if field.offset < end {
                return fault(format!("field `{}` overlaps the field before it", name()));
            }
            end = field.offset.checked_add(field.dtype.itemsize()).ok_or_else(|| whole(too_large()))?;
            if end > itemsize {
                return fault(format!("field `{}` ends behind the record's {}", name(), Count(itemsize, "byte")));
            }
        }
        // NumPy keeps names and titles in one dict; a title that stands twice would hide a field.
        let mut titled = false;
        for (position, field) in fields.iter().enumerate() {
            let Some(title) = field.title() else { continue };
            if !titled {
                titled = true;
                // Made anew, so that there are never two.
                seen = HashSet::new();
                let titles = fields.iter().filter(|field| field.title.is_some()).count();
                seen.reserve(fields.len().saturating_add(titles));
                seen.extend(fields.iter().map(|field| field.name.as_bytes()));
            }
            if !seen.insert(title.as_bytes()) {
                let message = format!("the title `{}` is a name or a title already", Cut(title));
                return Err((Some(position), Error::data(message)));
            }
        }
        let deepest = fields.iter().map(|field| match &field.dtype {
            // The shape of a field's subarray stands in the field's own tuple.
            DType::Subarray(subarray) => subarray.base().brackets().max(1),
            other => other.brackets(),
        });
        let brackets = deepest.max().map_or(1, |deepest| deepest.saturating_add(2));
        let brackets = checked_depth(brackets).map_err(whole)?;
        Ok(Struct { fields: fields.into_boxed_slice(), itemsize: kept_itemsize, brackets })
    }

    /// The fields in the order of their offsets; padding is no field.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Bytes of one record, padding included.
    #[must_use]
    #[inline]
    pub fn itemsize(&self) -> usize {
        usize::try_from(self.itemsize).unwrap_or(usize::MAX)
    }
}

#[cold]
fn too_large() -> Error {
    Error::limit(format!("a dtype over {MAX_ITEMSIZE} bytes"))
}

impl Field {
    /// A field at offset 0, without a title; the constructors of [`Struct`] find the offset.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let field = serde_npy::Field::new("id", "<i8".parse()?);
    /// assert_eq!(field.offset(), 0);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn new(name: impl Into<String>, dtype: DType) -> Field {
        Field::placed(&name.into(), None, 0, dtype)
    }

    #[inline]
    pub(crate) fn placed(name: &str, title: Option<&str>, offset: usize, dtype: DType) -> Field {
        Field { name: Name::new(name), title: title.map(Into::into), offset, dtype }
    }

    /// The same field with a title, a second name that NumPy shows as a description.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let field = serde_npy::Field::new("id", "<i8".parse()?).with_title("customer");
    /// assert_eq!(field.title(), Some("customer"));
    /// # Ok(()) }
    /// ```
    #[must_use]
    #[inline]
    pub fn with_title(mut self, title: impl Into<String>) -> Field {
        self.title = Some(title.into().into_boxed_str());
        self
    }

    /// The same field at an offset in bytes, for [`Struct::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// assert_eq!(serde_npy::Field::new("id", "<i8".parse()?).at(8).offset(), 8);
    /// # Ok(()) }
    /// ```
    #[must_use]
    #[inline]
    pub fn at(mut self, offset: usize) -> Field {
        self.offset = offset;
        self
    }

    /// The name; may be empty in files by others.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The title, where there is one.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Bytes from the start of the record.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The dtype of the field.
    #[must_use]
    pub fn dtype(&self) -> &DType {
        &self.dtype
    }
}

impl Subarray {
    /// An array of `shape` whose elements are of dtype `base`.
    ///
    /// # Errors
    ///
    /// The shape is empty or has over 64 axes (those of a base that is a subarray counted as well), an axis or the
    /// itemsize exceeds 2<sup>31</sup>-1, or the dtype nests too deep for a header.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let error = serde_npy::Subarray::new("<f8".parse()?, vec![1 << 20, 1 << 20]).unwrap_err();
    /// assert_eq!(error.to_string(), "a dtype over 2147483647 bytes");
    /// # Ok(()) }
    /// ```
    pub fn new(base: DType, shape: Vec<usize>) -> Result<Subarray> {
        if shape.is_empty() {
            return Err(Error::data("a subarray without axes; use its base"));
        }
        let inner = match &base {
            DType::Subarray(subarray) => subarray.ndim(),
            _ => 0,
        };
        if shape.len().saturating_add(inner) > MAX_NDIM {
            return Err(Error::limit(format!("a subarray of over {MAX_NDIM} axes")));
        }
        // A zero among the axes must not hide an overflow of the others.
        let mut size = 1usize;
        for &length in &shape {
            if length > MAX_ITEMSIZE {
                return Err(Error::limit(format!("an axis of a subarray over {MAX_ITEMSIZE}")));
            }
            size = size.checked_mul(length.max(1)).ok_or_else(too_large)?;
        }
        let itemsize = checked_itemsize(size.checked_mul(base.itemsize()).ok_or_else(too_large)?)?;
        let itemsize = if shape.contains(&0) { 0 } else { itemsize };
        let brackets = checked_depth(base.brackets().max(1).saturating_add(1))?;
        Ok(Subarray { parts: Box::new(Parts { base, shape: shape.into_boxed_slice() }), itemsize, brackets })
    }

    /// The dtype of the elements.
    #[must_use]
    pub fn base(&self) -> &DType {
        &self.parts.base
    }

    /// The lengths of the axes, without those of a base that is a subarray.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.parts.shape
    }

    /// Bytes of the whole subarray.
    #[must_use]
    pub fn itemsize(&self) -> usize {
        usize::try_from(self.itemsize).unwrap_or(usize::MAX)
    }

    fn ndim(&self) -> usize {
        let inner = match self.base() {
            DType::Subarray(subarray) => subarray.ndim(),
            _ => 0,
        };
        self.shape().len().saturating_add(inner)
    }
}
