//! The staged move picker: orders moves lazily, because most nodes need only the first few.

use chess::{Move, MoveKind, MoveList, Position, Role};

use super::checks::{Checks, Threats};
use super::history::{Histories, Rows};
use super::params::Params;
use super::see::{captured, is_tactical, victim, wins_at_least, worth};
use super::value::Value;

/// A move and its rating.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Rated {
    pub(crate) m: Move,
    pub(crate) rating: i32,
}

/// What the order is based on.
#[derive(Debug)]
pub(crate) struct Knowledge<'a> {
    pub(crate) position: &'a Position,
    pub(crate) threats: &'a Threats,
    pub(crate) checks: &'a Checks,
    pub(crate) histories: &'a Histories,
    pub(crate) rows: Rows,
    pub(crate) ply: usize,
    pub(crate) params: &'a Params,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    /// The TT move.
    Hash,
    GenerateCaptures,
    GoodCaptures,
    Killers(usize),
    GenerateQuiets,
    Quiets,
    BadCaptures,
    GenerateEvasions,
    Evasions,
    GenerateChecks,
    QuietChecks,
    Done,
}

/// The purpose of a picker.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Purpose {
    /// All moves.
    Main,
    /// Captures, and quiet checks on request.
    Quiescence { checks: bool },
    /// Captures that win at least `threshold`.
    ProbCut { threshold: Value },
}

/// Yields the moves of one node, most promising first. Lists live in a stack of moves shared by all
/// nodes; the caller truncates it afterwards.
#[derive(Debug)]
pub(crate) struct Picker {
    purpose: Purpose,
    stage: Stage,
    hash: Option<Move>,
    killers: [Option<Move>; 2],
    /// The next move of the list, and the end of the list.
    next: usize,
    end: usize,
    /// Losing captures are collected from here on, for the end.
    bad: usize,
    bad_end: usize,
    in_check: bool,
}

/// More than any history: separates groups of moves.
const GROUP: i32 = 1 << 20;

impl Picker {
    /// All moves; `hash` must be legal.
    pub(crate) fn new(
        position: &Position,
        hash: Option<Move>,
        killers: [Option<Move>; 2],
        bottom: usize,
    ) -> Self {
        Self::with(Purpose::Main, position, hash, killers, bottom)
    }

    /// For quiescence: captures and promotions, all evasions in check, and on request quiet checks.
    pub(crate) fn quiescence(
        position: &Position,
        hash: Option<Move>,
        checks: bool,
        bottom: usize,
    ) -> Self {
        let purpose = Purpose::Quiescence { checks };
        let hash = hash.filter(|&m| position.is_check() || is_tactical(position, m));
        Self::with(purpose, position, hash, [None; 2], bottom)
    }

    /// Captures that win at least `threshold`.
    pub(crate) fn probcut(
        position: &Position,
        hash: Option<Move>,
        threshold: Value,
        bottom: usize,
    ) -> Self {
        let hash =
            hash.filter(|&m| is_tactical(position, m) && wins_at_least(position, m, threshold));
        Self::with(Purpose::ProbCut { threshold }, position, hash, [None; 2], bottom)
    }

    fn with(
        purpose: Purpose,
        position: &Position,
        hash: Option<Move>,
        killers: [Option<Move>; 2],
        bottom: usize,
    ) -> Self {
        let in_check = position.is_check();
        Self {
            purpose,
            stage: Stage::Hash,
            hash,
            killers,
            next: bottom,
            end: bottom,
            bad: bottom,
            bad_end: bottom,
            in_check,
        }
    }

    #[inline]
    pub(crate) fn is_killer(&self, m: Move) -> bool {
        self.killers.contains(&Some(m))
    }

    /// The next move. With `skip_quiets`, only captures and promotions remain.
    pub(crate) fn next(
        &mut self,
        k: &Knowledge<'_>,
        stack: &mut Vec<Rated>,
        skip_quiets: bool,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = if self.in_check {
                        Stage::GenerateEvasions
                    } else {
                        Stage::GenerateCaptures
                    };
                    if self.hash.is_some() {
                        return self.hash;
                    }
                }
                Stage::GenerateCaptures => self.generate_captures(k, stack),
                Stage::GoodCaptures => match self.next_good_capture(k, stack) {
                    Some(m) => return Some(m),
                    None => self.stage = self.after_good_captures(),
                },
                Stage::Killers(n) => {
                    self.stage = if n == 0 { Stage::Killers(1) } else { Stage::GenerateQuiets };
                    if !skip_quiets && let Some(killer) = self.playable_killer(k, n) {
                        return Some(killer);
                    }
                }
                Stage::GenerateQuiets => self.generate_quiets(k, stack, skip_quiets),
                Stage::Quiets => {
                    if !skip_quiets && let Some(best) = self.take_best(stack) {
                        return Some(best.m);
                    }
                    self.next = self.bad;
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    // In the order in which they were set aside: best first.
                    if self.next < self.bad_end {
                        self.next += 1;
                        return Some(stack[self.next - 1].m);
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => self.generate_evasions(k, stack),
                Stage::Evasions => match self.take_best(stack) {
                    Some(best) if skip_quiets && !is_tactical(k.position, best.m) => {}
                    Some(best) => return Some(best.m),
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateChecks => self.generate_checks(k, stack),
                Stage::QuietChecks => match self.take_best(stack) {
                    Some(best) => return Some(best.m),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    #[inline]
    fn generate_captures(&mut self, k: &Knowledge<'_>, stack: &mut Vec<Rated>) {
        let mut moves = MoveList::new();
        k.position.legal_captures_into(&mut moves);
        self.fill(stack, &moves, |m| rate_capture(k, m));
        self.bad = self.next;
        self.bad_end = self.next;
        self.stage = Stage::GoodCaptures;
    }

    /// The next capture that doesn't lose material, or for `ProbCut` wins enough. The main search
    /// sets losing ones aside.
    #[inline]
    fn next_good_capture(&mut self, k: &Knowledge<'_>, stack: &mut [Rated]) -> Option<Move> {
        while let Some(Rated { m, rating }) = self.take_best(stack) {
            match self.purpose {
                Purpose::Main if !wins_at_least(k.position, m, -rating / k.params.good_capture) => {
                    // Entries before `next` are free space.
                    stack[self.bad_end] = Rated { m, rating };
                    self.bad_end += 1;
                }
                Purpose::ProbCut { threshold } if !wins_at_least(k.position, m, threshold) => {}
                _ => return Some(m),
            }
        }
        None
    }

    #[inline]
    const fn after_good_captures(&self) -> Stage {
        match self.purpose {
            Purpose::Main => Stage::Killers(0),
            Purpose::Quiescence { checks: true } => Stage::GenerateChecks,
            _ => Stage::Done,
        }
    }

    /// A killer, if it is a legal quiet move here that hasn't been tried.
    #[inline]
    fn playable_killer(&self, k: &Knowledge<'_>, n: usize) -> Option<Move> {
        self.killers[n].filter(|&killer| {
            self.hash != Some(killer)
                && !is_tactical(k.position, killer)
                && k.position.is_legal(killer)
        })
    }

    #[inline]
    fn generate_quiets(&mut self, k: &Knowledge<'_>, stack: &mut Vec<Rated>, skip_quiets: bool) {
        self.next = self.end;
        if !skip_quiets {
            let mut moves = MoveList::new();
            k.position.legal_quiets_into(&mut moves);
            let killers = self.killers;
            self.fill(stack, &moves, |m| {
                (!killers.contains(&Some(m))).then(|| rate_quiet(k, m))?
            });
        }
        self.stage = Stage::Quiets;
    }

    /// All moves, captures first: in check there are few.
    #[inline]
    fn generate_evasions(&mut self, k: &Knowledge<'_>, stack: &mut Vec<Rated>) {
        let mut moves = MoveList::new();
        k.position.legal_moves_into(&mut moves);
        self.fill(stack, &moves, |m| {
            if is_tactical(k.position, m) {
                rate_capture(k, m).map(|rating| rating + GROUP)
            } else {
                rate_quiet(k, m)
            }
        });
        self.stage = Stage::Evasions;
    }

    /// Quiet moves that give check.
    #[inline]
    fn generate_checks(&mut self, k: &Knowledge<'_>, stack: &mut Vec<Rated>) {
        let mut moves = MoveList::new();
        k.position.legal_quiets_into(&mut moves);
        self.next = self.end;
        self.fill(stack, &moves, |m| k.checks.given_by(k.position, m).then(|| rate_quiet(k, m))?);
        self.stage = Stage::QuietChecks;
    }

    /// Adds the moves that have a rating, without the TT move, as the list to take from.
    #[inline]
    fn fill(
        &mut self,
        stack: &mut Vec<Rated>,
        moves: &MoveList,
        rate: impl Fn(Move) -> Option<i32>,
    ) {
        for &m in moves {
            if Some(m) != self.hash
                && let Some(rating) = rate(m)
            {
                stack.push(Rated { m, rating });
            }
        }
        self.end = stack.len();
    }

    /// The best remaining move of the list.
    #[inline]
    fn take_best(&mut self, stack: &mut [Rated]) -> Option<Rated> {
        let list = stack.get_mut(self.next..self.end)?;
        let mut best = 0;
        let mut rating = list.first()?.rating;
        for (index, rated) in list.iter().enumerate().skip(1) {
            if rated.rating > rating {
                (best, rating) = (index, rated.rating);
            }
        }
        list.swap(0, best);
        self.next += 1;
        Some(list[0])
    }
}

/// MVV: most valuable victim first, plus capture history.
#[inline]
fn rate_capture(k: &Knowledge<'_>, m: Move) -> Option<i32> {
    let piece = k.position.piece_on(m.from())?;
    let promotion = match m.kind() {
        MoveKind::PromoteQueen => worth(Role::Queen),
        MoveKind::PromoteKnight | MoveKind::PromoteBishop | MoveKind::PromoteRook => {
            -worth(Role::Queen)
        }
        _ => 0,
    };
    let history = victim(k.position, m).map_or(0, |victim| k.histories.capture(piece, m, victim));
    Some(8 * (captured(k.position, m) + promotion) + history)
}

/// Histories; escaping an attack; safe checks.
#[inline]
fn rate_quiet(k: &Knowledge<'_>, m: Move) -> Option<i32> {
    let piece = k.position.piece_on(m.from())?;
    let histories = k.histories;
    let mut rating = 2 * histories.quiet(k.position.turn(), k.threats, m)
        + 2 * histories.pawn(k.position, piece, m);
    let [one, two, four, six] = k.rows.map(|row| histories.continuation(row, piece, m));
    rating += 2 * one + two + four + six / 2;
    rating += 8 * histories.low_ply(k.ply, m) / (1 + k.ply as i32);

    let danger = k.threats.to(piece.role());
    if danger.any() {
        let stake = match piece.role() {
            Role::Queen => k.params.order_queen,
            Role::Rook => k.params.order_rook,
            _ => k.params.order_minor,
        };
        if danger.has(m.from()) {
            rating += stake;
        }
        if danger.has(m.to()) {
            rating -= stake;
        }
    }
    if k.checks.is_direct(piece.role(), m)
        && wins_at_least(k.position, m, -k.params.order_check_see)
    {
        rating += k.params.order_check;
    }
    Some(rating)
}
