//! Riga's folders in the user's home, by the XDG specification.

use std::env;
use std::path::PathBuf;

/// Riga's folder for data.
pub fn data() -> Option<PathBuf> {
    folder("XDG_DATA_HOME", ".local/share")
}

/// Riga's folder for configuration.
pub fn configuration() -> Option<PathBuf> {
    folder("XDG_CONFIG_HOME", ".config")
}

/// A folder by a variable, or below the home directory. The specification says to ignore paths that are
/// not absolute.
fn folder(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = named.or_else(|| env::home_dir().map(|home| home.join(usual)))?;
    Some(folder.join("riga"))
}
