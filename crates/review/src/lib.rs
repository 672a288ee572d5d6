//! Game review: every move gets a label, and every mistake an explanation with proof.
//!
//! [`review`] asks an [`Analyst`](engine::Analyst) about the positions of a game and writes a
//! [`GameReport`]: plain data with moves as text, which can be stored, sent, and
//! [checked](GameReport::check) by replaying every line in it. Labels come from the loss in
//! expected score ([`curve`]); explanations are [claims](Claim) about a line, and each claim is
//! verified on the board before it is made. [`words`] turns them into English or German.

pub mod accuracy;
mod board;
mod check;
mod claims;
pub mod curve;
mod facts;
mod identity;
mod judge;
mod label;
mod mode;
mod opening;
mod phase;
mod plan;
mod puzzle;
mod puzzles;
pub mod render;
mod report;
mod reviewer;
mod second;
mod sides;
mod special;
mod steps;
mod survey;
mod turning;
mod variation;
pub mod words;

pub use check::BadReport;
pub use claims::Evidence;
pub use facts::{Facts, Gift};
pub use identity::{fingerprint, own_bench, own_name, own_options};
pub use label::{Group, Label};
pub use mode::{Mode, classic, lichess};
pub use phase::Phase;
pub use plan::{Effort, Plan};
pub use puzzle::{Puzzle, PuzzleKind};
pub use report::{
    Claim, Clocked, GameReport, Motif, MoveReport, MoveText, OpeningReport, Origin, PieceAt,
    ScoreText, SideReport, Whose,
};
pub use reviewer::{Progress, ReviewError, evidence, review, review_with};
pub use steps::{BadSteps, Steps};
