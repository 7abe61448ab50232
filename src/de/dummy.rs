//! The values that are made up for a type, in the order in which they are tried.

/// How many values are tried at a place: enough for every discriminant of one byte.
pub(crate) const MOST_VALUES: usize = 383;

/// The values to try: 1, 0, 2 … 255, then -1 … -128.
pub(crate) fn integer(attempt: usize) -> i64 {
    let attempt = i64::try_from(attempt).unwrap_or(0);
    match attempt {
        0 => 1,
        1 => 0,
        2..=255 => attempt,
        _ => 255i64.saturating_sub(attempt),
    }
}

/// The texts to try: what numbers, addresses, times, UUIDs, colours and locators are parsed from.
const TEXTS: [&str; 16] = [
    "1",
    "0",
    "",
    "a",
    "A",
    "127.0.0.1",
    "::1",
    "127.0.0.1:1",
    "[::1]:1",
    "1970-01-01T00:00:00Z",
    "1970-01-01T00:00:00",
    "1970-01-01",
    "00:00:00",
    "PT1S",
    "00000000-0000-0000-0000-000000000000",
    "http://localhost/",
];

/// The text to try.
pub(crate) fn text(attempt: usize) -> Option<&'static str> {
    TEXTS.get(attempt).copied()
}
