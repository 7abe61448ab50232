//! How arrays with a shape of their own, and tables of columns, look to serde.
//!
//! The `ndarray` crate shows its arrays as a struct `Array` of a version `v`, the lengths of the axes `dim`, and the
//! elements `data` in C order; recognising that ties no version of it in. [`Array`](crate::Array) is a struct of the
//! same kind under a name of its own, which tells the order as well.

/// The name of [`Array`](crate::Array) in serde.
pub(crate) const ARRAY: &str = "__serde_npy_Array";

/// Its fields.
pub(crate) const ARRAY_FIELDS: &[&str] = &["shape", "fortran_order", "data"];

/// The name of [`Columns`](crate::Columns) in serde.
pub(crate) const COLUMNS: &str = "__serde_npy_Columns";

const NDARRAY: &str = "Array";
const NDARRAY_FIELDS: &[&str] = &["v", "dim", "data"];

/// The version of its form that `ndarray` writes and takes.
pub(crate) const NDARRAY_VERSION: u8 = 1;

/// Whose array a struct is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    Ndarray,
    Ours,
}

/// Whether a struct that is asked for is an array with a shape of its own.
#[inline]
pub(crate) fn asked_for(name: &str, fields: &[&str]) -> Option<Whose> {
    match name {
        NDARRAY if fields == NDARRAY_FIELDS => Some(Whose::Ndarray),
        ARRAY if fields == ARRAY_FIELDS => Some(Whose::Ours),
        _ => None,
    }
}

/// Whether a struct that is shown may be such an array; the first field decides.
#[inline]
pub(crate) fn may_be_shown(name: &str, fields: usize) -> bool {
    fields == 3 && matches!(name, NDARRAY | ARRAY)
}

/// Whether the first field of such a struct is that of an array.
pub(crate) fn starts(name: &str, field: &str) -> bool {
    field == if name == ARRAY { "shape" } else { "v" }
}
