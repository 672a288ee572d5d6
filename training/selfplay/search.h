// The search that plays the games: iterative deepening, principal variation search with a table, null
// move, reductions and pruning, and quiescence. Simple, for a few hundred nodes a move.

#pragma once

#include "net.h"

#ifndef MOST_PLIES
#define MOST_PLIES 40
#endif
constexpr int TABLE = 4096, MATE = 32000, UNKNOWN = 32002, CERTAIN = 31000;
constexpr int GAME_PLIES = 600;

// An entry of the table: key, move and value, evaluation and depth and bound.
struct alignas(16) Entry {
    u32 key;
    u16 move;
    int16_t value;
    int16_t eval;
    int8_t depth;
    u8 bound;
    u32 unused;
};
enum Bound { LOWER = 1, UPPER = 2, EXACT = 3 };

// What a warp works with.
struct Desk {
    Net net;
    Layers layers;
    // Reductions in 1,024ths, by quiet or not, depth, number.
    const int16_t *reductions;
    Board *boards;
    u16 *killers;
    Entry *table;
    int16_t *history;
    u32 *lists;
    u64 *keys;
    uint4 *accumulators;
    // Uniform: number of plies in `keys`, nodes, and when to stop.
    int played;
    int nodes, most;
    bool over;
    Move best;
    // Nodes of all searches since the last game that was handed over.
    long long spent;
};

APART inline int worth(int role) {
    return role == PAWN ? 100 : role == KNIGHT ? 310 : role == BISHOP ? 330 : role == ROOK ? 500 : role == QUEEN ? 950 : 0;
}

DEVICE inline int smaller(int a, int b) { return a < b ? a : b; }
DEVICE inline int greater(int a, int b) { return a > b ? a : b; }
DEVICE inline int size_of(int a) { return a < 0 ? -a : a; }

// What a win against a lone king is worth beyond its material.
constexpr int KNOWN_WIN = 2000;

// The color of a lone king, or -1.
DEVICE inline int lone_king(const Board &b) { return count(b.side[WHITE]) == 1 ? int(WHITE) : count(b.side[BLACK]) == 1 ? int(BLACK) : -1; }

// Against a lone king: material, and driving it into a corner.
APART inline int chase(const Board &b, int strong) {
    int value = 0;
    ROLLED for (int role = 0; role < 5; role++) value += worth(role) * count(b.role[role]);
    if (value == 0 || is_dead(b)) return 0;
    // A rook's worth wins, unless it is two knights.
    if (value >= worth(ROOK) && value != 2 * worth(KNIGHT)) value += KNOWN_WIN;
    int theirs = king_of(b, strong ^ 1), ours = king_of(b, strong);
    int file = size_of(2 * (theirs & 7) - 7), rank = size_of(2 * (theirs >> 3) - 7);
    int apart = greater(size_of((theirs & 7) - (ours & 7)), size_of((theirs >> 3) - (ours >> 3)));
    return value + 200 + 10 * (file + rank) - 15 * apart;
}

// The static evaluation: the network's value, less with less material and as the fifty-move rule comes near.
APART inline int assess(const Desk &d, int ply, int slot) {
    const Board &b = d.boards[ply];
    int value;
    int lone = lone_king(b);
    if (lone >= 0) {
        value = chase(b, lone ^ 1);
        if (lone == b.turn) value = -value;
    } else {
        value = evaluate(d.net, d.layers, b, d.accumulators + slot * ACCUMULATOR);
        int material = 0;
        ROLLED for (int role = 0; role < 5; role++) material += worth(role) * count(b.role[role]);
        value = value * (750 + 290 * material / 8192) / 1024;
    }
    return greater(-20000, smaller(20000, value)) * (200 - smaller(b.clock, 100)) / 200;
}

// How often the position at the end of `keys` has occurred before: in the search, and in all.
APART inline bool repeats(const Desk &d, int ply, int clock) {
    int end = d.played + ply;
    int reach = smaller(clock, end);
    u64 key = d.keys[end];
    int seen = 0;
    bool searched = false;
    ROLLED for (int start = 4; start <= reach; start += 2 * LANES) {
        int back = start + 2 * lane();
        bool same = back <= reach && d.keys[end - back] == key;
        seen += count(votes(same));
        searched |= any_of(same && back <= ply);
    }
    return searched || seen >= 2;
}

DEVICE inline int16_t &history_of(const Desk &d, int color, Move m) {
    return d.history[color * 4096 + (m & 4095)];
}

// The move's victim.
APART inline int victim_of(const Board &b, Move m) {
    return kind_of(m) == PASSANT ? int(PAWN) : kind_of(m) == CASTLE ? int(EMPTY) : role_on(b, to_of(m));
}

// What a move probably loses: if its target is protected, the capturing piece for the victim.
APART inline int risk_of(const Board &b, const Sight &s, Move m, int role) {
    if (!(s.threats >> to_of(m) & 1) || role == KING || kind_of(m) == CASTLE) return 0;
    int victim = victim_of(b, m);
    if (victim == EMPTY && !(s.by_pawns >> to_of(m) & 1)) return 0;
    return greater(0, worth(role) - worth(victim) - 30);
}

// Rates the moves of a list, the higher the better, in the upper half of each entry; all above zero.
APART inline void rate(const Desk &d, int ply, const Sight &s, u32 *list, int size, Move hash) {
    const Board &b = d.boards[ply];
    Move killers[2] = {d.killers[2 * ply], d.killers[2 * ply + 1]};
    ROLLED for (int i = lane(); i < size; i += LANES) {
        Move m = list[i] & 0x7FFF;
        int role = role_on(b, from_of(m)), victim = victim_of(b, m), kind = kind_of(m), rating;
        if (m == hash) {
            rating = 65535;
        } else if (kind >= TO_KNIGHT && kind <= TO_ROOK) {
            rating = 100;
        } else if (victim != EMPTY || kind == TO_QUEEN) {
            int gain = worth(victim) + (kind == TO_QUEEN ? 850 : 0);
            rating = risk_of(b, s, m, role) > 0 ? 1000 + gain : 50000 + 6 * gain - worth(role) / 100;
        } else if (m == killers[0]) {
            rating = 45001;
        } else if (m == killers[1]) {
            rating = 45000;
        } else {
            rating = 20000 + history_of(d, b.turn, m);
            u64 danger = role == PAWN || role == KING ? 0 : s.by_pawns;
            if (role == QUEEN || role == ROOK) danger = s.threats;
            int stake = role == QUEEN ? 6000 : role == ROOK ? 4000 : 3000;
            if (danger >> from_of(m) & 1) rating += stake;
            if (danger >> to_of(m) & 1) rating -= stake;
        }
        list[i] = m | u32(rating) << 16;
    }
    sync();
}

// Takes the best move left in a list: its rating becomes zero. Returns rating and move, or zero.
APART inline u32 take_best(u32 *list, int size) {
    u32 best = 0;
    ROLLED for (int i = lane(); i < size; i += LANES) best = list[i] > best ? list[i] : best;
    best = max_over(best);
    if (best < 1 << 16) return 0;
    ROLLED for (int i = lane(); i < size; i += LANES)
        if (list[i] == best) list[i] = best & 0xFFFF;
    return best;
}

// Makes a move: the position and the accumulator of the next ply.
APART inline void play(Desk &d, int ply, int slot, Move m) {
    const Board &here = d.boards[ply];
    Change c = change_of(here, m);
    Board &next = d.boards[ply + 1];
    move_on(here, m, c, next);
    if (lane() == 0) d.keys[d.played + ply + 1] = next.key;
    sync();
    update(d.net, next, c, d.accumulators + slot * ACCUMULATOR, d.accumulators + (slot + 1) * ACCUMULATOR);
    d.nodes++;
}

APART inline Entry look_up(const Desk &d, u64 key) {
    Entry entry = d.table[key % TABLE];
    if (entry.key != u32(key >> 32) || entry.bound == 0) {
        entry.bound = 0;
        entry.move = 0;
        entry.eval = UNKNOWN;
    }
    return entry;
}

DEVICE inline int from_table(int value, int ply) {
    return value >= CERTAIN ? value - ply : value <= -CERTAIN ? value + ply : value;
}

APART inline void remember(const Desk &d, u64 key, int ply, Move m, int value, int eval, int depth, int bound) {
    // Others may still be reading the entry.
    sync();
    if (lane() == 0) {
        Entry &entry = d.table[key % TABLE];
        bool other = entry.key != u32(key >> 32);
        if (other || bound == EXACT || depth + 3 > entry.depth) {
            if (m == 0 && !other) m = entry.move;
            value = value >= CERTAIN ? value + ply : value <= -CERTAIN ? value - ply : value;
            Entry written = {u32(key >> 32), u16(m), int16_t(value), int16_t(eval), int8_t(depth), u8(bound), 0};
            entry = written;
        }
    }
    sync();
}

// Whether an entry decides a node with this window.
DEVICE inline bool decides(const Entry &entry, int value, int alpha, int beta) {
    return entry.bound == EXACT || (entry.bound == LOWER && value >= beta) || (entry.bound == UPPER && value <= alpha);
}

APART inline int quiescence(Desk &d, int ply, int slot, int alpha, int beta) {
    const Board &b = d.boards[ply];
    if (b.clock >= 100 || is_dead(b) || repeats(d, ply, b.clock)) return 0;
    Sight s = sight(b);
    bool check = s.checkers != 0;
    if (ply >= MOST_PLIES - 2) return check ? 0 : assess(d, ply, slot);
    u64 key = b.key;
    Entry entry = look_up(d, key);
    int known = from_table(entry.value, ply);
    if (entry.bound && beta - alpha == 1 && decides(entry, known, alpha, beta)) return known;

    int best = -MATE + ply, eval = UNKNOWN, first_alpha = alpha;
    if (!check) {
        eval = entry.eval != UNKNOWN ? entry.eval : assess(d, ply, slot);
        best = eval;
        if (entry.bound && (known > eval ? entry.bound & LOWER : entry.bound & UPPER) && size_of(known) < CERTAIN) best = known;
        if (best >= beta) {
            if (!entry.bound) remember(d, key, ply, 0, best, eval, -1, LOWER);
            return best;
        }
        alpha = greater(alpha, best);
    }
    u32 *list = d.lists + ply * MOST_MOVES;
    int size = generate(b, s, list, !check);
    if (check && size == 0) return best;
    rate(d, ply, s, list, size, entry.move);
    int reach = best + 170, tried = 0;
    Move good = 0;
    while (u32 taken = take_best(list, size)) {
        Move m = taken & 0x7FFF;
        tried++;
        if (best > -CERTAIN) {
            bool capture = is_capture(b, m);
            if (check) {
                if (!capture && tried > 3) continue;
            } else {
                if (!is_promotion(m)) {
                    if (tried > 4) break;
                    int most = reach + worth(victim_of(b, m));
                    if (most <= alpha) {
                        best = greater(best, most);
                        continue;
                    }
                }
                if (risk_of(b, s, m, role_on(b, from_of(m))) > 0) continue;
            }
        }
        play(d, ply, slot, m);
        int value = -quiescence(d, ply + 1, slot + 1, -beta, -alpha);
        if (d.over) return 0;
        if (value > best) {
            best = value;
            if (value > alpha) {
                good = m;
                alpha = value;
                if (value >= beta) break;
            }
        }
        if (d.nodes >= d.most) {
            d.over = true;
            return 0;
        }
    }
    remember(d, key, ply, good, best, eval, -1, best >= beta ? LOWER : best > first_alpha ? EXACT : UPPER);
    return best;
}

// A cutoff by a quiet move: it gets a bonus, the quiet moves tried before it a malus.
APART inline void learn(const Desk &d, int ply, const u32 *list, int size, Move best, int depth) {
    const Board &b = d.boards[ply];
    int bonus = smaller(1500, 150 * depth);
    ROLLED for (int i = lane(); i < size; i += LANES) {
        Move m = list[i] & 0x7FFF;
        if (list[i] >> 16 || is_capture(b, m) || is_promotion(m)) continue;
        int change = m == best ? bonus : -bonus;
        int16_t &entry = history_of(d, b.turn, m);
        entry = int16_t(entry + change - entry * bonus / 8192);
    }
    if (lane() == 0 && d.killers[2 * ply] != best) {
        d.killers[2 * ply + 1] = d.killers[2 * ply];
        d.killers[2 * ply] = u16(best);
    }
    sync();
}

// The value of a node. `before` and `earlier`: the static evaluations one and two plies back. `null`: the
// last move was none.
APART inline int search(Desk &d, int ply, int slot, int alpha, int beta, int depth, bool cut, bool null, int before, int earlier) {
    if (depth <= 0) return quiescence(d, ply, slot, alpha, beta);
    const Board &b = d.boards[ply];
    bool open = beta - alpha > 1;
    if (ply > 0) {
        if (b.clock >= 100 || is_dead(b) || repeats(d, ply, b.clock)) return 0;
        alpha = greater(alpha, -MATE + ply);
        beta = smaller(beta, MATE - ply - 1);
        if (alpha >= beta) return alpha;
    }
    if (d.nodes >= d.most) {
        d.over = true;
        return 0;
    }
    Sight s = sight(b);
    bool check = s.checkers != 0;
    if (ply >= MOST_PLIES - 2) return check ? 0 : assess(d, ply, slot);
    u64 key = b.key;
    Entry entry = look_up(d, key);
    int known = from_table(entry.value, ply);
    if (entry.bound && !open && entry.depth >= depth && decides(entry, known, alpha, beta)) return known;

    int still = UNKNOWN, eval = UNKNOWN;
    bool improving = false;
    if (!check) {
        still = eval = entry.eval != UNKNOWN ? entry.eval : assess(d, ply, slot);
        improving = earlier == UNKNOWN || still > earlier;
        if (entry.bound && (known > eval ? entry.bound & LOWER : entry.bound & UPPER) && size_of(known) < CERTAIN) eval = known;
        if (!open && size_of(beta) < CERTAIN) {
            // Reverse futility, razoring, null move.
            if (depth <= 7 && eval - 78 * depth + (improving ? 60 : 0) >= beta && eval < CERTAIN) return beta + (eval - beta) / 3;
            if (depth <= 2 && eval + 220 * depth + 10 < alpha) {
                int value = quiescence(d, ply, slot, alpha, alpha + 1);
                if (d.over || value <= alpha) return value;
            }
            if (depth >= 3 && !null && eval >= beta && still >= beta + 150 - 22 * depth && has_pieces(b)) {
                if (lane() == 0) {
                    Board next = after_pass(b);
                    d.boards[ply + 1] = next;
                    d.keys[d.played + ply + 1] = next.key;
                }
                sync();
                d.nodes++;
                int less = 4 + depth / 3 + smaller((eval - beta) / 180, 3);
                int value = -search(d, ply + 1, slot, -beta, 1 - beta, depth - less, !cut, true, still, before);
                if (d.over) return 0;
                if (value >= beta) return value >= CERTAIN ? beta : value;
            }
        }
    }
    // Internal iterative reduction.
    if (depth >= 4 && entry.move == 0 && (open || cut)) depth--;

    u32 *list = d.lists + ply * MOST_MOVES;
    int size = generate(b, s, list, false);
    if (size == 0) return check ? -MATE + ply : 0;
    rate(d, ply, s, list, size, entry.move);
    if (lane() == 0) d.killers[2 * ply + 2] = d.killers[2 * ply + 3] = 0;
    sync();
    int best = -MATE + ply, number = 0, first_alpha = alpha, full = depth;
    bool skips_quiets = false, pieces = has_pieces(b);
    Move good = 0;
    while (u32 taken = take_best(list, size)) {
        Move m = taken & 0x7FFF;
        int rating = int(taken >> 16);
        bool quiet = !is_capture(b, m) && !is_promotion(m);
        number++;
        int base = d.reductions[((quiet ? 64 : 0) + smaller(depth, 63)) * 64 + smaller(number, 63)];
        int past = quiet && rating < 45000 ? history_of(d, b.turn, m) : 0;
        if (ply > 0 && pieces && best > -CERTAIN) {
            int reduced = greater(0, depth - 1 - base / 1024 + past / 4096);
            int risk = risk_of(b, s, m, role_on(b, from_of(m)));
            if (quiet) {
                int enough = 4 + depth * depth;
                if (depth <= 8 && number >= (improving || still >= beta ? enough : enough / 2)) skips_quiets = true;
                if (!check && reduced <= 6 && still + 110 + 95 * reduced + past / 64 <= alpha) skips_quiets = true;
                if (skips_quiets || risk > 40 * reduced * reduced) continue;
            } else if (!check) {
                int most = still + 240 + 220 * reduced + worth(victim_of(b, m));
                if (reduced <= 4 && !is_promotion(m) && most <= alpha) continue;
                if (risk > 120 * depth) continue;
            }
        }
        play(d, ply, slot, m);
        // Late moves at reduced depth first, then with a closed window, then with the open one.
        int value = 0, deeper = depth - 1, reduced = deeper;
        if (depth >= 2 && number > 1 + (ply == 0)) {
            int less = base + (cut ? 1400 : 0) + (improving ? 0 : 700) - (open ? 1000 : 0) - (rating >= 45000 ? 800 : 0);
            less -= past * 1024 / 4096 + (check ? 600 : 0);
            reduced = greater(1, smaller(deeper, deeper - less / 1024));
        }
        bool late = depth >= 2 && number > 1 + (ply == 0);
        ROLLED for (int stage = late ? 0 : open && number == 1 ? 2 : 1; stage < 3 && !d.over; stage++) {
            if (stage == 1 && late && (value <= alpha || reduced >= deeper)) continue;
            if (stage == 2 && (!open || (number > 1 && value <= alpha))) continue;
            value = -search(d, ply + 1, slot + 1, stage == 2 ? -beta : -alpha - 1, -alpha, stage == 0 ? reduced : deeper,
                            stage == 0 || (stage == 1 && !cut), false, still, before);
        }
        if (d.over) return 0;
        if (value > best) {
            best = value;
            if (value > alpha) {
                good = m;
                if (ply == 0) d.best = m;
                if (value >= beta) {
                    if (quiet) learn(d, ply, list, size, m, full);
                    break;
                }
                alpha = value;
            }
        }
    }
    remember(d, key, ply, good, best, still, full, best >= beta ? LOWER : best > first_alpha ? EXACT : UPPER);
    return best;
}

// Searches the position at ply zero, deeper and deeper until `enough` nodes; at most `most`. Returns the value;
// the move is `d.best`.
DEVICE inline int think(Desk &d, int enough, int most) {
    d.nodes = 0;
    d.over = false;
    // The first iteration is always completed.
    d.most = 1 << 30;
    refresh_both(d.net, d.boards[0], d.accumulators);
    if (lane() < 8) d.killers[lane()] = 0;
    sync();
    int value = 0;
    Move best = 0;
    for (int depth = 1; depth < 30; depth++) {
        int alpha = -MATE, beta = MATE, wide = 20, found;
        if (depth >= 4 && size_of(value) < CERTAIN) alpha = value - wide, beta = value + wide;
        while (true) {
            found = search(d, 0, 0, alpha, beta, depth, false, false, UNKNOWN, UNKNOWN);
            if (d.over || (found > alpha && found < beta)) break;
            if (found <= alpha) alpha = greater(-MATE, found - wide);
            else beta = smaller(MATE, found + wide);
            wide *= 2;
            if (wide > 300) alpha = -MATE, beta = MATE;
        }
        if (d.over) break;
        value = found;
        best = d.best;
        d.most = most;
        if (d.nodes >= enough) break;
    }
    d.best = best;
    d.spent += d.nodes;
    return value;
}
