//! The course of a game as a graph of characters.

use std::fmt::Write;

use chess::Color;

use super::course::course;
use super::marks::{tint, weight};
use crate::words::Numbering;
use crate::{GameReport, Label, MoveReport};

/// Lines of the graph.
const ROWS: usize = 8;
/// Columns for the scale on the left.
const MARGIN: usize = 4;
/// The most columns per position: short games stay narrow.
const WIDEST: usize = 3;

/// White on a dark ground, as in other programs.
const AREA: &str = "\x1b[38;5;253;48;5;238m";
const RESET: &str = "\x1b[0m";

/// White's expected score over the game, the signs of moves below it, and then move numbers: half
/// blocks in color, or else plain characters.
pub(super) fn graph(report: &GameReport, numbers: Numbering, width: usize, color: bool) -> String {
    let course = course(report);
    let columns = Columns::new(course.len(), width.saturating_sub(MARGIN + 1).max(20));
    let mut out = String::new();
    for row in (0..ROWS).rev() {
        let scale = match row {
            _ if row == ROWS - 1 => "100",
            _ if row == ROWS / 2 => " 50",
            0 => "  0",
            _ => "   ",
        };
        let cell = |column: usize| {
            let height = course[columns.position(column)] / 100.0 * ROWS as f64 - row as f64;
            if color { half_block(height) } else { character(height, row) }
        };
        let line: String = (0..columns.count).map(cell).collect();
        if color {
            let _ = writeln!(out, "{scale} {AREA}{line}{RESET}");
        } else {
            out.push_str(format!("{scale} {line}").trim_end());
            out.push('\n');
        }
    }
    out.push_str(&signs(&report.moves, columns, color));
    out.push_str(&scale(report.moves.len(), numbers, columns));
    out
}

fn half_block(height: f64) -> char {
    match height {
        _ if height >= 0.75 => '█',
        _ if height >= 0.25 => '▄',
        _ => ' ',
    }
}

fn character(height: f64, row: usize) -> char {
    match height {
        _ if height >= 0.5 => '#',
        _ if row == ROWS / 2 => '-',
        _ => ' ',
    }
}

/// Which position of the game is shown in which column.
#[derive(Copy, Clone)]
struct Columns {
    positions: usize,
    count: usize,
}

impl Columns {
    const fn new(positions: usize, most: usize) -> Self {
        let each = most / positions;
        let each = if each > WIDEST { WIDEST } else { each };
        Self { positions, count: if each == 0 { most } else { positions * each } }
    }

    const fn position(self, column: usize) -> usize {
        column * self.positions / self.count
    }

    /// The first column of a position, or the one it shares.
    const fn column(self, position: usize) -> usize {
        (position * self.count).div_ceil(self.positions)
    }
}

/// The signs of moves: where several share a column, the one that matters most.
fn signs(moves: &[MoveReport], columns: Columns, color: bool) -> String {
    let mut labels: Vec<Option<Label>> = vec![None; columns.count];
    for (ply, one) in moves.iter().enumerate() {
        // The position after the move.
        let place = columns.column(ply + 1).min(columns.count - 1);
        if weight(one.label) > labels[place].map_or(0, weight) {
            labels[place] = Some(one.label);
        }
    }
    let Some(last) = labels.iter().rposition(Option::is_some) else { return String::new() };
    let mut out = " ".repeat(MARGIN);
    for label in &labels[..=last] {
        let sign = label.and_then(Label::sign).and_then(|sign| sign.chars().next());
        match (sign, label.and_then(tint)) {
            (None, _) => out.push(' '),
            (Some(sign), Some(tint)) if color => {
                let _ = write!(out, "\x1b[38;5;{}m{sign}{RESET}", tint.terminal);
            }
            (Some(sign), _) => out.push(sign),
        }
    }
    out.push('\n');
    out
}

/// Every tenth move number, below the position after White's move.
fn scale(plies: usize, numbers: Numbering, columns: Columns) -> String {
    let mut out = " ".repeat(MARGIN);
    for ply in 0..plies {
        let number = numbers.number(ply);
        let is_shown = number.is_multiple_of(10) && numbers.side(ply) == Color::White;
        let (place, text) = (MARGIN + columns.column(ply + 1), number.to_string());
        if is_shown && place >= out.len() && place + text.len() <= MARGIN + columns.count {
            out.push_str(&" ".repeat(place - out.len()));
            out.push_str(&text);
            out.push(' ');
        }
    }
    let out = out.trim_end();
    if out.is_empty() { String::new() } else { format!("{out}\n") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing;

    fn lines(report: &GameReport, width: usize, color: bool) -> Vec<String> {
        let numbers = Numbering::of(&report.start.parse().expect("a legal position"));
        graph(report, numbers, width, color).lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_graph_without_color_is_plain_ascii_and_fits() {
        for plies in [0, 1, 7, 80, 400] {
            let report = testing::long(plies);
            for width in [1, 40, 80, 200] {
                for line in lines(&report, width, false) {
                    assert!(line.is_ascii(), "{line}");
                    assert!(line.len() <= width.max(25), "{plies} {width}: {line}");
                }
            }
        }
    }

    #[test]
    fn the_area_is_as_high_as_the_expected_score() {
        let (_, mut report) = testing::sample();
        for one in &mut report.moves {
            let for_white = if one.side == Color::White { 100.0 } else { 0.0 };
            (one.best_points, one.played_points) = (for_white, for_white);
        }
        let winning = lines(&report, 80, false);
        assert!(winning[..ROWS].iter().all(|line| line.ends_with("##")), "{winning:?}");
        for one in &mut report.moves {
            one.best_points = 100.0 - one.best_points;
            one.played_points = 100.0 - one.played_points;
        }
        let lost = lines(&report, 80, false).concat();
        assert!(!lost.contains('#'), "{lost}");
    }

    #[test]
    fn a_shared_column_shows_the_worst_sign() {
        let mut report = testing::long(400);
        for (ply, label) in [(100, Label::Inaccuracy), (101, Label::Blunder)] {
            report.moves[ply].label = label;
        }
        let columns = Columns::new(401, 20);
        let signs = signs(&report.moves, columns, true);
        assert!(signs.contains("\x1b[38;5;167m?"), "{signs:?}");
        assert!(!signs.contains("\x1b[38;5;74m"), "{signs:?}");
    }
}
