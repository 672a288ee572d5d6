//! Names of openings, found by position, so that transpositions don't matter.

use std::collections::HashMap;

use chess::{Line, Position};

/// A named position of the opening.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings, A00 to E99.
    pub eco: &'static str,
    /// The name, such as "Sicilian Defense: Najdorf Variation".
    pub name: &'static str,
    /// The usual moves that lead there, in algebraic notation.
    pub moves: &'static str,
}

/// All names that Riga knows, by position.
#[derive(Clone, Debug)]
pub struct Openings(HashMap<u64, Opening>);

/// Code, name and moves, a line each.
const TABLE: &str = include_str!("../data/openings.tsv");

impl Default for Openings {
    fn default() -> Self {
        Self::new()
    }
}

impl Openings {
    /// Plays through the table; takes some milliseconds, so keep the result.
    pub fn new() -> Self {
        let entries = Self::table().map(|opening| {
            let mut position = Position::default();
            for text in opening.moves.split(' ') {
                let m = position.parse_san(text).expect("a test plays every line of the table");
                position.play_unchecked(m);
            }
            (position.key(), opening)
        });
        Self(entries.collect())
    }

    /// The lines of the table in order.
    pub fn table() -> impl Iterator<Item = Opening> {
        TABLE.lines().map(|line| {
            let mut fields = line.split('\t');
            let mut field = || fields.next().expect("a test reads every line of the table");
            Opening { eco: field(), name: field(), moves: field() }
        })
    }

    /// The name of a position.
    pub fn name(&self, position: &Position) -> Option<Opening> {
        self.0.get(&position.key()).copied()
    }

    /// The name of the last named position of a line.
    ///
    /// ```
    /// use game::{Game, Openings};
    ///
    /// let mut game = Game::default();
    /// for text in ["Nf3", "c5", "e4", "d6"] {
    ///     let m = game.position().parse_san(text)?;
    ///     game.play(m)?;
    /// }
    /// let opening = Openings::new().find(&game.line()).expect("it is a Sicilian");
    /// assert!(opening.name.starts_with("Sicilian Defense"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, line: &Line) -> Option<Opening> {
        line.positions().rev().find_map(|position| self.name(position))
    }
}
