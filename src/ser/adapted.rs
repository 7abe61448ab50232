//! Tracing what stands in the newtype of a helper, or of `Columns`.

use crate::error::{Error, Result};
use crate::ser::columns::no_table;
use crate::ser::gather;
use crate::ser::sampled::Take;
use crate::ser::trace::{Tracer, trace};
use crate::trace::{Kind, Numbers};
use crate::with::Adapter;
use serde::Serialize;

impl Tracer<'_> {
    /// Notes a struct of columns, which is the whole value or none.
    pub(crate) fn columns<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        if self.pass.depth() > 0 {
            return Err(Error::data("`Columns` stand only for a whole array"));
        }
        let Tracer { trace, pass, exact } = self;
        value.serialize(Tracer { trace: &mut *trace, pass, exact })?;
        match std::mem::take(&mut trace.kind) {
            Kind::Record(record) => trace.kind = Kind::Columns(record),
            _ => return Err(no_table()),
        }
        Ok(())
    }

    /// The value of a helper.
    pub(crate) fn adapted<T: Serialize + ?Sized>(self, adapter: Adapter, value: &T) -> Result<()> {
        let Tracer { trace, pass, exact } = self;
        let before = pass.set_scope(Some(adapter));
        let done = value.serialize(Tracer { trace: &mut *trace, pass, exact });
        pass.set_scope(before);
        if let Some(kind) = gather::unseen(adapter) {
            trace.fill(&kind);
        }
        done
    }

    /// Notes a number, as the helper wants it.
    #[inline]
    pub(crate) fn number(self, numbers: Numbers) -> Result<()> {
        match self.pass.scope() {
            None => self.leaf(Kind::Number(numbers)),
            Some(adapter) => self.leaf(gather::number(adapter, numbers)?),
        }
    }

    /// Notes what is nothing but itself, if the helper lets it.
    #[inline]
    pub(crate) fn plain(self, kind: Kind) -> Result<()> {
        if let Some(adapter) = self.pass.scope() {
            gather::other(adapter, &kind.name())?;
        }
        self.leaf(kind)
    }
}

/// The value of `with::Of` and its sample, which counts only where a sequence is empty.
impl Take for Tracer<'_> {
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(Tracer { trace: &mut *self.trace, pass: self.pass, exact: self.exact })
    }

    fn sample<T: Serialize + ?Sized>(&mut self, sample: &T) -> Result<()> {
        if self.trace.has_gap() {
            self.trace.fill(&trace(sample, !self.pass.checks())?.kind);
        }
        Ok(())
    }
}
