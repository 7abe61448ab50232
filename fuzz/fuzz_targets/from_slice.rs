#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| serde_npy_fuzz::from_slice(data));
