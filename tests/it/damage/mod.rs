//! Files that are cut or changed, readers and writers that fail: an error that says so, never a panic and never a wrong
//! value.

mod bytes;
mod corpus;
mod faulty;
mod readers;
mod writers;

use crate::tree::Tree;
use serde_npy::{Category, ReadOptions};

/// Three other values for a byte: one bit apart, the upper or all bits, and a byte that means something to the parser.
pub(crate) fn others(byte: u8, place: usize) -> [u8; 3] {
    const TOKENS: &[u8] = b"\0{}[](),:'\"\\ \n<>|0-";
    [byte ^ 1, byte ^ if place.is_multiple_of(2) { 0x80 } else { 0xFF }, TOKENS[place % TOKENS.len()]]
}

/// Reads a file with each of its bytes changed, one in three by a reader as well, which must agree with the slice; how
/// many changes there were.
#[track_caller]
pub(crate) fn change_every_byte(file: &[u8], options: &ReadOptions, name: &str) -> usize {
    let outcome = |result: serde_npy::Result<Tree>| result.map_err(|error| error.category());
    for place in 0..file.len() {
        let mut bytes = file.to_vec();
        for (turn, other) in others(file[place], place).into_iter().enumerate() {
            bytes[place] = other;
            let slice = outcome(serde_npy::from_slice_with(&bytes, options));
            if turn != place % 3 {
                continue;
            }
            let reader = outcome(serde_npy::from_reader_with(&bytes[..], options));
            // Where data is short, the slice knows it from the start, the reader after what came before.
            if slice != Err(Category::Eof) {
                assert_eq!(slice, reader, "{name}, byte {place} as {other:#04x}");
            }
            assert_eq!(slice.is_ok(), reader.is_ok(), "{name}, byte {place} as {other:#04x}");
        }
    }
    3 * file.len()
}
