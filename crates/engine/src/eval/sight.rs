//! The pieces and attacks of a position: computed once, used by every term.

use chess::{
    Bitboard, Color, Position, Role, Square, between, bishop_attacks, bishop_rays, king_attacks,
    knight_attacks, rook_attacks, rook_rays,
};

use super::pawns::Structure;
use super::side::{Black, Side, White, ring};

/// What the terms need to know about a position; arrays are by color.
pub(super) struct Sight {
    pub turn: Color,
    pub castling: Bitboard,
    pub occupied: Bitboard,
    pub colors: [Bitboard; 2],
    /// By color and role.
    pub pieces: [[Bitboard; 6]; 2],
    pub kings: [Square; 2],
    /// The nine squares around each king.
    pub rings: [Bitboard; 2],
    /// Squares attacked, by color and role.
    pub by: [[Bitboard; 6]; 2],
    /// Squares attacked by anything.
    pub all: [Bitboard; 2],
    /// Squares attacked at least twice.
    pub twice: [Bitboard; 2],
    /// The mobility area: squares that count as mobility.
    pub area: [Bitboard; 2],
    pub pins: [Pins; 2],
    /// The attackers of each king.
    pub sieges: [Siege; 2],
    /// Squares that pawns attack or may attack after advancing.
    pub spans: [Bitboard; 2],
    /// Bit n is set if there is a pawn on the nth file.
    pub pawn_files: [u8; 2],
    /// The passed pawns of both colors.
    pub passed: Bitboard,
}

/// Lines from sliders to a king with a single piece in between.
#[derive(Copy, Clone, Default)]
pub(super) struct Pins {
    /// Files and ranks, from next to the king to the slider.
    pub straight: Bitboard,
    pub diagonal: Bitboard,
    /// The pieces of either color in between.
    pub blockers: Bitboard,
}

/// The pieces that attack a king.
#[derive(Copy, Clone, Default)]
pub(super) struct Siege {
    /// Knights, bishops, rooks and queens that attack the ring.
    pub attackers: [i32; 4],
    /// Their attacks on squares next to the king.
    pub adjacent: i32,
}

impl Sight {
    pub fn new(position: &Position, structure: &Structure) -> Self {
        let colors = Color::ALL.map(|color| position.color(color));
        let pieces = colors.map(|color| Role::ALL.map(|role| position.role(role) & color));
        let kings = Color::ALL.map(|color| position.king(color));
        let mut sight = Self {
            turn: position.turn(),
            castling: position.castling_rooks(),
            occupied: position.occupied(),
            colors,
            pieces,
            kings,
            rings: kings.map(ring),
            by: [[Bitboard::EMPTY; 6]; 2],
            all: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            area: [Bitboard::EMPTY; 2],
            pins: [Pins::default(); 2],
            sieges: [Siege::default(); 2],
            spans: structure.spans,
            pawn_files: structure.files,
            passed: structure.passed,
        };
        sight.see_pawns_and_king::<White>();
        sight.see_pawns_and_king::<Black>();
        sight.mark_area::<White>();
        sight.mark_area::<Black>();
        sight.pins = [sight.find_pins(Color::White), sight.find_pins(Color::Black)];
        sight
    }

    /// The pieces of a role and color.
    #[inline]
    pub fn of(&self, color: Color, role: Role) -> Bitboard {
        self.pieces[color.index()][role.index()]
    }

    fn see_pawns_and_king<S: Side>(&mut self) {
        let us = S::US.index();
        let ahead = S::up(self.of(S::US, Role::Pawn));
        let (east, west) = (ahead.east(), ahead.west());
        let king = king_attacks(self.kings[us]);
        self.by[us][Role::Pawn.index()] = east | west;
        self.by[us][Role::King.index()] = king;
        self.all[us] = east | west | king;
        self.twice[us] = east & west | king & (east | west);
    }

    /// A square counts if no enemy pawn attacks it and it has neither our king nor a pawn of ours
    /// that is blocked or on its first ranks.
    fn mark_area<S: Side>(&mut self) {
        let us = S::US.index();
        let pawns = self.of(S::US, Role::Pawn);
        let blocked = pawns & <S::Them as Side>::up(self.occupied);
        let home = pawns & S::rank_set(chess::Rank::Second);
        let taken = blocked | home | Bitboard::of(self.kings[us]);
        self.area[us] = !(taken | self.by[us ^ 1][Role::Pawn.index()]);
    }

    fn find_pins(&self, us: Color) -> Pins {
        let king = self.kings[us.index()];
        let queens = self.of(!us, Role::Queen);
        let mut blockers = Bitboard::EMPTY;
        let mut watch = |snipers: Bitboard| {
            let mut pins = Bitboard::EMPTY;
            for sniper in snipers {
                let line = between(king, sniper);
                let inside = line & self.occupied;
                if inside.any() && !inside.many() {
                    pins |= line | Bitboard::of(sniper);
                    blockers |= inside;
                }
            }
            pins
        };
        let straight = watch(rook_rays(king) & (self.of(!us, Role::Rook) | queens));
        let diagonal = watch(bishop_rays(king) & (self.of(!us, Role::Bishop) | queens));
        Pins { straight, diagonal, blockers }
    }

    /// The attacks of a piece. Sliders see through their own more valuable pieces (X-ray), so that
    /// a battery counts, and a pinned piece attacks only along the pin.
    #[inline]
    pub fn attacks<S: Side>(&self, role: Role, square: Square) -> Bitboard {
        let us = S::US.index();
        let queens = self.pieces[us][Role::Queen.index()];
        let Pins { straight, diagonal, .. } = self.pins[us];
        let pinned = (straight | diagonal).has(square);
        match role {
            Role::Knight if pinned => Bitboard::EMPTY,
            Role::Knight => knight_attacks(square),
            Role::Bishop => {
                let attacks = bishop_attacks(square, self.occupied - queens);
                if pinned { along(attacks, square, diagonal) } else { attacks }
            }
            Role::Rook => {
                let rooks = self.pieces[us][Role::Rook.index()];
                let attacks = rook_attacks(square, self.occupied - queens - rooks);
                if pinned { along(attacks, square, straight) } else { attacks }
            }
            Role::Queen => {
                let straights = rook_attacks(square, self.occupied);
                let diagonals = bishop_attacks(square, self.occupied);
                if pinned {
                    along(straights, square, straight) | along(diagonals, square, diagonal)
                } else {
                    straights | diagonals
                }
            }
            Role::Pawn | Role::King => Bitboard::EMPTY,
        }
    }

    /// Records the attacks of a piece.
    #[inline]
    pub fn note<S: Side>(&mut self, role: Role, attacks: Bitboard) {
        let us = S::US.index();
        self.by[us][role.index()] |= attacks;
        self.twice[us] |= self.all[us] & attacks;
        self.all[us] |= attacks;
        if (attacks & self.rings[us ^ 1]).any() {
            let beside = self.by[us ^ 1][Role::King.index()];
            let siege = &mut self.sieges[us ^ 1];
            siege.attackers[role.index() - 1] += 1;
            siege.adjacent += (attacks & beside).count() as i32;
        }
    }
}

/// The attacks of a pinned piece that stay on its line, none if it is pinned the other way.
#[inline]
fn along(attacks: Bitboard, square: Square, pins: Bitboard) -> Bitboard {
    if pins.has(square) { attacks & pins } else { Bitboard::EMPTY }
}
