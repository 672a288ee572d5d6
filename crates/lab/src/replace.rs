//! Replaces files atomically.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file atomically: readers see either the old or the new one.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let mut file = File::create(&new)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    drop(file);
    fs::rename(&new, path)
}
