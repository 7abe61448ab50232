//! The dtype of a type, found without a value: the type is asked to deserialize made-up ones, and what it asks for in
//! turn is noted.

use crate::de::explorer::Explorer;
use crate::de::learnt::{Node, State};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::options::WriteOptions;
use crate::trace::Layout;
use serde::de::Deserialize;

impl DType {
    /// The dtype of the elements of type `T`: what a value of it is written as.
    ///
    /// The type is found from its `Deserialize`, so no value is needed: for an empty `Vec`, for the dtype of a file
    /// that is written record by record, to compare with the dtype of a file. Sequences around the element count for
    /// nothing: `Vec<Tick>` gives the dtype of `Tick`.
    ///
    /// # Errors
    ///
    /// The type does not tell: text and bytes have no width of their own, a `Vec` within a record no length, maps and
    /// `#[serde(flatten)]` no fields, and some types take none of the values that were made up. The error tells where
    /// and names the way out; [`DType::from_sample`] always works.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde::Deserialize;
    /// use serde_npy::{DType, with};
    ///
    /// #[derive(Deserialize)]
    /// struct Quote {
    ///     #[serde(with = "with::Datetime::<with::Us>")]
    ///     time: i64,
    ///     #[serde(alias = "px")]
    ///     price: f64,
    ///     levels: [(f32, u32); 2],
    /// }
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// assert_eq!(
    ///     DType::of::<Quote>()?.to_string(),
    ///     "[('time', '<M8[us]'), ('price', '<f8'), ('levels', [('f0', '<f4'), ('f1', '<u4')], (2,))]"
    /// );
    /// assert_eq!(
    ///     DType::of::<(u8, String)>().unwrap_err().to_string(),
    ///     "text has no width of its own; use `with::U`, or `DType::from_sample` (at `[1]`)"
    /// );
    /// # Ok(()) }
    /// ```
    pub fn of<'de, T: Deserialize<'de>>() -> Result<DType> {
        Ok(Layout::of(&explored::<T>(false)?.trace(false)?)?.dtype)
    }
}

impl WriteOptions {
    /// Sets the dtype to that of the elements of type `T`, as [`DType::of`] finds it.
    ///
    /// # Errors
    ///
    /// As for [`DType::of`].
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::WriteOptions;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let none: Vec<(i64, f64)> = Vec::new();
    /// let bytes = serde_npy::to_vec_with(&none, &WriteOptions::default().dtype_of::<(i64, f64)>()?)?;
    /// assert_eq!(serde_npy::Header::read(&bytes[..])?.dtype().to_string(), "[('f0', '<i8'), ('f1', '<f8')]");
    /// # Ok(()) }
    /// ```
    pub fn dtype_of<'de, T: Deserialize<'de>>(self) -> Result<WriteOptions> {
        Ok(self.dtype(DType::of::<T>()?))
    }
}

/// Each run learns one thing: an alias, a variant, a value that is refused. More than any real type needs.
const MOST_RUNS: usize = 100_000;

/// The dtypes of the fields of a struct, each as [`DType::of`] finds it; without those whose types do not tell.
#[cfg(feature = "npz")]
pub(crate) fn dtypes_of<'de, T: Deserialize<'de>>() -> Result<Vec<(&'static str, DType)>> {
    let Node::Struct { fields, .. } = explored::<T>(true)? else {
        return Err(Error::data("expected a struct, each of whose fields is an array"));
    };
    let dtype = |node: Node| Some(Layout::of(&node.trace(false).ok()?).ok()?.dtype);
    Ok(fields.into_iter().filter_map(|(name, node)| Some((name, dtype(node)?))).collect())
}

/// What a type asks for; whether text may be without a width.
fn explored<'de, T: Deserialize<'de>>(open_text: bool) -> Result<Node> {
    let mut root = Node::default();
    let state = State::default();
    state.open_text.set(open_text);
    for _ in 0..MOST_RUNS {
        state.fed.set(0);
        state.depth.set(0);
        state.scope.set(None);
        match T::deserialize(Explorer { node: &mut root, state: &state }) {
            Ok(_) if state.again.take() => {}
            Ok(_) => return Ok(root),
            Err(_) if state.again.take() => {}
            Err(error) if state.hopeless.get() => return Err(error),
            Err(error) => state.try_another(error)?,
        }
    }
    Err(Error::data("the type takes none of many made-up values; use `DType::from_sample`"))
}
