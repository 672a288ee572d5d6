//! The course of a game as a picture.

use std::fmt::Write;

use super::text::Text;
use crate::GameReport;
use crate::render::course::course;
use crate::render::marks::{is_notable, tint};
use crate::render::terms::Terms;
use crate::words::{Language, Numbering};

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 150.0;

/// White's expected score, with a dot for each move worth mentioning that links to its card.
/// `prefix` starts the ids of this game.
pub(super) fn graph(
    report: &GameReport,
    numbers: Numbering,
    language: Language,
    prefix: &str,
) -> String {
    let terms = Terms::of(language);
    let course = course(report);
    let step = WIDTH / (course.len() - 1).max(1) as f64;
    let place = |position: usize| {
        let height = HEIGHT * (1.0 - course[position] / 100.0);
        (step * position as f64, height)
    };
    let mut out = format!(
        "<svg class=\"graph\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\
         <rect class=\"black\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/><path class=\"white\" d=\"M0 {HEIGHT}",
        Text(terms.expected_score)
    );
    for position in 0..course.len() {
        let (x, y) = place(position);
        let _ = write!(out, "L{x:.1} {y:.1}");
    }
    let _ =
        write!(out, "V{HEIGHT}z\"/><path class=\"middle\" d=\"M0 {0}H{WIDTH}\"/>", HEIGHT / 2.0);
    for &ply in report.turning_points.iter().filter(|&&ply| ply < report.moves.len()) {
        let (x, _) = place(ply + 1);
        let _ = write!(out, "<path class=\"turn\" d=\"M{x:.1} 0V{HEIGHT}\"/>");
    }
    for (ply, one) in report.moves.iter().enumerate().filter(|(_, one)| is_notable(one)) {
        let Some(tint) = tint(one.label) else { continue };
        let (x, y) = place(ply + 1);
        let title = format!(
            "{}{}",
            numbers.line(ply, std::slice::from_ref(&one.played), language),
            one.label.sign().unwrap_or_default()
        );
        let _ = write!(
            out,
            "<a href=\"#{prefix}-{ply}\"><title>{}</title>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{}\"/></a>",
            Text(&title),
            tint.page
        );
    }
    out.push_str("</svg>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing;

    #[test]
    fn mistakes_are_dots_that_lead_to_their_cards() {
        let (game, mut report) = testing::sample();
        report.turning_points = vec![testing::BLUNDER, 99];
        let numbers = Numbering::of(game.tree.start());
        let graph = graph(&report, numbers, Language::English, "g1");
        assert_eq!(graph.matches("<circle").count(), 2, "{graph}");
        assert!(graph.contains("<a href=\"#g1-5\">") && graph.contains("#df5353"), "{graph}");
        assert!(graph.contains("<title>3... Nf6??</title>"), "{graph}");
        assert_eq!(graph.matches("class=\"turn\"").count(), 1);
    }
}
