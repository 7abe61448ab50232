//! From ticks that NumPy saved to one-minute bars that NumPy loads.
//!
//! `cargo run --example market_data [TICKS.npy [BARS.npy]]`: without arguments it takes the sample in the repository.

use serde::{Deserialize, Serialize};
use serde_npy::with;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

/// A record of the file; its fields may stand there in any order, among others.
#[derive(Deserialize)]
struct Tick {
    #[serde(with = "with::Datetime::<with::Ns>")]
    time: i64,
    price: f64,
    size: u32,
    symbol: String,
}

/// A record of the file that is written.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Bar {
    symbol: String,
    #[serde(with = "with::Datetime::<with::Min>")]
    minute: i64,
    open: f64,
    high: f64,
    low: f64,
    close: f64,
    volume: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/market_ticks.npy");
    let ticks_path = arguments.next().unwrap_or_else(|| sample.into());
    let bars_path = arguments.next().unwrap_or_else(|| std::env::temp_dir().join("bars.npy"));

    let ticks: Vec<Tick> = serde_npy::records_from_path(&ticks_path)?;
    let bars = bars_of(&ticks);
    serde_npy::records_to_path(&bars_path, &bars)?;

    let read_back: Vec<Bar> = serde_npy::records_from_path(&bars_path)?;
    assert_eq!(read_back, bars);

    println!("{} ticks in {}", ticks.len(), ticks_path.display());
    println!("{} one-minute bars in {}, the first of them:", bars.len(), bars_path.display());
    for bar in bars.iter().take(5) {
        let (hour, minute) = (bar.minute.div_euclid(60).rem_euclid(24), bar.minute.rem_euclid(60));
        println!(
            "  {:<6} {hour:02}:{minute:02}  open {:8.2}  high {:8.2}  low {:8.2}  close {:8.2}  volume {:7}",
            bar.symbol, bar.open, bar.high, bar.low, bar.close, bar.volume
        );
    }
    println!("\nIn Python:\n");
    println!("    import numpy, pandas");
    println!("    bars = numpy.load({:?})", bars_path.display().to_string());
    println!("    bars.dtype, bars['close'].max(), pandas.DataFrame(bars)");
    Ok(())
}

fn bars_of(ticks: &[Tick]) -> Vec<Bar> {
    let mut bars: BTreeMap<(&str, i64), Bar> = BTreeMap::new();
    for tick in ticks {
        let minute = tick.time.div_euclid(60_000_000_000);
        let bar = bars.entry((&tick.symbol, minute)).or_insert_with(|| Bar {
            symbol: tick.symbol.clone(),
            minute,
            open: tick.price,
            high: tick.price,
            low: tick.price,
            close: tick.price,
            volume: 0,
        });
        bar.high = bar.high.max(tick.price);
        bar.low = bar.low.min(tick.price);
        bar.close = tick.price;
        bar.volume += u64::from(tick.size);
    }
    bars.into_values().collect()
}
