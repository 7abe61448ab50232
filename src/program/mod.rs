//! What one Rust type asks of the elements of one dtype, learnt from a value and then only compared.
//!
//! The fast tiers of reading and writing share it. Serde tells a deserializer or serializer the same calls for every
//! element of most types. A [`Learner`] notes them once, for one element, each with the place in the element that it
//! means; the resulting [`Program`] is a list of [`Op`]s that the fast cursors walk along: a call that is not the one
//! noted is a [`Miss`], after which the slow tier takes that element, with its names, conversions and errors.
//!
//! The fast cursors see an element as a *stream*: the numbers in the order in which the type asks for them, packed, in
//! little-endian order, in the width that is asked for. Most often the element is its own stream. Where it is not
//! (another order of fields, fields that nobody asks for, padding, another byteorder, numbers that are widened),
//! [`Move`]s carry a block of elements into streams first.

mod known;
mod learner;
mod miss;
mod moves;
mod ops;
mod recorder;

pub(crate) use known::{Known, WORTH};
pub(crate) use learner::{Learner, Opened};
pub(crate) use miss::Miss;
pub(crate) use ops::{Due, Op, POISON, Program};
pub(crate) use recorder::{Call, Recorder};

#[cfg(feature = "unstable-fuzzing")]
thread_local! {
    static OFF: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Whether the slow tiers do everything, for tests that compare the two.
#[inline]
pub(crate) fn is_off() -> bool {
    #[cfg(feature = "unstable-fuzzing")]
    let off = OFF.get();
    #[cfg(not(feature = "unstable-fuzzing"))]
    let off = false;
    off
}

/// What a function gives where the slow tiers do everything.
#[cfg(feature = "unstable-fuzzing")]
pub(crate) fn slowly<T>(run: impl FnOnce() -> T) -> T {
    let before = OFF.replace(true);
    let value = run();
    OFF.set(before);
    value
}
