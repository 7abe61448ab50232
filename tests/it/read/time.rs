//! `M8` and `m8`: text to anyone, counts to those who name the unit.

use crate::routes::{npy, reads, refuses};
use serde::Deserialize;
use serde_npy::with;
use std::time::{Duration, SystemTime};

fn counts(counts: &[i64]) -> Vec<u8> {
    counts.iter().flat_map(|count| count.to_le_bytes()).collect()
}

const NAT: i64 = i64::MIN;

#[test]
fn times_are_text() {
    let rows: &[(&str, i64, &str)] = &[
        ("<M8[Y]", 30, "2000"),
        ("<M8[M]", 361, "2000-02"),
        ("<M8[W]", 52, "1970-12-31"),
        ("<M8[D]", 19_000, "2022-01-08"),
        ("<M8[h]", 1, "1970-01-01T01"),
        ("<M8[m]", 1, "1970-01-01T00:01"),
        ("<M8[s]", 1, "1970-01-01T00:00:01"),
        ("<M8[ms]", 1, "1970-01-01T00:00:00.001"),
        ("<M8[us]", 1, "1970-01-01T00:00:00.000001"),
        ("<M8[ns]", 1, "1970-01-01T00:00:00.000000001"),
        ("<M8[25us]", 2, "1970-01-01T00:00:00.000050"),
        ("<m8[s]", 90, "PT90S"),
        ("<m8[ms]", -1500, "-PT1.5S"),
        ("<m8[D]", 3, "P3D"),
        ("<m8[Y]", 2, "P2Y"),
    ];
    for (typestring, count, text) in rows {
        let file = npy(&format!("'{typestring}'"), "(1,)", &count.to_le_bytes());
        reads(&file, vec![(*text).to_owned()]);
        reads(&file, vec![Some((*text).to_owned())]);
        reads(&file, serde_json::json!([text]));
    }
    reads(&npy("'>M8[D]'", "()", &19_000i64.to_be_bytes()), "2022-01-08".to_owned());
}

/// A generic timedelta is no more than its count; a generic datetime has no value but NaT.
#[test]
fn the_generic_unit() {
    reads(&npy("'<m8'", "(1,)", &counts(&[5])), serde_json::json!([5]));
    reads(&npy("'<M8'", "(1,)", &counts(&[NAT])), vec![None::<String>]);
    refuses::<Vec<String>>(
        &npy("'<M8'", "(1,)", &counts(&[5])),
        "a datetime of the generic unit has no value but NaT (dtype `<M8`, at `[0]`, byte 128)",
    );
    #[derive(Deserialize, PartialEq, Debug)]
    struct Raw {
        #[serde(with = "with::Raw")]
        t: Option<i64>,
    }
    reads(&npy("[('t', '<M8')]", "(2,)", &counts(&[5, NAT])), vec![Raw { t: Some(5) }, Raw { t: None }]);
    #[derive(Deserialize, PartialEq, Debug)]
    struct Seconds {
        #[serde(with = "with::Timedelta::<with::Sec>")]
        t: i64,
    }
    refuses::<Vec<Seconds>>(
        &npy("[('t', '<m8')]", "(1,)", &counts(&[5])),
        "expected a timedelta in `s`, found a count of the generic unit; use `with::Raw` (dtype `<m8`, at `[0].t`, byte 128)",
    );
}

#[test]
fn nat_is_none() {
    for descr in ["'<M8[ns]'", "'<m8[s]'", "'<m8'"] {
        let typestring = descr.trim_matches('\'');
        let file = npy(descr, "(1,)", &counts(&[NAT]));
        reads(&file, vec![None::<String>]);
        reads(&file, vec![None::<i64>]);
        reads(&file, serde_json::json!([null]));
        let wanted = if descr == "'<m8'" { "a string" } else { "" };
        if wanted.is_empty() {
            refuses::<Vec<String>>(
                &file,
                &format!("found NaT, which has no text; use `Option` (dtype `{typestring}`, at `[0]`, byte 128)"),
            );
        } else {
            refuses::<Vec<String>>(
                &file,
                &format!("expected a string, found Option value (dtype `{typestring}`, at `[0]`, byte 128)"),
            );
        }
    }
}

#[test]
fn times_are_no_bare_integers() {
    refuses::<Vec<i64>>(
        &npy("'<M8[ns]'", "(1,)", &counts(&[1])),
        "expected an integer, found `<M8[ns]`; use text, `with::Datetime` or `with::Raw` (dtype `<M8[ns]`, at `[0]`, byte 128)",
    );
    refuses::<Vec<i64>>(
        &npy("'<m8[s]'", "(1,)", &counts(&[1])),
        "expected an integer, found `<m8[s]`; use text, `with::Timedelta` or `with::Raw` (dtype `<m8[s]`, at `[0]`, byte 128)",
    );
    refuses::<Vec<Option<f64>>>(
        &npy("'<m8[25s]'", "(1,)", &counts(&[1])),
        "expected an integer, found `<m8[25s]`; use text, `with::Timedelta` or `with::Raw` (dtype `<m8[25s]`, at `[0]`, byte 128)",
    );
}

/// Types of other crates take the text of a time in a form of their own, if any; the way out is ours to name.
#[test]
fn times_that_are_no_text_to_a_type_name_the_helper() {
    let second = npy("'<M8[s]'", "(1,)", &counts(&[1]));
    let span = npy("'<m8[s]'", "(1,)", &counts(&[1]));
    let (at, of) = ("(dtype `<M8[s]`, at `[0]`, byte 128)", "(dtype `<m8[s]`, at `[0]`, byte 128)");
    refuses::<Vec<SystemTime>>(
        &second,
        &format!(
            "expected struct SystemTime, found string \"1970-01-01T00:00:01\"; for a time use `with::Datetime` {at}"
        ),
    );
    refuses::<Vec<Duration>>(
        &span,
        &format!("expected struct Duration, found string \"PT1S\"; for a span of time use `with::Timedelta` {of}"),
    );
    refuses::<Vec<bool>>(
        &second,
        &format!("expected a boolean, found string \"1970-01-01T00:00:01\"; for a time use `with::Datetime` {at}"),
    );
    #[cfg(feature = "chrono")]
    refuses::<Vec<chrono::DateTime<chrono::Utc>>>(
        &second,
        &format!("premature end of input; for a time use `with::Datetime` {at}"),
    );
    // Where a helper has asked for text, it is no better.
    #[derive(Deserialize, Debug)]
    struct Address {
        #[serde(with = "with::Text")]
        #[expect(dead_code, reason = "never read")]
        t: std::net::Ipv4Addr,
    }
    refuses::<Vec<Address>>(
        &npy("[('t', '<M8[s]')]", "(1,)", &counts(&[1])),
        "invalid IPv4 address syntax, found text \"1970-01-01T00:00:01\" (dtype `<M8[s]`, at `[0].t`, byte 128)",
    );
}

#[derive(Deserialize, PartialEq, Debug)]
struct At {
    #[serde(with = "with::Datetime::<with::Ms>")]
    t: i64,
}

#[derive(Deserialize, PartialEq, Debug)]
struct MaybeAt {
    #[serde(with = "with::Datetime::<with::Ms>", default)]
    t: Option<i64>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct For {
    #[serde(with = "with::Timedelta::<with::Ms>")]
    t: i64,
}

#[test]
fn counts_are_converted_exactly() {
    let rows: &[(&str, i64, i64)] = &[
        ("<M8[ms]", 1500, 1500),
        ("<M8[s]", 2, 2000),
        ("<M8[D]", 1, 86_400_000),
        ("<M8[ns]", -3_000_000, -3),
        ("<M8[25us]", 40, 1),
        ("<M8[M]", 1, 31 * 86_400_000),
    ];
    for (typestring, count, value) in rows {
        let file = npy(&format!("[('t', '{typestring}')]"), "(1,)", &count.to_le_bytes());
        reads(&file, vec![At { t: *value }]);
        reads(&file, vec![MaybeAt { t: Some(*value) }]);
    }
    reads(&npy("[('t', '<m8[m]')]", "(1,)", &counts(&[-2])), vec![For { t: -120_000 }]);
    reads(&npy("[('t', '<M8[s]')]", "(1,)", &counts(&[NAT])), vec![MaybeAt { t: None }]);
    reads(&npy("[('u', '<M8[s]')]", "(1,)", &counts(&[NAT])), vec![MaybeAt { t: None }]);
}

#[test]
fn counts_that_do_not_fit_are_refused() {
    refuses::<Vec<At>>(
        &npy("[('t', '<M8[ns]')]", "(1,)", &counts(&[1])),
        "expected a datetime that is a whole count of `ms`, found `1970-01-01T00:00:00.000000001`, of which `PT0.000000001S` \
         would be lost (dtype `<M8[ns]`, at `[0].t`, byte 128)",
    );
    refuses::<Vec<At>>(
        &npy("[('t', '<M8[ms]')]", "(1,)", &counts(&[NAT])),
        "expected a datetime in `ms`, found NaT, which only an `Option` holds (dtype `<M8[ms]`, at `[0].t`, byte 128)",
    );
    refuses::<Vec<At>>(
        &npy("[('t', '<m8[ms]')]", "(1,)", &counts(&[1])),
        "expected a datetime in `ms`, found `<m8[ms]` (dtype `<m8[ms]`, at `[0].t`, byte 128)",
    );
    refuses::<Vec<For>>(
        &npy("[('t', '<M8[ms]')]", "(1,)", &counts(&[1])),
        "expected a timedelta in `ms`, found `<M8[ms]` (dtype `<M8[ms]`, at `[0].t`, byte 128)",
    );
    refuses::<Vec<At>>(
        &npy("[('t', '<i8')]", "(1,)", &counts(&[1])),
        "expected a datetime in `ms`, found `<i8` (dtype `<i8`, at `[0].t`, byte 128)",
    );
    refuses::<Vec<At>>(
        &npy("[('t', '<i8', (1,))]", "(1,)", &counts(&[1])),
        "expected a datetime in `ms`, found `<i8` (at `[0].t`, byte 128)",
    );
}

#[test]
fn raw_counts_take_any_unit_and_integers() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Raw {
        #[serde(with = "with::Raw")]
        t: i64,
    }
    for descr in ["<M8[25us]", "<m8[Y]", "<M8", "<i8"] {
        reads(&npy(&format!("[('t', '{descr}')]"), "(1,)", &counts(&[7])), vec![Raw { t: 7 }]);
    }
    reads(&npy("[('t', '<i2')]", "(1,)", &[7, 0]), vec![Raw { t: 7 }]);
    refuses::<Vec<Raw>>(
        &npy("[('t', '|S1')]", "(1,)", b"x"),
        "expected a datetime, a timedelta or an integer, found `|S1` (dtype `|S1`, at `[0].t`, byte 128)",
    );
    refuses::<Vec<Raw>>(
        &npy("[('t', '<u8')]", "(1,)", &u64::MAX.to_le_bytes()),
        "expected i64, found integer `18446744073709551615` (dtype `<u8`, at `[0].t`, byte 128)",
    );
}

/// Behind `flatten` and `untagged`, where serde shows what "any" gives.
#[test]
fn helpers_work_behind_flatten() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Outer<T> {
        #[serde(flatten)]
        inner: T,
    }
    let file = npy("[('t', '<M8[s]')]", "(1,)", &counts(&[2]));
    reads(&file, vec![Outer { inner: At { t: 2000 } }]);
    reads(&file, vec![Outer { inner: MaybeAt { t: Some(2000) } }]);
    let nat = npy("[('t', '<M8[s]')]", "(1,)", &counts(&[NAT]));
    reads(&nat, vec![Outer { inner: MaybeAt { t: None } }]);
    refuses::<Vec<Outer<At>>>(&nat, "expected a time, found NaT, which only an `Option` holds (at `[0]`, byte 128)");
    reads(&npy("[('t', '<m8[s]')]", "(1,)", &counts(&[-2])), vec![Outer { inner: For { t: -2000 } }]);
}
