//! Detects moves that give check without making them, and squares the enemy attacks.

use chess::{
    Bitboard, Color, Move, MoveKind, Position, Role, between, bishop_attacks, bishop_rays,
    king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks, rook_rays,
};

/// Squares from which pieces of the side to move give check, and pieces that can discover one.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Checks {
    squares: [Bitboard; 6],
    /// Our pieces that alone block a line from our slider to the enemy king.
    discoverers: Bitboard,
    king: chess::Square,
}

impl Checks {
    pub(crate) fn new(position: &Position) -> Self {
        let us = position.turn();
        let king = position.king(!us);
        let occupied = position.occupied();
        let ours = position.color(us);
        let diagonal = bishop_attacks(king, occupied);
        let straight = rook_attacks(king, occupied);
        let queens = position.role(Role::Queen);
        let snipers = (bishop_rays(king) & (position.role(Role::Bishop) | queens)
            | rook_rays(king) & (position.role(Role::Rook) | queens))
            & ours;
        let mut discoverers = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = between(king, sniper) & occupied;
            if !blockers.many() {
                discoverers |= blockers & ours;
            }
        }
        let squares = [
            pawn_attacks(!us, king),
            knight_attacks(king),
            diagonal,
            straight,
            diagonal | straight,
            Bitboard::EMPTY,
        ];
        Self { squares, discoverers, king }
    }

    /// Whether the piece itself gives check from its target: the common case.
    #[inline]
    pub(crate) const fn is_direct(&self, role: Role, m: Move) -> bool {
        self.squares[role.index()].has(m.to())
    }

    /// Whether a legal move gives check. Rare kinds of moves are made to find out.
    #[inline]
    pub(crate) fn given_by(&self, position: &Position, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Normal | MoveKind::DoublePush => {
                let role = position.piece_on(from).map_or(Role::King, chess::Piece::role);
                self.squares[role.index()].has(to)
                    || self.discoverers.has(from)
                        && !between(self.king, from).has(to)
                        && !between(self.king, to).has(from)
            }
            _ => position.after(m).is_check(),
        }
    }
}

/// Squares the enemy attacks, by the value of the attacker.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Threats {
    pub(crate) by_pawns: Bitboard,
    /// By pawns and minor pieces.
    pub(crate) by_minors: Bitboard,
    /// By pawns, minor pieces and rooks.
    pub(crate) by_rooks: Bitboard,
    pub(crate) all: Bitboard,
}

impl Threats {
    pub(crate) fn new(position: &Position) -> Self {
        let them = !position.turn();
        let enemies = position.color(them);
        let occupied = position.occupied();
        let pawns = position.role(Role::Pawn) & enemies;
        let ahead = match them {
            Color::White => pawns.north(),
            Color::Black => pawns.south(),
        };
        let by_pawns = ahead.east() | ahead.west();
        let mut by_minors = by_pawns;
        for square in position.role(Role::Knight) & enemies {
            by_minors |= knight_attacks(square);
        }
        for square in position.role(Role::Bishop) & enemies {
            by_minors |= bishop_attacks(square, occupied);
        }
        let mut by_rooks = by_minors;
        for square in position.role(Role::Rook) & enemies {
            by_rooks |= rook_attacks(square, occupied);
        }
        let mut all = by_rooks | king_attacks(position.king(them));
        for square in position.role(Role::Queen) & enemies {
            all |= queen_attacks(square, occupied);
        }
        Self { by_pawns, by_minors, by_rooks, all }
    }

    /// Squares where a piece of this role is attacked by a less valuable one.
    #[inline]
    pub(crate) const fn to(&self, role: Role) -> Bitboard {
        match role {
            Role::Knight | Role::Bishop => self.by_pawns,
            Role::Rook => self.by_minors,
            Role::Queen => self.by_rooks,
            Role::Pawn | Role::King => Bitboard::EMPTY,
        }
    }

    /// The index of a move's history table: whether its origin and target are attacked.
    #[inline]
    pub(crate) fn index(&self, m: Move) -> usize {
        usize::from(self.all.has(m.from())) * 2 + usize::from(self.all.has(m.to()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_seen_without_playing() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/4B3/8/8/4R3/4K3 w - - 0 1",
            "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
        ];
        let mut given = 0;
        let mut walk = vec![];
        for fen in fens {
            let position: Position = fen.parse().expect("a legal position");
            walk.extend(position.legal_moves().iter().map(|&m| position.after(m)));
            walk.push(position);
        }
        for position in walk {
            let checks = Checks::new(&position);
            for &m in &position.legal_moves() {
                let check = position.after(m).is_check();
                assert_eq!(checks.given_by(&position, m), check, "{m:?} in {position}");
                given += u32::from(check);
            }
        }
        assert!(given > 80, "{given}");
    }

    #[test]
    fn threats_are_the_enemys_attacks() {
        let position: Position =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
                .parse()
                .expect("a legal position");
        let threats = Threats::new(&position);
        for square in chess::Square::all() {
            let attackers = position.attackers(square, position.occupied());
            let enemies = attackers & position.color(Color::Black);
            assert_eq!(threats.all.has(square), enemies.any(), "{square}");
            let pawns = enemies & position.role(Role::Pawn);
            assert_eq!(threats.by_pawns.has(square), pawns.any(), "{square}");
        }
    }
}
