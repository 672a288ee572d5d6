//! The parts of a sentence about a claim: moves with their numbers, pieces, amounts.

use chess::Role;

use super::{Language, Numbering};
use crate::report::{Claim, GameReport, Whose};

/// A claim with what is needed to speak of it.
pub(super) struct Spoken<'a> {
    pub claim: &'a Claim,
    pub language: Language,
    /// The move played, without a number.
    pub played: String,
    /// The better move, with its number.
    pub better: String,
    /// The number of the first move of the line, in plies from the start.
    first: usize,
    numbers: Numbering,
    /// Chooses among phrases, so that not all sentences are alike.
    pub variety: usize,
}

/// A move with the letters of a language.
pub fn san(text: &str, language: Language) -> String {
    match language {
        Language::English => text.to_owned(),
        Language::German => text
            .chars()
            .map(|letter| match letter {
                'N' => 'S',
                'B' => 'L',
                'R' => 'T',
                'Q' => 'D',
                other => other,
            })
            .collect(),
    }
}

impl<'a> Spoken<'a> {
    pub(super) fn new(
        report: &GameReport,
        ply: usize,
        claim: &'a Claim,
        language: Language,
    ) -> Option<Self> {
        let one = report.moves.get(ply)?;
        let first = if claim.whose == Whose::Allowed { ply + 1 } else { ply };
        let numbers = Numbering::of_report(report);
        let best = one.best.get(..1).unwrap_or_default();
        Some(Self {
            claim,
            language,
            played: san(&one.played.san, language),
            better: numbers.line(ply, best, language),
            first,
            numbers,
            variety: ply / 2 + ply % 2,
        })
    }

    /// The whole line.
    pub(super) fn line(&self) -> String {
        self.numbers.line(self.first, &self.claim.line, self.language)
    }

    /// The line up to the move that makes the point.
    pub(super) fn to_key(&self) -> String {
        let moves = self.claim.line.get(..=self.claim.key).unwrap_or(&self.claim.line);
        self.numbers.line(self.first, moves, self.language)
    }

    /// The first move of the line, without a number.
    pub(super) fn best(&self) -> String {
        self.claim.line.first().map(|m| san(&m.san, self.language)).unwrap_or_default()
    }

    /// The role and the square of a target.
    pub(super) fn target(&self, index: usize) -> Option<(Role, &str)> {
        let target = self.claim.targets.get(index)?;
        Some((target.role()?, &target.square))
    }

    /// One of several phrases.
    pub(super) fn pick<'b>(&self, phrases: &'b [String]) -> &'b str {
        &phrases[self.variety % phrases.len()]
    }

    /// Whether the line gains about what its first target is worth.
    pub(super) fn wins_target(&self) -> bool {
        let worth = self.target(0).map_or(0, |(role, _)| crate::board::worth(role).unsigned_abs());
        self.claim.gain + 1 >= worth
    }
}
