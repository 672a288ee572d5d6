//! Random games from every kind of start, the same on every run.

use chess::{Bitboard, Color, Move, MoveKind, Position, Rank, Role, Setup};

/// Positions where castling, en passant, promotions, pins and checks are near, all of them
/// standard chess.
pub const STANDARD_STARTS: [&str; 14] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 12 30",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "4k3/2p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 b - - 0 1",
    "q3k2q/8/8/2pppp2/2PPPP2/8/8/Q3K2Q w - - 0 1",
    "1r1qk1r1/2p2p2/8/3PP3/3pp3/8/2P2P2/1R1QK1R1 w - - 40 99",
    "8/1k1n4/8/3b4/4B3/8/4N1K1/8 b - - 0 1",
    "8/8/5k2/3b4/8/2K1N3/8/8 w - - 0 1",
    "8/3k4/8/2r5/5R2/8/4K3/8 w - - 95 80",
];

/// Random numbers, `SplitMix64`.
pub struct Dice(u64);

impl Dice {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub const fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub const fn below(&mut self, sides: usize) -> usize {
        (self.roll() % sides as u64) as usize
    }

    pub const fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}

/// A legal move, if there is one; castling, promotions and captures en passant come more often
/// than their number says.
pub fn pick(position: &Position, dice: &mut Dice) -> Option<Move> {
    let moves = position.legal_moves();
    let rare: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|m| !matches!(m.kind(), MoveKind::Normal | MoveKind::DoublePush))
        .collect();
    let choice = if rare.is_empty() || dice.chance(2) { &moves[..] } else { &rare[..] };
    (!choice.is_empty()).then(|| choice[dice.below(choice.len())])
}

/// A start where each side has an array of its own.
pub fn unequal_arrays(white: u16, black: u16) -> Position {
    let mut setup = Setup::chess960(white).expect("a number below 960");
    let other = Setup::chess960(black).expect("a number below 960");
    let last = Bitboard::rank(Rank::Eighth);
    for square in last {
        setup.board[square.index()] = other.board[square.index()];
    }
    setup.castling = (setup.castling - last) | (other.castling & last);
    Position::try_from(&setup).expect("arrays far apart give no check")
}

/// Whether the position keeps what its type promises, as far as an outsider can see.
pub fn assert_sound(position: &Position) {
    for color in Color::ALL {
        let king = position.color(color) & position.role(Role::King);
        assert_eq!(king.count(), 1, "{position}");
    }
    let waiting = position.king(!position.turn());
    let attackers = position.attackers(waiting, position.occupied());
    assert!((attackers & position.color(position.turn())).is_empty(), "{position}");
    let king = position.king(position.turn());
    let checkers = position.attackers(king, position.occupied());
    assert_eq!(checkers & position.color(!position.turn()), position.checkers(), "{position}");
    assert_eq!(position.key(), position.key_from_scratch(), "{position}");
    // Reading the text checks every rule afresh, and finds every cached part again.
    assert_eq!(position.to_string().parse().as_ref(), Ok(position));
}
