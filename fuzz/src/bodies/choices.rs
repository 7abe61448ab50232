//! Bytes of the fuzzer as choices: dtypes, shapes and the data of arrays.

use serde_npy::{ByteOrder, DType, Field, Header, Kind, Scalar, Struct, Subarray, TimeUnit};

/// What is left of the input; at its end, every choice is the first.
pub(crate) struct Choices<'a>(pub(crate) &'a [u8]);

impl<'a> Choices<'a> {
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    pub(crate) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    pub(crate) fn bytes(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Up to six characters of any script.
    fn text(&mut self) -> String {
        let length = self.below(7);
        (0..length).map(|_| self.character()).collect()
    }

    fn character(&mut self) -> char {
        match self.byte() {
            byte @ 0..128 => byte.into(),
            byte @ 128..192 => char::from(byte),
            byte @ 192..224 => char::from_u32(0x300 + u32::from(byte) * 31).unwrap_or('\u{fffd}'),
            byte => char::from_u32(0x1_0000 + u32::from(byte) * 4099).unwrap_or('\u{10ffff}'),
        }
    }

    fn scalar(&mut self) -> Scalar {
        let (kind, sizes): (Kind, &[usize]) = self.of(&[
            (Kind::Int, &[1usize, 2, 4, 8] as &[usize]),
            (Kind::Bool, &[1]),
            (Kind::UInt, &[1, 2, 4, 8]),
            (Kind::Float, &[2, 4, 8]),
            (Kind::Complex, &[8, 16]),
            (Kind::Bytes, &[1, 0, 2, 7]),
            (Kind::Str, &[4, 0, 8, 20]),
            (Kind::Void, &[1, 0, 3, 8]),
            (Kind::Datetime, &[8]),
            (Kind::Timedelta, &[8]),
        ]);
        let size = self.of(sizes);
        let byteorder = self.of(&[ByteOrder::Little, ByteOrder::Big]);
        if matches!(kind, Kind::Datetime | Kind::Timedelta) {
            let count = self.of(&[1, 1, 1, 2, 25, 1000]);
            return Scalar::time(kind, self.of(&TimeUnit::ALL), count, byteorder).unwrap();
        }
        Scalar::new(kind, size, byteorder).unwrap()
    }

    /// A dtype in which at most so many others lie inside each other.
    pub(crate) fn dtype(&mut self, depth: usize) -> DType {
        match self.below(if depth == 0 { 2 } else { 4 }) {
            0 | 1 => self.scalar().into(),
            2 => {
                let base = self.dtype(depth - 1);
                let axes: Vec<usize> = (0..=self.below(2)).map(|_| self.of(&[2, 1, 3, 0])).collect();
                // One around a type of no bytes is refused further on.
                Subarray::new(base, axes).unwrap().into()
            }
            _ => {
                let mut fields: Vec<Field> = Vec::new();
                let mut end = 0;
                for _ in 0..self.below(5) {
                    let name = self.text();
                    let offset = end + self.of(&[0, 0, 0, 1, 5]);
                    let dtype = self.dtype(depth - 1);
                    end = offset + dtype.itemsize();
                    let field = Field::new(name, dtype).at(offset);
                    fields.push(if self.below(8) == 7 { field.with_title(self.text()) } else { field });
                }
                let itemsize = end + self.of(&[0, 0, 3]);
                // Names that are there already are an error; then a record of one field does.
                Struct::new(fields, itemsize)
                    .or_else(|_| Struct::packed(vec![Field::new("only", self.scalar().into())]))
                    .unwrap()
                    .into()
            }
        }
    }

    /// A header of an array that is not too large; nothing where the constructor refuses it.
    pub(crate) fn header(&mut self) -> Option<Header> {
        let dtype = self.dtype(3);
        let shape = (0..self.below(4)).map(|_| self.of(&[2, 1, 3, 0, 5])).collect();
        let fortran_order = self.below(2) == 1;
        let header = Header::new(dtype, shape).ok()?.with_fortran_order(fortran_order);
        (header.data_len() <= 1 << 11).then_some(header)
    }

    /// The bytes of one element, of values that can be read; padding is zero.
    pub(crate) fn fill(&mut self, dtype: &DType, slot: &mut [u8]) {
        match dtype {
            DType::Scalar(scalar) => self.fill_scalar(scalar, slot),
            DType::Struct(record) => {
                for field in record.fields() {
                    self.fill(field.dtype(), &mut slot[field.offset()..][..field.dtype().itemsize()]);
                }
            }
            DType::Subarray(subarray) => {
                for item in slot.chunks_mut(subarray.base().itemsize().max(1)) {
                    self.fill(subarray.base(), item);
                }
            }
        }
    }

    fn fill_scalar(&mut self, scalar: &Scalar, slot: &mut [u8]) {
        let big = scalar.byteorder() == ByteOrder::Big;
        match scalar.kind() {
            Kind::Bool => slot[0] = self.byte() % 2,
            Kind::Str => {
                for unit in slot.chunks_mut(4) {
                    let code = u32::from(self.character());
                    unit.copy_from_slice(&if big { code.to_be_bytes() } else { code.to_le_bytes() });
                }
            }
            Kind::Bytes => {
                let text: String = (0..slot.len()).map(|_| self.character()).collect();
                let end = (0..=slot.len()).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
                slot[..end].copy_from_slice(&text.as_bytes()[..end]);
            }
            Kind::Datetime | Kind::Timedelta => {
                let mut wide = [0; 8];
                let bytes = self.bytes(8);
                wide[..bytes.len()].copy_from_slice(bytes);
                // Short counts are the ones that have a date.
                let count = i64::from_le_bytes(wide) >> self.of(&[40, 20, 0, 56]);
                slot.copy_from_slice(&if big { count.to_be_bytes() } else { count.to_le_bytes() });
            }
            _ => {
                let bytes = self.bytes(slot.len());
                slot[..bytes.len()].copy_from_slice(bytes);
            }
        }
    }
}
