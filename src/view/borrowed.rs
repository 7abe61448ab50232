//! [`View`]: an array in memory.

use crate::de::{Frame, Window, open, refuse_objects};
use crate::dtype::DType;
use crate::error::{Count, Error, Result};
use crate::header::{Header, bounds, strides};
#[cfg(any(feature = "bytemuck", feature = "rayon"))]
use crate::limits::Limits;
use crate::options::ReadOptions;
use crate::plan::Node;
use crate::view::elements::Elements;
use crate::view::place::{data_from, is_packed};
use serde::de::Deserialize;
use std::fmt;
use std::ops::{Range, RangeBounds};
use std::sync::{Arc, OnceLock};

/// Looks into an array in memory, such as a memory map, without reading what is not asked for.
///
/// Opening it reads the header. An element is found by its index in constant time; text of `S` fields and bytes are
/// borrowed. What an index stands for is what lies along the first axis: an element of an array of one axis, a row of any
/// other, whatever the order of the file; an array without axes is one element.
///
/// [`slice`](View::slice), [`row`](View::row), [`axis`](View::axis), [`transpose`](View::transpose) and
/// [`field`](View::field) give views of a part, as NumPy's indexing does, and copy nothing.
///
/// The place in an error is that in the file, the path that from the view whose method was called.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_npy::View;
///
/// #[derive(Serialize)]
/// struct Quote {
///     #[serde(with = "serde_npy::with::S::<8>")]
///     symbol: &'static str,
///     price: f64,
/// }
///
/// #[derive(Deserialize)]
/// struct Symbol<'a> {
///     symbol: &'a str, // borrowed from the file
/// }
///
/// # fn main() -> serde_npy::Result<()> {
/// let quotes = [Quote { symbol: "ACME", price: 1.5 }, Quote { symbol: "GLOBEX", price: 2.5 }];
/// let file = serde_npy::to_vec(&quotes)?; // or a memory map
///
/// let view = View::new(&file)?;
/// assert_eq!(view.len(), 2);
/// assert_eq!(view.get::<Symbol>(1)?.symbol, "GLOBEX");
/// assert_eq!(view.column::<f64>(&["price"])?.sum::<serde_npy::Result<f64>>()?, 4.0);
/// assert_eq!(view.get::<Symbol>(2).err().unwrap().to_string(), "expected an index below 2, found 2");
/// # Ok(()) }
/// ```
///
/// Rows and columns of a matrix:
///
/// ```
/// # fn main() -> serde_npy::Result<()> {
/// let file = serde_npy::to_vec(&[[1, 2, 3], [4, 5, 6]])?;
/// let view = serde_npy::View::new(&file)?;
/// assert_eq!(view.get::<[i32; 3]>(1)?, [4, 5, 6]);
/// assert_eq!(view.row(1)?.get::<i32>(2)?, 6);
/// assert_eq!(view.axis(1, 0)?.iter().collect::<serde_npy::Result<Vec<i32>>>()?, [1, 4]);
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct View<'a> {
    /// Dtype and shape of the view; the offset of its data is that of its first element.
    header: Arc<Header>,
    /// The bytes from the first element on.
    data: &'a [u8],
    /// Bytes from one neighbour to the next along each axis.
    strides: Vec<u64>,
    /// The fields on the way from a record of the file to an element of the view.
    fields: Arc<[String]>,
    plan: Arc<OnceLock<Arc<Node>>>,
    options: ReadOptions,
    placed: Placed,
}

/// What an error is to say of the file: the member of an archive that it is.
#[derive(Clone, Default)]
pub(crate) struct Placed {
    member: Option<Arc<str>>,
}

impl Placed {
    #[cold]
    pub(crate) fn add(&self, error: Error) -> Error {
        match &self.member {
            #[cfg(feature = "npz")]
            Some(member) => error.in_member(member),
            _ => error,
        }
    }
}

impl<'a> View<'a> {
    /// Reads the header of a file in memory.
    ///
    /// # Errors
    ///
    /// The header is not well formed, its dtype contains objects, or the data is shorter than it says.
    pub fn new(input: &'a [u8]) -> Result<Self> {
        View::new_with(input, &ReadOptions::default())
    }

    /// [`new`](View::new) with options.
    ///
    /// # Errors
    ///
    /// As for [`new`](View::new).
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{ReadOptions, View};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[0.1f64, 0.2])?;
    /// let view = View::new_with(&file, &ReadOptions::default().round_floats(true))?;
    /// assert_eq!(view.get::<f32>(1)?, 0.2);
    /// # Ok(()) }
    /// ```
    pub fn new_with(input: &'a [u8], options: &ReadOptions) -> Result<Self> {
        let (header, data) = open(input, options)?;
        Ok(View::over(header, data, options))
    }

    /// Some of the records of a file, of which only their bytes are at hand.
    ///
    /// The header is that of the file, the bytes those that [`Header::byte_range`] tells. Places in errors are those in
    /// the file, indices count from the first of the records.
    ///
    /// # Errors
    ///
    /// The bytes are not as many as the records have, or as for [`Header::byte_range`].
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::{Header, View};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[10, 11, 12, 13])?;
    /// let header = Header::read(&file[..])?;
    /// assert_eq!(header.byte_range(1..3)?, 132..140);
    /// let view = View::part(&header, 1..3, &file[132..140])?;
    /// assert_eq!(view.records::<i32>(..)?, [11, 12]);
    ///
    /// let error = View::part(&header, 1..3, &file).unwrap_err();
    /// assert_eq!(error.to_string(), "expected the 8 bytes of the records 1..3, found 144 bytes (byte 132)");
    /// # Ok(()) }
    /// ```
    pub fn part(header: &Header, records: Range<u64>, bytes: &'a [u8]) -> Result<Self> {
        View::part_with(header, records, bytes, &ReadOptions::default())
    }

    /// [`part`](View::part) with options.
    ///
    /// # Errors
    ///
    /// As for [`part`](View::part).
    pub fn part_with(header: &Header, records: Range<u64>, bytes: &'a [u8], options: &ReadOptions) -> Result<Self> {
        refuse_objects(header)?;
        let place = header.byte_range(records.clone())?;
        let needed = place.end.saturating_sub(place.start);
        let found = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if needed != found {
            let Range { start, end } = records;
            let message = format!(
                "expected the {} of the records {start}..{end}, found {}",
                Count(needed, "byte"),
                Count(found, "byte")
            );
            let error = if found < needed { Error::eof(message) } else { Error::data(message) };
            return Err(error.at_offset(place.start));
        }
        let mut shape = header.shape().to_vec();
        if let Some(length) = shape.first_mut() {
            *length = records.end.saturating_sub(records.start);
        } else if records.is_empty() {
            return Err(Error::data("expected the one record of an array without axes, found the range 0..0"));
        }
        let part = header.part(header.dtype().clone(), shape, header.fortran_order(), place.start)?;
        Ok(View::over(part, bytes, options))
    }

    /// All of the data behind a header.
    fn over(header: Header, data: &'a [u8], options: &ReadOptions) -> Self {
        let itemsize = u64::try_from(header.dtype().itemsize()).unwrap_or(u64::MAX);
        let strides = strides(header.shape(), itemsize, header.fortran_order());
        View {
            header: Arc::new(header),
            data,
            strides,
            fields: Arc::default(),
            plan: Arc::default(),
            options: options.clone(),
            placed: Placed::default(),
        }
    }

    /// Lets errors name the member of an archive.
    #[cfg(feature = "npz")]
    pub(crate) fn in_member(mut self, name: &str) -> Self {
        self.placed.member = Some(name.into());
        self
    }

    /// The header of the array; for the view of a part, one of its dtype and shape, whose data starts where the part
    /// does.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What one element looks like.
    #[must_use]
    pub fn dtype(&self) -> &DType {
        self.header.dtype()
    }

    /// The lengths of the axes.
    #[must_use]
    pub fn shape(&self) -> &[u64] {
        self.header.shape()
    }

    /// How many axes there are.
    #[must_use]
    pub fn ndim(&self) -> usize {
        self.header.ndim()
    }

    /// The length of the first axis; one where there are no axes.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.header.records()
    }

    /// Whether the first axis has no length.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads the element or row of an index, in constant time.
    ///
    /// For many of them, [`iter`](View::iter) has a `get` that keeps what it has found out about the type.
    ///
    /// # Errors
    ///
    /// There is no such index, or the element does not fit the type.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[1, 2000])?;
    /// let view = serde_npy::View::new(&file)?;
    /// assert_eq!(view.get::<u8>(0)?, 1);
    /// assert_eq!(
    ///     view.get::<u8>(1).unwrap_err().to_string(),
    ///     "expected u8, found integer `2000` (dtype `<i4`, at `[1]`, byte 132)"
    /// );
    /// # Ok(()) }
    /// ```
    pub fn get<T: Deserialize<'a>>(&self, index: u64) -> Result<T> {
        self.window().get(index).map_err(|error| self.placed(error))
    }

    /// The elements or rows as values of a type, from both ends and by index.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&["a", "bc", "d"])?;
    /// let last = serde_npy::View::new(&file)?.iter::<String>().next_back();
    /// assert_eq!(last.transpose()?.as_deref(), Some("d"));
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn iter<T: Deserialize<'a>>(&self) -> Elements<'a, T> {
        Elements::new(self.window(), self.placed.clone(), self.len())
    }

    /// Reads the elements or rows of a range of indices, the fast way.
    ///
    /// # Errors
    ///
    /// The range does not lie within the view, or an element does not fit the type: the first of these.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[(1, 0.5), (2, 0.25), (3, 0.125)])?;
    /// let view = serde_npy::View::new(&file)?;
    /// assert_eq!(view.records::<(i32, f64)>(1..)?, [(2, 0.25), (3, 0.125)]);
    /// # Ok(()) }
    /// ```
    pub fn records<T: Deserialize<'a>>(&self, range: impl RangeBounds<u64>) -> Result<Vec<T>> {
        let mut records = Vec::new();
        let range = bounds(&range, self.len()).map_err(|error| self.placed(error))?;
        self.window().records(range, &mut records).map_err(|error| self.placed(error))?;
        Ok(records)
    }

    /// Reads all of the view as one value, as [`from_slice`](crate::from_slice) does a file.
    ///
    /// # Errors
    ///
    /// It does not fit the type.
    ///
    /// # Examples
    ///
    /// A struct of columns, of which only those are decoded that it has:
    ///
    /// ```
    /// use serde::Deserialize;
    /// use serde_npy::{Columns, View};
    ///
    /// #[derive(Deserialize)]
    /// struct Prices<'a> {
    ///     price: Vec<f64>,
    ///     #[serde(borrow)]
    ///     symbol: Vec<&'a str>,
    /// }
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// # let dtype = "[('time', '<i8'), ('symbol', '|S4'), ('price', '<f8')]".parse()?;
    /// # let rows = [(1, "ACME", 1.5), (2, "GLOB", 2.5), (3, "ACME", 3.5)];
    /// # let file = serde_npy::to_vec_with(&rows, &serde_npy::WriteOptions::default().dtype(dtype))?;
    /// let view = View::new(&file)?;
    /// let Columns(prices) = view.slice(1..)?.deserialize::<Columns<Prices>>()?;
    /// assert_eq!((prices.price, prices.symbol), (vec![2.5, 3.5], vec!["GLOB", "ACME"]));
    /// # Ok(()) }
    /// ```
    pub fn deserialize<T: Deserialize<'a>>(&self) -> Result<T> {
        self.window().whole().map_err(|error| self.placed(error))
    }

    /// The view of a range of indices of the first axis.
    ///
    /// # Errors
    ///
    /// The range does not lie within the view, or the array has no axes.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[10, 11, 12, 13])?;
    /// let view = serde_npy::View::new(&file)?;
    /// assert_eq!(view.slice(1..3)?.deserialize::<Vec<i32>>()?, [11, 12]);
    /// # Ok(()) }
    /// ```
    pub fn slice(&self, range: impl RangeBounds<u64>) -> Result<View<'a>> {
        let sliced = || {
            let mut shape = self.shape().to_vec();
            let Some(length) = shape.first_mut() else { return Err(Error::data("a range of an array without axes")) };
            let range = bounds(&range, *length)?;
            *length = range.end.saturating_sub(range.start);
            let start = range.start.saturating_mul(self.strides.first().copied().unwrap_or(0));
            self.within(self.dtype().clone(), shape, self.strides.clone(), start)
        };
        sliced().map_err(|error| self.placed(error))
    }

    /// The view of what lies at an index of the first axis: [`axis`](View::axis) of 0.
    ///
    /// # Errors
    ///
    /// There is no such index, or the array has no axes.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[[1, 2], [3, 4]])?;
    /// assert_eq!(serde_npy::View::new(&file)?.row(1)?.deserialize::<Vec<i32>>()?, [3, 4]);
    /// # Ok(()) }
    /// ```
    pub fn row(&self, index: u64) -> Result<View<'a>> {
        self.axis(0, index)
    }

    /// The view of what lies at an index of an axis, which has one axis less.
    ///
    /// # Errors
    ///
    /// There is no such axis or index.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[[[1, 2], [3, 4], [5, 6]]])?;
    /// let view = serde_npy::View::new(&file)?;
    /// assert_eq!(view.shape(), [1, 3, 2]);
    /// assert_eq!(view.axis(1, 2)?.deserialize::<[[i32; 2]; 1]>()?, [[5, 6]]);
    /// assert_eq!(view.axis(2, 1)?.deserialize::<[[i32; 3]; 1]>()?, [[2, 4, 6]]);
    /// assert_eq!(view.axis(3, 0).unwrap_err().to_string(), "expected an axis below 3, found 3");
    /// # Ok(()) }
    /// ```
    pub fn axis(&self, axis: usize, index: u64) -> Result<View<'a>> {
        let fixed = || {
            let (mut shape, mut strides) = (self.shape().to_vec(), self.strides.clone());
            if axis >= shape.len() || axis >= strides.len() {
                let ndim = shape.len();
                let message = if ndim == 0 {
                    "expected an array with axes, found one without".to_owned()
                } else {
                    format!("expected an axis below {ndim}, found {axis}")
                };
                return Err(Error::data(message));
            }
            let (length, stride) = (shape.remove(axis), strides.remove(axis));
            if index >= length {
                return Err(Error::data(format!("expected an index below {length}, found {index}")));
            }
            self.within(self.dtype().clone(), shape, strides, index.saturating_mul(stride))
        };
        fixed().map_err(|error| self.placed(error))
    }

    /// The view with its axes in reverse order, as NumPy's `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// let file = serde_npy::to_vec(&[[1, 2, 3], [4, 5, 6]])?;
    /// let view = serde_npy::View::new(&file)?.transpose();
    /// assert_eq!(view.deserialize::<[[i32; 2]; 3]>()?, [[1, 4], [2, 5], [3, 6]]);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn transpose(&self) -> View<'a> {
        let reversed = |lengths: &[u64]| lengths.iter().rev().copied().collect::<Vec<_>>();
        // The lengths have the same product as before.
        self.within(self.dtype().clone(), reversed(self.shape()), reversed(&self.strides), 0)
            .unwrap_or_else(|_| self.clone())
    }

    /// The view of one field of the records, or of a field within a field, with the axes of the view.
    ///
    /// A name is that of the field, or else its title. Of the file, only the bytes of the field are looked at.
    ///
    /// # Errors
    ///
    /// There is no such field, or the elements are no records.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// # let dtype = "[('id', '<i8'), ('at', [('x', '<f4'), ('y', '<f4')])]".parse()?;
    /// # let rows = [(1, (0.5, 1.5)), (2, (0.25, 2.5))];
    /// # let file = serde_npy::to_vec_with(&rows, &serde_npy::WriteOptions::default().dtype(dtype))?;
    /// let view = serde_npy::View::new(&file)?;
    /// assert_eq!(view.dtype().to_string(), "[('id', '<i8'), ('at', [('x', '<f4'), ('y', '<f4')])]");
    /// assert_eq!(view.field(&["at", "y"])?.get::<f32>(1)?, 2.5);
    /// assert_eq!(
    ///     view.field(&["at", "z"]).unwrap_err().to_string(),
    ///     "there is no field `z`, there are `x`, `y` (at `at`)"
    /// );
    /// # Ok(()) }
    /// ```
    pub fn field(&self, path: &[&str]) -> Result<View<'a>> {
        let found = || {
            let (mut dtype, mut start) = (self.dtype(), 0u64);
            let mut fields = self.fields.to_vec();
            let at =
                |error: Error, fields: &[String]| fields.iter().rev().fold(error, |error, name| error.at_field(name));
            for &name in path {
                let DType::Struct(record) = dtype else {
                    let what = match dtype {
                        DType::Subarray(_) => "a subarray, which is read as a whole".to_owned(),
                        DType::Scalar(scalar) => format!("`{scalar}`"),
                        DType::Struct(_) => format!("{dtype}"),
                    };
                    return Err(at(
                        Error::data(format!("expected a record with a field `{name}`, found {what}")),
                        &fields,
                    ));
                };
                let by_name = record.fields().iter().find(|field| field.name() == name);
                let field = by_name.or_else(|| record.fields().iter().find(|field| field.title() == Some(name)));
                let Some(field) = field else {
                    let names = record.fields().iter().map(crate::dtype::Field::name);
                    return Err(at(Error::no_field(name, names), &fields));
                };
                dtype = field.dtype();
                start = start.saturating_add(u64::try_from(field.offset()).unwrap_or(u64::MAX));
                fields.push(field.name().to_owned());
            }
            let part = self.within(dtype.clone(), self.shape().to_vec(), self.strides.clone(), start)?;
            Ok(View { fields: fields.into(), plan: Arc::default(), ..part })
        };
        found().map_err(|error| self.placed(error))
    }

    /// The values of one field of the records, or of a field within a field: [`field`](View::field), then
    /// [`iter`](View::iter).
    ///
    /// # Errors
    ///
    /// As for [`field`](View::field).
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> serde_npy::Result<()> {
    /// # let dtype = "[('id', '<i8'), ('name', '|S8'), ('at', [('x', '<f4'), ('y', '<f4')])]".parse()?;
    /// # let rows = [(1, "one", (0.5, 1.5)), (2, "two", (0.25, 2.5))];
    /// # let file = serde_npy::to_vec_with(&rows, &serde_npy::WriteOptions::default().dtype(dtype))?;
    /// let view = serde_npy::View::new(&file)?;
    /// assert_eq!(view.column::<f32>(&["at", "y"])?.to_vec()?, [1.5, 2.5]);
    /// assert_eq!(view.column::<&str>(&["name"])?.to_vec()?, ["one", "two"]); // borrowed from the file
    /// assert_eq!(
    ///     view.column::<f32>(&["z"]).unwrap_err().to_string(),
    ///     "there is no field `z`, there are `id`, `name`, `at`"
    /// );
    /// # Ok(()) }
    /// ```
    pub fn column<T: Deserialize<'a>>(&self, path: &[&str]) -> Result<Elements<'a, T>> {
        Ok(self.field(path)?.iter())
    }

    /// The view of a part, whose first element is `start` bytes from that of this view.
    pub(crate) fn within(&self, dtype: DType, shape: Vec<u64>, strides: Vec<u64>, start: u64) -> Result<View<'a>> {
        let itemsize = u64::try_from(dtype.itemsize()).unwrap_or(u64::MAX);
        let packed = |fortran_order| is_packed(&shape, &strides, itemsize, fortran_order);
        let fortran_order = packed(true) && !packed(false);
        let offset = self.header.data_offset().saturating_add(start);
        let header = Arc::new(self.header.part(dtype, shape, fortran_order, offset)?);
        Ok(View { header, data: data_from(self.data, start), strides, ..self.clone() })
    }

    /// Whether the elements follow each other without gaps, in the order of the header.
    pub(crate) fn is_packed(&self) -> bool {
        let itemsize = u64::try_from(self.dtype().itemsize()).unwrap_or(u64::MAX);
        is_packed(self.shape(), &self.strides, itemsize, self.header.fortran_order())
    }

    #[cfg(feature = "bytemuck")]
    pub(crate) fn strides(&self) -> &[u64] {
        &self.strides
    }

    /// The bytes from the first element on, and more behind the last.
    #[cfg(feature = "bytemuck")]
    pub(crate) fn data(&self) -> &'a [u8] {
        self.data
    }

    #[cfg(any(feature = "bytemuck", feature = "rayon"))]
    pub(crate) fn limits(&self) -> &Limits {
        &self.options.limits
    }

    #[cold]
    pub(crate) fn placed(&self, error: Error) -> Error {
        self.placed.add(error)
    }

    pub(crate) fn window(&self) -> Window<'a> {
        let plan = self.plan.get_or_init(|| Arc::new(Node::new(self.dtype())));
        let frame = Frame {
            header: Arc::clone(&self.header),
            plan: Arc::clone(plan),
            data: self.data,
            strides: self.strides.clone(),
            packed: self.is_packed(),
            fields: Arc::clone(&self.fields),
        };
        Window::new(frame, &self.options)
    }
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("header", &self.header).field("fields", &self.fields).finish_non_exhaustive()
    }
}
