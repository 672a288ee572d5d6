//! The seam between those who want an opinion on a position and those who have one.

use chess::Line;

use crate::{Limits, Report, Stop, Verdict};

/// Somebody who can be asked for a move and a score: our engine, or a foreign one behind UCI.
///
/// The call blocks until the analysis is over. Another thread may end it early through `stop`.
pub trait Analyst {
    /// Thinks about the position at the end of `line`; each `report` is a better informed
    /// opinion than the one before it.
    fn analyse(
        &mut self,
        line: &Line,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, AnalystError>;

    /// The same without reports, for those who want the verdict only. Making reports takes longer
    /// than a search of a hundred nodes.
    fn decide(
        &mut self,
        line: &Line,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Verdict, AnalystError> {
        self.analyse(line, limits, stop, &mut |_| {})
    }

    /// The next line belongs to another game: what was learnt from the last one may be dropped.
    fn new_game(&mut self) -> Result<(), AnalystError>;
}

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
pub enum AnalystError {
    /// The position has no legal move, so that there is nothing to choose.
    #[error("the game is over: there is no legal move")]
    NoLegalMove,
    /// The analyst lives elsewhere and has failed; the text says how.
    #[error("{0}")]
    Failed(String),
}
