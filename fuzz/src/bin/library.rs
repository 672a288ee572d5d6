//! The libFuzzer target for [`fuzz::library`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::library(data));
