//! The state that a thread keeps between searches.

use chess::{Line, Position};

use super::correction::Corrections;
use super::history::Histories;
use super::picker::Rated;
use super::reduce::Reductions;
use super::value::MAX_PLY;
use super::worker::{Frame, PAST};
use crate::eval::{Evaluator, Knowledge};
use crate::memory::is_room;
use crate::threads::STACK;

/// The state that a thread keeps between searches.
#[derive(Debug)]
pub(crate) struct Thread {
    pub(crate) experience: Experience,
    pub(super) scratch: Scratch,
}

impl Thread {
    /// An upper bound of a thread's memory beyond its large tables: the stack, the evaluator, the
    /// lines of moves. These are allocated bit by bit, some during a search, where a failure aborts
    /// the process.
    pub(crate) const ROOM: usize = STACK + (2 << 20);

    /// A thread that evaluates with this knowledge; `None` if there is not enough memory.
    pub(crate) fn new(knowledge: &Knowledge) -> Option<Self> {
        let (histories, corrections) = (Histories::new()?, Corrections::new()?);
        is_room(Self::ROOM).then(|| Self {
            experience: Experience { histories, corrections, evaluator: Evaluator::new(knowledge) },
            scratch: Scratch::new(),
        })
    }
}

/// What a thread has learnt.
#[derive(Debug)]
pub(crate) struct Experience {
    pub(crate) histories: Histories,
    pub(crate) corrections: Corrections,
    pub(crate) evaluator: Evaluator,
}

impl Experience {
    pub(crate) fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.evaluator.clear();
    }
}

/// The working memory of a search. Its contents are meaningless between searches, but it takes
/// longer to build than a search of a hundred nodes.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) reductions: Reductions,
    pub(super) frames: Vec<Frame>,
    pub(super) keys: Vec<u64>,
    pub(super) moves: Vec<Rated>,
}

impl Scratch {
    fn new() -> Self {
        Self {
            reductions: Reductions::new(),
            frames: vec![Frame::new(Position::default()); PAST + MAX_PLY + 2],
            keys: Vec::new(),
            moves: Vec::with_capacity(4_096),
        }
    }

    /// Prepares a search from the end of `line`. Frames beyond the first few need no reset: a node
    /// sets what its children read.
    pub(super) fn prepare(&mut self, line: &Line) {
        let position = line.position();
        for frame in &mut self.frames[..PAST + 3] {
            *frame = Frame { pv: std::mem::take(&mut frame.pv), ..Frame::new(position.clone()) };
        }
        // No position before the last capture or pawn move can recur.
        let reach = usize::from(position.halfmoves()) + 1;
        self.keys.clear();
        self.keys.extend(line.positions().rev().take(reach).map(Position::key));
        self.keys.reverse();
        self.moves.clear();
    }
}
