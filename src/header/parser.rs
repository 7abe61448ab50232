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
        if let Some(position) = self.text.find('\0') {
            return Err(Fault::syntax(position, "a NUL character in the text"));
        }
        // A header has about one node per eight bytes.
        self.nodes.reserve(self.bytes.len() / 8);
        // Blanks before the first token are no indent: Python strips them. Of a text that it does not take, NumPy reads
        // the tokens one by one in versions 1 and 2, and so loses form feeds among them, and a last line of blanks.
        let python2 = self.grammar.python2;
        let count = |blanks: &[u8]| self.bytes.iter().take_while(|byte| blanks.contains(byte)).count();
        let with_feeds = Some(count(b" \t\x0c")).filter(|&end| python2 && self.bytes.get(end) != Some(&b'\\'));
        self.skip_outside(with_feeds.unwrap_or_else(|| count(b" \t")), true)?;
        self.value()?;
        match trivia::skip_outside(self.bytes, self.position, false) {
            Err(end) if python2 && end == self.bytes.len() && trivia::ends_in_blanks(self.bytes) => return Ok(()),
            _ => self.skip_outside(self.position, false)?,
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

    fn skip_outside(&mut self, from: usize, at_line_start: bool) -> Result<(), Fault> {
        let found = trivia::skip_outside(self.bytes, from, at_line_start);
        self.position = found.map_err(|position| Fault::syntax(position, "an indented line"))?;
        Ok(())
    }

    fn skip_trivia(&mut self) {
        self.position = trivia::skip(self.bytes, self.position);
    }

    /// Adds a node that starts at a place of the text; its kind and link are set by [`close`](Self::close).
    fn open(&mut self, start: usize) -> usize {
        if self.muted {
            return MUTED;
        }
        let index = self.nodes.len();
        self.nodes.push(Node::open(start));
        index
    }

    fn close(&mut self, index: usize, kind: Kind) {
        let link = if kind.is_container() { self.nodes.len() } else { self.position };
        if let Some(node) = self.nodes.get_mut(index) {
            node.close(kind, link);
        }
    }

    fn leaf(&mut self, start: usize, kind: Kind) {
        let index = self.open(start);
        self.close(index, kind);
    }

    fn open_bracket(&mut self) -> Result<(), Fault> {
        self.brackets = self.brackets.saturating_add(1);
        if self.brackets > MAX_BRACKETS {
            return Err(Fault::limit(self.position, format!("over {MAX_BRACKETS} brackets inside each other")));
        }
        self.advance(1);
        self.skip_trivia();
        Ok(())
    }

    fn close_bracket(&mut self) {
        self.brackets = self.brackets.saturating_sub(1);
        self.advance(1);
    }

    /// Reads one value, standing at its first byte, up to its last.
    fn value(&mut self) -> Result<(), Fault> {
        let start = self.position;
        if !matches!(self.peek(), Some(b'(' | b'{')) {
            self.outermost = false;
        }
        match self.peek() {
            Some(b'(') => self.parentheses(),
            Some(b'[') => {
                let index = self.open(start);
                self.open_bracket()?;
                self.items(b']')?;
                self.close_bracket();
                self.close(index, Kind::List);
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
    fn comma(&mut self, close: u8) -> Result<(), Fault> {
        self.skip_trivia();
        match self.peek() {
            Some(b',') => {
                self.advance(1);
                self.skip_trivia();
                Ok(())
            }
            Some(byte) if byte == close => Ok(()),
            _ => Err(self.expected(&format!("`,` or `{}`", char::from(close)))),
        }
    }

    /// Reads a tuple or a value in brackets.
    fn parentheses(&mut self) -> Result<(), Fault> {
        let index = self.open(self.position);
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
        self.close(index, kind);
        Ok(())
    }

    /// Reads a dict or a set.
    fn braces(&mut self) -> Result<(), Fault> {
        let outermost = std::mem::replace(&mut self.outermost, false);
        if !outermost && !self.grammar.nested_dicts {
            let message = "a dict or a set inside of the header (metadata, which NumPy does not read)";
            return Err(Fault::unsupported(self.position, message));
        }
        let index = self.open(self.position);
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
        self.close(index, if outermost { Kind::Dict } else { Kind::Opaque });
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
                if self.word_at(next) != "L" {
                    break;
                }
                self.position = next.saturating_add(1);
            }
        }
        if !self.word_at(self.position).is_empty() {
            return Err(self.expected("the end of the number"));
        }
        Ok(found.form)
    }

    /// The letters, digits and underscores at a place; those beyond ASCII stand nowhere in a literal.
    fn word_at(&self, position: usize) -> &'a str {
        let rest = self.text.get(position..).unwrap_or_default();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
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
