//! The seam between the loops over records and serde.

use crate::error::{Error, Result};
use crate::plan::Node;
use crate::ser::element::{Element, expected};
use crate::ser::fast::Tier;
use serde::Serialize;

/// What an element is written from, in a block of elements: the counterpart of the seam on the reading side.
pub(crate) trait Record: Serialize + Sized {
    /// Writes records into the zeroed bytes of as many elements; on failure says how many were before.
    ///
    /// The tier belongs to the plan, and knows what was learnt from the records before.
    fn write_block(tier: &mut Tier, plan: &Node, records: &[Self], block: &mut [u8]) -> Result<(), (usize, Error)>;
}

impl<T: Serialize> Record for T {
    fn write_block(tier: &mut Tier, plan: &Node, records: &[Self], block: &mut [u8]) -> Result<(), (usize, Error)> {
        let itemsize = plan.itemsize();
        let mut done = 0usize;
        loop {
            let start = done.saturating_mul(itemsize);
            let (left, slots) = (records.get(done..).unwrap_or_default(), block.get_mut(start..).unwrap_or_default());
            done = done.saturating_add(tier.write(plan, left, slots));
            let Some(record) = records.get(done) else { return Ok(()) };
            let start = done.saturating_mul(itemsize);
            let slot = start.checked_add(itemsize).and_then(|end| block.get_mut(start..end));
            let Some(slot) = slot else { return Err((done, Error::data(format!("no room for {}", expected(plan))))) };
            if let Err(error) = write_slowly(plan, record, slot) {
                return Err((done, error));
            }
            tier.missed();
            done = done.saturating_add(1);
        }
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

/// Writes one record by the slow tier.
pub(crate) fn write_slowly<T: Serialize + ?Sized>(plan: &Node, record: &T, slot: &mut [u8]) -> Result<()> {
    record.serialize(Element { node: plan, slot, scope: None })
}
