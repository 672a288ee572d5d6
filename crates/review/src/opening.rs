//! The opening of a game, and how long it was book.

use std::sync::OnceLock;

use chess::Line;
use game::{Openings, Variant};

use crate::report::OpeningReport;

/// The opening of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Book {
    pub opening: Option<OpeningReport>,
    /// Number of plies, from the start, in the book.
    pub plies: usize,
}

impl Book {
    /// The last named position of a game, and the plies that lead to it. Only games from the usual
    /// start have openings.
    pub(crate) fn of(line: &Line, variant: Variant) -> Self {
        static NAMES: OnceLock<Openings> = OnceLock::new();
        let usual = variant == Variant::Standard && *line.start() == chess::Position::default();
        let found = usual.then(|| {
            let names = NAMES.get_or_init(Openings::new);
            let last = line
                .positions()
                .enumerate()
                .filter_map(|(ply, position)| names.name(position).map(|opening| (ply, opening)));
            last.last()
        });
        let Some((plies, opening)) = found.flatten() else {
            return Self { opening: None, plies: 0 };
        };
        let opening = OpeningReport {
            eco: opening.eco.to_owned(),
            name: opening.name.to_owned(),
            book: plies,
        };
        Self { opening: Some(opening), plies }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn book_ends_with_the_last_named_position() {
        let mut line = Line::default();
        for text in ["e4", "e5", "Nf3", "Nc6", "Bb5", "h5"] {
            let m = line.position().parse_san(text).expect("legal");
            line.play(m).expect("legal");
        }
        let book = Book::of(&line, Variant::Standard);
        assert_eq!(book.plies, 5);
        assert_eq!(book.opening.expect("it has a name").name, "Ruy Lopez");
        assert_eq!(Book::of(&line, Variant::Chess960).plies, 0);
    }
}
