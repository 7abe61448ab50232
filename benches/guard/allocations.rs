//! How many allocations a record costs, exactly: what more records cost than fewer.

use crate::Checks;
use crate::by_hand::{ByHand, samples};
use crate::types::{
    Five, Flat, Nested, Optional, Order, Part, Particle, Reordered, Side, Text, Tick, Wide, Widened, Xyz,
};
use crate::verbs::{self, Reused};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_npy::{ByteOrder, DType, Header, WriteOptions};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts allocations, those that move included.
struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Relaxed);
        // SAFETY: the caller's promise is the one that is needed.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Relaxed);
        // SAFETY: the caller's promise is the one that is needed.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is the one that is needed.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Relaxed);
        // SAFETY: the caller's promise is the one that is needed.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(run: impl FnOnce()) -> usize {
    let before = COUNT.load(Relaxed);
    run();
    COUNT.load(Relaxed) - before
}

const FEW: usize = 1_000;
const MORE: usize = 21_000;
/// The header, the plan and the blocks cost some, more for more fields, whatever the number of records.
const AT_ALL: usize = 300;

/// That `run` costs `each` allocations more for every record more.
fn expect(checks: &mut Checks, name: &str, each: usize, mut run: impl FnMut(usize)) {
    // What is set up once.
    run(FEW);
    let few = count(|| run(FEW));
    let more = count(|| run(MORE));
    let beside = few.checked_sub(each * FEW);
    let holds = more.checked_sub(few) == Some(each * (MORE - FEW)) && beside.is_some_and(|beside| beside <= AT_ALL);
    checks.check(
        holds,
        &format!("allocations, {name}: {few} for {FEW} records, {more} for {MORE}; expected {each} each and no more than {AT_ALL} beside"),
    );
}

fn expect_read<T: DeserializeOwned>(checks: &mut Checks, name: &str, each: usize, file: impl Fn(usize) -> Vec<u8>) {
    let files = [(FEW, file(FEW)), (MORE, file(MORE))];
    let mut records: Vec<T> = Vec::with_capacity(MORE);
    expect(checks, &format!("read {name}"), each, |count| {
        // Dropping records frees, which is not counted.
        let (_, file) = files.iter().find(|(length, _)| *length == count).unwrap();
        verbs::read(file, &mut records);
        assert_eq!(records.len(), count);
    });
}

fn expect_write<T: Serialize>(checks: &mut Checks, name: &str, each: usize, records: &[T], dtype: &DType) {
    let mut bytes = Vec::with_capacity(MORE * 8192);
    expect(checks, &format!("write {name}"), each, |count| {
        bytes.clear();
        crate::write(&records[..count], dtype, Reused { bytes: &mut bytes });
    });
    expect(checks, &format!("write {name}, its dtype found"), each, |count| {
        bytes.clear();
        serde_npy::records_to_writer(Reused { bytes: &mut bytes }, &records[..count]).unwrap();
    });
}

fn both<T: ByHand + Serialize + DeserializeOwned>(checks: &mut Checks, name: &str) {
    expect_read::<T>(checks, name, 0, |count| samples::<T>(count).1);
    let (records, file) = samples::<T>(MORE);
    expect_write(checks, name, 0, &records, Header::read(&file[..]).unwrap().dtype());
}

fn ticks(count: usize) -> Vec<u8> {
    samples::<Tick>(count).1
}

pub fn check(checks: &mut Checks) {
    both::<Tick>(checks, "Tick");
    both::<Xyz>(checks, "Xyz");
    both::<Flat>(checks, "Flat");
    both::<Particle>(checks, "Particle");
    both::<Nested>(checks, "Nested");
    both::<Wide>(checks, "Wide");
    expect_read::<Reordered>(checks, "Tick in another order", 0, ticks);
    expect_read::<Widened>(checks, "Tick into wider integers", 0, ticks);
    expect_read::<Optional>(checks, "Tick into options", 0, ticks);
    expect_read::<Part>(checks, "a part of Tick", 0, ticks);
    expect_read::<Tick>(checks, "Tick, big-endian", 0, |count| {
        let options = WriteOptions::default().byteorder(ByteOrder::Big);
        serde_npy::records_to_vec_with(&samples::<Tick>(count).0, &options).unwrap()
    });
    expect_read::<Five>(checks, "Five", 0, |count| serde_npy::to_vec(&samples::<Five>(count).0).unwrap());

    let orders: Vec<Order> = (0..MORE)
        .map(|i| Order { id: i as u32, side: if i % 3 == 0 { Side::Buy } else { Side::Sell }, price: i as f64 })
        .collect();
    // The name of the variant.
    expect_read::<Order>(checks, "Order with an enum", 1, |count| serde_npy::to_vec(&orders[..count]).unwrap());
    expect_write(checks, "Order with an enum", 0, &orders, &DType::from_sample(&orders[1]).unwrap());

    let texts: Vec<Text> = (0..MORE)
        .map(|i| Text {
            id: i as u64,
            name: format!("name {i:05}"),
            tag: format!("tag {i:04}")[..8].into(),
            v: [0.5; 4],
        })
        .collect();
    let options = || WriteOptions::default().dtype(TEXT.parse().unwrap());
    expect_read::<Text>(checks, "Text", 2, |count| serde_npy::to_vec_with(&texts[..count], &options()).unwrap());
    expect_write(checks, "Text", 0, &texts, &TEXT.parse().unwrap());
}

const TEXT: &str = "[('id', '<u8'), ('name', '<U16'), ('tag', '|S8'), ('v', '<f4', (4,))]";
