#![no_main]

#[path = "../src/bodies/descr.rs"]
mod descr;

libfuzzer_sys::fuzz_target!(|data: &[u8]| descr::check(data));
