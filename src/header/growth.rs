//! Headers of files that grow: blank while they are written, and with another length in the same number of bytes.

use crate::error::Result;
use crate::header::dict::Dict;
use crate::header::preamble::Preamble;
use crate::header::summary::Header;

impl Header {
    /// As many bytes as [`to_bytes`](Header::to_bytes) gives, but no text: a header that no reader takes.
    pub(crate) fn blank(&self) -> Result<Vec<u8>> {
        Preamble::wrap_to(self.version(), "", self.data_offset())
    }

    /// The bytes of the header of an array of this many rows, in the room that there is before the data.
    pub(crate) fn grown(&self, rows: u64) -> Result<Vec<u8>> {
        let mut shape = self.shape().to_vec();
        if let Some(first) = shape.first_mut() {
            *first = rows;
        }
        // For the sake of the checks.
        Header::new(self.dtype().clone(), shape.clone())?;
        let text = Dict::print(self.dtype(), self.fortran_order(), &shape);
        Preamble::wrap_to(self.version(), text.trim_end(), self.data_offset())
    }

    /// The most rows whose number fits into the room that there is before the data.
    pub(crate) fn most_rows(&self) -> u64 {
        let fits = |rows: &u64| {
            let mut shape = self.shape().to_vec();
            if let Some(first) = shape.first_mut() {
                *first = *rows;
            }
            let text = Dict::print(self.dtype(), self.fortran_order(), &shape);
            Preamble::wrap_to(self.version(), text.trim_end(), self.data_offset()).is_ok()
        };
        let most = u64::try_from(i64::MAX).unwrap_or(u64::MAX);
        let by_digits =
            (1..19).rev().filter_map(|digits| 10u64.checked_pow(digits)).map(|power| power.saturating_sub(1));
        std::iter::once(most).chain(by_digits).find(fits).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grown_header_is_the_one_of_the_longer_array() {
        for descr in ["<f8", "[('a', '<i4'), ('b', '<U3', (2,))]", "[('λ', '<f8')]"] {
            for inner in [vec![], vec![3]] {
                let header = |rows: u64| {
                    let shape = std::iter::once(rows).chain(inner.iter().copied()).collect();
                    Header::new(descr.parse().unwrap(), shape).unwrap()
                };
                let start = header(0);
                for rows in [0, 9, 10, 99_999, 1 << 50] {
                    assert_eq!(start.grown(rows).unwrap(), header(rows).to_bytes().unwrap());
                    assert_eq!(start.blank().unwrap().len(), start.grown(rows).unwrap().len());
                }
                assert_eq!(start.most_rows(), 9_223_372_036_854_775_807);
            }
        }
    }

    #[test]
    fn a_tight_header_has_room_for_some_digits() {
        // The header of an old NumPy, aligned to 16 bytes, with two spaces of padding.
        let text = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }  \n";
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend(u16::try_from(text.len()).unwrap().to_le_bytes());
        file.extend(text.bytes());
        let header = Header::read(&file[..]).unwrap();
        assert_eq!(header.most_rows(), 999);
        assert_eq!(header.grown(3).unwrap(), file);
        assert_eq!(Header::read(&header.grown(999).unwrap()[..]).unwrap().shape(), [999]);
        assert_eq!(
            header.grown(1000).unwrap_err().to_string(),
            "a header of 61 bytes, for which there is only room of 60"
        );
    }
}
