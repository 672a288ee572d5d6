//! Every JSON type of the API: requests, responses and socket messages, each with its schema.
//!
//! This crate owns the only views of chess in JSON; the TypeScript types of the web interface are
//! generated from it. Small enums, such as a color or a variant, are the domain's own types, with
//! their names as JSON. Times are milliseconds (of a clock, or since 1970 in UTC), moves are in UCI
//! notation, scores are from White's point of view unless a field says otherwise.

mod analysis;
mod board;
mod explorer;
mod fault;
mod game;
mod insights;
mod library;
mod live;
mod outcome;
mod pgn;
mod position;
mod problem;
mod puzzle;
mod review;
mod room;
mod standing;
mod user;

pub use self::review::{
    JudgedMove, NewReview, QueuedReview, QueuedReviews, ReviewQueue, ReviewState, ReviewView,
};
pub use analysis::{
    Analysed, AnalysedLine, AnalysedLines, AnalysisMessage, AnalysisRequest, Bound, Chances,
    Limits, Score,
};
pub use board::{BoardMove, BoardPosition, BoardSearch, BoardState, SearchResult};
pub use explorer::{
    BookMove, LevelView, NamedOpening, NextMove, Opening, PositionGames, TableVerdict, Tablebase,
    TablebaseMove,
};
pub use fault::Fault;
pub use game::{
    Accuracies, ClockView, CreatedGame, GamePage, GamePatch, GameRatings, GameSummary, GameView,
    ImportReport, NULL_MOVE, NewGame, OfflineGame, Opponent, PlayedMove, PlayerRating, PlayerView,
    Status, TakeSeat, TakenSeat,
};
pub use insights::{AccuracyPoint, AccuracyRow, MistakeAt, MistakeRow, ReviewStatistics, WorkOn};
pub use library::{
    Collection, CollectionBranch, CollectionGame, CollectionGames, CollectionMoves,
    CollectionOpening, CollectionPlayer, CollectionScore,
};
pub use live::LiveView;
pub use outcome::{Ending, ImpossibleOutcome, OutcomeView};
pub use pgn::{ReadGame, ReadMove, Tag};
pub use position::{LegalMove, PositionRequest, PositionView, SetupRequest, SetupView};
pub use problem::{Field, Problem};
pub use puzzle::{
    BadExercise, ExerciseRequest, ExerciseView, PuzzleCount, PuzzlePage, PuzzleTried, PuzzleTry,
    PuzzleView, ThemeCount,
};
pub use room::{ClientMessage, Refusal, ServerMessage};
pub use standing::{Actions, Standing};
pub use user::{
    Credentials, DeleteAccount, Me, NewPassword, NewUser, Password, RatingPoint, SignIn,
    Statistics, Tally, TallyRow, User, UserPatch,
};
