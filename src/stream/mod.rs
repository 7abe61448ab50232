//! Record by record: [`Reader`] and [`Writer`] for arrays larger than memory, and for files that are still growing.

mod append;
mod follow;
mod progress;
mod reader;
mod records;
mod rewrite;
mod writer;

pub use follow::Follow;
pub use progress::Progress;
pub use reader::Reader;
pub use records::Records;
pub use writer::Writer;
