//! The seam between the loops over records and serde.

use crate::error::{Error, Result};
use crate::io::clear;
use crate::plan::Node;
use crate::ser::element::{Element, expected};
use crate::ser::fast::Tier;
use serde::Serialize;

/// How many items are held at a time: references most often, which stay in the nearest cache.
pub(crate) const HELD: usize = 256;

/// What an element is written from, in a block of elements: the counterpart of the seam on the reading side.
pub(crate) trait Record: Serialize + Sized {
    /// Writes at most so many items into the zeroed bytes of a block, which has room for them: how many there were; on
    /// failure says how many were before.
    ///
    /// The tier belongs to the plan, and knows what was learnt from the items before; `held` is for items that are held.
    fn write_block(
        tier: &mut Tier,
        plan: &Node,
        items: &mut impl Iterator<Item = Self>,
        held: &mut Vec<Self>,
        most: usize,
        block: &mut [u8],
    ) -> Result<usize, (usize, Error)>;
}

impl<T: Serialize> Record for T {
    fn write_block(
        tier: &mut Tier,
        plan: &Node,
        items: &mut impl Iterator<Item = Self>,
        held: &mut Vec<Self>,
        most: usize,
        block: &mut [u8],
    ) -> Result<usize, (usize, Error)> {
        let itemsize = plan.itemsize();
        let mut before = 0usize;
        while before < most {
            held.clear();
            held.extend(items.by_ref().take(most.saturating_sub(before).min(HELD)));
            if held.is_empty() {
                break;
            }
            let left = u64::try_from(held.len().saturating_add(items.size_hint().0)).unwrap_or(u64::MAX);
            let block = block.get_mut(before.saturating_mul(itemsize)..).unwrap_or_default();
            write_items(tier, plan, held, left, block).map_err(|(done, error)| (before.saturating_add(done), error))?;
            before = before.saturating_add(held.len());
        }
        Ok(before)
    }
}

/// Writes items, in the fast tier where it can.
fn write_items<T: Serialize>(
    tier: &mut Tier,
    plan: &Node,
    items: &[T],
    left: u64,
    block: &mut [u8],
) -> Result<(), (usize, Error)> {
    let itemsize = plan.itemsize();
    let mut done = 0usize;
    loop {
        let start = done.saturating_mul(itemsize);
        let (rest, slots) = (items.get(done..).unwrap_or_default(), block.get_mut(start..).unwrap_or_default());
        done = done.saturating_add(tier.write(plan, rest, left, slots));
        let Some(item) = items.get(done) else { return Ok(()) };
        let start = done.saturating_mul(itemsize);
        let slot = start.checked_add(itemsize).and_then(|end| block.get_mut(start..end));
        let Some(slot) = slot else { return Err((done, Error::data(format!("no room for {}", expected(plan))))) };
        if let Err(error) = write_slowly(plan, item, slot) {
            return Err((done, error));
        }
        tier.missed();
        done = done.saturating_add(1);
    }
}

/// Writes one record, of which `left` more follow, into the zeroed bytes of its element.
///
/// Not by the loop over many: where a type's code is called from two places, it is inlined in neither.
pub(crate) fn write_record<T: Serialize + ?Sized>(
    tier: &mut Tier,
    plan: &Node,
    record: &T,
    left: u64,
    slot: &mut [u8],
) -> Result<()> {
    if tier.write_one(plan, record, left, slot) {
        return Ok(());
    }
    tier.missed();
    write_slowly(plan, record, slot)
}

/// Writes one record by the slow tier; the bytes are zeroed again if it does not fit.
pub(crate) fn write_slowly<T: Serialize + ?Sized>(plan: &Node, record: &T, slot: &mut [u8]) -> Result<()> {
    let done = record.serialize(Element { node: plan, slot, scope: None });
    if done.is_err() {
        clear(slot);
    }
    done
}
