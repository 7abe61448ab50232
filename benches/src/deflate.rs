//! libdeflate over the members of an archive, whole buffers in memory: how fast DEFLATE is without a stream.

use libdeflater::{CompressionLvl, Compressor, Decompressor, crc32};
use std::hint::black_box;
use std::io::Read;
use std::path::Path;

/// A member as it is in the archive.
pub struct Deflated {
    bytes: Vec<u8>,
    size: usize,
    crc32: u32,
}

pub fn members(path: &Path) -> Vec<Deflated> {
    let mut archive = npyz::npz::NpzArchive::open(path).unwrap();
    let zip = archive.zip_archive();
    let count = zip.len();
    let member = |i| {
        let mut member = zip.by_index_raw(i).unwrap();
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes).unwrap();
        Deflated { bytes, size: member.size() as usize, crc32: member.crc32() }
    };
    (0..count).map(member).collect()
}

/// Into new memory, as the readers do.
pub fn inflate(members: &[Deflated]) -> Vec<Vec<u8>> {
    let mut decompressor = Decompressor::new();
    let inflated = members.iter().map(|member| {
        let mut bytes = vec![0; member.size];
        assert_eq!(decompressor.deflate_decompress(&member.bytes, &mut bytes), Ok(member.size));
        assert_eq!(crc32(&bytes), member.crc32);
        bytes
    });
    inflated.collect()
}

pub fn level(level: i32) -> Compressor {
    Compressor::new(CompressionLvl::new(level).unwrap())
}

/// Into `out`, which grows where it has to: how many bytes it takes.
pub fn deflate(members: &[Vec<u8>], compressor: &mut Compressor, out: &mut Vec<u8>) -> usize {
    let mut length = 0;
    for member in members {
        black_box(crc32(member));
        let most = length + compressor.deflate_compress_bound(member.len());
        if out.len() < most {
            out.resize(most, 0);
        }
        length += compressor.deflate_compress(member, &mut out[length..]).unwrap();
    }
    length
}
