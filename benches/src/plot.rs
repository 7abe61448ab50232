//! [`svg`]: the tables as a picture, a bar for each time as a multiple of its table's limit.

use crate::measure::{Measured, Pages, Role, Row};
use crate::report::number;
use std::fmt::Write as _;

const WIDTH: f64 = 900.0;
/// From the top to the first group: heading, machine, legend, and the numbers of the axis.
const TOP: f64 = 92.0;
const BOTTOM: f64 = 28.0;
const TITLE: f64 = 19.0;
/// From one bar to the next, of which the bar itself takes a part.
const STEP: f64 = 16.0;
const BAR: f64 = 11.0;
const GAP: f64 = 6.0;
/// Room for the number at either end of a bar.
const NUMBER: f64 = 46.0;
/// More than a character of 11 px takes on average, also in a wide font.
const CHARACTER: f64 = 6.6;
const NAME: usize = 48;

const GRAY: &str = r##"fill="#666""##;
const GRID: &str = r##"stroke="#ddd""##;
const LIMIT: &str = r##"stroke="#222" stroke-width="1.5""##;

#[derive(Clone, Copy)]
enum Kind {
    Ours,
    Peer,
    NumPy,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Ours => "serde_npy",
            Kind::Peer => "the best peer",
            Kind::NumPy => "NumPy",
        }
    }

    /// Colors that the color-blind tell apart too.
    fn color(self) -> &'static str {
        match self {
            Kind::Ours => "#0072b2",
            Kind::Peer => "#e69f00",
            Kind::NumPy => "#8c8c8c",
        }
    }
}

struct Bar {
    name: String,
    kind: Kind,
    of_limit: f64,
}

struct Group<'a> {
    title: &'a str,
    /// What the limit is, and how long it takes.
    limit: String,
    bars: Vec<Bar>,
}

impl Group<'_> {
    fn height(&self) -> f64 {
        TITLE + self.bars.len() as f64 * STEP + GAP
    }
}

/// Ours, as far as they have a target against both the limit and the peers, with the best peer and NumPy; `None` where
/// a table has no such row, which leaves out what is measured besides the main workloads.
fn group(table: &Measured) -> Option<Group<'_>> {
    let of = |role| table.rows.iter().filter(move |row| row.role == role);
    let limit = of(Role::Limit).next()?;
    let ours = of(Role::Ours).filter(|row| row.target.limit.is_some() && row.target.peer.is_some());
    let peer = of(Role::Peer).min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let numpy = of(Role::Aside).filter(|row| row.name.starts_with("numpy"));
    let bar = |row: &Row, kind| {
        // A logarithm is to come of it.
        let of_limit = table.of_limit(row, Pages::Small).filter(|times| times.is_finite() && *times > 0.0)?;
        Some(Bar { name: cut(&row.name, NAME), kind, of_limit })
    };
    let mut bars: Vec<Bar> = ours.filter_map(|row| bar(row, Kind::Ours)).collect();
    if bars.is_empty() {
        return None;
    }
    bars.extend(peer.and_then(|row| bar(row, Kind::Peer)));
    bars.extend(numpy.filter_map(|row| bar(row, Kind::NumPy)));
    let time = number(table.unit.of(limit.seconds));
    let limit = format!("limit: {}, {time} {}", limit.name, table.unit.name());
    Some(Group { title: &table.title, limit, bars })
}

/// Where a multiple of the limit is, on a logarithmic axis.
struct Axis {
    left: f64,
    low: f64,
    high: f64,
}

impl Axis {
    fn new(groups: &[Group]) -> Axis {
        let bars = || groups.iter().flat_map(|group| &group.bars);
        let longest = bars().map(|bar| bar.name.chars().count()).max().unwrap_or(0);
        Axis {
            left: longest as f64 * CHARACTER + 16.0 + NUMBER,
            low: bars().map(|bar| bar.of_limit).fold(0.5, f64::min),
            high: bars().map(|bar| bar.of_limit).fold(2.0, f64::max),
        }
    }

    fn x(&self, times: f64) -> f64 {
        self.left + (times / self.low).ln() / (self.high / self.low).ln() * (WIDTH - NUMBER - self.left)
    }

    /// The multiples that have a number at the axis: fewer where they would come too close.
    fn ticks(&self) -> Vec<f64> {
        let powers = self.low.log10().floor() as i32..=self.high.log10().ceil() as i32;
        let steps = if powers.clone().count() > 6 { &[1.0][..] } else { &[1.0, 2.0, 5.0] };
        let ticks = powers.flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)));
        ticks.filter(|tick| (self.low..=self.high).contains(tick)).collect()
    }
}

pub fn svg(machine: &str, tables: &[Measured]) -> String {
    let groups: Vec<Group> = tables.iter().filter_map(group).collect();
    let axis = Axis::new(&groups);
    let end = TOP + groups.iter().map(Group::height).sum::<f64>();
    let height = end + BOTTOM;
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" "#
    );
    svg.push_str("font-family=\"sans-serif\" font-size=\"11\" fill=\"#222\">\n");
    // A background of its own, for pages that are dark.
    rect(&mut svg, (0.0, 0.0), (WIDTH, height), "#fff");
    let heading = "Time as a multiple of the limit, on a logarithmic scale: further left is faster";
    text(&mut svg, (12.0, 24.0), r#"font-size="15" font-weight="bold""#, heading);
    text(&mut svg, (12.0, 42.0), GRAY, &cut(machine, 120));
    legend(&mut svg);
    for tick in axis.ticks() {
        let x = axis.x(tick);
        line(&mut svg, (x, TOP), (x, end), if tick == 1.0 { LIMIT } else { GRID });
        for y in [TOP - 6.0, end + 15.0] {
            text(&mut svg, (x, y), r#"text-anchor="middle""#, &tick.to_string());
        }
    }
    let one = axis.x(1.0);
    let mut y = TOP;
    for group in &groups {
        rect(&mut svg, (0.0, y), (WIDTH, TITLE), "#f0f0f0");
        // One text, so that its second part begins where the first ends, in any font.
        let (title, limit) = (escaped(&cut(group.title, NAME)), escaped(&cut(&group.limit, 64)));
        let _ = writeln!(
            svg,
            r#"<text x="12" y="{}"><tspan font-weight="bold">{title}</tspan> <tspan {GRAY}>{limit}</tspan></text>"#,
            y + 13.5
        );
        y += TITLE;
        for bar in &group.bars {
            let (x, base) = (axis.x(bar.of_limit), y + 12.0);
            text(&mut svg, (axis.left - NUMBER, base), r#"text-anchor="end""#, &bar.name);
            // At least a pixel, for what takes as long as the limit.
            let size = ((x - one).abs().max(1.0), BAR);
            rect(&mut svg, (x.min(one), y + (STEP - BAR) / 2.0), size, bar.kind.color());
            let (x, attributes) = if x < one { (x - 4.0, r#"text-anchor="end""#) } else { (x + 5.0, "") };
            text(&mut svg, (x, base), attributes, &number(bar.of_limit));
            y += STEP;
        }
        y += GAP;
    }
    svg.push_str("</svg>\n");
    svg
}

fn legend(svg: &mut String) {
    let mut x = 12.0;
    for kind in [Kind::Ours, Kind::Peer, Kind::NumPy] {
        rect(svg, (x, 54.0), (BAR, BAR), kind.color());
        text(svg, (x + 17.0, 63.5), "", kind.name());
        x += 17.0 + kind.name().len() as f64 * CHARACTER + 20.0;
    }
    line(svg, (x, 59.5), (x + 17.0, 59.5), LIMIT);
    text(svg, (x + 23.0, 63.5), "", "1: as long as the limit");
}

fn rect(svg: &mut String, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str) {
    let _ = writeln!(svg, r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{fill}"/>"#);
}

fn line(svg: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64), attributes: &str) {
    let _ = writeln!(svg, r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" {attributes}/>"#);
}

fn text(svg: &mut String, (x, y): (f64, f64), attributes: &str, content: &str) {
    let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" {attributes}>{}</text>"#, escaped(content));
}

/// At most so many characters.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['\u{2026}']).collect(),
        None => text.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // XML has no way to write most of these.
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
