//! The state of a match on disk, to resume it after a kill.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{FinishedPair, Tournament};
use crate::replace;

/// What has been played so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedMatch {
    /// The plan it belongs to.
    pub plan: String,
    /// The PGN file, and its length when the state was written; later games are played again.
    #[serde(default)]
    pub pgn: Option<PathBuf>,
    /// That length.
    pub pgn_bytes: u64,
    /// The pairs that count, in the order they ended.
    pub pairs: Vec<FinishedPair>,
}

/// Why a match can't be saved or resumed.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// The file can't be read or written.
    #[error("{}: {cause}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: std::io::Error,
    },
    /// The file is not a saved match.
    #[error("{} is not a saved match: {reason}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The file belongs to another match.
    #[error("{} belongs to another match:\n  saved: {saved}\n  now:   {now}", .path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// Its plan.
        saved: String,
        /// Our plan.
        now: String,
    },
}

impl SavedMatch {
    /// Reads a file and checks that it belongs to this tournament.
    pub fn read(path: &Path, tournament: &Tournament) -> Result<Self, SavedError> {
        let text = fs::read_to_string(path)
            .map_err(|cause| SavedError::Io { path: path.to_owned(), cause })?;
        let damaged = |reason| SavedError::Damaged { path: path.to_owned(), reason };
        let saved: Self =
            serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        let now = tournament.description();
        if saved.plan != now {
            return Err(SavedError::Other { path: path.to_owned(), saved: saved.plan, now });
        }
        let mut indices: Vec<usize> = saved.pairs.iter().map(|pair| pair.index).collect();
        indices.sort_unstable();
        if indices.windows(2).any(|two| two[0] == two[1]) {
            return Err(damaged("a pair of games occurs twice".to_owned()));
        }
        Ok(saved)
    }

    /// Writes a file atomically: readers see either the old or the new one.
    pub fn write(&self, path: &Path) -> Result<(), SavedError> {
        let text = serde_json::to_vec(self).expect("there are only strings and numbers");
        replace(path, &text).map_err(|cause| SavedError::Io { path: path.to_owned(), cause })
    }
}
