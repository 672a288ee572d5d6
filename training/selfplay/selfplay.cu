// Self-play on a GPU: thousands of games at a time, one for each warp. Writes records for train.py.
//
//     nvcc -O3 -std=c++17 -arch=sm_90 -o selfplay training/selfplay/selfplay.cu
//     ./selfplay nets/riga.net --games 1e8 --seconds 600 --room 1e9 --seed 1 --out games.bin
//     ./selfplay nets/riga.net --perft FEN DEPTH
//     ./selfplay nets/riga.net --evaluate FEN
//
// Without a GPU (g++ -x c++) it does the same, game by game, for tests.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "game.h"

namespace {

// ---- Memory of the device ----

#ifdef __CUDACC__
void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}
template <class T> T *room_for(size_t count) {
    T *memory;
    check(cudaMalloc(&memory, count * sizeof(T)));
    check(cudaMemset(memory, 0, count * sizeof(T)));
    return memory;
}
template <class T> void send(T *to, const T *from, size_t count) { check(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice)); }
template <class T> void fetch(T *to, const T *from, size_t count) { check(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDeviceToHost)); }
#else
template <class T> T *room_for(size_t count) { return static_cast<T *>(calloc(count, sizeof(T))); }
template <class T> void send(T *to, const T *from, size_t count) { memcpy(to, from, count * sizeof(T)); }
template <class T> void fetch(T *to, const T *from, size_t count) { memcpy(to, from, count * sizeof(T)); }
#endif
template <class T> T *copy_of(const std::vector<T> &values) {
    T *memory = room_for<T>(values.size());
    send(memory, values.data(), values.size());
    return memory;
}

// ---- The network's file ----

struct Weights {
    Net net;
    u32 *first, *second;
};

class Bytes {
    std::vector<char> data;
    size_t at = 0;

  public:
    explicit Bytes(const std::string &path) {
        std::ifstream file(path, std::ios::binary);
        if (!file) throw std::runtime_error(path + ": can't be read");
        data.assign(std::istreambuf_iterator<char>(file), {});
    }
    void skip(size_t count) { at += count; }
    template <class T> std::vector<T> take(size_t count) {
        std::vector<T> values(count);
        if (at + count * sizeof(T) > data.size()) throw std::runtime_error("the network's file is too short");
        memcpy(values.data(), data.data() + at, count * sizeof(T));
        at += count * sizeof(T);
        return values;
    }
    bool is_at_end() const { return at == data.size(); }
};

// Two numbers as the digits of one.
u32 pair_of(int low, int high) { return u32(high) * 65536u + u32(low); }

Weights read_net(const std::string &path) {
    Bytes bytes(path);
    auto magic = bytes.take<char>(8);
    auto header = bytes.take<u16>(10);
    const u16 shape[8] = {BUCKETS, HIDDEN, FIRST, SECOND, SETS, 255, SCALE, 2};
    if (memcmp(magic.data(), "RIGANNUE", 8) || header[0] != 3 || memcmp(shape, header.data() + 2, sizeof shape))
        throw std::runtime_error(path + ": not a network of this shape");
    Weights w;
    bytes.skip(4);
    auto nibbles = bytes.take<u8>(16);
    for (int square = 0; square < 64; square++) {
        int file = square & 7, half = (square >> 3) * 4 + (file < 4 ? file : 7 - file);
        w.net.buckets[square] = nibbles[half / 2] >> half % 2 * 4 & 15;
    }
    bytes.skip(16 + header[1]);
    auto inputs = bytes.take<int8_t>(size_t(BUCKETS) * 768 * HIDDEN);
    std::vector<u32> words(inputs.size() / 2);
    for (size_t i = 0; i < words.size(); i++) words[i] = pair_of(inputs[2 * i], inputs[2 * i + 1]);
    w.net.inputs = copy_of(words);
    auto bias = bytes.take<int16_t>(HIDDEN);
    words.resize(WORDS);
    for (size_t i = 0; i < WORDS; i++) words[i] = pair_of(bias[2 * i], bias[2 * i + 1]) + LIFT;
    w.net.bias = copy_of(words);
    std::vector<u32> first(FIRST_WORDS), second(SECOND_WORDS);
    std::vector<int> first_bias, second_bias, last, last_bias;
    for (int set = 0; set < SETS; set++) {
        auto weights = bytes.take<int8_t>(FIRST * HIDDEN);
        for (int round = 0; round < ROUNDS; round++)
            for (int unit = 0; unit < FIRST; unit++)
                for (int at = 0; at < LANES; at++) {
                    int input = round / 4 * WORDS + round / 2 % 2 * 256 + at * 8 + round % 2 * 4;
                    memcpy(&first[((set * ROUNDS + round) * FIRST + unit) * LANES + at], &weights[unit * HIDDEN + input], 4);
                }
        for (int bias : bytes.take<int>(FIRST)) first_bias.push_back(bias);
        auto next = bytes.take<int16_t>(SECOND * 2 * FIRST);
        for (int unit = 0; unit < FIRST; unit++)
            for (int to = 0; to < SECOND; to++)
                second[(set * FIRST + unit) * SECOND + to] =
                    u32(u16(next[to * 2 * FIRST + unit])) | u32(u16(next[to * 2 * FIRST + FIRST + unit])) << 16;
        for (int bias : bytes.take<int>(SECOND)) second_bias.push_back(bias);
        for (int16_t weight : bytes.take<int16_t>(SECOND)) last.push_back(weight);
        last_bias.push_back(bytes.take<int>(1)[0]);
    }
    if (!bytes.is_at_end()) throw std::runtime_error(path + ": something follows the network");
    w.first = copy_of(first);
    w.second = copy_of(second);
    w.net.first_bias = copy_of(first_bias);
    w.net.second_bias = copy_of(second_bias);
    w.net.last = copy_of(last);
    w.net.last_bias = copy_of(last_bias);
    return w;
}

// ---- Positions from text ----

Board board_from(const std::string &fen) {
    std::istringstream text(fen);
    std::string squares, turn, castling, passant;
    int clock = 0;
    text >> squares >> turn >> castling >> passant >> clock;
    Board b = {};
    int square = 56;
    for (char c : squares) {
        if (c == '/') square -= 16;
        else if (c >= '1' && c <= '8') square += c - '0';
        else {
            const char *roles = "pnbrqk", *found = strchr(roles, tolower(c));
            if (!found || square < 0 || square > 63) throw std::runtime_error("not a FEN: " + fen);
            b.role[found - roles] |= 1ull << square;
            b.side[c >= 'a'] |= 1ull << square++;
        }
    }
    b.turn = turn == "b";
    b.clock = u8(clock);
    for (u8 &rook : b.rook) rook = NONE;
    for (char c : castling) {
        if (c == '-') continue;
        bool black = c >= 'a';
        int back = black ? 56 : 0;
        u64 kings = b.role[KING] & b.side[black], rooks = b.role[ROOK] & b.side[black];
        int king = kings ? __builtin_ctzll(kings) : 0, rook = NONE;
        char upper = char(toupper(c));
        for (int file = 0; file < 8; file++) {
            bool there = rooks >> (back + file) & 1;
            if (there && upper == 'K' && back + file > king) rook = back + file;
            if (there && upper == 'Q' && back + file < king && rook == NONE) rook = back + file;
            if (there && upper == 'A' + file) rook = back + file;
        }
        if (rook == NONE) throw std::runtime_error("not a FEN: " + fen);
        b.rook[2 * black + (rook < king)] = u8(rook);
    }
    b.passant = NONE;
    if (passant.size() == 2) {
        b.passant = u8(passant[0] - 'a' + (passant[1] - '1') * 8);
    }
    return b;
}

// ---- Work on the device ----

struct Hall {
    Weights weights;
    int16_t *reductions;
    Entry *tables;
    int16_t *histories;
    u32 *lists;
    u64 *keys;
    uint4 *accumulators;
    Notes *notes;
    Board *boards;
    u16 *killers;
};

constexpr int KEYS = GAME_PLIES + MOST_PLIES;

DEVICE Desk desk_of(const Hall &hall, const Layers &layers, int warp) {
    Desk d;
    d.net = hall.weights.net;
    d.layers = layers;
    d.reductions = hall.reductions;
    d.boards = hall.boards + size_t(warp) * MOST_PLIES;
    d.killers = hall.killers + size_t(warp) * 2 * MOST_PLIES;
    d.table = hall.tables + size_t(warp) * TABLE;
    d.history = hall.histories + size_t(warp) * 2 * 4096;
    d.lists = hall.lists + size_t(warp) * MOST_PLIES * MOST_MOVES;
    d.keys = hall.keys + size_t(warp) * KEYS;
    d.accumulators = hall.accumulators + size_t(warp) * MOST_PLIES * ACCUMULATOR;
    d.played = d.nodes = d.most = 0;
    d.over = false;
    d.best = 0;
    d.spent = 0;
    return d;
}

Hall hall_for(const Weights &weights, int warps) {
    Hall hall;
    hall.weights = weights;
    std::vector<int16_t> reductions(2 * 64 * 64);
    for (int quiet = 0; quiet < 2; quiet++)
        for (int depth = 1; depth < 64; depth++)
            for (int number = 1; number < 64; number++)
                reductions[(quiet * 64 + depth) * 64 + number] =
                    int16_t((quiet ? 800 : 0) + (quiet ? 440 : 330) * std::log(double(depth)) * std::log(double(number)));
    hall.reductions = copy_of(reductions);
    hall.tables = room_for<Entry>(size_t(warps) * TABLE);
    hall.histories = room_for<int16_t>(size_t(warps) * 2 * 4096);
    hall.lists = room_for<u32>(size_t(warps) * MOST_PLIES * MOST_MOVES);
    hall.keys = room_for<u64>(size_t(warps) * KEYS);
    hall.accumulators = room_for<uint4>(size_t(warps) * MOST_PLIES * ACCUMULATOR);
    hall.notes = room_for<Notes>(warps);
    hall.boards = room_for<Board>(size_t(warps) * MOST_PLIES);
    hall.killers = room_for<u16>(size_t(warps) * 2 * MOST_PLIES);
    return hall;
}

struct Counts {
    long long leaves, wrong;
};

// Leaves of the tree of legal moves; checks keys and accumulators on the way.
APART void perft(Desk &d, int ply, int depth, Counts &counts) {
    const Board &b = d.boards[ply];
    u32 *list = d.lists + ply * MOST_MOVES;
    int size = generate(b, sight(b), list, false);
    if (depth == 1) {
        counts.leaves += size;
        int value = evaluate(d.net, d.layers, b, d.accumulators + ply * ACCUMULATOR);
        refresh_both(d.net, b, d.accumulators + (ply + 1) * ACCUMULATOR);
        int again = evaluate(d.net, d.layers, b, d.accumulators + (ply + 1) * ACCUMULATOR);
        counts.wrong += value != again || b.key != key_from_scratch(b);
        return;
    }
    for (int i = 0; i < size; i++) {
        play(d, ply, ply, list[i] & 0x7FFF);
        perft(d, ply + 1, depth - 1, counts);
    }
}

struct Task {
    Board board;
    int depth;
    Counts counts;
    int value, score, nodes;
    Move best;
};

// Perft (with a depth), the evaluation, and a search of 1,000 nodes.
DEVICE void examine(Desk d, Task *task) {
    Board b = task->board;
    b.key = key_from_scratch(b);
    sync();
    set_up(d, b);
    refresh_both(d.net, b, d.accumulators);
    Counts counts = {0, 0};
    int value = evaluate(d.net, d.layers, b, d.accumulators);
    if (task->depth > 0) perft(d, 0, task->depth, counts);
    forget(d);
    int score = think(d, 1000, 8000);
    if (lane() == 0) {
        task->counts = counts;
        task->value = value;
        task->score = score;
        task->nodes = d.nodes;
        task->best = d.best;
    }
}

// The games to play: as many families as there are, or as can begin within some time or while there is room for records.
struct Batch {
    Plan plan;
    u64 families;
    double seconds;
};

#ifdef __CUDACC__

// As many warps as a block can have: a warp mostly waits for memory, and with 16 of 128 registers a lane a GPU searches a quarter
// fewer nodes than with 32 of 64.
constexpr int WARPS = 32;
constexpr int FAST = (FIRST_WORDS + SECOND_WORDS) * 4;

// Sets up a warp's desk; the block's warps share the later layers.
DEVICE Desk sit_down(const Hall &hall) {
    extern __shared__ u32 fast[];
    u32 *second = fast + FIRST_WORDS;
    for (int i = threadIdx.x; i < FIRST_WORDS; i += blockDim.x) fast[i] = hall.weights.first[i];
    for (int i = threadIdx.x; i < SECOND_WORDS; i += blockDim.x) second[i] = hall.weights.second[i];
    __syncthreads();
    return desk_of(hall, {fast, second}, blockIdx.x * WARPS + threadIdx.x / LANES);
}

__global__ void __launch_bounds__(WARPS * LANES, 1) examine_kernel(Hall hall, Task *task) {
    Desk d = sit_down(hall);
    if (threadIdx.x < LANES && blockIdx.x == 0) examine(d, task);
}

DEVICE u64 nanoseconds() {
    u64 now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

DEVICE bool is_room(const Shelf &shelf) { return *const_cast<volatile unsigned long long *>(&shelf.tally->records) < shelf.room; }

__global__ void __launch_bounds__(WARPS * LANES, 1) play_kernel(Hall hall, Shelf shelf, Batch batch, unsigned long long *next) {
    Desk d = sit_down(hall);
    Notes &notes = hall.notes[blockIdx.x * WARPS + threadIdx.x / LANES];
    u64 end = nanoseconds() + u64(batch.seconds * 1e9);
    while (true) {
        u64 number = batch.families;
        if (lane() == 0 && nanoseconds() < end && is_room(shelf)) number = atomicAdd(next, 1ull);
        number = from_lane(u32(number), 0) | u64(from_lane(u32(number >> 32), 0)) << 32;
        if (number >= batch.families) return;
        play_family(d, batch.plan, number, notes, shelf, shelf.parts + 2 * number);
    }
}

// Where a record goes: a permutation of all numbers below `size`, as a Feistel cipher that walks on until it stays below.
DEVICE u64 shuffled(u64 index, u64 size, u64 seed) {
    int bits = 2;
    while (1ull << bits < size) bits += 2;
    u64 half = (1ull << bits / 2) - 1;
    do {
        u64 left = index >> bits / 2, right = index & half;
        for (int round = 0; round < 4; round++) {
            u64 next = left ^ (mixed(seed + 8 * right + round) & half);
            left = right;
            right = next;
        }
        index = left << bits / 2 | right;
    } while (index >= size);
    return index;
}

// Puts the records of games in order, those from `held` on shuffled.
__global__ void arrange_kernel(Shelf shelf, const Part *parts, const u64 *places, int count, u64 held, u64 size, u64 seed, uint4 *to) {
    for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / LANES; i < count; i += gridDim.x * blockDim.x / LANES)
        for (u32 k = lane(); k < parts[i].length; k += LANES) {
            u64 place = places[i] + k, from = parts[i].start + k;
            if (place >= held) place = held + shuffled(place - held, size - held, seed);
            to[2 * place] = shelf.records[2 * from];
            to[2 * place + 1] = shelf.records[2 * from + 1];
        }
}

int warps_here() {
    int blocks;
    check(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    return blocks * WARPS;
}
void prepare() {
    check(cudaDeviceSetLimit(cudaLimitStackSize, 24 << 10));
    check(cudaFuncSetAttribute(examine_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, FAST));
    check(cudaFuncSetAttribute(play_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, FAST));
}
void run_examine(const Hall &hall, Task *task) {
    examine_kernel<<<1, WARPS * LANES, FAST>>>(hall, task);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
}
// Returns how many families were played. Reports now and then.
template <class Report> u64 run_batch(const Hall &hall, const Shelf &shelf, const Batch &batch, Report report) {
    auto *next = room_for<unsigned long long>(1);
    cudaStream_t aside;
    check(cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking));
    play_kernel<<<warps_here() / WARPS, WARPS * LANES, FAST>>>(hall, shelf, batch, next);
    check(cudaGetLastError());
    for (int tenths = 1; cudaStreamQuery(nullptr) == cudaErrorNotReady; tenths++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        if (tenths % 200) continue;
        Tally tally;
        check(cudaMemcpyAsync(&tally, shelf.tally, sizeof tally, cudaMemcpyDeviceToHost, aside));
        check(cudaStreamSynchronize(aside));
        report(tally);
    }
    check(cudaDeviceSynchronize());
    unsigned long long taken;
    fetch(&taken, next, 1);
    return std::min<u64>(taken, batch.families);
}
uint4 *arranged(const Shelf &shelf, const std::vector<Part> &parts, const std::vector<u64> &places, u64 held, u64 size, u64 seed) {
    uint4 *to = room_for<uint4>(2 * size);
    arrange_kernel<<<1024, 256>>>(shelf, copy_of(parts), copy_of(places), int(parts.size()), held, size, seed, to);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    return to;
}

#else

Desk sit_down(const Hall &hall) {
    return desk_of(hall, {hall.weights.first, hall.weights.second}, 0);
}
int warps_here() { return 1; }
void prepare() {}
void run_examine(const Hall &hall, Task *task) {
    Lanes::run([&] { examine(sit_down(hall), task); });
}
template <class Report> u64 run_batch(const Hall &hall, const Shelf &shelf, const Batch &batch, Report) {
    auto began = std::chrono::steady_clock::now();
    u64 done = 0;
    for (; done < batch.families && shelf.tally->records < shelf.room; done++) {
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() >= batch.seconds) break;
        Lanes::run([&] {
            Desk d = sit_down(hall);
            play_family(d, batch.plan, done, *hall.notes, shelf, shelf.parts + 2 * done);
        });
    }
    return done;
}
uint4 *arranged(const Shelf &shelf, const std::vector<Part> &parts, const std::vector<u64> &places, u64, u64 size, u64) {
    uint4 *to = room_for<uint4>(2 * size);
    for (size_t i = 0; i < parts.size(); i++) memcpy(to + 2 * places[i], shelf.records + 2 * parts[i].start, 32 * size_t(parts[i].length));
    return to;
}

#endif

// ---- Commands ----

void report_position(const Weights &weights, const std::string &fen, int depth) {
    Hall hall = hall_for(weights, 1);
    Task task = {};
    task.board = board_from(fen);
    task.depth = depth;
    Task *there = room_for<Task>(1);
    send(there, &task, 1);
    run_examine(hall, there);
    fetch(&task, there, 1);
    Move m = task.best;
    printf("evaluation %d, search %d (%c%d%c%d, %d nodes)", task.value, task.score, 'a' + (m & 7), int(m >> 3 & 7) + 1,
           'a' + int(m >> 6 & 7), int(m >> 9 & 7) + 1, task.nodes);
    if (depth) printf(", perft %lld, wrong %lld", task.counts.leaves, task.counts.wrong);
    printf("\n");
}

struct Options {
    Plan plan = {1, 150, 1200, 250, 1000, 768, 0, 50};
    u64 games = 1000, room = 0;
    double seconds = 1e9;
    std::string out;
};

void play_games(const Weights &weights, const Options &options) {
    Hall hall = hall_for(weights, warps_here());
    std::vector<int> chances;
    for (int score = -CLEAR_WIN; score <= CLEAR_WIN; score++) chances.push_back(int(std::lround(CHANCE_ONE / (1 + std::exp(-score / 400.0)))));
    u64 room = options.room ? options.room : options.games * 130 + 10000;
    Shelf shelf = {room_for<uint4>(2 * room), room, room_for<Part>(2 * options.games), room_for<Tally>(1), copy_of(chances)};
    auto began = std::chrono::steady_clock::now();
    auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
    auto report = [&](const Tally &tally) {
        printf("%.1f s: %llu games (+%llu =%llu), %llu positions, %llu records, %.1f nodes a position, %.2f million nodes/s\n", seconds(), tally.games,
               tally.white, tally.drawn, tally.searched, tally.records, double(tally.nodes) / double(tally.searched), double(tally.nodes) / seconds() / 1e6);
        fflush(stdout);
    };
    // Games for which there is no room are lost.
    u64 done = run_batch(hall, shelf, {options.plan, options.games, options.seconds}, report);
    Tally tally;
    fetch(&tally, shelf.tally, 1);
    report(tally);
    std::vector<Part> parts(2 * done);
    fetch(parts.data(), shelf.parts, parts.size());
    // The held-out games come first: a trainer leaves out the first one in `held_back` records.
    std::vector<u64> places(parts.size());
    u64 size = 0, held = 0;
    for (const Part &part : parts) size += part.length;
    u64 wanted = size / u64(options.plan.held_back);
    auto is_held = [&](size_t i) { return i / 2 % size_t(options.plan.held_back) == 0; };
    std::vector<bool> taken(parts.size());
    for (size_t i = 0; i < parts.size() && held < wanted; i++)
        if (is_held(i)) places[i] = held, held += parts[i].length, taken[i] = true;
    u64 at = held;
    for (size_t i = 0; i < parts.size(); i++)
        if (!taken[i]) places[i] = at, at += parts[i].length;
    uint4 *there = arranged(shelf, parts, places, held, size, options.plan.seed);
    std::ofstream file(options.out, std::ios::binary);
    std::vector<uint4> part(2 * 8 << 20);
    for (u64 i = 0; i < 2 * size; i += part.size()) {
        size_t length = size_t(std::min<u64>(part.size(), 2 * size - i));
        fetch(part.data(), there + i, length);
        file.write(reinterpret_cast<const char *>(part.data()), std::streamsize(length * 16));
    }
    file.close();
    if (!file) throw std::runtime_error(options.out + ": can't be written");
    // With as many families and this seed, the same games are played again.
    printf("%.1f s: wrote %llu records of %llu families, %llu records of held-out games\n", seconds(), (unsigned long long)size, (unsigned long long)done,
           (unsigned long long)held);
}

int run(const std::vector<std::string> &words) {
    Options options;
    std::string mode, fen, net;
    int depth = 0;
    for (size_t i = 0; i < words.size(); i++) {
        auto value = [&]() -> const std::string & {
            if (i + 1 >= words.size()) throw std::runtime_error(words[i] + " needs a value");
            return words[++i];
        };
        const std::string word = words[i];
        if (word == "--games") options.games = u64(std::stod(value()));
        else if (word == "--seed") options.plan.seed = std::stoull(value());
        else if (word == "--nodes") options.plan.enough = std::stoi(value()), options.plan.most = 8 * options.plan.enough;
        else if (word == "--opening-score") options.plan.opening_score = std::stoi(value());
        else if (word == "--blend") options.plan.blend = int(1024 * std::stod(value()));
        else if (word == "--trust") options.plan.trust = int(1024 * std::stod(value()));
        else if (word == "--held-back") options.plan.held_back = std::stoi(value());
        else if (word == "--seconds") options.seconds = std::stod(value());
        else if (word == "--room") options.room = u64(std::stod(value()));
        else if (word == "--out") options.out = value();
        else if (word == "--perft") mode = word, fen = value(), depth = std::stoi(value());
        else if (word == "--evaluate") mode = word, fen = value();
        else if (net.empty() && word[0] != '-') net = word;
        else throw std::runtime_error("unknown option " + word);
    }
    if (net.empty() || (mode.empty() && options.out.empty())) throw std::runtime_error("usage: selfplay NET --out FILE [--games N] [--seed N] [--nodes N] [--blend SHARE] [--seconds N]");
    prepare();
    Weights weights = read_net(net);
    if (!mode.empty()) report_position(weights, fen, depth);
    else play_games(weights, options);
    return 0;
}

}  // namespace

int main(int count, char **words) {
    try {
        return run({words + 1, words + count});
    } catch (const std::exception &error) {
        fprintf(stderr, "selfplay: %s\n", error.what());
        return 1;
    }
}
