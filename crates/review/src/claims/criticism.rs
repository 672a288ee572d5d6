//! What two lines prove about a move: the one after it, and the one after a better move.

use chess::{CastlingMode, Line, Move, Position};
use engine::{MatePlies, Score, wdl};

use super::case::{Case, Finding};
use super::{
    defender, fork, hanging, mate, pawns, pin, placing, prophylaxis, ray, trapped, verdicts,
};
use crate::board::{balance, captured_on};
use crate::curve::{CURVE, points};
use crate::report::{Claim, Motif, PieceAt, Whose};
use crate::variation::Variation;

/// The share of the loss that the material must account for. With a half, free pawns that a person
/// would name at once went unsaid.
const SHARE: f64 = 1.0 / 3.0;
/// Centipawns by which the scores must differ for each pawn that a motif wins, and for each that the
/// engine just wins in its line.
const PLAUSIBLE: i32 = 40;
const LIKELY: i32 = 70;
/// Centipawns by which a score may fall short of the material at the end of such a line.
const COMPENSATION: i32 = 120;
/// Pawns that the better line may win if it is the position that makes the difference.
const AT_MOST_A_PIECE: i32 = 3;
/// The plies of the other line in which the same piece must not fall.
const SOON: usize = 6;

/// A move and the lines by which it is judged, without an analyst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The position before the move.
    pub root: Position,
    /// The move played, and what follows.
    pub played: Vec<Move>,
    /// The better move, and what follows.
    pub better: Vec<Move>,
    /// The score of the better move, for the player.
    pub best_score: Score,
    /// The score of the move played, for the player.
    pub played_score: Score,
}

impl Evidence {
    /// What the lines prove: at most one claim about what the move allowed, and one about what it
    /// missed. None if a line is empty or illegal.
    pub fn claims(&self) -> Vec<Claim> {
        let line = |moves: &[Move]| -> Option<Variation> {
            let mut line = Line::new(self.root.clone());
            moves.iter().try_for_each(|&m| line.play(m).ok())?;
            (!moves.is_empty()).then(|| Variation::after(&line, 0))
        };
        let (Some(played), Some(better)) = (line(&self.played), line(&self.better)) else {
            return Vec::new();
        };
        let (best_score, played_score) = (self.best_score, self.played_score);
        let criticism = Criticism { played, better, best_score, played_score };
        criticism.claims(self.root.castling_mode())
    }
}

impl From<Criticism> for Evidence {
    fn from(criticism: Criticism) -> Self {
        let Criticism { played, better, best_score, played_score } = criticism;
        let root = played.start().clone();
        Self { root, played: played.moves, better: better.moves, best_score, played_score }
    }
}

/// A move that is criticised. Both lines begin at the position before it.
pub(crate) struct Criticism {
    /// The move played, and what follows.
    pub played: Variation,
    /// The better move, and what follows.
    pub better: Variation,
    /// The scores of both, for the player.
    pub best_score: Score,
    pub played_score: Score,
}

impl Criticism {
    /// What a marked move allowed or missed.
    pub(crate) fn claims(&self, mode: CastlingMode) -> Vec<Claim> {
        let root = self.played.start();
        let us = root.turn();
        let end = |line: &Variation| balance(line.end(), us);
        // What the better line has more of than the one played.
        let cost = end(&self.better) - end(&self.played);
        let after = self.played.from(1);
        let allowed = Case { line: &after, after: Some((root, self.played.moves[0])) };
        let missed = Case { line: &self.better, after: None };
        let lost = balance(root, us) - end(&self.played);
        let won = end(&self.better) - balance(root, us);
        let mut found = Found::default();
        // Mates come first, allowed or missed.
        if matches!(self.played_score, Score::Mate(MatePlies(plies)) if plies <= 0) {
            found.add(Whose::Allowed, mate::mate(&allowed), 0);
        }
        if matches!(self.best_score, Score::Mate(MatePlies(plies)) if plies > 0) {
            found.add(Whose::Missed, mate::mate(&missed), 0);
        }
        if mate::stalemate(&self.played) {
            found.add(Whose::Allowed, stalemate(&self.played), 0);
        }
        // Material that one line costs or the other wins, if the difference is a good part of it. A
        // line that ends in a mate of which the search knows nothing was played badly.
        let explains = |gain: i32| gain >= 1 && self.explains(cost);
        let sound = |line: &Variation| !line.mates();
        if explains(lost) && self.is_plausible(lost, PLAUSIBLE) && sound(&self.played) {
            let taken = allowed.line.gain(!us, allowed.line.moves.len()) - lost;
            let blow = blow(&allowed).filter(|finding| {
                !self.falls_anyway(&allowed, finding)
                    && finding.sure.is_none_or(|pawns| pawns > taken)
            });
            let expected = || self.expected(&allowed, &self.better, lost);
            found.add(Whose::Allowed, blow.or_else(expected), lost);
        }
        if explains(won) && self.is_plausible(won, PLAUSIBLE) && sound(&self.better) {
            let blow = blow(&missed).filter(|finding| !self.took_it(finding));
            let expected = || self.expected(&missed, &self.played, won);
            found.add(Whose::Missed, blow.or_else(expected), won);
        }
        if found.0.is_empty() {
            found.add(Whose::Allowed, verdict(&allowed, self.points()), 0);
            found.add(Whose::Missed, verdict(&missed, self.points()), 0);
        }
        if found.0.is_empty()
            && cost <= AT_MOST_A_PIECE
            && let Some((whose, motif)) =
                placing::advantage(root, self.better.end(), self.played.end())
        {
            let line = if whose == Whose::Allowed { &after } else { &self.better };
            let first = line.moves.first().map(|m| m.from());
            found.add(whose, first.map(|from| Finding::new(motif, 0, from, Vec::new())), 0);
        }
        if found.0.is_empty() {
            found.add(Whose::Allowed, prophylaxis::prevented(&self.played, &self.better), 0);
        }
        let spoken = |(whose, finding, gain): &(Whose, Finding, i32)| {
            let case = if *whose == Whose::Allowed { &allowed } else { &missed };
            claim(case, finding, *whose, *gain, mode)
        };
        found.0.iter().map(spoken).collect()
    }

    /// The expected scores of the better move and of the one played.
    fn points(&self) -> [f64; 2] {
        let material = wdl::material(self.played.start());
        [self.best_score, self.played_score].map(|score| points(score, material))
    }

    /// Whether the scores know of this much material: if they differ by much less, there is
    /// compensation, or somebody has played badly in one of the lines.
    fn is_plausible(&self, pawns: i32, centipawns: i32) -> bool {
        match (self.best_score, self.played_score) {
            (Score::Cp(best), Score::Cp(played)) => best - played >= centipawns * pawns,
            _ => true,
        }
    }

    /// Material that is won in a line without force, if the scores know of it and the same piece
    /// doesn't fall in the other line.
    fn expected(&self, case: &Case<'_>, other: &Variation, pawns: i32) -> Option<Finding> {
        let finding = verdicts::expected(case)?;
        let winner = case.winner();
        let score = if case.after.is_some() { self.played_score } else { self.best_score };
        let ahead = match score {
            Score::Cp(centipawns) if winner == self.played.start().turn() => centipawns,
            Score::Cp(centipawns) => -centipawns,
            Score::Mate(_) => return None,
        };
        let on_board = 100 * balance(case.line.end(), winner);
        let agreed = self.is_plausible(pawns, LIKELY) && ahead >= on_board - COMPENSATION;
        (agreed && !falls_in(other, case, &finding)).then_some(finding)
    }

    /// Whether what hangs or is driven out after the move played is taken just as well after the
    /// better move, or won by force with the same moves.
    fn falls_anyway(&self, allowed: &Case<'_>, finding: &Finding) -> bool {
        if finding.motif == Motif::Material {
            let won = 1..finding.key + 2;
            return self.better.moves.get(won.clone()) == self.played.moves.get(won);
        }
        if matches!(finding.motif, Motif::Skewer | Motif::Trapped) {
            return falls_in(&self.better, allowed, finding);
        }
        let hangs = matches!(finding.motif, Motif::Hanging | Motif::Exchange);
        let (Some(after), Some(&capture)) =
            (self.played.positions.get(1), self.played.moves.get(1))
        else {
            return false;
        };
        let worth = engine::exchange(after, capture);
        let replies = [1, 3].into_iter().filter_map(|index| {
            Some((self.better.positions.get(index)?, *self.better.moves.get(index)?))
        });
        let target = finding.targets.first().copied();
        hangs
            && replies.into_iter().any(|(position, reply)| {
                captured_on(position, reply).is_some_and(|square| Some(square) == target)
                    && engine::exchange(position, reply) >= (worth - 50).max(100)
            })
    }

    /// Whether the move played took what stood there for the taking, with another piece.
    fn took_it(&self, finding: &Finding) -> bool {
        let taken = captured_on(self.played.start(), self.played.moves[0]);
        let hangs = matches!(finding.motif, Motif::Hanging | Motif::Exchange);
        hangs && taken.is_some() && taken == finding.targets.first().copied()
    }

    /// Whether losing this much material from the better score would cost a good part of what the
    /// move cost.
    fn explains(&self, pawns: i32) -> bool {
        let Score::Cp(best) = self.best_score else { return pawns >= 1 };
        let material = wdl::material(self.played.start());
        let points = |centipawns: i32| CURVE.points(f64::from(centipawns), material);
        let [b, p] = self.points();
        let enough = points(best) - points(best - 100 * pawns) >= SHARE * (b - p);
        // A whole piece decides most games, even where the curve is flat.
        pawns >= 3 || pawns >= 1 && enough
    }
}

/// Whether the first target of a finding is soon taken in another line from the same root as well,
/// where it stands.
fn falls_in(other: &Variation, case: &Case<'_>, finding: &Finding) -> bool {
    let target = finding.targets.first().copied();
    let before = case.line.before(finding.key);
    let piece = target.and_then(|square| before.piece_on(square));
    other.moves.iter().zip(&other.positions).take(SOON).any(|(&m, position)| {
        position.turn() == case.winner()
            && captured_on(position, m) == target
            && target.and_then(|square| position.piece_on(square)) == piece
    })
}

/// A claim as text.
fn claim(case: &Case<'_>, finding: &Finding, whose: Whose, gain: i32, mode: CastlingMode) -> Claim {
    let before = case.line.before(finding.key);
    let len = match finding.motif {
        Motif::Win | Motif::Draw | Motif::ExposedKing | Motif::BadTrade => {
            case.line.moves.len().min(8)
        }
        // What they are about is seen at the end.
        Motif::Repetition
        | Motif::Stalemate
        | Motif::KingSafety
        | Motif::Passer
        | Motif::Structure
        | Motif::Activity
        | Motif::KingActivity
        | Motif::BishopPair => case.line.moves.len(),
        Motif::Prophylaxis => case.line.moves.len().min(4),
        _ => finding
            .sure
            .map_or_else(|| case.line.point(case.winner()), |pawns| case.moves_to_gain(pawns))
            .max(finding.key + 1),
    };
    let gain = match finding.motif {
        Motif::Mate | Motif::BackRank | Motif::EngineMate => {
            case.line.moves.len().div_ceil(2) as u32
        }
        _ if gain == 0 => 0,
        _ => {
            // What the line shows, less what the criticised move itself took.
            let before = case.line.gain(case.winner(), case.line.moves.len()) - gain;
            (case.line.gain(case.winner(), len) - before).max(0).unsigned_abs()
        }
    };
    let stands = |square: &chess::Square| {
        PieceAt::on(*square, before)
            .or_else(|| PieceAt::on(*square, case.line.before(finding.key + 1)))
    };
    Claim {
        motif: finding.motif,
        whose,
        origin: finding.origin,
        actor: PieceAt::on(finding.actor, before),
        targets: finding.targets.iter().filter_map(stands).collect(),
        gain,
        line: case.line.text(len, mode),
        key: finding.key.min(len.saturating_sub(1)),
    }
}

/// Findings, one for what a move allows and one for what it misses.
#[derive(Default)]
struct Found(Vec<(Whose, Finding, i32)>);

impl Found {
    fn add(&mut self, whose: Whose, finding: Option<Finding>, gain: i32) {
        if let Some(finding) = finding
            && !self.0.iter().any(|(known, _, _)| *known == whose)
        {
            self.0.push((whose, finding, gain));
        }
    }
}

/// The motif of a line that wins material, by priority.
fn blow(case: &Case<'_>) -> Option<Finding> {
    // A blow is struck two moves after it was aimed. If the line has its gain before, there is another reason for it.
    let point = case.line.point(case.winner());
    let aimed: [fn(&Case<'_>) -> Option<Finding>; 6] = [
        fork::fork,
        ray::skewer,
        ray::discovered,
        trapped::trapped,
        defender::removed,
        defender::deflected,
    ];
    let in_time = |finding: &Finding| finding.key + 2 < point;
    let mut struck = aimed.iter().filter_map(|find| find(case).filter(in_time));
    hanging::hanging(case)
        .or_else(|| struck.next())
        .or_else(|| pin::pin(case))
        .or_else(|| pawns::promotes(case))
        .or_else(|| pawns::costs_a_piece(case).filter(in_time))
        .or_else(|| verdicts::material(case))
}

/// What a line shows without winning material.
fn verdict(case: &Case<'_>, points: [f64; 2]) -> Option<Finding> {
    let (_, first) = case.at(0)?;
    let plain = |motif: Motif| Finding::new(motif, 0, first.from(), Vec::new());
    let repeats = || case.line.repeats.then(|| plain(Motif::Repetition));
    match case.after {
        Some(_) => verdicts::exposed_king(case).or_else(repeats).or_else(|| {
            let lost = verdicts::result(points).filter(|&motif| motif == Motif::Draw)?;
            verdicts::trade(case).or_else(|| Some(plain(lost)))
        }),
        None => verdicts::exposed_king(case)
            .or_else(repeats)
            .or_else(|| verdicts::result(points).filter(|&motif| motif == Motif::Win).map(plain)),
    }
}

/// The move that leads to stalemate, if it isn't the one that is criticised.
fn stalemate(line: &Variation) -> Option<Finding> {
    let king = line.end().king(line.end().turn());
    let &m = line.moves.get(1)?;
    Some(Finding::new(Motif::Stalemate, 0, m.from(), vec![king]))
}
