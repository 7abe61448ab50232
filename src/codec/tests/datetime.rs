//! Datetimes: what is taken and what is refused. The rows of `SPELLINGS` are what NumPy 2.4 parses.

use crate::codec::{NAT, convert_datetime, format_datetime, parse_datetime};
use crate::dtype::TimeUnit;

type Step = (&'static str, u32);

fn unit(symbol: &str) -> TimeUnit {
    TimeUnit::from_symbol(symbol).unwrap()
}

/// Other spellings that NumPy parses, in seconds; where it adjusts to UTC, it warns.
const SPELLINGS: &[(&str, i64)] = &[
    ("2020", 1_577_836_800),
    ("+2020", 1_577_836_800),
    ("-2020", -125_912_275_200),
    ("202", -55_792_713_600),
    ("-1-02", -62_196_076_800),
    ("12345-01", 327_403_382_400),
    ("20200102", 637_391_482_012_800),
    ("2020-01", 1_577_836_800),
    ("2020-01-02 03", 1_577_934_000),
    ("2020-01-02T03", 1_577_934_000),
    (" 2020-01-02", 1_577_923_200),
    ("\t2020", 1_577_836_800),
    ("2020-01-02T03:04:05.", 1_577_934_245),
    ("2020-01-02T03:04:05.000", 1_577_934_245),
    ("2020-01-02T03:04Z", 1_577_934_240),
    ("2020-01-02T03Z", 1_577_934_000),
    ("2020-01-02T03:04:05+01", 1_577_930_645),
    ("2020-01-02T03:04:05+01:30", 1_577_928_845),
    ("2020-01-02T03:04:05-0130", 1_577_939_645),
    ("2020-01-02T03:04:05.0-23:59", 1_578_020_585),
    ("2020-01-02T03:04:05 ", 1_577_934_245),
    ("2020-01-02T03:04:05Z \n", 1_577_934_245),
    ("2020-01-01T00:00:00+00:01", 1_577_836_740),
    ("2024-02-29", 1_709_164_800),
    ("2000-02-29", 951_782_400),
    ("0000-02-29", -62_162_121_600),
    ("-0004-02-29T23", -62_288_269_200),
];

#[test]
fn other_spellings_are_numpys_too() {
    for &(text, seconds) in SPELLINGS {
        assert_eq!(parse_datetime(text, TimeUnit::Second, 1).unwrap(), seconds, "{text:?}");
    }
}

#[test]
fn what_is_no_datetime_is_an_error() {
    let plain = "a datetime such as `2020-01-02T03:04:05`";
    let behind = "a datetime such as `2020-01-02T03:04:05` and nothing behind it";
    let month = "a datetime with a month from 01 to 12";
    let day = "a datetime with a day of its month";
    let between = "a datetime with `T` or a space between date and time";
    let hour = "a datetime with an hour from 00 to 23";
    let minute = "a datetime with a minute from 00 to 59";
    let second = "a datetime with a second from 00 to 59";
    let digits = "a datetime with at most 18 digits of a second's fraction";
    let offset = "a datetime with an offset from UTC from -23:59 to +23:59";
    for (text, expected) in [
        ("", plain),
        ("-", plain),
        ("--2020", plain),
        ("today", plain),
        ("now", plain),
        ("x", plain),
        ("2020/01/02", plain),
        ("2020 ", plain),
        ("2020Z", plain),
        ("2020-01 ", plain),
        ("2020-06T03", plain),
        ("20200102T03", plain),
        ("2020-", month),
        ("2020-1", month),
        ("2020-00", month),
        ("2020-13", month),
        ("2020-W01", month),
        ("2020-01-", day),
        ("2020-01-2", day),
        ("2020-01-00", day),
        ("2020-01-32", day),
        ("2020-02-30", day),
        ("2019-02-29", day),
        ("1900-02-29", day),
        ("2020-04-31", day),
        ("2020-01-02Z", between),
        ("2020-01-02t03", between),
        ("2020-01-023", between),
        ("2020-01-02T", hour),
        ("2020-01-02 ", hour),
        ("2020-01-02  03", hour),
        ("2020-01-02T3", hour),
        ("2020-01-02T24:00", hour),
        ("2020-01-02T-03", hour),
        ("2020-01-02T03:", minute),
        ("2020-01-02T03:4", minute),
        ("2020-01-02T03:60", minute),
        ("2020-01-02T03:04:", second),
        ("2020-01-02T03:04:5", second),
        ("2020-01-02T23:59:60", second),
        ("2020-01-02T03:04:05.1234567891234567891", digits),
        ("2020-01-02T03:04:05+", offset),
        ("2020-01-02T03:04:05+1", offset),
        ("2020-01-02T03:04:05+24", offset),
        ("2020-01-02T03:04:05+01:", offset),
        ("2020-01-02T03:04:05+01:3", offset),
        ("2020-01-02T03:04:05-01:60", offset),
        ("2020-01-02T0304", behind),
        ("2020-01-02T03:04:05,1", behind),
        ("2020-01-02T03:04:05z", behind),
        ("2020-01-02T03:04:05 Z", behind),
        ("2020-01-02T03:04:05+013", behind),
        ("2020-01-02T03:04:05é", behind),
    ] {
        let error = parse_datetime(text, TimeUnit::Attosecond, 1).unwrap_err();
        assert_eq!(error.to_string(), format!("expected {expected}, found `{text}`"));
    }
    let long = format!("{}\n\u{7f}'", "é".repeat(58));
    for (text, shown) in [
        ("\0\n`".to_owned(), r"`\0\n``".to_owned()),
        (long.clone(), format!("`{}\\n\\u{{7f}}…`", "é".repeat(58))),
        (long.strip_suffix('\'').unwrap().to_owned(), format!("`{}\\n\\u{{7f}}`", "é".repeat(58))),
    ] {
        let error = parse_datetime(&text, TimeUnit::Day, 1).unwrap_err();
        assert_eq!(error.to_string(), format!("expected {plain}, found {shown}"));
    }
}

#[test]
fn what_would_be_lost_is_said() {
    for (text, (symbol, count), lost) in [
        ("2020-02-15", ("Y", 1), "P45D"),
        ("2021-01-01", ("10Y", 10), "P366D"),
        ("2020-02-15", ("M", 1), "P14D"),
        ("2020-02-01T00:00:00.5", ("M", 1), "PT0.5S"),
        ("2020-02-01", ("M", 5), "P31D"),
        ("2020-01-01", ("W", 1), "P6D"),
        ("2020-01-02T03", ("D", 1), "PT3H"),
        ("1969-12-31T23:59:59", ("D", 1), "PT23H59M59S"),
        ("2020-01-02T03:04", ("h", 1), "PT4M"),
        ("2020-01-02T03+01:30", ("h", 1), "PT30M"),
        ("2020-01-02T03:04:05", ("m", 1), "PT5S"),
        ("1970-01-01T00:01", ("s", 25), "PT10S"),
        ("2020-01-02T03:04:05.006", ("s", 1), "PT0.006S"),
        ("2020-01-02T03:04:05.0061", ("ms", 1), "PT0.0001S"),
        ("2020-01-02T03:04:05.000000001", ("us", 1), "PT0.000000001S"),
        ("1970-01-01T00:00:00.000000000000000001", ("fs", 1), "PT0.000000000000000001S"),
        ("1970-01-01T00:00:00.000000000000001001", ("fs", 2), "PT0.000000000000001001S"),
    ] {
        let symbol = symbol.trim_start_matches(|c: char| c.is_ascii_digit());
        let step = if count == 1 { symbol.to_owned() } else { format!("{count}{symbol}") };
        assert_eq!(
            parse_datetime(text, unit(symbol), count).unwrap_err().to_string(),
            format!(
                "expected a datetime that is a whole count of `{step}`, found `{text}`, of which `{lost}` would be lost"
            )
        );
    }
    for (value, from, to, message) in [
        (
            18_307,
            ("D", 1),
            ("M", 1),
            "expected a datetime that is a whole count of `M`, found `2020-02-15`, of which `P14D` would be lost",
        ),
        (
            601,
            ("M", 1),
            ("Y", 1),
            "expected a datetime that is a whole count of `Y`, found `2020-02`, of which `P31D` would be lost",
        ),
        (
            -1,
            ("ms", 1),
            ("s", 25),
            "expected a datetime that is a whole count of `25s`, found `1969-12-31T23:59:59.999`, \
             of which `PT24.999S` would be lost",
        ),
    ] {
        let step = |(symbol, count): Step| (unit(symbol), count);
        assert_eq!(convert_datetime(value, step(from), step(to)).unwrap_err().to_string(), message);
    }
}

#[test]
fn what_has_no_room_is_an_error() {
    for (text, symbol, message) in [
        ("1677-09-21T00:12:43.145224193", "ns", None),
        // The count of NaT.
        (
            "1677-09-21T00:12:43.145224192",
            "ns",
            Some("expected a datetime within the range of `ns`, found `1677-09-21T00:12:43.145224192`"),
        ),
        ("2262-04-11T23:47:16.854775807", "ns", None),
        (
            "2262-04-11T23:47:16.854775808",
            "ns",
            Some("expected a datetime within the range of `ns`, found `2262-04-11T23:47:16.854775808`"),
        ),
        ("3000", "ns", Some("expected a datetime within the range of `ns`, found `3000`")),
        ("9223372036854775807", "Y", None),
        ("9223372036854775808", "Y", Some("expected a datetime within the range of `Y`, found `9223372036854775808`")),
        (
            "9223372036854775807",
            "as",
            Some("expected a datetime within the range of `as`, found `9223372036854775807`"),
        ),
        ("9223372036854775807", "D", Some("expected a datetime within the range of `D`, found `9223372036854775807`")),
        (
            "99999999999999999999999999999999999999999",
            "Y",
            Some("expected a datetime within the range of `Y`, found `99999999999999999999999999999999999999999`"),
        ),
    ] {
        let found = parse_datetime(text, unit(symbol), 1).map_err(|error| error.to_string());
        assert_eq!(found.err().as_deref(), message, "{text}");
    }
    for (value, from, to, found) in [
        (i64::MAX, "s", "ms", "`292277026596-12-04T15:30:07`"),
        (10_000_000_000, "s", "as", "`2286-11-20T17:46:40`"),
        (-i64::MAX, "Y", "M", "`-9223372036854773837`"),
        (i64::MAX, "Y", "M", "9223372036854775807 counts of `Y`"),
        (-i64::MAX, "D", "h", "-9223372036854775807 counts of `D`"),
        (NAT, "s", "s", "`-292277022657-01-27T08:29:52`"),
    ] {
        assert_eq!(
            convert_datetime(value, (unit(from), 1), (unit(to), 1)).unwrap_err().to_string(),
            format!("expected a datetime within the range of `{to}`, found {found}")
        );
    }
}

#[test]
fn what_numpy_computes_wrongly_is_not_printed() {
    for (value, symbol, count, step) in [
        (i64::MAX, "Y", 1, "Y"),
        (i64::MAX - 1969, "Y", 1, "Y"),
        (-i64::MAX, "D", 1, "D"),
        (i64::MIN + 10_956, "D", 1, "D"),
        (i64::MAX, "W", 1, "W"),
        (i64::MAX, "ns", 2, "2ns"),
    ] {
        assert_eq!(
            format_datetime(value, unit(symbol), count).unwrap_err().to_string(),
            format!("expected a datetime that NumPy can print, found {value} counts of `{step}`")
        );
    }
}

#[test]
fn every_day_of_800_years_follows_the_one_before() {
    let mut expected = (1600, 1, 1);
    for day in -135_140..157_054 {
        let (year, month, in_month) = expected;
        let text = format!("{year:04}-{month:02}-{in_month:02}");
        assert_eq!(format_datetime(day, TimeUnit::Day, 1).unwrap(), text);
        assert_eq!(parse_datetime(&text, TimeUnit::Day, 1).unwrap(), day);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let length = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
        expected = match (month, in_month) {
            (12, 31) => (year + 1, 1, 1),
            (month, day) if day == length => (year, month + 1, 1),
            (month, day) => (year, month, day + 1),
        };
    }
    assert_eq!(expected, (2400, 1, 1));
}

#[test]
fn no_value_and_no_count_panics() {
    let values = [i64::MIN, -i64::MAX, -1, 0, 1, i64::MAX];
    let counts = [0, 1, i32::MAX as u32, u32::MAX];
    for unit in TimeUnit::ALL {
        for (value, count) in values.into_iter().flat_map(|value| counts.map(|count| (value, count))) {
            if let Ok(text) = format_datetime(value, unit, count) {
                let _ = parse_datetime(&text, unit, count);
            }
            for to in TimeUnit::ALL {
                for to_count in counts {
                    let _ = convert_datetime(value, (unit, count), (to, to_count));
                }
            }
        }
    }
}
