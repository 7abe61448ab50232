//! Writing more records than fit into memory, to a file and through a compressor.

use flate2::Compression;
use flate2::write::GzEncoder;
use indicatif::ProgressBar;
use serde::Serialize;
use serde_npy::Writer;
use std::error::Error;
use std::fs::File;

#[derive(Serialize)]
struct Sample {
    step: u64,
    position: [f32; 3],
}

/// What a simulation would give, one at a time.
fn samples() -> impl Iterator<Item = Sample> {
    (0..60_000u16).map(|step| {
        let angle = f32::from(step) / 100.0;
        Sample { step: step.into(), position: [angle.cos(), angle.sin(), angle] }
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;

    // How many there are turns out at the end. The file appears, whole, with `finish`; until then, or if the program
    // stops, the old one stays.
    let path = folder.path().join("samples.npy");
    let mut writer = Writer::create(&path)?;
    for sample in samples().filter(|sample| sample.step % 3 == 0) {
        writer.write(&sample)?;
    }
    let count = writer.count();
    writer.finish()?;
    println!("{count} samples in {} bytes", std::fs::metadata(&path)?.len());

    // A compressor cannot go back to the header, so the number must be known. A bar shows how far it has come.
    let path = folder.path().join("samples.npy.gz");
    let bar = ProgressBar::new(50_000);
    let shown = bar.clone();
    let compressor = GzEncoder::new(File::create(&path)?, Compression::fast());
    let mut writer = Writer::new(compressor, 50_000).on_progress(move |progress| shown.set_position(progress.records));
    writer.write_all(samples().take(50_000))?;
    writer.finish()?.finish()?.sync_all()?;
    bar.finish();
    println!("50000 samples in {} bytes", std::fs::metadata(&path)?.len());
    Ok(())
}
