//! A game as people know it: tags, a tree of moves with comments, clocks, a result; PGN in and
//! out; names of openings; and, in [`live`], a game while it is being played.

mod annotation;
mod clock;
mod game;
pub mod live;
mod nag;
mod openings;
pub mod pgn;
mod result;
mod tags;
mod tree;

pub use annotation::{Annotation, Arrow, Brush, Circle, Eval};
pub use clock::{Bonus, Clock, FlagFall, ParseTimeControlError, Speed, Stage, TimeControl};
pub use game::{Game, PlayError, Playing};
pub use nag::Nag;
pub use openings::{Opening, Openings};
pub use result::GameResult;
pub use tags::Tags;
pub use tree::{NodeId, Tree};
