//! A whole array through serde: its axes as nested sequences, in logical order whatever the order of the file.

use crate::de::axis::Axis;
use crate::de::cursor::{Cursor, refuse_objects, shape_text};
use crate::de::record::Record;
use crate::de::source::Source;
use crate::error::{Error, Result};
use crate::header::Header;
use crate::nd;
use crate::options::ReadOptions;
use serde::de::Visitor;
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
    cursor: Cursor<'de>,
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
        Ok(Deserializer { cursor: Cursor::new(header, source, options) })
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
        Ok(Deserializer { cursor: Cursor::new(header, source, options) })
    }

    /// The header of the array.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.cursor.header
    }

    /// Refuses bytes behind the array, where [`ReadOptions::trailing`] is `false`.
    ///
    /// # Errors
    ///
    /// There are such bytes, or the reader fails; or the array has not been read out of it.
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
    ///     "expected the end of the file, found 3 bytes, 1 whole element among them, behind the array (byte 132)"
    /// );
    /// # Ok(()) }
    /// ```
    pub fn end(&mut self) -> Result<()> {
        let Cursor { header, context, source, .. } = &mut self.cursor;
        if context.options.trailing { Ok(()) } else { source.end(header) }
    }

    /// Every element of an array of one axis, behind those that are there already.
    pub(crate) fn records<T: Record<'de>>(&mut self, out: &mut Vec<T>) -> Result<()> {
        let [length] = *self.cursor.header.shape() else {
            return Err(Error::data(format!(
                "expected an array of one axis, found one of shape {}",
                shape_text(self.cursor.header.shape())
            )));
        };
        let itemsize = self.cursor.itemsize();
        let room = self.cursor.context.check_room(length, itemsize);
        room.map_err(|error| error.at_offset(self.cursor.header.data_offset()))?;
        // At once where the data is known to be there, else as it arrives.
        let held = self.cursor.source.held().map_or(0, |bytes| bytes.checked_div(itemsize).unwrap_or(0).min(length));
        let reserved = usize::try_from(held).is_ok_and(|held| held > 0 && out.try_reserve(held).is_ok());
        let mut position = 0u64;
        while position < length {
            let left = length.saturating_sub(position);
            let block = self.cursor.elements(position, left)?;
            let bytes = block.bytes.get().len();
            let count = u64::try_from(bytes).unwrap_or(u64::MAX).checked_div(itemsize).unwrap_or(left);
            if !reserved {
                // As many as have arrived, so that memory follows them.
                out.reserve(usize::try_from(count).unwrap_or(usize::MAX).min(bytes));
            }
            T::read_block(block, count, out).map_err(|(done, error)| error.at_index(position.saturating_add(done)))?;
            position = position.saturating_add(count);
        }
        Ok(())
    }

    /// Notes how many bytes the reader is known to have, the header included.
    pub(crate) fn set_known(&mut self, bytes: u64) {
        let Cursor { header, source, .. } = &mut self.cursor;
        if let Source::Blocks(blocks) = source {
            blocks.set_known(bytes.saturating_sub(header.data_offset()));
        }
    }

    /// How many more values without bytes may be handed out.
    #[cfg(feature = "npz")]
    pub(crate) fn empty_left(&self) -> u64 {
        self.cursor.context.empty_left()
    }

    /// Sets how many more values without bytes may be handed out, where several arrays are one read.
    #[cfg(feature = "npz")]
    pub(crate) fn set_empty_left(&mut self, left: u64) {
        self.cursor.context.set_empty_left(left);
    }

    /// The whole array, with its elements at hand in logical order unless they are taken as they come.
    fn whole<'a>(&'a mut self, as_they_come: bool) -> Result<Axis<'a, 'de>> {
        if let Source::Blocks(blocks) = &self.cursor.source
            && blocks.received() > 0
        {
            return Err(Error::data("the array has been read already, which can be done only once out of a reader"));
        }
        if !self.cursor.in_order && !as_they_come {
            self.cursor.hold_all()?;
        }
        Ok(Axis::whole(&mut self.cursor))
    }

    /// Whether all of the data has been read: a type may keep the error of a reader to itself, and go on or stop there.
    fn check_read(&self) -> Result<()> {
        let Cursor { header, source: Source::Blocks(blocks), .. } = &self.cursor else { return Ok(()) };
        if blocks.received() == header.data_len() && blocks.held() == 0 {
            return Ok(());
        }
        let message = "the data could not be read to its end, an error that the type has passed over";
        Err(Error::eof(message).at_offset(header.data_offset().saturating_add(blocks.received())))
    }
}

impl fmt::Debug for Deserializer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deserializer").field("header", &self.cursor.header).finish_non_exhaustive()
    }
}

macro_rules! whole {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value> {
            let value = self.whole(false)?.$method($($argument,)* visitor)?;
            self.check_read()?;
            Ok(value)
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

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        // An array that keeps the order of the file takes its elements as they come.
        let as_they_come = nd::asked_for(name, fields) == Some(nd::Whose::Ours);
        let value = self.whole(as_they_come)?.deserialize_struct(name, fields, visitor)?;
        self.check_read()?;
        Ok(value)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
