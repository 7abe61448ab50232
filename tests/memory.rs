//! What hostile and ordinary input costs in memory: at most four times the input and a mebibyte, besides the value.
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
