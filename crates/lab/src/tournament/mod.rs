//! Matches between engines.
//!
//! A [`Tournament`] is a plan: [`Contestant`]s, openings, adjudication. Running it plays pairs of
//! games, each opening with both colors, on several threads, and results in [`Standings`]. Each
//! finished pair is written to disk before the next one counts, so that an interrupted match can be
//! resumed.

mod budget;
mod contestant;
mod control;
mod plan;
mod playing;
mod record;
mod run;
mod running;
mod saved;
mod standings;

pub use contestant::{Contestant, ContestantError, Kind};
pub use control::{Control, ControlError, Limit};
pub use plan::{Format, Tournament};
pub use playing::{Ending, Fault, Played, Table, Unfinished};
pub use run::{End, TournamentError};
pub use running::{PlayedMove, RunningEngine};
pub use saved::{SavedError, SavedMatch};
pub use standings::{Faults, FinishedGame, FinishedPair, Pairing, Standings};
