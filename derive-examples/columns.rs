//! Some columns of a wide table: one field of all records, a struct of columns, and a table written by columns.

use serde::{Deserialize, Serialize};
use serde_npy::{Columns, View, WriteOptions, with};
use std::error::Error;

#[derive(Serialize)]
struct Trade {
    id: u64,
    #[serde(with = "with::S::<8>")]
    symbol: &'static str,
    price: f64,
    at: Venue,
}

#[derive(Serialize)]
struct Venue {
    code: u16,
    fee: f32,
}

/// The columns that are wanted, under the names of the fields.
#[derive(Deserialize)]
struct Wanted<'a> {
    price: Vec<f64>,
    #[serde(borrow)]
    symbol: Vec<&'a str>,
}

#[derive(Serialize)]
struct Summary<'a> {
    #[serde(with = "with::S::<8>")]
    symbol: &'a str,
    total: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let trade = |id: u32| Trade {
        id: id.into(),
        symbol: if id.is_multiple_of(3) { "ACME" } else { "GLOBEX" },
        price: f64::from(id) / 4.0,
        at: Venue { code: 7, fee: 0.5 },
    };
    let file = serde_npy::to_vec(&(0..9).map(trade).collect::<Vec<_>>())?; // or a memory map
    let view = View::new(&file)?;

    // One field: only its bytes are looked at. Text is borrowed from the file.
    let total: f64 = view.column::<f64>(&["price"])?.sum::<serde_npy::Result<f64>>()?;
    let symbols: Vec<&str> = view.column(&["symbol"])?.to_vec()?;
    println!("{total} in {} trades, the first of {:?}", symbols.len(), symbols.first());

    // A field of a field, of some of the records, from the end.
    let late = view.slice(5..)?;
    let fees: Vec<f32> = late.column(&["at", "fee"])?.rev().collect::<serde_npy::Result<_>>()?;
    assert_eq!(fees, [0.5; 4]);

    // A name that is not there: the error tells those that are.
    if let Err(error) = view.column::<f64>(&["volume"]) {
        assert_eq!(error.to_string(), "there is no field `volume`, there are `id`, `symbol`, `price`, `at`");
    }

    // Several columns at once, as a struct of vectors.
    let Columns(wanted) = view.deserialize::<Columns<Wanted<'_>>>()?;
    let of = |symbol: &str| {
        let pairs = wanted.symbol.iter().zip(&wanted.price);
        pairs.filter(|(found, _)| **found == symbol).map(|(_, price)| price).sum::<f64>()
    };
    let summary = ["ACME", "GLOBEX"].map(|symbol| Summary { symbol, total: of(symbol) });
    let bytes = serde_npy::to_vec_with(&summary, &WriteOptions::default())?;
    println!("{}", serde_npy::Header::read(&bytes[..])?.dtype());
    Ok(())
}
