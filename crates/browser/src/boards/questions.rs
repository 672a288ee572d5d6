//! The questions and answers about studies.

use game::GameResult;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wire::Tag;

use super::note::Shape;
use super::view::StudyView;

/// A study.
#[derive(Copy, Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyAt {
    /// Its number.
    pub study: u32,
}

/// A live game.
#[derive(Copy, Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GameAt {
    /// Its number.
    pub game: u32,
}

/// A node of a study.
#[derive(Copy, Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeAt {
    /// The study.
    pub study: u32,
    /// The node; 0 is the start.
    pub node: u32,
}

/// Moves after a node.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// The study.
    pub study: u32,
    /// The node; 0 is the start.
    pub node: u32,
    /// The moves, in UCI or SAN.
    pub moves: Vec<String>,
}

/// Changes what is said about a node; absent fields stay as they are.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Annotate {
    /// The study.
    pub study: u32,
    /// The node; 0 is the start.
    pub node: u32,
    /// Whether the text is the comment before the first move of a variation.
    #[serde(default)]
    pub before: bool,
    /// The comment.
    #[serde(default)]
    pub text: Option<String>,
    /// The glyphs, by their numbers in PGN (NAGs).
    #[serde(default)]
    pub nags: Option<Vec<u8>>,
    /// Arrows and circles.
    #[serde(default)]
    pub shapes: Option<Vec<Shape>>,
}

/// Changes tags and result; absent fields stay as they are.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetTags {
    /// The study.
    pub study: u32,
    /// All tags.
    #[serde(default)]
    pub tags: Option<Vec<Tag>>,
    /// The result.
    #[serde(default)]
    pub result: Option<GameResult>,
}

/// A PGN text.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pgn {
    /// The text.
    pub pgn: String,
}

/// A new study.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Opened {
    /// Its number.
    pub study: u32,
    /// What is in it.
    pub view: StudyView,
}

/// The games of a PGN text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReadGames {
    /// The games, each an open study.
    pub games: Vec<ReadStudy>,
    /// Why games were rejected.
    pub problems: Vec<String>,
}

/// A game of a PGN text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReadStudy {
    /// The number of its study.
    pub study: u32,
    /// Its tags.
    pub tags: Vec<Tag>,
    /// The result.
    pub result: GameResult,
    /// Plies of the main line.
    pub plies: u32,
    /// Warnings about text that could not be read as written.
    pub remarks: Vec<String>,
}

/// A study after a change.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Edited {
    /// The node to show.
    pub node: u32,
    /// What is in the study now.
    pub view: StudyView,
}

/// A node that was found.
#[derive(Copy, Clone, Debug, Serialize, ToSchema)]
pub struct Found {
    /// The node; 0 is the start.
    pub node: u32,
}

/// It is closed.
#[derive(Copy, Clone, Debug, Serialize, ToSchema)]
pub struct Close {}
