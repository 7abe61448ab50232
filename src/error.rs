//! How we say no: one error type, one word wide, that tells what was wrong and where.

mod phrase;

pub(crate) use phrase::{Count, Cut, listed};

use crate::error::phrase::{Names, OneOf, Present};
use std::fmt::{self, Display};
use std::io;

/// What a fallible function of this crate returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a file could not be read or a value not be written, and where.
///
/// The text is one clause: what was expected, what was found and, where a person can do something about it, what.
/// The place follows in brackets: the path to the element, the byte in the file, the member of the archive.
///
/// # Examples
///
/// ```
/// use serde_npy::Category;
///
/// let error = serde_npy::from_slice::<Vec<f64>>(b"PK\x03\x04....").unwrap_err();
/// assert_eq!(error.category(), Category::Syntax);
/// assert!(error.to_string().contains("zip archive"), "{error}");
///
/// let bytes = serde_npy::to_vec(&[1i64, 2, 300]).unwrap();
/// let error = serde_npy::from_slice::<Vec<u8>>(&bytes).unwrap_err();
/// assert_eq!(error.path().as_deref(), Some("[2]"));
/// assert_eq!(error.offset(), Some(128 + 16));
/// assert_eq!(error.to_string(), "expected u8, found integer `300` (dtype `<i8`, at `[2]`, byte 144)");
/// ```
pub struct Error(
    // Boxed, so that a `Result` that is handed up through every field of every record stays one word larger than its
    // value.
    Box<Inner>,
);

struct Inner {
    kind: Kind,
    /// Bytes from the first byte of the array (the magic string).
    offset: Option<u64>,
    /// The steps from the element up to the whole value: innermost first, since they are added while unwinding.
    path: Vec<Step>,
    /// The typestring of the innermost element concerned.
    dtype: Option<String>,
    member: Option<String>,
    file: Option<String>,
    /// Where the other side of a contradiction stands: its indices on the way down, for the steps of `path`.
    against: Option<Vec<u64>>,
}

enum Step {
    Field(String),
    Index(u64),
}

/// The private kinds; what of them is public are [`Category`] and the text.
#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error(transparent)]
    Io(io::Error),
    #[error("{0}")]
    Syntax(String),
    #[error("{0}")]
    Data(String),
    #[error("{0}")]
    Eof(String),
    #[error("{0}")]
    Unsupported(String),
    #[error("{0}")]
    Limit(String),
    #[error("field `{field}` is missing{}", Present("fields", .present.as_ref()))]
    MissingField { field: &'static str, present: Option<Names> },
    #[error("field `{0}` occurs twice")]
    DuplicateField(&'static str),
    #[cfg(feature = "npz")]
    #[error("there is no member `{member}`{}", Present("arrays", Some(.present)))]
    MissingMember { member: String, present: Names },
}

/// What class of thing went wrong.
///
/// # Examples
///
/// ```
/// use serde_npy::Category;
///
/// let error = serde_npy::from_slice::<f64>(b"\x93NUMPY\x01\x00").unwrap_err();
/// assert_eq!(error.category(), Category::Eof);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// The reader or the writer failed; [`Error::io_error_kind`] tells how.
    Io,
    /// The bytes are no `.npy` file, or its header, or a dtype given as text, is not well formed.
    Syntax,
    /// A value and a dtype do not fit each other.
    Data,
    /// The input ends too early.
    Eof,
    /// The file is well formed, but holds what this crate does not decode, such as pickled Python objects.
    Unsupported,
    /// A limit of [`Limits`](crate::Limits) is exceeded.
    Limit,
}

impl Error {
    #[cold]
    fn new(kind: Kind) -> Self {
        let (offset, dtype, member, file, against) = (None, None, None, None, None);
        Error(Box::new(Inner { kind, offset, path: Vec::new(), dtype, member, file, against }))
    }

    #[cold]
    pub(crate) fn io(error: io::Error) -> Self {
        // A reader or writer of ours may stand behind std's traits (a copy loop, say): give back what it said.
        match error.downcast::<Error>() {
            Ok(own) => own,
            Err(error) => Error::new(Kind::Io(error)),
        }
    }

    /// Of a reader that counts bytes which it was given no room for.
    #[cold]
    pub(crate) fn overcounted() -> Self {
        Error::io(io::Error::new(io::ErrorKind::InvalidData, "the reader counts more bytes than it was asked for"))
    }

    #[cold]
    pub(crate) fn syntax(message: impl Into<String>) -> Self {
        Error::new(Kind::Syntax(message.into()))
    }

    #[cold]
    pub(crate) fn data(message: impl Into<String>) -> Self {
        Error::new(Kind::Data(message.into()))
    }

    #[cold]
    pub(crate) fn eof(message: impl Into<String>) -> Self {
        Error::new(Kind::Eof(message.into()))
    }

    #[cold]
    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Error::new(Kind::Unsupported(message.into()))
    }

    #[cold]
    pub(crate) fn limit(message: impl Into<String>) -> Self {
        Error::new(Kind::Limit(message.into()))
    }

    /// Adds the byte, counted from the first byte of the array, unless an inner layer knew it better.
    #[cold]
    #[must_use]
    pub(crate) fn at_offset(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Adds the field on the way up.
    #[cold]
    #[must_use]
    pub(crate) fn at_field(mut self, name: &str) -> Self {
        self.0.path.push(Step::Field(Cut(name).to_string()));
        self
    }

    /// Adds the position in a sequence on the way up.
    #[cold]
    #[must_use]
    pub(crate) fn at_index(mut self, index: u64) -> Self {
        self.0.path.push(Step::Index(index));
        self
    }

    /// Adds the typestring of the element, unless an inner layer knew it better.
    #[cold]
    #[must_use]
    pub(crate) fn of_dtype(mut self, typestring: impl FnOnce() -> String) -> Self {
        if self.0.dtype.is_none() && matches!(self.0.kind, Kind::Data(_)) {
            self.0.dtype = Some(typestring());
        }
        self
    }

    /// Adds the file on the way up.
    #[cold]
    #[must_use]
    pub(crate) fn in_file(mut self, path: &std::path::Path) -> Self {
        self.0.file.get_or_insert_with(|| path.display().to_string());
        self
    }

    /// Adds the member of the archive on the way up.
    #[cfg(feature = "npz")]
    #[cold]
    #[must_use]
    pub(crate) fn in_member(mut self, name: &str) -> Self {
        self.0.member.get_or_insert_with(|| Cut(name).to_string());
        self
    }

    /// Tells of a missing field that it would have been a member of an archive, and which members there are.
    #[cfg(feature = "npz")]
    #[cold]
    #[must_use]
    pub(crate) fn among_members<'a>(mut self, names: impl Iterator<Item = &'a str>) -> Self {
        if let Kind::MissingField { field, present: None } = &self.0.kind {
            self.0.kind = Kind::MissingMember { member: (*field).to_owned(), present: Names::of(names) };
        }
        self
    }

    /// A member that is asked for by name and not there.
    #[cfg(feature = "npz")]
    #[cold]
    pub(crate) fn missing_member<'a>(member: &str, names: impl Iterator<Item = &'a str>) -> Self {
        Error::new(Kind::MissingMember { member: Cut(member).to_string(), present: Names::of(names) })
    }

    /// Says of text or bytes that cannot be borrowed that they would come out of a deflated member, not out of a reader.
    #[cfg(feature = "npz")]
    #[cold]
    #[must_use]
    pub(crate) fn out_of_deflated(mut self) -> Self {
        if let Kind::Data(message) = &mut self.0.kind
            && message.contains("cannot be borrowed out of a reader;")
        {
            *message = message.replacen("out of a reader;", "out of a deflated member;", 1);
        }
        self
    }

    /// Adds where the value stands that this one contradicts: at the same fields, but at these indices.
    #[cold]
    #[must_use]
    pub(crate) fn against(mut self, indices: &[u64]) -> Self {
        self.0.against = Some(indices.to_vec());
        self
    }

    /// Adds why text or bytes cannot be borrowed, if that is what the Rust type wants.
    #[cold]
    #[must_use]
    pub(crate) fn cannot_borrow(mut self, why: &str) -> Self {
        if let Kind::Data(message) = &mut self.0.kind {
            // serde's own words for `&str` and `&[u8]`; a visitor cannot be asked once it has been used.
            if message.starts_with("expected a borrowed string,") {
                *message = format!("a `&str` cannot be borrowed {why}; use `String` or `Cow<str>`");
            } else if message.starts_with("expected a borrowed byte array,") {
                *message = format!("a `&[u8]` cannot be borrowed {why}; use `serde_bytes::ByteBuf` or `Vec<u8>`");
            }
        }
        self
    }

    /// Says what there is where serde only says of what kind, if that is what the Rust type does not want.
    #[cold]
    #[must_use]
    pub(crate) fn found(mut self, kind: &str, what: impl FnOnce() -> String) -> Self {
        // Where there is a path, it is of something further in that serde said so.
        if self.0.path.is_empty()
            && let Kind::Data(message) = &mut self.0.kind
            && let Some(expected) = message.strip_suffix(kind).and_then(|text| text.strip_suffix(", found "))
        {
            *message = format!("{expected}, found {}", what());
        }
        self
    }

    /// A field that is asked for by name and not there.
    #[cold]
    pub(crate) fn no_field<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Self {
        Error::data(format!("there is no field `{}`{}", Cut(name), Present("fields", Some(&Names::of(names)))))
    }

    /// The field that a derive was given twice, by its name.
    pub(crate) fn duplicate_field(&self) -> Option<&'static str> {
        match self.0.kind {
            Kind::DuplicateField(field) => Some(field),
            _ => None,
        }
    }

    /// Puts another reason behind the message.
    #[cold]
    #[must_use]
    pub(crate) fn because(mut self, reason: &str) -> Self {
        self.0.kind = Kind::Data(format!("{}; {reason}", self.0.kind));
        self
    }

    /// Puts a way out behind the message, if a value and a dtype do not fit each other.
    #[cold]
    #[must_use]
    pub(crate) fn hint(self, way: impl FnOnce() -> String) -> Self {
        if matches!(self.0.kind, Kind::Data(_)) { self.because(&way()) } else { self }
    }

    /// Counts the byte from this many bytes before the array.
    #[cold]
    #[must_use]
    pub(crate) fn behind(mut self, bytes: u64) -> Self {
        self.0.offset = self.0.offset.map(|offset| offset.saturating_add(bytes));
        self
    }

    /// Adds the names that are there to an error about one that is not.
    #[cold]
    #[must_use]
    pub(crate) fn among_fields<'a>(mut self, names: impl Iterator<Item = &'a str>) -> Self {
        if let Kind::MissingField { present: present @ None, .. } = &mut self.0.kind {
            *present = Some(Names::of(names));
        }
        self
    }

    /// What class of thing went wrong.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_npy::Category;
    ///
    /// let error = serde_npy::to_vec(&None::<f64>).unwrap_err();
    /// assert_eq!(error.category(), Category::Data);
    /// ```
    #[must_use]
    pub fn category(&self) -> Category {
        match self.0.kind {
            Kind::Io(_) => Category::Io,
            Kind::Syntax(_) => Category::Syntax,
            Kind::Data(_) | Kind::MissingField { .. } | Kind::DuplicateField(_) => Category::Data,
            #[cfg(feature = "npz")]
            Kind::MissingMember { .. } => Category::Data,
            Kind::Eof(_) => Category::Eof,
            Kind::Unsupported(_) => Category::Unsupported,
            Kind::Limit(_) => Category::Limit,
        }
    }

    /// The byte of the file at which it went wrong, counted from the first byte of the array.
    ///
    /// For an error in the header this is the place in its text, for one in the data the first byte of the element.
    /// `None` where there is no such place, as when a value is written.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = serde_npy::from_slice::<f64>(b"\x93NUMPY\x01\x00\x06\x00{'a' }").unwrap_err();
    /// assert_eq!(error.offset(), Some(15));
    /// ```
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The path from the whole value to the element concerned, such as `[3].bids[0].price`.
    ///
    /// `None` where the error is about the file or the value as a whole. Of a name of over 500 characters there are only
    /// the first, here as in the text.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = serde_npy::to_vec(&[Some(1.0), None]).unwrap_err();
    /// assert_eq!(error.path().as_deref(), Some("[1]"));
    /// ```
    #[must_use]
    pub fn path(&self) -> Option<String> {
        if self.0.path.is_empty() { None } else { Some(Path(&self.0.path, None).to_string()) }
    }

    /// The member of the archive that the error is about, under its logical name (without `.npy`).
    ///
    /// # Examples
    ///
    /// ```
    /// let error = serde_npy::from_slice::<f64>(b"").unwrap_err();
    /// assert_eq!(error.member(), None); // not from an archive
    /// ```
    #[must_use]
    pub fn member(&self) -> Option<&str> {
        self.0.member.as_deref()
    }

    /// The kind of the I/O error that stopped us, if it was one.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = serde_npy::from_path::<Vec<f64>>("/no/such/file.npy").unwrap_err();
    /// assert_eq!(error.io_error_kind(), Some(std::io::ErrorKind::NotFound));
    /// ```
    #[must_use]
    pub fn io_error_kind(&self) -> Option<io::ErrorKind> {
        match &self.0.kind {
            Kind::Io(error) => Some(error.kind()),
            _ => None,
        }
    }
}

/// The path as a person reads it, steps outermost first; with other indices in place of its own where they are given.
struct Path<'a>(&'a [Step], Option<&'a [u64]>);

impl Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut indices = self.1.map(<[u64]>::iter);
        for (position, step) in self.0.iter().rev().enumerate() {
            match step {
                Step::Index(index) => {
                    let index = indices.as_mut().and_then(Iterator::next).unwrap_or(index);
                    write!(f, "[{index}]")?;
                }
                Step::Field(name) if is_plain(name) => {
                    let dot = if position == 0 { "" } else { "." };
                    write!(f, "{dot}{name}")?;
                }
                Step::Field(name) => write!(f, "[{name:?}]")?,
            }
        }
        Ok(())
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0.kind, f)?;
        let mut open = " (";
        let mut place = |f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>| {
            let before = std::mem::replace(&mut open, ", ");
            write!(f, "{before}{text}")
        };
        if let Some(dtype) = &self.0.dtype {
            place(f, format_args!("dtype `{dtype}`"))?;
        }
        if !self.0.path.is_empty() {
            place(f, format_args!("at `{}`", Path(&self.0.path, None)))?;
            if let Some(indices) = &self.0.against {
                place(f, format_args!("unlike `{}`", Path(&self.0.path, Some(indices))))?;
            }
        }
        if let Some(offset) = self.0.offset {
            place(f, format_args!("byte {offset}"))?;
        }
        if let Some(member) = &self.0.member {
            place(f, format_args!("member `{member}`"))?;
        }
        if let Some(file) = &self.0.file {
            place(f, format_args!("file `{file}`"))?;
        }
        if open == ", " { f.write_str(")") } else { Ok(()) }
    }
}

/// What `unwrap` prints: the category and the text, not the fields.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({self})", self.category())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.kind.source()
    }
}

/// An I/O error stays one; anything else becomes [`io::ErrorKind::InvalidData`], or `UnexpectedEof` at the end.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        match error.category() {
            Category::Io => match error.0.kind {
                Kind::Io(error) => error,
                other => io::Error::other(other.to_string()),
            },
            Category::Eof => io::Error::new(io::ErrorKind::UnexpectedEof, error),
            _ => io::Error::new(io::ErrorKind::InvalidData, error),
        }
    }
}

impl serde::de::Error for Error {
    #[cold]
    fn custom<T: Display>(message: T) -> Self {
        Error::data(message.to_string())
    }

    #[cold]
    fn invalid_type(found: serde::de::Unexpected<'_>, expected: &dyn serde::de::Expected) -> Self {
        Error::data(format!("expected {expected}, found {}", Cut(found)))
    }

    #[cold]
    fn invalid_value(found: serde::de::Unexpected<'_>, expected: &dyn serde::de::Expected) -> Self {
        Error::data(format!("expected {expected}, found {}", Cut(found)))
    }

    #[cold]
    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Error::data(format!("unknown field `{}`, {}", Cut(field), OneOf("fields", expected)))
    }

    #[cold]
    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Error::data(format!("unknown variant `{}`, {}", Cut(variant), OneOf("variants", expected)))
    }

    #[cold]
    fn invalid_length(length: usize, expected: &dyn serde::de::Expected) -> Self {
        Error::data(format!("expected {expected}, found {}", Count(length, "item")))
    }

    #[cold]
    fn missing_field(field: &'static str) -> Self {
        Error::new(Kind::MissingField { field, present: None })
    }

    #[cold]
    fn duplicate_field(field: &'static str) -> Self {
        Error::new(Kind::DuplicateField(field))
    }
}

impl serde::ser::Error for Error {
    #[cold]
    fn custom<T: Display>(message: T) -> Self {
        Error::data(message.to_string())
    }
}

const _: () = {
    const fn is_send_sync<T: Send + Sync + 'static>() {}
    is_send_sync::<Error>();
    assert!(size_of::<Error>() == size_of::<usize>());
};
