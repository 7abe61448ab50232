//! The descr: how a dtype stands in a header. Literal to [`DType`], as `numpy.lib.format.descr_to_dtype` reads it, and
//! [`DType`] to text, as `dtype.descr` prints.

use crate::dtype::{DType, Field, Kind as ScalarKind, MAX_NDIM, Struct, Subarray};
use crate::error::{Error, Result};
use crate::header::literal::{Item, Literal};
use crate::header::node::Kind;
use crate::header::parser::Grammar;
use crate::header::quoted::Repr;
use crate::header::source::Source;
use crate::header::type_string;
use crate::header::type_tuple::{Shape, shaped, too_many_axes};
use crate::limits::{Fields, Limits};
use std::borrow::Cow;
use std::fmt::{self, Display};
use std::str::FromStr;

/// The dtype that a literal describes.
///
/// A pair of a type and a dict, its metadata, is the type; NumPy writes such pairs and does not read them.
#[inline(always)]
pub(crate) fn read(item: Item<'_, '_>, fields: &mut Fields) -> Result<DType> {
    match item.str() {
        Some(text) => type_string::parse(&text, fields).map_err(|error| item.at(error)),
        None => nested(item, fields),
    }
}

fn nested(item: Item<'_, '_>, fields: &mut Fields) -> Result<DType> {
    match item.kind() {
        Kind::List => record(item, fields),
        Kind::Tuple => match item.two_or_three() {
            Some((base, second, None)) => {
                let base = read(base, fields)?;
                if second.kind() == Kind::Opaque {
                    return Ok(base);
                }
                shaped(base, shape(second)?, fields).map_err(|error| second.at(error))
            }
            _ => Err(item.at(Error::syntax("expected a pair of a type and a shape, found a tuple of another length"))),
        },
        Kind::Dict | Kind::Opaque => {
            Err(item.at(Error::unsupported("a dtype given as a dict, which NumPy's own reader refuses as well")))
        }
        _ => Err(item.at(Error::syntax(format!(
            "expected a typestring, a list of fields or a pair of a type and a shape, found {}",
            item.describe()
        )))),
    }
}

fn record(list: Item<'_, '_>, count: &mut Fields) -> Result<DType> {
    const AT_ONCE: usize = 32;
    let mut fields = Vec::new();
    let mut left = list.items().count();
    let mut end = 0usize;
    for item in list.items() {
        if fields.len() == fields.capacity() {
            // For all that are left, but no more than were read: a list may be long, and nothing in it a field.
            fields.reserve_exact(left.min(fields.len().max(AT_ONCE)));
        }
        left = left.saturating_sub(1);
        let (field, is_padding) = field(item, end, count)?;
        end = end.saturating_add(field.dtype().itemsize());
        if !is_padding {
            fields.push(field);
        }
    }
    match Struct::checked(fields, end) {
        Ok(record) => Ok(DType::Struct(record)),
        Err((at_fault, error)) => Err(at_fault.and_then(|position| name_of(list, position)).unwrap_or(list).at(error)),
    }
}

/// Reads an item of a list of fields: the field, and whether it is padding.
// Inlined, as `read` is, since every move of a field just made costs as much as some of the parsing.
#[inline(always)]
fn field(item: Item<'_, '_>, offset: usize, count: &mut Fields) -> Result<(Field, bool)> {
    let found = if matches!(item.kind(), Kind::Tuple | Kind::List) { item.two_or_three() } else { None };
    let Some((name, descr, axes)) = found else { return Err(no_field(item)) };
    count.add().map_err(|error| item.at(error))?;
    let mut dtype = read(descr, count)?;
    if let Some(axes) = axes {
        dtype = shaped(dtype, shape(axes)?, count).map_err(|error| axes.at(error))?;
    }
    let (title, text) = match name.str() {
        Some(text) => (None, text),
        None => title_and_name(name)?,
    };
    let is_padding = name.kind() == Kind::Str && is_padding(&text, &dtype);
    Ok((Field::placed(&text, title.as_deref(), offset, dtype), is_padding))
}

#[cold]
fn no_field(item: Item<'_, '_>) -> Error {
    item.at(Error::syntax(format!(
        "expected a field such as `('name', '<f8')` or `('name', '<f8', (3,))`, found {}",
        match item.kind() {
            Kind::Tuple => format!("a tuple of {}", item.items().count()),
            Kind::List => format!("a list of {}", item.items().count()),
            _ => item.describe(),
        }
    )))
}

/// Of a list that was read, the name of a field, padding not counted.
#[cold]
fn name_of<'l, 'a>(list: Item<'l, 'a>, position: usize) -> Option<Item<'l, 'a>> {
    // Read once more, one at a time: to keep the place of each for the sake of an error would cost every header.
    let name = |item: Item<'l, 'a>| {
        let (name, ..) = item.two_or_three()?;
        let (_, is_padding) = field(item, 0, &mut Fields::at_most(usize::MAX)).ok()?;
        (!is_padding).then_some(name)
    };
    list.items().filter_map(name).nth(position)
}

/// Whether a name, not being in a pair with a title, is none: NumPy's test is whether the type is void, and a subarray's is.
fn is_padding(name: &str, dtype: &DType) -> bool {
    let is_void = match dtype {
        DType::Scalar(scalar) => scalar.kind() == ScalarKind::Void,
        DType::Struct(_) => false,
        DType::Subarray(_) => true,
    };
    name.is_empty() && is_void
}

fn title_and_name<'a>(item: Item<'_, 'a>) -> Result<(Option<Cow<'a, str>>, Cow<'a, str>)> {
    let (title, name) = match item.kind() {
        Kind::Tuple => match item.two_or_three() {
            Some((title, name, None)) => (Some(title), name),
            _ => {
                return Err(
                    item.at(Error::syntax("expected a pair of a title and a name, found a tuple of another length"))
                );
            }
        },
        _ => (None, item),
    };
    let title =
        match title {
            None => None,
            Some(title) if title.kind() == Kind::None => None,
            Some(title) => Some(title.str().ok_or_else(|| {
                title.at(Error::unsupported(format!("a title that is no string, {}", title.describe())))
            })?),
        };
    let name = name.str().ok_or_else(|| {
        name.at(Error::syntax(format!("expected a string as the name of a field, found {}", name.describe())))
    })?;
    Ok((title, name))
}

fn shape(item: Item<'_, '_>) -> Result<Shape> {
    let length = |item: Item<'_, '_>| {
        item.int().ok_or_else(|| {
            item.at(Error::syntax(format!("expected an integer in the shape, found {}", item.describe())))
        })
    };
    let axes = || {
        // One more than there may be, and no further: there may be millions.
        let axes: Vec<i128> = item.items().take(MAX_NDIM + 1).map(length).collect::<Result<_>>()?;
        if axes.len() > MAX_NDIM { Err(item.at(too_many_axes())) } else { Ok(Shape::Axes(axes)) }
    };
    match item.kind() {
        Kind::Int => Ok(Shape::Int(length(item)?)),
        Kind::Tuple => axes(),
        Kind::List if item.items().next().is_some() => axes(),
        _ => Err(item.at(Error::syntax(format!(
            "expected the shape of a subarray, an integer or a tuple, found {}",
            match item.kind() {
                Kind::List => "an empty list".to_owned(),
                Kind::Opaque => "a dict (metadata, which NumPy does not read)".to_owned(),
                _ => item.describe(),
            }
        )))),
    }
}

/// The descr as it stands in a header, which is what Python's `repr` prints.
impl Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DType::Scalar(scalar) => write!(f, "'{scalar}'"),
            DType::Struct(record) => Display::fmt(record, f),
            DType::Subarray(subarray) => Display::fmt(subarray, f),
        }
    }
}

/// The list of fields, padding included, as it stands in a header.
impl Display for Struct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut end = 0usize;
        let mut comma = "";
        f.write_str("[")?;
        for field in self.fields() {
            if let Some(gap @ 1..) = field.offset().checked_sub(end) {
                write!(f, "{comma}('', '|V{gap}')")?;
                comma = ", ";
            }
            end = field.offset().saturating_add(field.dtype().itemsize());
            f.write_str(comma)?;
            comma = ", ";
            match field.title() {
                Some(title) => write!(f, "(({}, {}), ", Repr(title), Repr(field.name()))?,
                // In a pair even this is a name.
                None if is_padding(field.name(), field.dtype()) => f.write_str("((None, ''), ")?,
                None => write!(f, "({}, ", Repr(field.name()))?,
            }
            match field.dtype() {
                DType::Subarray(subarray) => write!(f, "{}, {})", subarray.base(), Axes(subarray.shape()))?,
                other => write!(f, "{other})")?,
            }
        }
        if let Some(gap @ 1..) = self.itemsize().checked_sub(end) {
            write!(f, "{comma}('', '|V{gap}')")?;
        }
        f.write_str("]")
    }
}

/// The pair of base and shape.
impl Display for Subarray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.base(), Axes(self.shape()))
    }
}

/// Lengths as a Python tuple.
pub(crate) struct Axes<'a, T>(pub(crate) &'a [T]);

impl<T: Display> Display for Axes<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("()"),
            [only] => write!(f, "({only},)"),
            [first, rest @ ..] => {
                write!(f, "({first}")?;
                rest.iter().try_for_each(|length| write!(f, ", {length}"))?;
                f.write_str(")")
            }
        }
    }
}

/// A descr as it stands in a header, in quotes or brackets, or any other text that `numpy.dtype` takes: `<f8`,
/// `i4,(2,)f8`, `float32`.
///
/// Lists of fields are read as in a header: `('', '|V4')` is padding, any other empty name a name. An error tells its
/// place in the text, which has as many fields at most as the default of
/// [`Limits::max_fields`](crate::Limits#structfield.max_fields).
impl FromStr for DType {
    type Err = Error;

    fn from_str(text: &str) -> Result<DType> {
        let behind = text.trim_start_matches(['(', ' ', '\t', '\n']);
        let is_literal =
            text.starts_with(['[', '\'', '"']) || text.starts_with('(') && behind.starts_with(['[', '\'', '"']);
        let mut count = Fields::at_most(Limits::default().max_fields);
        if is_literal {
            let literal = Literal::parse(Source::new(text), Grammar { python2: false, nested_dicts: true })?;
            read(literal.root(), &mut count)
        } else {
            type_string::parse(text, &mut count)
        }
    }
}
