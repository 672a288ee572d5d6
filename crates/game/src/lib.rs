//! Chess games: tags, a tree of moves with comments, clocks, a result; reading and writing PGN;
//! opening names; variants, levels, ratings and exercises; and, in [`live`], games in progress.

mod annotation;
mod clock;
mod day;
mod exercise;
mod game;
mod glicko;
mod level;
pub mod live;
mod nag;
mod openings;
mod origin;
pub mod pgn;
mod printable;
mod ratings;
mod result;
mod tags;
mod tree;
mod variant;

pub use annotation::{Annotation, Arrow, Brush, Circle, Eval};
pub use clock::{Bonus, Clock, FlagFall, ParseTimeControlError, Speed, Stage, TimeControl};
pub use day::Day;
pub use exercise::{Attempted, Exercise, Solving};
pub use game::{Game, PlayError, Playing};
pub use glicko::{Encounter, Glicko};
pub use level::{Level, UnknownLevel};
pub use nag::Nag;
pub use openings::{Opening, Openings};
pub use origin::{Source, Visibility};
pub use printable::{printable, printable_line, printable_styled};
pub use ratings::Ratings;
pub use result::GameResult;
pub use tags::Tags;
pub use tree::{NodeId, Step, Tree};
pub use variant::Variant;
