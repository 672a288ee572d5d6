//! Moves as people write them in a game: `14... Qxe5 15. Nf3`.

use chess::{Color, MoveNumber, Position};

use super::Language;
use super::spoken::san;
use crate::{GameReport, MoveText};

/// The number of a move, counted from the start position of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbering {
    first: u32,
    turn: Color,
}

impl Numbering {
    /// The numbering of a game from this position.
    pub(crate) fn of(start: &Position) -> Self {
        Self { first: start.fullmoves().into(), turn: start.turn() }
    }

    /// The numbering of the game of a report.
    pub(crate) fn of_report(report: &GameReport) -> Self {
        Self::of(&report.start.parse().unwrap_or_default())
    }

    /// The side that plays a ply, from 0.
    pub(crate) fn side(self, ply: usize) -> Color {
        if ply.is_multiple_of(2) { self.turn } else { !self.turn }
    }

    /// The move number of a ply, from 0.
    pub(crate) fn number(self, ply: usize) -> u32 {
        let plies = ply + self.turn.index();
        self.first + (plies / 2) as u32
    }

    /// The number before a move: `14.` or `14...`.
    pub(crate) fn text(self, ply: usize) -> String {
        MoveNumber { number: self.number(ply), color: self.side(ply) }.to_string()
    }

    /// A move with its number: `14. Nf3` or `14... Qxe5`.
    pub(crate) fn numbered(self, ply: usize, san: &str) -> String {
        format!("{} {san}", self.text(ply))
    }

    /// A line that starts with a ply: `14... Qxe5 15. Nf3`, or `14... Dxe5 15. Sf3` in German.
    pub(crate) fn line(self, ply: usize, moves: &[MoveText], language: Language) -> String {
        let mut text = String::new();
        for (i, m) in moves.iter().enumerate() {
            if i > 0 {
                text.push(' ');
            }
            let san = san(&m.san, language);
            if i == 0 || self.side(ply + i) == Color::White {
                text.push_str(&self.numbered(ply + i, &san));
            } else {
                text.push_str(&san);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_numbered_from_the_start_position() {
        let numbers = Numbering::of(&Position::default());
        assert_eq!([0, 1, 2].map(|ply| numbers.text(ply)), ["1.", "1...", "2."]);
        let fen = "4k3/8/8/8/8/8/8/4K2R b K - 0 30";
        let numbers = Numbering::of(&fen.parse().expect("a legal position"));
        assert_eq!([0, 1, 2].map(|ply| numbers.text(ply)), ["30...", "31.", "31..."]);
        let moves = ["Kd7", "O-O", "Ke6"];
        let moves = moves.map(|san| MoveText { uci: String::new(), san: san.to_owned() });
        assert_eq!(numbers.line(0, &moves, Language::English), "30... Kd7 31. O-O Ke6");
        assert_eq!(numbers.line(0, &[], Language::German), "");
    }
}
