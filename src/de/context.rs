//! What the deserializers of one read share: the options, the count of values that take no bytes, and which fields of
//! a record each Rust type asks for.

use crate::de::fast::Tier;
use crate::error::Result;
use crate::options::ReadOptions;
use crate::plan::{Node, Record};
use crate::program::{Call, Recorder};
use crate::with::Adapter;
use std::any::type_name;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// More types than one read asks for, but where the rows of a view are read again and again, each time as new nodes.
const MOST_TIERS: usize = 16;

pub(crate) struct Context {
    pub(crate) options: ReadOptions,
    /// How many more values without bytes may be handed out.
    empty_left: Cell<u64>,
    selections: RefCell<Vec<Rc<Selection>>>,
    /// The helper in whose newtype struct the value stands that is being read.
    scope: Cell<Option<Adapter>>,
    tiers: RefCell<Vec<Rc<Tier>>>,
    /// The calls for the element that is being read, where a tier learns from them.
    recorder: RefCell<Recorder>,
    is_recording: Cell<bool>,
}

/// Which fields of a record a Rust type knows, found once and used for every record.
#[derive(Debug)]
pub(crate) struct Selection {
    /// What it is for: the record, the field names of the derive, the visitor.
    key: Key,
    /// The fields that the type knows, by their position in the record, and whether by title.
    pub(crate) listed: Vec<(usize, bool)>,
    /// Whether the type is shown only these: there are no others, or it is a derived one, and a record has shown that it
    /// takes no offence at the others (`deny_unknown_fields`).
    pub(crate) settled: Cell<bool>,
}

impl Context {
    pub(crate) fn new(options: ReadOptions) -> Self {
        let empty_left = Cell::new(options.limits.empty_items);
        Context {
            options,
            empty_left,
            selections: RefCell::default(),
            scope: Cell::new(None),
            tiers: RefCell::default(),
            recorder: RefCell::default(),
            is_recording: Cell::new(false),
        }
    }

    /// The helper in whose newtype struct the value stands that is being read.
    #[inline]
    pub(crate) fn scope(&self) -> Option<Adapter> {
        self.scope.get()
    }

    /// Makes a helper the one that [`scope`](Context::scope) tells, and gives back the former one.
    pub(crate) fn set_scope(&self, scope: Option<Adapter>) -> Option<Adapter> {
        self.scope.replace(scope)
    }

    /// Whether the helper tells what stands in its newtype struct that the format is human-readable.
    #[inline]
    pub(crate) fn is_readable(&self) -> bool {
        self.scope.get().is_some_and(Adapter::is_readable)
    }

    /// Whether floats may be rounded.
    #[inline]
    pub(crate) fn rounds(&self) -> bool {
        self.options.round_floats || self.scope.get() == Some(Adapter::Round)
    }

    /// Counts a value or row of `bytes` bytes that is about to be handed out, if it has none.
    #[inline]
    pub(crate) fn charge(&self, bytes: u64) -> Result<()> {
        if bytes == 0 { self.charge_empty() } else { Ok(()) }
    }

    /// How many more values without bytes may be handed out.
    pub(crate) fn empty_left(&self) -> u64 {
        self.empty_left.get()
    }

    pub(crate) fn set_empty_left(&self, left: u64) {
        self.empty_left.set(left);
    }

    /// Refuses a sequence of `length` items of `bytes` bytes before its first, if the last could not be handed out.
    pub(crate) fn check_room(&self, length: u64, bytes: u64) -> Result<()> {
        let left = self.empty_left.get();
        if bytes == 0 && length > left { Err(self.options.limits.too_many_empty().at_index(left)) } else { Ok(()) }
    }

    fn charge_empty(&self) -> Result<()> {
        let left = self.empty_left.get().checked_sub(1).ok_or_else(|| self.options.limits.too_many_empty())?;
        self.empty_left.set(left);
        Ok(())
    }

    /// What is known of elements as values of a type.
    pub(crate) fn tier<T>(&self, node: &Node) -> Rc<Tier> {
        let mut tiers = self.tiers.borrow_mut();
        if let Some(found) = tiers.iter().find(|tier| tier.is_for::<T>(node)) {
            return Rc::clone(found);
        }
        if tiers.len() >= MOST_TIERS {
            tiers.clear();
        }
        let tier = Rc::new(Tier::new(node, type_name::<T>()));
        tiers.push(Rc::clone(&tier));
        tier
    }

    pub(crate) fn start_recording(&self) {
        self.recorder.take();
        self.is_recording.set(true);
    }

    pub(crate) fn stop_recording(&self) -> Recorder {
        self.is_recording.set(false);
        self.recorder.take()
    }

    /// Notes a call, where calls are noted.
    #[inline]
    pub(crate) fn note(&self, call: Call) {
        if self.is_recording.get() {
            self.recorder.borrow_mut().note(call);
        }
    }

    /// Notes that the calls that follow are for another part.
    #[inline]
    pub(crate) fn enter(&self, node: &Node) {
        if self.is_recording.get() {
            self.recorder.borrow_mut().enter(node);
        }
    }

    #[inline]
    pub(crate) fn leave(&self) {
        if self.is_recording.get() {
            self.recorder.borrow_mut().leave();
        }
    }

    /// Runs without noting calls.
    pub(crate) fn unrecorded<T>(&self, run: impl FnOnce() -> T) -> T {
        let before = self.is_recording.replace(false);
        let value = run();
        self.is_recording.set(before);
        value
    }

    /// The selection of the type whose visitor is `V` and whose derive lists `fields`.
    #[inline]
    pub(crate) fn selection<V>(&self, record: &Record, fields: &'static [&'static str]) -> Rc<Selection> {
        self.selection_of(type_name::<V>(), record, fields)
    }

    // Not one for each type.
    fn selection_of(&self, visitor: &'static str, record: &Record, fields: &'static [&'static str]) -> Rc<Selection> {
        // The names alone do not tell two types apart: the compiler may give equal lists one address.
        let key = (std::ptr::from_ref(record), fields.as_ptr(), fields.len(), visitor);
        let mut selections = self.selections.borrow_mut();
        if let Some(found) = selections.iter().find(|selection| same(selection.key, key)) {
            return Rc::clone(found);
        }
        let names: std::collections::HashSet<&str> = fields.iter().copied().collect();
        let marks = fields.iter().fold(0, |marks, name| marks | mark(name));
        let is_known = |name: &str| marks & mark(name) != 0 && names.contains(name);
        let listed: Vec<_> = record
            .fields
            .iter()
            .enumerate()
            .filter_map(|(position, field)| {
                let by_title = || field.title.as_deref().is_some_and(is_known);
                if is_known(&field.name) { Some((position, false)) } else { by_title().then_some((position, true)) }
            })
            .collect();
        let settled = Cell::new(listed.len() == record.fields.len());
        let selection = Rc::new(Selection { key, listed, settled });
        selections.push(Rc::clone(&selection));
        selection
    }
}

/// One bit of 64, by which most names are told apart without a look at all of their bytes.
fn mark(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let [first, last] = [bytes.first(), bytes.last()].map(|byte| byte.copied().map_or(0, usize::from));
    1 << ((last.wrapping_mul(9) ^ first.wrapping_mul(5) ^ bytes.len().wrapping_mul(3)) % 64)
}

type Key = (*const Record, *const &'static str, usize, &'static str);

#[inline]
fn same(a: Key, b: Key) -> bool {
    std::ptr::eq(a.0, b.0) && std::ptr::eq(a.1, b.1) && a.2 == b.2 && (std::ptr::eq(a.3, b.3) || a.3 == b.3)
}
