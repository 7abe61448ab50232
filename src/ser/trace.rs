//! The first of two passes over a value: what dtype and shape it asks for. Nothing is written.

use crate::codec;
use crate::dtype::{ByteOrder, Scalar};
use crate::error::{Count, Error, Result};
use crate::nd;
use crate::ser::fast::Alike;
use crate::ser::gather::{self, Gather};
use crate::ser::sampled::Sampled;
use crate::ser::scalar::Integer;
use crate::ser::shaped::Shape;
use crate::ser::shown::collect_str;
use crate::ser::trace_fields::{PartsTracer, RecordTracer, StructTracer};
use crate::ser::trace_items::{SequenceTracer, TupleTracer};
use crate::ser::whole::Whole;
use crate::trace::{Kind, Numbers, Record, Trace, none};
use crate::with::Adapter;
use serde::ser::{Impossible, Serialize, SerializeSeq, Serializer};
use std::cell::{Cell, RefCell};

/// What the tracers of one pass share.
#[derive(Debug)]
pub(crate) struct Pass {
    /// Whether only the structure of each first item counts, since the dtype is given.
    pub(crate) shape_only: bool,
    pub(crate) indices: RefCell<Vec<u64>>,
    pub(crate) depth: Cell<usize>,
    /// The helper in whose newtype the value stands that is being traced.
    scope: Cell<Option<Adapter>>,
    /// Whether records may be passed over that are like those before them.
    skips: bool,
    /// How many have been.
    skipped: Cell<u64>,
    /// Whether one that was unlike them came later, so that what was passed over would have counted.
    is_mixed: Cell<bool>,
}

impl Pass {
    /// The helper in whose newtype the value stands that is being traced.
    #[inline]
    pub(crate) fn scope(&self) -> Option<Adapter> {
        self.scope.get()
    }

    /// Makes a helper the one that [`scope`](Pass::scope) tells, and gives back the former one.
    pub(crate) fn set_scope(&self, scope: Option<Adapter>) -> Option<Adapter> {
        self.scope.replace(scope)
    }

    /// Whether records may be passed over that are like those before them.
    #[inline]
    pub(crate) fn may_skip(&self) -> bool {
        self.skips && self.scope.get().is_none()
    }

    /// Notes that a record has been passed over.
    pub(crate) fn skip(&self, count: u64) {
        self.skipped.set(self.skipped.get().saturating_add(count));
    }

    /// Notes a record that is unlike those before it.
    pub(crate) fn mix(&self) {
        self.is_mixed.set(true);
    }

    /// Whether the values count, and not only their structure.
    pub(crate) fn checks(&self) -> bool {
        !self.shape_only
    }

    /// How many levels lie above.
    pub(crate) fn depth(&self) -> usize {
        self.depth.get()
    }

    /// One level up again.
    pub(crate) fn leave(&self) {
        self.depth.set(self.depth.get().saturating_sub(1));
    }
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
    // Of records alike only the first count. If something else is among them, all do.
    match attempt(value, shape_only, !shape_only) {
        Attempt::Whole(found) => found,
        Attempt::Mixed => match attempt(value, shape_only, false) {
            Attempt::Whole(found) => found,
            Attempt::Mixed => Err(Error::data("a value that changes while it is written")),
        },
    }
}

enum Attempt {
    Whole(Result<Trace>),
    /// Records were passed over that would have counted.
    Mixed,
}

fn attempt<T: Serialize + ?Sized>(value: &T, shape_only: bool, skips: bool) -> Attempt {
    let pass = Pass {
        shape_only,
        indices: RefCell::default(),
        depth: Cell::new(0),
        scope: Cell::new(None),
        skips,
        skipped: Cell::new(0),
        is_mixed: Cell::new(false),
    };
    let mut trace = Trace::default();
    let done = value.serialize(Tracer { trace: &mut trace, pass: &pass, exact: false });
    if pass.skipped.get() > 0 && (pass.is_mixed.get() || done.is_err()) {
        return Attempt::Mixed;
    }
    Attempt::Whole(done.map(|()| trace))
}

#[derive(Clone, Copy)]
pub(crate) struct Place<'t> {
    pub(crate) pass: &'t Pass,
    /// Whether a change of type is an error, on which the caller tries another way.
    pub(crate) exact: bool,
}

pub(crate) struct Tracer<'t> {
    pub(crate) trace: &'t mut Trace,
    pub(crate) pass: &'t Pass,
    pub(crate) exact: bool,
}

impl<'t> Tracer<'t> {
    /// Notes a value without parts.
    #[inline]
    pub(crate) fn leaf(self, kind: Kind) -> Result<()> {
        if self.trace.kind.takes(&kind, self.exact) {
            return Ok(());
        }
        match (&self.trace.kind, &kind) {
            (Kind::Unseen, _) => {
                self.trace.first = self.pass.indices.borrow().clone();
                self.trace.kind = kind;
                Ok(())
            }
            _ if self.pass.shape_only && !self.exact => Ok(()),
            (Kind::Bytes(seen), Kind::Bytes(new)) if !self.exact => Err(Error::data(format!(
                "expected {}, found {new}; bytes of different lengths need `with::S`, or a dtype of `S` or `V`, given by \
                 `WriteOptions::dtype`",
                Count(*seen, "byte")
            ))
            .against(&self.trace.first)),
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

    /// Makes the place a sequence; whether it is the first one seen there.
    pub(crate) fn begin_sequence(&mut self) -> Result<bool> {
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
        let gather = Gather::new(self.pass.scope());
        let first = if gather.is_gathering() { false } else { self.begin_sequence()? };
        let place = Place { pass: self.pass, exact: self.exact };
        place.pass.indices.borrow_mut().push(0);
        Ok(SequenceTracer { trace: self.trace, first, count: 0, place, gather, alike: Alike::default() })
    }

    /// Makes the place a tuple; whether it is the first one seen there.
    pub(crate) fn begin_tuple(&mut self, length: usize) -> Result<bool> {
        let first = self.start();
        if first {
            self.trace.kind = Kind::Tuple { length, items: Vec::new() };
        }
        match &self.trace.kind {
            Kind::Tuple { length: seen, .. } if *seen == length => Ok(first),
            Kind::Tuple { length: seen, .. } => {
                Err(Error::data(format!("expected a tuple of {}, found one of {length}", Count(*seen, "item")))
                    .against(&self.trace.first))
            }
            _ => Err(self.conflict(&Kind::Tuple { length: 0, items: Vec::new() })),
        }
    }

    fn tuple(mut self, length: usize) -> Result<TupleTracer<'t>> {
        self.enter()?;
        let gather = Gather::new(self.pass.scope());
        let first = if gather.is_gathering() { false } else { self.begin_tuple(length)? };
        let place = Place { pass: self.pass, exact: self.exact };
        place.pass.indices.borrow_mut().push(0);
        Ok(TupleTracer { trace: self.trace, first, length, next: 0, place, gather })
    }

    /// Notes the elements of an array that brings its shape.
    pub(crate) fn shaped<T: Serialize + ?Sized>(self, shape: &Shape, elements: &T) -> Result<()> {
        let Tracer { trace, pass, exact } = self;
        if matches!(trace.kind, Kind::Unseen) {
            trace.first.clone_from(&pass.indices.borrow());
            let (lengths, fortran_order) = (shape.lengths.clone(), shape.fortran_order);
            trace.kind = Kind::Array { shape: lengths, fortran_order, data: Box::default() };
        }
        let Trace { kind, first, .. } = trace;
        let Kind::Array { shape: seen, data, .. } = kind else {
            return Err(Error::data(format!("expected {}, found an array", kind.name())).against(first));
        };
        if *seen != shape.lengths {
            return Err(Error::data(format!("expected an array of shape {seen:?}, found one of {:?}", shape.lengths))
                .against(first));
        }
        elements.serialize(Tracer { trace: data, pass, exact })?;
        match data.kind {
            Kind::Sequence { length, .. } if length != shape.size() => Err(shape.wrong_size(length)),
            _ => Ok(()),
        }
    }

    pub(crate) fn record(mut self) -> Result<RecordTracer<'t>> {
        self.enter()?;
        let new = self.start();
        if new {
            self.trace.kind = Kind::Record(Record::default());
        }
        let place = Place { pass: self.pass, exact: self.exact };
        let Trace { kind, first, .. } = self.trace;
        match kind {
            Kind::Record(record) => Ok(RecordTracer::new(record, first, new, place)),
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
    type SerializeSeq = Whole<SequenceTracer<'t>>;
    type SerializeTuple = Whole<TupleTracer<'t>>;
    type SerializeTupleStruct = Whole<TupleTracer<'t>>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Whole<RecordTracer<'t>>;
    type SerializeStruct = Whole<StructTracer<'t>>;
    type SerializeStructVariant = Impossible<(), Error>;

    numbers! {
        serialize_i8 i8, i8;
        serialize_i16 i16, i16;
        serialize_i32 i32, i32;
        serialize_u8 u8, u8;
        serialize_u16 u16, u16;
        serialize_u32 u32, u32;
        serialize_u64 u64, u64;
        serialize_f32 f32, f32;
        serialize_f64 f64, f64;
    }

    #[inline]
    fn serialize_i64(self, value: i64) -> Result<()> {
        if value == codec::NAT
            && self.pass.checks()
            && let Some(Adapter::Time(kind, unit)) = self.pass.scope()
        {
            return Err(nat(&Scalar::time(kind, unit, 1, ByteOrder::Little)?));
        }
        self.number(Numbers::i64(value))
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
        self.trace.fixed = matches!(self.trace.kind, Kind::Unseen) || self.trace.fixed;
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        if let Some(adapter) = self.pass.scope()
            && let Some(kind) = gather::text(adapter, value, self.pass.checks())?
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
        if let Some(adapter) = self.pass.scope()
            && let Some(kind) = gather::bytes(adapter, value, self.pass.checks())?
        {
            return self.leaf(kind);
        }
        self.leaf(Kind::Bytes(value.len()))
    }

    fn serialize_none(self) -> Result<()> {
        match self.pass.scope().and_then(gather::none) {
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
            (None, nd::COLUMNS) => self.columns(value),
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

    fn serialize_seq(self, _length: Option<usize>) -> Result<Whole<SequenceTracer<'t>>> {
        self.sequence().map(Whole::new)
    }

    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, items: I) -> Result<()> {
        let mut sequence = self.sequence()?;
        sequence.all(items.into_iter())?;
        SerializeSeq::end(sequence)
    }

    fn serialize_tuple(self, length: usize) -> Result<Whole<TupleTracer<'t>>> {
        self.tuple(length).map(Whole::new)
    }

    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<Whole<TupleTracer<'t>>> {
        self.tuple(length).map(Whole::new)
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

    fn serialize_map(self, _length: Option<usize>) -> Result<Whole<RecordTracer<'t>>> {
        self.record().map(Whole::new)
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Whole<StructTracer<'t>>> {
        let tracer = if nd::may_be_shown(name, length) {
            StructTracer::Open(name, Some(self))
        } else if self.pass.scope() == Some(Adapter::Complex) {
            StructTracer::Parts(Some(PartsTracer::new(self)))
        } else {
            StructTracer::Record(self.record()?)
        };
        Ok(Whole::new(tracer))
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
        self.pass.scope().is_some_and(Adapter::is_readable)
    }
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
    Error::data(format!("variant `{variant}` of `{name}` carries data, for which there is no dtype"))
}

#[cold]
pub(crate) fn unequal(expected: u64, found: u64) -> Error {
    Error::data(format!("expected {}, found {found}; the lengths of an axis must be equal", Count(expected, "item")))
}
