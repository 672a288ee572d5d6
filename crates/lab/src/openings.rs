//! The positions that the games of a match start from.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use chess::{Line, Position};
use engine::Dice;
use game::pgn::{ReadError, Reader};

use crate::epd::{self, Epd};

/// Openings, in playing order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningSuite {
    openings: Vec<Line>,
    /// What could not be used of the file, and why.
    pub skipped: Vec<String>,
}

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file can't be read.
    #[error("can't read {}: {cause}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: std::io::Error,
    },
    /// No opening is usable.
    #[error("no usable opening{}", .0.as_ref().map_or_else(String::new, |why| format!(": {why}")))]
    Empty(Option<String>),
}

impl Default for OpeningSuite {
    /// The start position only.
    fn default() -> Self {
        Self { openings: vec![Line::default()], skipped: Vec::new() }
    }
}

impl OpeningSuite {
    /// Reads a file: PGN by its extension, otherwise EPD or FEN with one position per line. At most
    /// `plies` moves of each game are used.
    pub fn read(path: &Path, plies: Option<usize>) -> Result<Self, OpeningError> {
        let failed = |cause| OpeningError::Io { path: path.to_owned(), cause };
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn")) {
            Self::from_pgn(fs::File::open(path).map_err(failed)?, plies).map_err(
                |error| match error {
                    OpeningError::Io { cause, .. } => failed(cause),
                    error @ OpeningError::Empty(_) => error,
                },
            )
        } else {
            let bytes = fs::read(path).map_err(failed)?;
            Self::from_epd(&String::from_utf8_lossy(&bytes))
        }
    }

    /// Reads positions, one per line. Empty lines and lines that start with `#` are skipped.
    pub fn from_epd(text: &str) -> Result<Self, OpeningError> {
        let mut suite = Self { openings: Vec::new(), skipped: Vec::new() };
        for (number, line) in epd::lines(text) {
            match Epd::read(line).fen.parse::<Position>() {
                Ok(position) => suite.add(Line::new(position), &format!("line {number}")),
                Err(error) => suite.skipped.push(format!("line {number}: {error}")),
            }
        }
        suite.checked()
    }

    /// Reads games.
    pub fn from_pgn(source: impl Read, plies: Option<usize>) -> Result<Self, OpeningError> {
        let mut suite = Self { openings: Vec::new(), skipped: Vec::new() };
        let mut games = Reader::new(source).games();
        let mut number = 0;
        while let Some(game) = games.next() {
            number += 1;
            match game {
                Ok(game) => {
                    suite.skipped.extend(games.remarks().iter().map(ToString::to_string));
                    let mut line = game.line();
                    line.truncate(plies.unwrap_or(usize::MAX));
                    // Nothing is left of a game whose first move can't be played.
                    if games.remarks().is_empty() || !line.is_empty() {
                        suite.add(line, &format!("game {number}"));
                    }
                }
                Err(ReadError::Lost(remark)) => suite.skipped.push(remark.to_string()),
                Err(ReadError::Io(cause)) => {
                    return Err(OpeningError::Io { path: PathBuf::new(), cause });
                }
            }
        }
        suite.checked()
    }

    fn add(&mut self, line: Line, place: &str) {
        match line.outcome() {
            None => self.openings.push(line),
            Some(outcome) => self.skipped.push(format!("{place}: the game is over: {outcome}")),
        }
    }

    fn checked(self) -> Result<Self, OpeningError> {
        if self.openings.is_empty() {
            return Err(OpeningError::Empty(self.skipped.into_iter().next()));
        }
        Ok(self)
    }

    /// Shuffles the openings; the order depends only on the seed.
    pub fn shuffle(&mut self, seed: u64) {
        Dice::new(seed).shuffle(&mut self.openings);
    }

    /// Starts with the opening of this number instead of the first.
    pub fn skip(&mut self, count: usize) {
        let count = count % self.openings.len();
        self.openings.rotate_left(count);
    }

    /// Number of openings; at least one.
    pub fn count(&self) -> usize {
        self.openings.len()
    }

    /// The opening of a round. The first one follows the last.
    pub fn of_round(&self, round: usize) -> &Line {
        &self.openings[round % self.openings.len()]
    }

    /// A hash of the openings and their order.
    pub fn fingerprint(&self) -> u64 {
        let mut state = 0;
        for line in &self.openings {
            for position in [line.start(), line.position()] {
                state ^= position.key();
                state = Dice::new(state).roll();
            }
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn fens(suite: &OpeningSuite) -> Vec<String> {
        (0..suite.count()).map(|i| suite.of_round(i).position().to_string()).collect()
    }

    #[test]
    fn epd_and_fen_are_read_with_their_counters() {
        let text = format!(
            "\u{feff}{START} 3 17\n\n# a comment\r\n{START} hmvc 2; fmvn 9; id \"x\";\r\n\
             {START} bm e4; c0 \"hmvc\";\n{START}\n"
        );
        let suite = OpeningSuite::from_epd(&text).expect("openings");
        assert_eq!(suite.skipped, Vec::<String>::new());
        let counters = ["3 17", "2 9", "0 1", "0 1"];
        assert_eq!(fens(&suite), counters.map(|counters| format!("{START} {counters}")));
    }

    #[test]
    fn what_cannot_be_played_is_told_and_passed_over() {
        let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
        let suite = OpeningSuite::from_epd(&format!("nonsense\n{START}\n{mate}")).expect("one");
        assert_eq!(suite.count(), 1);
        assert!(suite.skipped[0].starts_with("line 1: "), "{:?}", suite.skipped);
        assert_eq!(suite.skipped[1], "line 3: the game is over: White wins by checkmate");
        let error = OpeningSuite::from_epd(mate).expect_err("nothing is left");
        assert!(error.to_string().contains("line 1: the game is over"), "{error}");
        assert!(OpeningSuite::from_epd("").is_err());
    }

    #[test]
    fn games_are_cut_to_their_opening() {
        let pgn = "1. e4 e5 2. Nf3 Nc6 *\n\n[White \"x\"]\n\n1. e5 *\n\n[White \"y\"]\n\n1. d4 *\n";
        let suite = OpeningSuite::from_pgn(pgn.as_bytes(), Some(3)).expect("openings");
        assert_eq!((suite.count(), suite.of_round(0).len(), suite.of_round(1).len()), (2, 3, 1));
        assert_eq!(suite.skipped.len(), 1);
        let suite = OpeningSuite::from_pgn(pgn.as_bytes(), None).expect("openings");
        assert_eq!(suite.of_round(0).len(), 4);
        // The first one follows the last.
        assert_eq!(suite.of_round(2), suite.of_round(0));
    }

    #[test]
    fn the_order_depends_on_the_seed_alone() {
        let arrays: Vec<String> =
            (0..60).filter_map(Position::chess960).map(|position| position.to_string()).collect();
        let suite = OpeningSuite::from_epd(&arrays.join("\n")).expect("openings");
        let shuffled = |seed| {
            let mut suite = suite.clone();
            suite.shuffle(seed);
            suite
        };
        assert_eq!(shuffled(7), shuffled(7));
        assert_ne!(shuffled(7), shuffled(8));
        assert_ne!(shuffled(7).fingerprint(), suite.fingerprint());
        let sorted = |suite: &OpeningSuite| {
            let mut fens = fens(suite);
            fens.sort();
            fens
        };
        assert_eq!(sorted(&shuffled(7)), sorted(&suite));
        let mut later = suite.clone();
        later.skip(2);
        assert_eq!(later.of_round(0), suite.of_round(2));
        assert_eq!(later.of_round(58), suite.of_round(0));
    }

    proptest! {
        #[test]
        fn no_text_is_a_panic(text in "[rnbqkpRNBQKP1-8/ wbKQkq;#\n-]*|\\PC*") {
            let _ = OpeningSuite::from_epd(&text);
        }

        #[test]
        fn no_bytes_are_a_panic(bytes: Vec<u8>, plies: Option<usize>) {
            let _ = OpeningSuite::from_pgn(bytes.as_slice(), plies);
        }
    }
}
