//! Archives assembled from parts, so that the fuzzer need not find checksums and offsets by itself.

use super::choices::Choices;
use crc32fast::Hasher;

/// An archive of members as the choices have them, most of them as they should be.
pub(crate) fn assemble(choices: &mut Choices<'_>) -> Vec<u8> {
    let (mut file, mut directory) = (vec![0; choices.of(&[0, 0, 0, 5])], Vec::new());
    let count = choices.below(4);
    for _ in 0..count {
        let member = Member::of(choices);
        let start = file.len();
        let common = member.common();
        file.extend(b"PK\x03\x04");
        // Which of the two is believed must not matter to safety.
        file.extend(if choices.below(16) == 15 { vec![0xff; common.len()] } else { common.clone() });
        file.extend((member.extra.len() as u16).to_le_bytes());
        file.extend(&member.name);
        file.extend(&member.extra);
        file.extend(&member.packed);
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(common);
        directory.extend([0; 12]); // extra, comment, disk, attributes inside and outside
        directory.extend((start as u32 + choices.of(&[0u32, 0, 0, 0, 0, 0, 0, 1])).to_le_bytes());
        directory.extend(&member.name);
    }
    let start = file.len() as u32;
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    let told = count as u16 + choices.of(&[0, 0, 0, 0, 0, 0, 1, 0xffff - 4]);
    file.extend(told.to_le_bytes());
    file.extend(told.to_le_bytes());
    file.extend((directory.len() as u32).to_le_bytes());
    file.extend(start.to_le_bytes());
    let comment = choices.of(&[0, 0, 0, 3]);
    file.extend((comment as u16).to_le_bytes());
    file.extend(vec![b'c'; comment]);
    file
}

struct Member {
    name: Vec<u8>,
    method: u16,
    flags: u16,
    crc: u32,
    packed: Vec<u8>,
    size: u32,
    extra: Vec<u8>,
}

impl Member {
    fn of(choices: &mut Choices<'_>) -> Member {
        let names: [&[u8]; 10] =
            [b"a.npy", b"b.npy", b"a", b"", b"x/y.npy", b"f/", b"meta.json", b"\xff.npy", b"..\\up.npy", b"arr_0.npy"];
        let name = choices.of(&names).to_vec();
        let data = content(choices);
        let deflate = choices.below(2) == 1;
        let packed = if deflate { stored_blocks(&data, choices) } else { data.clone() };
        let mut sum = Hasher::new();
        sum.update(&data);
        let lie =
            |choices: &mut Choices<'_>| choices.of(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x7fff_ffff, u32::MAX]);
        Member {
            name,
            method: choices.of(&[u16::from(deflate) * 8, u16::from(deflate) * 8, u16::from(deflate) * 8, 8, 0, 12, 99]),
            flags: choices.of(&[0, 0, 0, 0, 1, 8, 0x800]),
            crc: sum.finalize().wrapping_add(lie(choices)),
            size: (data.len() as u32).wrapping_add(lie(choices)),
            packed,
            extra: choices.of(&[b"" as &[u8], b"", b"\x01\x00\x00\x00", b"\x01\x00\x10\x00\xff\xff\xff\xff"]).to_vec(),
        }
    }

    /// What stands in both headers alike, from the version needed to the length of the name.
    fn common(&self) -> Vec<u8> {
        let mut common = Vec::new();
        common.extend(20u16.to_le_bytes());
        common.extend(self.flags.to_le_bytes());
        common.extend(self.method.to_le_bytes());
        common.extend([0, 0, 0x21, 0]);
        common.extend(self.crc.to_le_bytes());
        common.extend((self.packed.len() as u32).to_le_bytes());
        common.extend(self.size.to_le_bytes());
        common.extend((self.name.len() as u16).to_le_bytes());
        common
    }
}

/// An array, cut or with bytes behind it, or any bytes.
fn content(choices: &mut Choices<'_>) -> Vec<u8> {
    let shape = choices.below(4);
    let length = usize::from(choices.byte());
    if shape == 0 {
        return choices.bytes(length).to_vec();
    }
    let Some(header) = choices.header() else { return Vec::new() };
    let mut file = header.to_bytes().unwrap();
    let start = file.len();
    file.resize(start + usize::try_from(header.data_len()).unwrap(), 0);
    for slot in file[start..].chunks_mut(header.dtype().itemsize().max(1)) {
        choices.fill(header.dtype(), slot);
    }
    match shape {
        1 => file.truncate(length),
        2 => file.extend(choices.bytes(length % 8)),
        _ => {}
    }
    file
}

/// A deflate stream of stored blocks; now and then one that is cut or goes on.
fn stored_blocks(data: &[u8], choices: &mut Choices<'_>) -> Vec<u8> {
    let mut packed = Vec::new();
    let size = choices.of(&[0xffff, 0xffff, 100]);
    let chunks: Vec<&[u8]> = if data.is_empty() { vec![data] } else { data.chunks(size).collect() };
    for (position, chunk) in chunks.iter().enumerate() {
        packed.push(u8::from(position + 1 == chunks.len()));
        packed.extend((chunk.len() as u16).to_le_bytes());
        packed.extend((!(chunk.len() as u16)).to_le_bytes());
        packed.extend(*chunk);
    }
    match choices.below(16) {
        14 => packed.truncate(packed.len() / 2),
        15 => packed.extend(b"more"),
        _ => {}
    }
    packed
}
