//! The opening of a game, and how long it was book.

use std::sync::OnceLock;

use chess::{Line, Position};
use game::{Openings, Variant};

use crate::report::OpeningReport;
use crate::{Label, Mode};

/// The opening of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Book {
    pub opening: Option<OpeningReport>,
    /// Number of plies, from the start, until a position isn't in the tables.
    pub plies: usize,
}

impl Book {
    /// The last named position of a game, and the plies until it first leaves the opening tables.
    /// Only games from the usual start have openings.
    pub(crate) fn of(line: &Line, variant: Variant) -> Self {
        static NAMES: OnceLock<Openings> = OnceLock::new();
        if variant != Variant::Standard || *line.start() != Position::default() {
            return Self { opening: None, plies: 0 };
        }
        let names = NAMES.get_or_init(Openings::new);
        // The tables also name mates; those deserve better.
        let known = |position: &&Position| names.is_book(position) && position.outcome().is_none();
        let plies = line.positions().skip(1).take_while(known).count();
        let opening = names.find(line).map(|opening| OpeningReport {
            eco: opening.eco.to_owned(),
            name: opening.name.to_owned(),
            book: plies,
        });
        Self { opening, plies }
    }

    /// The opening of a game whose moves have these labels: in Riga's mode the book also ends with
    /// the first move that isn't called one.
    pub(crate) fn opening(
        self,
        labels: impl Iterator<Item = Label>,
        mode: Mode,
    ) -> Option<OpeningReport> {
        let called = labels.take_while(|&label| label == Label::Book).count();
        let book = if mode == Mode::Riga { self.plies.min(called) } else { self.plies };
        self.opening.map(|opening| OpeningReport { book, ..opening })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(moves: &[&str]) -> Book {
        let mut line = Line::default();
        for text in moves {
            let m = line.position().parse_san(text).expect("legal");
            line.play(m).expect("legal");
        }
        assert_eq!(Book::of(&line, Variant::Chess960).plies, 0);
        Book::of(&line, Variant::Standard)
    }

    #[test]
    fn book_ends_when_the_tables_are_left() {
        let book = book(&["e4", "e5", "Nf3", "Nc6", "Bb5", "h5"]);
        assert_eq!(book.plies, 5);
        assert_eq!(book.opening.expect("it has a name").name, "Ruy Lopez");
    }

    #[test]
    fn a_game_that_comes_back_to_a_named_position_has_its_name_but_no_book() {
        let book = book(&["e4", "e5", "Nf3", "Nc6", "Ng1", "Nb8", "Nf3", "Nc6", "Bb5"]);
        assert_eq!(book.plies, 4, "2... Nc6 is the last book move");
        assert_eq!(book.opening.expect("it has a name").name, "Ruy Lopez");
    }

    #[test]
    fn a_mate_in_the_tables_is_no_book_move() {
        assert_eq!(book(&["f3", "e5", "g4", "Qh4#"]).plies, 3);
    }
}
