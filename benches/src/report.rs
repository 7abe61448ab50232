//! The tables as text and as JSON.

use crate::measure::{Measured, Pages, Row, limit_target};
use std::fmt::Write as _;

pub fn text(table: &Measured) -> String {
    let huge = table.rows.iter().any(|row| row.huge.is_some());
    let mut lines = vec![vec![String::from(if huge { "4 KiB pages" } else { "" })]];
    let regimes = if huge { &[Pages::Small, Pages::Huge][..] } else { &[Pages::Small] };
    for (i, _) in regimes.iter().enumerate() {
        let unit = table.unit.name();
        let unit = if i == 0 { unit.to_owned() } else { format!("huge {unit}") };
        lines[0].extend([unit, "x limit".into(), "x best peer".into(), "target".into(), "met".into()]);
    }
    for row in &table.rows {
        let mut line = vec![format!("{}: {}", row.role.name(), row.name)];
        for pages in regimes {
            line.push(row.time(*pages).map_or(String::new(), |seconds| number(table.unit.of(seconds))));
            line.push(table.of_limit(row, *pages).map_or(String::new(), number));
            line.push(table.of_peer(row, *pages).map_or(String::new(), number));
            line.push(target(table, row, *pages));
            line.push(met(table.met(row, *pages)).to_owned());
        }
        lines.push(line);
    }
    let columns = lines[0].len();
    let widths: Vec<usize> =
        (0..columns).map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)).collect();
    let mut text = format!("\n### {}\n\n", table.title);
    for (i, line) in lines.iter().enumerate() {
        for (cell, width) in line.iter().zip(&widths) {
            let _ = write!(text, "| {cell:width$} ");
        }
        text.push_str("|\n");
        if i == 0 {
            for width in &widths {
                let _ = write!(text, "|{}", "-".repeat(width + 2));
            }
            text.push_str("|\n");
        }
    }
    text
}

/// Every one of ours that has a target, in one table.
pub fn summary(tables: &[Measured], pages: Pages) -> String {
    let mut text = String::from("| workload | by | time | x limit | target | x best peer | target | met |\n");
    text.push_str("|---|---|---|---|---|---|---|---|\n");
    for table in tables {
        for row in &table.rows {
            let (Some(met_), Some(time)) = (table.met(row, pages), row.time(pages)) else { continue };
            let cell = |value: Option<f64>| value.map_or(String::new(), number);
            let seconds = row.target.seconds.map(|seconds| format!(" (at most {})", number(table.unit.of(seconds))));
            let _ = writeln!(
                text,
                "| {} | `{}` | {} {}{} | {} | {} | {} | {} | {} |",
                table.title,
                row.name,
                number(table.unit.of(time)),
                table.unit.name(),
                seconds.unwrap_or_default(),
                cell(table.of_limit(row, pages)),
                cell(limit_target(&row.target, pages)),
                cell(table.of_peer(row, pages)),
                cell(row.target.peer),
                met(Some(met_)),
            );
        }
    }
    text
}

/// Three digits that mean something.
pub fn number(value: f64) -> String {
    let digits = match value {
        _ if value >= 100.0 => 0,
        _ if value >= 10.0 => 1,
        _ if value >= 0.1 => 2,
        _ => 4,
    };
    format!("{value:.digits$}")
}

fn target(table: &Measured, row: &Row, pages: Pages) -> String {
    let parts = [
        limit_target(&row.target, pages).map(|x| format!("{x} x limit")),
        row.target.peer.map(|x| format!("{x} x peer")),
        row.target.seconds.map(|seconds| format!("{} {}", number(table.unit.of(seconds)), table.unit.name())),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn met(met: Option<bool>) -> &'static str {
    match met {
        Some(true) => "yes",
        Some(false) => "NO",
        None => "",
    }
}

pub fn json(machine: &str, tables: &[Measured]) -> String {
    let mut text = format!("{{\n  \"machine\": {},\n  \"tables\": [\n", quoted(machine));
    for (i, table) in tables.iter().enumerate() {
        let _ = write!(text, "    {{\"title\": {}, \"rows\": [", quoted(&table.title));
        for (j, row) in table.rows.iter().enumerate() {
            let _ = write!(
                text,
                "{}\n      {{\"role\": \"{}\", \"name\": {}, \"seconds\": {}, \"x_limit\": {}, \"x_peer\": {}, \"met\": {}, \
                 \"huge_seconds\": {}, \"huge_x_limit\": {}, \"huge_x_peer\": {}, \"huge_met\": {}, \
                 \"target_limit\": {}, \"target_peer\": {}, \"target_seconds\": {}}}",
                if j == 0 { "" } else { "," },
                row.role.name(),
                quoted(&row.name),
                optional(Some(row.seconds)),
                optional(table.of_limit(row, Pages::Small)),
                optional(table.of_peer(row, Pages::Small)),
                truth(table.met(row, Pages::Small)),
                optional(row.huge),
                optional(table.of_limit(row, Pages::Huge)),
                optional(table.of_peer(row, Pages::Huge)),
                truth(row.huge.and_then(|_| table.met(row, Pages::Huge))),
                optional(row.target.limit),
                optional(row.target.peer),
                optional(row.target.seconds),
            );
        }
        let _ = writeln!(text, "\n    ]}}{}", if i + 1 < tables.len() { "," } else { "" });
    }
    text.push_str("  ]\n}\n");
    text
}

fn optional(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or("null".into(), |value| format!("{value}"))
}

fn truth(value: Option<bool>) -> &'static str {
    match value {
        Some(true) => "true",
        Some(false) => "false",
        None => "null",
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if u32::from(c) < 32 => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
