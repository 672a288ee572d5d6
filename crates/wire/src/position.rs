//! Positions and their legal moves.

use chess::{Color, Line, Move, Position, Setup};
use game::Variant;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::OutcomeView;

/// A position, given by a start position and moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    /// The start position as FEN; the usual one if absent.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub fen: Option<String>,
    /// Moves from there, in UCI or SAN.
    #[serde(default)]
    #[schema(max_items = 1000)]
    pub moves: Vec<String>,
    /// The variant.
    #[serde(default)]
    pub rules: Variant,
}

/// A position and its legal moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PositionView {
    /// The position, as FEN.
    pub fen: String,
    /// The side to move.
    pub turn: Color,
    /// Whether the side to move is in check.
    pub check: bool,
    /// All legal moves.
    pub moves: Vec<LegalMove>,
    /// The outcome, if the game is over by the rules.
    pub outcome: Option<OutcomeView>,
    /// Whether the side to move may claim a draw.
    pub claimable_draw: bool,
}

/// A board that is being set up; it may be illegal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetupRequest {
    /// The board and the side to move, as the first two fields of a FEN.
    #[schema(max_length = 200)]
    pub board: String,
}

/// What a board allows, apart from moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SetupView {
    /// The castling rights that are possible in standard chess: some of `KQkq`, or -.
    #[schema(example = "KQkq")]
    pub castling: String,
    /// The squares where the side to move could capture en passant.
    pub en_passant: Vec<String>,
}

impl From<Setup> for SetupView {
    fn from(setup: Setup) -> Self {
        let en_passant = setup.possible_en_passant().into_iter().map(|to| to.to_string()).collect();
        let fen = Setup { castling: setup.possible_castling(), ..setup }.to_string();
        let castling = fen.split(' ').nth(2).unwrap_or("-").to_owned();
        Self { castling, en_passant }
    }
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LegalMove {
    /// The move, in UCI notation.
    #[schema(example = "e2e4")]
    pub uci: String,
    /// The same in SAN.
    #[schema(example = "e4")]
    pub san: String,
    /// The origin square.
    #[schema(example = "e2")]
    pub from: String,
    /// The square that a player clicks; in castling the king's destination, or the rook's square in
    /// Chess960.
    #[schema(example = "e4")]
    pub to: String,
}

impl PositionView {
    /// The position at the end of a line.
    pub fn new(line: &Line, rules: Variant) -> Self {
        let position = line.position();
        let outcome = line.outcome();
        let moves = if outcome.is_some() { Vec::new() } else { legal_moves(position, rules) };
        Self {
            fen: position.to_string(),
            turn: position.turn(),
            check: position.is_check(),
            moves,
            outcome: outcome.map(OutcomeView::from),
            claimable_draw: line.claimable_draw().is_some(),
        }
    }
}

impl LegalMove {
    /// A legal move of a position.
    pub fn new(position: &Position, m: Move, rules: Variant) -> Self {
        let uci = m.to_uci(position, rules.castling());
        Self {
            uci: uci.to_string(),
            san: position.san(m).to_string(),
            from: m.from().to_string(),
            to: uci.to.to_string(),
        }
    }
}

fn legal_moves(position: &Position, rules: Variant) -> Vec<LegalMove> {
    position.legal_moves().iter().map(|&m| LegalMove::new(position, m, rules)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_has_twenty_moves() {
        let view = PositionView::new(&Line::default(), Variant::Standard);
        assert_eq!(view.moves.len(), 20);
        assert_eq!((view.turn, view.check, view.outcome), (Color::White, false, None));
        assert!(view.moves.iter().any(|m| m.uci == "g1f3" && m.san == "Nf3" && m.to == "f3"));
    }

    #[test]
    fn castling_is_a_click_on_the_rook_in_chess960_only() {
        let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("a FEN");
        let line = Line::new(position);
        for (rules, to) in [(Variant::Standard, "g1"), (Variant::Chess960, "h1")] {
            let view = PositionView::new(&line, rules);
            let castling = view.moves.iter().find(|m| m.san == "O-O").expect("castling is legal");
            assert_eq!(castling.to, to);
        }
    }

    #[test]
    fn a_finished_game_has_no_moves() {
        let mut line = Line::default();
        for text in ["f3", "e5", "g4", "Qh4#"] {
            let m = line.position().parse_san(text).expect("a legal move");
            line.play(m).expect("a legal move");
        }
        let view = PositionView::new(&line, Variant::Standard);
        let outcome = view.outcome.expect("a mate");
        assert_eq!((view.moves.len(), outcome.winner), (0, Some(Color::Black)));
        assert_eq!(outcome.text, "Black wins by checkmate");
    }
}
