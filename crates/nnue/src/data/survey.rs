//! Features of a position's moves: attacks, protection, threats, and their weights.
//!
//! `docs/data.md` describes each weight. A change here makes files unreadable.

use chess::{
    Bitboard, Color, Move, MoveKind, Position, Role, bishop_attacks, king_attacks, knight_attacks,
    pawn_attacks, rook_attacks,
};

use super::tables::{WEIGHTS, weight};

/// Offsets of each feature's weights, in the order of `docs/data.md`.
const EXCHANGE: usize = 0;
const TO: usize = EXCHANGE + 6 * 6 * 4 * 4;
const FROM: usize = TO + 4 * 6 * 64;
const FLAGS: usize = FROM + 4 * 6 * 64;
const KIND: usize = FLAGS + 6 * 4 * 32;
const NEAR: usize = KIND + 8;

const _: () = assert!(WEIGHTS == NEAR + 6 * 8);

/// The previous moves, as far as they make others likely.
#[derive(Copy, Clone, Debug, Default)]
pub struct Recent {
    /// The opponent's last move, and whether it was a capture.
    last: Option<(Move, bool)>,
    /// Our move before that.
    own: Option<Move>,
}

impl Recent {
    /// Adds a move played in a position.
    #[inline]
    pub fn add(&mut self, position: &Position, m: Move) {
        self.own = self.last.map(|(m, _)| m);
        self.last = Some((m, position.is_capture(m)));
    }
}

/// No square.
const NOWHERE: usize = 64;

/// Features of a position that its moves share.
pub struct Survey {
    /// By role: squares attacked by an enemy piece of lower value.
    by_lesser: [u64; 6],
    /// Squares that the enemy attacks.
    attacked: u64,
    /// Squares that we attack, and those that we attack twice.
    ours: u64,
    ours_twice: u64,
    /// By role: squares from which it gives check, and from which it attacks something more
    /// valuable or unprotected.
    checks: [u64; 6],
    threats: [u64; 6],
    /// 0 with more than 24 pieces, 1 with more than 12, 2 with fewer, 3 in check.
    stage: usize,
    /// Squares are from our point of view.
    flip: usize,
    their_king: usize,
    /// Where a piece of ours has just been captured.
    recapture: usize,
    /// Where our last move went, and where it came from.
    arrived: usize,
    departed: usize,
}

impl Survey {
    #[inline(never)]
    pub fn new(position: &Position, recent: Recent) -> Self {
        let us = position.turn();
        let (by_lesser, attacked) = enemy_attacks(position, !us);
        let (ours, ours_twice) = own_attacks(position, us);
        let count = position.occupied().count();
        let king = position.king(!us);
        let (diagonal, straight) =
            (bishop_attacks(king, position.occupied()), rook_attacks(king, position.occupied()));
        Self {
            by_lesser,
            attacked: attacked.0,
            ours: ours.0,
            ours_twice: ours_twice.0,
            checks: [
                pawn_attacks(!us, king).0,
                knight_attacks(king).0,
                diagonal.0,
                straight.0,
                (diagonal | straight).0,
                0,
            ],
            threats: threats(position, us, attacked),
            stage: match () {
                () if position.is_check() => 3,
                () if count > 24 => 0,
                () if count > 12 => 1,
                () => 2,
            },
            flip: if us == Color::White { 0 } else { 56 },
            their_king: king.index(),
            recapture: match recent.last {
                Some((m, true)) => m.to().index(),
                _ => NOWHERE,
            },
            arrived: recent.own.map_or(NOWHERE, |m| m.to().index()),
            departed: recent.own.map_or(NOWHERE, |m| m.from().index()),
        }
    }

    /// What all moves of each of our pieces have in common.
    #[inline]
    pub fn movers(&self, position: &Position, movers: &mut [Mover; 64]) {
        for square in position.color(position.turn()) {
            let from = square.index();
            let role = position.piece_on(square).map_or(0, |piece| piece.role().index());
            let board = self.stage * 384 + role * 64;
            let arrived = usize::from(from == self.arrived);
            movers[from] = Mover {
                role: role as u8,
                back: if arrived == 1 { self.departed } else { NOWHERE } as u8,
                exchange: (EXCHANGE + role * 96 + self.risk(role, from, self.ours) * 4) as u16,
                to: (TO + board) as u16,
                flags: (FLAGS + role * 128 + arrived * 4) as u16,
                near: (NEAR + role * 8) as u16,
                weight: weight(FROM + board + (from ^ self.flip)),
            };
        }
    }

    /// The sum of a move's weights.
    #[inline]
    pub fn weight(&self, position: &Position, mover: &Mover, m: Move) -> i16 {
        let to = m.to().index();
        let role = usize::from(mover.role);
        let mut victim = position.piece_on(m.to()).map_or(0, |piece| piece.role().index() + 1);
        let mut special = 0;
        // Most moves are of the first kind, whose weight is zero.
        if m.kind() != MoveKind::Normal {
            special = weight(KIND + m.kind() as usize);
            match m.kind() {
                MoveKind::Castle => victim = 0,
                MoveKind::EnPassant => victim = 1,
                _ => {}
            }
        }
        // A piece no longer protects its target once it is there; an advancing pawn never did.
        let protected = if role == 0 && victim == 0 { self.ours } else { self.ours_twice };
        let risk = self.risk(role, to, protected);
        let flags = (self.checks[role] >> to & 1) as usize
            | usize::from(to == self.recapture) << 1
            | ((self.threats[role] >> to & 1) as usize) << 3
            | usize::from(to == usize::from(mover.back)) << 4;
        mover.weight
            + weight(usize::from(mover.exchange) + victim * 16 + risk)
            + weight(usize::from(mover.to) + (to ^ self.flip))
            + weight(usize::from(mover.flags) + risk * 32 + flags)
            + weight(usize::from(mover.near) + usize::from(DISTANCE[self.their_king][to]))
            + special
    }

    /// 0 safe, 1 attacked and protected, 2 attacked, 3 attacked by a less valuable piece.
    #[inline]
    const fn risk(&self, role: usize, square: usize, protected: u64) -> usize {
        let lesser = self.by_lesser[role] >> square & 1;
        let attacked = self.attacked >> square & 1;
        let protected = protected >> square & 1;
        // A table of eight two-bit entries: branches would be mispredicted.
        0xFF60 >> (lesser << 3 | attacked << 2 | protected << 1) & 3
    }
}

/// What all moves of a piece have in common: the offsets of its weights.
#[derive(Copy, Clone, Debug, Default)]
pub struct Mover {
    role: u8,
    /// Its origin in our last move.
    back: u8,
    exchange: u16,
    to: u16,
    flags: u16,
    near: u16,
    weight: i16,
}

/// Squares attacked by pieces of lower value than each role, and all squares attacked.
fn enemy_attacks(position: &Position, them: Color) -> ([u64; 6], Bitboard) {
    let occupied = position.occupied();
    let of = |role| position.pieces(Role::of(role, them));
    let (east, west) = captures(of(Role::Pawn), them);
    let pawns = east | west;
    let mut minors = Bitboard::EMPTY;
    for square in of(Role::Knight) {
        minors |= knight_attacks(square);
    }
    for square in of(Role::Bishop) {
        minors |= bishop_attacks(square, occupied);
    }
    let mut rooks = Bitboard::EMPTY;
    for square in of(Role::Rook) {
        rooks |= rook_attacks(square, occupied);
    }
    let mut others = king_attacks(position.king(them));
    for square in of(Role::Queen) {
        others |= bishop_attacks(square, occupied) | rook_attacks(square, occupied);
    }
    let lesser = [0, pawns.0, pawns.0, (pawns | minors).0, (pawns | minors | rooks).0, 0];
    (lesser, pawns | minors | rooks | others)
}

/// Squares that we attack at least once, and at least twice.
fn own_attacks(position: &Position, us: Color) -> (Bitboard, Bitboard) {
    let occupied = position.occupied();
    let of = |role| position.pieces(Role::of(role, us));
    let (east, west) = captures(of(Role::Pawn), us);
    let (mut once, mut twice) = (east | west, east & west);
    let mut add = |set: Bitboard| {
        twice |= once & set;
        once |= set;
    };
    for square in of(Role::Knight) {
        add(knight_attacks(square));
    }
    for square in of(Role::Bishop) | of(Role::Queen) {
        add(bishop_attacks(square, occupied));
    }
    for square in of(Role::Rook) | of(Role::Queen) {
        add(rook_attacks(square, occupied));
    }
    add(king_attacks(position.king(us)));
    (once, twice)
}

/// By role, squares from which it attacks an enemy piece that is more valuable or unprotected.
fn threats(position: &Position, us: Color, protected: Bitboard) -> [u64; 6] {
    let occupied = position.occupied();
    let role = |role| position.role(role);
    let pieces = position.color(!us) - role(Role::Pawn) - role(Role::King);
    let loose = pieces - protected;
    let queens = role(Role::Queen) & pieces;
    let (east, west) = captures(pieces, !us);
    let (mut knights, mut bishops, mut rooks) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
    for square in role(Role::Rook) & pieces | queens | loose {
        knights |= knight_attacks(square);
        bishops |= bishop_attacks(square, occupied);
    }
    for square in queens | loose {
        rooks |= rook_attacks(square, occupied);
    }
    [(east | west).0, knights.0, bishops.0, rooks.0, 0, 0]
}

/// Squares that pawns attack to the east and to the west.
#[inline]
const fn captures(pawns: Bitboard, color: Color) -> (Bitboard, Bitboard) {
    let ahead = match color {
        Color::White => pawns.north(),
        Color::Black => pawns.south(),
    };
    (ahead.east(), ahead.west())
}

/// King distance between two squares.
static DISTANCE: [[u8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut i = 0_usize;
    while i < 64 * 64 {
        let (a, b) = (i / 64, i % 64);
        let (files, ranks) = ((a % 8).abs_diff(b % 8), (a / 8).abs_diff(b / 8));
        table[a][b] = if files > ranks { files } else { ranks } as u8;
        i += 1;
    }
    table
};
