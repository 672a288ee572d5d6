//! Playing a move on a position.

use crate::attacks::pawn_attacks;
use crate::{Bitboard, CastlingSide, Color, Move, MoveKind, Position, Role, Square, zobrist};

impl Position {
    /// Plays a move that is known to be legal here. Any other move results in a meaningless
    /// position or a panic: a king may be gone.
    #[inline]
    pub fn play_unchecked(&mut self, m: Move) {
        // One copy of the code per color: the compiler then knows every direction.
        match self.turn {
            Color::White => self.apply(m, Color::White),
            Color::Black => self.apply(m, Color::Black),
        }
    }

    /// The position after a move that is known to be legal here.
    #[inline]
    pub fn after(&self, m: Move) -> Self {
        let mut next = self.clone();
        next.play_unchecked(m);
        next
    }

    /// The key of the position after a legal move, computed without playing it. Castling,
    /// promotions, lost rights and new en passant files are ignored: it is for prefetching, where a
    /// rare miss costs nothing.
    #[inline]
    pub fn key_after(&self, m: Move) -> u64 {
        let (from, to) = (m.from(), m.to());
        let mut key = self.key() ^ zobrist::BLACK_TO_MOVE;
        if let Some(piece) = self.piece_on(from) {
            key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        }
        if let Some(victim) = self.piece_on(to) {
            key ^= zobrist::piece(victim, to);
        }
        key ^ self.en_passant.map_or(0, zobrist::en_passant)
    }

    /// The position after the side to move passes (a null move), or `None` in check. It is not a
    /// move of the game: searches use it to find threats.
    pub fn after_null_move(&self) -> Option<Self> {
        if self.is_check() {
            return None;
        }
        let mut next = self.clone();
        next.forget_en_passant();
        next.halfmoves = next.halfmoves.saturating_add(1);
        next.pass_turn(self.turn);
        next.look_for_checks_and_pins(!self.turn);
        Some(next)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "`us` becomes a constant")]
    fn apply(&mut self, m: Move, us: Color) {
        let (from, to, kind) = (m.from(), m.to(), m.kind());
        let Some(piece) = self.piece_on(from) else { return };
        let role = piece.role();

        self.forget_en_passant();
        self.halfmoves = self.halfmoves.saturating_add(1);

        let mut touched = Bitboard::of(from) | Bitboard::of(to);
        if kind == MoveKind::Castle {
            self.castle(from, to, us);
        } else {
            if let Some(victim) = self.piece_on(to) {
                self.halfmoves = 0;
                self.roles[victim.role().index()] ^= Bitboard::of(to);
                self.colors[(!us).index()] ^= Bitboard::of(to);
                self.keys.toggle(victim, to);
            }
            self.roles[role.index()] ^= touched;
            self.colors[us.index()] ^= touched;
            self.board[from.index()] = None;
            self.board[to.index()] = Some(piece);
            self.keys.shift(piece, from, to);
            if role == Role::Pawn {
                self.halfmoves = 0;
                if let Some(promoted) = m.promotion() {
                    self.take(piece, to);
                    self.put(promoted.of(us), to);
                } else if kind == MoveKind::EnPassant {
                    self.take(Role::Pawn.of(!us), passed_square(us, to));
                }
            }
        }

        if role == Role::King {
            touched |= Bitboard::rank(us.back_rank());
        }
        self.lose_castling(touched);

        self.pass_turn(us);
        self.look_for_checks_and_pins(!us);
        if kind == MoveKind::DoublePush {
            self.offer_en_passant(passed_square(us, to), !us);
        }
    }

    /// King and rook may be on each other's targets, so both leave before either arrives.
    fn castle(&mut self, king: Square, rook: Square, us: Color) {
        let side = CastlingSide::of(king, rook);
        self.take(Role::King.of(us), king);
        self.take(Role::Rook.of(us), rook);
        self.put(Role::King.of(us), side.king_target(us));
        self.put(Role::Rook.of(us), side.rook_target(us));
    }

    #[inline]
    fn lose_castling(&mut self, touched: Bitboard) {
        let lost = self.castling & touched;
        if lost.any() {
            for rook in lost {
                self.keys.rights ^= zobrist::castling(rook);
            }
            self.castling -= lost;
        }
    }

    #[inline]
    fn forget_en_passant(&mut self) {
        if let Some(file) = self.en_passant.take() {
            self.keys.rights ^= zobrist::en_passant(file);
        }
    }

    #[inline]
    fn pass_turn(&mut self, us: Color) {
        self.fullmoves = self.fullmoves.saturating_add(u16::from(us == Color::Black));
        self.turn = !us;
        self.keys.rights ^= zobrist::BLACK_TO_MOVE;
    }

    /// Sets the en passant file if `us` can legally capture on `target`. Hashing it in other cases
    /// would distinguish positions that are the same by the repetition rule.
    pub(crate) fn offer_en_passant(&mut self, target: Square, us: Color) {
        let pawns = self.pieces(Role::Pawn.of(us)) & pawn_attacks(!us, target);
        if pawns.into_iter().any(|pawn| self.en_passant_is_safe(pawn, target, us)) {
            self.en_passant = Some(target.file());
            self.keys.rights ^= zobrist::en_passant(target.file());
        }
    }

    /// Whether our king is safe after a capture en passant. Two pawns leave the same rank at once,
    /// which pins don't cover: look at the board after the capture.
    pub(crate) fn en_passant_is_safe(&self, from: Square, to: Square, us: Color) -> bool {
        let victim = Bitboard::of(passed_square(us, to));
        let occupied = self.occupied() ^ Bitboard::of(from) ^ Bitboard::of(to) ^ victim;
        let attackers = self.attackers(self.king(us), occupied) & self.color(!us);
        (attackers - victim).is_empty()
    }
}

/// The square one step behind `square` for `us`: where a pawn captured en passant on `square` is,
/// and what a double step to `square` has passed.
#[inline]
pub(crate) fn passed_square(us: Color, square: Square) -> Square {
    square.step(match us {
        Color::White => -8,
        Color::Black => 8,
    })
}
