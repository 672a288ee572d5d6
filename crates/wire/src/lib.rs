//! Every JSON shape on the network: requests, answers and socket messages, each with its schema.
//!
//! This crate owns the only views of chess in JSON; the TypeScript types of the board in the browser
//! are generated from it. A small choice, such as a color or a variant, is the domain's own type: its JSON
//! form is its name. Times are milliseconds (of a clock, or since 1970 in UTC), moves are
//! UCI text, points of view are White's unless a field says otherwise.

mod analysis;
mod board;
mod explorer;
mod fault;
mod game;
mod outcome;
mod pgn;
mod position;
mod problem;
mod room;
mod standing;
mod user;

pub use analysis::{
    Analysed, AnalysisMessage, AnalysisRequest, Bound, Chances, Limits, Score, Thought, Thoughts,
};
pub use board::{BoardMove, BoardPosition, BoardSearch, BoardState, SearchResult};
pub use explorer::{
    BookMove, LevelView, NamedOpening, NextMove, Opening, PositionGames, TableVerdict, Tablebase,
    TablebaseMove,
};
pub use fault::Fault;
pub use game::{
    ClockView, CreatedGame, GamePage, GamePatch, GameSummary, GameView, ImportReport, NewGame,
    Opponent, PlayedMove, PlayerView, Status, TakeSeat, TakenSeat,
};
pub use outcome::{Ending, OutcomeView};
pub use pgn::{ReadGame, ReadMove, Tag};
pub use position::{LegalMove, PositionRequest, PositionView};
pub use problem::{Field, Problem};
pub use room::{ClientMessage, Refusal, ServerMessage};
pub use standing::{Action, Actions, Standing};
pub use user::{
    Credentials, Me, NewPassword, NewUser, Password, RatingPoint, Record, SignIn, Statistics,
    Tally, User, UserPatch,
};
