//! Half floats. The rows, and the sum over all halves, are what NumPy 2.4 gives.

use crate::codec::{f16_to_f32, f32_to_f16, f64_to_f16};

#[test]
fn all_halves_decode_as_in_numpy() {
    let sum =
        (0..=u16::MAX).fold(0u64, |sum, bits| sum.wrapping_mul(31).wrapping_add(u64::from(f16_to_f32(bits).to_bits())));
    assert_eq!(sum, 0x4bfd13fc3b000000);
}

#[test]
fn all_halves_come_back() {
    for bits in 0..=u16::MAX {
        let value = f16_to_f32(bits);
        assert_eq!(f32_to_f16(value), Some(bits), "{bits:#06x}");
        if !value.is_nan() {
            assert_eq!(f64_to_f16(f64::from(value)), Some(bits), "{bits:#06x}");
        }
    }
}

#[test]
fn rows_decode_as_in_numpy() {
    for &(bits, expected) in &[
        (0x0000u16, 0x00000000u32),
        (0x0001u16, 0x33800000u32),
        (0x0002u16, 0x34000000u32),
        (0x03ffu16, 0x387fc000u32),
        (0x0400u16, 0x38800000u32),
        (0x0401u16, 0x38802000u32),
        (0x3555u16, 0x3eaaa000u32),
        (0x3c00u16, 0x3f800000u32),
        (0x3c01u16, 0x3f802000u32),
        (0x7bffu16, 0x477fe000u32),
        (0x7c00u16, 0x7f800000u32),
        (0x7c01u16, 0x7f802000u32),
        (0x7e00u16, 0x7fc00000u32),
        (0x7fffu16, 0x7fffe000u32),
        (0x8000u16, 0x80000000u32),
        (0x8001u16, 0xb3800000u32),
        (0xbc00u16, 0xbf800000u32),
        (0xc000u16, 0xc0000000u32),
        (0xfbffu16, 0xc77fe000u32),
        (0xfc00u16, 0xff800000u32),
        (0xfc01u16, 0xff802000u32),
        (0xfe00u16, 0xffc00000u32),
        (0xffffu16, 0xffffe000u32),
    ] {
        assert_eq!(f16_to_f32(bits).to_bits(), expected, "{bits:#06x}");
    }
}

#[test]
fn f32_rounds_as_in_numpy() {
    for &(bits, expected) in &[
        (0x33000000u32, Some(0x0000)),
        (0x32ffffffu32, Some(0x0000)),
        (0x33000001u32, Some(0x0001)),
        (0x33c00000u32, Some(0x0002)),
        (0x33bfffffu32, Some(0x0001)),
        (0x33c00001u32, Some(0x0002)),
        (0x34200000u32, Some(0x0002)),
        (0x341fffffu32, Some(0x0002)),
        (0x34200001u32, Some(0x0003)),
        (0x34600000u32, Some(0x0004)),
        (0x345fffffu32, Some(0x0003)),
        (0x34600001u32, Some(0x0004)),
        (0x387fa000u32, Some(0x03fe)),
        (0x387f9fffu32, Some(0x03fe)),
        (0x387fa001u32, Some(0x03ff)),
        (0x387fe000u32, Some(0x0400)),
        (0x387fdfffu32, Some(0x03ff)),
        (0x387fe001u32, Some(0x0400)),
        (0x38801000u32, Some(0x0400)),
        (0x38800fffu32, Some(0x0400)),
        (0x38801001u32, Some(0x0401)),
        (0x38803000u32, Some(0x0402)),
        (0x38802fffu32, Some(0x0401)),
        (0x38803001u32, Some(0x0402)),
        (0x38fff000u32, Some(0x0800)),
        (0x38ffefffu32, Some(0x07ff)),
        (0x38fff001u32, Some(0x0800)),
        (0x3f7ff000u32, Some(0x3c00)),
        (0x3f7fefffu32, Some(0x3bff)),
        (0x3f7ff001u32, Some(0x3c00)),
        (0x3f801000u32, Some(0x3c00)),
        (0x3f800fffu32, Some(0x3c00)),
        (0x3f801001u32, Some(0x3c01)),
        (0x3f803000u32, Some(0x3c02)),
        (0x3f802fffu32, Some(0x3c01)),
        (0x3f803001u32, Some(0x3c02)),
        (0x477fd000u32, Some(0x7bfe)),
        (0x477fcfffu32, Some(0x7bfe)),
        (0x477fd001u32, Some(0x7bff)),
        (0x00000000u32, Some(0x0000)),
        (0x00000001u32, Some(0x0000)),
        (0x80000000u32, Some(0x8000)),
        (0x80000001u32, Some(0x8000)),
        (0x007fffffu32, Some(0x0000)),
        (0x33000000u32, Some(0x0000)),
        (0x33000001u32, Some(0x0001)),
        (0x477fefffu32, Some(0x7bff)),
        (0x477ff000u32, None),
        (0x47800000u32, None),
        (0xc77fefffu32, Some(0xfbff)),
        (0xc77ff000u32, None),
        (0x7f7fffffu32, None),
        (0x7f800000u32, Some(0x7c00)),
        (0xff800000u32, Some(0xfc00)),
        (0x7f800001u32, Some(0x7c01)),
        (0x7fc00000u32, Some(0x7e00)),
        (0x7fa00000u32, Some(0x7d00)),
        (0x7fffffffu32, Some(0x7fff)),
        (0xff800001u32, Some(0xfc01)),
        (0xffc01fffu32, Some(0xfe00)),
        (0xb67738c9u32, Some(0x803e)),
        (0x35b1aa46u32, Some(0x0016)),
        (0xbbc214f6u32, Some(0x9e11)),
        (0x341514cau32, Some(0x0002)),
        (0xb28fb020u32, Some(0x8000)),
        (0x3cfda9acu32, Some(0x27ed)),
        (0xc0f3ed71u32, Some(0xc79f)),
        (0xc6e63f9bu32, Some(0xf732)),
        (0x35258f27u32, Some(0x000a)),
        (0xb7166d79u32, Some(0x8096)),
        (0x3a54cb7fu32, Some(0x12a6)),
        (0xb8419797u32, Some(0x8306)),
        (0x3cdd7490u32, Some(0x26ec)),
        (0xba94b636u32, Some(0x94a6)),
        (0xb932d92eu32, Some(0x8997)),
        (0x378afafbu32, Some(0x0116)),
        (0x3b7a0c26u32, Some(0x1bd0)),
        (0xbdca9ffau32, Some(0xae55)),
        (0xc44124c5u32, Some(0xe209)),
        (0x34c6a1b3u32, Some(0x0006)),
    ] {
        assert_eq!(f32_to_f16(f32::from_bits(bits)), expected, "{bits:#x}");
    }
}

#[test]
fn f64_rounds_once_as_in_numpy() {
    for &(bits, expected) in &[
        (0x3e60000000000000u64, Some(0x0000)),
        (0x3e5fffffffffffffu64, Some(0x0000)),
        (0x3e60000000000001u64, Some(0x0001)),
        (0x3e78000000000000u64, Some(0x0002)),
        (0x3e77ffffffffffffu64, Some(0x0001)),
        (0x3e78000000000001u64, Some(0x0002)),
        (0x3e84000000000000u64, Some(0x0002)),
        (0x3e83ffffffffffffu64, Some(0x0002)),
        (0x3e84000000000001u64, Some(0x0003)),
        (0x3e8c000000000000u64, Some(0x0004)),
        (0x3e8bffffffffffffu64, Some(0x0003)),
        (0x3e8c000000000001u64, Some(0x0004)),
        (0x3f0ff40000000000u64, Some(0x03fe)),
        (0x3f0ff3ffffffffffu64, Some(0x03fe)),
        (0x3f0ff40000000001u64, Some(0x03ff)),
        (0x3f0ffc0000000000u64, Some(0x0400)),
        (0x3f0ffbffffffffffu64, Some(0x03ff)),
        (0x3f0ffc0000000001u64, Some(0x0400)),
        (0x3f10020000000000u64, Some(0x0400)),
        (0x3f1001ffffffffffu64, Some(0x0400)),
        (0x3f10020000000001u64, Some(0x0401)),
        (0x3f10060000000000u64, Some(0x0402)),
        (0x3f1005ffffffffffu64, Some(0x0401)),
        (0x3f10060000000001u64, Some(0x0402)),
        (0x3f1ffe0000000000u64, Some(0x0800)),
        (0x3f1ffdffffffffffu64, Some(0x07ff)),
        (0x3f1ffe0000000001u64, Some(0x0800)),
        (0x3feffe0000000000u64, Some(0x3c00)),
        (0x3feffdffffffffffu64, Some(0x3bff)),
        (0x3feffe0000000001u64, Some(0x3c00)),
        (0x3ff0020000000000u64, Some(0x3c00)),
        (0x3ff001ffffffffffu64, Some(0x3c00)),
        (0x3ff0020000000001u64, Some(0x3c01)),
        (0x3ff0060000000000u64, Some(0x3c02)),
        (0x3ff005ffffffffffu64, Some(0x3c01)),
        (0x3ff0060000000001u64, Some(0x3c02)),
        (0x40effa0000000000u64, Some(0x7bfe)),
        (0x40eff9ffffffffffu64, Some(0x7bfe)),
        (0x40effa0000000001u64, Some(0x7bff)),
        (0x0000000000000000u64, Some(0x0000)),
        (0x0000000000000001u64, Some(0x0000)),
        (0x8000000000000000u64, Some(0x8000)),
        (0x000fffffffffffffu64, Some(0x0000)),
        (0x40effdffffffffffu64, Some(0x7bff)),
        (0x40effe0000000000u64, None),
        (0x40f0000000000000u64, None),
        (0xc0effdffffffffffu64, Some(0xfbff)),
        (0xc0effe0000000000u64, None),
        (0x7fefffffffffffffu64, None),
        (0x7ff0000000000000u64, Some(0x7c00)),
        (0xfff0000000000000u64, Some(0xfc00)),
        (0x7ff0000000000001u64, Some(0x7c01)),
        (0x7ff8000000000000u64, Some(0x7e00)),
        (0x7ff00fffffffffffu64, Some(0x7c03)),
        (0x7fffffffffffffffu64, Some(0x7fff)),
        (0xfff8000000000001u64, Some(0xfe00)),
        (0x3ff0020000000001u64, Some(0x3c01)),
        (0x3ff001ffffffffffu64, Some(0x3c00)),
        (0xbfe138ead038edd2u64, Some(0xb84e)),
        (0xbfeb6dfdff0945a1u64, Some(0xbadb)),
        (0x40c0078f0f72f4c4u64, Some(0x7002)),
        (0xbf1fa24f3820d343u64, Some(0x87e9)),
        (0x401d359f946776aau64, Some(0x474d)),
        (0x40c63e3efca89f60u64, Some(0x7190)),
        (0x3ef8c60d38ad82b0u64, Some(0x018c)),
        (0xbf08143d6363153eu64, Some(0x8303)),
        (0x3f764a0f4813b8bau64, Some(0x1d93)),
        (0xc04bffdd05cacf57u64, Some(0xd300)),
        (0xc0d505400e47c845u64, Some(0xf541)),
        (0xc08a4047c758e6b1u64, Some(0xe290)),
        (0xbfb9d60f01e58170u64, Some(0xae76)),
        (0xc0d6f9d3119581d3u64, Some(0xf5be)),
        (0x3f97213af3df36e6u64, Some(0x25c8)),
        (0x4042f5dc7d8edd9fu64, Some(0x50bd)),
        (0xbeb0ce7bf413aa29u64, Some(0x8011)),
        (0x3fa75e7ebdbc762eu64, Some(0x29d8)),
        (0xbe956ee25f852f91u64, Some(0x8005)),
        (0x409b7dad5b774393u64, Some(0x66df)),
    ] {
        assert_eq!(f64_to_f16(f64::from_bits(bits)), expected, "{bits:#x}");
    }
}
