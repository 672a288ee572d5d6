//! What stands above a report: players, result, occasion, opening, and how it was made.

use chess::Color;
use game::Game;

use super::terms::Terms;
use super::wrap::plain;
use crate::{GameReport, Mode};

/// A player's name, with the rating if the game has one.
pub(super) fn player(game: &Game, color: Color, terms: &Terms) -> String {
    let (name, rating) = match color {
        Color::White => ("White", "WhiteElo"),
        Color::Black => ("Black", "BlackElo"),
    };
    let tag = |name| game.tags.get(name).map(plain).filter(|text| is_known(text));
    let name = tag(name).unwrap_or_else(|| terms.side(color).to_owned());
    match tag(rating) {
        Some(rating) => format!("{name} ({rating})"),
        None => name,
    }
}

/// Event, place and date, as far as they are known.
pub(super) fn occasion(game: &Game) -> String {
    let tags = ["Event", "Site", "Date"].into_iter();
    let known = tags.filter_map(|name| game.tags.get(name)).map(plain);
    // An unknown month or day is left out: 1960.??.?? is 1960.
    let known = known.map(|text| text.trim_end_matches(".??").to_owned());
    known.filter(|text| is_known(text)).collect::<Vec<_>>().join(", ")
}

/// Code and name of the opening, if it has one.
pub(super) fn opening(report: &GameReport) -> Option<String> {
    report.opening.as_ref().map(|opening| plain(&format!("{} {}", opening.eco, opening.name)))
}

/// Engine, nodes, and the rules for labels unless they are the usual ones.
pub(super) fn method(report: &GameReport, terms: &Terms) -> String {
    let effort = match report.nodes {
        Some(nodes) => format!("{} {}", terms.whole(nodes), terms.nodes_per_position),
        None => terms.by_time.to_owned(),
    };
    let rules = match report.mode {
        Mode::Riga if !report.steps.are_usual() => format!(", {}: {}", terms.steps, report.steps),
        Mode::Riga => String::new(),
        mode => format!(", {}: {mode}", terms.rules),
    };
    format!("{}, {effort}{rules}", plain(&report.engine))
}

fn is_known(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('?') && text != "-"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing;
    use crate::words::Language;

    #[test]
    fn unknown_tags_are_left_out() {
        let (mut game, mut report) = testing::sample();
        let terms = Terms::of(Language::English);
        for (name, value) in [("Event", "Riga"), ("Site", "?"), ("Date", "1960.??.??")] {
            game.tags.set(name, value);
        }
        assert_eq!(occasion(&game), "Riga, 1960");
        game.tags.set("White", "Tal");
        game.tags.set("WhiteElo", "2700");
        game.tags.remove("Black");
        game.tags.set("BlackElo", "-");
        assert_eq!(player(&game, Color::White, terms), "Tal (2700)");
        assert_eq!(player(&game, Color::Black, terms), "Black");
        report.engine = "Riga 1".to_owned();
        report.nodes = None;
        report.mode = Mode::Classic;
        assert_eq!(method(&report, terms), "Riga 1, searched by time, rules: classic");
    }
}
