//! [`Setup`]: what was asked for on the command line, and the folder of the data.

use crate::random::Random;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

pub const USAGE: &str = "\
cargo run --release --manifest-path benches/Cargo.toml -- [options]

  --rounds N    rounds that count, after one that does not (7)
  --quick       small data: shows that everything works, not how fast
  --huge        a second time with huge pages (GLIBC_TUNABLES=glibc.malloc.hugetlb=1)
  --only WORDS  only the tables whose title contains this
  --json FILE   the numbers as JSON too
  --svg FILE    a plot of the main workloads, as multiples of their limits
  --memory      only the table of memory
  --no-memory   all but the table of memory
";

pub struct Setup {
    pub rounds: usize,
    pub quick: bool,
    pub huge: bool,
    pub only: Option<String>,
    pub json: Option<PathBuf>,
    pub svg: Option<PathBuf>,
    pub memory: bool,
    pub speed: bool,
    /// Where times go that the process under huge pages measures for this one.
    pub inner: Option<PathBuf>,
    /// The workload that a process does alone, so that its memory can be told.
    pub child: Option<String>,
    pub folder: PathBuf,
    /// Seconds by the names of `numpy_times.py`.
    pub numpy: HashMap<String, f64>,
}

impl Setup {
    pub fn from_arguments(arguments: impl IntoIterator<Item = String>) -> Result<Setup, String> {
        let mut setup = Setup {
            rounds: 7,
            quick: false,
            huge: false,
            only: None,
            json: None,
            svg: None,
            memory: true,
            speed: true,
            inner: None,
            child: None,
            folder: PathBuf::new(),
            numpy: HashMap::new(),
        };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("expected a value behind {argument}"));
            match argument.as_str() {
                "--rounds" => setup.rounds = value()?.parse().map_err(|_| "expected a number behind --rounds")?,
                "--quick" => setup.quick = true,
                "--huge" => setup.huge = true,
                "--only" => setup.only = Some(value()?),
                "--json" => setup.json = Some(value()?.into()),
                "--svg" => setup.svg = Some(value()?.into()),
                "--memory" => setup.speed = false,
                "--no-memory" => setup.memory = false,
                "--inner" => setup.inner = Some(value()?.into()),
                "--child" => setup.child = Some(value()?),
                "--folder" => setup.folder = value()?.into(),
                other => return Err(format!("there is no option {other}\n\n{USAGE}")),
            }
        }
        Ok(setup)
    }

    /// So many, or few where it has to be quick.
    pub fn count(&self, full: usize) -> usize {
        if self.quick && full > 10_000 { (full / 50).max(10_000) } else { full }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Where a contender writes.
    pub fn out(&self) -> PathBuf {
        self.folder.join("out")
    }

    pub fn numpy(&self, name: &str) -> Option<f64> {
        self.numpy.get(name).copied()
    }

    pub fn wants(&self, title: &str) -> bool {
        self.only.as_ref().is_none_or(|only| title.contains(only.as_str()))
    }

    pub fn random(&self) -> Random {
        Random::new(42)
    }
}

/// A folder whose files are in memory, where there is one.
pub fn folder() -> tempfile::TempDir {
    let mut builder = tempfile::Builder::new();
    builder.prefix("serde_npy_benches");
    let memory = Path::new("/dev/shm");
    match builder.tempdir_in(memory) {
        Ok(folder) => folder,
        Err(_) => builder.tempdir().expect("a folder for the data"),
    }
}
