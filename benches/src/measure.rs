//! [`Table`]: contenders that do one thing, taken in turn within each round, and the medians of their rounds.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Times `run` until its value is there; dropping the value is outside.
pub fn clock<T>(run: impl FnOnce() -> T) -> Duration {
    let begin = Instant::now();
    let value = black_box(run());
    let elapsed = begin.elapsed();
    drop(value);
    elapsed
}

/// What a time is shown as.
#[derive(Clone, Copy)]
pub enum Unit {
    Milliseconds,
    Microseconds,
    /// Of a run that handles so many.
    NanosecondsEach(u64),
}

impl Unit {
    pub fn name(self) -> &'static str {
        match self {
            Unit::Milliseconds => "ms",
            Unit::Microseconds => "us",
            Unit::NanosecondsEach(_) => "ns each",
        }
    }

    pub fn of(self, seconds: f64) -> f64 {
        match self {
            Unit::Milliseconds => seconds * 1e3,
            Unit::Microseconds => seconds * 1e6,
            Unit::NanosecondsEach(count) => seconds * 1e9 / count as f64,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What no library can beat, or a loop written by hand. The first of a table is what the others are held against.
    Limit,
    Peer,
    Ours,
    /// Another yardstick, which counts for nothing.
    Aside,
}

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Role::Limit => "limit",
            Role::Peer => "peer",
            Role::Ours => "ours",
            Role::Aside => "aside",
        }
    }
}

/// What one of ours is to reach: at most these times the limit and the best peer, at most so many seconds.
#[derive(Clone, Copy, Default)]
pub struct Target {
    pub limit: Option<f64>,
    /// Instead of `limit` where malloc asks for huge pages.
    pub huge_limit: Option<f64>,
    pub peer: Option<f64>,
    pub seconds: Option<f64>,
}

impl Target {
    pub const NONE: Target = Target { limit: None, huge_limit: None, peer: None, seconds: None };

    pub fn new(limit: f64, peer: f64) -> Target {
        Target { limit: Some(limit), peer: Some(peer), ..Target::NONE }
    }

    pub fn limit(limit: f64) -> Target {
        Target { limit: Some(limit), ..Target::NONE }
    }

    pub fn peer(peer: f64) -> Target {
        Target { peer: Some(peer), ..Target::NONE }
    }
}

type Run<'a> = Box<dyn FnMut() -> Duration + 'a>;

pub struct Table<'a> {
    title: String,
    unit: Unit,
    rows: Vec<(Row, Run<'a>)>,
}

/// A contender, measured.
#[derive(Clone)]
pub struct Row {
    pub name: String,
    pub role: Role,
    pub target: Target,
    /// The median of its rounds.
    pub seconds: f64,
    /// The same under huge pages, where that was measured.
    pub huge: Option<f64>,
}

pub struct Measured {
    pub title: String,
    pub unit: Unit,
    pub rows: Vec<Row>,
}

impl<'a> Table<'a> {
    pub fn new(title: impl Into<String>, unit: Unit) -> Self {
        Table { title: title.into(), unit, rows: Vec::new() }
    }

    fn row(mut self, name: &str, role: Role, target: Target, run: impl FnMut() -> Duration + 'a) -> Self {
        let row = Row { name: name.to_owned(), role, target, seconds: f64::NAN, huge: None };
        self.rows.push((row, Box::new(run)));
        self
    }

    pub fn limit(self, name: &str, run: impl FnMut() -> Duration + 'a) -> Self {
        self.row(name, Role::Limit, Target::NONE, run)
    }

    pub fn peer(self, name: &str, run: impl FnMut() -> Duration + 'a) -> Self {
        self.row(name, Role::Peer, Target::NONE, run)
    }

    pub fn ours(self, name: &str, target: Target, run: impl FnMut() -> Duration + 'a) -> Self {
        self.row(name, Role::Ours, target, run)
    }

    pub fn aside(self, name: &str, run: impl FnMut() -> Duration + 'a) -> Self {
        self.row(name, Role::Aside, Target::NONE, run)
    }

    /// A time that NumPy's own script measured, where it did.
    pub fn numpy(self, name: &str, seconds: Option<f64>) -> Self {
        match seconds {
            Some(seconds) => self.row(name, Role::Aside, Target::NONE, move || Duration::from_secs_f64(seconds)),
            None => self,
        }
    }

    /// One round to warm up, and then `rounds` that count.
    pub fn measure(&mut self, rounds: usize) -> Measured {
        let mut samples = vec![Vec::with_capacity(rounds); self.rows.len()];
        for round in 0..=rounds {
            for ((_, run), samples) in self.rows.iter_mut().zip(&mut samples) {
                let elapsed = run();
                if round > 0 {
                    samples.push(elapsed.as_secs_f64());
                }
            }
        }
        let rows = self
            .rows
            .iter()
            .zip(samples)
            .map(|((row, _), mut samples)| Row { seconds: median(&mut samples), ..row.clone() })
            .collect();
        Measured { title: self.title.clone(), unit: self.unit, rows }
    }
}

pub fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples.get(samples.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Which of the two page regimes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pages {
    Small,
    Huge,
}

impl Row {
    pub fn time(&self, pages: Pages) -> Option<f64> {
        match pages {
            Pages::Small => Some(self.seconds),
            Pages::Huge => self.huge,
        }
    }
}

impl Measured {
    /// This time as a multiple of the table's limit.
    pub fn of_limit(&self, row: &Row, pages: Pages) -> Option<f64> {
        let limit = self.rows.iter().find(|row| row.role == Role::Limit)?;
        Some(row.time(pages)? / limit.time(pages)?)
    }

    /// This time as a multiple of the fastest peer's.
    pub fn of_peer(&self, row: &Row, pages: Pages) -> Option<f64> {
        let peers = self.rows.iter().filter(|row| row.role == Role::Peer);
        let best = peers.filter_map(|row| row.time(pages)).min_by(f64::total_cmp)?;
        Some(row.time(pages)? / best)
    }

    /// Whether the row's targets are all met; `None` where it has none.
    pub fn met(&self, row: &Row, pages: Pages) -> Option<bool> {
        let limit = limit_target(&row.target, pages);
        let pairs = [
            (limit, self.of_limit(row, pages)),
            (row.target.peer, self.of_peer(row, pages)),
            (row.target.seconds, row.time(pages)),
        ];
        let mut met = None;
        for (target, found) in pairs {
            if let (Some(target), Some(found)) = (target, found) {
                met = Some(met.unwrap_or(true) && found <= target);
            }
        }
        met
    }
}

pub fn limit_target(target: &Target, pages: Pages) -> Option<f64> {
    match pages {
        Pages::Huge => target.huge_limit.or(target.limit),
        Pages::Small => target.limit,
    }
}
