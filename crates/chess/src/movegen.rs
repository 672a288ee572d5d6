//! Generates legal moves without making them on the board.
//!
//! Checks limit the targets of pieces, pins limit their directions, and the king avoids attacked
//! squares; what remains is legal. The generator emits whole sets of targets, so that the same code
//! both lists moves and counts them.

use crate::Square;
use crate::attacks::{between, king_attacks, knight_attacks, pawn_attacks};
use crate::sliders::{bishop_attacks, rook_attacks};
use crate::{Bitboard, CastlingSide, Color, File, Move, MoveKind, MoveList, Position, Rank, Role};

/// Receives the moves found.
trait Sink {
    /// A piece other than a pawn moves from a square to any of the targets.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Pawns move to the targets, each from the square `delta` steps before.
    fn pawns(&mut self, targets: Bitboard, delta: i8, kind: MoveKind);
    /// Pawns reach the last rank.
    fn promotions(&mut self, targets: Bitboard, delta: i8);
    /// Castling or a capture en passant.
    fn special(&mut self, m: Move);
}

impl Sink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(from, to, MoveKind::Normal));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, delta: i8, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(to.step(-delta), to, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, delta: i8) {
        for to in targets {
            for kind in [
                MoveKind::PromoteQueen,
                MoveKind::PromoteKnight,
                MoveKind::PromoteRook,
                MoveKind::PromoteBishop,
            ] {
                self.push(Move::new(to.step(-delta), to, kind));
            }
        }
    }

    #[inline]
    fn special(&mut self, m: Move) {
        self.push(m);
    }
}

/// Counts moves without listing them.
struct Count(u32);

impl Sink for Count {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += targets.count();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8) {
        self.0 += 4 * targets.count();
    }

    #[inline]
    fn special(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Which moves to generate. Promotions count as captures: they change the material, too.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Wanted {
    All,
    Captures,
    Quiets,
}

impl Position {
    /// All legal moves, in no particular order.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.legal_moves_into(&mut moves);
        moves
    }

    /// Appends all legal moves to a list.
    #[inline]
    pub fn legal_moves_into(&self, moves: &mut MoveList) {
        match self.turn {
            Color::White => self.generate(moves, Color::White, Wanted::All),
            Color::Black => self.generate(moves, Color::Black, Wanted::All),
        }
    }

    /// Appends the legal captures and promotions.
    pub fn legal_captures_into(&self, moves: &mut MoveList) {
        match self.turn {
            Color::White => self.generate(moves, Color::White, Wanted::Captures),
            Color::Black => self.generate(moves, Color::Black, Wanted::Captures),
        }
    }

    /// Appends the legal moves that neither capture nor promote.
    pub fn legal_quiets_into(&self, moves: &mut MoveList) {
        match self.turn {
            Color::White => self.generate(moves, Color::White, Wanted::Quiets),
            Color::Black => self.generate(moves, Color::Black, Wanted::Quiets),
        }
    }

    /// Number of legal moves; faster than listing them.
    #[inline]
    pub fn count_legal_moves(&self) -> u32 {
        let mut count = Count(0);
        match self.turn {
            Color::White => self.generate(&mut count, Color::White, Wanted::All),
            Color::Black => self.generate(&mut count, Color::Black, Wanted::All),
        }
        count.0
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "`us` and `wanted` become constants")]
    fn generate(&self, sink: &mut impl Sink, us: Color, wanted: Wanted) {
        let ours = self.color(us);
        let theirs = self.color(!us);
        let allowed = match wanted {
            Wanted::All => !ours,
            Wanted::Captures => theirs,
            Wanted::Quiets => !(ours | theirs),
        };

        // Step 1. The king, the only piece that can move in double check.
        let king = self.king(us);
        self.king_moves(sink, king, allowed, us, wanted);
        if self.checkers.many() {
            return;
        }

        // Step 2. In check, other pieces must capture the checker or block.
        let relief = match self.checkers.first() {
            Some(checker) => between(king, checker) | self.checkers,
            None => Bitboard::FULL,
        };
        self.officer_moves(sink, allowed & relief, us);
        self.pawn_moves(sink, relief, us, wanted);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "`us` and `wanted` become constants")]
    fn king_moves(
        &self,
        sink: &mut impl Sink,
        king: Square,
        allowed: Bitboard,
        us: Color,
        wanted: Wanted,
    ) {
        let steps = king_attacks(king) & allowed;
        let mut rooks = Bitboard::EMPTY;
        if wanted != Wanted::Captures && !self.is_check() {
            for rook in self.castling & Bitboard::rank(us.back_rank()) {
                if self.castling_way_is_free(king, rook, us) {
                    rooks |= Bitboard::of(rook);
                }
            }
        }
        // Most kings are surrounded by their own pieces: skip the attack computation then.
        if (steps | rooks).is_empty() {
            return;
        }
        let danger = self.danger(king, us);
        sink.piece(king, steps - danger);
        for rook in rooks {
            if self.castling_is_safe(king, rook, danger, us) {
                sink.special(Move::new(king, rook, MoveKind::Castle));
            }
        }
    }

    /// Squares the enemy attacks once our king has left its square.
    #[inline]
    pub(crate) fn danger(&self, king: Square, us: Color) -> Bitboard {
        let theirs = self.color(!us);
        let occupied = self.occupied() ^ Bitboard::of(king);
        let queens = self.role(Role::Queen);
        let pawns = self.role(Role::Pawn) & theirs;
        let ahead = match us {
            Color::White => pawns.south(),
            Color::Black => pawns.north(),
        };
        let mut danger = ahead.east() | ahead.west() | king_attacks(self.king(!us));
        for knight in self.role(Role::Knight) & theirs {
            danger |= knight_attacks(knight);
        }
        for slider in (self.role(Role::Bishop) | queens) & theirs {
            danger |= bishop_attacks(slider, occupied);
        }
        for slider in (self.role(Role::Rook) | queens) & theirs {
            danger |= rook_attacks(slider, occupied);
        }
        danger
    }

    /// Whether the squares that king and rook cross and reach are empty.
    #[inline]
    pub(crate) fn castling_way_is_free(&self, king: Square, rook: Square, us: Color) -> bool {
        let side = CastlingSide::of(king, rook);
        let (king_to, rook_to) = (side.king_target(us), side.rook_target(us));
        let way = between(king, king_to)
            | between(rook, rook_to)
            | Bitboard::of(king_to)
            | Bitboard::of(rook_to);
        let others = self.occupied() - Bitboard::of(king) - Bitboard::of(rook);
        (way & others).is_empty()
    }

    /// Whether the king crosses and reaches no attacked square, and the castling rook is not the
    /// only piece that shields the king's target.
    #[inline]
    pub(crate) fn castling_is_safe(
        &self,
        king: Square,
        rook: Square,
        danger: Bitboard,
        us: Color,
    ) -> bool {
        let king_to = CastlingSide::of(king, rook).king_target(us);
        let king_way = between(king, king_to) | Bitboard::of(king_to);
        (king_way & danger).is_empty() && !self.straight_pins.has(rook)
    }

    /// Knights, bishops, rooks and queens.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "`us` becomes a constant")]
    fn officer_moves(&self, sink: &mut impl Sink, allowed: Bitboard, us: Color) {
        let ours = self.color(us);
        let occupied = self.occupied();
        let queens = self.role(Role::Queen);
        let (straight, diagonal) = (self.straight_pins, self.diagonal_pins);

        for from in self.role(Role::Knight) & (ours - straight - diagonal) {
            sink.piece(from, knight_attacks(from) & allowed);
        }
        let bishops = (self.role(Role::Bishop) | queens) & (ours - straight);
        for from in bishops - diagonal {
            sink.piece(from, bishop_attacks(from, occupied) & allowed);
        }
        for from in bishops & diagonal {
            sink.piece(from, bishop_attacks(from, occupied) & allowed & diagonal);
        }
        let rooks = (self.role(Role::Rook) | queens) & (ours - diagonal);
        for from in rooks - straight {
            sink.piece(from, rook_attacks(from, occupied) & allowed);
        }
        for from in rooks & straight {
            sink.piece(from, rook_attacks(from, occupied) & allowed & straight);
        }
    }

    /// All pawns at once: the set is shifted, and each target implies its origin.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "`us` and `wanted` become constants")]
    fn pawn_moves(&self, sink: &mut impl Sink, relief: Bitboard, us: Color, wanted: Wanted) {
        let forward: i8 = if us == Color::White { 8 } else { -8 };
        let advance = |set: Bitboard| match us {
            Color::White => set.north(),
            Color::Black => set.south(),
        };
        let last = Bitboard::rank(Rank::Eighth.relative_to(us));
        let third = Bitboard::rank(Rank::Third.relative_to(us));
        let empty = !self.occupied();
        let pawns = self.role(Role::Pawn) & self.color(us);
        let (straight, diagonal) = (self.straight_pins, self.diagonal_pins);

        // A pawn pinned on a diagonal can't advance; one pinned on a file stays on its line.
        let free = advance(pawns - straight - diagonal);
        let held = advance(pawns & (straight - diagonal)) & straight;
        let single = (free | held) & empty;
        if wanted != Wanted::Captures {
            let double = advance(single & third) & empty & relief;
            sink.pawns(double, 2 * forward, MoveKind::DoublePush);
            sink.pawns(single & (relief - last), forward, MoveKind::Normal);
        }
        let targets = self.color(!us) & relief;
        let capture = |aside: fn(Bitboard) -> Bitboard| {
            let free = aside(advance(pawns - straight - diagonal));
            let held = aside(advance(pawns & (diagonal - straight))) & diagonal;
            (free | held) & targets
        };
        if wanted != Wanted::Quiets {
            let east = capture(Bitboard::east);
            let west = capture(Bitboard::west);
            sink.pawns(east - last, forward + 1, MoveKind::Normal);
            sink.pawns(west - last, forward - 1, MoveKind::Normal);
            if (pawns & Bitboard::rank(Rank::Seventh.relative_to(us))).any() {
                sink.promotions(single & relief & last, forward);
                sink.promotions(east & last, forward + 1);
                sink.promotions(west & last, forward - 1);
            }
            if let Some(file) = self.en_passant {
                self.en_passant_moves(sink, file, us);
            }
        }
    }

    #[cold]
    fn en_passant_moves(&self, sink: &mut impl Sink, file: File, us: Color) {
        let to = Square::new(file, Rank::Sixth.relative_to(us));
        for from in self.pieces(Role::Pawn.of(us)) & pawn_attacks(!us, to) {
            if self.en_passant_is_safe(from, to, us) {
                sink.special(Move::new(from, to, MoveKind::EnPassant));
            }
        }
    }
}
