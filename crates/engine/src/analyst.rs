//! The interface between consumers of analyses and the engines that provide them.

use crate::{Question, Report, Stop, Verdict};

/// An engine that can be asked for a move and a score: ours, or a foreign one behind UCI.
///
/// A call blocks until the analysis is over. Another thread may end it early through `stop`. Call
/// it on a [`search_thread`](crate::search_thread).
pub trait Analyst {
    /// Answers a question; each `report` is better informed than the one before.
    fn analyse(
        &mut self,
        question: &Question,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, AnalystError>;

    /// The same without reports, if only the verdict matters. Making reports takes longer than a
    /// search of a hundred nodes.
    fn decide(&mut self, question: &Question, stop: &Stop) -> Result<Verdict, AnalystError> {
        self.analyse(question, stop, &mut |_| {})
    }

    /// The next question is about another game: what was learnt from the last one may be dropped. A
    /// foreign engine that has crashed or doesn't answer is restarted.
    fn new_game(&mut self) -> Result<(), AnalystError>;
}

/// Why there is no verdict. The texts name the analyst and the problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalystError {
    /// The position has no legal move.
    #[error("the game is over: there is no legal move")]
    NoLegalMove,
    /// The analyst has crashed; it can be used again after [`Analyst::new_game`].
    #[error("{0}")]
    Crashed(String),
    /// It doesn't answer and was abandoned; it can be used again after [`Analyst::new_game`].
    #[error("{0}")]
    Silent(String),
    /// Its move is illegal.
    #[error("{0}")]
    IllegalMove(String),
    /// It can't do what the question asks, such as play at a given strength or Chess960.
    #[error("{0}")]
    Unable(String),
}
