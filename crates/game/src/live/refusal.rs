//! Why a command is refused.

use chess::SanError;

use super::Entered;

/// Why a command is refused. The text is for the player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A spectator can't do that.
    #[error("you are watching this game")]
    NotAPlayer,
    /// The other side is to move.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The move can't be played.
    #[error("{entered}: {why}")]
    IllegalMove {
        /// What was entered.
        entered: Entered,
        /// What is wrong with it.
        why: SanError,
    },
    /// The move is for an earlier or a later position.
    #[error("the game has moved on")]
    WrongPly,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The time of the side to move is up: [`LiveGame::due`](super::LiveGame::due) ends the game.
    #[error("time is up")]
    TimeUp,
    /// The other player hasn't joined yet.
    #[error("your opponent hasn't joined yet")]
    NotBegun,
    /// The game isn't over, so there is no rematch.
    #[error("the game is not over yet")]
    NotOver,
    /// There is no offer.
    #[error("there is no offer to decline")]
    NoOffer,
    /// The side has not moved yet.
    #[error("there is no move to take back")]
    NothingToTakeBack,
    /// Neither threefold repetition nor fifty moves.
    #[error("no draw to claim: neither threefold repetition nor the fifty-move rule applies")]
    NoDrawToClaim,
    /// The flag has not fallen.
    #[error("the clock hasn't run out")]
    TimeLeft,
    /// Both sides have moved.
    #[error("both sides have moved: resign instead")]
    TooLateToAbort,
    /// The engine declines a draw.
    #[error("the engine declines the draw")]
    EnginePlaysOn,
    /// The other side's offer must be answered first.
    #[error("answer your opponent's offer first")]
    AnswerFirst,
}
