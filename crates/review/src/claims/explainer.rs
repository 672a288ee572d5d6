//! From a judged move to the claims about it.

use chess::{CastlingMode, Line, Move, Position};
use engine::{MatePlies, Score, wdl};

use super::case::{Case, Finding};
use super::{defender, fork, hanging, mate, pawns, pin, placing, ray, trapped, verdicts};
use crate::board::balance;
use crate::curve::CURVE;
use crate::report::{Claim, Motif, Origin, PieceAt, Whose};
use crate::sides::Judged;
use crate::survey::Survey;
use crate::variation::Variation;
use crate::{Facts, Label, ReviewError};

/// Explains moves.
pub(crate) struct Explainer<'a, 'b> {
    pub survey: &'a mut Survey<'b>,
    pub line: &'a Line,
    pub mode: CastlingMode,
}

/// The two lines that are compared, from the position before the move; a criticised move has both.
struct Lines {
    /// The move played, and what follows.
    played: Variation,
    /// The better move, and what follows.
    better: Variation,
}

impl Explainer<'_, '_> {
    /// The claims about a move, the most important first.
    pub(crate) fn claims(&mut self, ply: usize, all: &[Judged]) -> Result<Vec<Claim>, ReviewError> {
        let judged = &all[ply];
        let mut here = self.line.clone();
        here.truncate(ply);
        if judged.label.is_marked() {
            // The replies are those of the full search.
            let reply = all.get(ply + 1).map(|next| next.seen.best);
            let played: Vec<Move> = std::iter::once(judged.played).chain(reply).collect();
            let better = &judged.seen.pv[..judged.seen.pv.len().min(2)];
            let lines = Lines {
                played: self.survey.play_out(&here, &played)?,
                better: self.survey.play_out(&here, better)?,
            };
            return Ok(self.criticism(&lines, judged));
        }
        Ok(match judged.label {
            Label::Great => vec![self.found(Motif::OnlyMove, &here, judged)],
            Label::Brilliant => vec![self.found(Motif::Sacrifice, &here, judged)],
            Label::Excellent | Label::Good => self.slower_mate(&here, judged).into_iter().collect(),
            _ => Vec::new(),
        })
    }

    /// What a marked move allowed or missed.
    fn criticism(&self, lines: &Lines, judged: &Judged) -> Vec<Claim> {
        let root = lines.played.start();
        let us = root.turn();
        let end = |line: &Variation| balance(line.end(), us);
        // What the better line has more of than the one played.
        let cost = end(&lines.better) - end(&lines.played);
        let after = lines.played.from(1);
        let allowed = Case { line: &after, after: Some((root, judged.played)) };
        let missed = Case { line: &lines.better, after: None };
        let lost = balance(root, us) - end(&lines.played);
        let won = end(&lines.better) - balance(root, us);
        let mut found = Found::default();
        // Mates come first, allowed or missed.
        if matches!(judged.played_score, Score::Mate(MatePlies(plies)) if plies <= 0) {
            found.add(Whose::Allowed, mate::mate(&allowed), 0);
        }
        if matches!(judged.best_score, Score::Mate(MatePlies(plies)) if plies > 0) {
            found.add(Whose::Missed, mate::mate(&missed), 0);
        }
        if mate::stalemate(&lines.played) {
            found.add(Whose::Allowed, stalemate(&lines.played), 0);
        }
        // Material that one line costs and the other doesn't, if that is half of the matter.
        let explains = |gain: i32| gain >= 1 && explains(judged, root, gain.min(cost));
        if explains(lost) {
            found.add(Whose::Allowed, blow(&allowed), lost);
        }
        if explains(won) {
            found.add(Whose::Missed, blow(&missed), won);
        }
        if found.0.is_empty() {
            found.add(Whose::Allowed, verdict(&allowed, &judged.facts), 0);
            found.add(Whose::Missed, verdict(&missed, &judged.facts), 0);
        }
        if found.0.is_empty() && !after.moves.is_empty() {
            let motif = placing::advantage(lines.better.end(), lines.played.end(), us);
            let first = |motif: Motif| Finding::new(motif, 0, after.moves[0].from(), Vec::new());
            found.add(Whose::Allowed, motif.map(first), 0);
        }
        let claim = |(whose, finding, gain): &(Whose, Finding, i32)| {
            let case = if *whose == Whose::Allowed { &allowed } else { &missed };
            self.claim(case, finding, *whose, *gain)
        };
        found.0.iter().map(claim).collect()
    }

    /// A claim as text.
    fn claim(&self, case: &Case<'_>, finding: &Finding, whose: Whose, gain: i32) -> Claim {
        let before = case.line.before(finding.key);
        let len = match finding.motif {
            Motif::Win
            | Motif::Draw
            | Motif::ExposedKing
            | Motif::BadTrade
            | Motif::KingSafety
            | Motif::Passer
            | Motif::Structure
            | Motif::Activity => case.line.moves.len().min(8),
            _ => case.line.point(case.winner()).max(finding.key + 1),
        };
        let gain = match finding.motif {
            Motif::Mate | Motif::BackRank | Motif::EngineMate => {
                case.line.moves.len().div_ceil(2) as u32
            }
            _ => gain.max(0).unsigned_abs(),
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
            line: case.line.text(len, self.mode),
            key: finding.key.min(len.saturating_sub(1)),
        }
    }

    /// What makes a move good: its line.
    fn found(&self, motif: Motif, here: &Line, judged: &Judged) -> Claim {
        let mut variation = judged.seen.variation(here);
        if variation.moves.first() != Some(&judged.played) {
            let mut line = here.clone();
            line.play(judged.played).expect("a move of the game");
            variation = Variation::after(&line, here.len());
        }
        let actor = PieceAt::on(judged.played.from(), here.position());
        Claim {
            motif,
            whose: Whose::Found,
            origin: Origin::Plain,
            actor,
            targets: Vec::new(),
            gain: 0,
            line: variation.text(8, self.mode),
            key: 0,
        }
    }

    /// A mate that takes longer than another one.
    fn slower_mate(&mut self, here: &Line, judged: &Judged) -> Option<Claim> {
        let (Score::Mate(best), Score::Mate(played)) = (judged.best_score, judged.played_score)
        else {
            return None;
        };
        if best.0 <= 0 || played.0 <= best.0 {
            return None;
        }
        let mut claim = self.found(Motif::FasterMate, here, judged);
        let variation = judged.seen.variation(here);
        variation.mates().then(|| {
            claim.whose = Whose::Missed;
            claim.line = variation.text(variation.moves.len(), self.mode);
            claim.gain = best.moves().unsigned_abs();
            claim
        })
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
    hanging::hanging(case)
        .or_else(|| fork::fork(case))
        .or_else(|| ray::skewer(case))
        .or_else(|| ray::discovered(case))
        .or_else(|| trapped::trapped(case))
        .or_else(|| defender::removed(case))
        .or_else(|| defender::deflected(case))
        .or_else(|| pin::pin(case))
        .or_else(|| pawns::passed(case))
        .or_else(|| verdicts::material(case))
}

/// What a line shows without winning material.
fn verdict(case: &Case<'_>, facts: &Facts) -> Option<Finding> {
    let (_, first) = case.at(0)?;
    let plain = |motif: Motif| Finding::new(motif, 0, first.from(), Vec::new());
    let repeats = || case.line.repeats.then(|| plain(Motif::Repetition));
    match case.after {
        Some(_) => verdicts::exposed_king(case).or_else(repeats).or_else(|| {
            let lost = verdicts::result(facts).filter(|&motif| motif == Motif::Draw)?;
            verdicts::trade(case).or_else(|| Some(plain(lost)))
        }),
        None => verdicts::exposed_king(case)
            .or_else(repeats)
            .or_else(|| verdicts::result(facts).filter(|&motif| motif == Motif::Win).map(plain)),
    }
}

/// The move that leads to stalemate, if it isn't the one that is criticised.
fn stalemate(line: &Variation) -> Option<Finding> {
    let king = line.end().king(line.end().turn());
    let &m = line.moves.get(1)?;
    Some(Finding::new(Motif::Stalemate, 0, m.from(), vec![king]))
}

/// Whether losing this much material from the better score would cost at least half of what the
/// move cost.
fn explains(judged: &Judged, root: &Position, pawns: i32) -> bool {
    let material = wdl::material(root);
    let Score::Cp(best) = judged.best_score else { return pawns >= 1 };
    let points = |centipawns: i32| CURVE.points(f64::from(centipawns), material);
    let half = points(best) - points(best - 100 * pawns) >= judged.facts.loss() / 2.0;
    // A whole piece decides most games, even where the curve is flat.
    pawns >= 3 || pawns >= 1 && half
}
