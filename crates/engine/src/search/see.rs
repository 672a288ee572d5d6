//! Static exchange evaluation (SEE): the outcome of all captures on one square.

use chess::{
    Bitboard, Color, Move, MoveKind, Position, Role, Square, between, bishop_attacks, bishop_rays,
    rook_attacks, rook_rays,
};

use super::value::Value;

/// Piece values for exchanges, by role.
const WORTH: [Value; 6] = [100, 310, 330, 500, 950, 0];

/// The value of a piece in exchanges.
#[inline]
pub(crate) const fn worth(role: Role) -> Value {
    WORTH[role.index()]
}

/// The exchange value of a move's captured piece; zero for a quiet move.
#[inline]
pub(crate) fn captured(position: &Position, m: Move) -> Value {
    victim(position, m).map_or(0, worth)
}

/// The role that a move captures.
#[inline]
pub(crate) fn victim(position: &Position, m: Move) -> Option<Role> {
    match m.kind() {
        MoveKind::EnPassant => Some(Role::Pawn),
        MoveKind::Castle => None,
        _ => position.piece_on(m.to()).map(chess::Piece::role),
    }
}

/// Whether a move changes the material: a capture or a promotion.
#[inline]
pub(crate) fn is_tactical(position: &Position, m: Move) -> bool {
    m.promotion().is_some() || victim(position, m).is_some()
}

/// Whether a move wins at least `threshold` if both sides capture on its target as long as it pays.
/// A yes-or-no answer, so that most exchanges are decided by the first pieces.
pub(crate) fn wins_at_least(position: &Position, m: Move, threshold: Value) -> bool {
    if m.kind() == MoveKind::Castle {
        return threshold <= 0;
    }
    let (from, to) = (m.from(), m.to());
    let Some(mover) = position.piece_on(from) else { return false };
    // The piece on the square after the move, and the balance so far.
    let mut standing = mover.role();
    let mut balance = captured(position, m) - threshold;
    if let Some(promoted) = m.promotion() {
        balance += worth(promoted) - worth(Role::Pawn);
        standing = promoted;
    }
    if balance < 0 {
        return false;
    }
    // Even if the piece is lost for nothing.
    balance -= worth(standing);
    if balance >= 0 {
        return true;
    }

    let mut occupied = position.occupied() ^ Bitboard::of(from) | Bitboard::of(to);
    if m.kind() == MoveKind::EnPassant {
        let taken = match mover.color() {
            Color::White => Bitboard::of(to).south(),
            Color::Black => Bitboard::of(to).north(),
        };
        occupied -= taken;
    }
    let queens = position.role(Role::Queen);
    let diagonal = position.role(Role::Bishop) | queens;
    let straight = position.role(Role::Rook) | queens;
    let mut attackers = position.attackers(to, occupied) & occupied;
    let mut turn = !mover.color();
    let mut pins: [Option<Pins>; 2] = [None; 2];
    loop {
        let mut ours = attackers & position.color(turn);
        if ours.is_empty() {
            break;
        }
        let pins = pins[turn.index()].get_or_insert_with(|| Pins::new(position, turn, to));
        // A pin holds as long as the pinner stays where it is.
        if (pins.pinners & occupied).any() {
            ours -= pins.pinned;
        }
        let Some(role) = least_valuable(position, ours) else { break };
        if role == Role::King {
            // The king may only capture undefended pieces.
            if (attackers & position.color(!turn)).any() {
                break;
            }
            return turn == mover.color();
        }
        let piece = (ours & position.role(role)).first().expect("an attacker of this role");
        occupied -= Bitboard::of(piece);
        // A line may open behind the piece (X-ray).
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= rook_attacks(to, occupied) & straight;
        }
        attackers &= occupied;
        turn = !turn;
        balance = -balance - 1 - worth(role);
        if balance >= 0 {
            break;
        }
    }
    // The side that can't or doesn't capture has lost the exchange.
    turn != mover.color()
}

/// What a move wins, in centipawns, if both sides capture on its target as long as it pays.
///
/// ```
/// let position: chess::Position = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1".parse()?;
/// assert_eq!(engine::exchange(&position, position.parse_move("e1e5").expect("legal")), 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn exchange(position: &Position, m: Move) -> i32 {
    // No exchange is worth more than a queen taken and a pawn promoted.
    let (mut least, mut most) = (-2 * worth(Role::Queen), 2 * worth(Role::Queen));
    while least < most {
        let middle = least + (most - least + 1) / 2;
        if wins_at_least(position, m, middle) {
            least = middle;
        } else {
            most = middle - 1;
        }
    }
    least
}

/// Pieces of a side that can't join an exchange, because they are pinned.
#[derive(Copy, Clone, Debug)]
struct Pins {
    pinned: Bitboard,
    pinners: Bitboard,
}

impl Pins {
    /// Pins against captures on `target`; a piece may capture along its pin.
    fn new(position: &Position, us: Color, target: Square) -> Self {
        let king = position.king(us);
        let queens = position.role(Role::Queen);
        let snipers = (rook_rays(king) & (position.role(Role::Rook) | queens)
            | bishop_rays(king) & (position.role(Role::Bishop) | queens))
            & position.color(!us);
        let mut pins = Self { pinned: Bitboard::EMPTY, pinners: Bitboard::EMPTY };
        for sniper in snipers {
            let line = between(king, sniper);
            let blockers = line & position.occupied();
            if !blockers.many() && !(line | Bitboard::of(sniper)).has(target) {
                pins.pinned |= blockers & position.color(us);
                pins.pinners |= Bitboard::of(sniper);
            }
        }
        pins
    }
}

#[inline]
fn least_valuable(position: &Position, attackers: Bitboard) -> Option<Role> {
    if attackers.is_empty() {
        return None;
    }
    Role::ALL.into_iter().find(|&role| (attackers & position.role(role)).any())
}

#[cfg(test)]
mod tests {
    use chess::UciMove;

    use super::*;

    fn exchange(fen: &str, m: &str) -> Value {
        let position: Position = fen.parse().expect("a legal position");
        let m = m.parse::<UciMove>().expect("a move").to_move(&position).expect("legal");
        super::exchange(&position, m)
    }

    #[test]
    fn exchanges_of_known_worth() {
        let cases = [
            // A free pawn.
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            // A knight for a pawn: x-rays on both sides.
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 310),
            // Defended only by the king, attacked twice.
            ("8/8/3k4/4p3/8/4R3/4R3/4K3 w - - 0 1", "e3e5", 100),
            ("8/8/3k4/4p3/8/4R3/8/4K3 w - - 0 1", "e3e5", 100 - 500),
            // En passant, and the pawn can be retaken.
            ("4k3/3p4/8/4pP2/8/8/8/4K3 w - e6 0 1", "f5e6", 0),
            ("4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1", "f5e6", 100),
            // Promotion, and promotion into a capture.
            ("8/P7/8/8/8/8/k7/4K3 w - - 0 1", "a7a8q", 850),
            ("1r5k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
            // The knight that could retake is pinned, or it isn't.
            ("4k3/4n3/8/3p4/8/2N5/8/4R2K w - - 0 1", "c3d5", 100),
            ("4k3/4n3/8/3p4/8/2N5/8/7K w - - 0 1", "c3d5", 100 - 310),
            // A piece can recapture along its pin.
            ("4k3/4r3/8/8/4p3/8/6B1/K3Q3 w - - 0 1", "e1e4", 100 - 950 + 500),
            // A quiet move to an attacked square.
            ("4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "f3e5", -310),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0),
        ];
        for (fen, m, worth) in cases {
            assert_eq!(exchange(fen, m), worth, "{m} in {fen}");
        }
    }
}
