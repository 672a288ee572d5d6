// Games of a warp against itself, and the records learnt from (docs/data.md). A game depends only on seed, number,
// plan and network, so a set of games can be made again.

#pragma once

#include "search.h"

// How games are played; what isn't here is as in `riga lab datagen`.
struct Plan {
    u64 seed;
    // A search ends with the iteration in which it reaches `enough` nodes, or at `most`.
    int enough, most;
    // Openings and branches are dropped if the first search finds more.
    int opening_score, branch_score;
    // How much each later score counts in the labels (lambda), and the share of the network's opinion, both in
    // 1,024ths; one family of games in `held_back` is left without the latter.
    int trust, blend, held_back;
};

constexpr int WIN = 1200, WIN_PLIES = 4, EVEN = 8, EVEN_PLIES = 12, EVEN_FROM = 80, LONGEST = 400;
constexpr int HIGHEST = 1500, FIRST_PLY = 10, RECORD_WORDS = 8, TRIES = 1000;
// Winning chances of scores from -CLEAR to CLEAR, in 2^24ths.
constexpr int CLEAR_WIN = 2773, CHANCE_ONE = 1 << 24;

struct Dice {
    u64 state;
    DEVICE u64 roll() {
        state += 0x9E3779B97F4A7C15;
        u64 z = state;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return z ^ z >> 31;
    }
    DEVICE int below(int limit) { return int(high_product(roll(), u64(limit))); }
};
DEVICE inline Dice dice_of(u64 seed, u64 number) {
    Dice first = {seed};
    Dice second = {first.roll() ^ number};
    return {second.roll()};
}

// A searched position of the game being played.
struct Searched {
    u32 record[RECORD_WORDS];
    int16_t score, opinion;
    u8 turn, quiet;
    u16 unused;
};

// What a warp knows about its game.
struct Notes {
    Board start;
    u16 moves[GAME_PLIES];
    Searched searched[LONGEST + 1];
    u16 kept[LONGEST + 1];
};

// Where finished games go: records one after the other, and for each family of games (a game and the one that branches
// from it) where its records are.
struct Part {
    u64 start;
    u32 length;
    u32 unused;
};
struct Tally {
    unsigned long long records, searched, nodes, games, white, drawn;
};
struct Shelf {
    uint4 *records;
    u64 room;
    Part *parts;
    Tally *tally;
    const int *chances;
};

#ifdef __CUDACC__
DEVICE inline u64 add_to(unsigned long long &sum, u64 more) { return atomicAdd(&sum, (unsigned long long)more); }
#else
inline u64 add_to(unsigned long long &sum, u64 more) {
    u64 old = sum;
    sum += more;
    return old;
}
#endif

// The position of a Chess960 number; 518 is the standard one.
APART inline Board board_of(int number) {
    int back[8];
    for (int i = 0; i < 8; i++) back[i] = EMPTY;
    back[number % 4 * 2 + 1] = BISHOP;
    number /= 4;
    back[number % 4 * 2] = BISHOP;
    number /= 4;
    auto place = [&](int nth, int role) {
        for (int i = 0; i < 8; i++)
            if (back[i] == EMPTY && nth-- == 0) {
                back[i] = role;
                return;
            }
    };
    place(number % 6, QUEEN);
    number /= 6;
    // Knights on two of the five free files, in order: 01 02 03 04 12 13 14 23 24 34.
    int one = 0, row = 4;
    while (number >= row) number -= row--, one++;
    int other = one + 1 + number, free = 0;
    for (int i = 0; i < 8; i++)
        if (back[i] == EMPTY) {
            if (free == one || free == other) back[i] = KNIGHT;
            free++;
        }
    place(0, ROOK);
    place(0, KING);
    place(0, ROOK);
    Board b;
    for (int role = 0; role < 6; role++) b.role[role] = 0;
    b.side[WHITE] = 0xFFFF;
    b.side[BLACK] = 0xFFFFull << 48;
    b.role[PAWN] = 0xFFull << 8 | 0xFFull << 48;
    bool after_king = false;
    for (int i = 0; i < 8; i++) {
        for (int role = 0; role < 6; role++)
            if (role == back[i]) b.role[role] |= bit(i) | bit(i + 56);
        after_king |= back[i] == KING;
        if (back[i] == ROOK) {
            b.rook[after_king ? 0 : 1] = u8(i);
            b.rook[after_king ? 2 : 3] = u8(i + 56);
        }
    }
    b.passant = NONE;
    b.turn = WHITE;
    b.clock = 0;
    b.unused = 0;
    b.key = key_from_scratch(b);
    return b;
}

// Begins a game at a position.
DEVICE inline void set_up(Desk &d, const Board &b) {
    sync();
    if (lane() == 0) {
        d.boards[0] = b;
        d.keys[0] = b.key;
    }
    d.played = 0;
    sync();
}

// Makes a move of the game.
APART inline void make(Desk &d, Move m) {
    Board &here = d.boards[0];
    move_on(here, m, change_of(here, m), here);
    d.played++;
    if (lane() == 0) d.keys[d.played] = here.key;
    sync();
}

// Random moves; false if they end the game.
APART inline bool walk(Desk &d, Dice &dice, Notes &notes, int from, int plies) {
    for (int i = 0; i < plies; i++) {
        int size = generate(d.boards[0], sight(d.boards[0]), d.lists, false);
        if (size == 0) return false;
        Move m = d.lists[dice.below(size)] & 0x7FFF;
        if (lane() == 0) notes.moves[from + i] = u16(m);
        make(d, m);
    }
    const Board &b = d.boards[0];
    return generate(b, sight(b), d.lists, false) > 0 && !is_dead(b);
}

// Forgets what was learnt from other games.
APART inline void forget(Desk &d) {
    uint4 nothing = {0, 0, 0, 0};
    ROLLED for (int i = lane(); i < TABLE; i += LANES) reinterpret_cast<uint4 *>(d.table)[i] = nothing;
    for (int i = lane(); i < 2 * MOST_PLIES; i += LANES) d.killers[i] = 0;
    ROLLED for (int i = lane(); i < 2 * 4096 / 8; i += LANES) reinterpret_cast<uint4 *>(d.history)[i] = nothing;
    sync();
}

// Writes down the position that has been searched.
APART inline void note(const Desk &d, Searched &to, int score, int opinion, Move best, bool check, int ply) {
    const Board &b = d.boards[0];
    u64 all = occupied(b);
    auto seen = [&](u64 set) {
        if (b.turn == WHITE) return set;
        u64 flipped = 0;
        for (int rank = 0; rank < 8; rank++) flipped |= (set >> 8 * rank & 0xFF) << (56 - 8 * rank);
        return flipped;
    };
    u64 there = seen(all), ours = seen(b.side[b.turn]);
    u32 words[4] = {0, 0, 0, 0};
    ROLLED for (int half = 0; half < 2; half++) {
        int square = lane() + 32 * half;
        if (!(there >> square & 1)) continue;
        int at = count(there & (bit(square) - 1)), role = role_on(b, b.turn == WHITE ? square : square ^ 56);
        u32 nibble = u32(role | (ours >> square & 1 ? 0 : 8)) << at % 8 * 4;
        for (int i = 0; i < 4; i++)
            if (i == at / 8) words[i] |= nibble;
    }
    for (int i = 0; i < 4; i++) words[i] = or_over(words[i]);
    if (lane() == 0) {
        to.record[0] = u32(there);
        to.record[1] = u32(there >> 32);
        for (int i = 0; i < 4; i++) to.record[2 + i] = words[i];
        to.record[6] = u16(int16_t(score));
        to.record[7] = u32(count(all)) << 8 | u32(ply) << 16;
        to.score = int16_t(score);
        to.opinion = int16_t(greater(-CLEAR_WIN, smaller(CLEAR_WIN, opinion)));
        to.turn = b.turn;
        // The network isn't asked about a lone king.
        bool calm = !check && !is_capture(b, best) && !is_promotion(best) && lone_king(b) < 0;
        to.quiet = ply >= FIRST_PLY && size_of(score) <= HIGHEST && calm;
    }
}

DEVICE inline int chance_of(const Shelf &shelf, int score) {
    score = greater(-CLEAR_WIN, smaller(CLEAR_WIN, score));
    return shelf.chances[score + CLEAR_WIN];
}

// Gives each position its target, and puts the quiet ones on the shelf. `result`: 0 Black won, 1 draw, 2 White won.
APART inline void hand_over(Desk &d, Notes &notes, int plies, int result, int trust, int blend, const Shelf &shelf, Part *part) {
    sync();
    int target = 0, kept = 0;
    ROLLED for (int i = plies - 1; i >= 0; i--) {
        Searched &at = notes.searched[i];
        int sign = at.turn == WHITE ? 1 : -1;
        int now = chance_of(shelf, sign * at.score);
        // TD(lambda), from White's point of view.
        target = i == plies - 1 ? now : now + (target - now) / 1024 * trust;
        if (!at.quiet) continue;
        int own = sign > 0 ? target : CHANCE_ONE - target;
        own += (chance_of(shelf, at.opinion) - own) / 1024 * blend;
        u32 rounded = u32((u64(own) * 65535 + CHANCE_ONE / 2) >> 24);
        if (lane() == 0) {
            at.record[6] = (at.record[6] & 0xFFFF) | rounded << 16;
            at.record[7] |= u32(sign > 0 ? result : 2 - result);
            notes.kept[kept] = u16(i);
        }
        kept++;
    }
    u64 start = 0;
    if (lane() == 0) {
        add_to(shelf.tally->nodes, u64(d.spent));
        start = add_to(shelf.tally->records, u64(kept));
        add_to(shelf.tally->searched, u64(plies));
        add_to(shelf.tally->games, 1);
        if (result == 2) add_to(shelf.tally->white, 1);
        if (result == 1) add_to(shelf.tally->drawn, 1);
        if (start + kept > shelf.room) kept = 0;
        part->start = start;
        part->length = u32(kept);
    }
    sync();
    d.spent = 0;
    kept = int(from_lane(u32(kept), 0));
    start = from_lane(u32(start), 0) | u64(from_lane(u32(start >> 32), 0)) << 32;
    u32 *out = reinterpret_cast<u32 *>(shelf.records + 2 * start);
    for (int i = lane(); i < kept * RECORD_WORDS; i += LANES) out[i] = notes.searched[notes.kept[i / RECORD_WORDS]].record[i % RECORD_WORDS];
    sync();
}

// Plays on from the position on the board; `ply` is its number. Returns the number of searches, or zero if the first
// one finds too great a score. The moves are written down from `moves` on, if it isn't null.
APART inline int play_on(Desk &d, const Plan &plan, Dice &dice, Notes &notes, u16 *moves, int ply, int highest, int &result) {
    bool to_the_end = dice.below(1000) < 100;
    int even = 0, winning = 0;
    for (int done = 0;; done++) {
        int score = think(d, plan.enough, plan.most);
        Move best = d.best;
        const Board &b = d.boards[0];
        if (done == 0 && size_of(score) > highest) return 0;
        bool check = sight(b).checkers != 0;
        int opinion = evaluate(d.net, d.layers, b, d.accumulators);
        note(d, notes.searched[done], score, opinion, best, check, ply);
        if (lane() == 0 && moves) moves[done] = u16(best);
        int white = b.turn == WHITE ? score : -score;
        make(d, best);
        ply++;
        const Board &next = d.boards[0];
        int size = generate(next, sight(next), d.lists, false);
        result = 1;
        if (size == 0) {
            if (sight(next).checkers) result = next.turn == WHITE ? 0 : 2;
            return done + 1;
        }
        if (next.clock >= 100 || is_dead(next) || repeats(d, 0, next.clock)) return done + 1;
        if (!to_the_end) {
            bool same = white >= WIN ? winning >= 0 : winning <= 0;
            winning = size_of(white) < WIN ? 0 : (same ? winning : 0) + (white > 0 ? 1 : -1);
            if (size_of(white) >= CERTAIN || size_of(winning) >= WIN_PLIES) {
                result = white > 0 ? 2 : 0;
                return done + 1;
            }
        }
        even = size_of(white) <= EVEN ? even + 1 : 0;
        if ((ply >= EVEN_FROM && even >= EVEN_PLIES) || done + 1 >= LONGEST) return done + 1;
    }
}

// Plays a game, and sometimes another that branches from it.
DEVICE inline void play_family(Desk &d, const Plan &plan, u64 number, Notes &notes, const Shelf &shelf, Part *parts) {
    Dice dice = dice_of(plan.seed, number);
    int blend = number % plan.held_back == 0 ? 0 : plan.blend;
    int opening = 0, plies = 0, result = 1;
    for (int i = 0; i < TRIES && plies == 0; i++) {
        Board start = board_of(dice.below(1000) < 100 ? dice.below(960) : 518);
        if (lane() == 0) notes.start = start;
        set_up(d, start);
        opening = 8 + dice.below(2);
        if (!walk(d, dice, notes, 0, opening)) continue;
        forget(d);
        plies = play_on(d, plan, dice, notes, notes.moves + opening, opening, plan.opening_score, result);
    }
    if (plies == 0) return;
    hand_over(d, notes, plies, result, plan.trust, blend, shelf, parts);
    if (dice.below(1000) >= 250) return;
    int branched = 0;
    for (int i = 0; i < 4 && branched == 0; i++) {
        int at = opening + dice.below(plies), more = 1 + dice.below(2);
        set_up(d, notes.start);
        for (int k = 0; k < at; k++) make(d, notes.moves[k]);
        // The moves of the game that is left are kept for the next try.
        if (!walk(d, dice, notes, GAME_PLIES - 2, more)) continue;
        // Positions before the branch don't count as repeated.
        Board b = d.boards[0];
        sync();
        set_up(d, b);
        forget(d);
        branched = play_on(d, plan, dice, notes, nullptr, at + more, plan.branch_score, result);
    }
    if (branched) hand_over(d, notes, branched, result, plan.trust, blend, shelf, parts + 1);
}
