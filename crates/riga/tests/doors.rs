//! Which crate may depend on which.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

/// Each crate and the workspace crates it may use. A new crate must be added here, with a reason in
/// docs/architecture.md.
const DOORS: [(&str, &[&str]); 14] = [
    ("riga-chess", &[]),
    ("riga-game", &["riga-chess"]),
    ("riga-nnue", &["riga-chess"]),
    ("riga-engine", &["riga-chess", "riga-nnue"]),
    ("riga-uci", &["riga-chess", "riga-engine"]),
    ("riga-review", &["riga-chess", "riga-engine", "riga-game"]),
    ("riga-store", &["riga-chess", "riga-game"]),
    ("riga-library", &["riga-chess", "riga-game"]),
    ("riga-wire", &["riga-chess", "riga-engine", "riga-game", "riga-review"]),
    (
        "riga-server",
        &[
            "riga-chess",
            "riga-engine",
            "riga-game",
            "riga-library",
            "riga-review",
            "riga-store",
            "riga-wire",
        ],
    ),
    ("riga-tui", &["riga-chess", "riga-engine", "riga-game", "riga-review"]),
    ("riga-lab", &["riga-chess", "riga-engine", "riga-game", "riga-nnue", "riga-uci"]),
    (
        "riga-browser",
        &["riga-chess", "riga-engine", "riga-game", "riga-nnue", "riga-review", "riga-wire"],
    ),
    (
        "riga-fuzz",
        &[
            "riga-chess",
            "riga-engine",
            "riga-game",
            "riga-library",
            "riga-nnue",
            "riga-uci",
            "riga-wire",
        ],
    ),
];

/// The binary may use every crate but those that nobody uses.
const BINARY: &str = "riga";

/// The fuzz targets, and the door to WebAssembly.
const UNUSED: [&str; 2] = ["riga-fuzz", "riga-browser"];

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

#[test]
fn crates_use_only_the_doors_of_the_design() {
    let packages = packages();
    let names: BTreeSet<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    assert!(names.contains("riga-chess") && names.contains(BINARY), "{names:?}");
    for package in &packages {
        let name = package["name"].as_str().expect("a name");
        let dependencies = package["dependencies"].as_array().expect("a list");
        for dependency in dependencies {
            let used = dependency["name"].as_str().expect("a name");
            // Path dependencies are ours; dev-dependencies are not restricted.
            if dependency["path"].is_null() || dependency["kind"] == "dev" {
                continue;
            }
            let allowed = if name == BINARY {
                !UNUSED.contains(&used)
            } else {
                let door = DOORS.iter().find(|(known, _)| *known == name);
                door.unwrap_or_else(|| panic!("{name} has no doors")).1.contains(&used)
            };
            assert!(allowed, "{name} must not depend on {used}");
        }
    }
}

#[test]
fn without_the_server_there_is_neither_web_nor_database() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--package", "riga", "--no-default-features"])
        .args(["--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("plain text");
    let names: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains("riga-engine") && names.contains("riga-tui"), "{names:?}");
    for absent in ["riga-server", "riga-store", "riga-wire", "axum", "hyper", "sqlx", "tokio"] {
        assert!(!names.contains(absent), "{absent}");
    }
}
