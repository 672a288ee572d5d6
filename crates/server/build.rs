//! Puts the board for the browser into the binary: what `make` has built in web/dist, or a page that says how
//! to build it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let dist = Path::new("../../web/dist");
    // Cargo takes what is not there for changed, each time.
    let watched = if dist.exists() { dist } else { Path::new("../../web") };
    println!("cargo:rerun-if-changed={}", watched.display());
    let mut files = Vec::new();
    collect(dist, &mut files);
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        println!("cargo:rerun-if-changed={}", file.display());
        let name = file.strip_prefix(dist).expect("it was found there");
        let full = fs::canonicalize(file).expect("it is there");
        let full = full.to_str().expect("the path of the project is UTF-8");
        writeln!(list, "(\"/{}\", include_bytes!({full:?})),", name.display()).expect("a string");
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    fs::write(out.join("assets.rs"), list).expect("the list can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
