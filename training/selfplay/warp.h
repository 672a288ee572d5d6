// Warps: 32 lanes that work on one game together. On a GPU these are its own instructions; anywhere
// else each lane is a coroutine, which is slow, but computes the same and can be debugged.
//
// A function here is called by all lanes of a warp at once. A value is "uniform" if all lanes have
// the same.

#pragma once

#include <cstdint>

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;

constexpr int LANES = 32;

#ifdef __CUDACC__

#define DEVICE __device__
// Code that isn't copied to where it is used, and loops that aren't unrolled: warps of a block are in different places,
// and what they run must fit into the cache for instructions.
#define APART __device__ __noinline__
#define ROLLED _Pragma("unroll 1")

DEVICE inline int lane() { return threadIdx.x & 31; }
// What lanes have written to memory is seen by the others after this.
DEVICE inline void sync() { __syncwarp(); }
DEVICE inline u32 from_lane(u32 value, int other) { return __shfl_sync(~0u, value, other); }
DEVICE inline u32 votes(bool yes) { return __ballot_sync(~0u, yes); }
DEVICE inline u32 max_over(u32 value) { return __reduce_max_sync(~0u, value); }
DEVICE inline int sum_over(int value) { return __reduce_add_sync(~0u, value); }
DEVICE inline u32 or_over(u32 value) { return __reduce_or_sync(~0u, value); }
DEVICE inline u32 xor_over(u32 value) { return __reduce_xor_sync(~0u, value); }
DEVICE inline int count(u64 set) { return __popcll(set); }
DEVICE inline int first(u64 set) { return __ffsll(set) - 1; }
DEVICE inline u64 reversed(u64 set) { return __brevll(set); }
DEVICE inline int dot(u32 a, u32 b, int sum) { return __dp4a(int(a), int(b), sum); }
DEVICE inline u32 max_pairs(u32 a, u32 b) { return __vmaxu2(a, b); }
DEVICE inline u32 min_pairs(u32 a, u32 b) { return __vminu2(a, b); }
DEVICE inline u64 high_product(u64 a, u64 b) { return __umul64hi(a, b); }

#else

#include <csetjmp>
#include <functional>
#include <ucontext.h>
#include <vector>

#define DEVICE
#define APART
#define ROLLED

struct uint2 {
    u32 x, y;
};
struct uint4 {
    u32 x, y, z, w;
};

// The lanes of the warp that is running. They take turns: whoever needs the values of the others
// leaves its own and lets them run until they have left theirs.
struct Lanes {
    struct Lane {
        jmp_buf here;
        ucontext_t start;
        std::vector<char> stack;
        unsigned turn;
    };
    static constexpr size_t STACK = 1 << 20;
    static inline Lane all[LANES];
    static inline int current = 0;
    static inline u32 left[2][LANES];
    static inline std::function<void()> work;
    static inline jmp_buf caller;

    static void enter() {
        work();
        if (current + 1 == LANES) longjmp(caller, 1);
        resume(current + 1);
    }
    [[noreturn]] static void resume(int next) {
        current = next;
        longjmp(all[next].here, 1);
    }
    // Runs a function on all lanes.
    static void run(std::function<void()> function) {
        work = std::move(function);
        for (int i = 0; i < LANES; i++) {
            Lane &lane = all[i];
            lane.turn = 0;
            lane.stack.resize(STACK);
            getcontext(&lane.start);
            lane.start.uc_stack.ss_sp = lane.stack.data();
            lane.start.uc_stack.ss_size = STACK;
            lane.start.uc_link = nullptr;
            makecontext(&lane.start, begin, 0);
            // Runs until `begin` has saved its place.
            current = i;
            if (!setjmp(caller)) setcontext(&lane.start);
        }
        if (!setjmp(caller)) resume(0);
    }
    static void begin() {
        if (!setjmp(all[current].here)) longjmp(caller, 1);
        enter();
    }
    // The values of all lanes.
    static const u32 *exchange(u32 mine) {
        Lane &lane = all[current];
        unsigned turn = lane.turn++ & 1;
        left[turn][current] = mine;
        if (!setjmp(lane.here)) resume((current + 1) % LANES);
        return left[turn];
    }
};

inline int lane() { return Lanes::current; }
inline void sync() { Lanes::exchange(0); }
inline u32 from_lane(u32 value, int other) { return Lanes::exchange(value)[other & 31]; }
inline u32 votes(bool yes) {
    const u32 *values = Lanes::exchange(yes);
    u32 set = 0;
    for (int i = 0; i < LANES; i++) set |= values[i] << i;
    return set;
}
inline u32 max_over(u32 value) {
    const u32 *values = Lanes::exchange(value);
    u32 most = 0;
    for (int i = 0; i < LANES; i++) most = values[i] > most ? values[i] : most;
    return most;
}
inline int sum_over(int value) {
    const u32 *values = Lanes::exchange(value);
    u32 sum = 0;
    for (int i = 0; i < LANES; i++) sum += values[i];
    return int(sum);
}
inline u32 or_over(u32 value) {
    const u32 *values = Lanes::exchange(value);
    u32 set = 0;
    for (int i = 0; i < LANES; i++) set |= values[i];
    return set;
}
inline u32 xor_over(u32 value) {
    const u32 *values = Lanes::exchange(value);
    u32 set = 0;
    for (int i = 0; i < LANES; i++) set ^= values[i];
    return set;
}
inline int count(u64 set) { return __builtin_popcountll(set); }
inline int first(u64 set) { return __builtin_ffsll(set) - 1; }
inline u64 reversed(u64 set) {
    set = (set >> 1 & 0x5555555555555555) | (set & 0x5555555555555555) << 1;
    set = (set >> 2 & 0x3333333333333333) | (set & 0x3333333333333333) << 2;
    set = (set >> 4 & 0x0F0F0F0F0F0F0F0F) | (set & 0x0F0F0F0F0F0F0F0F) << 4;
    return __builtin_bswap64(set);
}
inline int dot(u32 a, u32 b, int sum) {
    for (int i = 0; i < 32; i += 8) sum += int8_t(a >> i) * int8_t(b >> i);
    return sum;
}
inline u32 max_pairs(u32 a, u32 b) {
    u32 low = (a & 0xFFFF) > (b & 0xFFFF) ? a : b, high = a >> 16 > b >> 16 ? a : b;
    return (low & 0xFFFF) | (high & 0xFFFF0000);
}
inline u32 min_pairs(u32 a, u32 b) {
    u32 low = (a & 0xFFFF) < (b & 0xFFFF) ? a : b, high = a >> 16 < b >> 16 ? a : b;
    return (low & 0xFFFF) | (high & 0xFFFF0000);
}
inline u64 high_product(u64 a, u64 b) { return u64((unsigned __int128)a * b >> 64); }

#endif

DEVICE inline bool any_of(bool yes) { return votes(yes) != 0; }
DEVICE inline u32 from_partner(u32 value, int mask) { return from_lane(value, lane() ^ mask); }
DEVICE inline u64 or_over(u64 set) { return or_over(u32(set)) | u64(or_over(u32(set >> 32))) << 32; }
// The sum over the lanes before this one; `all` gets that over all lanes.
APART inline int sum_before(int value, int &all) {
    int sum = value;
    ROLLED for (int step = 1; step < LANES; step *= 2) {
        int other = int(from_lane(u32(sum), lane() - step));
        if (lane() >= step) sum += other;
    }
    all = int(from_lane(u32(sum), LANES - 1));
    return sum - value;
}
