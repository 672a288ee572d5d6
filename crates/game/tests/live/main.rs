//! Tests of the rules of live games, and of games with random commands.

mod clocks;
mod endings;
mod moves;
mod offers;
mod premoves;
mod random_walk;
mod records;

use chess::Color;
use game::live::{Command, Event, LiveGame, Moment, Played, Refusal, Sides, Terms};

const WHITE: Sides = Sides::One(Color::White);
const BLACK: Sides = Sides::One(Color::Black);

/// A game of two people without clocks.
fn untimed() -> LiveGame {
    LiveGame::new(Terms::default())
}

/// A game of two people with clocks.
fn timed(control: &str) -> LiveGame {
    LiveGame::new(Terms {
        control: Some(control.parse().expect("a time control")),
        ..Terms::default()
    })
}

/// A game of two people from a position.
fn from_fen(fen: &str) -> LiveGame {
    LiveGame::new(Terms { start: fen.parse().expect("a legal FEN"), ..Terms::default() })
}

/// A game in which the engine plays Black.
fn against_engine() -> LiveGame {
    LiveGame::new(Terms { engine: Some(Color::Black), ..Terms::default() })
}

/// Plays moves of both sides, a second each.
fn play(game: &mut LiveGame, moves: &str) {
    for text in moves.split_whitespace() {
        let by = Sides::One(game.turn());
        let ply = game.plies();
        let now = Moment(1000 * ply as i64);
        game.act(by, &Command::play(ply, text), now).unwrap_or_else(|why| panic!("{text}: {why}"));
    }
}

/// A command in a game without clocks.
fn act(game: &mut LiveGame, by: Sides, command: &Command) -> Result<Option<Event>, Refusal> {
    game.act(by, command, Moment(0))
}

/// The move of an event.
fn played(event: Option<Event>) -> Played {
    match event {
        Some(Event::Played(played)) => played,
        other => panic!("no move: {other:?}"),
    }
}
