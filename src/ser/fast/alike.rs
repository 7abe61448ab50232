//! Records of a sequence that are like those before them, and so tell nothing new of the dtype.

use crate::dtype::{DType, Field, Kind, Struct, Subarray};
use crate::plan::Node;
use crate::program::{Due, Miss, Program, WORTH};
use crate::ser::fast::loops::{Batch, Each as _, Loops};
use crate::ser::fast::tier::learn;
use crate::ser::trace::Pass;
use crate::trace::{self as seen, Layout, Trace};
use serde::Serialize;

/// What the records so far have in common.
///
/// A record has been traced; the others only have to make the same calls. Nothing but the width of text depends on
/// their values then: one with a longer text is traced as well.
#[derive(Default)]
pub(crate) struct Alike {
    /// How many have been traced.
    traced: u64,
    /// How many are known to come.
    left: u64,
    known: Option<(DType, Program<Due>)>,
    /// Whether there is nothing to know.
    refused: bool,
}

/// How many records may be unlike the others, with longer text.
const MOST_WIDER: u64 = 1 << 12;

impl Alike {
    /// Whether a record is like those before it, and passed over.
    #[inline]
    pub(crate) fn covers<T: Serialize + ?Sized>(&self, record: &T, pass: &Pass) -> bool {
        let Some((_, program)) = &self.known else { return false };
        let is_alike = record.check_one(program);
        pass.skip(u64::from(is_alike));
        if Miss::was_seen() {
            pass.mix();
        }
        is_alike
    }

    /// Passes over records that are like those before them.
    pub(crate) fn cover<I: Iterator<Item: Loops>>(&self, items: I, pass: &Pass) -> Batch<I> {
        let Some((_, program)) = &self.known else { return Batch { items, done: 0, odd: None } };
        let batch = I::Item::check(program, items);
        pass.skip(batch.done as u64);
        if Miss::was_seen() {
            pass.mix();
        }
        batch
    }

    /// Whether elements of a kind can be alike.
    pub(crate) fn is_worth(kind: &seen::Kind) -> bool {
        use seen::Kind::{Bool, Record, Sequence, Text, Tuple};
        matches!(kind, Record(_) | Tuple { .. } | Sequence { .. } | Bool | Text(_))
    }

    /// Notes how many are known to come.
    pub(crate) fn expect(&mut self, left: usize) {
        self.left = left as u64;
    }

    /// Learns from a record that has been traced.
    pub(crate) fn note<T: Serialize + ?Sized>(&mut self, seen: &Trace, record: &T, pass: &Pass) {
        self.traced = self.traced.saturating_add(1);
        let is_early = self.known.is_none() && self.traced.max(self.left) < WORTH;
        if self.refused || is_early {
            return;
        }
        let found = Layout::of_alike(seen);
        if let Some((before, _)) = &self.known
            && found.as_ref().is_none_or(|found| widened(before, found).as_ref() != Some(found))
        {
            // A number of another type, say, where those that were passed over would have had a say.
            pass.mix();
        }
        self.known = found.filter(|_| self.traced < MOST_WIDER).and_then(|dtype| {
            let program = learn(&Node::new(&dtype), record)?;
            Some((dtype, program))
        });
        self.refused = self.known.is_none();
        if self.refused {
            // Those that were passed over would be missed by what comes now.
            pass.mix();
        }
    }
}

/// The dtype that holds both, if they differ in nothing but the widths of text.
fn widened(a: &DType, b: &DType) -> Option<DType> {
    match (a, b) {
        (DType::Scalar(one), DType::Scalar(other)) if one.kind() == Kind::Str && other.kind() == Kind::Str => {
            Some(if one.itemsize() < other.itemsize() { b.clone() } else { a.clone() })
        }
        (DType::Struct(one), DType::Struct(other)) if one.fields().len() == other.fields().len() => {
            let fields = one.fields().iter().zip(other.fields()).map(|(one, other)| {
                let dtype = widened(one.dtype(), other.dtype())?;
                (one.name() == other.name()).then(|| Field::new(one.name(), dtype))
            });
            Struct::packed(fields.collect::<Option<_>>()?).ok().map(DType::from)
        }
        (DType::Subarray(one), DType::Subarray(other)) if one.shape() == other.shape() => {
            Subarray::new(widened(one.base(), other.base())?, one.shape().to_vec()).ok().map(DType::from)
        }
        _ => (a == b).then(|| a.clone()),
    }
}
