//! Records of a sequence that are like those before them, and so tell nothing new of the dtype.

use crate::dtype::DType;
use crate::plan::Node;
use crate::program::{Miss, Program, WORTH};
use crate::ser::fast::tier::{Each, learn};
use crate::ser::fast::uniform::widened;
use crate::ser::trace::Pass;
use crate::trace::{Layout, Trace};
use serde::Serialize;

/// What the records so far have in common.
#[derive(Default)]
pub(crate) struct Alike {
    /// How many have been traced.
    traced: u64,
    known: Option<(DType, Program)>,
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
        if is_alike {
            pass.skip();
            if Miss::was_seen() {
                pass.mix();
            }
        }
        is_alike
    }

    /// Learns from a record that has been traced.
    pub(crate) fn note<T: Serialize + ?Sized>(&mut self, seen: &Trace, record: &T, pass: &Pass) {
        self.traced = self.traced.saturating_add(1);
        if self.refused || self.traced < WORTH {
            return;
        }
        let found = Layout::of_record(seen);
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
    }
}
