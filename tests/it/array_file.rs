//! [`ArrayFile`]: the bytes of one array, taken apart by hand to check what the crate makes of them.

use crate::manifest;
use serde_npy::{DType, Header};

/// One array, from its magic string to the last byte of its data.
pub(crate) struct ArrayFile<'a> {
    pub(crate) header: Header,
    pub(crate) bytes: &'a [u8],
}

impl<'a> ArrayFile<'a> {
    /// The array at the start of `bytes`; what follows it is left out.
    pub(crate) fn first_of(bytes: &'a [u8]) -> serde_npy::Result<ArrayFile<'a>> {
        let header = Header::read(bytes)?;
        let length = usize::try_from(header.data_offset() + header.data_len()).unwrap();
        assert!(length <= bytes.len(), "{length} bytes of header and data in a file of {}", bytes.len());
        Ok(ArrayFile { header, bytes: &bytes[..length] })
    }

    pub(crate) fn data(&self) -> &'a [u8] {
        &self.bytes[usize::try_from(self.header.data_offset()).unwrap()..]
    }

    /// The data in C order, which is what the manifests' checksums are over.
    pub(crate) fn data_in_c_order(&self) -> Vec<u8> {
        let itemsize = self.header.dtype().itemsize();
        if !self.header.fortran_order() || itemsize == 0 {
            return self.data().to_vec();
        }
        let shape: Vec<usize> = self.header.shape().iter().map(|&axis| axis.try_into().unwrap()).collect();
        let mut data = Vec::with_capacity(self.data().len());
        let mut index = vec![0; shape.len()];
        for _ in 0..self.header.size() {
            // The first axis varies fastest in the file, the last one here.
            let position = index.iter().zip(&shape).rev().fold(0, |position, (i, length)| position * length + i);
            data.extend_from_slice(&self.data()[position * itemsize..][..itemsize]);
            for (i, length) in index.iter_mut().zip(&shape).rev() {
                *i += 1;
                if *i < *length {
                    break;
                }
                *i = 0;
            }
        }
        data
    }

    /// The data with zeros as padding, as it is written; what padding holds is not for anybody to read.
    pub(crate) fn data_without_padding(&self) -> Vec<u8> {
        let mut kept = vec![false; self.header.dtype().itemsize()];
        mark_fields(self.header.dtype(), &mut kept);
        let bytes = self.data().iter().zip(kept.iter().cycle());
        bytes.map(|(&byte, &kept)| if kept { byte } else { 0 }).collect()
    }

    /// SHA-256 of [`data_in_c_order`](ArrayFile::data_in_c_order), in hexadecimal digits.
    pub(crate) fn sha256(&self) -> String {
        manifest::sha256(&self.data_in_c_order())
    }

    /// Whether the nested sequences that the axes become still tell the shape: behind an axis of 0 nothing is left.
    pub(crate) fn nesting_tells_shape(&self) -> bool {
        let shape = self.header.shape();
        shape.iter().position(|&length| length == 0).is_none_or(|zero| zero + 1 == shape.len())
    }
}

/// Marks the bytes of an element that belong to a field.
fn mark_fields(dtype: &DType, kept: &mut [bool]) {
    match dtype {
        DType::Scalar(_) => kept.fill(true),
        DType::Struct(record) => {
            for field in record.fields() {
                mark_fields(field.dtype(), &mut kept[field.offset()..][..field.dtype().itemsize()]);
            }
        }
        DType::Subarray(subarray) if subarray.itemsize() > 0 => {
            kept.chunks_mut(subarray.base().itemsize()).for_each(|item| mark_fields(subarray.base(), item));
        }
        DType::Subarray(_) => {}
    }
}
