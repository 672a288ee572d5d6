//! A report as text for a terminal.

use std::fmt::Write;

use chess::Color;
use game::Game;

use super::figures::table;
use super::graph::graph;
use super::heading::{method, occasion, opening, player};
use super::marks::{called, is_notable, tint};
use super::number::score;
use super::terms::Terms;
use super::wrap::wrap;
use crate::words::{self, Language, Numbering};
use crate::{GameReport, Label, MoveReport};

/// How a report looks in a terminal.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether it shows colors and block characters; otherwise the graph is plain ASCII.
    pub color: bool,
    /// The language of the report.
    pub language: Language,
    /// The side whose figures come first.
    pub first: Color,
}

impl Default for Style {
    /// Eighty columns, without color.
    fn default() -> Self {
        Self { width: 80, color: false, language: Language::English, first: Color::White }
    }
}

impl Style {
    fn paint(self, text: &str, code: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// A text in the color of a label.
    fn paint_label(self, text: &str, label: Label) -> String {
        match tint(label) {
            Some(tint) => self.paint(text, &format!("38;5;{}", tint.terminal)),
            None => text.to_owned(),
        }
    }
}

/// The report of a game as text: who played, how the game went, the figures of both sides, and the
/// moves worth mentioning.
pub fn terminal(game: &Game, report: &GameReport, style: Style) -> String {
    let terms = Terms::of(style.language);
    let mut out = heading(game, report, style);
    if report.moves.is_empty() {
        let _ = writeln!(out, "\n{}", terms.no_moves);
        return out;
    }
    let numbers = Numbering::of(game.tree.start());
    let _ = writeln!(out, "\n{}", terms.expected_score);
    out.push_str(&graph(report, numbers, style.width, style.color));
    out.push('\n');
    out.push_str(&table(game, report, style.language, style.first, style.width));
    let summary = words::summary(report, style.language);
    if !summary.is_empty() {
        out.push('\n');
        out.push_str(&wrap(&summary, style.width, 0));
    }
    out.push_str(&moves(report, numbers, style));
    out
}

fn heading(game: &Game, report: &GameReport, style: Style) -> String {
    let terms = Terms::of(style.language);
    let [white, black] = Color::ALL.map(|color| player(game, color, terms));
    let title = format!("{white} - {black} {}", report.result);
    let mut out = String::new();
    for line in wrap(&title, style.width, 0).lines() {
        let _ = writeln!(out, "{}", style.paint(line, "1"));
    }
    let rest = [occasion(game), opening(report).unwrap_or_default(), method(report, terms)];
    for line in rest {
        out.push_str(&wrap(&line, style.width, 0));
    }
    out
}

/// A line of the table of moves.
struct Row {
    label: Label,
    cells: [String; 5],
    explanation: Option<String>,
}

fn moves(report: &GameReport, numbers: Numbering, style: Style) -> String {
    let terms = Terms::of(style.language);
    let rows: Vec<Row> = report
        .moves
        .iter()
        .enumerate()
        .filter(|(_, one)| is_notable(one))
        .map(|(ply, one)| row(report, (ply, one), numbers, style.language))
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let heads = [terms.move_, terms.label, terms.score, terms.lost, terms.best];
    let widths: [usize; 5] = std::array::from_fn(|i| {
        let cells = rows.iter().map(|row| row.cells[i].as_str());
        cells.chain([heads[i]]).map(|cell| cell.chars().count()).max().unwrap_or(0)
    });
    let heads = heads.map(str::to_owned);
    let mut out = format!("\n{}\n", style.paint(&line(&heads, widths, |_, cell| cell), "2"));
    for row in &rows {
        let paint = |i: usize, cell: String| match i {
            0 | 1 => style.paint_label(&cell, row.label),
            _ => cell,
        };
        out.push_str(&line(&row.cells, widths, paint));
        out.push('\n');
        if let Some(text) = &row.explanation {
            out.push_str(&wrap(text, style.width, 4));
        }
    }
    out
}

fn row(
    report: &GameReport,
    (ply, one): (usize, &MoveReport),
    numbers: Numbering,
    language: Language,
) -> Row {
    let terms = Terms::of(language);
    let sign = one.label.sign().unwrap_or_default();
    let best = one.best.first().filter(|best| best.uci != one.played.uci);
    let loss = (one.best_points - one.played_points).max(0.0);
    let change = match best {
        Some(_) => format!("{} -> {}", score(one.best_score, terms), score(one.score, terms)),
        None => score(one.score, terms),
    };
    let cells = [
        format!("{}{sign}", numbers.line(ply, std::slice::from_ref(&one.played), language)),
        called(one, language),
        change,
        terms.decimal(loss),
        best.map(|best| words::san(&best.san, language)).unwrap_or_default(),
    ];
    let explanation = words::explain(report, ply, language);
    Row { label: one.label, cells, explanation }
}

/// Cells in columns; numbers on the right.
fn line(
    cells: &[String; 5],
    widths: [usize; 5],
    paint: impl Fn(usize, String) -> String,
) -> String {
    let padded = cells.iter().zip(widths).enumerate().map(|(i, (cell, width))| {
        let cell = if i == 3 { format!("{cell:>width$}") } else { format!("{cell:width$}") };
        paint(i, cell)
    });
    padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing;

    #[test]
    fn a_report_names_players_figures_and_mistakes() {
        let (mut game, report) = testing::sample();
        game.tags.set("White", "Anderssen\x1b[2J");
        let text = terminal(&game, &report, Style::default());
        for part in ["Anderssen[2J - ", "Accuracy", "2. Qh5?!", "3... Nf6??", "100,000 nodes"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains('\x1b'), "{text}");
        let explained = words::explain(&report, testing::BLUNDER, Language::English);
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(sentence) = explained {
            assert!(flat(&text).contains(&flat(&sentence)), "{sentence} in {text}");
        }
    }

    #[test]
    fn a_close_call_is_called_one() {
        let (game, mut report) = testing::sample();
        report.moves[testing::BLUNDER].close_call = true;
        let text = terminal(&game, &report, Style::default());
        assert!(text.contains("Blunder (close call)"), "{text}");
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let (game, report) = testing::sample();
        for width in [60, 80, 120] {
            for language in [Language::English, Language::German] {
                let style = Style { width, language, ..Style::default() };
                for line in terminal(&game, &report, style).lines() {
                    assert!(line.chars().count() <= width, "{width}: {line}");
                }
            }
        }
    }

    #[test]
    fn color_only_adds_escapes() {
        let (game, report) = testing::sample();
        let style = Style { color: true, ..Style::default() };
        let colored = terminal(&game, &report, style);
        assert!(colored.contains("\x1b[38;5;167m") && colored.contains('█'), "{colored}");
    }

    #[test]
    fn a_game_without_moves_has_a_heading() {
        let report = testing::long(0);
        let text = terminal(&Game::default(), &report, Style::default());
        assert!(text.ends_with("No moves.\n"), "{text}");
    }
}
