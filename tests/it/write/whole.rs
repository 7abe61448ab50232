//! Values that go on after a part of them has failed: all of the value fails, whatever it makes of the error.

use crate::routes::{given, refuses_to_write, refuses_to_write_with};
use serde::ser::{
    self, Error as _, SerializeMap as _, SerializeSeq as _, SerializeStruct as _, SerializeTuple as _,
    SerializeTupleStruct as _,
};
use serde::{Serialize, Serializer};
use serde_npy::{Array, Columns, Result, WriteOptions};
use std::cell::Cell;
use std::fmt;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

const PASSED_OVER: &str = "a part could not be written, and the `Serialize` of the value went on without it";

/// A number that fails, or panics, when it is shown for the n-th time.
struct Part<'a> {
    shown: &'a Cell<u32>,
    fails_at: u32,
    panics: bool,
}

impl Part<'_> {
    fn show<E: ser::Error>(&self) -> Result<(), E> {
        self.shown.set(self.shown.get() + 1);
        if self.shown.get() != self.fails_at {
            return Ok(());
        }
        if self.panics {
            // Without the message of a panic.
            resume_unwind(Box::new("told to"));
        }
        Err(E::custom("told to"))
    }
}

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.show()?;
        serializer.serialize_u32(7)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Sequence,
    Tuple,
    TupleStruct,
    Map,
    Keys,
    Struct,
}

const FORMS: [Form; 6] = [Form::Sequence, Form::Tuple, Form::TupleStruct, Form::Map, Form::Keys, Form::Struct];

/// Two parts of which it does not look at the errors.
struct Careless<'a> {
    form: Form,
    parts: [Part<'a>; 2],
}

/// A key of a map.
struct Key<'a>(&'a str, &'a Part<'a>);

impl Serialize for Key<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.1.show()?;
        serializer.serialize_str(self.0)
    }
}

fn ignored<T>(body: impl FnOnce() -> T) {
    let _ = catch_unwind(AssertUnwindSafe(body));
}

impl Serialize for Careless<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [a, b] = &self.parts;
        match self.form {
            Form::Sequence => {
                let mut parts = serializer.serialize_seq(Some(2))?;
                ignored(|| parts.serialize_element(a));
                ignored(|| parts.serialize_element(b));
                parts.end()
            }
            Form::Tuple => {
                let mut parts = serializer.serialize_tuple(2)?;
                ignored(|| parts.serialize_element(a));
                ignored(|| parts.serialize_element(b));
                parts.end()
            }
            Form::TupleStruct => {
                let mut parts = serializer.serialize_tuple_struct("Careless", 2)?;
                ignored(|| parts.serialize_field(a));
                ignored(|| parts.serialize_field(b));
                parts.end()
            }
            Form::Map => {
                let mut parts = serializer.serialize_map(Some(2))?;
                ignored(|| parts.serialize_entry("a", a));
                ignored(|| parts.serialize_entry("b", b));
                parts.end()
            }
            Form::Keys => {
                let mut parts = serializer.serialize_map(Some(2))?;
                ignored(|| parts.serialize_entry(&Key("a", a), &7u32));
                ignored(|| parts.serialize_entry(&Key("b", b), &7u32));
                parts.end()
            }
            Form::Struct => {
                let mut parts = serializer.serialize_struct("Careless", 2)?;
                ignored(|| parts.serialize_field("a", a));
                ignored(|| parts.serialize_field("b", b));
                parts.end()
            }
        }
    }
}

fn careless(form: Form, shown: &Cell<u32>, fails_at: u32, panics: bool) -> Careless<'_> {
    let part = || Part { shown, fails_at, panics };
    Careless { form, parts: [part(), part()] }
}

/// How a value is written, by a name.
type Route<'r> = (&'static str, &'r dyn Fn(&[Careless<'_>]) -> Result<Vec<u8>>);

/// Lets every showing of a part fail that there is, one at a time.
///
/// The file must be that without a failure, where the failure was one of an attempt that had another after it, or there
/// must be none, with an error that tells why.
#[track_caller]
fn fails_as_a_whole(form: Form, (name, route): Route<'_>) {
    let shown = Cell::new(0);
    let values = |fails_at, panics| -> Vec<_> { (0..3).map(|_| careless(form, &shown, fails_at, panics)).collect() };
    let whole = route(&values(0, false)).unwrap();
    let showings = shown.get();
    assert!(showings >= 2, "{form:?} {name}");
    for panics in [false, true] {
        let mut refused = 0;
        for fails_at in 1..=showings {
            shown.set(0);
            match route(&values(fails_at, panics)) {
                Ok(file) => assert!(file == whole, "{form:?} {name}, showing {fails_at} of {showings}"),
                Err(error) => {
                    refused += 1;
                    let error = error.to_string();
                    assert!(error.starts_with(PASSED_OVER), "{form:?} {name}, {fails_at} of {showings}: {error}");
                }
            }
        }
        assert!(refused >= 1, "{form:?} {name}: {refused} of {showings}");
    }
}

#[test]
fn what_goes_on_after_a_failure_fails_as_a_whole() {
    for form in FORMS {
        let dtype = match form {
            Form::Sequence => "(2,)u4",
            Form::Tuple | Form::TupleStruct => "u2,u8",
            Form::Map | Form::Keys | Form::Struct => "[('b', '<u4'), ('a', '>i8')]",
        };
        let with_dtype = given(dtype);
        let routes: &[Route<'_>] = &[
            ("found", &|values| serde_npy::to_vec(values)),
            ("one", &|values| serde_npy::to_vec(&values[0])),
            ("records", &|values| serde_npy::records_to_vec(values)),
            ("given", &|values| serde_npy::to_vec_with(values, &with_dtype)),
            ("given records", &|values| serde_npy::records_to_vec_with(values, &with_dtype)),
            ("Fortran order", &|values| {
                serde_npy::to_vec_with(&[values, values], &with_dtype.clone().fortran_order(true))
            }),
            ("held", &|values| {
                let mut file = Vec::new();
                values.serialize(&mut serde_npy::Serializer::new(&mut file)).map(|()| file)
            }),
            ("held, given", &|values| {
                let mut file = Vec::new();
                let mut serializer = serde_npy::Serializer::with_options(&mut file, with_dtype.clone());
                values.serialize(&mut serializer).map(|()| file)
            }),
            ("held by itself", &|values| {
                let mut file = Vec::new();
                for value in values {
                    value.serialize(&mut serde_npy::Serializer::new(&mut file))?;
                }
                Ok(file)
            }),
            ("within", &|values| serde_npy::to_vec(&[(1u8, &values[0], [&values[1], &values[2]])])),
            ("array", &|values| serde_npy::to_vec(&Array::new(vec![3], values.iter().collect())?)),
            ("writer", &|values| {
                let mut writer = serde_npy::Writer::new_with(Vec::new(), 3, &with_dtype);
                values.iter().try_for_each(|value| writer.write(value))?;
                writer.finish()
            }),
        ];
        for &route in routes {
            fails_as_a_whole(form, route);
        }
    }
}

#[test]
fn columns_and_archives_fail_as_a_whole() {
    /// Two columns, or members, of which it does not look at the errors.
    struct Sheet<'a>(Form, Cell<bool>, &'a str);
    /// An array, or none.
    struct Torn<'a>(&'a Sheet<'a>);
    impl Serialize for Torn<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            if self.0.1.get() { Err(S::Error::custom("told to")) } else { serializer.collect_seq([1u8, 2]) }
        }
    }
    impl Serialize for Sheet<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self.0 {
                Form::Map => {
                    let mut parts = serializer.serialize_map(None)?;
                    ignored(|| parts.serialize_entry("a", &[1u8, 2]));
                    ignored(|| parts.serialize_entry(self.2, &Torn(self)));
                    parts.end()
                }
                _ => {
                    let mut parts = serializer.serialize_struct("Sheet", 2)?;
                    ignored(|| parts.serialize_field("a", &[1u8, 2]));
                    ignored(|| parts.serialize_field("b", &Torn(self)));
                    parts.end()
                }
            }
        }
    }
    for form in [Form::Map, Form::Struct] {
        let sheet = |is_torn| Sheet(form, Cell::new(is_torn), "b");
        assert_eq!(
            serde_npy::to_vec(&Columns(sheet(true))).unwrap_err().to_string(),
            PASSED_OVER,
            "{form:?}, of unknown dtype"
        );
        serde_npy::to_vec(&Columns(sheet(false))).unwrap();
        #[cfg(feature = "npz")]
        {
            assert_eq!(serde_npy::npz::to_vec(&sheet(true)).unwrap_err().to_string(), PASSED_OVER, "{form:?}");
            let pair = serde_npy::npz::to_vec(&sheet(false)).unwrap();
            assert_eq!(serde_npy::npz::Reader::from_slice(&pair).unwrap().names().collect::<Vec<_>>(), ["a", "b"]);
        }
    }
}

/// Numbers one by one, with a look at what becomes of them or without.
struct Numbers {
    count: u32,
    is_careful: bool,
}

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut numbers = serializer.serialize_seq(Some(self.count as usize))?;
        for number in 0..self.count {
            let done = numbers.serialize_element(&number);
            if self.is_careful {
                done?;
            }
        }
        numbers.end()
    }
}

/// Takes the bytes up to one of them, and fails once; whoever tries again writes what was taken twice.
struct Hiccup {
    taken: Vec<u8>,
    at: Option<usize>,
}

impl Write for Hiccup {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.at.map_or(usize::MAX, |at| at - self.taken.len());
        if room == 0 {
            self.at = None;
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let count = bytes.len().min(room);
        self.taken.extend(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How numbers are written to a sink, by a name.
type SinkRoute<'r> = (&'r str, &'r dyn Fn(&mut Hiccup, &Numbers) -> Result<()>);

#[test]
fn a_sink_that_fails_once_has_failed() {
    let given = given("<u4");
    let array = |is_careful| Numbers { count: 200_000, is_careful };
    let file = serde_npy::to_vec(&array(true)).unwrap();
    assert_eq!(file.len(), 128 + 800_000);
    let routes: [SinkRoute<'_>; 3] = [
        ("found", &|sink, numbers| serde_npy::to_writer(sink, numbers)),
        ("given", &|sink, numbers| serde_npy::to_writer_with(sink, numbers, &given)),
        ("stream", &|sink, numbers| numbers.serialize(&mut serde_npy::Serializer::with_options(sink, given.clone()))),
    ];
    for (name, route) in routes {
        for is_careful in [true, false] {
            let mut sink = Hiccup { taken: Vec::new(), at: None };
            route(&mut sink, &array(is_careful)).unwrap();
            assert!(sink.taken == file, "{name}");
            let mut passed_over = 0;
            for at in [0, 1, 127, 128, 129, 300_000, 600_000, 800_127] {
                let mut sink = Hiccup { taken: Vec::new(), at: Some(at) };
                let error = route(&mut sink, &array(is_careful)).unwrap_err();
                assert_eq!(sink.at, None);
                match error.io_error_kind() {
                    Some(kind) => assert_eq!(kind, io::ErrorKind::WouldBlock, "{name} at {at}"),
                    None => {
                        passed_over += 1;
                        assert_eq!(error.to_string(), PASSED_OVER, "{name} at {at}");
                    }
                }
            }
            assert_eq!(passed_over > 0, !is_careful, "{name}");
        }
    }
}

/// Text that does not come to its end.
struct Unspeakable;

impl fmt::Display for Unspeakable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("half of")?;
        Err(fmt::Error)
    }
}

impl Serialize for Unspeakable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[test]
fn text_that_fails_is_an_error() {
    #[derive(Serialize)]
    struct Row {
        id: u8,
        name: Unspeakable,
    }
    #[derive(Serialize)]
    struct Shown {
        #[serde(with = "serde_npy::with::Text")]
        name: Unspeakable,
    }
    let message = "expected text, found a value whose `Display` fails";
    refuses_to_write(&Unspeakable, message);
    refuses_to_write(&[Unspeakable], &format!("{message} (at `[0]`)"));
    refuses_to_write(&[Row { id: 1, name: Unspeakable }], &format!("{message} (at `[0].name`)"));
    refuses_to_write(&[Shown { name: Unspeakable }], &format!("{message} (at `[0].name`)"));
    for dtype in ["U4", "S4"] {
        refuses_to_write_with(&given(dtype), &[Unspeakable], &format!("{message} (at `[0]`)"));
    }
    for options in [WriteOptions::default(), given("u4,u4")] {
        let map = [std::collections::HashMap::from([(Name, 1u32)])];
        refuses_to_write_with(&options, &map, &format!("{message} (at `[0]`)"));
    }
    refuses_to_write_with(&given("u4"), &[Unspeakable], &format!("{message} (at `[0]`)"));
    #[cfg(feature = "npz")]
    {
        let error = serde_npy::npz::to_vec(&(Unspeakable,)).unwrap_err();
        assert_eq!(error.to_string(), format!("{message} (member `arr_0`)"));
    }
}

/// A key whose `Display` fails.
#[derive(PartialEq, Eq, Hash)]
struct Name;

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Unspeakable)
    }
}

/// Text that is made on the way is text as any other, in the fast tier too.
#[test]
fn text_that_is_made_is_text() {
    #[derive(Serialize)]
    struct Row {
        #[serde(serialize_with = "shown")]
        host: [u8; 4],
    }
    fn shown<S: Serializer>(host: &[u8; 4], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&std::net::Ipv4Addr::from(*host))
    }
    let rows: Vec<Row> = (0..100).map(|last| Row { host: [10, 0, 0, last] }).collect();
    let plain: Vec<(String,)> = (0..100).map(|last| (format!("10.0.0.{last}"),)).collect();
    let data = |file: &[u8]| file[128..].to_vec();
    let dtype = given("[('host', '<U9')]");
    let expected = data(&serde_npy::to_vec_with(&plain, &dtype).unwrap());
    assert_eq!(data(&serde_npy::to_vec(&rows).unwrap()), expected);
    assert_eq!(data(&serde_npy::records_to_vec(&rows).unwrap()), expected);
    assert_eq!(data(&serde_npy::to_vec_with(&rows, &dtype).unwrap()), expected);
}
