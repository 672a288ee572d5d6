//! The summary of a page, with the arithmetic behind the accuracy.

use std::fmt::Write;

use chess::Color;
use game::Game;

use super::moves::badge;
use super::text::Text;
use crate::accuracy::harmonic;
use crate::render::figures::figures;
use crate::render::heading::player;
use crate::render::terms::Terms;
use crate::words::Language;
use crate::{GameReport, MoveReport};

/// The figures of both sides, the first one's on the left, and how their accuracies were computed.
pub(super) fn summary(
    game: &Game,
    report: &GameReport,
    language: Language,
    first: Color,
) -> String {
    let terms = Terms::of(language);
    let order = [first, !first];
    let [one, other] = order.map(|color| player(game, color, terms));
    let mut out = format!(
        "<table><thead><tr><th></th><th>{}</th><th>{}</th></tr></thead><tbody>",
        Text(&one),
        Text(&other)
    );
    for figure in figures(report, language) {
        let class = if figure.is_part { " class=\"part\"" } else { "" };
        let badge = figure.label.map(badge).unwrap_or_default();
        let [one, other] = order.map(|color| Text(&figure.values[color.index()]));
        let _ = write!(
            out,
            "<tr{class}><th>{}{badge}</th><td>{one}</td><td>{other}</td></tr>",
            Text(&figure.name)
        );
    }
    out.push_str("</tbody></table>");
    let sums: String =
        order.into_iter().filter_map(|color| sum(game, report, color, terms)).collect();
    if !sums.is_empty() {
        let (head, text) = (Text(terms.arithmetic_head), Text(terms.arithmetic));
        let _ = write!(out, "{sums}<details><summary>{head}</summary><p>{text}</p></details>");
    }
    out
}

/// How the accuracy of a side follows from its moves.
fn sum(game: &Game, report: &GameReport, color: Color, terms: &Terms) -> Option<String> {
    let total = report.side(color).accuracy?;
    let own: Vec<&MoveReport> = report.moves.iter().filter(|one| one.side == color).collect();
    let harmonic = harmonic(own.iter().map(|one| one.accuracy))?;
    // The total is the mean of both.
    let weighted = 2.0 * total - harmonic;
    let [weighted, harmonic, total] = [weighted, harmonic, total].map(|mean| terms.decimal(mean));
    Some(format!(
        "<p class=\"sum\">{}: ({} {weighted} + {} {harmonic}) / 2 = <b>{total}</b></p>",
        Text(&player(game, color, terms)),
        Text(terms.weighted_mean),
        Text(terms.harmonic_mean),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing;

    #[test]
    fn the_accuracy_is_explained_with_its_numbers() {
        let (game, mut report) = testing::sample();
        for (one, accuracy) in report.moves.iter_mut().zip([100.0, 50.0, 100.0, 100.0, 100.0]) {
            one.accuracy = accuracy;
        }
        report.moves.truncate(4);
        report.black.accuracy = Some(70.0);
        let text = summary(&game, &report, Language::English, Color::White);
        let expected = "Black: (weighted mean 73.3 + harmonic mean 66.7) / 2 = <b>70.0</b>";
        assert!(text.contains(expected), "{text}");
        report.white.accuracy = None;
        report.black.accuracy = None;
        assert!(!summary(&game, &report, Language::English, Color::White).contains("<details>"));
    }
}
