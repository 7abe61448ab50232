//! Python literals the slow way: characters to tokens, tokens to a tree.
//!
//! The language is that of `ast.literal_eval`, without characters by name, lone surrogates and complex numbers whose
//! first part is in brackets; inside of all dicts but the first, also calls and `<class '...'>`.

use serde_npy::fuzzing::Value;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// One of `()[]{},:=+-.`
    Sign(char),
    Text(String),
    Bytes,
    Int(i128),
    Float,
    Imaginary,
    Word(String),
    Class,
    Ellipsis,
    LineEnd,
    Comment,
}

pub(crate) fn parse(text: &str, python2: bool) -> Option<Value> {
    if text.contains('\0') {
        return None;
    }
    let mut tokens = tokens(&text.chars().collect::<Vec<_>>(), python2)?;
    if python2 {
        let mut kept: Vec<Token> = Vec::new();
        for token in tokens {
            let behind_number = matches!(kept.last(), Some(Token::Int(_) | Token::Float | Token::Imaginary));
            if !(behind_number && token == Token::Word("L".to_owned())) {
                kept.push(token);
            }
        }
        tokens = kept;
    }
    tokens.retain(|token| *token != Token::Comment);
    let tokens = without_inner_line_ends(tokens)?;
    let from = tokens.iter().position(|token| *token != Token::LineEnd)?;
    let mut parser = Parser { tokens: &tokens[from..], position: 0, opaque: false };
    let value = parser.value()?;
    parser.tokens[parser.position..].iter().all(|token| *token == Token::LineEnd).then_some(value)
}

/// Line ends count outside of brackets only. Checks the depth on the way.
fn without_inner_line_ends(tokens: Vec<Token>) -> Option<Vec<Token>> {
    let mut depth = 0i64;
    let mut kept = Vec::new();
    for token in tokens {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        if depth > 200 {
            return None;
        }
        if token != Token::LineEnd || depth <= 0 {
            kept.push(token);
        }
    }
    Some(kept)
}

fn tokens(chars: &[char], python2: bool) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    // While at the start of a line: its column, and the first that is not 0 of the lines that it continues.
    let count = |blanks: &str| chars.iter().position(|char| !blanks.contains(*char)).unwrap_or(chars.len());
    let with_feeds = count(" \t\x0c");
    let first = if python2 && chars.get(with_feeds) != Some(&'\\') { with_feeds } else { count(" \t") };
    let mut indent: Option<(usize, usize)> = Some((0, 0));
    while at < chars.len() {
        let char = chars[at];
        let next = |ahead: usize| chars.get(at + ahead).copied();
        match char {
            ' ' | '\t' => {
                if at >= first {
                    indent = indent.map(|(column, continued)| (column + 1, continued));
                }
                at += 1;
                continue;
            }
            '\x0c' => {
                indent = indent.map(|(_, continued)| (0, continued));
                at += 1;
                continue;
            }
            '\n' | '\r' => {
                tokens.push(Token::LineEnd);
                indent = Some((0, 0));
                at += 1;
                continue;
            }
            '\\' => {
                let length = match (next(1)?, next(2)) {
                    ('\r', Some('\n')) => 3,
                    ('\r' | '\n', _) => 2,
                    _ => return None,
                };
                if at + length >= chars.len() {
                    return None;
                }
                indent = indent.map(|(column, continued)| (column, if continued > 0 { continued } else { column }));
                at += length;
                continue;
            }
            '#' => {
                while at < chars.len() && !['\n', '\r'].contains(&chars[at]) {
                    at += 1;
                }
                tokens.push(Token::Comment);
                indent = None;
                continue;
            }
            _ => {}
        }
        let is_first = tokens.iter().all(|token| matches!(token, Token::LineEnd | Token::Comment));
        if is_first && is_indented(indent) {
            return None;
        }
        indent = None;
        let rest: String = chars[at..].iter().take(7).collect();
        if rest.starts_with("...") {
            tokens.push(Token::Ellipsis);
            at += 3;
        } else if rest == "<class " {
            at += 7;
            if !matches!(chars.get(at), Some('\'' | '"')) {
                return None;
            }
            at = string(chars, at)?.1;
            if chars.get(at) != Some(&'>') {
                return None;
            }
            tokens.push(Token::Class);
            at += 1;
        } else if is_string(chars, at) {
            let (token, end) = string(chars, at)?;
            tokens.push(token);
            at = end;
        } else if char.is_ascii_digit() || char == '.' && next(1).is_some_and(|next| next.is_ascii_digit()) {
            let (token, end) = number(chars, at)?;
            tokens.push(token);
            at = end;
            if chars.get(at).is_some_and(|&c| is_word(c)) && chars[at] != 'L' {
                return None;
            }
        } else if char.is_ascii_alphabetic() || char == '_' {
            let word: String = chars[at..].iter().take_while(|&&c| is_word(c)).collect();
            at += word.len();
            tokens.push(Token::Word(word));
        } else if "()[]{},:=+-.".contains(char) {
            tokens.push(Token::Sign(char));
            at += 1;
        } else {
            return None;
        }
    }
    // A last line of blanks, without a line end of its own, is an indented line, which is lost where NumPy puts the tokens
    // of Python 2 together again.
    let text: String = chars.iter().collect();
    let before = text.trim_end_matches([' ', '\t', '\x0c']).strip_suffix('\n');
    let continued = |before: &str| before.ends_with('\\') || before.ends_with("\\\r");
    let lost = python2 && before.is_some_and(|before| !continued(before));
    if is_indented(indent) && !lost { None } else { Some(tokens) }
}

fn is_indented(indent: Option<(usize, usize)>) -> bool {
    indent.is_some_and(|(column, continued)| column > 0 || continued > 0)
}

fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

fn is_string(chars: &[char], at: usize) -> bool {
    let letters = chars[at..].iter().take_while(|c| c.is_ascii_alphabetic()).count();
    letters <= 2 && matches!(chars.get(at + letters), Some('\'' | '"'))
}

fn string(chars: &[char], at: usize) -> Option<(Token, usize)> {
    let letters = chars[at..].iter().take_while(|c| c.is_ascii_alphabetic()).count();
    let prefix: String = chars[at..at + letters].iter().collect::<String>().to_lowercase();
    let (raw, bytes) = match prefix.as_str() {
        "" | "u" => (false, false),
        "r" => (true, false),
        "b" => (false, true),
        "rb" | "br" => (true, true),
        _ => return None,
    };
    let mut at = at + letters;
    let quote = chars[at];
    let triple = chars[at..].starts_with(&[quote; 3]);
    let closing = vec![quote; if triple { 3 } else { 1 }];
    at += closing.len();
    let mut value = String::new();
    while !chars.get(at..)?.starts_with(&closing) {
        let char = *chars.get(at)?;
        at += 1;
        // The line end behind a backslash belongs to it.
        let line_end = |at: usize| match (chars.get(at), chars.get(at + 1)) {
            (Some('\r'), Some('\n')) => Some(2),
            (Some('\r' | '\n'), _) => Some(1),
            _ => None,
        };
        if char == '\\' {
            let escaped = *chars.get(at)?;
            if let Some(length) = line_end(at) {
                at += length;
                if raw {
                    value.push_str("\\\n");
                }
                continue;
            }
            if raw {
                if bytes && !escaped.is_ascii() {
                    return None;
                }
                value.push('\\');
                value.push(escaped);
                at += 1;
                continue;
            }
            let digits = |from: usize, most: usize, radix: u32| -> String {
                chars[from..].iter().take(most).take_while(|c| c.is_digit(radix)).collect()
            };
            let hex = match escaped {
                'x' => 2,
                'u' if !bytes => 4,
                'U' if !bytes => 8,
                'N' if !bytes => return None,
                _ => 0,
            };
            if hex > 0 {
                let digits = digits(at + 1, hex, 16);
                if digits.len() < hex {
                    return None;
                }
                value.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                at += 1 + hex;
            } else if escaped.is_digit(8) {
                let digits = digits(at, 3, 8);
                at += digits.len();
                value.push(char::from_u32(u32::from_str_radix(&digits, 8).ok()?)?);
            } else if let Some(position) = "\\'\"abfnrtv".find(escaped) {
                value.push(['\\', '\'', '"', '\x07', '\x08', '\x0c', '\n', '\r', '\t', '\x0b'][position]);
                at += 1;
            } else {
                value.push('\\');
            }
        } else if let Some(length) = line_end(at - 1) {
            if !triple {
                return None;
            }
            at += length - 1;
            value.push('\n');
        } else if bytes && !char.is_ascii() {
            return None;
        } else {
            value.push(char);
        }
    }
    Some((if bytes { Token::Bytes } else { Token::Text(value) }, at + closing.len()))
}

/// The longest start that is a number, unless the number goes on in a way that it must not.
fn number(chars: &[char], at: usize) -> Option<(Token, usize)> {
    let mut end = at;
    while let Some(&char) = chars.get(end) {
        let exponent = end > at && matches!(chars[end - 1], 'e' | 'E') && !is_radix(chars, at);
        if is_word(char) && char != 'L' || char == '.' || exponent && matches!(char, '+' | '-') {
            end += 1;
        } else {
            break;
        }
    }
    let text: String = chars[at..end].iter().collect::<String>().to_lowercase();
    let good = |digits: &str, radix: u32| {
        !digits.is_empty() && digits.split('_').all(|part| !part.is_empty() && part.chars().all(|c| c.is_digit(radix)))
    };
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let digits = digits.strip_prefix('_').unwrap_or(digits);
            return good(digits, radix).then(|| (Token::Int(int(digits, radix)), end));
        }
    }
    let (text, imaginary) = text.strip_suffix('j').map_or((text.as_str(), false), |text| (text, true));
    let (mantissa, exponent) =
        text.split_once('e').map_or((text, None), |(mantissa, exponent)| (mantissa, Some(exponent)));
    if exponent.is_some_and(|exponent| !good(exponent.strip_prefix(['+', '-']).unwrap_or(exponent), 10)) {
        return None;
    }
    let (whole, fraction) =
        mantissa.split_once('.').map_or((mantissa, None), |(whole, fraction)| (whole, Some(fraction)));
    let empty = |part: &str| part.is_empty();
    if !(good(whole, 10) || empty(whole) && fraction.is_some_and(|fraction| !empty(fraction))) {
        return None;
    }
    if fraction.is_some_and(|fraction| !empty(fraction) && !good(fraction, 10)) {
        return None;
    }
    let token = if imaginary {
        Token::Imaginary
    } else if fraction.is_some() || exponent.is_some() {
        Token::Float
    } else {
        let value = int(whole, 10);
        if whole.starts_with('0') && value != 0 {
            return None;
        }
        Token::Int(value)
    };
    Some((token, end))
}

fn is_radix(chars: &[char], at: usize) -> bool {
    chars[at] == '0' && matches!(chars.get(at + 1), Some('x' | 'X' | 'o' | 'O' | 'b' | 'B'))
}

fn int(digits: &str, radix: u32) -> i128 {
    i128::from_str_radix(&digits.replace('_', ""), radix).unwrap_or(i128::MAX)
}

struct Parser<'a> {
    tokens: &'a [Token],
    position: usize,
    /// Inside of a dict that is not kept.
    opaque: bool,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.position)
    }

    fn take(&mut self, sign: char) -> Option<()> {
        let found = self.peek() == Some(&Token::Sign(sign));
        self.position += usize::from(found);
        found.then_some(())
    }

    fn value(&mut self) -> Option<Value> {
        let token = self.peek()?.clone();
        match token {
            Token::Sign('(') => {
                self.position += 1;
                if self.take(')').is_some() {
                    return Some(Value::Tuple(Vec::new()));
                }
                let first = self.value()?;
                if self.take(')').is_some() {
                    return Some(first);
                }
                self.take(',')?;
                let mut items = vec![first];
                items.extend(self.items(')')?);
                Some(Value::Tuple(items))
            }
            Token::Sign('[') => {
                self.position += 1;
                Some(Value::List(self.items(']')?))
            }
            Token::Sign('{') => self.braces(),
            Token::Text(first) => {
                let mut value = first;
                self.position += 1;
                while let Some(Token::Text(more)) = self.peek().cloned() {
                    value.push_str(&more);
                    self.position += 1;
                }
                (self.peek() != Some(&Token::Bytes)).then_some(Value::Str(value))
            }
            Token::Bytes => {
                while self.peek() == Some(&Token::Bytes) {
                    self.position += 1;
                }
                (!matches!(self.peek(), Some(Token::Text(_)))).then_some(Value::Bytes)
            }
            Token::Sign('+' | '-') | Token::Int(_) | Token::Float | Token::Imaginary => self.number(),
            Token::Ellipsis => {
                self.position += 1;
                Some(Value::Ellipsis)
            }
            Token::Class if self.opaque => {
                self.position += 1;
                Some(Value::Opaque)
            }
            Token::Word(word) => {
                self.position += 1;
                match word.as_str() {
                    "True" => Some(Value::Bool(true)),
                    "False" => Some(Value::Bool(false)),
                    "None" => Some(Value::None),
                    _ if self.opaque => self.call(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn items(&mut self, close: char) -> Option<Vec<Value>> {
        let mut items = Vec::new();
        while self.take(close).is_none() {
            items.push(self.value()?);
            if self.take(',').is_none() {
                self.take(close)?;
                break;
            }
        }
        Some(items)
    }

    fn braces(&mut self) -> Option<Value> {
        let kept = self.tokens[..self.position].iter().all(|token| *token == Token::Sign('('));
        self.position += 1;
        let outer = self.opaque;
        self.opaque = !kept;
        let mut items = Vec::new();
        let mut pairs = Vec::new();
        while self.take('}').is_none() {
            items.push(self.value()?);
            let pair = self.take(':').is_some();
            pairs.push(pair);
            if pair {
                items.push(self.value()?);
            }
            if self.take(',').is_none() {
                self.take('}')?;
                break;
            }
        }
        self.opaque = outer;
        let dict = pairs.iter().all(|&pair| pair);
        let set = pairs.iter().all(|&pair| !pair);
        match kept {
            true => dict.then_some(Value::Dict(items)),
            false => (dict || set).then_some(Value::Opaque),
        }
    }

    fn number(&mut self) -> Option<Value> {
        let negative = self.peek() == Some(&Token::Sign('-'));
        if negative || self.peek() == Some(&Token::Sign('+')) {
            self.position += 1;
        }
        let first = self.unsigned()?;
        if first == Token::Imaginary {
            return Some(Value::Float);
        }
        if self.take('+').is_some() || self.take('-').is_some() {
            return (self.unsigned()? == Token::Imaginary).then_some(Value::Float);
        }
        Some(match first {
            Token::Int(value) => Value::Int(if negative { -value } else { value }),
            _ => Value::Float,
        })
    }

    fn unsigned(&mut self) -> Option<Token> {
        if self.take('(').is_some() {
            let number = self.unsigned()?;
            self.take(')')?;
            return Some(number);
        }
        let token = self.peek()?.clone();
        self.position += 1;
        matches!(token, Token::Int(_) | Token::Float | Token::Imaginary).then_some(token)
    }

    /// Reads on behind the first name of a call.
    fn call(&mut self) -> Option<Value> {
        while self.take('.').is_some() {
            let Some(Token::Word(_)) = self.peek() else { return None };
            self.position += 1;
        }
        self.take('(')?;
        while self.take(')').is_none() {
            if let (Some(Token::Word(_)), Some(Token::Sign('='))) = (self.peek(), self.tokens.get(self.position + 1)) {
                self.position += 2;
            }
            self.value()?;
            if self.take(',').is_none() {
                self.take(')')?;
                break;
            }
        }
        Some(Value::Opaque)
    }
}
