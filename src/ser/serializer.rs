//! serde's own trait over a writer, for generic code.

use crate::error::{Count, Error, Result};
use crate::header::Header;
use crate::io::Sink;
use crate::options::WriteOptions;
use crate::plan::Node;
use crate::ser::array::Output;
use crate::ser::content::{Builder, Content, Parts};
use crate::ser::framing::{check_value, frame, header_of, write_value};
use crate::ser::probe::is_byte;
use crate::ser::shown::collect_str;
use crate::ser::trace::{trace, variant_with_data};
use crate::ser::whole::Whole;
use crate::trace::Layout;
use serde::ser::{self, Impossible, Serialize};
use std::fmt;
use std::io::Write;

/// Writes the one value that it is given as a `.npy` file.
///
/// The functions of the crate's root are enough for most uses; this type is for generic code that takes a
/// [`serde::Serializer`], such as one that turns another format into an array without a Rust type in between.
///
/// A value is shown to a serializer only once, but dtype and shape stand in front of the data. So the value is held in
/// memory until it is complete; unless the dtype is given and the length of the outermost sequence is known in advance,
/// when elements are written as they come. [`to_writer`](crate::to_writer) passes over its value twice instead.
///
/// # Examples
///
/// ```
/// use serde_npy::Serializer;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut file = Vec::new();
/// let mut json = serde_json::Deserializer::from_str(r#"[{"x": 1, "name": "a"}, {"x": 2, "name": "bc"}]"#);
/// serde_transcode::transcode(&mut json, &mut Serializer::new(&mut file))?;
///
/// let header = serde_npy::Header::read(&file[..])?;
/// assert_eq!(header.dtype().to_string(), "[('x', '<u8'), ('name', '<U2')]");
/// # Ok(()) }
/// ```
pub struct Serializer<W> {
    writer: W,
    options: WriteOptions,
}

impl<W: Write> Serializer<W> {
    /// A serializer that finds the dtype from the value.
    #[must_use]
    pub fn new(writer: W) -> Self {
        Serializer::with_options(writer, WriteOptions::default())
    }

    /// A serializer with options.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde::Serialize as _;
    /// use serde_npy::{Serializer, WriteOptions};
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let mut file = Vec::new();
    /// let options = WriteOptions::default().dtype(">i2".parse()?);
    /// [1, 2, 3].serialize(&mut Serializer::with_options(&mut file, options))?;
    /// assert_eq!(file[128..], [0, 1, 0, 2, 0, 3]);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_options(writer: W, options: WriteOptions) -> Self {
        Serializer { writer, options }
    }

    /// Gives the writer back.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.writer
    }

    fn write(&mut self, value: &Content) -> Result<()> {
        let frame = frame(value, &self.options)?;
        if self.options.dtype.is_some() {
            check_value(value, &frame)?;
        }
        write_value(value, &frame, &mut self.writer)
    }
}

impl<W> fmt::Debug for Serializer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serializer").field("options", &self.options).finish_non_exhaustive()
    }
}

/// The parts of the value, held until they are complete or written as they come.
#[derive(Debug)]
pub struct Compound<'a, W> {
    serializer: &'a mut Serializer<W>,
    state: State,
}

enum State {
    Held(Parts),
    Stream(Stream),
}

/// Elements along the outermost axis, of a given dtype and a known number.
struct Stream {
    length: u64,
    written: u64,
    batch: Vec<Content>,
    /// Known with the first element.
    header: Option<(Header, Node)>,
}

/// How many elements are encoded at a time.
const BATCH: usize = 1024;

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            State::Held(_) => "Held",
            State::Stream(_) => "Stream",
        })
    }
}

impl<'a, W: Write> Compound<'a, W> {
    fn held(serializer: &'a mut Serializer<W>, parts: Parts) -> Whole<Self> {
        Whole::new(Compound { serializer, state: State::Held(parts) })
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match &mut self.state {
            State::Held(parts) => parts.item(value),
            State::Stream(stream) => {
                let waiting = u64::try_from(stream.batch.len()).unwrap_or(u64::MAX);
                let index = stream.written.saturating_add(waiting);
                stream.batch.push(value.serialize(Builder::of_parts()).map_err(|error| error.at_index(index))?);
                if stream.batch.len() >= BATCH { stream.flush(self.serializer) } else { Ok(()) }
            }
        }
    }

    fn close(self) -> Result<()> {
        match self.state {
            State::Held(parts) => self.serializer.write(&parts.whole()?),
            State::Stream(mut stream) => {
                stream.flush(self.serializer)?;
                if stream.written < stream.length {
                    return Err(Error::data(format!(
                        "expected {}, found {}",
                        Count(stream.length, "item"),
                        stream.written
                    )));
                }
                Ok(())
            }
        }
    }
}

impl Stream {
    fn flush<W: Write>(&mut self, serializer: &mut Serializer<W>) -> Result<()> {
        let batch = std::mem::take(&mut self.batch);
        if self.header.is_none() {
            let dtype = serializer.options.dtype.clone().ok_or_else(|| Error::data("a stream without a dtype"))?;
            let mut shape = vec![self.length];
            if let Some(first) = batch.first() {
                shape.extend(Layout::around(&trace(first, true)?, &dtype).shape);
            }
            let header = header_of(dtype, shape, &serializer.options)?;
            header.write(&mut serializer.writer)?;
            let plan = Node::new(header.dtype());
            self.header = Some((header, plan));
        }
        let Some((header, plan)) = &self.header else { return Ok(()) };
        let inner = header.shape().get(1..).unwrap_or_default();
        let sink = Sink::new(&mut serializer.writer as &mut dyn Write, plan.itemsize())?;
        let mut output = Output::blocks(plan, inner, sink);
        for element in batch {
            if self.written >= self.length {
                return Err(Error::data(format!("expected {}, found more", Count(self.length, "item"))));
            }
            element.serialize(output.array()).map_err(|error| error.at_index(self.written))?;
            self.written = self.written.saturating_add(1);
        }
        output.finish()
    }
}

macro_rules! leaves {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<()> {
            let value = Builder::default().$method($($argument),*)?;
            self.write(&value)
        }
    )*};
}

impl<'a, W: Write> ser::Serializer for &'a mut Serializer<W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Whole<Compound<'a, W>>;
    type SerializeTuple = Whole<Compound<'a, W>>;
    type SerializeTupleStruct = Whole<Compound<'a, W>>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Whole<Compound<'a, W>>;
    type SerializeStruct = Whole<Compound<'a, W>>;
    type SerializeStructVariant = Impossible<(), Error>;

    leaves! {
        serialize_bool(value: bool);
        serialize_i8(value: i8);
        serialize_i16(value: i16);
        serialize_i32(value: i32);
        serialize_i64(value: i64);
        serialize_i128(value: i128);
        serialize_u8(value: u8);
        serialize_u16(value: u16);
        serialize_u32(value: u32);
        serialize_u64(value: u64);
        serialize_u128(value: u128);
        serialize_f32(value: f32);
        serialize_f64(value: f64);
        serialize_char(value: char);
        serialize_str(value: &str);
        serialize_bytes(value: &[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(name: &'static str);
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str);
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        let value = ser::Serializer::serialize_newtype_struct(Builder::default(), name, value)?;
        self.write(&value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        _value: &T,
    ) -> Result<()> {
        Err(variant_with_data(name, variant))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Whole<Compound<'a, W>>> {
        // Column-major data, and the bytes of one `S` or `V`, cannot be told from an axis before they are complete.
        let state = match (length, &self.options.dtype) {
            (Some(length), Some(dtype)) if !self.options.fortran_order && !may_be_one_element(dtype) => {
                let length = u64::try_from(length).unwrap_or(u64::MAX);
                State::Stream(Stream { length, written: 0, batch: Vec::new(), header: None })
            }
            _ => State::Held(Parts::sequence()),
        };
        Ok(Whole::new(Compound { serializer: self, state }))
    }

    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, items: I) -> Result<()> {
        use ser::SerializeSeq as _;
        let items = items.into_iter();
        let length = items.size_hint().1.filter(|&most| most == items.size_hint().0);
        if length == Some(0) && is_byte::<I::Item>() {
            return self.write(&Content::NoBytes);
        }
        let mut sequence = self.serialize_seq(length)?;
        for item in items {
            sequence.serialize_element(&item)?;
        }
        sequence.end()
    }

    fn serialize_tuple(self, _length: usize) -> Result<Whole<Compound<'a, W>>> {
        Ok(Compound::held(self, Parts::tuple()))
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Whole<Compound<'a, W>>> {
        Ok(Compound::held(self, Parts::tuple()))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(variant_with_data(name, variant))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Whole<Compound<'a, W>>> {
        Ok(Compound::held(self, Parts::map()))
    }

    fn serialize_struct(self, name: &'static str, _length: usize) -> Result<Whole<Compound<'a, W>>> {
        Ok(Compound::held(self, Parts::record(name)))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeStructVariant> {
        Err(variant_with_data(name, variant))
    }

    collect_str!();

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Whether a sequence of numbers can be a single element of a dtype.
fn may_be_one_element(dtype: &crate::dtype::DType) -> bool {
    use crate::dtype::{DType, Kind};
    match dtype {
        DType::Scalar(scalar) => matches!(scalar.kind(), Kind::Bytes | Kind::Void | Kind::Complex),
        DType::Struct(_) => false,
        DType::Subarray(_) => true,
    }
}

impl<W: Write> ser::SerializeSeq for Compound<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

impl<W: Write> ser::SerializeTuple for Compound<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

impl<W: Write> ser::SerializeTupleStruct for Compound<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

impl<W: Write> ser::SerializeStruct for Compound<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        match &mut self.state {
            State::Held(parts) => parts.field(key, value),
            State::Stream(_) => Err(Error::data("a field outside of a record")),
        }
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

impl<W: Write> ser::SerializeMap for Compound<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        match &mut self.state {
            State::Held(parts) => parts.key(key),
            State::Stream(_) => Err(Error::data("a key outside of a map")),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}
