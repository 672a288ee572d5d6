// Positions, attacks, legal moves. Lanes share the work: each looks after two squares.

#pragma once

#include "warp.h"

enum Role { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, EMPTY };
enum Color { WHITE, BLACK };

constexpr int NONE = 64;
constexpr int MOST_MOVES = 256;

struct Board {
    u64 role[6];
    u64 side[2];
    u64 key;
    // Squares of the rooks that may castle: White's on the king's h-side and a-side, then Black's.
    u8 rook[4];
    // Where a pawn can be captured en passant.
    u8 passant;
    u8 turn;
    // Plies since the last capture or pawn move.
    u8 clock;
    u8 unused;
};

// From, to (when castling the own rook's square), and kind.
using Move = u32;
enum Kind { PLAIN, TO_KNIGHT, TO_BISHOP, TO_ROOK, TO_QUEEN, CASTLE, PASSANT };
DEVICE inline int from_of(Move m) { return m & 63; }
DEVICE inline int to_of(Move m) { return m >> 6 & 63; }
DEVICE inline int kind_of(Move m) { return m >> 12 & 7; }
DEVICE inline Move move_of(int from, int to, int kind) { return Move(from | to << 6 | kind << 12); }

// Random numbers for keys: a sequence that needs no memory.
APART inline u64 mixed(u64 z) {
    z *= 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}
DEVICE inline u64 key_of(int color, int role, int square) {
    return mixed(u64(1 + (color * 6 + role) * 64 + square));
}
DEVICE inline u64 key_of_rights(int rook) { return rook == NONE ? 0 : mixed(u64(1000 + rook)); }
DEVICE inline u64 key_of_passant(int square) { return square == NONE ? 0 : mixed(u64(1100 + square)); }
constexpr u64 KEY_OF_TURN = 0x5B2D7C61F90A3E85;

constexpr u64 A_FILE = 0x0101010101010101, H_FILE = A_FILE << 7, FIRST_RANK = 0xFF;

DEVICE inline u64 bit(int square) { return 1ull << square; }
DEVICE inline u64 occupied(const Board &b) { return b.side[0] | b.side[1]; }
// The lines through a square: diagonal, antidiagonal, rank, file.
APART inline u64 line_of(int which, int square) {
    int file = square & 7, rank = square >> 3, shift = which == 0 ? 8 * (rank - file) : which == 1 ? 8 * (rank + file - 7) : which == 2 ? 8 * rank : file;
    u64 line = which == 0 ? 0x8040201008040201 : which == 1 ? 0x0102040810204080 : which == 2 ? FIRST_RANK : A_FILE;
    return shift >= 0 ? line << shift : line >> -shift;
}

// Squares reached along a line in both directions.
APART inline u64 along(u64 line, int square, u64 occupied) {
    u64 s = bit(square);
    line &= ~s;
    u64 there = occupied & line;
    u64 up = there - s, down = reversed(reversed(there) - reversed(s));
    return (up ^ down) & line;
}
DEVICE inline u64 pawn_attacks(u64 pawns, int color) {
    u64 west = pawns & ~A_FILE, east = pawns & ~H_FILE;
    return color == WHITE ? west << 7 | east << 9 : west >> 9 | east >> 7;
}
DEVICE inline u64 knight_attacks(u64 s) {
    u64 one = (s >> 1 & ~H_FILE) | (s << 1 & ~A_FILE);
    u64 two = (s >> 2 & ~(H_FILE | H_FILE >> 1)) | (s << 2 & ~(A_FILE | A_FILE << 1));
    return one << 16 | one >> 16 | two << 8 | two >> 8;
}
DEVICE inline u64 king_attacks(u64 s) {
    u64 row = s | (s >> 1 & ~H_FILE) | (s << 1 & ~A_FILE);
    return (row | row << 8 | row >> 8) & ~s;
}
// What a bishop, rook or queen attacks.
APART inline u64 slider_attacks(int role, int square, u64 occupied) {
    u64 set = 0;
    ROLLED for (int i = role == ROOK ? 2 : 0; i < (role == BISHOP ? 2 : 4); i++) set |= along(line_of(i, square), square, occupied);
    return set;
}

// The line through two squares, and what lies between them; empty if there is none.
APART inline u64 line_through(int a, int b) {
    ROLLED for (int i = 0; i < 4; i++)
        if (line_of(i, a) & ~bit(a) & bit(b)) return line_of(i, a);
    return 0;
}
APART inline u64 between(int a, int b) {
    u64 line = line_through(a, b);
    return along(line, a, bit(b)) & along(line, b, bit(a));
}

// The n-th square of a set, from 0.
DEVICE inline int nth(u64 set, int n) {
    ROLLED for (; n > 0; n--) set &= set - 1;
    return first(set);
}

// The sliders of a side and the lines they move along, numbered, so that lanes can share them: each bishop has two, each
// rook two, each queen four.
struct Sliders {
    u64 oblique, straight;
    int oblique_lines, lines;
};
DEVICE inline Sliders sliders_of(const Board &b, int color) {
    Sliders s;
    s.oblique = b.side[color] & (b.role[BISHOP] | b.role[QUEEN]);
    s.straight = b.side[color] & (b.role[ROOK] | b.role[QUEEN]);
    s.oblique_lines = 2 * count(s.oblique);
    s.lines = s.oblique_lines + 2 * count(s.straight);
    return s;
}
APART inline u64 line_number(const Sliders &s, int number, int &square) {
    bool oblique = number < s.oblique_lines;
    if (!oblique) number -= s.oblique_lines;
    square = nth(oblique ? s.oblique : s.straight, number / 2);
    return line_of((oblique ? 0 : 2) + number % 2, square);
}

APART inline int role_on(const Board &b, int square) {
    int role = EMPTY;
    for (int i = 0; i < 6; i++)
        if (b.role[i] >> square & 1) role = i;
    return role;
}
DEVICE inline int king_of(const Board &b, int color) { return first(b.role[KING] & b.side[color]); }
DEVICE inline bool has_pieces(const Board &b) {
    return (b.side[b.turn] & ~(b.role[PAWN] | b.role[KING])) != 0;
}
APART inline bool is_capture(const Board &b, Move m) {
    int kind = kind_of(m);
    return kind == PASSANT || (kind != CASTLE && (occupied(b) >> to_of(m) & 1));
}
DEVICE inline bool is_promotion(Move m) { return kind_of(m) >= TO_KNIGHT && kind_of(m) <= TO_QUEEN; }

// What the enemy attacks (through our king, who can't step back along the line) and who gives check.
struct Sight {
    u64 threats, by_pawns, checkers;
};

APART inline Sight sight(const Board &b) {
    int us = b.turn, them = us ^ 1;
    u64 enemy = b.side[them], king = b.role[KING] & b.side[us], others = occupied(b) & ~king;
    u64 pawns = enemy & b.role[PAWN], knights = enemy & b.role[KNIGHT];
    Sliders sliders = sliders_of(b, them);
    u64 mine = 0, givers = 0;
    ROLLED for (int i = lane(); i < sliders.lines; i += LANES) {
        int square;
        u64 line = line_number(sliders, i, square), attacks = along(line, square, others);
        mine |= attacks;
        if (attacks & king) givers |= bit(square);
    }
    Sight s;
    s.by_pawns = pawn_attacks(pawns, them);
    s.threats = or_over(mine) | s.by_pawns | knight_attacks(knights) | king_attacks(enemy & b.role[KING]);
    s.checkers = or_over(givers) | (knight_attacks(king) & knights) | (pawn_attacks(king, us) & pawns);
    return s;
}

// Our pieces that stand between our king and a slider.
DEVICE inline u64 pinned(const Board &b, int king) {
    Sliders sliders = sliders_of(b, b.turn ^ 1);
    u64 mine = 0;
    ROLLED for (int i = lane(); i < sliders.lines; i += LANES) {
        int square;
        u64 line = line_number(sliders, i, square);
        if (!(line & bit(king))) continue;
        u64 middle = along(line, king, bit(square)) & along(line, square, bit(king)) & occupied(b);
        if (count(middle) == 1) mine |= middle & b.side[b.turn];
    }
    return or_over(mine);
}

// Whether our king is attacked along a line with these squares taken.
APART inline bool is_exposed(const Board &b, int king, u64 taken) {
    u64 theirs = b.side[b.turn ^ 1] & taken;
    return (slider_attacks(ROOK, king, taken) & theirs & (b.role[ROOK] | b.role[QUEEN])) != 0 ||
           (slider_attacks(BISHOP, king, taken) & theirs & (b.role[BISHOP] | b.role[QUEEN])) != 0;
}

// Whether castling with one of our rooks is legal; the king is not in check.
APART inline bool may_castle(const Board &b, const Sight &s, int which) {
    int rook = b.rook[2 * b.turn + which];
    if (rook == NONE) return false;
    int king = king_of(b, b.turn), back = b.turn == WHITE ? 0 : 56;
    int king_to = back + (which == 0 ? 6 : 2), rook_to = back + (which == 0 ? 5 : 3);
    u64 both = bit(king) | bit(rook), all = occupied(b) & ~both;
    u64 path = bit(king_to) | between(king, king_to), free = path | bit(rook_to) | between(rook, rook_to) | between(king, rook);
    if (free & all || path & s.threats) return false;
    return !is_exposed(b, king_to, all | bit(king_to) | bit(rook_to));
}

// Writes the legal moves to a list and returns how many there are. `noisy`: only captures and
// promotions to a queen; not in check. Each lane looks after a line of a slider, or a piece.
APART inline int generate(const Board &b, const Sight &s, u32 *list, bool noisy) {
    int us = b.turn, king = king_of(b, us);
    u64 own = b.side[us], enemy = b.side[us ^ 1], all = own | enemy;
    u64 wanted = noisy ? enemy : ~own, evasions = ~0ull;
    if (s.checkers) evasions = s.checkers & (s.checkers - 1) ? 0 : s.checkers | between(king, first(s.checkers));
    u64 pins = pinned(b, king);
    u64 last_rank = us == WHITE ? FIRST_RANK << 56 : FIRST_RANK;
    Sliders sliders = sliders_of(b, us);
    u64 pawns = own & b.role[PAWN], knights = own & b.role[KNIGHT] & ~pins;
    int first_pawn = sliders.lines + count(knights), kings = first_pawn + count(pawns), each = noisy ? 1 : 4, total = 0;

    ROLLED for (int start = 0; start <= kings; start += LANES) {
        int number = start + lane(), square = 0;
        u64 to = 0, promoting = 0;
        bool passant = false;
        int castles = 0;
        if (number < sliders.lines) {
            u64 line = line_number(sliders, number, square);
            to = along(line, square, all) & wanted & evasions;
            if (pins >> square & 1 && !(line & bit(king))) to = 0;
        } else if (number < first_pawn) {
            square = nth(knights, number - sliders.lines);
            to = knight_attacks(bit(square)) & wanted & evasions;
        } else if (number < kings) {
            square = nth(pawns, number - first_pawn);
            u64 pawn = bit(square), attacks = pawn_attacks(pawn, us), free = ~all;
            u64 one = (us == WHITE ? pawn << 8 : pawn >> 8) & free;
            u64 third = us == WHITE ? FIRST_RANK << 16 : FIRST_RANK << 40;
            u64 two = (us == WHITE ? (one & third) << 8 : (one & third) >> 8) & free;
            to = (attacks & enemy) | one | two;
            if (noisy) to &= enemy | last_rank;
            to &= evasions;
            if (pins & pawn) to &= line_through(king, square);
            promoting = to & last_rank;
            to &= ~last_rank;
            if (b.passant != NONE && attacks >> b.passant & 1) {
                u64 victim = us == WHITE ? bit(b.passant) >> 8 : bit(b.passant) << 8;
                u64 taken = (all & ~pawn & ~victim) | bit(b.passant);
                bool answers = !s.checkers || s.checkers == victim || (evasions & bit(b.passant));
                passant = answers && !is_exposed(b, king, taken);
            }
        } else if (number == kings) {
            square = king;
            to = king_attacks(bit(king)) & wanted & ~s.threats;
            if (!noisy && !s.checkers)
                ROLLED for (int which = 0; which < 2; which++) castles |= may_castle(b, s, which) << which;
        }
        int more, at = total + sum_before(count(to) + each * count(promoting) + passant + count(castles), more);
        total += more;
        ROLLED for (; to; to &= to - 1) list[at++] = move_of(square, first(to), PLAIN);
        ROLLED for (; promoting; promoting &= promoting - 1)
            ROLLED for (int i = 0; i < each; i++) list[at++] = move_of(square, first(promoting), TO_QUEEN - i);
        if (passant) list[at++] = move_of(square, b.passant, PASSANT);
        ROLLED for (int which = 0; which < 2; which++)
            if (castles >> which & 1) list[at++] = move_of(king, b.rook[2 * us + which], CASTLE);
    }
    sync();
    return total;
}

// A piece on a square, as one number.
using Placed = int;
constexpr Placed NOTHING = -1;
DEVICE inline Placed placed(int color, int role, int square) { return (color * 6 + role) * 64 + square; }
DEVICE inline int square_of(Placed p) { return p & 63; }
DEVICE inline int role_of(Placed p) { return p / 64 % 6; }
DEVICE inline int color_of(Placed p) { return p / 384; }

// What a move changes: up to two pieces leave their squares, the moving one first, up to two arrive.
struct Change {
    Placed gone, gone_too, come, come_too;
};

DEVICE inline Change change_of(const Board &b, Move m) {
    int us = b.turn, from = from_of(m), to = to_of(m), kind = kind_of(m), role = role_on(b, from);
    Change c = {placed(us, role, from), NOTHING, placed(us, is_promotion(m) ? kind - TO_KNIGHT + KNIGHT : role, to), NOTHING};
    if (kind == CASTLE) {
        int back = us == WHITE ? 0 : 56, files = to > from ? 6 | 5 << 3 : 2 | 3 << 3;
        c.gone_too = placed(us, ROOK, to);
        c.come = placed(us, KING, back + (files & 7));
        c.come_too = placed(us, ROOK, back + (files >> 3));
    } else if (kind == PASSANT) {
        c.gone_too = placed(us ^ 1, PAWN, us == WHITE ? to - 8 : to + 8);
    } else if (b.side[us ^ 1] >> to & 1) {
        c.gone_too = placed(us ^ 1, role_on(b, to), to);
    }
    return c;
}

// Writes the position after a move; it may be written over the one before.
APART inline void move_on(const Board &b, Move m, Change c, Board &next) {
    int us = b.turn, from = from_of(m), to = to_of(m), i = lane();
    bool pawn = role_of(c.gone) == PAWN, king = role_of(c.gone) == KING, capture = c.gone_too != NOTHING && color_of(c.gone_too) != us;
    int middle = (from + to) / 2, passant = NONE, clock = pawn || capture ? 0 : b.clock + 1;
    if (pawn && (to - from == 16 || from - to == 16) && pawn_attacks(bit(middle), us) & b.role[PAWN] & b.side[us ^ 1]) passant = middle;
    // A lane for each set of pieces, then one for each of the rooks that may castle.
    u64 set = 0;
    int rook = NONE, kept = NONE;
    if (i < 8) {
        set = i < 6 ? b.role[i] : b.side[i - 6];
        set &= ~bit(square_of(c.gone));
        if (c.gone_too != NOTHING) set &= ~bit(square_of(c.gone_too));
        if (i == role_of(c.come) || i == 6 + us) set |= bit(square_of(c.come));
        if (c.come_too != NOTHING && (i == ROOK || i == 6 + us)) set |= bit(square_of(c.come_too));
    } else if (i < 12) {
        rook = b.rook[i - 8];
        bool lost = rook == from || rook == to || (king && (i - 8) / 2 == us);
        kept = lost ? NONE : rook;
    }
    // The key: a lane for each number that is added to it.
    int number = i == 0 ? 1 + c.gone : i == 1 ? 1 + c.gone_too : i == 2 ? 1 + c.come : i == 3 ? 1 + c.come_too : 0;
    if (rook != kept) number = 1000 + rook;
    if (i == 12 && b.passant != NONE) number = 1100 + b.passant;
    if (i == 13 && passant != NONE) number = 1100 + passant;
    u64 key = number ? mixed(u64(number)) : 0;
    key = b.key ^ KEY_OF_TURN ^ (xor_over(u32(key)) | u64(xor_over(u32(key >> 32))) << 32);
    sync();
    if (i < 6) next.role[i] = set;
    else if (i < 8) next.side[i - 6] = set;
    else if (i < 12) next.rook[i - 8] = u8(kept);
    if (i == 0) {
        next.key = key;
        next.passant = u8(passant);
        next.turn = u8(us ^ 1);
        next.clock = u8(clock);
    }
    sync();
}

DEVICE inline Board after_pass(const Board &before) {
    Board b = before;
    b.key ^= KEY_OF_TURN ^ key_of_passant(b.passant);
    b.passant = NONE;
    b.turn ^= 1;
    b.clock++;
    return b;
}

DEVICE inline u64 key_from_scratch(const Board &b) {
    u64 key = b.turn == BLACK ? KEY_OF_TURN : 0;
    ROLLED for (int square = 0; square < 64; square++)
        if (occupied(b) >> square & 1) key ^= key_of(b.side[BLACK] >> square & 1, role_on(b, square), square);
    for (int i = 0; i < 4; i++) key ^= key_of_rights(b.rook[i]);
    return key ^ key_of_passant(b.passant);
}

// No side has enough material to mate, at most one minor piece.
DEVICE inline bool is_dead(const Board &b) {
    return count(occupied(b)) <= 3 && !(b.role[PAWN] | b.role[ROOK] | b.role[QUEEN]);
}
