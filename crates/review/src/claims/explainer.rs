//! From a judged move to the claims about it.

use chess::{CastlingMode, Line, Move};
use engine::Score;

use super::criticism::{Criticism, Evidence};
use crate::report::{Claim, Motif, Origin, PieceAt, Whose};
use crate::sides::Judged;
use crate::survey::Survey;
use crate::variation::Variation;
use crate::{Group, Label, ReviewError};

/// Explains moves.
pub(crate) struct Explainer<'a, 'b> {
    pub survey: &'a mut Survey<'b>,
    pub line: &'a Line,
    pub mode: CastlingMode,
}

impl Explainer<'_, '_> {
    /// The claims about a move, the most important first.
    pub(crate) fn claims(&mut self, ply: usize, all: &[Judged]) -> Result<Vec<Claim>, ReviewError> {
        let judged = &all[ply];
        let mut here = self.line.clone();
        here.truncate(ply);
        if judged.label.is_marked() {
            let mut claims = self.criticism(ply, all)?.claims(self.mode);
            if judged.label == Label::Miss {
                claims.sort_by_key(|claim| claim.whose != Whose::Missed);
            }
            return Ok(claims);
        }
        Ok(match judged.label {
            Label::Great => vec![self.found(Motif::OnlyMove, &here, judged)],
            Label::Brilliant => vec![self.found(Motif::Sacrifice, &here, judged)],
            Label::Excellent | Label::Good => self.slower_mate(&here, judged).into_iter().collect(),
            _ => Vec::new(),
        })
    }

    /// The lines by which a move is judged, if it is marked.
    pub(crate) fn evidence(
        &mut self,
        ply: usize,
        all: &[Judged],
    ) -> Result<Option<Evidence>, ReviewError> {
        let marked = all[ply].label.is_marked();
        marked.then(|| self.criticism(ply, all).map(Evidence::from)).transpose()
    }

    /// What follows a marked move, and what follows the better one. Lines that don't show why a move is a mistake are
    /// played out once more, with care.
    fn criticism(&mut self, ply: usize, all: &[Judged]) -> Result<Criticism, ReviewError> {
        let quick = self.lines(ply, all, false)?;
        if all[ply].label.group() < Group::Mistake || !quick.claims(self.mode).is_empty() {
            return Ok(quick);
        }
        self.lines(ply, all, true)
    }

    fn lines(&mut self, ply: usize, all: &[Judged], care: bool) -> Result<Criticism, ReviewError> {
        let judged = &all[ply];
        let mut here = self.line.clone();
        here.truncate(ply);
        // The replies are those of the full search.
        let reply = all.get(ply + 1).map(|next| next.seen.best);
        let played: Vec<Move> = std::iter::once(judged.played).chain(reply).collect();
        let better = &judged.seen.pv[..judged.seen.pv.len().min(2)];
        Ok(Criticism {
            played: self.survey.play_out(&here, &played, care)?,
            better: self.survey.play_out(&here, better, care)?,
            best_score: judged.best_score,
            played_score: judged.played_score,
        })
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
