//! Opening names, found by position, so that transpositions don't matter.
//!
//! They are those of <https://github.com/lichess-org/chess-openings> (CC0), unchanged; positions
//! without a name there may have one of ours.

use std::collections::{HashMap, HashSet};

use chess::{Line, Position};

/// A named opening position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The ECO code, A00 to E99.
    pub eco: &'static str,
    /// The name, such as "Sicilian Defense: Najdorf Variation".
    pub name: &'static str,
    /// The usual moves that lead to it, in SAN.
    pub moves: &'static str,
}

/// All opening names by position.
#[derive(Clone, Debug)]
pub struct Openings {
    names: HashMap<u64, Opening>,
    /// The positions on the way to a named one, and those themselves.
    book: HashSet<u64>,
}

/// ECO code, name and moves, one opening per line: lichess's names, and those of positions that
/// lichess doesn't name.
const TABLES: [&str; 2] =
    [include_str!("../data/openings.tsv"), include_str!("../data/more-openings.tsv")];

impl Default for Openings {
    fn default() -> Self {
        Self::new()
    }
}

impl Openings {
    /// Plays through the table, which takes some milliseconds: keep the result.
    pub fn new() -> Self {
        // Neighbouring lines share most of their moves: only the others are played.
        let mut path: Vec<(&str, Position)> = Vec::new();
        let mut book = HashSet::new();
        let entries = Self::table().map(|opening| {
            let moves = opening.moves.split(' ');
            let shared = path.iter().zip(moves.clone()).take_while(|((m, _), text)| m == text);
            path.truncate(shared.count());
            for text in moves.skip(path.len()) {
                let mut position = path.last().map_or_else(Position::default, |(_, p)| p.clone());
                let m = position.parse_san(text).expect("a test plays every line of the table");
                position.play_unchecked(m);
                book.insert(position.key());
                path.push((text, position));
            }
            let (_, position) = path.last().expect("a line of the table has moves");
            (position.key(), opening)
        });
        let names = entries.collect();
        Self { names, book }
    }

    /// The lines of the table in order, lichess's names first.
    pub fn table() -> impl Iterator<Item = Opening> {
        let lines = TABLES.into_iter().flat_map(str::lines).filter(|line| !line.starts_with('#'));
        lines.map(|line| {
            let mut fields = line.split('\t');
            let mut field = || fields.next().expect("a test reads every line of the table");
            Opening { eco: field(), name: field(), moves: field() }
        })
    }

    /// The name of a position.
    pub fn name(&self, position: &Position) -> Option<Opening> {
        self.names.get(&position.key()).copied()
    }

    /// Whether a position is named or on the usual way to one that is.
    pub fn is_book(&self, position: &Position) -> bool {
        self.book.contains(&position.key())
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
