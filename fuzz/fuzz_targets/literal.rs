#![no_main]

#[path = "../src/bodies/literal.rs"]
mod literal;

libfuzzer_sys::fuzz_target!(|data: &[u8]| literal::check(data));
