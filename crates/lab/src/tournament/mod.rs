//! Matches between engines.
//!
//! A [`Tournament`] is a plan: [`Contestant`]s, openings, rules. Running it plays pairs of games,
//! each opening with both colors, on several threads at once, and ends with [`Standings`]. Each
//! finished pair is written to disk before the next one counts, so that a match goes on where it
//! was interrupted.

mod budget;
mod contestant;
mod control;
mod plan;
mod player;
mod playing;
mod record;
mod run;
mod saved;
mod standings;

pub use contestant::{Contestant, ContestantError, Kind};
pub use control::{Control, ControlError, Limit};
pub use plan::{Format, Tournament};
pub use player::{Player, Thought};
pub use playing::{Ending, Fault, Played, Table, Unfinished};
pub use run::{End, TournamentError};
pub use saved::{SavedError, SavedMatch};
pub use standings::{Faults, FinishedGame, FinishedPair, Pairing, Standings};
