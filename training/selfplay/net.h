// The network: the same integers as the engine's (docs/nnue.md), shared out over the lanes.
//
// An accumulator has 1,024 numbers a side, two to a word, each with a bias that keeps it above zero: so a
// word is one number with two digits, and adding words adds both. A lane holds eight numbers of each
// quarter; the first half of them is multiplied by the second.

#pragma once

#include "board.h"

constexpr int HIDDEN = 1024, WORDS = HIDDEN / 2, FIRST = 16, SECOND = 32, SETS = 8, BUCKETS = 8;
constexpr u32 LIFT = 16384 * 0x10001u;
constexpr int UNIT_ONE = 8192, VALUE_ONE = 1024, SCALE = 400;
// Words of products of a lane, a round each: two sides, two quarters, two halves.
constexpr int ROUNDS = 8, FIRST_WORDS = SETS * ROUNDS * FIRST * LANES, SECOND_WORDS = SETS * FIRST * SECOND;

// Weights as the lanes read them.
struct Net {
    // Rows of inputs, each a side's accumulator; and that of an empty board.
    const u32 *inputs, *bias;
    const int *first_bias, *second_bias, *last, *last_bias;
    u8 buckets[64];
};

// The weights of the later layers, in the memory shared by the warps of a block. Of the first layer: for each
// set, round, unit and lane four weights; of the second: for each set, unit of the first
// layer and unit of the second a pair, for clipped and squared.
struct Layers {
    const u32 *first, *second;
};

// A side's view of the board: how squares are turned, and where its inputs begin.
struct View {
    int turn, start;
};
DEVICE inline View view_of(const Net &net, int color, int king) {
    View v;
    v.turn = (color == BLACK ? 56 : 0) ^ (king & 4 ? 7 : 0);
    v.start = net.buckets[king ^ (color == BLACK ? 56 : 0)] * 768;
    return v;
}
DEVICE inline const uint4 *row_of(const Net &net, const View &v, int side, Placed p) {
    int input = v.start + ((side == WHITE ? p : p < 384 ? p + 384 : p - 384) ^ v.turn);
    return reinterpret_cast<const uint4 *>(net.inputs) + size_t(input) * (WORDS / 4) + lane();
}
DEVICE inline void add(uint4 &sum, const uint4 &row) {
    sum.x += row.x, sum.y += row.y, sum.z += row.z, sum.w += row.w;
}
DEVICE inline void subtract(uint4 &sum, const uint4 &row) {
    sum.x -= row.x, sum.y -= row.y, sum.z -= row.z, sum.w -= row.w;
}

constexpr int ACCUMULATOR = 2 * WORDS / 4;

// A side's accumulator from scratch.
APART inline void refresh(const Net &net, const Board &b, int side, uint4 *to) {
    View v = view_of(net, side, king_of(b, side));
    ROLLED for (int quarter = 0; quarter < 4; quarter++) {
        uint4 sum = reinterpret_cast<const uint4 *>(net.bias)[quarter * LANES + lane()];
        ROLLED for (u64 left = occupied(b); left; left &= left - 1) {
            int square = first(left);
            add(sum, row_of(net, v, side, placed(b.side[BLACK] >> square & 1, role_on(b, square), square))[quarter * LANES]);
        }
        to[quarter * LANES] = sum;
    }
}

APART inline void refresh_both(const Net &net, const Board &b, uint4 *accumulator) {
    ROLLED for (int side = 0; side < 2; side++) refresh(net, b, side, accumulator + side * WORDS / 4 + lane());
    sync();
}

// The accumulator after a move, from that before it.
APART inline void update(const Net &net, const Board &b, Change c, const uint4 *before, uint4 *accumulator) {
    ROLLED for (int side = 0; side < 2; side++) {
        const uint4 *from = before + side * WORDS / 4 + lane();
        uint4 *to = accumulator + side * WORDS / 4 + lane();
        View v = view_of(net, side, king_of(b, side));
        if (role_of(c.gone) == KING && color_of(c.gone) == side) {
            View old = view_of(net, side, square_of(c.gone));
            if (old.turn != v.turn || old.start != v.start) {
                refresh(net, b, side, to);
                continue;
            }
        }
        const uint4 *on = row_of(net, v, side, c.come), *off = row_of(net, v, side, c.gone);
        const uint4 *on_too = row_of(net, v, side, c.come_too), *off_too = row_of(net, v, side, c.gone_too);
        ROLLED for (int i = 0; i < 4 * LANES; i += LANES) {
            uint4 sum = from[i];
            add(sum, on[i]);
            subtract(sum, off[i]);
            if (c.gone_too != NOTHING) subtract(sum, off_too[i]);
            if (c.come_too != NOTHING) add(sum, on_too[i]);
            to[i] = sum;
        }
    }
    sync();
}

// The value for the side to move, in centipawns. Each round of the first loop makes four products a lane: two words of the first
// half of an accumulator times their partners in the second.
APART inline int evaluate(const Net &net, const Layers &layers, const Board &b, const uint4 *accumulator) {
    int set = (count(occupied(b)) - 2) / 4, sums[FIRST];
    for (int unit = 0; unit < FIRST; unit++) sums[unit] = 0;
    const u32 *weights = layers.first + set * ROUNDS * FIRST * LANES + lane(), low = LIFT, high = LIFT + 255 * 0x10001u;
    ROLLED for (int round = 0; round < ROUNDS; round++, weights += FIRST * LANES) {
        int side = b.turn ^ round / (ROUNDS / 2), quarter = round / 2 % 2;
        const uint2 *from = reinterpret_cast<const uint2 *>(accumulator + side * WORDS / 4 + quarter * LANES + lane()) + round % 2;
        uint2 left = from[0], right = from[2 * 2 * LANES];
        left.x = min_pairs(max_pairs(left.x, low), high) - low, left.y = min_pairs(max_pairs(left.y, low), high) - low;
        right.x = min_pairs(max_pairs(right.x, low), high) - low, right.y = min_pairs(max_pairs(right.y, low), high) - low;
        u32 p = ((left.x & 0xFFFF) * (right.x & 0xFFFF) + 256) >> 9, q = ((left.x >> 16) * (right.x >> 16) + 256) >> 9;
        u32 r = ((left.y & 0xFFFF) * (right.y & 0xFFFF) + 256) >> 9, s = ((left.y >> 16) * (right.y >> 16) + 256) >> 9;
        p |= q << 8 | r << 16 | s << 24;
        for (int unit = 0; unit < FIRST; unit++) sums[unit] = dot(p, weights[unit * LANES], sums[unit]);
    }
    // Each lane keeps the sum of one unit.
    int mine = 0;
    for (int unit = 0; unit < FIRST; unit++) {
        int sum = sum_over(sums[unit]);
        if (lane() % FIRST == unit) mine = sum;
    }
    mine += net.first_bias[set * FIRST + lane() % FIRST];
    mine = mine < -UNIT_ONE ? -UNIT_ONE : mine > UNIT_ONE ? UNIT_ONE : mine;
    u32 passed_on = u32(mine > 0 ? mine : 0) | u32((mine * mine) >> 13) << 16;
    int sum = net.second_bias[set * SECOND + lane()];
    const u32 *second = layers.second + set * FIRST * SECOND + lane();
    ROLLED for (int unit = 0; unit < FIRST; unit++, second += SECOND) {
        u32 input = from_lane(passed_on, unit), w = *second;
        sum += int(input & 0xFFFF) * int16_t(w & 0xFFFF) + int(input >> 16) * int16_t(w >> 16);
    }
    sum >>= 9;
    sum = sum < 0 ? 0 : sum > UNIT_ONE ? UNIT_ONE : sum;
    int value = sum_over(((sum * sum) >> 13) * net.last[set * SECOND + lane()]) + net.last_bias[set];
    return int(int64_t(value) * SCALE / (UNIT_ONE * VALUE_ONE));
}
