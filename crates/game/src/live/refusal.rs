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
    #[error("the other side is to move")]
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
    #[error("the move was meant for another moment of the game")]
    WrongPly,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The time of the side to move is up: [`LiveGame::due`](super::LiveGame::due) ends the game.
    #[error("the time is up")]
    TimeUp,
    /// The other player has not come yet.
    #[error("the other player is not there yet")]
    NotBegun,
    /// A rematch comes after the game.
    #[error("the game is not over yet")]
    NotOver,
    /// There is no offer.
    #[error("there is no offer to decline")]
    NoOffer,
    /// The side has not moved yet.
    #[error("there is no move to take back")]
    NothingToTakeBack,
    /// Neither threefold repetition nor fifty moves.
    #[error("there is no draw to claim: neither threefold repetition nor fifty moves")]
    NoDrawToClaim,
    /// The flag has not fallen.
    #[error("there is time left on the clock")]
    TimeLeft,
    /// Both sides have moved.
    #[error("both sides have moved: resign instead")]
    TooLateToAbort,
    /// The engine declines a draw.
    #[error("the engine plays on")]
    EnginePlaysOn,
    /// The other side waits for an answer.
    #[error("answer the other side's offer first")]
    AnswerFirst,
}
