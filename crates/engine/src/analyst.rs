//! The seam between those who want an opinion on a position and those who have one.

use crate::{Question, Report, Stop, Verdict};

/// Somebody who can be asked for a move and a score: our engine, or a foreign one behind UCI.
///
/// A call blocks until the analysis is over. Another thread may end it early through `stop`. Ask on
/// a [`search_thread`](crate::search_thread).
pub trait Analyst {
    /// Answers a question; each `report` is a better informed opinion than the one before it.
    fn analyse(
        &mut self,
        question: &Question,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, AnalystError>;

    /// The same without reports, for those who want the verdict only. Making reports takes longer
    /// than a search of a hundred nodes.
    fn decide(&mut self, question: &Question, stop: &Stop) -> Result<Verdict, AnalystError> {
        self.analyse(question, stop, &mut |_| {})
    }

    /// The next question is about another game: what was learnt from the last one may be dropped. A
    /// foreign engine that has crashed or doesn't answer is started again.
    fn new_game(&mut self) -> Result<(), AnalystError>;
}

/// Why there is no verdict. The texts name the analyst and say what has happened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalystError {
    /// The position has no legal move, so that there is nothing to choose.
    #[error("the game is over: there is no legal move")]
    NoLegalMove,
    /// The analyst has died; it can be asked again after [`Analyst::new_game`].
    #[error("{0}")]
    Crashed(String),
    /// It doesn't answer and was given up; it can be asked again after [`Analyst::new_game`].
    #[error("{0}")]
    Silent(String),
    /// Its move is not legal.
    #[error("{0}")]
    IllegalMove(String),
    /// It can't do what the question asks for, such as play at a strength or Chess960.
    #[error("{0}")]
    Unable(String),
}
