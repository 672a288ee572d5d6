//! PGN: games round-trip through their text, however the input is split.

use std::io::{self, Read};

use game::Game;
use game::pgn::{ReadError, Reader, Remark};
use wire::ReadGame;

/// Reads games. What is kept of each is written and read back equal and without remarks, all of
/// them also as one file; a stream read byte by byte gives the same games.
pub fn pgn(data: &[u8]) {
    let games = read(data);
    assert_eq!(games, read(Trickle(data)), "the size of pieces must not matter");

    let kept: Vec<Found> = games.into_iter().filter_map(Result::ok).collect();
    let texts: Vec<String> = kept.iter().map(|(game, _)| game.to_string()).collect();
    let again = read(texts.join("\n").as_bytes());
    assert_eq!(again.len(), kept.len(), "{texts:?}");
    for (game, remarks) in &kept {
        // The browser's view has every move, each after its predecessor.
        let moves = ReadGame::new(game, remarks).moves;
        assert!(moves.len() >= game.tree.main_nodes().count());
        let follows =
            |(place, after): (usize, Option<u32>)| after.is_none_or(|at| (at as usize) < place);
        assert!(moves.iter().map(|m| m.after).enumerate().all(follows));
    }
    for (((game, _), again), text) in kept.into_iter().zip(again).zip(&texts) {
        assert_eq!(again, Ok((game, Vec::new())), "{text}");
        assert_eq!(again.map(|(again, _)| again.to_string()).as_ref(), Ok(text));
    }
}

/// A game and its remarks.
type Found = (Game, Vec<Remark>);

fn read(source: impl Read) -> Vec<Result<Found, Remark>> {
    let mut games = Reader::new(source).games();
    let mut found = Vec::new();
    while let Some(game) = games.next() {
        found.push(match game {
            Ok(game) => Ok((game, games.remarks().to_vec())),
            Err(ReadError::Lost(remark)) => Err(remark),
            Err(ReadError::Io(error)) => panic!("a slice has no errors: {error}"),
        });
    }
    found
}

/// A source that yields one byte at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(1);
        self.0.read(&mut buffer[..len])
    }
}
