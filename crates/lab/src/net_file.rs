//! Checks that a network file can be used before work starts.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use engine::{Evaluation, Options};
use nnue::Net;

/// A network that can't be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", path.display())]
pub struct NetFileError {
    /// Its file.
    pub path: PathBuf,
    /// The cause.
    pub cause: Box<dyn Error + Send + Sync>,
}

/// Checks that an engine with these options can use their network. The engine itself would fall
/// back to the embedded one, but games with another network are not what was asked for.
pub fn check(options: &Options) -> Result<(), NetFileError> {
    let Evaluation::NetFile(path) = &options.evaluation else { return Ok(()) };
    let read = || -> Result<(), Box<dyn Error + Send + Sync>> {
        Net::from_bytes(&fs::read(path)?)?;
        Ok(())
    };
    read().map_err(|cause| NetFileError { path: path.clone(), cause })
}
