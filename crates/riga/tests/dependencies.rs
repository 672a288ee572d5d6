//! Third-party crates: licences we may ship, one registry, and no duplicate versions without a
//! reason.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Licences compatible with GPL-3.0-or-later.
const LICENCES: [&str; 14] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "GPL-3.0-or-later",
    "ISC",
    "LGPL-3.0-or-later",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
];

const SOURCE: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Crates with several versions, and what needs the old one. Add a line only if it can't be
/// avoided.
const TWICE: [(&str, &str); 17] = [
    ("arrayvec", "chess, a peer in tests"),
    ("base64", "axum, sqlx"),
    ("block-buffer", "sha2"),
    ("cpufeatures", "sha2"),
    ("crypto-common", "sha2"),
    ("digest", "sha2"),
    ("getrandom", "proptest"),
    ("hashbrown", "sqlx"),
    ("itertools", "ratatui"),
    ("rand", "proptest, chess"),
    ("rand_chacha", "proptest, chess"),
    ("rand_core", "proptest, chess"),
    ("sha1", "axum"),
    ("sha2", "sqlx uses both"),
    ("syn", "chess, macros"),
    ("synstructure", "chess, macros"),
    ("tower-http", "reqwest, in tests"),
];

/// Every package of the build for this machine; packages for other targets need not be downloaded.
fn packages() -> Vec<Value> {
    let version = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let version = String::from_utf8(version.stdout).expect("plain text");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version", "1"])
        .args(["--filter-platform", host])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

fn text<'a>(package: &'a Value, field: &str) -> &'a str {
    package[field].as_str().unwrap_or_default()
}

/// Whether an SPDX expression can be satisfied. A slash is an old way to write `OR`; an expression
/// in parentheses comes first if there is one.
fn is_allowed(expression: &str) -> bool {
    if let Some((group, rest)) = expression.strip_prefix('(').and_then(|e| e.split_once(')')) {
        return match rest.trim().split_once(' ') {
            None => is_allowed(group),
            Some(("AND", rest)) => is_allowed(group) && is_allowed(rest),
            Some(("OR", rest)) => is_allowed(group) || is_allowed(rest),
            Some(_) => false,
        };
    }
    let allowed = |licence: &str| LICENCES.contains(&licence.trim());
    expression.replace('/', " OR ").split(" OR ").any(|choice| choice.split(" AND ").all(allowed))
}

#[test]
fn licences_agree_with_ours() {
    for package in packages() {
        let (name, licence) = (text(&package, "name"), text(&package, "license"));
        assert!(is_allowed(licence), "{name} has the licence {licence:?}");
    }
}

#[test]
fn expressions_are_read_as_they_are_meant() {
    for good in ["MIT", "MIT/Apache-2.0", "AGPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"]
    {
        assert!(is_allowed(good), "{good}");
    }
    for bad in
        ["", "AGPL-3.0", "MIT AND SSPL-1.0", "(SSPL-1.0 OR AGPL-3.0) AND MIT", "(MIT) XOR MIT"]
    {
        assert!(!is_allowed(bad), "{bad}");
    }
}

#[test]
fn crates_come_from_one_registry() {
    for package in packages() {
        let (name, source) = (text(&package, "name"), text(&package, "source"));
        assert!(source.is_empty() || source == SOURCE, "{name} comes from {source}");
    }
}

#[test]
fn no_library_is_there_twice_without_a_reason() {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages() {
        let version = text(&package, "version").to_owned();
        versions.entry(text(&package, "name").to_owned()).or_default().insert(version);
    }
    let twice: Vec<&str> =
        versions.iter().filter(|(_, v)| v.len() > 1).map(|(name, _)| name.as_str()).collect();
    let known: Vec<&str> = TWICE.iter().map(|&(name, _)| name).collect();
    assert_eq!(twice, known);
}
