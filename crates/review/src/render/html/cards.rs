//! A card for each move worth mentioning: what was played, what was better, and why.

use std::fmt::Write;

use chess::{Color, Position};

use super::board::{Arrow, board};
use super::moves::badge;
use super::text::Text;
use crate::render::marks::{called, is_notable, tint};
use crate::render::number::score;
use crate::render::terms::Terms;
use crate::words::{self, Language, Numbering};
use crate::{GameReport, Label, MoveReport, Whose};

/// The color of the better move's arrow.
const BETTER: &str = match tint(Label::Best) {
    Some(tint) => tint.page,
    None => "green",
};
/// The color of the arrow of a move whose label has none.
const PLAYED: &str = "#888";

/// The cards of a game, in order. The board shows the position before each move.
pub(super) fn cards(
    report: &GameReport,
    positions: &[Position],
    language: Language,
    below: Color,
    prefix: &str,
) -> String {
    let Some(start) = positions.first() else { return String::new() };
    let numbers = Numbering::of(start);
    let moves = report.moves.iter().zip(positions).enumerate();
    let notable = moves.filter(|(_, (one, _))| is_notable(one));
    let mut out = String::new();
    for (ply, (one, position)) in notable {
        let _ = write!(out, "<article class=\"card\" id=\"{prefix}-{ply}\">");
        let title = numbers.line(ply, std::slice::from_ref(&one.played), language);
        out.push_str(&picture(one, position, below, &title));
        out.push_str("<div>");
        out.push_str(&words_of(report, ply, one, numbers, language));
        out.push_str("</div></article>");
    }
    out
}

fn picture(one: &MoveReport, position: &Position, below: Color, title: &str) -> String {
    let better = one.best.first().filter(|best| best.uci != one.played.uci);
    let color = tint(one.label).map_or(PLAYED, |tint| tint.page);
    let mut arrows = Vec::new();
    arrows.extend(better.map(|best| Arrow { uci: &best.uci, color: BETTER }));
    arrows.push(Arrow { uci: &one.played.uci, color });
    board(position, below, &arrows, title)
}

fn words_of(
    report: &GameReport,
    ply: usize,
    one: &MoveReport,
    numbers: Numbering,
    language: Language,
) -> String {
    let terms = Terms::of(language);
    let mut out = format!(
        "<h3>{} {}{} {}</h3>",
        numbers.text(ply),
        Text(&words::san(&one.played.san, language)),
        badge(one.label),
        Text(&called(one, language))
    );
    let after = score(one.score, terms);
    let is_best = one.best.first().is_none_or(|best| best.uci == one.played.uci);
    let _ = if is_best {
        write!(out, "<p class=\"score\">{after}</p>")
    } else {
        let before = score(one.best_score, terms);
        let loss = terms.decimal((one.best_points - one.played_points).max(0.0));
        let cost = format!("-{loss} {}", terms.points);
        write!(out, "<p class=\"score\">{before} → {after} ({cost})</p>")
    };
    let sentence = words::reasons(report, ply, language).join(" ");
    if !sentence.is_empty() {
        let _ = write!(out, "<p>{}</p>", Text(&sentence));
    }
    let mut line = |head: &str, text: &str| {
        let _ = write!(out, "<p class=\"line\">{}: {}</p>", Text(head), Text(text));
    };
    if !is_best {
        line(terms.better, &numbers.line(ply, &one.best, language));
    }
    for claim in one.claims.iter().filter(|claim| !claim.line.is_empty()) {
        let first = if claim.whose == Whose::Allowed { ply + 1 } else { ply };
        let text = numbers.line(first, &claim.line, language);
        if claim.line != one.best && !sentence.contains(&text) {
            line(terms.proof, &text);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing;

    #[test]
    fn a_card_shows_the_move_and_the_better_line() {
        let (game, report) = testing::sample();
        let positions: Vec<Position> = game.line().positions().cloned().collect();
        let cards = cards(&report, &positions, Language::English, Color::White, "g1");
        assert_eq!(cards.matches("<article").count(), 2, "{cards}");
        for part in [
            "id=\"g1-5\"",
            "Better: 3... g6 4. Qf3 Nf6",
            "aria-label=\"3... Nf6\"",
            "(-55.0 points)",
        ] {
            assert!(cards.contains(part), "{part} in {cards}");
        }
    }
}
