//! Arbitrary dtypes and values: what is written is read again as it was.
//!
//! 256 cases each; `PROPTEST_CASES` raises it.

use crate::array_file::ArrayFile;
use crate::random::Random;
use crate::source::OneByte;
use crate::tree::Tree;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_npy::{ByteOrder, DType, Field, Header, Kind, Scalar, Struct, Subarray, TimeUnit, Version, WriteOptions};
use std::collections::HashSet;

/// Everything but objects and long doubles, of which the one is never and the other not always read.
fn scalar() -> impl Strategy<Value = Scalar> {
    let sizes: &[(Kind, &[usize])] = &[
        (Kind::Bool, &[1]),
        (Kind::Int, &[1, 2, 4, 8]),
        (Kind::UInt, &[1, 2, 4, 8]),
        (Kind::Float, &[2, 4, 8]),
        (Kind::Complex, &[8, 16]),
        (Kind::Bytes, &[0, 1, 2, 7]),
        (Kind::Str, &[0, 4, 8, 20]),
        (Kind::Void, &[0, 1, 3, 8]),
        (Kind::Datetime, &[8]),
        (Kind::Timedelta, &[8]),
    ];
    let all: Vec<(Kind, usize)> =
        sizes.iter().flat_map(|(kind, sizes)| sizes.iter().map(|size| (*kind, *size))).collect();
    let order = select(vec![ByteOrder::Little, ByteOrder::Big]);
    let plain = (select(all), order.clone()).prop_map(|((kind, size), order)| Scalar::new(kind, size, order).unwrap());
    let kind = select(vec![Kind::Datetime, Kind::Timedelta]);
    let unit = select(TimeUnit::ALL.to_vec());
    let time = (kind, unit, prop_oneof![3 => Just(1u32), 1 => 2..100u32], order)
        .prop_map(|(kind, unit, count, order)| Scalar::time(kind, unit, count, order).unwrap());
    prop_oneof![4 => plain, 1 => time]
}

/// A name, a title and the gap in front of the field.
type Label = (String, Option<String>, usize);

fn label() -> impl Strategy<Value = Label> {
    let name = prop_oneof![3 => "[a-z]{1,3}", 1 => "\\PC{1,6}", 1 => any::<String>()];
    let title = prop_oneof![6 => Just(None), 1 => "[A-Z]{2,4}".prop_map(Some)];
    (name, title, prop_oneof![3 => Just(0), 1 => 1..9usize])
}

/// A record of those fields whose names are new.
fn record(fields: Vec<(Label, DType)>, behind: usize) -> DType {
    let mut names = HashSet::new();
    let mut end = 0;
    let mut kept = Vec::new();
    for ((name, title, gap), dtype) in fields {
        if name.is_empty() || !names.insert(name.clone()) {
            continue;
        }
        let offset = end + gap;
        end = offset + dtype.itemsize();
        let field = Field::new(name, dtype).at(offset);
        kept.push(match title {
            Some(title) if names.insert(title.clone()) => field.with_title(title),
            _ => field,
        });
    }
    Struct::new(kept, end + behind).unwrap().into()
}

fn dtype() -> impl Strategy<Value = DType> {
    scalar().prop_map(DType::from).prop_recursive(3, 24, 5, |inner| {
        let shape = vec(prop_oneof![1 => Just(0usize), 9 => 1..4usize], 1..3);
        let subarray = (inner.clone(), shape).prop_map(|(base, shape)| match base {
            // NumPy loads no subarray of what has no bytes.
            base if base.itemsize() == 0 => base,
            base => Subarray::new(base, shape).unwrap().into(),
        });
        let field = (label(), prop_oneof![2 => inner, 1 => subarray]);
        (vec(field, 0..5), prop_oneof![3 => Just(0), 1 => 1..9usize])
            .prop_map(|(fields, behind)| record(fields, behind))
    })
}

fn shape() -> impl Strategy<Value = Vec<u64>> {
    vec(prop_oneof![1 => Just(0u64), 12 => 1..4u64], 0..4)
}

fn header() -> impl Strategy<Value = Header> {
    (dtype(), shape(), any::<bool>())
        .prop_map(|(dtype, shape, fortran)| Header::new(dtype, shape).unwrap().with_fortran_order(fortran))
}

/// The bytes of a value of a scalar, as a file has them.
fn fill_scalar(scalar: &Scalar, random: &mut Random, slot: &mut [u8]) {
    for byte in slot.iter_mut() {
        *byte = u8::try_from(random.below(256)).unwrap();
    }
    let big = scalar.byteorder() == ByteOrder::Big;
    match scalar.kind() {
        Kind::Bool => slot[0] %= 2,
        Kind::Bytes => {
            let text: String = (0..slot.len()).map(|_| character(random)).collect();
            let end = (0..=slot.len()).rev().find(|&end| text.is_char_boundary(end)).unwrap();
            slot.fill(0);
            slot[..end].copy_from_slice(&text.as_bytes()[..end]);
        }
        Kind::Str => {
            let length = random.below(slot.len() / 4 + 1);
            for (i, unit) in slot.chunks_mut(4).enumerate() {
                let code_point = if i < length { u32::from(character(random)) } else { 0 };
                unit.copy_from_slice(&if big { code_point.to_be_bytes() } else { code_point.to_le_bytes() });
            }
        }
        Kind::Datetime | Kind::Timedelta => {
            let count = match scalar.datetime_data() {
                // Of generic datetimes only NaT is a value.
                None if scalar.kind() == Kind::Datetime => i64::MIN,
                _ if random.below(8) == 0 => i64::MIN,
                // Where a date can be printed: counts of one unit that do not overflow, years of at most nine digits.
                Some((unit, multiple)) if scalar.kind() == Kind::Datetime => {
                    let bits = if unit <= TimeUnit::Second { 38 } else { random.below(60) };
                    (random.bits() as i64 >> bits) / i64::from(multiple)
                }
                _ => random.bits() as i64 >> random.below(60),
            };
            slot.copy_from_slice(&if big { count.to_be_bytes() } else { count.to_le_bytes() });
        }
        _ => {}
    }
}

fn character(random: &mut Random) -> char {
    let bound = [0x80, 0x800, 0x11_0000][random.below(3)];
    char::from_u32(u32::try_from(random.below(bound)).unwrap()).unwrap_or('\u{d7ff}')
}

/// The bytes of one element; padding stays as it is.
fn fill(dtype: &DType, random: &mut Random, slot: &mut [u8]) {
    match dtype {
        DType::Scalar(scalar) => fill_scalar(scalar, random, slot),
        DType::Struct(record) => {
            for field in record.fields() {
                fill(field.dtype(), random, &mut slot[field.offset()..][..field.dtype().itemsize()]);
            }
        }
        DType::Subarray(subarray) if subarray.itemsize() > 0 => {
            slot.chunks_mut(subarray.base().itemsize()).for_each(|item| fill(subarray.base(), random, item));
        }
        DType::Subarray(_) => {}
    }
}

/// A file with values from a seed, its padding filled with `padding`.
fn file(header: &Header, seed: u64, padding: u8) -> Vec<u8> {
    let mut bytes = header.to_bytes().unwrap();
    let start = bytes.len();
    bytes.resize(start + usize::try_from(header.data_len()).unwrap(), padding);
    let mut random = Random::new(seed);
    if let Some(itemsize) = Some(header.dtype().itemsize()).filter(|&itemsize| itemsize > 0) {
        bytes[start..].chunks_mut(itemsize).for_each(|element| fill(header.dtype(), &mut random, element));
    }
    bytes
}

fn config() -> ProptestConfig {
    // The failing case is printed; no files beside the tests.
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_dtype_printed_is_parsed_as_itself(dtype in dtype()) {
        prop_assert_eq!(dtype.to_string().parse::<DType>().unwrap(), dtype);
    }

    #[test]
    fn a_header_printed_is_read_as_itself(header in header()) {
        let bytes = header.to_bytes().unwrap();
        prop_assert_eq!(u64::try_from(bytes.len()).unwrap(), header.data_offset());
        prop_assert_eq!(bytes.len() % 64, 0);
        let mut rest = &bytes[..];
        let read = Header::read(&mut rest).unwrap();
        prop_assert!(rest.is_empty());
        prop_assert_eq!(&read, &header);
        prop_assert!(read.is_canonical());
        prop_assert_eq!(read.to_bytes().unwrap(), bytes);
        // In every version that can hold it, and in no other way.
        for version in [Version::V1_0, Version::V2_0, Version::V3_0] {
            let Ok(versioned) = header.clone().with_version(version) else { continue };
            let read = Header::read(&versioned.to_bytes().unwrap()[..]).unwrap();
            prop_assert_eq!(read.version(), version);
            prop_assert_eq!(read, versioned);
        }
    }

    #[test]
    fn what_is_read_is_written_again_byte_for_byte(header in header(), seed: u64, padding in select(vec![0u8, 0xAA])) {
        let bytes = file(&header, seed, padding);
        let tree: Tree = serde_npy::from_slice(&bytes).unwrap();
        prop_assert_eq!(&serde_npy::from_reader::<Tree>(&bytes[..]).unwrap(), &tree);
        prop_assert_eq!(&serde_npy::from_reader::<Tree>(OneByte::new(&bytes)).unwrap(), &tree);

        let array = ArrayFile::first_of(&bytes).unwrap();
        if array.nesting_tells_shape() {
            let options =
                WriteOptions::default().dtype(header.dtype().clone()).fortran_order(header.fortran_order());
            let written = serde_npy::to_vec_with(&tree, &options).unwrap();
            let again = ArrayFile::first_of(&written).unwrap();
            prop_assert_eq!(again.data(), array.data_without_padding());
            prop_assert_eq!(again.header.shape(), header.shape());
            prop_assert_eq!(again.header.dtype(), header.dtype());
            // Of one axis or none both orders are the same, and the header says so.
            prop_assert!(again.header.fortran_order() == header.fortran_order() || again.header.shape().len() < 2
                || again.data_in_c_order() == again.data());
            prop_assert_eq!(serde_npy::from_slice::<Tree>(&written).unwrap(), tree);
        }
    }

    #[test]
    fn no_prefix_and_no_changed_byte_panics(header in header(), seed: u64, place: usize, change in 1..=255u8) {
        let mut bytes = file(&header, seed, 0);
        let place = place % bytes.len();
        prop_assert!(serde_npy::from_slice::<Tree>(&bytes[..place]).is_err());
        bytes[place] ^= change;
        let outcome = |result: serde_npy::Result<Tree>| result.map_err(|error| error.to_string());
        let slice = outcome(serde_npy::from_slice(&bytes));
        let one_byte = outcome(serde_npy::from_reader(OneByte::new(&bytes)));
        prop_assert_eq!(slice.is_ok(), one_byte.is_ok());
        if let (Ok(slice), Ok(one_byte)) = (slice, one_byte) {
            prop_assert_eq!(slice, one_byte);
        }
    }
}
