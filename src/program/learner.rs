//! How a program comes about.

use crate::dtype::Kind;
use crate::plan::{Axis, Coding, Field, Leaf, Node, Record};
use crate::program::moves::{Move, plain};
use crate::program::ops::{MOST_OPS, Op, Program, ROOM, Step};
use crate::with::Adapter;

/// Notes the calls for one element, and finds for each the part of the element that it means.
///
/// Every call takes one part off the pending ones: those of a struct, in the order of its names, or of a tuple, in the
/// order of the file, stand in for it. A type that asks for fewer parts than it said, or for none where one is due, leaves
/// some over in the end, and is refused.
pub(crate) struct Learner<'p> {
    /// The parts that are due, the next one last.
    pending: Vec<Part<'p>>,
    ops: Vec<Op>,
    details: Vec<[usize; 2]>,
    moves: Vec<Move>,
    /// Bytes of the stream so far, where moves make it.
    gathered: usize,
    /// Bytes of the element so far, while it is its own stream.
    direct: Option<usize>,
    /// Whether a call was not understood.
    refused: bool,
    scope: Option<Adapter>,
    /// Whether the type is one that is written, not read: nothing is widened, and no count is NaT.
    writing: bool,
    /// Whether floats may be rounded by all that reads.
    rounds: bool,
    /// The key that the next op stands under, where a type is written.
    key: Option<&'static str>,
    /// The keys of all ops.
    keys: Vec<Option<&'static str>>,
}

/// A record whose fields are written one after the other.
pub(crate) struct Opened<'p> {
    target: Target<'p>,
    offset: usize,
    taken: Vec<bool>,
}

#[derive(Clone, Copy)]
struct Part<'p> {
    target: Target<'p>,
    offset: usize,
}

#[derive(Clone, Copy)]
enum Target<'p> {
    Node(&'p Node),
    /// Of a complex number.
    Float(Leaf),
}

impl<'p> Part<'p> {
    /// A field of a record that lies at `offset`.
    fn of(field: &'p Field, offset: usize) -> Self {
        Part { target: Target::Node(&field.node), offset: offset.saturating_add(field.offset) }
    }
}

impl<'p> Learner<'p> {
    /// Of a type that is written.
    pub(crate) fn of_writing(node: &'p Node) -> Self {
        Learner { writing: true, ..Learner::of_reading(node, false) }
    }

    /// Of a type that is read, perhaps with floats that are rounded.
    pub(crate) fn of_reading(node: &'p Node, rounds: bool) -> Self {
        Learner {
            pending: vec![Part { target: Target::Node(node), offset: 0 }],
            ops: Vec::new(),
            details: Vec::new(),
            moves: Vec::new(),
            gathered: 0,
            direct: Some(0),
            refused: false,
            scope: None,
            writing: false,
            rounds,
            key: None,
            keys: Vec::new(),
        }
    }

    /// A call that no program has.
    pub(crate) fn refuse(&mut self) {
        self.refused = true;
    }

    /// The program, if every part of the element was asked for once and every call was understood.
    pub(crate) fn finish<S: Step>(self, itemsize: usize) -> Option<Program<S>> {
        if self.refused || !self.pending.is_empty() || itemsize == 0 || self.ops.len() > MOST_OPS {
            return None;
        }
        let mut steps = Box::new([S::default(); ROOM]);
        for ((to, op), key) in steps.iter_mut().zip(&self.ops).zip(&self.keys) {
            *to = S::new(*op, *key)?;
        }
        let is_direct = self.direct == Some(itemsize);
        // Characters are written in the element itself, which must then be the stream.
        if self.writing
            && !is_direct
            && self.ops.iter().any(|op| matches!(op, Op::Bytes | Op::Str | Op::StrBig | Op::Void))
        {
            return None;
        }
        let length = self.ops.len();
        // A stream of no numbers has one byte, so that there are as many streams as elements.
        let (stride, moves) = if is_direct { (itemsize, None) } else { (self.gathered.max(1), Some(self.moves)) };
        Some(Program { steps, details: self.details, length, itemsize, stride, moves })
    }

    /// The helper in whose newtype the part stands that is due.
    pub(crate) fn scope(&self) -> Option<Adapter> {
        self.scope
    }

    pub(crate) fn set_scope(&mut self, scope: Option<Adapter>) {
        self.scope = scope;
    }

    /// The part of the plan that is due.
    pub(crate) fn next(&self) -> Option<&'p Node> {
        match self.peek()?.target {
            Target::Node(node) => Some(node),
            Target::Float(_) => None,
        }
    }

    pub(crate) fn push(&mut self, op: Op, detail: [usize; 2]) {
        // Bounded, whatever a type asks for.
        if self.ops.len() > MOST_OPS {
            self.refused = true;
            return;
        }
        self.ops.push(op);
        self.details.push(detail);
        self.keys.push(self.key.take());
    }

    fn peek(&self) -> Option<Part<'p>> {
        if self.refused { None } else { self.pending.last().copied() }
    }

    fn pop(&mut self) -> Option<Part<'p>> {
        let part = if self.refused { None } else { self.pending.pop() };
        self.refused |= part.is_none();
        part
    }

    /// Notes a call for a number; `None` if it is refused.
    pub(crate) fn number(&mut self, op: Op) -> Option<()> {
        let part = self.pop()?;
        let leaf = match part.target {
            Target::Node(Node::Leaf(leaf)) => *leaf,
            Target::Float(leaf) => leaf,
            Target::Node(_) => return self.refused(),
        };
        let op = self.as_time(leaf, op)?;
        self.take(Move { leaf, op, count: 1, offset: part.offset, target: self.gathered })?;
        self.push(op, [0; 2]);
        Some(())
    }

    fn refused<T>(&mut self) -> Option<T> {
        self.refused = true;
        None
    }

    /// The op of a number, which is another where the number is a time.
    fn as_time(&mut self, leaf: Leaf, op: Op) -> Option<Op> {
        if !matches!(leaf.coding, Coding::Datetime(_) | Coding::Timedelta(_)) {
            return Some(op);
        }
        match self.scope {
            Some(Adapter::Raw) if op == Op::I64 => Some(if self.writing { Op::Time } else { op }),
            Some(Adapter::Time(kind, unit))
                if op == Op::I64 && leaf.scalar.kind() == kind && leaf.scalar.datetime_data() == Some((unit, 1)) =>
            {
                Some(Op::Time)
            }
            _ => self.refused(),
        }
    }

    fn take(&mut self, numbers: Move) -> Option<()> {
        let rounds = self.rounds || self.scope == Some(Adapter::Round);
        let is_possible = numbers.is_possible() || (rounds && numbers.is_rounding());
        if !is_possible || (self.writing && !numbers.keeps_type()) {
            return self.refused();
        }
        let bytes = numbers.op.width().checked_mul(numbers.count)?;
        self.advance(numbers.offset, bytes, numbers.is_plain());
        self.gathered = self.gathered.checked_add(bytes)?;
        self.moves.push(numbers);
        Some(())
    }

    /// Goes on along the element, as long as it is its own stream.
    fn advance(&mut self, offset: usize, bytes: usize, is_plain: bool) {
        self.direct = self.direct.filter(|&at| at == offset && is_plain).and_then(|at| at.checked_add(bytes));
    }

    /// Notes a call for a struct of these names, whose parts stand in for the record that is due.
    pub(crate) fn fields(&mut self, names: &'static [&'static str]) {
        self.push(Op::Struct, [names.as_ptr().addr(), names.len()]);
        let Some(part) = self.pop() else { return };
        match part.target {
            Target::Node(Node::Struct(record)) => self.named_fields(record, part.offset, names),
            Target::Node(Node::Leaf(leaf)) if matches!(names, ["re" | "real", "im" | "imag"]) => {
                self.pair(*leaf, part.offset);
            }
            _ => self.refuse(),
        }
    }

    fn named_fields(&mut self, record: &'p Record, offset: usize, names: &[&str]) {
        let mut taken = vec![false; record.fields.len()];
        let mut parts = Vec::with_capacity(names.len());
        for name in names {
            let position = record.position(name);
            let place = position.and_then(|position| Some((record.fields.get(position)?, taken.get_mut(position)?)));
            match place {
                Some((field, taken)) if !*taken => {
                    *taken = true;
                    parts.push(Part::of(field, offset));
                }
                // An alias, or a field that is to have its default.
                _ => return self.refuse(),
            }
        }
        self.due(parts);
    }

    /// Notes a call for a struct whose fields follow one by one.
    pub(crate) fn open(&mut self, length: usize) -> Option<Opened<'p>> {
        self.push(Op::Struct, [0, length]);
        let Part { target, offset } = self.pop()?;
        let found = match target {
            Target::Node(Node::Struct(record)) => record.fields.len(),
            Target::Node(Node::Leaf(leaf)) if matches!(leaf.coding, Coding::C64 | Coding::C128) => 2,
            _ => return self.refused(),
        };
        Some(Opened { target, offset, taken: vec![false; found] })
    }

    /// Notes the key of a field, whose value comes next.
    pub(crate) fn key(&mut self, opened: &mut Opened<'p>, key: &'static str) {
        self.key = Some(key);
        let (position, part) = match opened.target {
            Target::Node(Node::Struct(record)) => {
                let position = record.position(key).unwrap_or(usize::MAX);
                // By name: a title is none to a record that is written.
                let field = record.fields.get(position).filter(|field| *field.name == *key);
                (position, field.map(|field| Part::of(field, opened.offset)))
            }
            Target::Node(Node::Leaf(leaf)) => {
                let position = match key {
                    "re" | "real" => 0,
                    "im" | "imag" => 1,
                    _ => usize::MAX,
                };
                (position, Self::halves(*leaf, opened.offset).and_then(|parts| parts.get(position).copied()))
            }
            _ => (usize::MAX, None),
        };
        match (part, opened.taken.get_mut(position)) {
            (Some(part), Some(taken)) if !*taken => {
                *taken = true;
                self.due(vec![part]);
            }
            _ => self.refused = true,
        }
    }

    /// Ends a struct, all fields of which must have come.
    pub(crate) fn close(&mut self, opened: &Opened<'p>) {
        self.refused |= opened.taken.contains(&false);
    }

    /// Notes a call for a tuple of so many parts, or for a sequence of any number.
    pub(crate) fn tuple(&mut self, length: Option<usize>) -> Option<()> {
        let part = self.pop()?;
        let fits = |found: usize| length.is_none_or(|length| length == found);
        let found = match part.target {
            Target::Node(Node::Struct(record)) if fits(record.fields.len()) => record.fields.len(),
            Target::Node(Node::Array(axis)) if fits(axis.length) => axis.length,
            Target::Node(Node::Leaf(leaf)) if fits(2) && matches!(leaf.coding, Coding::C64 | Coding::C128) => 2,
            _ => return self.refused(),
        };
        // A serializer is told each item of a tuple in code of its own.
        if (length.is_none() || !self.writing)
            && let Target::Node(Node::Array(axis)) = part.target
            && matches!(&*axis.item, Node::Leaf(leaf) if is_number(leaf.coding))
        {
            self.push(Op::Run, [found, 0]);
            self.pending.push(part);
            return Some(());
        }
        self.push(Op::Tuple, [found, 0]);
        match part.target {
            Target::Node(Node::Struct(record)) => {
                self.due(record.fields.iter().map(|field| Part::of(field, part.offset)).collect());
            }
            Target::Node(Node::Array(axis)) => self.items(axis, part.offset),
            Target::Node(Node::Leaf(leaf)) => self.pair(*leaf, part.offset),
            Target::Float(_) => return self.refused(),
        }
        Some(())
    }

    fn items(&mut self, axis: &'p Axis, offset: usize) {
        if axis.length > MOST_OPS {
            return self.refuse();
        }
        let place = |index: usize| Part {
            target: Target::Node(&axis.item),
            offset: offset.saturating_add(index.saturating_mul(axis.stride)),
        };
        self.due((0..axis.length).map(place).collect());
    }

    fn pair(&mut self, leaf: Leaf, offset: usize) {
        match Self::halves(leaf, offset) {
            Some(parts) => self.due(parts.to_vec()),
            None => self.refuse(),
        }
    }

    fn halves(leaf: Leaf, offset: usize) -> Option<[Part<'p>; 2]> {
        let coding = match leaf.coding {
            Coding::C64 => Coding::F32,
            Coding::C128 => Coding::F64,
            _ => return None,
        };
        let part = Part { target: Target::Float(Leaf { coding, ..leaf }), offset };
        Some([part, Part { offset: offset.saturating_add(leaf.scalar.itemsize() / 2), ..part }])
    }

    /// Lets parts stand in for the one that was due.
    fn due(&mut self, parts: Vec<Part<'p>>) {
        if self.pending.len().saturating_add(parts.len()) > MOST_OPS {
            return self.refuse();
        }
        // What has no bytes is counted, which only the slow tier does.
        let is_empty = |part: &Part<'_>| matches!(part.target, Target::Node(node) if node.itemsize() == 0);
        self.refused |= parts.iter().any(is_empty);
        self.pending.extend(parts.into_iter().rev());
    }

    /// Notes a call for an item of the run that is due.
    pub(crate) fn item(&mut self, op: Op, index: usize) {
        if self.try_item(op, index).is_none() {
            self.refused = true;
        }
    }

    fn try_item(&mut self, op: Op, index: usize) -> Option<()> {
        let Part { target: Target::Node(Node::Array(axis)), offset } = self.peek()? else { return None };
        let Node::Leaf(leaf) = &*axis.item else { return None };
        if self.as_time(*leaf, op)? != op {
            return None;
        }
        let found = usize::from(op as u8);
        if index > 0 {
            return self.details.last().filter(|[_, first]| *first & 0xff == found).map(|_| ());
        }
        self.take(Move { leaf: *leaf, op, count: axis.length, offset, target: self.gathered })?;
        let bytes = op.width().checked_mul(axis.length)?;
        *self.details.last_mut()? = [axis.length, bytes.checked_mul(256)? | found];
        Some(())
    }

    /// Whether the part that is due is a run.
    pub(crate) fn is_in_run(&self) -> bool {
        !self.refused && self.ops.last() == Some(&Op::Run)
    }

    /// Ends the run that is due, after so many items.
    pub(crate) fn end_run(&mut self, items: usize) {
        self.refused |= self.details.last().is_none_or(|[length, op]| *op == 0 || *length != items);
        self.pop();
    }

    /// Notes a call for text or bytes; `None` if it is refused.
    pub(crate) fn characters(&mut self, as_bytes: bool) -> Option<()> {
        let part = self.pop()?;
        let Target::Node(node) = part.target else { return self.refused() };
        let op = match (node, as_bytes) {
            (Node::Leaf(leaf), _) if leaf.coding == Coding::Bytes => Op::Bytes,
            (Node::Leaf(leaf), false) if leaf.coding == Coding::Str => {
                if leaf.big {
                    Op::StrBig
                } else {
                    Op::Str
                }
            }
            (Node::Leaf(leaf), true) if leaf.coding == Coding::Void => Op::Void,
            _ => return self.refused(),
        };
        let width = node.itemsize();
        self.advance(part.offset, width, true);
        self.push(op, [part.offset, width]);
        Some(())
    }

    /// Notes that a part is passed over.
    pub(crate) fn skip(&mut self) {
        self.pop();
        self.direct = None;
        self.push(Op::Skip, [0; 2]);
    }

    /// Notes an `Option` around the part that is due, where its `None` is told by a value.
    pub(crate) fn option(&mut self) {
        let leaf = match self.peek().map(|part| part.target) {
            Some(Target::Node(Node::Leaf(leaf))) => *leaf,
            Some(Target::Float(leaf)) => leaf,
            _ => return,
        };
        if matches!(leaf.coding, Coding::Datetime(_) | Coding::Timedelta(_)) {
            self.push(Op::TimeOption, [0; 2]);
        } else if matches!(self.scope, Some(Adapter::Nan(_))) {
            self.push(Op::NanOption, [0; 2]);
            // A half, for one, is no NaN any more once it is read by its bits.
            self.refused |= !matches!(leaf.coding, Coding::F32 | Coding::F64);
        }
    }

    /// Notes that the option before was `None`, with the number that says so.
    pub(crate) fn none(&mut self) {
        let op = match (self.ops.last(), self.scope) {
            (Some(Op::TimeOption), _) => Some(Op::I64),
            (Some(Op::NanOption), Some(Adapter::Nan(4))) => Some(Op::F32),
            (Some(Op::NanOption), Some(Adapter::Nan(_))) => Some(Op::F64),
            _ => None,
        };
        match op {
            Some(op) => drop(self.number(op)),
            None => self.refused = true,
        }
    }

    /// Notes the newtype of a helper, for all that follows in the part that is due.
    pub(crate) fn adapter(&mut self, name: &'static str, adapter: Adapter) {
        let base = self.peek().and_then(|part| match part.target {
            Target::Node(node) => node.base().copied(),
            Target::Float(leaf) => Some(leaf),
        });
        let found = base.map(|leaf| leaf.scalar.kind());
        let is_known = match adapter {
            Adapter::Time(kind, _) => found == Some(kind),
            Adapter::Raw => matches!(found, Some(Kind::Datetime | Kind::Timedelta | Kind::Int | Kind::UInt)),
            Adapter::Complex | Adapter::Half | Adapter::Round | Adapter::Nan(_) | Adapter::Characters(..) => true,
            Adapter::Text | Adapter::Of => false,
        };
        self.push(if adapter.is_readable() { Op::Readable } else { Op::Adapter }, [name.as_ptr().addr(), name.len()]);
        self.refused |= !is_known;
        self.scope = Some(adapter);
    }
}

fn is_number(coding: Coding) -> bool {
    coding == Coding::F16 || plain(coding).is_some()
}
