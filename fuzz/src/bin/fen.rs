//! The libFuzzer target for [`fuzz::fen`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::fen(data));
