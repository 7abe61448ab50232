//! Text to nodes: the grammar of Python literals.

use crate::header::fault::Fault;
use crate::header::node::{Kind, MAX_TEXT, Node};
use crate::header::{number, quoted, trivia};

/// How deep Python's tokenizer lets brackets nest.
const MAX_BRACKETS: usize = 200;

/// What is let through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grammar {
    /// An `L` behind numbers, as NumPy does in versions 1 and 2 of the format.
    pub(crate) python2: bool,
    /// Dicts and sets inside of something else. NumPy lets them through, but no header that it loads needs one.
    pub(crate) nested_dicts: bool,
}

/// The place of a node that is not kept.
const MUTED: usize = usize::MAX;

/// Parses a text that holds one literal and nothing else but white space and comments.
pub(crate) fn parse(text: &str, grammar: Grammar) -> Result<Vec<Node>, Fault> {
    let mut parser = Parser::new(text, grammar);
    parser.whole()?;
    Ok(parser.nodes)
}

/// Of names and numbers; what is beyond ASCII stands nowhere in a literal.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// For how many nodes there is room from the start.
fn most_nodes(text: &[u8]) -> usize {
    const LONG: usize = 64 << 10;
    // A header of short names has about one node per five bytes.
    if text.len() <= LONG {
        return text.len() / 5;
    }
    // Of a long one the room must not grow by doubling. A node follows a bracket, a comma or a colon; where it is none of
    // a few brackets around others, at least one byte stands behind it.
    // Counted in bytes over pieces that cannot overflow one, and without branches, so that many are looked at at once.
    let count = |piece: &[u8]| {
        piece.iter().fold(0u8, |count, &byte| {
            let is_start = (byte & !4 == b'(') | (byte | 0x20 == b'{') | (byte == b':');
            count.wrapping_add(u8::from(is_start))
        })
    };
    let starts: usize = text.chunks(128).map(|piece| usize::from(count(piece))).sum();
    starts.saturating_add(1).min((text.len() / 2).saturating_add(MAX_BRACKETS))
}

#[cold]
fn indented(position: usize) -> Fault {
    Fault::syntax(position, "an indented line")
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    position: usize,
    nodes: Vec<Node>,
    /// How many brackets are open.
    brackets: usize,
    /// Whether what is read is checked only.
    muted: bool,
    /// Whether nothing but `(` has been read, so that a dict would be the outermost one.
    outermost: bool,
    grammar: Grammar,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, grammar: Grammar) -> Self {
        let bytes = text.as_bytes();
        Parser { text, bytes, position: 0, nodes: Vec::new(), brackets: 0, muted: false, outermost: true, grammar }
    }

    fn whole(&mut self) -> Result<(), Fault> {
        if !u32::try_from(self.bytes.len()).is_ok_and(|length| length < MAX_TEXT) {
            return Err(Fault::limit(0, format!("a text over {MAX_TEXT} bytes")));
        }
        // No search that could stop early, so that many bytes are looked at at once.
        if self.bytes.iter().fold(false, |found, &byte| found | (byte == 0)) {
            let position = self.text.find('\0').unwrap_or_default();
            return Err(Fault::syntax(position, "a NUL character in the text"));
        }
        self.nodes = Vec::with_capacity(most_nodes(self.bytes));
        // Blanks before the first token are no indent: Python strips them. Of a text that it does not take, NumPy reads
        // the tokens one by one in versions 1 and 2, and so loses form feeds among them, and a last line of blanks.
        let python2 = self.grammar.python2;
        let count = |blanks: &[u8]| self.bytes.iter().take_while(|byte| blanks.contains(byte)).count();
        let with_feeds = Some(count(b" \t\x0c")).filter(|&end| python2 && self.bytes.get(end) != Some(&b'\\'));
        let start = with_feeds.unwrap_or_else(|| count(b" \t"));
        self.position = trivia::skip_outside(self.bytes, start, true).map_err(indented)?;
        self.value()?;
        match trivia::skip_outside(self.bytes, self.position, false) {
            Ok(end) => self.position = end,
            Err(end) if python2 && end == self.bytes.len() && trivia::ends_in_blanks(self.bytes) => return Ok(()),
            Err(position) => return Err(indented(position)),
        }
        if self.peek().is_some() {
            return Err(self.expected("the end of the text"));
        }
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    fn advance(&mut self, bytes: usize) {
        self.position = self.position.saturating_add(bytes);
    }

    fn skip_trivia(&mut self) {
        self.position = trivia::skip(self.bytes, self.position);
    }

    /// Adds the node of a bracket, in front of those of its items; [`close`](Self::close) says what it is.
    fn open(&mut self) -> usize {
        if self.muted {
            return MUTED;
        }
        let index = self.nodes.len();
        self.nodes.push(Node::default());
        index
    }

    fn close(&mut self, index: usize, kind: Kind, start: usize) {
        let link = if kind.is_container() { self.nodes.len() } else { self.position };
        if let Some(node) = self.nodes.get_mut(index) {
            *node = Node::new(kind, start, link);
        }
    }

    /// Adds a node that ends here.
    fn leaf(&mut self, start: usize, kind: Kind) {
        if !self.muted {
            self.nodes.push(Node::new(kind, start, self.position));
        }
    }

    #[inline]
    fn open_bracket(&mut self) -> Result<(), Fault> {
        self.brackets = self.brackets.saturating_add(1);
        if self.brackets > MAX_BRACKETS {
            return Err(self.too_many_brackets());
        }
        self.advance(1);
        self.skip_trivia();
        Ok(())
    }

    #[cold]
    fn too_many_brackets(&self) -> Fault {
        Fault::limit(self.position, format!("over {MAX_BRACKETS} brackets inside each other"))
    }

    fn close_bracket(&mut self) {
        self.brackets = self.brackets.saturating_sub(1);
        self.advance(1);
    }

    /// Reads one value, standing at its first byte, up to its last.
    #[inline]
    fn value(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some(b'\'') if self.plain_string() => Ok(()),
            Some(b'(') => self.parentheses(),
            _ => self.any_value(),
        }
    }

    /// Reads a string without prefix or escape, if no further piece can follow it.
    #[inline]
    fn plain_string(&mut self) -> bool {
        let start = self.position;
        let rest = self.bytes.get(start..).unwrap_or_default();
        match quoted::plain(rest) {
            Some(length) if matches!(rest.get(length), Some(b',' | b':' | b')' | b']' | b'}')) => {
                self.outermost = false;
                self.advance(length);
                self.leaf(start, Kind::PlainStr);
                true
            }
            _ => false,
        }
    }

    /// Kept apart, with all that it saves and restores, from the strings and tuples that most values are.
    #[inline(never)]
    fn any_value(&mut self) -> Result<(), Fault> {
        let start = self.position;
        if self.peek() != Some(b'{') {
            self.outermost = false;
        }
        match self.peek() {
            Some(b'[') => {
                let index = self.open();
                self.open_bracket()?;
                self.items(b']')?;
                self.close_bracket();
                self.close(index, Kind::List, start);
                Ok(())
            }
            Some(b'{') => self.braces(),
            Some(b'\'' | b'"') => self.strings(),
            Some(b'.') if self.bytes.get(start..start.saturating_add(3)) == Some(b"...") => {
                self.advance(3);
                self.leaf(start, Kind::Ellipsis);
                Ok(())
            }
            Some(b'0'..=b'9' | b'.' | b'+' | b'-') => self.number(),
            Some(b'<') if self.muted => self.class(),
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') if quoted::starts(self.bytes, start) => self.strings(),
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => self.word(),
            _ => Err(self.expected("a value")),
        }
    }

    /// Reads values with commas between them, up to the closing bracket.
    fn items(&mut self, close: u8) -> Result<(), Fault> {
        while self.peek() != Some(close) {
            self.value()?;
            self.comma(close)?;
        }
        Ok(())
    }

    /// Reads a comma, unless the closing bracket follows.
    #[inline]
    fn comma(&mut self, close: u8) -> Result<(), Fault> {
        match *self.bytes.get(self.position..).unwrap_or_default() {
            // As NumPy prints it.
            [b',', b' ', byte, ..] if !trivia::starts(byte) => {
                self.advance(2);
                Ok(())
            }
            [byte, ..] if byte == close => Ok(()),
            _ => self.any_comma(close),
        }
    }

    #[inline(never)]
    fn any_comma(&mut self, close: u8) -> Result<(), Fault> {
        self.skip_trivia();
        match self.peek() {
            Some(b',') => {
                self.advance(1);
                self.skip_trivia();
                Ok(())
            }
            Some(byte) if byte == close => Ok(()),
            _ => Err(self.expected_comma(close)),
        }
    }

    /// Reads a tuple or a value in brackets.
    #[inline(never)]
    fn parentheses(&mut self) -> Result<(), Fault> {
        let start = self.position;
        let index = self.open();
        self.open_bracket()?;
        let mut kind = Kind::Tuple;
        if self.peek() == Some(b')') {
            self.outermost = false;
        } else {
            self.value()?;
            self.skip_trivia();
            if self.peek() == Some(b')') {
                kind = Kind::Parentheses;
            } else {
                self.comma(b')')?;
                self.items(b')')?;
            }
        }
        self.close_bracket();
        self.close(index, kind, start);
        Ok(())
    }

    /// Reads a dict or a set.
    fn braces(&mut self) -> Result<(), Fault> {
        let outermost = std::mem::replace(&mut self.outermost, false);
        if !outermost && !self.grammar.nested_dicts {
            let message = "a dict or a set inside of the header (metadata, which NumPy does not read)";
            return Err(Fault::unsupported(self.position, message));
        }
        let start = self.position;
        let index = self.open();
        let muted = self.muted;
        self.muted = muted || !outermost;
        self.open_bracket()?;
        let mut pairs = outermost.then_some(true);
        while self.peek() != Some(b'}') {
            self.value()?;
            self.skip_trivia();
            let colon = self.peek() == Some(b':');
            if pairs.is_some_and(|pairs| pairs != colon) {
                return Err(self.expected(if colon { "`,` or `}`" } else { "`:`" }));
            }
            pairs = Some(colon);
            if colon {
                self.advance(1);
                self.skip_trivia();
                self.value()?;
            }
            self.comma(b'}')?;
        }
        self.close_bracket();
        self.muted = muted;
        self.close(index, if outermost { Kind::Dict } else { Kind::Opaque }, start);
        Ok(())
    }

    /// Reads pieces in quotes, which Python joins.
    fn strings(&mut self) -> Result<(), Fault> {
        let start = self.position;
        let piece = quoted::read(self.text, start, None)?;
        let mut end = piece.end;
        let mut kind = match piece {
            quoted::Piece { bytes: true, .. } => Kind::Bytes,
            // Two quotes and nothing else around the value.
            quoted::Piece { plain: Some(plain), .. } if end.saturating_sub(start) == plain.len().saturating_add(2) => {
                Kind::PlainStr
            }
            _ => Kind::Str,
        };
        loop {
            let next =
                if self.brackets > 0 { trivia::skip(self.bytes, end) } else { trivia::skip_blanks(self.bytes, end) };
            if !quoted::starts(self.bytes, next) {
                break;
            }
            let further = quoted::read(self.text, next, None)?;
            if further.bytes != piece.bytes {
                return Err(Fault::syntax(next, "a string and bytes side by side"));
            }
            end = further.end;
            if !piece.bytes {
                kind = Kind::Str;
            }
        }
        self.position = end;
        self.leaf(start, kind);
        Ok(())
    }

    /// Reads a number: signed, complex, with the `L` of Python 2.
    fn number(&mut self) -> Result<(), Fault> {
        let start = self.position;
        if matches!(self.peek(), Some(b'+' | b'-')) {
            self.advance(1);
            self.skip_inside();
        }
        let mut form = self.unsigned()?;
        if form != number::Form::Imaginary {
            let end = self.position;
            self.skip_inside();
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.advance(1);
                self.skip_inside();
                let second = self.position;
                form = self.unsigned()?;
                if form != number::Form::Imaginary {
                    return Err(Fault::syntax(second, "a sum that is no complex number"));
                }
            } else {
                self.position = end;
            }
        }
        self.leaf(start, if form == number::Form::Int { Kind::Int } else { Kind::Float });
        Ok(())
    }

    /// Skips what may stand inside of a value: outside of brackets, that is one line.
    fn skip_inside(&mut self) {
        if self.brackets > 0 {
            self.skip_trivia();
        } else {
            self.position = trivia::skip_blanks(self.bytes, self.position);
        }
    }

    /// Reads a number without its sign, in brackets or not.
    fn unsigned(&mut self) -> Result<number::Form, Fault> {
        if self.peek() == Some(b'(') {
            self.open_bracket()?;
            let form = self.unsigned()?;
            self.skip_trivia();
            if self.peek() != Some(b')') {
                return Err(self.expected("`)`"));
            }
            self.close_bracket();
            return Ok(form);
        }
        if !matches!(self.peek(), Some(b'0'..=b'9' | b'.')) {
            return Err(self.expected("a number"));
        }
        let found = number::scan(self.bytes, self.position)?;
        self.position = found.end;
        if self.grammar.python2 {
            // NumPy drops any number of them, on the same line.
            loop {
                let next = trivia::skip_blanks(self.bytes, self.position);
                if self.bytes.get(next) != Some(&b'L') || self.word_at(next) != "L" {
                    break;
                }
                self.position = next.saturating_add(1);
            }
        }
        if self.peek().is_some_and(is_word) {
            return Err(self.expected("the end of the number"));
        }
        Ok(found.form)
    }

    /// The letters, digits and underscores at a place.
    fn word_at(&self, position: usize) -> &'a str {
        let rest = self.bytes.get(position..).unwrap_or_default();
        let length = rest.iter().take_while(|&&byte| is_word(byte)).count();
        self.text.get(position..position.saturating_add(length)).unwrap_or_default()
    }

    /// The word at a place, unless it starts with a digit.
    fn name_at(&self, position: usize) -> &'a str {
        let word = self.word_at(position);
        if word.starts_with(|c: char| c.is_ascii_digit()) { "" } else { word }
    }

    /// Reads a constant or, where nothing is kept, a name or a call such as `dtype('float64')`.
    fn word(&mut self) -> Result<(), Fault> {
        let start = self.position;
        let word = self.word_at(start);
        let kind = match word {
            "True" | "False" => Some(Kind::Bool),
            "None" => Some(Kind::None),
            _ => None,
        };
        if let Some(kind) = kind {
            self.advance(word.len());
            self.leaf(start, kind);
            return Ok(());
        }
        if !self.muted {
            return Err(self.expected("a value"));
        }
        self.advance(word.len());
        self.skip_trivia();
        while self.peek() == Some(b'.') {
            self.advance(1);
            self.skip_trivia();
            let attribute = self.name_at(self.position);
            if attribute.is_empty() {
                return Err(self.expected("a name"));
            }
            self.advance(attribute.len());
            self.skip_trivia();
        }
        if self.peek() != Some(b'(') {
            self.position = start;
            return Err(self.expected("a value"));
        }
        self.open_bracket()?;
        while self.peek() != Some(b')') {
            let keyword = self.name_at(self.position);
            let behind = trivia::skip(self.bytes, self.position.saturating_add(keyword.len()));
            if !keyword.is_empty() && self.bytes.get(behind) == Some(&b'=') {
                self.position = trivia::skip(self.bytes, behind.saturating_add(1));
            }
            self.value()?;
            self.comma(b')')?;
        }
        self.close_bracket();
        Ok(())
    }

    /// Reads what `repr` prints for a class, `<class 'str'>`, where nothing is kept.
    fn class(&mut self) -> Result<(), Fault> {
        const OPENING: &str = "<class ";
        if self.text.get(self.position..).is_none_or(|rest| !rest.starts_with(OPENING)) {
            return Err(self.expected("a value"));
        }
        self.advance(OPENING.len());
        if !matches!(self.peek(), Some(b'\'' | b'"')) {
            return Err(self.expected("a string"));
        }
        self.position = quoted::read(self.text, self.position, None)?.end;
        if self.peek() != Some(b'>') {
            return Err(self.expected("`>`"));
        }
        self.advance(1);
        Ok(())
    }

    #[cold]
    fn expected_comma(&self, close: u8) -> Fault {
        self.expected(&format!("`,` or `{}`", char::from(close)))
    }

    /// An error about what stands here.
    #[cold]
    fn expected(&self, what: &str) -> Fault {
        const SHOWN: usize = 40;
        let rest = self.text.get(self.position..).unwrap_or_default();
        let Some(first) = rest.chars().next() else {
            return Fault::syntax(self.position, format!("expected {what}, found the end of the text"));
        };
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let length = match rest.get(word..).and_then(|behind| behind.find(')')) {
            // A call, such as the `np.int64(3)` of a careless writer.
            Some(close) if word > 0 && rest.get(word..).is_some_and(|behind| behind.starts_with('(')) => {
                word.saturating_add(close).saturating_add(1)
            }
            _ => word.max(first.len_utf8()),
        };
        let shown = rest.get(..length).unwrap_or_default();
        let cut = shown.char_indices().nth(SHOWN).and_then(|(end, _)| shown.get(..end));
        let dots = if cut.is_some() { "..." } else { "" };
        Fault::syntax(self.position, format!("expected {what}, found `{}{dots}`", cut.unwrap_or(shown).escape_debug()))
    }
}
