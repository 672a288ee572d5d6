//! Makes sure that a network in a file can be used before work with it begins.

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
    /// What is wrong with it.
    pub cause: Box<dyn Error + Send + Sync>,
}

/// Makes sure that an engine with these settings can use the network they name. The engine itself
/// falls back to the one in the binary, but games of another network are not what was asked for.
pub fn check(options: &Options) -> Result<(), NetFileError> {
    let Evaluation::NetFile(path) = &options.evaluation else { return Ok(()) };
    let read = || -> Result<(), Box<dyn Error + Send + Sync>> {
        Net::from_bytes(&fs::read(path)?)?;
        Ok(())
    };
    read().map_err(|cause| NetFileError { path: path.clone(), cause })
}
