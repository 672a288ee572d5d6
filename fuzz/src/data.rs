//! Training data: what is read is sound, and damage is skipped without a gap or an overlap.

use std::io::{self, Read};

use nnue::data::{DataError, Decoder, Encoder, Game, HEADER, Reader, Writer};

/// Reads the bytes as a file, as what follows a file's header, and as the games of a block; the
/// games that are found are written and read back equal.
pub fn data(data: &[u8]) {
    file(data);
    file(&[&HEADER, data].concat());

    // Checksums keep nearly all bytes from the decoder: give them to it directly.
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

/// Enough moves for one input: a few bytes can hold very many.
const MOVES: usize = 20_000;

/// What a source holds.
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

/// All that can be read, or `None` if it is no training data.
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

/// A source that gives a byte at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(1);
        self.0.read(&mut buffer[..len])
    }
}
