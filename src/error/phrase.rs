//! What messages are made of: counts, lists of names, and texts that are cut where they would bury the message.

use std::fmt::{self, Display, Write};

/// A number of things, in the plural if it is not one.
#[derive(Clone, Copy)]
pub(crate) struct Count<N>(pub(crate) N, pub(crate) &'static str);

impl<N: Display + PartialEq + From<u8>> Display for Count<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Count(number, noun) = self;
        match noun.strip_suffix("is") {
            _ if *number == N::from(1) => write!(f, "{number} {noun}"),
            Some(stem) => write!(f, "{number} {stem}es"),
            None => write!(f, "{number} {noun}s"),
        }
    }
}

/// A name or another text out of a file, which may have megabytes: its start.
pub(crate) struct Cut<T>(pub(crate) T);

impl<T: Display> Display for Cut<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 500;
        let mut start = Start { f, left: SHOWN, is_cut: false };
        match write!(start, "{}", self.0) {
            Err(_) if start.is_cut => Ok(()),
            result => result,
        }
    }
}

/// Takes so many characters, and fails at the next one, so that what writes them goes no further.
struct Start<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    left: usize,
    is_cut: bool,
}

impl Write for Start<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let Some((end, _)) = text.char_indices().nth(self.left) else {
            self.left = self.left.saturating_sub(text.chars().count());
            return self.f.write_str(text);
        };
        self.f.write_str(text.get(..end).unwrap_or_default())?;
        self.f.write_str("...")?;
        self.is_cut = true;
        Err(fmt::Error)
    }
}

/// Names as a list, cut where it would bury the message.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    Names::of(names).to_string()
}

/// The list of fields or arrays there are.
pub(crate) struct Present<'a>(pub(crate) &'static str, pub(crate) Option<&'a Names>);

impl Display for Present<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            None => Ok(()),
            Some(names) if names.shown.is_empty() => write!(f, ", there are no {}", self.0),
            Some(names) => write!(f, ", there are {names}"),
        }
    }
}

/// Names one behind the other: the first of them, and how many there are more.
#[derive(Debug)]
pub(crate) struct Names {
    shown: Vec<String>,
    more: usize,
}

impl Names {
    pub(crate) fn of<'a>(mut names: impl Iterator<Item = &'a str>) -> Names {
        const SHOWN: usize = 20;
        let shown = names.by_ref().take(SHOWN).map(|name| Cut(name).to_string()).collect();
        Names { shown, more: names.count() }
    }
}

impl Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, name) in self.shown.iter().enumerate() {
            let comma = if position == 0 { "" } else { ", " };
            write!(f, "{comma}`{name}`")?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// The fields or variants that a type knows, in serde's words.
pub(crate) struct OneOf(pub(crate) &'static str, pub(crate) &'static [&'static str]);

impl Display for OneOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            [] => write!(f, "there are no {}", self.0),
            [only] => write!(f, "expected `{only}`"),
            [one, other] => write!(f, "expected `{one}` or `{other}`"),
            [first, others @ ..] => {
                write!(f, "expected one of `{first}`")?;
                others.iter().try_for_each(|name| write!(f, ", `{name}`"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cut, Names};

    #[test]
    fn long_texts_are_cut_between_characters() {
        let long = "é".repeat(500);
        assert_eq!(Cut(&long).to_string(), long);
        assert_eq!(Cut(format_args!("{}{long}", "é")).to_string(), format!("{long}..."));
        assert_eq!(Cut(format_args!("{long}{}", "")).to_string(), long);
        let names = Names::of([&*format!("{long}x"), "y"].into_iter()).to_string();
        assert_eq!(names, format!("`{long}...`, `y`"));
    }
}
