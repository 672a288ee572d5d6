//! The stack of a WebAssembly module is set by the linker.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_wasm = env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm");
    if is_wasm && env::var_os("CARGO_FEATURE_ENGINE").is_some() {
        // What `engine::search_thread` gives to a search elsewhere.
        println!("cargo::rustc-link-arg=-zstack-size={}", 8 << 20);
    }
}
