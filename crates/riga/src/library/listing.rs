//! Games and scores as text and as JSON.

use std::borrow::Cow;
use std::io::Write;

use anyhow::Result;
use chess::Position;
use clap::Args;
use library::{Date, Listed, Order, Page, Score};
use serde_json::{Value, json};

use crate::show::thousands;

/// Which part of a list of games is wanted.
#[derive(Args)]
pub struct Part {
    /// Skip this many games of the list
    #[arg(long, default_value_t = 0, value_name = "COUNT")]
    skip: usize,
    /// Order of the games: newest or strongest first
    #[arg(long, default_value = "newest")]
    pub order: Order,
}

impl Part {
    /// So many games of the list.
    pub const fn page(&self, count: usize) -> Page {
        Page { skip: self.skip, count }
    }
}

/// Writes games, one per line; `position` is the one they were asked for.
pub fn print_games(
    games: &[Listed],
    position: Option<&Position>,
    out: &mut impl Write,
) -> Result<()> {
    for game in games {
        writeln!(out, "{}", game_line(game, position))?;
    }
    Ok(())
}

/// A text from a game as it is printed: without control characters, in one line. All texts of games in the output of
/// `riga library` come from here; JSON has them as they are.
pub fn shown(text: &str) -> Cow<'_, str> {
    game::printable_line(text)
}

/// A game as a line of text.
pub fn game_line(game: &Listed, position: Option<&Position>) -> String {
    let rating =
        |at: usize| game.ratings[at].map_or_else(String::new, |rating| format!(" ({rating})"));
    let played = game.played.zip(position);
    let played = played.map(|(m, position)| format!(" {}", position.san(m))).unwrap_or_default();
    let name = |name: &str| if name.is_empty() { "?".to_owned() } else { shown(name).into_owned() };
    format!(
        "{:<12}{} {}{} - {}{} {}{played}",
        game.id.to_string(),
        game.date,
        name(&game.white),
        rating(0),
        name(&game.black),
        rating(1),
        game.result
    )
}

/// A game as JSON.
pub fn game_json(game: &Listed, position: Option<&Position>) -> Value {
    json!({
        "id": game.id.to_string(), "white": game.white, "black": game.black,
        "ratings": game.ratings, "result": game.result.as_str(),
        "date": game.date.to_string(), "eco": game.eco.to_string(),
        "time_control": game.time_control,
        "played": game.played.zip(position).map(|(m, position)| position.san(m).to_string()),
    })
}

/// The number of games, the percentages of White's wins, draws and Black's wins, rating and last date.
pub fn score_columns(score: &Score) -> String {
    let Score { games, white_wins, draws, black_wins, ratings, last } = *score;
    let percent = |part: u64| 100.0 * part as f64 / games.max(1) as f64;
    let rating = ratings.average().map_or_else(String::new, |rating| rating.to_string());
    let last = if last == Date::UNKNOWN { String::new() } else { last.to_string() };
    format!(
        "{:>12}  {:>5.1} % {:>5.1} % {:>5.1} % {rating:>6}  {last}",
        thousands(games),
        percent(white_wins),
        percent(draws),
        percent(black_wins),
    )
}

/// A score as JSON.
pub fn score_json(score: &Score) -> Value {
    json!({
        "games": score.games, "white": score.white_wins, "draws": score.draws,
        "black": score.black_wins, "rating": score.ratings.average(),
        "last": (score.last != Date::UNKNOWN).then(|| score.last.to_string()),
    })
}
