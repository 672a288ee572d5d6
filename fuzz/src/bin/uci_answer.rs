//! The libFuzzer target for [`fuzz::uci_answer`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::uci_answer(data));
