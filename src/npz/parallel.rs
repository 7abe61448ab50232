//! Members of an archive read side by side.

use crate::error::Result;
use crate::npz::view::View;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde::de::Deserialize;

impl<'a> View<'a> {
    /// Reads arrays of one type on all cores, in the order of the names: needs the feature `rayon`.
    ///
    /// Inflating and checking a member is work for one core, however large it is; several members go side by side. For
    /// arrays of different types there is `rayon::join`, since a view can be shared by threads.
    ///
    /// # Errors
    ///
    /// As for [`get`](View::get), of the first name whose array cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::npz;
    /// use std::collections::BTreeMap;
    ///
    /// # fn main() -> serde_npy::Result<()> {
    /// let archive = npz::to_vec(&BTreeMap::from([("x", vec![1.5, 2.5]), ("y", vec![3.5])]))?;
    /// let view = npz::View::new(&archive)?;
    /// let names: Vec<&str> = view.names().collect();
    /// assert_eq!(view.par_get::<Vec<f64>>(&names)?, [vec![1.5, 2.5], vec![3.5]]);
    /// # Ok(()) }
    /// ```
    pub fn par_get<T: Deserialize<'a> + Send>(&self, names: &[&str]) -> Result<Vec<T>> {
        let arrays: Vec<Result<T>> = names.par_iter().map(|name| self.get(name)).collect();
        arrays.into_iter().collect()
    }
}
