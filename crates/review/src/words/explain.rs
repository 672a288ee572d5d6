//! The sentences about a move.

use super::spoken::{Spoken, san};
use super::{Language, Numbering, english, german};
use crate::report::{Claim, GameReport};

/// What there is to say about a move: its claims, and which move was better. Nothing if there is
/// nothing to say.
pub fn explain(report: &GameReport, ply: usize, language: Language) -> Option<String> {
    let one = report.moves.get(ply)?;
    let mut sentences = reasons(report, ply, language);
    if one.label.is_marked() && !names_the_better_move(&one.claims) {
        let best = one.best.first()?;
        let best = Numbering::of_report(report).numbered(ply, &san(&best.san, language));
        sentences.push(match language {
            Language::English => format!("Better: {best}."),
            Language::German => format!("Besser: {best}."),
        });
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// What the claims about a move say.
pub(crate) fn reasons(report: &GameReport, ply: usize, language: Language) -> Vec<String> {
    let claims = report.moves.get(ply).map_or(&[][..], |one| &one.claims);
    claims.iter().filter_map(|claim| sentence(report, ply, claim, language)).collect()
}

/// Whether a claim already shows the better line.
fn names_the_better_move(claims: &[Claim]) -> bool {
    claims.iter().any(|claim| claim.whose == crate::Whose::Missed)
}

/// The sentence for a claim about a move. Nothing if the claim doesn't fit the move.
pub fn sentence(
    report: &GameReport,
    ply: usize,
    claim: &Claim,
    language: Language,
) -> Option<String> {
    let spoken = Spoken::new(report, ply, claim, language)?;
    Some(match language {
        Language::English => english::sentence(&spoken),
        Language::German => german::sentence(&spoken),
    })
}
