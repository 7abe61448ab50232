//! Archives of arrays, as `numpy.savez` and `numpy.savez_compressed` write them.
//!
//! A struct or a map is an archive, each of its fields an array: [`from_path`] and [`to_path`], and their siblings for
//! memory, readers and writers. [`Reader`] and [`Writer`] go member by member, [`View`] borrows from an archive in memory.
//!
//! A member is found by the name of its array, is read only if it is asked for, and is checked against its length and its
//! checksum when it is.
//!
//! NumPy reads archives by Python's `zipfile`. Where an archive is out of order the two differ in this: an end that counts
//! fewer members than the list has is an error here, where `zipfile` goes by the size of the list; something in front of
//! an archive is passed over, where `np.load` only looks at the first bytes of the file; and the name of a member is that
//! in the list alone, where `zipfile` refuses one that has another name in front of its data, or is not UTF-8 where it says
//! so. What a member holds is known by the checksum in the list.

mod array;
mod deserializer;
mod directory;
mod elements;
mod fault;
mod gate;
mod member;
mod name;
mod options;
#[cfg(feature = "rayon")]
mod parallel;
mod reader;
mod rehearsal;
mod root;
mod serializer;
mod sink;
mod verbs;
mod view;
mod witness;
mod writer;

pub use elements::Elements;
pub use member::Member;
pub use options::{Compression, ReadOptions, WriteOptions};
pub use reader::Reader;
pub use verbs::{
    append, append_with, from_path, from_path_with, from_reader, from_reader_with, from_slice, from_slice_with,
    to_path, to_path_with, to_vec, to_vec_with, to_writer, to_writer_with,
};
pub use view::View;
pub use writer::Writer;
