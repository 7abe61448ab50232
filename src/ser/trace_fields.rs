//! The fields of structs and maps, in the first of two passes over a value.

use crate::error::{Error, Result};
use crate::nd;
use crate::ser::key::{Key, Pending};
use crate::ser::probe::{Probe, Probed};
use crate::ser::shaped::Shape;
use crate::ser::trace::{Place, Tracer};
use crate::trace::{Kind, Record, Trace};
use crate::with::Part;
use serde::ser::{self, Serialize};
use std::borrow::Cow;

pub(crate) struct RecordTracer<'t> {
    record: &'t mut Record,
    first: &'t [u64],
    /// Whether this is the first record seen here, whose fields make the dtype.
    new: bool,
    /// Where the next field is expected.
    next: usize,
    /// Which fields have been seen, once they are out of order.
    seen: Option<Vec<bool>>,
    /// The key of a map that awaits its value.
    key: Pending<Cow<'static, str>>,
    place: Place<'t>,
}

impl<'t> RecordTracer<'t> {
    /// A record that is `new` to its place, where the `first` stood at these indices.
    pub(crate) fn new(record: &'t mut Record, first: &'t [u64], new: bool, place: Place<'t>) -> Self {
        RecordTracer { record, first, new, next: 0, seen: None, key: Pending::none(), place }
    }
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
        pass.leave();
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

/// The parts of a complex number that `with::Complex` makes of a struct; or the fields of any other struct, which the
/// first of them tells.
pub(crate) struct PartsTracer<'t> {
    tracer: Tracer<'t>,
    /// The itemsizes of the parts that have come.
    parts: [Option<usize>; 2],
}

impl<'t> PartsTracer<'t> {
    pub(crate) fn new(tracer: Tracer<'t>) -> Self {
        PartsTracer { tracer, parts: [None; 2] }
    }

    /// Whether the field is a part; else none has been one.
    fn takes<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<bool> {
        let [real, imaginary] = &mut self.parts;
        match (Part::from_name(name), value.serialize(Probe)) {
            (Some(Part::Real), Ok(Probed::Float(itemsize))) if real.is_none() => *real = Some(itemsize),
            (Some(Part::Imaginary), Ok(Probed::Float(itemsize))) if imaginary.is_none() => *imaginary = Some(itemsize),
            _ if real.is_none() && imaginary.is_none() => return Ok(false),
            _ => {
                return Err(Error::data(format!(
                    "expected the other part of a complex number, a float `re` or `im`, found field `{name}`"
                )));
            }
        }
        Ok(true)
    }

    fn end(self) -> Result<()> {
        match self.parts {
            [Some(real), Some(imaginary)] => self.tracer.leaf(Kind::Complex(real.max(imaginary))),
            [None, None] => self.tracer.record().and_then(RecordTracer::close),
            _ => Err(Error::data("expected both parts of a complex number, `re` and `im`, found one")),
        }
    }
}

/// The fields of a struct, those of an array that brings its shape, or the parts of a complex number; the first field
/// tells.
pub(crate) enum StructTracer<'t> {
    Parts(Option<PartsTracer<'t>>),
    Open(&'static str, Option<Tracer<'t>>),
    Record(RecordTracer<'t>),
    Shaped { tracer: Option<Tracer<'t>>, shape: Shape },
}

impl ser::SerializeStruct for StructTracer<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        match self {
            StructTracer::Record(record) => return record.serialize_field(key, value),
            StructTracer::Parts(parts) => match parts.take() {
                Some(mut open) => {
                    if open.takes(key, value)? {
                        *parts = Some(open);
                        return Ok(());
                    }
                    *self = StructTracer::Record(open.tracer.record()?);
                }
                None => return Ok(()),
            },
            StructTracer::Shaped { tracer, shape } => {
                return match (shape.field(key, value)?, tracer.take()) {
                    (true, Some(tracer)) => tracer.shaped(shape, value),
                    (_, kept) => {
                        *tracer = kept;
                        Ok(())
                    }
                };
            }
            StructTracer::Open(name, tracer) => {
                let name = *name;
                let tracer = tracer.take();
                *self = match tracer {
                    Some(tracer) if !nd::starts(name, key) => StructTracer::Record(tracer.record()?),
                    tracer => StructTracer::Shaped { tracer, shape: Shape::default() },
                };
            }
        }
        self.serialize_field(key, value)
    }

    fn end(self) -> Result<()> {
        match self {
            StructTracer::Record(record) => ser::SerializeStruct::end(record),
            StructTracer::Parts(parts) => parts.map_or(Ok(()), PartsTracer::end),
            StructTracer::Open(..) | StructTracer::Shaped { .. } => Ok(()),
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
        self.key.put(Cow::Owned(key.serialize(Key)?))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let key = self.key.take()?;
        self.field(key, value)
    }

    fn end(self) -> Result<()> {
        self.key.check_none()?;
        self.close()
    }
}
