//! The first of two passes over a value: what dtype and shape it asks for. Nothing is written.

use crate::codec;
use crate::dtype::{ByteOrder, Kind as Scalars, Scalar, TimeUnit};
use crate::error::{Error, Result};
use crate::ser::key::Key;
use crate::ser::numbers::Numbers;
use crate::ser::scalar::Integer;
use crate::with::Adapter;
use serde::ser::{self, Impossible, Serialize, Serializer};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// What has been seen of one place in the value, over all elements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    pub(crate) kind: Kind,
    /// The indices on the way to the first value seen here.
    pub(crate) first: Vec<u64>,
}

/// What kind of value stands at a place.
#[derive(Clone, Debug, Default)]
pub(crate) enum Kind {
    #[default]
    Unseen,
    /// `None`, where the dtype is given and may have a value for it.
    Absent,
    Bool,
    Number(Numbers),
    /// The `half` crate's types, known by their name.
    Half,
    Bfloat,
    /// The longest text, in code points.
    Text(usize),
    Bytes(usize),
    Unit,
    Time(Scalars, TimeUnit),
    Sequence {
        length: u64,
        item: Box<Trace>,
    },
    /// One trace for all items as long as they are of the same type, else one for each.
    Tuple {
        length: usize,
        items: Vec<Trace>,
    },
    Record(Record),
}

/// The fields of a struct or map in the order in which they were first seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) fields: Vec<(Cow<'static, str>, Trace)>,
    /// Positions by name, made when fields first arrive out of order.
    by_name: HashMap<Cow<'static, str>, usize>,
}

/// What the tracers of one pass share.
#[derive(Debug)]
pub(crate) struct Pass {
    /// Whether only the structure of each first item counts, since the dtype is given.
    shape_only: bool,
    indices: RefCell<Vec<u64>>,
    depth: Cell<usize>,
}

/// More than any dtype nests; keeps a value that nests without end from exhausting the stack.
const MAX_DEPTH: usize = 256;

/// The error for what nests deeper than that.
#[cold]
fn too_deep() -> Error {
    Error::limit(format!("a value nested over {MAX_DEPTH} levels deep"))
}

/// The level below `depth`; an error where the value nests without end.
pub(crate) fn deeper(depth: usize) -> Result<usize> {
    if depth >= MAX_DEPTH { Err(too_deep()) } else { Ok(depth.saturating_add(1)) }
}

/// Traces a value: all of it, or only the structure of the first items where the dtype is given.
pub(crate) fn trace<T: Serialize + ?Sized>(value: &T, shape_only: bool) -> Result<Trace> {
    let pass = Pass { shape_only, indices: RefCell::default(), depth: Cell::new(0) };
    let mut trace = Trace::default();
    value.serialize(Tracer { trace: &mut trace, pass: &pass, exact: false })?;
    Ok(trace)
}

#[derive(Clone, Copy)]
struct Place<'t> {
    pass: &'t Pass,
    /// Whether a change of type is an error, on which the caller tries another way.
    exact: bool,
}

struct Tracer<'t> {
    trace: &'t mut Trace,
    pass: &'t Pass,
    exact: bool,
}

impl Kind {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Kind::Unseen => "nothing",
            Kind::Absent => "None",
            Kind::Bool => "a bool",
            Kind::Number(_) => "a number",
            Kind::Half => "an f16",
            Kind::Bfloat => "a bf16",
            Kind::Text(_) => "text",
            Kind::Bytes(_) => "bytes",
            Kind::Unit => "a unit",
            Kind::Time(kind, unit) => {
                let time = if *kind == Scalars::Datetime { "a datetime" } else { "a timedelta" };
                return Cow::Owned(format!("{time} in `{}`", unit.symbol()));
            }
            Kind::Sequence { .. } => "a sequence",
            Kind::Tuple { .. } => "a tuple",
            Kind::Record(_) => "a record",
        })
    }
}

impl<'t> Tracer<'t> {
    /// Notes a value without parts.
    #[inline]
    fn leaf(self, kind: Kind) -> Result<()> {
        let changed = match (&mut self.trace.kind, &kind) {
            (Kind::Number(seen), Kind::Number(new)) => {
                if !seen.covers(new) && self.exact {
                    return Err(self.conflict(&kind));
                }
                seen.merge(new);
                false
            }
            (Kind::Text(seen), Kind::Text(new)) => {
                if *seen != *new && self.exact {
                    return Err(self.conflict(&kind));
                }
                *seen = (*seen).max(*new);
                false
            }
            (Kind::Bytes(seen), Kind::Bytes(new)) if seen == new => false,
            (Kind::Bytes(_), Kind::Bytes(_)) if self.exact => return Err(self.conflict(&kind)),
            (Kind::Bytes(seen), Kind::Bytes(new)) if !self.pass.shape_only => {
                return Err(Error::data(format!(
                    "expected {seen} bytes, found {new}; bytes of different lengths need a dtype of `S` or `V`, given by \
                     `WriteOptions::dtype`"
                ))
                .against(&self.trace.first));
            }
            (Kind::Time(kind, unit), Kind::Time(new_kind, new_unit)) => kind != new_kind || unit != new_unit,
            (seen, new) => std::mem::discriminant(seen) != std::mem::discriminant(new),
        };
        if !changed {
            return Ok(());
        }
        match self.trace.kind {
            Kind::Unseen => {
                self.trace.first = self.pass.indices.borrow().clone();
                self.trace.kind = kind;
                Ok(())
            }
            _ if self.pass.shape_only && !self.exact => Ok(()),
            _ => Err(self.conflict(&kind)),
        }
    }

    #[cold]
    fn conflict(&self, found: &Kind) -> Error {
        Error::data(format!("expected {}, found {}", self.trace.kind.name(), found.name())).against(&self.trace.first)
    }

    /// Goes one level down; an error where the value nests without end.
    fn enter(&self) -> Result<()> {
        self.pass.depth.set(deeper(self.pass.depth.get())?);
        Ok(())
    }

    fn start(&mut self) -> bool {
        let unseen = matches!(self.trace.kind, Kind::Unseen);
        if unseen {
            self.trace.first = self.pass.indices.borrow().clone();
        }
        unseen
    }

    fn sequence(mut self) -> Result<SequenceTracer<'t>> {
        self.enter()?;
        let first = self.start();
        if first {
            self.trace.kind = Kind::Sequence { length: 0, item: Box::default() };
        }
        let place = Place { pass: self.pass, exact: self.exact };
        if !matches!(self.trace.kind, Kind::Sequence { .. }) {
            return Err(self.conflict(&Kind::Sequence { length: 0, item: Box::default() }));
        }
        place.pass.indices.borrow_mut().push(0);
        Ok(SequenceTracer { trace: self.trace, first, count: 0, place })
    }

    fn tuple(mut self, length: usize) -> Result<TupleTracer<'t>> {
        self.enter()?;
        let first = self.start();
        if first {
            self.trace.kind = Kind::Tuple { length, items: Vec::new() };
        }
        match &self.trace.kind {
            Kind::Tuple { length: seen, .. } if *seen == length => {}
            Kind::Tuple { length: seen, .. } => {
                return Err(Error::data(format!("expected a tuple of {seen} items, found one of {length}"))
                    .against(&self.trace.first));
            }
            _ => return Err(self.conflict(&Kind::Tuple { length: 0, items: Vec::new() })),
        }
        let place = Place { pass: self.pass, exact: self.exact };
        place.pass.indices.borrow_mut().push(0);
        Ok(TupleTracer { trace: self.trace, first, next: 0, place })
    }

    fn record(mut self) -> Result<RecordTracer<'t>> {
        self.enter()?;
        let new = self.start();
        if new {
            self.trace.kind = Kind::Record(Record::default());
        }
        let place = Place { pass: self.pass, exact: self.exact };
        let Trace { kind, first } = self.trace;
        match kind {
            Kind::Record(record) => Ok(RecordTracer { record, first, new, next: 0, seen: None, key: None, place }),
            other => Err(Error::data(format!("expected {}, found a record", other.name())).against(first)),
        }
    }
}

macro_rules! numbers {
    ($($method:ident $type:ty, $new:ident;)*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<()> {
            self.leaf(Kind::Number(Numbers::$new(value)))
        }
    )*};
}

impl<'t> Serializer for Tracer<'t> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = SequenceTracer<'t>;
    type SerializeTuple = TupleTracer<'t>;
    type SerializeTupleStruct = TupleTracer<'t>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = RecordTracer<'t>;
    type SerializeStruct = RecordTracer<'t>;
    type SerializeStructVariant = Impossible<(), Error>;

    numbers! {
        serialize_i8 i8, i8;
        serialize_i16 i16, i16;
        serialize_i32 i32, i32;
        serialize_i64 i64, i64;
        serialize_u8 u8, u8;
        serialize_u16 u16, u16;
        serialize_u32 u32, u32;
        serialize_u64 u64, u64;
        serialize_f32 f32, f32;
        serialize_f64 f64, f64;
    }

    #[inline]
    fn serialize_bool(self, _value: bool) -> Result<()> {
        self.leaf(Kind::Bool)
    }

    fn serialize_i128(self, _value: i128) -> Result<()> {
        if self.pass.shape_only { self.leaf(Kind::Number(Numbers::i64(0))) } else { Err(no_dtype("`i128`")) }
    }

    fn serialize_u128(self, _value: u128) -> Result<()> {
        if self.pass.shape_only { self.leaf(Kind::Number(Numbers::u64(0))) } else { Err(no_dtype("`u128`")) }
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        // A text that ends in NUL is refused with its place, before anything is written.
        if value.ends_with('\0') && !self.pass.shape_only {
            return Err(codec::ends_in_nul("text that does"));
        }
        self.leaf(Kind::Text(codec::ucs4_width(value)))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.leaf(Kind::Bytes(value.len()))
    }

    fn serialize_none(self) -> Result<()> {
        if self.pass.shape_only { self.leaf(Kind::Absent) } else { Err(none()) }
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.leaf(Kind::Unit)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.leaf(Kind::Unit)
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        match (Adapter::from_name(name), name) {
            (Some(Adapter::Time(kind, unit)), _) => {
                if !self.pass.shape_only && value.serialize(Integer)? == Some(codec::NAT.into()) {
                    return Err(nat(&Scalar::time(kind, unit, 1, ByteOrder::Little)?));
                }
                self.leaf(Kind::Time(kind, unit))
            }
            (None, "f16") if is_bits(value) => self.leaf(Kind::Half),
            (None, "bf16") if is_bits(value) => self.leaf(Kind::Bfloat),
            _ => value.serialize(self),
        }
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

    fn serialize_seq(self, _length: Option<usize>) -> Result<SequenceTracer<'t>> {
        self.sequence()
    }

    fn serialize_tuple(self, length: usize) -> Result<TupleTracer<'t>> {
        self.tuple(length)
    }

    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<TupleTracer<'t>> {
        self.tuple(length)
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

    fn serialize_map(self, _length: Option<usize>) -> Result<RecordTracer<'t>> {
        self.record()
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<RecordTracer<'t>> {
        self.record()
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

    fn is_human_readable(&self) -> bool {
        false
    }
}

#[cold]
pub(crate) fn none() -> Error {
    Error::data(
        "found None, for which no dtype but a time has a value; write a value in its place, or use `with::Datetime` or \
         `with::Timedelta`, which write NaT",
    )
}

/// The error for a count that means NaT: only `None` may, so that no computation that ends there passes for it.
#[cold]
pub(crate) fn nat(scalar: &Scalar) -> Error {
    Error::data(format!("expected `{scalar}`, found integer `{}`, which is NaT; write None for that", codec::NAT))
}

/// Whether the newtype of a name that the `half` crate has is a `u16`, as in that crate.
fn is_bits<T: Serialize + ?Sized>(value: &T) -> bool {
    matches!(value.serialize(Integer), Ok(Some(0..=0xffff)))
}

#[cold]
pub(crate) fn no_dtype(what: &str) -> Error {
    Error::data(format!("there is no dtype for {what}"))
}

#[cold]
pub(crate) fn variant_with_data(name: &str, variant: &str) -> Error {
    Error::data(format!("variant `{variant}` of {name} carries data, for which there is no dtype"))
}

#[cold]
pub(crate) fn unequal(expected: u64, found: u64) -> Error {
    Error::data(format!("expected {expected} items, found {found}; the lengths of an axis must be equal"))
}

struct SequenceTracer<'t> {
    trace: &'t mut Trace,
    first: bool,
    count: u64,
    place: Place<'t>,
}

impl SequenceTracer<'_> {
    #[cold]
    fn ragged(&self, expected: u64) -> Error {
        unequal(expected, self.count).against(&self.trace.first)
    }
}

impl ser::SerializeSeq for SequenceTracer<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.count;
        self.count = index.saturating_add(1);
        let Place { pass, exact } = self.place;
        if pass.shape_only && index > 0 {
            return Ok(());
        }
        let Kind::Sequence { length, item } = &mut self.trace.kind else { return Ok(()) };
        if !self.first && index >= *length {
            // Counted on, so that the end tells how many there were.
            return Ok(());
        }
        if let Some(last) = pass.indices.borrow_mut().last_mut() {
            *last = index;
        }
        value.serialize(Tracer { trace: item, pass, exact }).map_err(|error| error.at_index(index))
    }

    fn end(self) -> Result<()> {
        let pass = self.place.pass;
        pass.indices.borrow_mut().pop();
        pass.depth.set(pass.depth.get().saturating_sub(1));
        let count = self.count;
        match &mut self.trace.kind {
            Kind::Sequence { length, .. } if self.first => *length = count,
            Kind::Sequence { length, .. } if *length != count => {
                let expected = *length;
                return Err(self.ragged(expected));
            }
            _ => {}
        }
        Ok(())
    }
}

struct TupleTracer<'t> {
    trace: &'t mut Trace,
    first: bool,
    next: usize,
    place: Place<'t>,
}

impl TupleTracer<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.next;
        self.next = index.saturating_add(1);
        let Place { pass, exact } = self.place;
        let position = u64::try_from(index).unwrap_or(u64::MAX);
        if let Some(last) = pass.indices.borrow_mut().last_mut() {
            *last = position;
        }
        let Kind::Tuple { length, items } = &mut self.trace.kind else { return Ok(()) };
        if items.is_empty() {
            items.push(Trace::default());
        }
        let shared = items.len() == 1 && *length > 1;
        if shared && let Some(item) = items.first_mut() {
            // The very first item sets the type; the others must be of the same one to share its trace.
            let fresh = self.first && index == 0;
            let (depth, level) = (pass.depth.get(), pass.indices.borrow().len());
            let tried = value.serialize(Tracer { trace: item, pass, exact: exact || !fresh });
            let Err(error) = tried else { return Ok(()) };
            if exact || fresh {
                return Err(error.at_index(position));
            }
            // The attempt was left half-way.
            pass.depth.set(depth);
            pass.indices.borrow_mut().truncate(level);
            let filled = if self.first { index } else { *length };
            let alike = item.clone();
            items.resize(filled, alike);
            items.resize_with(*length, Trace::default);
        }
        match items.get_mut(index) {
            Some(item) => {
                value.serialize(Tracer { trace: item, pass, exact }).map_err(|error| error.at_index(position))
            }
            // Counted on, so that the end tells how many there were.
            None => Ok(()),
        }
    }

    fn close(self) -> Result<()> {
        let pass = self.place.pass;
        pass.indices.borrow_mut().pop();
        pass.depth.set(pass.depth.get().saturating_sub(1));
        match &self.trace.kind {
            Kind::Tuple { length, .. } if *length != self.next => {
                Err(Error::data(format!("expected a tuple of {length} items, found {}", self.next)))
            }
            _ => Ok(()),
        }
    }
}

impl ser::SerializeTuple for TupleTracer<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

impl ser::SerializeTupleStruct for TupleTracer<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

struct RecordTracer<'t> {
    record: &'t mut Record,
    first: &'t [u64],
    /// Whether this is the first record seen here, whose fields make the dtype.
    new: bool,
    /// Where the next field is expected.
    next: usize,
    /// Which fields have been seen, once they are out of order.
    seen: Option<Vec<bool>>,
    /// The key of a map that awaits its value.
    key: Option<Cow<'static, str>>,
    place: Place<'t>,
}

impl RecordTracer<'_> {
    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, name: Cow<'static, str>, value: &T) -> Result<()> {
        let position = if self.new { self.add(name)? } else { self.find(&name)? };
        let Place { pass, exact } = self.place;
        let Some((name, trace)) = self.record.fields.get_mut(position) else { return Ok(()) };
        value.serialize(Tracer { trace, pass, exact }).map_err(|error| error.at_field(name))
    }

    fn add(&mut self, name: Cow<'static, str>) -> Result<usize> {
        let position = self.record.fields.len();
        if self.record.by_name.insert(name.clone(), position).is_some() {
            return Err(Error::data(format!("field `{name}` occurs twice")));
        }
        self.record.fields.push((name, Trace::default()));
        self.next = position.saturating_add(1);
        Ok(position)
    }

    #[inline]
    fn find(&mut self, name: &str) -> Result<usize> {
        let position = self.next;
        if self.seen.is_none() && self.record.fields.get(position).is_some_and(|(expected, _)| expected == name) {
            self.next = position.saturating_add(1);
            return Ok(position);
        }
        self.find_out_of_order(name)
    }

    fn find_out_of_order(&mut self, name: &str) -> Result<usize> {
        let Some(&position) = self.record.by_name.get(name) else {
            return Err(Error::data(format!(
                "found field `{name}`, which the records before do not have; a dtype has the same fields for all"
            ))
            .against(self.first));
        };
        let (fields, next) = (self.record.fields.len(), self.next);
        let seen = self.seen.get_or_insert_with(|| (0..fields).map(|field| field < next).collect());
        match seen.get_mut(position) {
            Some(seen) if !*seen => *seen = true,
            _ => return Err(Error::data(format!("field `{name}` occurs twice"))),
        }
        Ok(position)
    }

    fn close(self) -> Result<()> {
        let pass = self.place.pass;
        pass.depth.set(pass.depth.get().saturating_sub(1));
        let missing = match &self.seen {
            Some(seen) => seen.iter().position(|seen| !seen),
            None => (self.next < self.record.fields.len()).then_some(self.next),
        };
        match missing.and_then(|position| self.record.fields.get(position)) {
            None => Ok(()),
            Some((name, _)) => Err(Error::data(format!(
                "field `{name}` is missing, which other records have; a dtype has the same fields for all"
            ))
            .against(self.first)),
        }
    }
}

impl ser::SerializeStruct for RecordTracer<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.field(Cow::Borrowed(key), value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}

impl ser::SerializeMap for RecordTracer<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key = Some(Cow::Owned(key.serialize(Key)?));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self.key.take() {
            Some(key) => self.field(key, value),
            None => Err(Error::data("a value of a map without a key")),
        }
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}
