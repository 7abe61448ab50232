//! A whole array through serde: its axes as nested sequences, in logical order whatever the order of the file.

use crate::de::access::{deserialize_part, taken};
use crate::de::context::Context;
use crate::de::element::Element;
use crate::de::record::Record;
use crate::de::source::Source;
use crate::error::{Error, Result};
use crate::header::Header;
use crate::options::ReadOptions;
use crate::plan::{Coding, Leaf, Node};
use serde::de::{DeserializeSeed, Deserializer as _, Expected, SeqAccess, Visitor};
use std::fmt;
use std::io::Read;

/// Gives serde the one array that a `.npy` file holds.
///
/// The functions of the crate's root are enough for most uses; this type is for generic code that takes a
/// [`serde::Deserializer`], such as one that turns an array into another format without a Rust type in between.
///
/// An array without axes is its one element, an array of *n* axes is *n* nested sequences, in C order also if the file
/// is in Fortran order.
///
/// # Examples
///
/// ```
/// use serde_npy::Deserializer;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = serde_npy::to_vec(&vec![[1u8, 2], [3, 4]])?;
///
/// let mut json = Vec::new();
/// let mut deserializer = Deserializer::from_slice(&bytes)?;
/// serde_transcode::transcode(&mut deserializer, &mut serde_json::Serializer::new(&mut json))?;
/// deserializer.end()?;
/// assert_eq!(json, b"[[1,2],[3,4]]");
/// # Ok(()) }
/// ```
pub struct Deserializer<'de> {
    header: Header,
    plan: Node,
    context: Context,
    source: Source<'de>,
    /// How many elements along each axis lie one step apart, in elements of the file.
    strides: Vec<u64>,
    /// Whether the elements lie in the file in logical order.
    in_order: bool,
}

impl<'de> Deserializer<'de> {
    /// Reads the header of a file in memory; strings and bytes can then be borrowed from it.
    ///
    /// # Errors
    ///
    /// The header is not well formed, its dtype contains objects, or the data is shorter than it says.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde::Deserialize as _;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let bytes = serde_npy::to_vec(&[1.5, 2.5])?;
    /// let mut deserializer = serde_npy::Deserializer::from_slice(&bytes)?;
    /// assert_eq!(deserializer.header().shape(), [2]);
    /// assert_eq!(<[f64; 2]>::deserialize(&mut deserializer)?, [1.5, 2.5]);
    /// # Ok(()) }
    /// ```
    pub fn from_slice(input: &'de [u8]) -> Result<Self> {
        Deserializer::from_slice_with(input, &ReadOptions::default())
    }

    /// [`from_slice`](Deserializer::from_slice) with options.
    ///
    /// # Errors
    ///
    /// As for [`from_slice`](Deserializer::from_slice).
    pub fn from_slice_with(input: &'de [u8], options: &ReadOptions) -> Result<Self> {
        let mut rest = input;
        let header = Header::read_with(&mut rest, options)?;
        refuse_objects(&header)?;
        let source = Source::slice(&header, rest)?;
        Ok(Deserializer::new(header, source, options))
    }

    /// Reads the header from a reader, and later exactly the bytes of the array.
    ///
    /// No buffering is needed around it: data is read in blocks of 256 KiB.
    ///
    /// # Errors
    ///
    /// The header cannot be read or is not well formed, or its dtype contains objects.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde::Deserialize as _;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let bytes = serde_npy::to_vec(&[1.5, 2.5])?;
    /// let mut deserializer = serde_npy::Deserializer::from_reader(&bytes[..])?;
    /// assert_eq!(Vec::<f64>::deserialize(&mut deserializer)?, [1.5, 2.5]);
    /// # Ok(()) }
    /// ```
    pub fn from_reader<R: Read + 'de>(reader: R) -> Result<Self> {
        Deserializer::from_reader_with(reader, &ReadOptions::default())
    }

    /// [`from_reader`](Deserializer::from_reader) with options.
    ///
    /// # Errors
    ///
    /// As for [`from_reader`](Deserializer::from_reader).
    pub fn from_reader_with<R: Read + 'de>(mut reader: R, options: &ReadOptions) -> Result<Self> {
        let header = Header::read_with(&mut reader, options)?;
        refuse_objects(&header)?;
        let source = Source::reader(&header, Box::new(reader));
        Ok(Deserializer::new(header, source, options))
    }

    fn new(header: Header, source: Source<'de>, options: &ReadOptions) -> Self {
        let plan = Node::new(header.dtype());
        let (strides, in_order) = strides(header.shape(), header.fortran_order());
        Deserializer { header, plan, context: Context::new(options.clone()), source, strides, in_order }
    }

    /// The header of the array.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Refuses bytes behind the array, where [`ReadOptions::trailing`] is `false`.
    ///
    /// # Errors
    ///
    /// There are such bytes, or the reader fails.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde::Deserialize as _;
    /// use serde_npy::{Deserializer, ReadOptions};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut bytes = serde_npy::to_vec(&[1u16, 2])?;
    /// bytes.extend([3, 0, 4]);
    /// let mut deserializer = Deserializer::from_slice_with(&bytes, &ReadOptions::default().trailing(false))?;
    /// Vec::<u16>::deserialize(&mut deserializer)?;
    /// assert_eq!(
    ///     deserializer.end().unwrap_err().to_string(),
    ///     "expected the end of the file, found 3 bytes, 1 whole elements behind the array (byte 132)"
    /// );
    /// # Ok(()) }
    /// ```
    pub fn end(&mut self) -> Result<()> {
        if self.context.options.trailing { Ok(()) } else { self.source.end(&self.header) }
    }

    /// Every element of an array of one axis, behind those that are there already.
    pub(crate) fn records<T: Record<'de>>(&mut self, out: &mut Vec<T>) -> Result<()> {
        let [length] = *self.header.shape() else {
            return Err(Error::data(format!(
                "expected an array of one axis, found one of shape {}",
                shape_text(self.header.shape())
            )));
        };
        let itemsize = self.header.dtype().itemsize();
        let mut position = 0;
        while position < length {
            let bytes = self.source.elements(&self.header, position, length.saturating_sub(position))?;
            let count = match u64::try_from(bytes.get().len()).unwrap_or(0).checked_div(u64::try_from(itemsize).unwrap_or(0)) {
                Some(count) => count,
                None => length.saturating_sub(position),
            };
            let offset = self.header.data_offset().saturating_add(position.saturating_mul(u64::try_from(itemsize).unwrap_or(0)));
            let block = Element { context: &self.context, node: &self.plan, bytes, offset };
            // As many as have arrived, so that memory follows them.
            out.reserve(usize::try_from(count).unwrap_or(0).min(bytes.get().len()));
            T::read_block(block, count, out).map_err(|(done, error)| error.at_index(position.saturating_add(done)))?;
            position = position.saturating_add(count);
        }
        Ok(())
    }

    /// How many more values without bytes may be handed out.
    #[cfg(feature = "npz")]
    pub(crate) fn empty_left(&self) -> u64 {
        self.context.empty_left()
    }

    /// Sets how many more values without bytes may be handed out, where several arrays are one read.
    #[cfg(feature = "npz")]
    pub(crate) fn set_empty_left(&mut self, left: u64) {
        self.context.set_empty_left(left);
    }

    fn axis<'a>(&'a mut self) -> Axis<'a, 'de> {
        Axis { array: self, depth: 0, position: 0 }
    }

    fn prepared<'a>(&'a mut self) -> Result<Axis<'a, 'de>> {
        if !self.in_order && matches!(self.source, Source::Blocks(_)) {
            let empty = Source::Slice { data: &[], rest: &[] };
            self.source = std::mem::replace(&mut self.source, empty).hold_all(&self.header)?;
        }
        Ok(self.axis())
    }
}

impl fmt::Debug for Deserializer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deserializer").field("header", &self.header).finish_non_exhaustive()
    }
}

/// One field of objects turns the data of the whole array into a pickle, in which nothing has an offset.
pub(crate) fn refuse_objects(header: &Header) -> Result<()> {
    let Some(path) = header.dtype().first_object() else { return Ok(()) };
    let what = if path.is_empty() { "the dtype is `|O`".to_owned() } else { format!("field `{}` is of dtype `|O`", path.join(".")) };
    Err(Error::unsupported(format!(
        "{what}: Python objects, for which NumPy saves the whole array as a pickle; save it with fixed-width strings or \
         numbers instead, such as `astype('U16')`, or `column_dtypes` of `DataFrame.to_records`"
    )))
}

/// The distance of neighbours along each axis, and whether the file is in logical order.
fn strides(shape: &[u64], fortran_order: bool) -> (Vec<u64>, bool) {
    let mut strides = vec![0; shape.len()];
    let mut step = 1u64;
    let mut set = |stride: &mut u64, length: &u64| {
        *stride = step;
        // The product was checked with the header; an axis of no length leaves no position to compute.
        step = step.saturating_mul(*length);
    };
    if fortran_order {
        strides.iter_mut().zip(shape).for_each(|(stride, length)| set(stride, length));
    } else {
        strides.iter_mut().zip(shape).rev().for_each(|(stride, length)| set(stride, length));
    }
    let in_order = !fortran_order || shape.iter().filter(|&&length| length != 1).count() <= 1 || shape.contains(&0);
    (strides, in_order)
}

/// A shape as Python prints it.
pub(crate) fn shape_text(shape: &[u64]) -> String {
    match shape {
        [only] => format!("({only},)"),
        _ => format!("({})", shape.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The array from one of its axes on.
struct Axis<'a, 'de> {
    array: &'a mut Deserializer<'de>,
    depth: usize,
    /// The position in the file of the first element from here.
    position: u64,
}

impl<'de> Axis<'_, 'de> {
    fn length(&self) -> Option<u64> {
        self.array.header.shape().get(self.depth).copied()
    }

    /// Bytes of everything from here on, to tell whether there are any.
    fn bytes(&self) -> u64 {
        let inner = self.array.header.shape().get(self.depth..).unwrap_or_default();
        let empty = inner.contains(&0) || self.array.header.dtype().itemsize() == 0;
        u64::from(!empty)
    }

    /// Hands the one element, or the sequence along this axis, to a function each.
    fn element<V>(self, take: impl FnOnce(Element<'_, 'de>) -> Result<V>) -> Result<V> {
        let Deserializer { header, plan, context, source, .. } = self.array;
        let bytes = source.element(header, self.position)?;
        let itemsize = u64::try_from(plan.itemsize()).unwrap_or(u64::MAX);
        let offset = header.data_offset().saturating_add(self.position.saturating_mul(itemsize));
        let element = Element { context, node: plan, bytes, offset };
        take(element).map_err(|error| element.place(error))
    }

    fn sequence<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let mut steps = Steps { axis: self, next: 0 };
        let value = visitor.visit_seq(&mut steps)?;
        let length = steps.axis.length().unwrap_or(0);
        taken(usize::try_from(steps.next).unwrap_or(usize::MAX), usize::try_from(length).unwrap_or(usize::MAX), "items")?;
        Ok(value)
    }

    fn tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        match self.length() {
            Some(found) if u64::try_from(length).ok() == Some(found) => self.sequence(visitor),
            Some(found) => Err(serde::de::Error::invalid_length(
                usize::try_from(found).unwrap_or(usize::MAX),
                &visitor as &dyn Expected,
            )),
            None => self.element(|element| element.deserialize_tuple(length, visitor)),
        }
    }

    /// The bytes of an array of `|u1` of one axis, where they lie in one piece.
    fn bytes_of<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Some(length) = self.length() else {
            return self.element(|element| element.deserialize_bytes(visitor));
        };
        let is_bytes = matches!(self.array.plan, Node::Leaf(Leaf { coding: Coding::U8, .. }));
        if !is_bytes || self.array.header.ndim() != self.depth.saturating_add(1) || !self.array.in_order {
            return self.sequence(visitor);
        }
        let array = self.array;
        if array.header.ndim() == 1 && matches!(array.source, Source::Blocks(_)) {
            let empty = Source::Slice { data: &[], rest: &[] };
            array.source = std::mem::replace(&mut array.source, empty).hold_all(&array.header)?;
        }
        let whole = |all: &[u8]| {
            let start = usize::try_from(self.position).ok()?;
            Some(start..start.checked_add(usize::try_from(length).ok()?)?.min(all.len()))
        };
        match &mut array.source {
            Source::Slice { data, .. } => visitor.visit_borrowed_bytes(whole(data).and_then(|range| data.get(range)).unwrap_or_default()),
            Source::Buffer { data, .. } => {
                let bytes = whole(data).and_then(|range| data.get(range)).unwrap_or_default();
                visitor.visit_bytes(bytes).map_err(|error: Error| error.cannot_borrow("out of a reader"))
            }
            Source::Blocks(_) => {
                let mut bytes = Vec::new();
                for step in 0..length {
                    let element = array.source.element(&array.header, self.position.saturating_add(step))?;
                    bytes.extend_from_slice(element.get());
                }
                visitor.visit_byte_buf(bytes).map_err(|error: Error| error.cannot_borrow("out of a reader"))
            }
        }
    }

    #[cold]
    fn no_record(&self, visitor: &dyn Expected) -> Error {
        let shape = shape_text(self.array.header.shape().get(self.depth..).unwrap_or_default());
        Error::data(format!("expected {visitor}, found an array of shape {shape}; read a `Vec` of it"))
    }
}

/// The steps along an axis.
struct Steps<'a, 'de> {
    axis: Axis<'a, 'de>,
    next: u64,
}

impl<'de> SeqAccess<'de> for Steps<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Axis { array, depth, position } = &mut self.axis;
        let shape = array.header.shape();
        let Some(&length) = shape.get(*depth) else { return Ok(None) };
        let index = self.next;
        if index >= length {
            return Ok(None);
        }
        self.next = index.saturating_add(1);
        let stride = array.strides.get(*depth).copied().unwrap_or(0);
        let position = position.saturating_add(index.saturating_mul(stride));
        let depth = depth.saturating_add(1);
        if depth == shape.len() {
            let Deserializer { header, plan, context, source, .. } = &mut **array;
            let bytes = source.element(header, position)?;
            let itemsize = u64::try_from(plan.itemsize()).unwrap_or(u64::MAX);
            let offset = header.data_offset().saturating_add(position.saturating_mul(itemsize));
            let value = deserialize_part(Element { context, node: plan, bytes, offset }, seed);
            return value.map(Some).map_err(|error| error.at_index(index));
        }
        let inner = Axis { array, depth, position };
        inner.array.context.charge(inner.bytes()).map_err(|error| error.at_index(index))?;
        seed.deserialize(inner).map(Some).map_err(|error| error.at_index(index))
    }

    fn size_hint(&self) -> Option<usize> {
        let left = self.axis.length()?.saturating_sub(self.next);
        usize::try_from(left).ok()
    }
}

macro_rules! scalars {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            if self.length().is_some() {
                return self.sequence(visitor);
            }
            self.element(|element| element.$method(visitor))
        }
    )*};
}

impl<'de> serde::Deserializer<'de> for Axis<'_, 'de> {
    type Error = Error;

    scalars! {
        deserialize_any deserialize_bool
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string
        deserialize_unit deserialize_seq deserialize_map deserialize_identifier
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.bytes_of(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.bytes_of(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.length() {
            Some(_) => visitor.visit_some(self),
            None => self.element(|element| element.deserialize_option(visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match self.length() {
            Some(_) => self.sequence(visitor),
            None => self.element(|element| element.deserialize_unit_struct(name, visitor)),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match self.length() {
            Some(_) => visitor.visit_newtype_struct(self),
            None => self.element(|element| element.deserialize_newtype_struct(name, visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        self.tuple(length, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.tuple(length, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.length() {
            // An axis of numbers is a struct by position, as a tuple would be; one of records has names that say no.
            Some(_) if matches!(self.array.plan, Node::Struct(_)) => Err(self.no_record(&visitor)),
            Some(_) => self.tuple(fields.len(), visitor),
            None => self.element(|element| element.deserialize_struct(name, fields, visitor)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.length() {
            Some(_) => Err(self.no_record(&visitor)),
            None => self.element(|element| element.deserialize_enum(name, variants, visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        // Taken step by step, so that the elements behind come in their turn.
        match self.length() {
            Some(_) => self.sequence(visitor),
            None => self.element(|element| element.deserialize_ignored_any(visitor)),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! whole {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value> {
            self.prepared()?.$method($($argument,)* visitor)
        }
    )*};
}

impl<'de> serde::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    whole! {
        deserialize_any();
        deserialize_option();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_tuple(length: usize);
        deserialize_tuple_struct(name: &'static str, length: usize);
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_unit();
        deserialize_seq();
        deserialize_map();
        deserialize_identifier();
        deserialize_ignored_any();
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
