//! The tables, a file for each kind of thing that is read and written.

mod archive;
mod cached;
mod files;
mod header;
mod plain;
mod scaling;
mod shapes;
mod small;
mod text;

use crate::measure::{Measured, Table};
use crate::report;
use crate::setup::Setup;

/// The tables measured so far, each printed once it is there.
#[derive(Default)]
pub struct Tables {
    pub measured: Vec<Measured>,
    /// Printed at the end instead, when times under huge pages have come to them.
    pub quiet: bool,
}

impl Tables {
    /// Measures a table, if it was asked for; what it needs is there only while it is measured.
    pub fn add<'a>(&mut self, setup: &Setup, title: &str, table: impl FnOnce() -> Table<'a>) {
        if !setup.wants(title) {
            return;
        }
        let measured = table().measure(setup.rounds);
        if !self.quiet {
            println!("{}", report::text(&measured));
        }
        let _ = std::fs::remove_file(setup.out());
        self.measured.push(measured);
    }
}

pub fn all(setup: &Setup, tables: &mut Tables) {
    plain::tables(setup, tables);
    files::tables(setup, tables);
    cached::tables(setup, tables);
    text::tables(setup, tables);
    archive::tables(setup, tables);
    header::tables(setup, tables);
    scaling::tables(setup, tables);
    shapes::tables(setup, tables);
    small::tables(setup, tables);
}
