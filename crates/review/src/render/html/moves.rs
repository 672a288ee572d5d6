//! The move list of a page.

use std::fmt::Write;

use chess::Color;

use super::text::Text;
use crate::render::marks::{is_notable, tint};
use crate::render::number::score;
use crate::render::terms::Terms;
use crate::words::{self, Language, Numbering};
use crate::{GameReport, Label, MoveReport};

/// A mark in the color of a label: its sign, or nothing but the color. Empty for labels without a
/// color.
pub(super) fn badge(label: Label) -> String {
    let Some(tint) = tint(label) else { return String::new() };
    let sign = label.sign().unwrap_or_default();
    format!("<b class=\"badge\" style=\"background:{}\">{sign}</b>", tint.page)
}

/// All moves in two columns; those with a card link to it.
pub(super) fn moves(
    report: &GameReport,
    numbers: Numbering,
    language: Language,
    prefix: &str,
) -> String {
    let mut out = String::from("<div class=\"moves\">");
    for (ply, one) in report.moves.iter().enumerate() {
        if numbers.side(ply) == Color::White || ply == 0 {
            let _ = write!(out, "<i>{}.</i>", numbers.number(ply));
        }
        if ply == 0 && numbers.side(ply) == Color::Black {
            out.push_str("<span>...</span>");
        }
        let (title, san) = (title(one, language), words::san(&one.played.san, language));
        let (title, san, badge) = (Text(&title), Text(&san), badge(one.label));
        let _ = if is_notable(one) {
            write!(out, "<a href=\"#{prefix}-{ply}\" title=\"{title}\">{san}{badge}</a>")
        } else {
            write!(out, "<span title=\"{title}\">{san}{badge}</span>")
        };
    }
    out.push_str("</div>");
    out
}

/// Label, score, accuracy and time.
fn title(one: &MoveReport, language: Language) -> String {
    let terms = Terms::of(language);
    let (label, score) = (words::label(one.label, language), score(one.score, Terms::of(language)));
    let accuracy = terms.decimal(one.accuracy);
    let mut text = format!("{label}. {score}. {}: {accuracy}.", terms.accuracy);
    if let Some(millis) = one.clock.and_then(|clock| clock.spent) {
        let _ = write!(text, " {} s.", terms.decimal(millis as f64 / 1000.0));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing;

    #[test]
    fn moves_stand_in_columns_with_their_marks() {
        let (game, report) = testing::sample();
        let numbers = Numbering::of(game.tree.start());
        let list = moves(&report, numbers, Language::English, "g1");
        assert!(
            list.contains("<i>1.</i><span title=\"Best. +0.20. Accuracy: 100.0.\">e4"),
            "{list}"
        );
        assert!(list.contains("href=\"#g1-5\"") && list.contains(">??</b>"), "{list}");
    }

    #[test]
    fn a_game_that_black_starts_leaves_a_gap() {
        let game = testing::game("[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 30\"]\n\n30... Kd7 31. Kd2 *");
        let numbers = Numbering::of(game.tree.start());
        let list = moves(&testing::report(&game), numbers, Language::English, "g1");
        assert!(list.contains("<i>30.</i><span>...</span>"), "{list}");
        assert!(list.contains("<i>31.</i>"), "{list}");
    }
}
