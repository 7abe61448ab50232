//! The rows of an array as elements of their own, where they are short: what each costs by itself is then more than its
//! numbers.

use crate::io::Sink;
use crate::plan::Node;
use crate::ser::fast::{Loops, Tier};
use crate::ser::record::HELD;
use std::io::Write;

/// Bytes of the rows that are held in front of the loop that writes them.
const MOST_HELD: usize = 64 << 10;

/// What is known of the rows of an array, at each depth at which some were written.
#[derive(Default)]
pub(crate) struct Rows {
    known: Vec<Row>,
}

struct Row {
    depth: usize,
    /// One row as an element; `None` where it had better not be one.
    node: Option<Node>,
    /// How many elements of the array it has.
    count: usize,
    tier: Tier,
}

impl Row {
    fn new(depth: usize, plan: &Node, axes: &[u64]) -> Row {
        let node = plan.short_row(axes);
        let count = node.as_ref().and_then(|node| node.itemsize().checked_div(plan.itemsize())).unwrap_or(0);
        Row { depth, node, count, tier: Tier::default() }
    }
}

impl Rows {
    /// What is known of the rows that begin with an axis.
    fn at(&mut self, depth: usize, plan: &Node, shape: &[u64]) -> Option<&mut Row> {
        let found = self.known.iter().position(|row| row.depth == depth).unwrap_or_else(|| {
            self.known.push(Row::new(depth, plan, shape.get(depth..).unwrap_or_default()));
            self.known.len().saturating_sub(1)
        });
        self.known.get_mut(found)
    }

    /// How many rows to hold at a time; `None` where they are no elements.
    pub(crate) fn most(&mut self, depth: usize, plan: &Node, shape: &[u64]) -> Option<usize> {
        let itemsize = self.at(depth, plan, shape)?.node.as_ref()?.itemsize();
        Some(MOST_HELD.checked_div(itemsize)?.min(HELD))
    }

    /// Writes rows, of which `left` more follow, until one is out of the ordinary or does not fit the block: how many.
    pub(crate) fn write<T: Loops, W: Write>(
        &mut self,
        depth: usize,
        rows: &[T],
        left: u64,
        sink: &mut Sink<W>,
    ) -> usize {
        let Some(Row { node: Some(node), count, tier, .. }) = self.known.iter_mut().find(|row| row.depth == depth)
        else {
            return 0;
        };
        // Whoever writes a row element by element tells where in it the writer failed: the block is not handed on here.
        let fit = sink.room().checked_div(*count).unwrap_or(0).min(rows.len());
        if fit == 0 {
            return 0;
        }
        let Ok((room, _)) = sink.free(fit.saturating_mul(*count)) else { return 0 };
        let some = rows.get(..fit).unwrap_or_default();
        let done = tier.write(node, some, left, room);
        sink.keep(done.saturating_mul(*count));
        if done < some.len() {
            tier.missed();
        }
        done
    }
}
