//! Draws the opening, the moves, what the review says, and the engine's lines.

use std::fmt::Write;

use chess::Position;
use engine::{MatePlies, Report, Score};
use game::NodeId;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Spot, Rect};
use ratatui::style::{Modifier, Style};
use review::words::{Language, explain, label};

use super::draw::Sheet;
use super::layout::Layout;
use super::wrap::{cut, wrap};
use crate::app::{App, Reviewing};
use crate::scoresheet::{self, Kind, Row};
use crate::theme::Palette;
use game::printable_line;

/// Draws everything right of the board.
pub(super) fn panel(
    app: &App,
    layout: &Layout,
    palette: Palette,
    sheet: &mut Sheet,
    buffer: &mut Buffer,
) {
    let head = layout.panel;
    let width = usize::from(head.width);
    buffer.set_string(head.x, head.y, cut(&opening(app), width), palette.accent());
    buffer.set_string(head.x, head.y + 1, rule(app, width), palette.dim());
    moves(app, layout.moves, palette, sheet.rows(app, layout.moves.width), buffer);
    let rest = layout.lines;
    if rest.is_empty() {
        return;
    }
    buffer.set_string(rest.x, rest.y, rule(app, width), palette.dim());
    let rest = Rect { y: rest.y + 1, height: rest.height - 1, ..rest };
    let used = if app.analysis.on { lines(app, rest, palette, buffer) } else { 0 };
    let rest = Rect { y: rest.y + used, height: rest.height - used, ..rest };
    said(app, rest, buffer);
}

fn rule(app: &App, width: usize) -> String {
    if app.look.ascii { "-".repeat(width) } else { "─".repeat(width) }
}

fn opening(app: &App) -> String {
    let named = app.openings.as_ref().and_then(|openings| openings.find(app.study.line()));
    match named {
        Some(opening) => format!("{} {}", opening.eco, opening.name),
        None => match app.study.game.variant() {
            game::Variant::Standard => "Chess".to_owned(),
            game::Variant::Chess960 => "Chess960".to_owned(),
        },
    }
}

/// Whether there is a review of the game shown.
pub(super) const fn is_reviewed(app: &App) -> bool {
    matches!(app.reviewing, Reviewing::Done(_))
}

/// The rows of the moves.
pub(super) fn rows(app: &App, width: u16) -> Vec<Row> {
    let tree = &app.study.game.tree;
    let Reviewing::Done(report) = &app.reviewing else {
        return scoresheet::rows(tree, usize::from(width), &|_| None);
    };
    let main: Vec<NodeId> = tree.main_nodes().collect();
    let sign = |node: NodeId| {
        let ply = main.iter().position(|&one| one == node)?;
        report.moves.get(ply)?.label.sign()
    };
    scoresheet::rows(tree, usize::from(width), &sign)
}

/// The first row shown, so that the current move is in the middle.
fn first_row(app: &App, rows: &[Row], height: u16) -> usize {
    let at = app.study.at();
    let is_current = |row: &Row| row.0.iter().any(|cell| cell.node == Some(at));
    let current = rows.iter().position(is_current).unwrap_or(0);
    let last = rows.len().saturating_sub(usize::from(height));
    current.saturating_sub(usize::from(height) / 2).min(last)
}

fn moves(app: &App, area: Rect, palette: Palette, rows: &[Row], buffer: &mut Buffer) {
    let at = app.study.at();
    let first = first_row(app, rows, area.height);
    for (row, y) in rows[first..].iter().zip(area.y..area.bottom()) {
        for cell in &row.0 {
            let style = match cell.kind {
                _ if cell.node == Some(at) => Palette::current(),
                Kind::Number | Kind::Side => palette.dim(),
                Kind::Main => Style::new(),
                Kind::Comment => palette.dim().add_modifier(Modifier::ITALIC),
            };
            let x = area.x.saturating_add(cell.column as u16);
            let room = usize::from(area.right().saturating_sub(x));
            let text = printable_line(&cell.text);
            buffer.set_stringn(x.min(area.right()), y, cut(&text, room), room, style);
        }
    }
    let result = app.study.game.result;
    let y = area.y + (rows.len() - first) as u16;
    if result != game::GameResult::Unknown && y < area.bottom() {
        buffer.set_string(area.x + 5, y, result.as_str(), palette.accent());
    }
}

/// The move at a place of the list.
pub(crate) fn move_at(app: &App, layout: &Layout, spot: Spot) -> Option<NodeId> {
    let area = layout.moves;
    let rows = rows(app, area.width);
    let first = first_row(app, &rows, area.height);
    let row = rows.get(first + usize::from(spot.y.checked_sub(area.y)?))?;
    let column = usize::from(spot.x.checked_sub(area.x)?);
    let mut cells = row.0.iter().rev().filter(|cell| cell.column <= column);
    cells.find_map(|cell| cell.node)
}

/// The engine's lines; returns the rows used.
fn lines(app: &App, area: Rect, palette: Palette, buffer: &mut Buffer) -> u16 {
    let width = usize::from(area.width);
    let Some(first) = app.analysis.lines.first() else {
        buffer.set_string(area.x, area.y, cut("Engine: thinking", width), palette.dim());
        return 1;
    };
    let speed = first.speed() / 1000;
    let head = format!("Engine: depth {}, {speed} kn/s", first.depth);
    buffer.set_string(area.x, area.y, cut(&head, width), palette.dim());
    let position = app.study.position();
    let shown = app.analysis.lines.iter().zip(area.y + 1..area.bottom());
    let mut used = 1;
    for (line, y) in shown {
        let score = line.score.for_white(position.turn()).to_string();
        buffer.set_string(area.x, y, format!("{score:>6}"), palette.accent());
        let text = cut(&variation(line, position), width.saturating_sub(8));
        buffer.set_string(area.x + 8.min(area.width), y, text, Style::new());
        used += 1;
    }
    used
}

/// The moves of a line in SAN, with numbers.
fn variation(line: &Report, start: &Position) -> String {
    let mut position = start.clone();
    let mut text = String::new();
    for (i, &m) in line.pv.iter().enumerate() {
        if !position.is_legal(m) {
            break;
        }
        if let Some(number) = position.move_number().in_line(i == 0) {
            let _ = write!(text, "{number}");
        }
        let _ = write!(text, "{} ", position.san(m));
        position.play_unchecked(m);
    }
    text.trim_end().to_owned()
}

/// What the review says about the move shown, or how far it has come.
fn said(app: &App, area: Rect, buffer: &mut Buffer) {
    let text = match &app.reviewing {
        Reviewing::Running { done, of, .. } => format!("Review: {done} of {of} positions"),
        Reviewing::Done(report) => {
            let ply = app.study.main_ply().and_then(|ply| ply.checked_sub(1));
            let Some((ply, one)) = ply.and_then(|ply| report.moves.get(ply).map(|m| (ply, m)))
            else {
                return;
            };
            let name = label(one.label, Language::English);
            let more = explain(report, ply, Language::English).unwrap_or_default();
            format!("{name} ({}). {more}", Score::from(one.score))
        }
        Reviewing::None => return,
    };
    for (line, y) in wrap(&text, usize::from(area.width)).iter().zip(area.y..area.bottom()) {
        buffer.set_string(area.x, y, line, Style::new());
    }
}

/// White's score of the position shown, if it is known and may be seen.
pub(super) fn score_shown(app: &App) -> Option<(Score, Position)> {
    let position = app.study.position();
    if let Some(line) = app.analysis.lines.first().filter(|_| app.analysis.on) {
        return Some((line.score.for_white(position.turn()), position.clone()));
    }
    let Reviewing::Done(report) = &app.reviewing else { return None };
    let score = match app.study.main_ply()?.checked_sub(1) {
        None => report.score,
        Some(ply) => report.moves.get(ply)?.score,
    };
    // A mate on the board has no sign.
    let score = match score.into() {
        Score::Mate(MatePlies(0)) => Score::Mate(MatePlies(-1)).for_white(position.turn()),
        score => score,
    };
    Some((score, position.clone()))
}
