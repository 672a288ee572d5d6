//! Storage of users, games, reviews, ratings and jobs in SQLite or PostgreSQL.
//!
//! [`open`] takes a path or a `postgres://` URL and returns a [`Store`], which consists of the
//! traits [`Users`], [`Accounts`], [`Sessions`], [`Games`], [`GameSearch`], [`Positions`], [`Reviews`],
//! [`ReviewInsights`], [`Puzzles`], [`Ratings`], [`UserStatistics`], [`Jobs`] and [`Pulse`]; workers use its [`Desk`]. Both databases
//! behave the same; one suite tests both.
//!
//! A move is on disk when [`Games::append`] returns. Every write to a live game names the version
//! it expects, so that no move is lost or played twice.
//!
//! ```
//! use chess::Position;
//! use game::Level;
//! use store::{NewGame, Played, Player, Version};
//!
//! # async fn example(path: &str) -> Result<(), Box<dyn std::error::Error>> {
//! let store = store::open(path).await?;
//! let misha = store.create_user("Misha").await?;
//! let white = Player::User { id: misha.id, name: misha.name };
//! let black = Player::engine(Level::new(3).expect("there are ten"));
//! let id = store.create_game(NewGame::live(Position::default(), white, black)).await?;
//! let e4 = Position::default().parse_san("e4")?;
//! let version = store.append(&id, Version::FIRST, &Played::new(e4)).await?;
//! assert_eq!(store.game(&id).await?.version, version);
//! assert_eq!(store.game(&id).await?.to_game()?.line().len(), 1);
//! # Ok(())
//! # }
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let path = folder.path().join("riga.db");
//! # let runtime = tokio::runtime::Runtime::new().expect("a runtime");
//! # runtime.block_on(example(path.to_str().expect("UTF-8"))).expect("it works");
//! ```

mod accents;
mod accounts;
mod backup;
mod bounded;
mod changes;
mod copy;
mod database;
mod desk;
mod desk_messages;
mod dialect;
mod digest;
mod ending;
mod error;
mod export;
mod figures;
mod games;
mod hold;
mod import;
mod insert;
mod insights;
mod jobs;
mod leaving;
mod lending;
mod lock;
mod migrations;
mod names;
mod new_game;
mod options;
mod packing;
mod player;
mod positions;
mod postgres;
mod pulse;
mod puzzles;
mod queue;
mod random;
mod ratings;
mod replay;
mod reviews;
mod search;
mod seats;
mod secret;
mod sessions;
mod sqlite;
mod statement;
mod statistics;
mod store;
mod stored_game;
mod timestamp;
mod transaction;
mod users;
mod writes;

pub use accounts::Accounts;
pub use backup::{Contents, backup, restore};
pub use desk::{
    Attempt, Claim, DataJob, DataReport, Desk, DeskError, Job, JobId, JobKind, MatchJob,
    MatchReport, Progress, Report, ReviewJob, SegmentJob, SegmentReport,
};
pub use desk_messages::{ClaimMessage, ExtendMessage, FinishMessage, GiveUpMessage};
pub use digest::{TIME_LEFT, TIME_SPENT};
pub use error::{Result, StoreError};
pub use export::Export;
pub use games::{Games, Played};
pub use import::{Imported, Pace};
pub use insights::{
    GameAccuracy, Insights, Mistake, MistakeKind, MoveAccuracy, ReviewInsights, ReviewedGame,
};
pub use jobs::{DoneJob, JobCount, JobState, Jobs, NewJob, QueuedJob};
pub use leaving::{Leaver, Left};
pub use names::user_name;
pub use new_game::{MOST_PLIES, NewGame, Origin};
pub use options::Options;
pub use player::Player;
pub use positions::{Continuation, Positions};
pub use pulse::Pulse;
pub use puzzles::{NewTry, PuzzleCount, PuzzleFilter, PuzzleId, Puzzles, Recall, StoredPuzzle};
pub use queue::JobFilter;
pub use ratings::{RatedGame, RatingChange, Ratings};
pub use reviews::{NewReview, Review, Reviews};
pub use search::{Cursor, GameFilter, GameOrder, GameSearch, GameSummary, Page};
pub use seats::{Rated, Seats};
pub use secret::{Secret, SecretHash};
pub use sessions::{Session, Sessions};
pub use statistics::{Month, Statistics, Tally, UserStatistics};
pub use store::{Store, open, open_with};
pub use stored_game::{GameId, OpeningName, ParseGameIdError, StoredGame, Version};
pub use timestamp::Timestamp;
pub use users::{User, UserId, Users};
