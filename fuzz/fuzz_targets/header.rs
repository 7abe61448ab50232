#![no_main]

#[path = "../src/bodies/header.rs"]
mod header;

libfuzzer_sys::fuzz_target!(|data: &[u8]| header::check(data));
