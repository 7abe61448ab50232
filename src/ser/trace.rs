//! The first of two passes over a value: what dtype and shape it asks for. Nothing is written.

use crate::codec;
use crate::error::{Error, Result};
use crate::ser::gather::{self, Gather};
use crate::ser::key::Key;
use crate::ser::sampled::{Sampled, Take};
use crate::trace::{Kind, Numbers, Record, Trace, none};
use crate::with::Adapter;
use serde::ser::{self, Impossible, Serialize, Serializer};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// What the tracers of one pass share.
#[derive(Debug)]
pub(crate) struct Pass {
    /// Whether only the structure of each first item counts, since the dtype is given.
    shape_only: bool,
    indices: RefCell<Vec<u64>>,
    depth: Cell<usize>,
    /// The helper in whose newtype the value stands that is being traced.
    scope: Cell<Option<Adapter>>,
}

/// More than any dtype nests; keeps a value that nests without end from exhausting the stack.
const MAX_DEPTH: usize = 256;

/// Traces a value: all of it, or only the structure of the first items where the dtype is given.
pub(crate) fn trace<T: Serialize + ?Sized>(value: &T, shape_only: bool) -> Result<Trace> {
    let pass = Pass { shape_only, indices: RefCell::default(), depth: Cell::new(0), scope: Cell::new(None) };
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
            (Kind::Bytes(seen), Kind::Bytes(new)) if !self.pass.shape_only && !self.exact => {
                return Err(Error::data(format!(
                    "expected {seen} bytes, found {new}; bytes of different lengths need a dtype of `S` or `V`, given by \
                     `WriteOptions::dtype`"
                ))
                .against(&self.trace.first));
            }
            (Kind::Time(kind, unit), Kind::Time(new_kind, new_unit)) => kind != new_kind || unit != new_unit,
            (Kind::Fixed(kind, width), Kind::Fixed(new_kind, new_width)) => kind != new_kind || width != new_width,
            (Kind::Complex(seen), Kind::Complex(new)) => {
                if *seen != *new && self.exact {
                    return Err(self.conflict(&kind));
                }
                *seen = (*seen).max(*new);
                false
            }
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
        let depth = self.pass.depth.get();
        if depth >= MAX_DEPTH {
            return Err(Error::limit(format!("a value nested over {MAX_DEPTH} levels deep")));
        }
        self.pass.depth.set(depth.saturating_add(1));
        Ok(())
    }

    fn start(&mut self) -> bool {
        let unseen = matches!(self.trace.kind, Kind::Unseen);
        if unseen {
            self.trace.first = self.pass.indices.borrow().clone();
        }
        unseen
    }

    /// Makes the place a sequence; whether it is the first one seen there.
    fn begin_sequence(&mut self) -> Result<bool> {
        let first = self.start();
        if first {
            self.trace.kind = Kind::Sequence { length: 0, item: Box::default() };
        }
        if !matches!(self.trace.kind, Kind::Sequence { .. }) {
            return Err(self.conflict(&Kind::Sequence { length: 0, item: Box::default() }));
        }
        Ok(first)
    }

    fn sequence(mut self) -> Result<SequenceTracer<'t>> {
        self.enter()?;
        let gather = Gather::new(self.pass.scope.get());
        let first = if gather.is_gathering() { false } else { self.begin_sequence()? };
        let place = Place { pass: self.pass, exact: self.exact };
        place.pass.indices.borrow_mut().push(0);
        Ok(SequenceTracer { trace: self.trace, first, count: 0, place, gather })
    }

    /// Makes the place a tuple; whether it is the first one seen there.
    fn begin_tuple(&mut self, length: usize) -> Result<bool> {
        let first = self.start();
        if first {
            self.trace.kind = Kind::Tuple { length, items: Vec::new() };
        }
        match &self.trace.kind {
            Kind::Tuple { length: seen, .. } if *seen == length => Ok(first),
            Kind::Tuple { length: seen, .. } => {
                Err(Error::data(format!("expected a tuple of {seen} items, found one of {length}"))
                    .against(&self.trace.first))
            }
            _ => Err(self.conflict(&Kind::Tuple { length: 0, items: Vec::new() })),
        }
    }

    fn tuple(mut self, length: usize) -> Result<TupleTracer<'t>> {
        self.enter()?;
        let gather = Gather::new(self.pass.scope.get());
        let first = if gather.is_gathering() { false } else { self.begin_tuple(length)? };
        let place = Place { pass: self.pass, exact: self.exact };
        place.pass.indices.borrow_mut().push(0);
        Ok(TupleTracer { trace: self.trace, first, length, next: 0, place, gather })
    }

    /// Notes a number, in a helper's newtype as that wants it.
    #[inline]
    fn number(self, numbers: Numbers) -> Result<()> {
        match self.pass.scope.get() {
            None => self.leaf(Kind::Number(numbers)),
            Some(adapter) => self.leaf(gather::number(adapter, numbers)?),
        }
    }

    /// Notes what is nothing but itself, if the helper in whose newtype it stands lets it.
    #[inline]
    fn plain(self, kind: Kind) -> Result<()> {
        if let Some(adapter) = self.pass.scope.get() {
            gather::other(adapter, kind.name())?;
        }
        self.leaf(kind)
    }

    /// The value of a helper.
    fn adapted<T: Serialize + ?Sized>(self, adapter: Adapter, value: &T) -> Result<()> {
        let Tracer { trace, pass, exact } = self;
        let before = pass.scope.replace(Some(adapter));
        let done = value.serialize(Tracer { trace: &mut *trace, pass, exact });
        pass.scope.set(before);
        if let Some(kind) = gather::unseen(adapter) {
            trace.fill(&kind);
        }
        done
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
            self.number(Numbers::$new(value))
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
        self.plain(Kind::Bool)
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
        if let Some(adapter) = self.pass.scope.get()
            && let Some(kind) = gather::text(adapter, value, !self.pass.shape_only)?
        {
            return self.leaf(kind);
        }
        // A text that ends in NUL is refused with its place, before anything is written.
        if value.ends_with('\0') && !self.pass.shape_only {
            return Err(codec::ends_in_nul("text that does"));
        }
        self.leaf(Kind::Text(codec::ucs4_width(value)))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        if let Some(adapter) = self.pass.scope.get()
            && let Some(kind) = gather::bytes(adapter, value, !self.pass.shape_only)?
        {
            return self.leaf(kind);
        }
        self.leaf(Kind::Bytes(value.len()))
    }

    fn serialize_none(self) -> Result<()> {
        match self.pass.scope.get().and_then(gather::none) {
            Some(kind) => self.leaf(kind),
            None if self.pass.shape_only => self.leaf(Kind::Absent),
            None => Err(none()),
        }
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.plain(Kind::Unit)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.plain(Kind::Unit)
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        match (Adapter::from_name(name), name) {
            (Some(Adapter::Of), _) => value.serialize(Sampled(self)),
            (Some(adapter), _) => self.adapted(adapter, value),
            (None, "f16") => self.leaf(Kind::Half),
            (None, "bf16") => self.leaf(Kind::Bfloat),
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
        self.pass.scope.get().is_some_and(Adapter::is_readable)
    }
}

#[cold]
pub(crate) fn no_dtype(what: &str) -> Error {
    Error::data(format!("there is no dtype for {what}"))
}

#[cold]
pub(crate) fn variant_with_data(name: &str, variant: &str) -> Error {
    Error::data(format!("variant `{variant}` of {name} carries data, for which there is no dtype"))
}

/// The value of `with::Of` and its sample, which counts only where a sequence is empty.
impl Take for Tracer<'_> {
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(Tracer { trace: &mut *self.trace, pass: self.pass, exact: self.exact })
    }

    fn sample<T: Serialize + ?Sized>(&mut self, sample: &T) -> Result<()> {
        if self.trace.has_gap() {
            self.trace.fill(&trace(sample, self.pass.shape_only)?.kind);
        }
        Ok(())
    }
}

struct SequenceTracer<'t> {
    trace: &'t mut Trace,
    first: bool,
    count: u64,
    place: Place<'t>,
    gather: Gather,
}

impl SequenceTracer<'_> {
    #[cold]
    fn ragged(&self, expected: u64, found: &str) -> Error {
        Error::data(format!("expected {expected} items, found {found}; the lengths of an axis must be equal"))
            .against(&self.trace.first)
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
        if self.gather.is_gathering() {
            if self.gather.take(value).map_err(|error| error.at_index(index))? {
                return Ok(());
            }
            self.first = Tracer { trace: &mut *self.trace, pass, exact }.begin_sequence()?;
        }
        if pass.shape_only && index > 0 {
            return Ok(());
        }
        let first = &self.trace.first;
        let Kind::Sequence { length, item } = &mut self.trace.kind else { return Ok(()) };
        if !self.first && index >= *length {
            return Err(Error::data(format!(
                "expected {length} items, found more; the lengths of an axis must be equal"
            ))
            .against(first));
        }
        if let Some(last) = pass.indices.borrow_mut().last_mut() {
            *last = index;
        }
        value.serialize(Tracer { trace: item, pass, exact }).map_err(|error| error.at_index(index))
    }

    fn end(mut self) -> Result<()> {
        let Place { pass, exact } = self.place;
        pass.indices.borrow_mut().pop();
        pass.depth.set(pass.depth.get().saturating_sub(1));
        let count = self.count;
        if self.gather.is_gathering() {
            let gather = std::mem::replace(&mut self.gather, Gather::Items);
            let mut tracer = Tracer { trace: &mut *self.trace, pass, exact };
            match gather.end(false, !pass.shape_only)? {
                Some(kind) => return tracer.leaf(kind),
                None => self.first = tracer.begin_sequence()?,
            }
        }
        match &mut self.trace.kind {
            Kind::Sequence { length, .. } if self.first => *length = count,
            Kind::Sequence { length, .. } if *length != count => {
                let expected = *length;
                return Err(self.ragged(expected, &count.to_string()));
            }
            _ => {}
        }
        Ok(())
    }
}

struct TupleTracer<'t> {
    trace: &'t mut Trace,
    first: bool,
    length: usize,
    next: usize,
    place: Place<'t>,
    gather: Gather,
}

impl TupleTracer<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.next;
        self.next = index.saturating_add(1);
        let Place { pass, exact } = self.place;
        let position = u64::try_from(index).unwrap_or(u64::MAX);
        if self.gather.is_gathering() {
            if self.gather.take(value).map_err(|error| error.at_index(position))? {
                return Ok(());
            }
            self.first = Tracer { trace: &mut *self.trace, pass, exact }.begin_tuple(self.length)?;
        }
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
            None => Err(Error::data(format!("a tuple of more than its {length} items"))),
        }
    }

    fn close(self) -> Result<()> {
        let Place { pass, exact } = self.place;
        pass.indices.borrow_mut().pop();
        pass.depth.set(pass.depth.get().saturating_sub(1));
        if self.gather.is_gathering() {
            let mut tracer = Tracer { trace: self.trace, pass, exact };
            match self.gather.end(true, !pass.shape_only)? {
                Some(kind) => tracer.leaf(kind)?,
                None => drop(tracer.begin_tuple(self.length)?),
            }
        }
        Ok(())
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
