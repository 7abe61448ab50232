//! Record by record: [`Reader`] and [`Writer`] for arrays larger than memory, and for files that are still growing.

mod append;
mod create;
mod follow;
mod layout;
mod length;
mod progress;
mod reader;
mod records;
mod rewrite;
mod seek;
mod writer;

pub use follow::Follow;
pub use progress::Progress;
pub use reader::Reader;
pub use records::Records;
pub use writer::Writer;
