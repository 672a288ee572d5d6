//! One search thread: its stack, making and unmaking moves, and when it must stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use chess::{Line, Move, Position};

use super::checks::{Checks, Threats};
use super::correction::Place;
use super::history::{Row, Rows};
use super::params::Params;
use super::picker::{Knowledge, Picker, Rated};
use super::reduce::Reductions;
use super::root::RootMove;
use super::static_eval::scaled;
use super::thread::{Experience, Scratch, Thread};
use super::tt::Table;
use super::value::{DRAW, NONE, Value, as_evaluation};
use crate::Stop;
use crate::eval::{fade, is_lone_king};
use crate::handicap::Handicap;
use crate::memory::PREFETCHES;
use crate::tablebase::Tablebases;
use crate::time::Timer;

/// Frames before the root, so that "six plies ago" always exists.
pub(super) const PAST: usize = 7;

/// One ply of the line being searched.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) position: Position,
    /// The move played from here, as a row of the continuation table.
    pub(crate) row: Row,
    pub(crate) played: Option<Move>,
    /// The number of the move played from here, from 1.
    pub(crate) count: i32,
    /// Whether the move played from here is quiet.
    pub(crate) quiet: bool,
    /// Plies since a null move: repetitions don't count across one.
    pub(super) since_null: u16,
    pub(crate) static_eval: Value,
    pub(crate) threats: Threats,
    pub(crate) killers: [Option<Move>; 2],
    /// The move excluded by a singular search.
    pub(crate) excluded: Option<Move>,
    /// How often nodes at this ply failed high recently ("cutoff count").
    pub(crate) cutoffs: i32,
    /// How far the move played from here is being reduced, in plies.
    pub(crate) reduction: i32,
    /// The node is, or was, on the principal variation ("ttPv").
    pub(crate) table_pv: bool,
    /// The principal variation from here.
    pub(crate) pv: Vec<Move>,
}

/// State shared by all threads of a search.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) tablebases: Option<&'a Tablebases>,
    pub(crate) params: &'a Params,
    /// The handicap of a limited player; only used by a `LIMITED` [`Worker`].
    pub(crate) handicap: Option<&'a Handicap>,
    pub(crate) stop: &'a Stop,
    pub(crate) timer: &'a Timer,
    /// The value at our last move of the game.
    pub(crate) last_value: Option<Value>,
    /// The search is over, for whatever reason.
    pub(crate) over: AtomicBool,
    pub(crate) tablebase_hits: AtomicU64,
    pub(crate) node_limit: u64,
    /// No line is longer than this: positions there are evaluated.
    pub(crate) longest: usize,
    pub(crate) threads: usize,
}

impl Frame {
    pub(super) fn new(position: Position) -> Self {
        Self {
            position,
            row: Row::NONE,
            played: None,
            count: 0,
            quiet: false,
            since_null: u16::MAX / 2,
            static_eval: NONE,
            threats: Threats::default(),
            killers: [None; 2],
            excluded: None,
            cutoffs: 0,
            reduction: 0,
            table_pv: false,
            pv: Vec::new(),
        }
    }
}

/// A thread during one search.
///
/// `LIMITED`: it plays with a handicap. The two kinds of search are compiled separately, so that
/// full strength pays nothing for the checks at each node.
#[derive(Debug)]
pub(crate) struct Worker<'a, const LIMITED: bool> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) own: &'a mut Experience,
    pub(crate) reductions: &'a Reductions,
    frames: &'a mut [Frame],
    /// Keys of the game and of the line being searched.
    keys: &'a mut Vec<u64>,
    /// The move lists of all active pickers.
    pub(crate) moves: &'a mut Vec<Rated>,
    pub(crate) root: Vec<RootMove>,
    /// The index of the current line of a `MultiPV` search.
    pub(crate) pv_index: usize,
    pub(crate) root_depth: i32,
    pub(crate) selective_depth: usize,
    /// The ply below which null moves are not tried, while one is being verified.
    pub(crate) null_from: usize,
    pub(crate) nodes: u64,
    /// Nodes that were already added to the shared count.
    counted: u64,
    /// The first thread checks the limits.
    leads: bool,
}

/// The clock is checked once in this many nodes.
const LOOK_EVERY: u64 = 512;

impl<'a, const LIMITED: bool> Worker<'a, LIMITED> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        thread: &'a mut Thread,
        line: &Line,
        root: Vec<RootMove>,
        leads: bool,
    ) -> Self {
        let Thread { experience: own, scratch } = thread;
        own.evaluator.start(line.position());
        own.histories.new_search();
        scratch.prepare(line);
        let Scratch { reductions, frames, keys, moves } = scratch;
        Self {
            shared,
            own,
            reductions,
            frames,
            keys,
            moves,
            root,
            pv_index: 0,
            root_depth: 0,
            selective_depth: 0,
            null_from: 0,
            nodes: 0,
            counted: 0,
            leads,
        }
    }

    #[inline]
    pub(crate) fn frame(&self, ply: usize) -> &Frame {
        &self.frames[PAST + ply]
    }

    #[inline]
    pub(crate) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[PAST + ply]
    }

    /// A frame to read while the experience is updated.
    #[inline]
    pub(crate) fn frame_and_experience(&mut self, ply: usize) -> (&Frame, &mut Experience) {
        (&self.frames[PAST + ply], self.own)
    }

    /// The frame some plies earlier; before the root there are empty ones.
    #[inline]
    pub(crate) fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.frames[PAST + ply - plies]
    }

    #[inline]
    pub(crate) fn position(&self, ply: usize) -> &Position {
        &self.frame(ply).position
    }

    /// The moves that led here, as rows of the continuation table.
    #[inline]
    pub(crate) fn rows(&self, ply: usize) -> Rows {
        [1, 2, 4, 6].map(|plies| self.before(ply, plies).row)
    }

    /// The indices of this node's corrections.
    #[inline]
    pub(crate) fn place(&self, ply: usize) -> Place {
        let row = |plies| self.before(ply, plies).row;
        Place::new(self.position(ply), row(1), [2, 4].map(row))
    }

    /// Prefetches the table entry of the position after a move. Memory is slower than anything else
    /// here, so do it as soon as the move is known.
    #[inline]
    pub(crate) fn prefetch(&self, ply: usize, m: Move) {
        if PREFETCHES {
            self.shared.table.prefetch(self.position(ply).key_after(m));
        }
    }

    /// Makes a legal move; the position after it is one ply further.
    #[inline]
    pub(crate) fn play(&mut self, ply: usize, m: Move, quiet: bool) {
        #[cfg(target_arch = "wasm32")]
        self.shared.table.touch(self.position(ply).key_after(m));
        let (here, next) = self.two_frames(ply);
        let piece = here.position.piece_on(m.from()).expect("a legal move has a piece");
        here.row = Row::new(piece, m);
        here.played = Some(m);
        here.quiet = quiet;
        next.since_null = here.since_null.saturating_add(1);
        next.position.clone_from(&here.position);
        next.position.play_unchecked(m);
        let key = next.position.key();
        if PREFETCHES {
            self.own.corrections.prefetch(&self.place(ply + 1));
        }
        self.own.evaluator.play(&self.frames[PAST + ply].position, m);
        self.keys.push(key);
        self.nodes += 1;
    }

    /// Makes a null move; the caller knows that it is not in check.
    pub(crate) fn pass(&mut self, ply: usize) {
        let (here, next) = self.two_frames(ply);
        here.row = Row::NONE;
        here.played = None;
        here.quiet = false;
        next.since_null = 0;
        next.position = here.position.after_null_move().expect("not in check");
        let key = next.position.key();
        self.own.evaluator.pass();
        self.shared.table.prefetch(key);
        self.keys.push(key);
        self.nodes += 1;
    }

    /// The next move of a node, most promising first.
    #[inline]
    pub(crate) fn pick(
        &mut self,
        picker: &mut Picker,
        ply: usize,
        checks: &Checks,
        rows: Rows,
        skip_quiets: bool,
    ) -> Option<Move> {
        let frame = &self.frames[PAST + ply];
        let knowledge = Knowledge {
            position: &frame.position,
            threats: &frame.threats,
            checks,
            histories: &self.own.histories,
            rows,
            ply,
            params: self.shared.params,
        };
        picker.next(&knowledge, self.moves, skip_quiets)
    }

    /// Unmakes a move or a null move.
    #[inline]
    pub(crate) fn undo(&mut self) {
        self.keys.pop();
        self.own.evaluator.undo();
    }

    #[inline]
    fn two_frames(&mut self, ply: usize) -> (&mut Frame, &mut Frame) {
        let (before, after) = self.frames.split_at_mut(PAST + ply + 1);
        (&mut before[PAST + ply], &mut after[0])
    }

    /// The PV from here is this move followed by the PV after it.
    pub(crate) fn extend_pv(&mut self, ply: usize, m: Move) {
        let (here, next) = self.two_frames(ply);
        here.pv.clear();
        here.pv.push(m);
        here.pv.extend_from_slice(&next.pv);
    }

    /// The raw evaluation: without corrections, with a limited player's errors.
    #[inline]
    pub(crate) fn evaluate(&mut self, ply: usize) -> Value {
        let position = &self.frames[PAST + ply].position;
        let value = self.own.evaluator.evaluate(position);
        let value = scaled(value, position, self.shared.params);
        match self.shared.handicap {
            Some(handicap) if LIMITED => handicap.misjudge(position, value),
            _ => value,
        }
    }

    /// Whether a limited player overlooks a move.
    #[inline]
    pub(crate) fn overlooks(&self, ply: usize, m: Move) -> bool {
        LIMITED
            && self.shared.handicap.is_some_and(|handicap| {
                handicap.overlooks(self.position(ply), m, self.before(ply, 1).played)
            })
    }

    /// The static eval: the evaluation with its correction, scaled down as the fifty-move rule
    /// comes near. Also returns the correction. Against a lone king the evaluation knows the way, and
    /// must be the same however the position is reached.
    #[inline]
    pub(crate) fn corrected(&self, ply: usize, eval: Value) -> (Value, Value) {
        if is_lone_king(self.position(ply)) {
            return (as_evaluation(eval), 0);
        }
        let shift = self.own.corrections.shift(&self.place(ply), self.shared.params);
        (fade(as_evaluation(eval + shift), self.position(ply).halfmoves()), shift.abs())
    }

    /// Whether the node is a draw whatever is played: fifty moves, repetition, insufficient
    /// material.
    pub(crate) fn is_draw(&self, ply: usize) -> bool {
        let position = self.position(ply);
        if position.halfmoves() >= 100 {
            return !position.is_check() || position.has_legal_move();
        }
        self.repeats(ply) || (position.occupied().count() <= 4 && position.is_dead())
    }

    /// One repetition of a position of this search is enough: what was good once will be again.
    /// Positions of the game must occur a third time.
    fn repeats(&self, ply: usize) -> bool {
        let frame = self.frame(ply);
        let last = self.keys.len() - 1;
        let reach = usize::from(frame.position.halfmoves().min(frame.since_null)).min(last);
        let key = self.keys[last];
        let mut seen = 0;
        let mut back = 4;
        while back <= reach {
            if self.keys[last - back] == key {
                seen += 1;
                if back < ply || seen == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// Whether the side to move can return to a position of this search, or repeat one of the game
    /// a third time: it has at least a draw ("upcoming repetition").
    pub(crate) fn can_repeat(&self, ply: usize) -> bool {
        let frame = self.frame(ply);
        let last = self.keys.len() - 1;
        let reach = usize::from(frame.position.halfmoves().min(frame.since_null)).min(last);
        if reach < 3 {
            return false;
        }
        let key = |back: usize| self.keys[last - back];
        // What the opponent's moves have changed; a move of ours leads back only if that is
        // nothing.
        let mut theirs = key(0) ^ key(1) ^ Position::PASS;
        for back in (3..=reach).step_by(2) {
            theirs ^= key(back - 1) ^ key(back) ^ Position::PASS;
            if theirs == 0 && frame.position.is_one_step_from(key(back)) {
                let earlier = (back + 2..=reach).step_by(2);
                if back < ply || earlier.into_iter().any(|more| key(more) == key(back)) {
                    return true;
                }
            }
        }
        false
    }

    /// The score of a draw, slightly randomised so that the search doesn't treat all draws alike
    /// ("draw randomisation").
    #[inline]
    pub(crate) const fn draw(&self) -> Value {
        DRAW + (self.nodes & 2) as Value - 1
    }

    /// Whether the search is over. The first thread checks the limits, and tells the others.
    #[inline]
    pub(crate) fn must_stop(&mut self) -> bool {
        if self.shared.threads == 1 && self.nodes >= self.shared.node_limit {
            self.end();
        }
        if self.nodes - self.counted >= LOOK_EVERY {
            self.look();
        }
        self.over()
    }

    #[cold]
    fn look(&mut self) {
        let nodes = self.count();
        if self.leads {
            let shared = self.shared;
            let out_of_time = shared.timer.is_over(self.root_depth, shared.stop);
            if shared.stop.is_stopped() || nodes >= shared.node_limit || out_of_time {
                self.end();
            }
        }
    }

    /// Adds this thread's nodes to those of all threads, and returns how many these are.
    pub(crate) fn count(&mut self) -> u64 {
        let new = self.nodes - self.counted;
        self.counted = self.nodes;
        self.shared.timer.count(new)
    }

    /// Whether the search is over, as far as is known.
    #[inline]
    pub(crate) fn over(&self) -> bool {
        self.shared.over.load(Ordering::Relaxed)
    }

    /// Ends the search for all threads.
    pub(crate) fn end(&self) {
        self.shared.over.store(true, Ordering::Relaxed);
    }

    /// Whether this thread reports and watches the limits.
    pub(crate) const fn leads(&self) -> bool {
        self.leads
    }
}
