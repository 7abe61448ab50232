//! The seam between the loops over elements and serde.

use crate::de::access::deserialize_part;
use crate::de::element::Element;
use crate::de::fast::{Found, Tier};
use crate::error::{Error, Result};
use serde::de::Deserialize;
use std::marker::PhantomData;

/// A type whose values are read a block at a time.
///
/// Every type is: the loop is a method of the type, so that the compiler keeps it together with the type's own code and
/// can inline the one into the other, and so that there is one place in which a faster way can stand.
pub(crate) trait Record<'de>: Deserialize<'de> {
    /// Appends the `count` elements that stand in `block`; on failure says how many were before.
    fn read_block(block: Element<'_, 'de>, count: u64, out: &mut Vec<Self>) -> Result<(), (u64, Error)>;

    /// Reads the one element at hand, of which `left` more follow.
    fn read_one(tier: &Tier, element: Element<'_, 'de>, left: u64) -> Result<Self>;
}

impl<'de, T: Deserialize<'de>> Record<'de> for T {
    fn read_block(block: Element<'_, 'de>, count: u64, out: &mut Vec<Self>) -> Result<(), (u64, Error)> {
        let itemsize = block.node.itemsize();
        let tier = block.context.tier::<T>(block.node);
        let mut done = 0u64;
        loop {
            done = done.saturating_add(tier.read(block, done..count, out));
            if done >= count {
                return Ok(());
            }
            // Cannot saturate: the bytes of the block are there.
            let start = usize::try_from(done).unwrap_or(usize::MAX).saturating_mul(itemsize);
            match slowly(&tier, block.part(block.node, start), count.saturating_sub(done)) {
                Ok(value) => out.push(value),
                Err(error) => return Err((done, error)),
            }
            done = done.saturating_add(1);
        }
    }

    #[inline(always)] // As the tier's function that it calls.
    fn read_one(tier: &Tier, element: Element<'_, 'de>, left: u64) -> Result<Self> {
        match tier.read_one(element) {
            Found::Value(value) => Ok(value),
            Found::Miss => slowly(tier, element, left),
        }
    }
}

/// Reads an element by the slow tier, from which the fast one learns where it is worth while.
#[inline(never)]
fn slowly<'a, 'de: 'a, T: Deserialize<'de>>(tier: &Tier, element: Element<'a, 'de>, left: u64) -> Result<T> {
    let is_to_learn = tier.is_to_learn(left);
    if is_to_learn {
        element.context.start_recording();
    }
    let value = deserialize_part(element, PhantomData::<T>);
    if is_to_learn {
        let calls = element.context.stop_recording();
        // One that failed says little of the others.
        if value.is_ok() {
            tier.learn(element, &calls);
        }
    }
    tier.missed();
    value
}
