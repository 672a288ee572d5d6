//! PGN: what is read is written so that it reads the same, whatever pieces the text comes in.

use std::io::{self, Read};

use game::Game;
use game::pgn::{Damaged, ReadError, Reader};
use wire::ReadGame;

/// Reads games. Each one that is not damaged is written and read back equal, all of them also
/// one after the other; a stream that comes byte by byte has the same games.
pub fn pgn(data: &[u8]) {
    let games = read(data);
    assert_eq!(games, read(Trickle(data)), "the size of pieces must not matter");

    let whole: Vec<Game> = games.into_iter().filter_map(Result::ok).collect();
    let texts: Vec<String> = whole.iter().map(Game::to_string).collect();
    let again = read(texts.join("\n").as_bytes());
    assert_eq!(again.len(), whole.len(), "{texts:?}");
    for game in &whole {
        // The browser's view has every move, each after the one it follows.
        let moves = ReadGame::new(game).moves;
        assert!(moves.len() >= game.tree.main_nodes().count());
        let follows =
            |(place, after): (usize, Option<u32>)| after.is_none_or(|at| (at as usize) < place);
        assert!(moves.iter().map(|m| m.after).enumerate().all(follows));
    }
    for ((game, again), text) in whole.iter().zip(again).zip(&texts) {
        assert_eq!(again.as_ref(), Ok(game), "{text}");
        assert_eq!(again.map(|again| again.to_string()).as_ref(), Ok(text));
    }
}

fn read(source: impl Read) -> Vec<Result<Game, Damaged>> {
    let games = Reader::new(source).games();
    games
        .map(|game| match game {
            Ok(game) => Ok(game),
            Err(ReadError::Damaged(damaged)) => Err(damaged),
            Err(ReadError::Io(error)) => panic!("a slice has no errors: {error}"),
        })
        .collect()
}

/// A source that gives a byte at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(1);
        self.0.read(&mut buffer[..len])
    }
}
