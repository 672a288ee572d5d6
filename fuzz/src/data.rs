//! Training data: what is read is valid, and damage is skipped without gaps or overlaps.

use std::io::{self, Read};

use nnue::data::{DataError, Decoder, Encoder, Game, HEADER, Reader, Writer};

/// Reads the bytes as a file, as the rest of a file after its header, and as the games of a block;
/// the games found are written and read back.
pub fn data(data: &[u8]) {
    file(data);
    file(&[&HEADER, data].concat());

    // Checksums keep nearly all inputs from the decoder: call it directly.
    let mut decoder = Decoder::new(data.to_vec());
    let mut games = Vec::new();
    let mut moves = 0;
    while moves < MOVES
        && let Ok(game) = decoder.game()
    {
        moves += game.moves().len() + 1;
        games.push(game);
    }
    let mut encoder = Encoder::default();
    for game in &games {
        encoder.push(game);
    }
    let mut decoder = Decoder::new(encoder.finish());
    assert!(games.iter().all(|game| decoder.game().as_ref() == Ok(game)));
    assert!(decoder.is_at_end());
    let mut writer = Writer::new(Vec::new()).expect("memory has no errors");
    for game in &games {
        writer.push(game).expect("memory has no errors");
    }
    let written = writer.finish().expect("memory has no errors");
    let read = read(&written[..]).map(|found| found.games);
    assert_eq!(read, Some(games));
}

/// A limit on the moves per input: a few bytes can encode very many.
const MOVES: usize = 20_000;

/// The contents of a source.
#[derive(PartialEq, Eq, Debug)]
struct Found {
    games: Vec<Game>,
    damage: Vec<(u64, u64)>,
}

fn file(data: &[u8]) {
    let whole = read(data);
    assert_eq!(whole, read(Trickle(data)), "the size of pieces must not matter");
    let Some(Found { games, damage }) = whole else { return };
    let mut end = HEADER.len() as u64;
    for (offset, len) in damage {
        assert!(offset >= end && offset + len <= data.len() as u64);
        end = offset + len;
    }
    for game in games {
        let positions: Vec<_> = game.samples().map(|sample| sample.position).collect();
        assert_eq!(positions.len(), game.scores().len());
    }
}

/// Everything that can be read; `None` if it is not training data.
fn read(source: impl Read) -> Option<Found> {
    let mut found = Found { games: Vec::new(), damage: Vec::new() };
    for game in Reader::new(source).ok()?.games() {
        match game {
            Ok(game) => found.games.push(game),
            Err(DataError::Damaged(damage)) => found.damage.push((damage.offset, damage.len)),
            Err(error) => panic!("memory has no errors: {error}"),
        }
    }
    Some(found)
}

/// A source that yields one byte at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(1);
        self.0.read(&mut buffer[..len])
    }
}
