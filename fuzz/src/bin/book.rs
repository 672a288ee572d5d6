//! The libFuzzer target for [`fuzz::book`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::book(data));
