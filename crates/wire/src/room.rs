//! Messages on the socket of a game.
//!
//! A client begins with `join`; the answer is `state`, which holds the whole game. From then on
//! each change comes with the game's new version, one more than before, and with its new
//! [`Standing`]. A client that misses one, or loses the connection, joins again to get everything.
//! `present`, `thinking`, `premove`, `rematch_offered`, `rematch_declined` and replies have no version: they change
//! nothing that is stored.

use chess::Color;
use game::live::OfferKind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    AnalysedLines, ClockView, GameView, Opening, OutcomeView, PlayedMove, PlayerView, PositionView,
    Standing,
};

/// A client message. `id` is chosen by the client and repeated in the reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Joins as player or spectator. Must be the first message, and is sent once.
    Join {
        /// The secret of a seat. Not needed by a player who is signed in.
        #[serde(default)]
        #[schema(max_length = 100)]
        seat: Option<String>,
        /// Whether a weak engine shall take as long for its moves as a person would.
        #[serde(default)]
        unhurried: bool,
    },
    /// Plays a move. Sending it twice plays it once.
    Play {
        /// The client's id for this message.
        id: u32,
        /// The number of plies played before it.
        #[schema(maximum = 10_000)]
        ply: u32,
        /// The move, in UCI or SAN.
        #[serde(rename = "move")]
        #[schema(max_length = 20)]
        text: String,
    },
    /// Sets a premove, replacing the previous one. It is cancelled when the connection closes.
    Premove {
        /// The client's id for this message.
        id: u32,
        /// The number of plies that will have been played before it.
        #[schema(maximum = 10_000)]
        ply: u32,
        /// The move, in UCI notation; absent to cancel the premove.
        #[serde(rename = "move")]
        #[schema(max_length = 20)]
        text: Option<String>,
    },
    /// Offers a draw or asks for a takeback; or accepts the opponent's offer.
    Offer {
        /// The client's id for this message.
        id: u32,
        /// What is offered.
        what: OfferKind,
    },
    /// Declines the opponent's offer, or withdraws your own; after the game, that of a rematch.
    Decline {
        /// The client's id for this message.
        id: u32,
    },
    /// Claims a draw by repetition or the fifty-move rule.
    ClaimDraw {
        /// The client's id for this message.
        id: u32,
    },
    /// Resigns.
    Resign {
        /// The client's id for this message.
        id: u32,
    },
    /// Aborts the game, before both sides have moved: nobody wins or loses.
    Abort {
        /// The client's id for this message.
        id: u32,
    },
    /// Claims a win on time.
    Flag {
        /// The client's id for this message.
        id: u32,
    },
    /// Offers or accepts a rematch with sides swapped.
    Rematch {
        /// The client's id for this message.
        id: u32,
    },
    /// Asks for a `pong`, to measure the round trip.
    Ping {
        /// The client's id for this message.
        id: u32,
    },
}

/// A server message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "a state is sent once, and boxed nowhere")]
pub enum ServerMessage {
    /// The whole game.
    State {
        /// The game.
        game: GameView,
        /// The sides this connection plays; none for spectators, both at a shared board.
        sides: Vec<Color>,
        /// The players who are connected.
        present: Vec<Color>,
        /// The number of spectators.
        spectators: u32,
    },
    /// A move was played, and is on disk.
    Played {
        /// The version after it.
        version: u64,
        /// The number of plies played before it.
        ply: u32,
        /// The move.
        played: PlayedMove,
        /// The position after it.
        position: PositionView,
        /// The clocks after it.
        clock: Option<ClockView>,
        /// The opening, if the game has reached one.
        opening: Option<Opening>,
        /// The outcome, if it ends the game.
        outcome: Option<OutcomeView>,
        /// The game's standing after it.
        standing: Standing,
    },
    /// Moves were taken back.
    TookBack {
        /// The version after it.
        version: u64,
        /// The number of plies left.
        plies: u32,
        /// The current position.
        position: PositionView,
        /// The current clocks.
        clock: Option<ClockView>,
        /// The current opening.
        opening: Option<Opening>,
        /// The game's standing after it.
        standing: Standing,
    },
    /// An offer was made, or the offer was declined or withdrawn.
    Offered {
        /// The version after it.
        version: u64,
        /// The side that makes it.
        by: Option<Color>,
        /// What is offered.
        what: Option<OfferKind>,
        /// The game's standing after it.
        standing: Standing,
    },
    /// The game ended other than by a move.
    Ended {
        /// The version after it.
        version: u64,
        /// The outcome.
        outcome: OutcomeView,
        /// The final clocks.
        clock: Option<ClockView>,
        /// The game's standing after it.
        standing: Standing,
    },
    /// The open seat was taken.
    Seated {
        /// The version after it.
        version: u64,
        /// The white player.
        white: PlayerView,
        /// The black player.
        black: PlayerView,
        /// The game's standing after it.
        standing: Standing,
    },
    /// A side offers a rematch.
    RematchOffered {
        /// The side.
        by: Color,
    },
    /// The offer of a rematch was declined or withdrawn.
    RematchDeclined,
    /// A rematch was agreed on. The seat secrets stay the same, with sides swapped.
    Rematch {
        /// The game id of the rematch.
        game: String,
    },
    /// This connection's premove was played, or was illegal and dropped.
    Premoved {
        /// Whether it was played.
        played: bool,
    },
    /// The message was carried out, now or before.
    Done {
        /// The client's id for the message.
        id: u32,
        /// The version after it.
        version: u64,
    },
    /// The message was refused.
    Refused {
        /// The client's id for the message, if it could be parsed.
        id: Option<u32>,
        /// The reason.
        reason: Refusal,
        /// The same in words.
        detail: String,
    },
    /// Someone joined or left.
    Present {
        /// The players who are connected.
        present: Vec<Color>,
        /// The number of spectators.
        spectators: u32,
    },
    /// The engine's lines in the current position.
    Thinking {
        /// The lines.
        thoughts: AnalysedLines,
    },
    /// The answer to a `ping`.
    Pong {
        /// The client's id for the message.
        id: u32,
        /// The current clocks.
        clock: Option<ClockView>,
    },
    /// The server is shutting down; reconnect in a moment.
    Closing,
}

/// Why a message was refused.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The message could not be parsed.
    Unreadable,
    /// Spectators can't do that.
    NotAPlayer,
    /// The other side is to move.
    NotYourTurn,
    /// The move is not legal.
    IllegalMove,
    /// The move was meant for another ply: the game has moved on, or a move is missing.
    WrongPly,
    /// The game is over.
    Over,
    /// The game has not started.
    NotBegun,
    /// There is nothing to accept, decline or claim.
    Nothing,
    /// The engine declines the draw.
    PlaysOn,
    /// The opponent's offer must be answered first.
    AnswerFirst,
    /// Both sides have moved, so that the game can't be aborted any more.
    TooLate,
    /// Too many messages.
    TooFast,
    /// The server can't store it at the moment; try again.
    Broken,
}

impl ClientMessage {
    /// The client's id for the message.
    pub const fn id(&self) -> Option<u32> {
        match *self {
            Self::Join { .. } => None,
            Self::Play { id, .. }
            | Self::Premove { id, .. }
            | Self::Offer { id, .. }
            | Self::Decline { id }
            | Self::ClaimDraw { id }
            | Self::Resign { id }
            | Self::Abort { id }
            | Self::Flag { id }
            | Self::Rematch { id }
            | Self::Ping { id } => Some(id),
        }
    }
}
