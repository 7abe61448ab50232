//! What the records of a writer look like, and what its header can tell of them.

use crate::error::{Error, Result};
use crate::header::Header;
use crate::io::zeroed;
use crate::plan::Node;
use crate::ser::write_slowly;
use serde::Serialize;

/// A header, the plan of its rows, and the header's bytes in the file.
pub(crate) struct Layout {
    pub(crate) header: Header,
    /// One record.
    pub(crate) plan: Node,
    /// The header as it stands in the file.
    pub(crate) written: Vec<u8>,
    /// The most records that the header can tell of.
    pub(crate) most: u64,
}

impl Layout {
    /// The layout of a new array; `asked` says whether its dtype was given, so that floats are rounded to it.
    pub(crate) fn new(header: Header, asked: bool) -> Result<Self> {
        if header.fortran_order() {
            let message = "records are written row after row, which is C order; use `to_writer` for Fortran order";
            return Err(Error::unsupported(message));
        }
        Layout::behind(header, Vec::new(), asked)
    }

    /// The layout of the records behind a header, which stands in the file as `written`.
    pub(crate) fn behind(header: Header, written: Vec<u8>, asked: bool) -> Result<Self> {
        let mut plan = Node::row(header.dtype(), header.shape().get(1..).unwrap_or_default())?;
        if !asked {
            plan.refuse_rounding();
        }
        let most = header.most_rows();
        Ok(Layout { header, plan, written, most })
    }

    /// Encodes the first of the rows, if there is one, to see whether it fits.
    pub(crate) fn try_first<T: Serialize>(&self, rows: &[T]) -> Result<()> {
        let Some(first) = rows.first() else { return Ok(()) };
        let mut slot = zeroed(self.plan.itemsize())?;
        write_slowly(&self.plan, first, &mut slot).map_err(|error| error.at_index(0))
    }
}

#[cold]
pub(crate) fn no_room(most: u64) -> Error {
    Error::limit(format!("the header has only room for a length of up to {most}; make more by `Writer::rewrite`"))
}

/// The bytes that are new, and where they start.
pub(crate) fn difference<'a>(old: &[u8], new: &'a [u8]) -> Option<(usize, &'a [u8])> {
    let differs = |(old, new): (&u8, &u8)| old != new;
    let first = old.iter().zip(new).position(differs)?;
    let last = old.iter().zip(new).rposition(differs)?;
    Some((first, new.get(first..=last)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_new() {
        for (old, new, expected) in [
            ("(9,), }  ", "(10,), } ", Some((1, "10,), }"))),
            ("(10,), }", "(11,), }", Some((2, "1"))),
            ("(10,), }", "(10,), }", None),
        ] {
            let expected = expected.map(|(at, text): (usize, &str)| (at, text.as_bytes()));
            assert_eq!(difference(old.as_bytes(), new.as_bytes()), expected);
        }
    }
}
