//! Times and lengths of time of a `DataFrame`: as counts and as the types of `std`, `chrono` and `jiff`; those of a zone
//! are objects, for which the error knows a way.

use crate::python::python;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_npy::with::{Datetime, Ms, Ns, Sec, Timedelta, Us};
use serde_npy::{Category, Header, WriteOptions};
use std::fs;
use std::time::{Duration, SystemTime};

const NANOS: [Option<i64>; 4] = [Some(1_772_461_800_123_456_789), Some(-1), None, Some(4_102_444_800_000_000_000)];
const MICROS: [Option<i64>; 4] = [Some(1_772_461_800_123_456), Some(-62_135_596_800_000_000), None, Some(0)];
const LENGTHS: [Option<i64>; 4] = [Some(1), Some(-93_784_005_006_007), None, Some(0)];
const LIMITS: [Option<i64>; 4] = [Some(1500), Some(86_400_000), None, Some(0)];
const ZONED: [i64; 4] = [1_772_461_800, 1_774_749_600, -1, 0];

const FRAME: &str = r#"
import json, sys, warnings
try:
    import numpy as np, pandas as pd
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit()
warnings.simplefilter("ignore")
task = json.load(sys.stdin)


def column(counts, dtype):
    return pd.Series(np.array([-2**63 if count is None else count for count in counts], "i8").view(dtype))


frame = pd.DataFrame({
    "naive": column(task["nanos"], "M8[ns]"),
    "old": column(task["micros"], "M8[us]"),
    "length": column(task["lengths"], "m8[ns]"),
    "limit": column(task["limits"], "m8[ms]"),
})
assert [str(dtype) for dtype in frame.dtypes] == ["datetime64[ns]", "datetime64[us]", "timedelta64[ns]", "timedelta64[ms]"]
"#;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Counts {
    #[serde(with = "Datetime::<Ns>", default)]
    naive: Option<i64>,
    #[serde(with = "Datetime::<Us>", default)]
    old: Option<i64>,
    #[serde(with = "Timedelta::<Ns>", default)]
    length: Option<i64>,
    #[serde(with = "Timedelta::<Ms>", default)]
    limit: Option<i64>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct OfStd {
    #[serde(with = "Datetime::<Ns>", default)]
    naive: Option<SystemTime>,
    #[serde(with = "Timedelta::<Ms>", default)]
    limit: Option<Duration>,
}

#[cfg(feature = "chrono")]
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct OfChrono {
    #[serde(with = "Datetime::<Ns>", default)]
    naive: Option<chrono::NaiveDateTime>,
    #[serde(with = "Datetime::<Us>", default)]
    old: Option<chrono::DateTime<chrono::Utc>>,
    #[serde(with = "Timedelta::<Ns>", default)]
    length: Option<chrono::TimeDelta>,
    #[serde(with = "Timedelta::<Ms>", default)]
    limit: Option<chrono::TimeDelta>,
}

#[cfg(feature = "jiff")]
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct OfJiff {
    #[serde(with = "Datetime::<Ns>", default)]
    naive: Option<jiff::civil::DateTime>,
    #[serde(with = "Datetime::<Us>", default)]
    old: Option<jiff::Timestamp>,
    #[serde(with = "Timedelta::<Ns>", default)]
    length: Option<jiff::SignedDuration>,
    #[serde(with = "Timedelta::<Ms>", default)]
    limit: Option<jiff::SignedDuration>,
}

fn counts() -> Vec<Counts> {
    (0..4).map(|i| Counts { naive: NANOS[i], old: MICROS[i], length: LENGTHS[i], limit: LIMITS[i] }).collect()
}

/// Before the epoch too.
fn system_time(nanos: i64) -> SystemTime {
    let length = Duration::from_nanos(nanos.unsigned_abs());
    if nanos < 0 { SystemTime::UNIX_EPOCH - length } else { SystemTime::UNIX_EPOCH + length }
}

#[test]
fn times_of_a_data_frame_are_times() {
    let folder = tempfile::tempdir().unwrap();
    let task = json!({
        "folder": folder.path(), "nanos": NANOS, "micros": MICROS, "lengths": LENGTHS, "limits": LIMITS, "zoned": ZONED,
    });
    let script = format!(
        "{FRAME}\n{}",
        r#"
np.save(task["folder"] + "/times.npy", frame.to_records(index=False))
zoned = column(task["zoned"], "M8[s]").dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin")
mixed = pd.DataFrame({"id": np.arange(4, dtype="u1"), "seen": zoned})
records = mixed.to_records(index=False)
assert records.dtype["seen"] == object
np.save(task["folder"] + "/zoned.npy", records, allow_pickle=True)
# The way out that the error tells.
np.save(task["folder"] + "/utc.npy", mixed.assign(seen=mixed["seen"].dt.tz_convert(None)).to_records(index=False))
"#
    );
    let Some(printed) = python(&script, task.to_string().as_bytes()) else { return };
    if !printed.is_empty() {
        eprint!("{}", String::from_utf8(printed).unwrap());
        return;
    }
    let read = |file: &str| fs::read(folder.path().join(file)).unwrap();
    let bytes = read("times.npy");
    let descr = "[('naive', '<M8[ns]'), ('old', '<M8[us]'), ('length', '<m8[ns]'), ('limit', '<m8[ms]')]";
    assert_eq!(Header::read(&bytes[..]).unwrap().dtype().to_string(), descr);

    let as_counts: Vec<Counts> = serde_npy::from_slice(&bytes).unwrap();
    assert_eq!(as_counts, counts());
    assert_eq!(serde_npy::records_from_slice::<Counts>(&bytes).unwrap(), counts());
    assert!(serde_npy::to_vec(&as_counts).unwrap() == bytes);

    let of_std: Vec<OfStd> = serde_npy::from_slice(&bytes).unwrap();
    for (row, counts) in of_std.iter().zip(counts()) {
        assert_eq!(row.naive, counts.naive.map(system_time));
        assert_eq!(row.limit, counts.limit.map(|millis| Duration::from_millis(millis.unsigned_abs())));
    }
    of_chrono(&bytes);
    of_jiff(&bytes);

    let error = serde_npy::from_slice::<Vec<Counts>>(&read("zoned.npy")).unwrap_err();
    assert_eq!(error.category(), Category::Unsupported);
    assert_eq!(
        error.to_string(),
        "field `seen` is of dtype `|O`: Python objects, for which NumPy saves the whole array as a pickle; save it with \
         fixed-width strings or numbers instead, such as `astype('U16')`, or `column_dtypes` of `DataFrame.to_records`, \
         and times with a zone after `dt.tz_convert(None)`"
    );
    #[derive(Deserialize)]
    struct Seen {
        id: u8,
        #[serde(with = "Datetime::<Sec>")]
        seen: i64,
    }
    let seen: Vec<Seen> = serde_npy::from_slice(&read("utc.npy")).unwrap();
    assert!(seen.iter().map(|row| row.seen).eq(ZONED) && seen.iter().map(|row| row.id).eq(0..4));
}

#[cfg(feature = "chrono")]
fn of_chrono(bytes: &[u8]) {
    use chrono::{DateTime, TimeDelta};
    let rows: Vec<OfChrono> = serde_npy::from_slice(bytes).unwrap();
    for (row, counts) in rows.iter().zip(counts()) {
        assert_eq!(row.naive, counts.naive.map(|nanos| DateTime::from_timestamp_nanos(nanos).naive_utc()));
        assert_eq!(row.old, counts.old.map(|micros| DateTime::from_timestamp_micros(micros).unwrap()));
        assert_eq!(row.length, counts.length.map(TimeDelta::nanoseconds));
        assert_eq!(row.limit, counts.limit.map(TimeDelta::milliseconds));
    }
    assert!(serde_npy::to_vec(&rows).unwrap() == bytes);
}

#[cfg(feature = "jiff")]
fn of_jiff(bytes: &[u8]) {
    use jiff::{SignedDuration, Timestamp, tz::TimeZone};
    let rows: Vec<OfJiff> = serde_npy::from_slice(bytes).unwrap();
    for (row, counts) in rows.iter().zip(counts()) {
        let civil = |nanos: i64| TimeZone::UTC.to_datetime(Timestamp::from_nanosecond(nanos.into()).unwrap());
        assert_eq!(row.naive, counts.naive.map(civil));
        assert_eq!(row.old, counts.old.map(|micros| Timestamp::from_microsecond(micros).unwrap()));
        assert_eq!(row.length, counts.length.map(SignedDuration::from_nanos));
        assert_eq!(row.limit, counts.limit.map(SignedDuration::from_millis));
    }
    assert!(serde_npy::to_vec(&rows).unwrap() == bytes);
}

#[cfg(not(feature = "chrono"))]
fn of_chrono(_bytes: &[u8]) {}

#[cfg(not(feature = "jiff"))]
fn of_jiff(_bytes: &[u8]) {}

/// What we write is what pandas makes of the same times.
#[test]
fn our_times_make_the_same_data_frame() {
    let folder = tempfile::tempdir().unwrap();
    let descr = "[('naive', '<M8[ns]'), ('old', '<M8[us]'), ('length', '<m8[ns]'), ('limit', '<m8[ms]')]";
    serde_npy::to_path(folder.path().join("ours.npy"), &counts()).unwrap();
    // As text into a given dtype.
    #[derive(Serialize)]
    struct Texts {
        naive: Option<&'static str>,
        old: Option<&'static str>,
        length: Option<&'static str>,
        limit: Option<&'static str>,
    }
    let texts = [
        Texts {
            naive: Some("2026-03-02T14:30:00.123456789"),
            old: Some("2026-03-02T14:30:00.123456Z"),
            length: Some("PT0.000000001S"),
            limit: Some("PT1.5S"),
        },
        Texts {
            naive: Some("1969-12-31 23:59:59.999999999"),
            old: Some("0001-01-01"),
            length: Some("-P1DT2H3M4.005006007S"),
            limit: Some("P1D"),
        },
        Texts { naive: None, old: None, length: None, limit: None },
        Texts { naive: Some("2100-01-01T01:00+01"), old: Some("1970"), length: Some("PT0S"), limit: Some("P0W") },
    ];
    let options = WriteOptions::default().dtype(descr.parse().unwrap());
    assert_eq!(serde_npy::to_vec_with(&texts, &options).unwrap(), fs::read(folder.path().join("ours.npy")).unwrap());
    let task = json!({
        "folder": folder.path(), "nanos": NANOS, "micros": MICROS, "lengths": LENGTHS, "limits": LIMITS,
    });
    let script = format!(
        "{FRAME}\n{}",
        r#"pd.testing.assert_frame_equal(pd.DataFrame(np.load(task["folder"] + "/ours.npy")), frame, check_exact=True)"#
    );
    if let Some(printed) = python(&script, task.to_string().as_bytes()) {
        eprint!("{}", String::from_utf8(printed).unwrap());
    }
}
