//! The phases of a game.

use chess::{Bitboard, Color, Position, Role};

/// The phase of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// The pieces come out.
    Opening,
    /// Pieces have been traded, or have left their back rank.
    Middlegame,
    /// Few pieces are left.
    Endgame,
}

chess::names! {
    Phase, schema "Phase" "The phase of a game." {
        Opening = "opening",
        Middlegame = "middlegame",
        Endgame = "endgame",
    }
}

/// With this many pieces besides kings and pawns, or fewer, it is an endgame.
const ENDGAME: u32 = 6;
/// With this many, or fewer, the opening is over.
const MIDDLEGAME: u32 = 10;
/// So is it when a back rank has fewer pieces than this.
const SPARSE: u32 = 4;

impl Phase {
    /// The phase a position belongs to by itself.
    pub fn of(position: &Position) -> Self {
        let officers = position.occupied() - position.role(Role::Pawn) - position.role(Role::King);
        let sparse = Color::ALL.into_iter().any(|color| {
            let home = position.color(color) & Bitboard::rank(color.back_rank());
            home.count() < SPARSE
        });
        if officers.count() <= ENDGAME {
            Self::Endgame
        } else if officers.count() <= MIDDLEGAME || sparse {
            Self::Middlegame
        } else {
            Self::Opening
        }
    }

    /// The phases of the positions of a game, one after the other: a game doesn't go back to an
    /// earlier phase, even if a pawn becomes a queen.
    pub fn along<'a>(positions: impl Iterator<Item = &'a Position>) -> impl Iterator<Item = Self> {
        positions.scan(Self::Opening, |reached, position| {
            *reached = (*reached).max(Self::of(position));
            Some(*reached)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(fen: &str) -> Phase {
        Phase::of(&fen.parse().expect("a legal position"))
    }

    #[test]
    fn pieces_on_the_board_and_on_the_back_rank_decide() {
        assert_eq!(Phase::of(&Position::default()), Phase::Opening);
        let traded = "r1bqk2r/pppp1ppp/8/8/8/8/PPPP1PPP/R1BQK2R w KQkq - 0 8";
        assert_eq!(phase(traded), Phase::Middlegame);
        let developed = "r4rk1/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R4RK1 w - - 0 10";
        assert_eq!(phase(developed), Phase::Middlegame);
        assert_eq!(phase("r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3KR2 w Qkq - 0 20"), Phase::Endgame);
    }

    #[test]
    fn a_game_never_returns_to_an_earlier_phase() {
        let end: Position = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().expect("legal");
        let positions = [Position::default(), end, Position::default()];
        let phases: Vec<_> = Phase::along(positions.iter()).collect();
        assert_eq!(phases, [Phase::Opening, Phase::Endgame, Phase::Endgame]);
    }
}
