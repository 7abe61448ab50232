//! The calls for one element, as the slow tier sees them.

use crate::plan::Node;
use crate::program::learner::Learner;
use crate::program::ops::Op;
use crate::with::Adapter;

/// One call of serde.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Call {
    Number(Op),
    /// A struct, by the names of its fields in the order in which it takes them.
    Fields(&'static [&'static str]),
    /// A tuple of so many parts, or a sequence of any number.
    Tuple(Option<usize>),
    Text,
    Bytes,
    Option,
    /// The option before was `None`.
    None,
    Adapter(&'static str, Adapter),
    Skip,
    /// Any other, of which there are no programs.
    Other,
}

/// The calls for one part of an element, and the parts within.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Where in the plan it stands.
    node: *const Node,
    /// The first call, which most often is the only one, and those behind it.
    first: Option<Call>,
    more: Vec<Call>,
    parts: Vec<Frame>,
}

/// Notes the calls for one element, part by part.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    /// The parts that are open, the outermost first.
    open: Vec<Frame>,
    whole: Option<Frame>,
    /// How many parts there were.
    count: usize,
}

/// More parts than any program has calls.
const MOST_PARTS: usize = 8 << 10;

impl Recorder {
    pub(crate) fn enter(&mut self, node: &Node) {
        self.count = self.count.saturating_add(1);
        if self.count <= MOST_PARTS {
            self.open.push(Frame { node, first: None, more: Vec::new(), parts: Vec::new() });
        }
    }

    pub(crate) fn leave(&mut self) {
        if self.count > MOST_PARTS {
            return;
        }
        let Some(done) = self.open.pop() else { return };
        match self.open.last_mut() {
            Some(outer) => outer.parts.push(done),
            None => self.whole = Some(done),
        }
    }

    pub(crate) fn note(&mut self, call: Call) {
        if let Some(frame) = self.open.last_mut() {
            match frame.first {
                None => frame.first = Some(call),
                Some(_) => frame.more.push(call),
            }
        }
    }

    /// Tells a learner all calls, the parts of a struct in the order in which it takes them.
    pub(crate) fn tell(&self, learner: &mut Learner<'_>) {
        match &self.whole {
            Some(whole) if self.count <= MOST_PARTS => whole.tell(learner),
            _ => learner.refuse(),
        }
    }
}

impl Frame {
    // As deep as the dtype nests, which the parser of headers has limited.
    fn tell(&self, learner: &mut Learner<'_>) {
        let outer = learner.scope();
        for call in self.first.iter().chain(&self.more) {
            match *call {
                Call::Number(op) => drop(learner.number(op)),
                Call::Text => drop(learner.characters(false)),
                Call::Bytes => drop(learner.characters(true)),
                Call::Option => learner.option(),
                Call::None => learner.none(),
                Call::Adapter(name, adapter) => learner.adapter(name, adapter),
                Call::Skip => learner.skip(),
                Call::Other => learner.refuse(),
                Call::Fields(names) => {
                    learner.fields(names);
                    // Most often in the order of the file, so that the search goes on behind the part before.
                    let mut parts = self.parts.iter().cycle();
                    for _ in names {
                        // The two parts of a complex number are no parts of the plan: their calls are among these.
                        let Some(node) = learner.next() else { break };
                        match parts.by_ref().take(self.parts.len()).find(|part| std::ptr::eq(part.node, node)) {
                            Some(part) => part.tell(learner),
                            None => learner.refuse(),
                        }
                    }
                }
                Call::Tuple(length) => {
                    learner.tuple(length);
                    if learner.is_in_run() {
                        for (index, item) in self.parts.iter().enumerate() {
                            match (item.first, &item.more[..]) {
                                (Some(Call::Number(op)), []) => learner.item(op, index),
                                _ => learner.refuse(),
                            }
                        }
                        learner.end_run(self.parts.len());
                        continue;
                    }
                    for part in &self.parts {
                        match learner.next() {
                            Some(node) if std::ptr::eq(part.node, node) => part.tell(learner),
                            _ => learner.refuse(),
                        }
                    }
                }
            }
        }
        learner.set_scope(outer);
    }
}
