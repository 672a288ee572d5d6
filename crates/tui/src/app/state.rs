//! The parts of the board's state.

use engine::Report;
use review::GameReport;

use crate::pairing::Pairing;
use crate::theme::{Depth, Theme};

/// How the board is drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// How many colors the terminal has.
    pub depth: Depth,
    /// The colors of the board.
    pub theme: Theme,
    /// Whether pieces are letters.
    pub ascii: bool,
}

/// What the player wants of the program.
#[derive(Clone, Debug)]
pub struct Preferences {
    /// How the board is drawn.
    pub look: Look,
    /// The terms of the first game, which the form for new games begins with.
    pub pairing: Pairing,
    /// Whether to begin with the form for a new game.
    pub ask: bool,
    /// Whether to show the engine's lines from the beginning.
    pub analyse: bool,
    /// Whether the player reads lines of text: nothing is asked, and nothing starts by itself.
    pub plain: bool,
    /// What to say before the first game.
    pub note: Option<&'static str>,
}

/// What the player is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notice {
    /// The text.
    pub text: String,
    /// Whether something went wrong.
    pub bad: bool,
}

/// The engine's lines about the position shown.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// Whether they are wanted.
    pub on: bool,
    /// The request that is under way.
    pub ticket: Option<u64>,
    /// The lines, best first.
    pub lines: Vec<Report>,
    /// The node they are about, and the tree's revision.
    pub about: Option<(u32, u64)>,
    /// Whether only a hint is wanted.
    pub hint: bool,
}

/// The review of the game shown.
#[derive(Clone, Debug, Default)]
pub enum Reviewing {
    /// There is none.
    #[default]
    None,
    /// It is being made.
    Running {
        /// The request.
        ticket: u64,
        /// Positions judged.
        done: usize,
        /// Positions to judge.
        of: usize,
    },
    /// It is done.
    Done(Box<GameReport>),
}
