//! What hostile and ordinary input costs in memory, besides the value: at most four times the input and a mebibyte; of a
//! header eight times its bytes, and 250 bytes for each field; of an archive 500 bytes for each member.
#![allow(unsafe_code, reason = "an allocator that counts")]
#![allow(clippy::unwrap_used, reason = "the helpers of tests stand outside of test functions")]

use serde::de::{DeserializeOwned, IgnoredAny};
use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Debug;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts the bytes in use and the most there ever were.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn taken(bytes: usize) {
    let now = IN_USE.fetch_add(bytes, Relaxed) + bytes;
    MOST.fetch_max(now, Relaxed);
}

// SAFETY: every call is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's promise is the one that is needed.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's promise is the one that is needed.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise is the one that is needed.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // For a while both may exist.
        taken(size);
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise is the one that is needed.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test at a time, since the count is the whole process's.
static ALONE: Mutex<()> = Mutex::new(());

/// The most bytes that were in use at once during a case, beyond those before.
fn peak<T>(case: impl FnOnce() -> T) -> (T, usize) {
    let before = IN_USE.load(Relaxed);
    MOST.store(before, Relaxed);
    let value = case();
    (value, MOST.load(Relaxed).saturating_sub(before))
}

fn allowed(input: usize) -> usize {
    4 * input + (1 << 20)
}

fn npy(descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let text = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let mut file = b"\x93NUMPY\x02\x00".to_vec();
    file.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
    file.extend(text.as_bytes());
    file.extend(data);
    file
}

/// Asserts that a file is refused by slice and by reader without more memory than its length allows.
#[track_caller]
fn refused<T: DeserializeOwned + Debug>(file: &[u8]) {
    // What serde reserves for a sequence, on the word of its length.
    let value = 1 << 20;
    let (result, used) = peak(|| serde_npy::from_slice::<T>(file));
    assert!(result.is_err());
    assert!(used <= allowed(file.len()) + value, "{used} bytes for {} by slice", file.len());
    let (result, used) = peak(|| serde_npy::from_reader::<T>(file));
    assert!(result.is_err());
    assert!(used <= allowed(file.len()) + value, "{used} bytes for {} by reader", file.len());
}

/// Asserts that a file is read within the same bounds, `value` bytes of the result left out.
#[track_caller]
fn read<T: DeserializeOwned>(file: &[u8], value: usize) {
    for (route, read) in [
        ("slice", &(|| serde_npy::from_slice::<T>(file)) as &dyn Fn() -> serde_npy::Result<T>),
        ("reader", &|| serde_npy::from_reader::<T>(file)),
    ] {
        let (result, used) = peak(read);
        result.unwrap();
        assert!(used <= allowed(file.len()) + value, "{used} bytes for {} by {route}", file.len());
    }
}

#[test]
fn promises_cost_nothing() {
    let _alone = ALONE.lock();
    refused::<IgnoredAny>(b"\x93NUMPY\x02\x00\xf0\xff\xff\xff");
    refused::<IgnoredAny>(b"\x93NUMPY\x02\x00\x00\x00\xff\x00..");
    refused::<IgnoredAny>(b"\x93NUMPY\x01\x00\xff\xff..");
    for (descr, shape) in [
        ("'<f8'", "(4294967296, 4294967296)"),
        ("'<f8'", "(0, 9223372036854775807, 9223372036854775807)"),
        ("'<f8'", "(1152921504606846975,)"),
        ("'<f8'", "(1000000000,)"),
        ("'|V2147483647'", "(4,)"),
        ("'<U500000000'", "(4,)"),
        ("[('a', '<f8', (200000000,))]", "(4,)"),
    ] {
        for order in ["True", "False"] {
            let file = npy(descr, order, shape, &[0; 40]);
            refused::<IgnoredAny>(&file);
            refused::<Vec<IgnoredAny>>(&file);
            refused::<serde_json::Value>(&file);
            refused::<serde_bytes::ByteBuf>(&file);
        }
    }
    refused::<Vec<f64>>(&npy("'<f8'", "False", "(1152921504606846975,)", &[0; 40]));
    refused::<Vec<Vec<f64>>>(&npy("'<f8'", "True", "(1000000000, 1000000)", &[0; 40]));
    // A million rows without bytes are allowed: what they cost is the value.
    let rows = npy("'|u1'", "False", "(1000000000, 0)", &[]);
    let (result, used) = peak(|| serde_npy::from_slice::<Vec<Vec<u8>>>(&rows));
    assert!(result.is_err());
    assert!(used <= allowed(rows.len()) + ((2 * size_of::<Vec<u8>>()) << 20), "{used} bytes");
    refused::<Vec<()>>(&npy("'|V0'", "False", "(1000000000000,)", &[]));
}

#[test]
fn records_reserve_what_has_arrived() {
    let _alone = ALONE.lock();
    let file = npy("'|u1'", "False", "(1000000000000,)", &[0; 40]);
    let (result, used) = peak(|| serde_npy::records_from_slice::<[u64; 32]>(&file));
    assert!(result.is_err());
    assert!(used <= allowed(file.len()), "{used} bytes by slice");
    let (result, used) = peak(|| serde_npy::records_from_reader::<u8>(&file[..]));
    assert!(result.is_err());
    assert!(used <= allowed(file.len()), "{used} bytes by reader");
}

#[test]
fn nesting_costs_what_it_is_long() {
    let _alone = ALONE.lock();
    for depth in [22, 250, 20_000] {
        for (open, close) in [("[", "]"), ("[('y', ", ")]"), ("(", ")")] {
            refused::<IgnoredAny>(&npy(&format!("{}{}", open.repeat(depth), close.repeat(depth)), "False", "()", &[]));
        }
    }
}

/// A header of many fields is the input that costs most: each becomes a name and a dtype of its own, some 200 bytes.
#[test]
fn many_fields_cost_a_multiple_of_their_text() {
    let _alone = ALONE.lock();
    let fields: Vec<_> = (0..10_000).map(|i| format!("('field{i}', '<f8')")).collect();
    let file = npy(&format!("[{}]", fields.join(", ")), "False", "(1,)", &vec![0; 80_000]);
    read::<IgnoredAny>(&file, 10_000 * 200);
}

#[test]
fn data_is_not_copied_more_than_once() {
    let _alone = ALONE.lock();
    let data: Vec<u8> = vec![1; 1 << 20];
    read::<IgnoredAny>(&npy("'|u1'", "False", "(1048576,)", &data), 0);
    read::<IgnoredAny>(&npy("'|u1'", "True", "(1024, 1024)", &data), 0);
    read::<IgnoredAny>(&npy("'|V1048576'", "False", "(1,)", &data), 0);
    read::<Vec<u8>>(&npy("'|u1'", "False", "(1048576,)", &data), 3 * data.len());
}

/// Of a value to write, only what is asked to be held is.
#[test]
fn writing_takes_a_block() {
    let _alone = ALONE.lock();
    let value: Vec<(u32, f64)> = vec![(1, 2.0); 1 << 20];
    let (result, used) = peak(|| serde_npy::to_writer(std::io::sink(), &value));
    result.unwrap();
    assert!(used <= 1 << 20, "{used} bytes");
    let (result, used) = peak(|| serde_npy::to_vec(&value));
    let length = result.unwrap().len();
    assert!(used <= length + (1 << 20), "{used} bytes for {length}");
}

/// A header in Latin-1, and what reading it may cost.
struct Costly {
    name: &'static str,
    /// Times its bytes.
    factor: usize,
    /// Its fields, and the axes of its subarrays but the first of each.
    fields: usize,
    descr: Vec<u8>,
    shape: String,
}

impl Costly {
    fn new(name: &'static str, factor: usize, descr: impl Into<Vec<u8>>) -> Costly {
        Costly { name, factor, fields: 0, descr: descr.into(), shape: "(0,)".to_owned() }
    }

    fn file(&self) -> Vec<u8> {
        let descr = &self.descr;
        let rest = format!(", 'fortran_order': False, 'shape': {}, }}", self.shape);
        let length = u32::try_from(b"{'descr': ".len() + descr.len() + rest.len()).unwrap().to_le_bytes();
        [b"\x93NUMPY\x02\0", &length[..], b"{'descr': ", descr, rest.as_bytes()].concat()
    }
}

/// The blocks that some routes read in: less than what is promised, so that the factor is what counts.
const BESIDES: usize = 256 << 10;

/// A list of so many fields.
fn fields(count: usize, field: impl Fn(usize) -> String) -> String {
    let fields: Vec<_> = (0..count).map(field).collect();
    format!("[{}]", fields.join(","))
}

/// Reads a file by every route, and asserts what each takes and how long its error is.
#[track_caller]
fn by_every_route(name: &str, file: &[u8], allowed: usize) {
    use serde_npy::{Array, Header, Reader, View};
    type Read<'a> = &'a dyn Fn() -> serde_npy::Result<()>;
    let routes: [(&str, Read<'_>); 9] = [
        ("header", &|| Header::read(file).map(drop)),
        ("slice", &|| serde_npy::from_slice::<IgnoredAny>(file).map(drop)),
        ("sequence", &|| serde_npy::from_slice::<Vec<IgnoredAny>>(file).map(drop)),
        ("reader", &|| serde_npy::from_reader::<IgnoredAny>(file).map(drop)),
        ("stream", &|| Reader::new(file)?.records::<IgnoredAny>().try_for_each(|record| record.map(drop))),
        ("view", &|| View::new(file)?.iter::<IgnoredAny>().try_for_each(|element| element.map(drop))),
        ("records by slice", &|| serde_npy::records_from_slice::<IgnoredAny>(file).map(drop)),
        ("records by reader", &|| serde_npy::records_from_reader::<IgnoredAny>(file).map(drop)),
        ("array", &|| serde_npy::from_slice::<Array<IgnoredAny>>(file).map(drop)),
    ];
    for (route, read) in routes {
        let (result, used) = peak(|| read().map_err(|error| error.to_string()));
        assert!(used <= allowed, "{name} by {route}: {used} bytes for {}, not {allowed}", file.len());
        let message = result.err().unwrap_or_default();
        assert!(message.len() <= 2_000, "{name} by {route}: a message of {} bytes", message.len());
    }
}

/// Text without fields to speak of, most of which is refused: long enough that the factor is what counts.
#[test]
fn a_header_costs_a_multiple_of_its_text() {
    let _alone = ALONE.lock();
    const SIZE: usize = 400_000;
    let latin = |text: &str| text.chars().map(|char| u8::try_from(char).unwrap()).collect::<Vec<u8>>();
    let pairs = |text: &str| text.repeat(SIZE / text.len());
    let in_shape = |name, text: &str| Costly { shape: format!("({})", pairs(text)), ..Costly::new(name, 5, "'<i4'") };
    let cases = [
        in_shape("a shape of many axes", "1,"),
        in_shape("a shape of strings", "'',"),
        Costly::new("a subarray of many axes", 5, format!("('<i4',({}))", pairs("1,"))),
        Costly::new("a subarray of many axes, as a string", 5, format!("'({})i4'", pairs("1,"))),
        Costly::new("a field of many items", 5, format!("[('a',{})]", pairs("1,"))),
        Costly::new("lists that are no fields", 5, format!("[{}]", pairs("[],"))),
        Costly::new("tuples that are no fields", 5, format!("[{}]", pairs("(),"))),
        Costly::new("a tuple of strings", 5, format!("({})", pairs("'',"))),
        Costly::new("a tuple of integers", 5, format!("({})", pairs("1,"))),
        Costly::new("metadata", 5, format!("('<i4',{{{}}})", pairs("1:(),"))),
        Costly::new("a key that stands again and again", 5, format!("1,{}'descr':'<i4'", pairs("'descr':[],"))),
        Costly::new("brackets in a string", 5, format!("'{}'", pairs("("))),
        Costly::new("a long type", 4, format!("'{}'", pairs("<"))),
        Costly::new("a long type in a list", 4, format!("'i4,{}'", pairs("$"))),
        Costly::new("a long name", 4, format!("[('{}','b')]", pairs("x"))),
        Costly::new("a long name of commas", 7, format!("[('{}','b')]", pairs(","))),
        Costly::new("a long name of objects", 4, format!("[('{}','O')]", pairs("x"))),
        Costly::new("a long name of escapes", 4, format!("[('{}','b')]", pairs("\\7"))),
        Costly::new("a name that stands twice", 4, format!("[('{0}','b'),('{0}','b')]", pairs("x"))),
        Costly::new("a title that stands twice", 4, format!("[(('{0}','a'),'b'),(('{0}','c'),'b')]", pairs("x"))),
        Costly::new("a name in Latin-1", 6, latin(&format!("[('{}','b')]", "é".repeat(SIZE)))),
        Costly::new("a raw name in Latin-1", 6, latin(&format!("[(r'{}','b')]", "é".repeat(SIZE)))),
        Costly::new("a title in Latin-1", 8, latin(&format!("[(('{}','a'),'b')]", "é".repeat(SIZE)))),
        Costly::new("pieces of a name in Latin-1", 8, latin(&format!("[('{}' 'é','b')]", "é".repeat(SIZE)))),
        Costly::new("a name in Latin-1 without a type", 4, latin(&format!("[('{}')]", "é".repeat(SIZE)))),
        Costly::new(
            "a name in Latin-1 that stands twice",
            6,
            latin(&format!("[('{0}','b'),('{0}','b')]", "é".repeat(SIZE / 2))),
        ),
    ];
    for case in cases {
        let file = case.file();
        by_every_route(case.name, &file, case.factor * file.len() + BESIDES);
    }
}

/// Fields, and axes of subarrays, cost more than their text: 250 bytes each.
#[test]
fn a_field_costs_so_many_bytes() {
    let _alone = ALONE.lock();
    const FIELDS: usize = 16_000;
    let axes = |count: usize| "1,".repeat(count);
    let case = |name, fields, descr: String| Costly { fields, ..Costly::new(name, 4, descr) };
    let cases = [
        case("names", FIELDS, fields(FIELDS, |i| format!("('n{i}','b')"))),
        case("names out of order", FIELDS, fields(FIELDS, |i| format!("('n{}','b')", (i * 7919) % FIELDS))),
        case("names of 50 characters", FIELDS, fields(FIELDS, |i| format!("('n{i:049}','b')"))),
        case("titles", FIELDS, fields(FIELDS, |i| format!("(('t{i}','n{i}'),'b')"))),
        case("types with commas", FIELDS, format!("'{}'", "b,".repeat(FIELDS))),
        case("types with counts", FIELDS, format!("'{}'", "2b,".repeat(FIELDS))),
        case("types with shapes", FIELDS, format!("'{}'", "(1,)b,".repeat(FIELDS))),
        case("types and then none", FIELDS, format!("'{}$'", "b,".repeat(FIELDS))),
        case("padding", 0, fields(FIELDS, |_| "('','V1')".to_owned())),
        case("subarrays", FIELDS, fields(FIELDS, |i| format!("('n{i}','b',1)"))),
        case("subarrays of 3 axes", 3 * FIELDS / 4, fields(FIELDS / 4, |i| format!("('n{i}','b',(1,1,1))"))),
        case("subarrays of 64 axes", FIELDS, fields(FIELDS / 64, |i| format!("('n{i}','b',({}))", axes(64)))),
        // Too many: refused after what is allowed.
        case(
            "subarrays of 64 axes, too many",
            1 << 17,
            format!("'{}'", format!("({})b,", axes(64)).repeat(FIELDS / 5)),
        ),
        case("subarrays of subarrays", FIELDS, fields(FIELDS / 4, |i| format!("('n{i}',((('b',1),1),1),1)"))),
        case("empty records", FIELDS, fields(FIELDS, |i| format!("('n{i}',[])"))),
        case("records of one field", FIELDS, fields(FIELDS / 2, |i| format!("('n{i}',[('','b')])"))),
        case("arrays of records of subarrays", FIELDS, fields(FIELDS / 2, |i| format!("('n{i}','2b,',2)"))),
        case(
            "a name that stands twice, far apart",
            FIELDS,
            fields(FIELDS, |i| format!("('n{}','b')", i % (FIELDS - 1))),
        ),
    ];
    for case in cases {
        let file = case.file();
        by_every_route(case.name, &file, case.factor * file.len() + 250 * case.fields + BESIDES);
        let error = serde_npy::Header::read(&file[..]).err();
        assert_eq!(
            error.is_some_and(|error| error.category() == serde_npy::Category::Limit),
            case.name.ends_with("too many")
        );
    }
}

/// The files of a folder with their names.
fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.display().to_string(), std::fs::read(path).unwrap())).collect()
}

/// Every hostile input that the fuzz targets start from, and every golden file.
#[test]
fn hostile_files_cost_no_more_than_others() {
    let _alone = ALONE.lock();
    let mut all = files("fuzz/seeds/npy");
    all.extend(files("fuzz/seeds/header"));
    all.extend(files("tests/data/golden"));
    assert!(all.len() > 500, "{}", all.len());
    let mut most = (0, String::new());
    for (name, file) in all {
        for (route, read) in [
            ("header", &(|| drop(serde_npy::Header::read(&file[..]))) as &dyn Fn()),
            ("slice", &|| drop(serde_npy::from_slice::<IgnoredAny>(&file))),
            ("reader", &|| drop(serde_npy::from_reader::<IgnoredAny>(&file[..]))),
            ("stream", &|| {
                if let Ok(mut reader) = serde_npy::Reader::new(&file[..]) {
                    drop(reader.records::<IgnoredAny>().take(1 << 12).find(Result::is_err));
                }
            }),
        ] {
            let ((), used) = peak(read);
            assert!(used <= allowed(file.len()), "{used} bytes for {} by {route}: {name}", file.len());
            most = most.max((used, format!("{} by {route}: {name}", file.len())));
        }
    }
    println!("at most {} bytes, for {}", most.0, most.1);
}

#[cfg(feature = "npz")]
#[test]
fn hostile_archives_cost_no_more_than_others() {
    use serde_npy::npz;
    use std::collections::BTreeMap;

    let _alone = ALONE.lock();
    for (name, file) in files("fuzz/seeds/npz") {
        for (route, read) in [
            ("slice", &(|| drop(npz::from_slice::<BTreeMap<String, IgnoredAny>>(&file))) as &dyn Fn()),
            ("reader", &|| drop(npz::from_reader::<BTreeMap<String, IgnoredAny>>(std::io::Cursor::new(&file)))),
        ] {
            let ((), used) = peak(read);
            assert!(used <= allowed(file.len()), "{used} bytes for {} by {route}: {name}", file.len());
        }
    }
}

/// An archive of many members, which all have one array.
#[cfg(feature = "npz")]
fn many_members(count: u16, name: impl Fn(u16) -> String) -> Vec<u8> {
    let array = npy("'|u1'", "False", "(0,)", &[]);
    let checksum = crc32fast::hash(&array).to_le_bytes();
    let size = u32::try_from(array.len()).unwrap().to_le_bytes();
    let entry = |name: &str| {
        let length = u16::try_from(name.len()).unwrap().to_le_bytes();
        [&[20, 0, 0, 8, 0, 0, 0, 0, 0, 0][..], &checksum, &size, &size, &length, &[0, 0]].concat()
    };
    let mut file = [b"PK\x03\x04", &entry("a.npy")[..], b"a.npy", &array].concat();
    let start = file.len();
    for position in 0..count {
        let name = name(position);
        file.extend([b"PK\x01\x02\x14\0", &entry(&name)[..], &[0; 14], name.as_bytes()].concat());
    }
    let size = u32::try_from(file.len() - start).unwrap().to_le_bytes();
    let count = count.to_le_bytes();
    file.extend(
        [b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &u32::try_from(start).unwrap().to_le_bytes(), &[0; 2]]
            .concat(),
    );
    file
}

/// What the list of members costs is the zip crate's: 500 bytes each.
#[cfg(feature = "npz")]
#[test]
fn a_member_costs_so_many_bytes() {
    use serde_npy::{Limits, ReadOptions, npz};

    let _alone = ALONE.lock();
    for count in [20_000, 33_000] {
        for long in [0, 100] {
            let file = many_members(count, |position| format!("{position}{}.npy", "x".repeat(long)));
            let few: npz::ReadOptions = ReadOptions::default().limits(Limits::default().max_members(100)).into();
            let routes: [(&str, &dyn Fn() -> Option<usize>); 5] = [
                ("view", &|| npz::View::new(&file).ok().map(|view| view.len())),
                ("reader", &|| npz::Reader::new(std::io::Cursor::new(&file)).ok().map(|reader| reader.len())),
                ("slice", &|| npz::from_slice::<IgnoredAny>(&file).ok().map(|_| usize::from(count))),
                ("view, refused", &|| npz::View::with_options(&file, &few).ok().map(|view| view.len())),
                ("missing", &|| npz::View::new(&file).unwrap().get::<IgnoredAny>("none").ok().map(|_| 0)),
            ];
            for (route, read) in routes {
                let (found, used) = peak(read);
                assert!(found.is_none_or(|found| found == usize::from(count)), "{found:?} of {count} by {route}");
                assert_eq!(found.is_none(), route.ends_with("refused") || route == "missing", "{count} by {route}");
                // Short names are a part of it.
                let allowed = if long == 0 { BESIDES } else { allowed(file.len()) } + 500 * usize::from(count);
                assert!(used <= allowed, "{used} bytes for {} by {route}, not {allowed}", file.len());
            }
        }
    }
}
