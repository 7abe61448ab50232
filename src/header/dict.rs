//! The dict of a header: its three keys, checked and printed.

use crate::dtype::{DType, MAX_NDIM};
use crate::error::{Count, Cut, Error, Result};
use crate::header::descr::{self, Axes};
use crate::header::extent::Extent;
use crate::header::literal::{Item, Literal};
use crate::header::node::Kind;
use crate::header::parser::Grammar;
use crate::header::source::Source;
use crate::limits::{Fields, Limits};

/// What a header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dict {
    pub(crate) descr: DType,
    pub(crate) fortran_order: bool,
    pub(crate) shape: Vec<u64>,
    pub(crate) extent: Extent,
}

/// Room that NumPy leaves for the axis along which an array grows, so that a longer length fits in place.
const GROWTH_AXIS_MAX_DIGITS: usize = 21;

const EXPECTED_KEYS: &str = "`descr`, `fortran_order` and `shape`";

impl Dict {
    /// Reads the text of a header.
    pub(crate) fn parse(source: Source<'_>, python2: bool, strict: bool, limits: &Limits) -> Result<Dict> {
        if strict && python2 {
            refuse_odd_blanks(source)?;
        }
        let literal = Literal::parse(source, Grammar { python2, nested_dicts: !strict })?;
        let root = literal.root();
        if root.kind() != Kind::Dict {
            return Err(root.at(Error::syntax(format!("expected a dict as the header, found {}", root.describe()))));
        }
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        let mut items = root.items();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            // Of equal keys the last wins, as in Python.
            match key.str().as_deref() {
                Some("descr") => descr = Some(value),
                Some("fortran_order") => fortran_order = Some(value),
                Some("shape") => shape = Some(value),
                _ => {
                    let message = format!("expected the keys {EXPECTED_KEYS}, found {}", key.describe());
                    return Err(key.at(Error::syntax(message)));
                }
            }
        }
        let missing = |key| move || root.at(Error::syntax(format!("the header lacks the key `{key}`")));
        let descr = descr.ok_or_else(missing("descr"))?;
        let fortran_order = fortran_order.ok_or_else(missing("fortran_order"))?;
        let shape_item = shape.ok_or_else(missing("shape"))?;
        let shape = read_shape(shape_item)?;
        let fortran_order = fortran_order.bool().ok_or_else(|| {
            let message = format!("expected `True` or `False` as fortran_order, found {}", fortran_order.describe());
            fortran_order.at(Error::syntax(message))
        })?;
        let dtype = descr::read(descr, &mut Fields::at_most(limits.max_fields))?;
        if let DType::Subarray(_) = dtype {
            return Err(
                descr.at(Error::unsupported(format!("the subarray `{}` as the dtype of a whole array", Cut(dtype))))
            );
        }
        let extent = Extent::of(&dtype, &shape).map_err(|error| shape_item.at(error))?;
        if extent.data_len > limits.max_data_size {
            let (size, most) = (extent.data_len, limits.max_data_size);
            let message = format!("data of {}, over the limit `max_data_size` of {most}", Count(size, "byte"));
            return Err(shape_item.at(Error::limit(message)));
        }
        Ok(Dict { descr: dtype, fortran_order, shape, extent })
    }

    /// The text, with the room behind it, but without padding.
    pub(crate) fn print(dtype: &DType, fortran_order: bool, shape: &[u64]) -> String {
        let fortran = if fortran_order { "True" } else { "False" };
        let mut text = format!("{{'descr': {dtype}, 'fortran_order': {fortran}, 'shape': {}, }}", Axes(shape));
        let growing = if fortran_order { shape.last() } else { shape.first() };
        if let Some(length) = growing {
            let digits = length.checked_ilog10().unwrap_or(0).saturating_add(1);
            let room = GROWTH_AXIS_MAX_DIGITS.saturating_sub(usize::try_from(digits).unwrap_or_default());
            text.extend(std::iter::repeat_n(' ', room));
        }
        text
    }
}

/// Refuses form feeds and carriage returns that are line ends by themselves: where NumPy has to read a text of Python 2
/// token by token, it does not take all of them.
fn refuse_odd_blanks(source: Source<'_>) -> Result<()> {
    let text = source.text();
    let mut bytes = text.bytes().enumerate().peekable();
    while let Some((position, byte)) = bytes.next() {
        let lone_return = byte == b'\r' && bytes.peek().is_none_or(|&(_, next)| next != b'\n');
        if lone_return || byte == b'\x0c' {
            let what = if lone_return { "a carriage return that ends a line by itself" } else { "a form feed" };
            let message = format!("{what}, which NumPy does not take everywhere");
            return Err(source.at(position, Error::syntax(message)));
        }
    }
    Ok(())
}

fn read_shape(item: Item<'_, '_>) -> Result<Vec<u64>> {
    if item.kind() != Kind::Tuple {
        let hint = match item.kind() {
            Kind::Int => format!(" (a missing comma: one axis is `({},)`)", item.int().unwrap_or_default()),
            _ => String::new(),
        };
        let message = format!("expected a tuple of integers as shape, found {}{hint}", item.describe());
        return Err(item.at(Error::syntax(message)));
    }
    let mut shape = Vec::with_capacity(item.items().take(MAX_NDIM).count());
    for axis in item.items() {
        let Some(length) = axis.int() else {
            return Err(axis.at(Error::syntax(format!("expected an integer in the shape, found {}", axis.describe()))));
        };
        if length < 0 {
            let message = format!("expected a length of 0 or more in the shape, found {}", axis.describe());
            return Err(axis.at(Error::syntax(message)));
        }
        // NumPy counts in a signed type.
        let Some(length) = i64::try_from(length).ok().and_then(|length| u64::try_from(length).ok()) else {
            let message = format!("an axis over {} elements, {}", i64::MAX, axis.describe());
            return Err(axis.at(Error::limit(message)));
        };
        if shape.len() >= MAX_NDIM {
            return Err(axis.at(Error::limit(format!("an array of over {MAX_NDIM} axes"))));
        }
        shape.push(length);
    }
    Ok(shape)
}
