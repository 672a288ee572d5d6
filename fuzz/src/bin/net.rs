//! The libFuzzer target for [`fuzz::net`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::net(data));
