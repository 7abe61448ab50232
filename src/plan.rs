//! A dtype compiled once for the loops over its elements.
//!
//! Reading and writing share it: what the bytes of each scalar mean, where each field lies, which field a name belongs
//! to. A subarray of several axes becomes one node per axis, so that each is a sequence of its own to serde.

use crate::dtype::{ByteOrder, DType, Kind, Scalar, TimeUnit};
use crate::error::{Error, Result};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// The compiled form of a dtype, in 32 bytes: a dtype may have many fields, and a subarray many axes.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Leaf(Leaf),
    /// Shared by the plans of the array and of its rows.
    Struct(Arc<Record>),
    Array(Axis),
}

const _: () = assert!(size_of::<Node>() <= 32);

/// A scalar: what its bytes mean.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub(crate) coding: Coding,
    /// Whether the bytes stand in big-endian order.
    pub(crate) big: bool,
    /// Whether wider floats are refused where they are written, not rounded.
    pub(crate) exact: bool,
    pub(crate) scalar: Scalar,
}

/// Kind and itemsize in one, so that the loops match once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
    C64,
    C128,
    /// `f16` and `c32`: which of two encodings the bytes are in, the header cannot tell.
    LongDouble,
    Bytes,
    Str,
    Void,
    /// A count of the unit; `None` is the generic unit.
    Datetime(Option<(TimeUnit, u32)>),
    Timedelta(Option<(TimeUnit, u32)>),
    Object,
}

/// A record: its fields in the order of their offsets.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) fields: Box<[Field]>,
    pub(crate) itemsize: usize,
    /// Position by name and by title, made when a field is first looked up out of order.
    #[allow(clippy::box_collection, reason = "a dtype may have as many records as fields, and few are looked up in")]
    by_name: OnceLock<Box<HashMap<Arc<str>, u32>>>,
}

/// One field of a [`Record`].
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Arc<str>,
    pub(crate) title: Option<Arc<str>>,
    pub(crate) offset: usize,
    pub(crate) node: Node,
}

/// One axis of a subarray.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) length: usize,
    /// Bytes from one item to the next.
    pub(crate) stride: usize,
    pub(crate) item: Box<Node>,
}

/// Bytes of the longest rows that are taken as elements: what each costs by itself is nothing to longer ones.
const LONGEST_ROW: usize = 4 << 10;

impl Node {
    pub(crate) fn new(dtype: &DType) -> Node {
        match dtype {
            DType::Scalar(scalar) => Node::Leaf(Leaf::new(*scalar)),
            DType::Struct(record) => Node::Struct(Arc::new(Record {
                fields: record
                    .fields()
                    .iter()
                    .map(|field| Field {
                        name: field.name().into(),
                        title: field.title().map(Into::into),
                        offset: field.offset(),
                        node: Node::new(field.dtype()),
                    })
                    .collect(),
                itemsize: record.itemsize(),
                by_name: OnceLock::new(),
            })),
            DType::Subarray(subarray) => Node::array(Node::new(subarray.base()), subarray.shape()),
        }
    }

    /// The rows of an array in C order: what lies along its first axis, each row as a subarray of the other axes.
    pub(crate) fn row(dtype: &DType, axes: &[u64]) -> Result<Node> {
        let too_large = || Error::limit("a row larger than memory");
        let mut itemsize = dtype.itemsize();
        let mut shape = Vec::with_capacity(axes.len());
        for &length in axes {
            let length = usize::try_from(length).map_err(|_| too_large())?;
            // An axis of no length must not hide that the others overflow.
            itemsize = itemsize.checked_mul(length.max(1)).ok_or_else(too_large)?;
            shape.push(length);
        }
        Ok(Node::array(Node::new(dtype), &shape))
    }

    /// Lets no float be rounded where it is written, since nobody has asked for this dtype.
    pub(crate) fn refuse_rounding(&mut self) {
        match self {
            Node::Leaf(leaf) => leaf.exact = true,
            Node::Struct(record) => {
                Arc::make_mut(record).fields.iter_mut().for_each(|field| field.node.refuse_rounding());
            }
            Node::Array(axis) => axis.item.refuse_rounding(),
        }
    }

    /// The row of elements along these axes as one element; `None` where it is empty, or too long to be one.
    pub(crate) fn short_row(&self, axes: &[u64]) -> Option<Node> {
        let shape = axes.iter().map(|&length| usize::try_from(length).ok()).collect::<Option<Vec<_>>>()?;
        let bytes = shape.iter().try_fold(self.itemsize(), |size, &length| size.checked_mul(length))?;
        (1..=LONGEST_ROW).contains(&bytes).then(|| Node::array(self.clone(), &shape))
    }

    fn array(base: Node, shape: &[usize]) -> Node {
        shape
            .iter()
            .rev()
            .fold(base, |item, &length| Node::Array(Axis { length, stride: item.itemsize(), item: Box::new(item) }))
    }

    /// The scalar under the axes; `None` for a record.
    pub(crate) fn base(&self) -> Option<&Leaf> {
        match self {
            Node::Leaf(leaf) => Some(leaf),
            Node::Array(axis) => axis.item.base(),
            Node::Struct(_) => None,
        }
    }

    /// The lengths of the axes, where it is a subarray.
    pub(crate) fn axes(&self) -> Vec<u64> {
        let mut axes = Vec::new();
        let mut node = self;
        while let Node::Array(axis) = node {
            axes.push(u64::try_from(axis.length).unwrap_or(u64::MAX));
            node = &axis.item;
        }
        axes
    }

    /// What stands under all axes, and how far apart its neighbours along each lie.
    pub(crate) fn strides(&self) -> (&Node, Vec<usize>) {
        let mut strides = Vec::new();
        let mut node = self;
        while let Node::Array(axis) = node {
            strides.push(axis.stride);
            node = &axis.item;
        }
        (node, strides)
    }

    pub(crate) fn itemsize(&self) -> usize {
        match self {
            Node::Leaf(leaf) => leaf.scalar.itemsize(),
            Node::Struct(record) => record.itemsize,
            // Cannot saturate: checked when the dtype was built, or by `row`.
            Node::Array(axis) => axis.length.saturating_mul(axis.stride),
        }
    }
}

impl Leaf {
    /// Whether it is a number of a type that Rust has.
    pub(crate) fn is_number(&self) -> bool {
        use Coding::{F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
        matches!(self.coding, I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 | F32 | F64)
    }

    fn new(scalar: Scalar) -> Leaf {
        let coding = match (scalar.kind(), scalar.itemsize()) {
            (Kind::Bool, _) => Coding::Bool,
            (Kind::Int, 1) => Coding::I8,
            (Kind::Int, 2) => Coding::I16,
            (Kind::Int, 4) => Coding::I32,
            (Kind::Int, _) => Coding::I64,
            (Kind::UInt, 1) => Coding::U8,
            (Kind::UInt, 2) => Coding::U16,
            (Kind::UInt, 4) => Coding::U32,
            (Kind::UInt, _) => Coding::U64,
            (Kind::Float, 2) => Coding::F16,
            (Kind::Float, 4) => Coding::F32,
            (Kind::Float, 8) => Coding::F64,
            (Kind::Complex, 8) => Coding::C64,
            (Kind::Complex, 16) => Coding::C128,
            (Kind::Float | Kind::Complex, _) => Coding::LongDouble,
            (Kind::Timedelta, _) => Coding::Timedelta(scalar.datetime_data()),
            (Kind::Datetime, _) => Coding::Datetime(scalar.datetime_data()),
            (Kind::Bytes, _) => Coding::Bytes,
            (Kind::Str, _) => Coding::Str,
            (Kind::Void, _) => Coding::Void,
            (Kind::Object, _) => Coding::Object,
        };
        Leaf { coding, big: scalar.byteorder() == ByteOrder::Big, exact: false, scalar }
    }
}

impl Record {
    /// The position of the field of a name, or else of a title.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        let by_name = self.by_name.get_or_init(|| {
            let titles = (0..).zip(&self.fields).filter_map(|(i, field)| Some((field.title.clone()?, i)));
            let names = (0..).zip(&self.fields).map(|(i, field)| (field.name.clone(), i));
            Box::new(titles.chain(names).collect())
        });
        by_name.get(name).and_then(|&position| usize::try_from(position).ok())
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| &*field.name)
    }
}
