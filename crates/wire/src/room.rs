//! What is said on the socket of a game.
//!
//! A client begins with `join`; the answer is `state`, which holds the whole game. From then on each
//! change comes with the version of the game after it, one more than before, and with how the game
//! stands then ([`Standing`]). Whoever misses one, or loses the connection, joins again and has everything. `present`, `thinking`, `premove`, `rematch_offered`
//! and answers have no version: they change nothing that is kept.

use chess::Color;
use game::live::OfferKind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ClockView, GameView, Opening, OutcomeView, PlayedMove, PlayerView, PositionView, Standing,
    Thoughts,
};

/// What a player says. `id` is the player's own number for it: the answer has the same one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Sits down, or watches. It comes first, and once.
    Join {
        /// The secret of a seat. Who has signed in and plays needs none.
        #[serde(default)]
        #[schema(max_length = 100)]
        seat: Option<String>,
    },
    /// Plays a move. Sent twice, it is played once.
    Play {
        /// The player's number for this message.
        id: u32,
        /// How many moves have been played before it, of both sides.
        #[schema(maximum = 10_000)]
        ply: u32,
        /// As UCI or SAN text.
        #[serde(rename = "move")]
        #[schema(max_length = 20)]
        text: String,
    },
    /// Has a move played as soon as it can be; it replaces the one before. It is forgotten when the
    /// connection ends.
    Premove {
        /// The player's number for this message.
        id: u32,
        /// How many moves will have been played before it, of both sides.
        #[schema(maximum = 10_000)]
        ply: u32,
        /// As UCI text; none takes the premove back.
        #[serde(rename = "move")]
        #[schema(max_length = 20)]
        text: Option<String>,
    },
    /// Offers a draw or asks for a move back; or agrees, if the other side has.
    Offer {
        /// The player's number for this message.
        id: u32,
        /// What is offered.
        what: OfferKind,
    },
    /// Says no to what the other side offers, or withdraws one's own offer.
    Decline {
        /// The player's number for this message.
        id: u32,
    },
    /// Claims a draw by repetition or by fifty moves.
    ClaimDraw {
        /// The player's number for this message.
        id: u32,
    },
    /// Gives up.
    Resign {
        /// The player's number for this message.
        id: u32,
    },
    /// Says that the other side's time is up.
    Flag {
        /// The player's number for this message.
        id: u32,
    },
    /// Wants another game with the sides changed.
    Rematch {
        /// The player's number for this message.
        id: u32,
    },
    /// Asks for a `pong`, to measure the way.
    Ping {
        /// The player's number for this message.
        id: u32,
    },
}

/// What the server says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "a state is sent once, and boxed nowhere")]
pub enum ServerMessage {
    /// The whole game.
    State {
        /// The game.
        game: GameView,
        /// The sides that this connection plays; none for spectators, both at a shared board.
        sides: Vec<Color>,
        /// Who is here.
        present: Vec<Color>,
        /// How many watch.
        spectators: u32,
    },
    /// A move was played, and is on disk.
    Played {
        /// The version after it.
        version: u64,
        /// How many moves have been played before it.
        ply: u32,
        /// The move.
        played: PlayedMove,
        /// The position after it.
        position: PositionView,
        /// The clocks after it.
        clock: Option<ClockView>,
        /// The opening, if the game has come to one.
        opening: Option<Opening>,
        /// The end, if it ends the game.
        outcome: Option<OutcomeView>,
        /// How the game stands then.
        standing: Standing,
    },
    /// Moves were taken back.
    TookBack {
        /// The version after it.
        version: u64,
        /// How many moves are left.
        plies: u32,
        /// The position now.
        position: PositionView,
        /// The clocks now.
        clock: Option<ClockView>,
        /// The opening now.
        opening: Option<Opening>,
        /// How the game stands then.
        standing: Standing,
    },
    /// Somebody offers something, or nobody does any more.
    Offered {
        /// The version after it.
        version: u64,
        /// Who offers it.
        by: Option<Color>,
        /// What is offered.
        what: Option<OfferKind>,
        /// How the game stands then.
        standing: Standing,
    },
    /// The game is over, other than by a move.
    Ended {
        /// The version after it.
        version: u64,
        /// How.
        outcome: OutcomeView,
        /// The clocks at the end.
        clock: Option<ClockView>,
        /// How the game stands then.
        standing: Standing,
    },
    /// Somebody has taken the open seat.
    Seated {
        /// The version after it.
        version: u64,
        /// Who plays White now.
        white: PlayerView,
        /// Who plays Black now.
        black: PlayerView,
        /// How the game stands then.
        standing: Standing,
    },
    /// A side wants another game.
    RematchOffered {
        /// Which one.
        by: Color,
    },
    /// Another game was agreed on. The secrets of the seats are the same, for the other side each.
    Rematch {
        /// Its name in links.
        game: String,
    },
    /// The premove of this connection was played, or could not be and is forgotten.
    Premoved {
        /// Whether it was played.
        played: bool,
    },
    /// The message was done, or had been done before.
    Done {
        /// The player's number for the message.
        id: u32,
        /// The version after it.
        version: u64,
    },
    /// The message was not done.
    Refused {
        /// The player's number for the message, if it could be read.
        id: Option<u32>,
        /// Why.
        reason: Refusal,
        /// The same in words.
        detail: String,
    },
    /// Who is here has changed.
    Present {
        /// The players who are here.
        present: Vec<Color>,
        /// How many watch.
        spectators: u32,
    },
    /// What the engine thinks about the position on the board.
    Thinking {
        /// Its lines.
        thoughts: Thoughts,
    },
    /// The answer to a `ping`.
    Pong {
        /// The player's number for the message.
        id: u32,
        /// The clocks now.
        clock: Option<ClockView>,
    },
    /// The server goes; connect again in a moment.
    Closing,
}

/// Why a message was not done.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// It makes no sense.
    Unreadable,
    /// One who watches can't do that.
    NotAPlayer,
    /// The other side is to move.
    NotYourTurn,
    /// The move is not legal.
    IllegalMove,
    /// The move was meant for another moment: one has been played meanwhile, or is missing.
    WrongPly,
    /// The game is over.
    Over,
    /// The game has not begun.
    NotBegun,
    /// There is nothing to agree to, to decline or to claim.
    Nothing,
    /// The engine does not agree to a draw.
    PlaysOn,
    /// The other side's offer must be answered before another is made.
    AnswerFirst,
    /// Too many messages.
    TooFast,
    /// The server could not keep it; nothing was changed.
    Broken,
}

impl ClientMessage {
    /// The player's number for it.
    pub const fn id(&self) -> Option<u32> {
        match *self {
            Self::Join { .. } => None,
            Self::Play { id, .. }
            | Self::Premove { id, .. }
            | Self::Offer { id, .. }
            | Self::Decline { id }
            | Self::ClaimDraw { id }
            | Self::Resign { id }
            | Self::Flag { id }
            | Self::Rematch { id }
            | Self::Ping { id } => Some(id),
        }
    }
}
