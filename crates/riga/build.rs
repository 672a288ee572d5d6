//! Tells the binary which commit it is built from.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=RIGA_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    // Builds for development aren't linked again after every commit.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let given = env::var("RIGA_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(|| is_release.then(git).flatten());
    println!("cargo::rustc-env=RIGA_COMMIT={}", commit.as_deref().unwrap_or("unknown commit"));
    if is_release {
        println!("cargo::rerun-if-changed=../../.git/logs/HEAD");
    }
}

fn git() -> Option<String> {
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned()).filter(|commit| !commit.is_empty())
}
