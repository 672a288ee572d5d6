//! Collections of games: statistics of positions, lists, players.

use chess::Color;
use game::GameResult;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{NextMove, Opening};

/// A collection of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Collection {
    /// Its name, which is the name of its folder.
    pub name: String,
    /// Number of games.
    pub games: u64,
}

/// How some games ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CollectionScore {
    /// Games, including those without a result.
    pub games: u64,
    /// White wins.
    pub white: u64,
    /// Draws.
    pub drawn: u64,
    /// Black wins.
    pub black: u64,
    /// The average rating of the players whose rating is known.
    pub rating: Option<u32>,
}

/// What was played in a position in the games of a collection. A game counts once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CollectionMoves {
    /// All games that reached the position.
    pub total: CollectionScore,
    /// The next moves, most common first.
    pub moves: Vec<NextMove>,
}

/// A game of a collection, in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CollectionGame {
    /// Its id in the collection.
    pub id: String,
    /// White's name; empty if unknown.
    pub white: String,
    /// Black's name; empty if unknown.
    pub black: String,
    /// White's rating.
    pub white_rating: Option<u16>,
    /// Black's rating.
    pub black_rating: Option<u16>,
    /// The result.
    pub result: GameResult,
    /// The date as in PGN, such as `1960.05.??`.
    pub date: String,
    /// The ECO code in its tag; empty if there is none.
    pub eco: String,
    /// The time control in its tag; empty if there is none.
    pub time_control: String,
    /// The move played in the position asked for, in SAN.
    pub played: Option<String>,
    /// The moves played until the material asked for was on the board.
    pub ply: Option<u32>,
}

/// A page of games of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CollectionGames {
    /// The games.
    pub games: Vec<CollectionGame>,
    /// The number of the next page, if there are more games.
    pub next: Option<u32>,
}

/// How a player of a collection has done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CollectionPlayer {
    /// The name.
    pub name: String,
    /// Results with White.
    pub white: CollectionScore,
    /// Results with Black.
    pub black: CollectionScore,
    /// Results by opening, the most frequent first.
    pub openings: Vec<CollectionOpening>,
}

/// A player's results in an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CollectionOpening {
    /// The player's color.
    pub color: Color,
    /// The opening; absent if the games have no name.
    pub opening: Option<Opening>,
    /// The results.
    pub score: CollectionScore,
}

/// A move that a player of a collection or their opponents have played, and what followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CollectionBranch {
    /// The move, in UCI notation.
    pub uci: String,
    /// The same in SAN.
    pub san: String,
    /// The games with it.
    pub score: CollectionScore,
    /// What was played next, the most frequent first.
    #[schema(no_recursion, value_type = Vec<CollectionBranch>)]
    pub next: Vec<Self>,
}
