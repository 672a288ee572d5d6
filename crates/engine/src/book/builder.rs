//! Builds a book from played moves.

use std::collections::HashMap;

use chess::{Move, Position};

use super::entry::{Entry, encode};
use super::polyglot::Book;

/// Collects moves and the results of their games, and builds a book from them.
///
/// ```
/// use chess::Position;
/// use engine::book::{BookBuilder, Ending, Scoring};
///
/// let start = Position::default();
/// let mut builder = BookBuilder::default();
/// builder.add(&start, start.parse_san("e4")?, Ending::Won);
/// builder.add(&start, start.parse_san("d4")?, Ending::Drawn);
/// builder.add(&start, start.parse_san("f3")?, Ending::Lost);
/// let moves = builder.book(1, Scoring::Points).moves(&start);
/// assert_eq!(moves.iter().map(|known| known.weight).collect::<Vec<_>>(), [2, 1]);
/// # Ok::<(), chess::SanError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct BookBuilder {
    tallies: HashMap<(u64, u16), Tally>,
}

/// The result of a game for the side that made a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It won.
    Won,
    /// A draw.
    Drawn,
    /// It lost.
    Lost,
}

/// How moves are weighted.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Scoring {
    /// Two points per win and one per draw.
    #[default]
    Points,
    /// One point per game, whatever the result.
    Games,
}

#[derive(Copy, Clone, Debug, Default)]
struct Tally {
    games: u64,
    points: u64,
}

impl BookBuilder {
    /// Adds a move of one game. The move must be legal in the position.
    pub fn add(&mut self, position: &Position, m: Move, ending: Ending) {
        self.add_times(position, m, ending, 1);
    }

    /// Adds a move from several games with the same result.
    pub fn add_times(&mut self, position: &Position, m: Move, ending: Ending, times: u64) {
        debug_assert!(position.is_legal(m), "{m:?} in {position}");
        let points = match ending {
            Ending::Won => 2,
            Ending::Drawn => 1,
            Ending::Lost => 0,
        };
        let tally = self.tallies.entry((position.polyglot_key(), encode(m))).or_default();
        tally.games = tally.games.saturating_add(times);
        tally.points = tally.points.saturating_add(times.saturating_mul(points));
    }

    /// Number of different moves added.
    pub fn len(&self) -> usize {
        self.tallies.len()
    }

    /// Whether nothing has been added.
    pub fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    /// The book of all moves that were played in at least `min_games` games and have a positive
    /// score. The order in which moves were added doesn't matter.
    pub fn book(&self, min_games: u64, scoring: Scoring) -> Book {
        let mut scores: Vec<(u64, u16, u64)> = self
            .tallies
            .iter()
            .filter(|(_, tally)| tally.games >= min_games)
            .map(|(&(key, code), tally)| match scoring {
                Scoring::Points => (key, code, tally.points),
                Scoring::Games => (key, code, tally.games),
            })
            .filter(|&(.., score)| score > 0)
            .collect();
        scores.sort_unstable_by_key(|&(key, code, score)| (key, u64::MAX - score, code));
        let entries: Vec<Entry> = scores.chunk_by(|a, b| a.0 == b.0).flat_map(entries).collect();
        Book::from_entries(&entries)
    }
}

/// The entries of one position, highest weight first. If a score is too large for the format, all
/// scores of the position are scaled to keep their proportions.
fn entries(scores: &[(u64, u16, u64)]) -> impl Iterator<Item = Entry> {
    let greatest = scores.first().map_or(1, |&(.., score)| score);
    let fits = u16::try_from(greatest).is_ok();
    scores.iter().map(move |&(key, code, score)| {
        // A move with a positive score stays in the book.
        let scaled = u128::from(score) * u128::from(u16::MAX) / u128::from(greatest);
        let weight = if fits { score as u16 } else { (scaled as u16).max(1) };
        Entry { key, code, weight }
    })
}
