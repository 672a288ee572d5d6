//! Secret tokens, given as text or as the name of a file. None is ever printed.

use std::path::Path;
use std::{env, fs};

use anyhow::{Context, Result, bail};

/// Minimum length of a token.
pub const SHORTEST: usize = 16;

/// The environment variable with the worker token.
const VARIABLE: &str = "RIGA_WORKER_TOKEN";

/// A token: that of the command line, of the environment variable, or else of the configuration. Each
/// is the name of a file, or the token itself.
pub fn read(
    what: &str,
    given: Option<&str>,
    configured: impl FnOnce() -> Result<Option<String>>,
) -> Result<Option<String>> {
    let variable = || env::var(VARIABLE).ok().filter(|token| !token.is_empty());
    let given = match given.map(str::to_owned).or_else(variable) {
        Some(given) => Some(given),
        None => configured()?,
    };
    let Some(given) = given else { return Ok(None) };
    let path = Path::new(&given);
    if path.exists() {
        return from_file(what, path).map(Some);
    }
    if is_surely_path(&given) {
        bail!("the {what} in {given}: there is no such file");
    }
    if given.starts_with('/') {
        bail!("the {what}: there is no such file, and a token that starts with / must be in one");
    }
    if given.len() < SHORTEST {
        bail!(
            "the {what}: there is no such file, and a token needs at least {SHORTEST} characters"
        );
    }
    Ok(Some(given))
}

/// Whether a text is meant as a path. Base64 has slashes, even as the first character, but neither
/// dots nor tildes.
fn is_surely_path(text: &str) -> bool {
    ["./", "../", "~"].iter().any(|start| text.starts_with(start))
}

/// The token in a file.
pub fn from_file(what: &str, path: &Path) -> Result<String> {
    let read = || format!("can't read the {what} in {}", path.display());
    let token = fs::read_to_string(path).with_context(read)?.trim().to_owned();
    if token.len() < SHORTEST {
        bail!("the {what} in {} needs at least {SHORTEST} characters", path.display());
    }
    Ok(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_a_file_or_a_text() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token");
        fs::write(&path, "0123456789abcdef\n").expect("a file");
        let shown = path.to_str().expect("UTF-8");
        let read = |given: &str| {
            read("worker token", Some(given), || Ok(None)).map(Option::unwrap_or_default)
        };
        assert_eq!(read(shown).expect("a token"), "0123456789abcdef");
        assert_eq!(read("fedcba9876543210").expect("a token"), "fedcba9876543210");
        fs::write(&path, "short").expect("a file");
        for wrong in [shown, "short", "./no/such/file/at/all", "/no/such/file/at/all"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_token_in_base64_may_have_slashes_and_is_never_printed() {
        let read = |given: &str| read("worker token", Some(given), || Ok(None));
        let token = "q7/+Zk1vY0b/8mX2c9RrT4w5uJ6hLs3d";
        assert_eq!(read(token).expect("a token").as_deref(), Some(token));
        for secret in ["/7q+Zk1vY0b/8mX2c9RrT4w5uJ6hLs3d", "abc/def"] {
            let error = read(secret).expect_err("refused").to_string();
            assert!(!error.contains(secret), "{error}");
        }
        for path in ["./worker.token", "../worker.token", "~/worker.token"] {
            let error = read(path).expect_err("no such file").to_string();
            assert!(error.contains(path), "{error}");
        }
    }
}
