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
        if file.extension().is_some_and(|extension| extension == "gz") {
            continue;
        }
        let name = file.strip_prefix(dist).expect("it was found there");
        let mut packed = file.clone().into_os_string();
        packed.push(".gz");
        let gzip = Path::new(&packed).exists();
        let full = fs::canonicalize(if gzip { Path::new(&packed) } else { file });
        let full = full.expect("it is there");
        let full = full.to_str().expect("the path of the project is UTF-8");
        let asset = "Asset { path: \"/";
        writeln!(
            list,
            "{asset}{}\", bytes: include_bytes!({full:?}), gzip: {gzip} }},",
            name.display()
        )
        .expect("a string takes any text");
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
