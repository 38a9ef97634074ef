// Collective operations of a warp, a block or a grid.
#pragma once

#define threadIdx (static_cast<const uint3&>(fuzzion_emulator::thread_index))
#define blockIdx (static_cast<const uint3&>(fuzzion_emulator::block_index))
#define blockDim (static_cast<const uint3&>(fuzzion_emulator::block_size))
#define gridDim (static_cast<const uint3&>(fuzzion_emulator::grid_size))
static constexpr int warpSize = 32;

namespace fuzzion_emulator {

static const Operation SYNC_THREADS{"__syncthreads", nullptr};
static const Operation SYNC_COUNT{"__syncthreads_count", nullptr};
static const Operation SYNC_AND{"__syncthreads_and", nullptr};
static const Operation SYNC_OR{"__syncthreads_or", nullptr};
static const Operation GRID_BARRIER{"grid_barrier", nullptr};

static uint64_t at_block(const Operation& operation, int line, bool predicate) {
    return wait(State::AtBlock, operation, line, 0, 0, predicate);
}

// The value of an inactive lane is undefined according to the CUDA programming guide.
static uint64_t from_source(const Fiber* const* lanes, unsigned me) {
    const Fiber* source = lanes[lanes[me]->source];
    return source ? source->value : POISON64;
}
static uint64_t zero(const Fiber* const*, unsigned) { return 0; }
static uint64_t ballot(const Fiber* const* lanes, unsigned) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < WARP; i++)
        if (lanes[i] && lanes[i]->value) bits |= uint64_t(1) << i;
    return bits;
}
static uint64_t all_true(const Fiber* const* lanes, unsigned) {
    for (unsigned i = 0; i < WARP; i++)
        if (lanes[i] && !lanes[i]->value) return 0;
    return 1;
}
static uint64_t equals(const Fiber* const* lanes, unsigned me) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < WARP; i++)
        if (lanes[i] && lanes[i]->value == lanes[me]->value) bits |= uint64_t(1) << i;
    return bits;
}
template <class T, T (*combine)(T, T)> static uint64_t reduced(const Fiber* const* lanes, unsigned me) {
    T all = T(lanes[me]->value);
    for (unsigned i = 0; i < WARP; i++)
        if (lanes[i] && i != me) all = combine(all, T(lanes[i]->value));
    return uint64_t(all);
}

static const Operation SYNC_WARP{"__syncwarp", zero};
static const Operation SHUFFLE{"__shfl_sync", from_source};
static const Operation SHUFFLE_UP{"__shfl_up_sync", from_source};
static const Operation SHUFFLE_DOWN{"__shfl_down_sync", from_source};
static const Operation SHUFFLE_XOR{"__shfl_xor_sync", from_source};
static const Operation BALLOT{"__ballot_sync", ballot};
static const Operation ANY{"__any_sync", ballot};
static const Operation ALL{"__all_sync", all_true};
static const Operation MATCH_ANY{"__match_any_sync", equals};

static unsigned lane() { return current % WARP; }

static uint64_t at_warp(const Operation& operation, uint32_t mask, int line, unsigned source, uint64_t value) {
    if (!(mask >> lane() & 1))
        fail("calls %s(0x%08x) on line %d, but its lane %u is not in the mask", operation.name, mask, line, lane());
    return wait(State::AtWarp, operation, line, mask, source, value);
}

template <class T> static uint64_t to_bits(T value) {
    static_assert(sizeof(T) <= 8, "a shuffle moves 4 or 8 bytes");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> static T from_bits(uint64_t bits) {
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T>
static T shuffle(const Operation& operation, uint32_t mask, T value, unsigned source, int line) {
    return from_bits<T>(at_warp(operation, mask, line, source, to_bits(value)));
}
static unsigned segment(int width) { return lane() & ~unsigned(width - 1); }

}  // namespace fuzzion_emulator

// ---- a block ----
static inline void __syncthreads(int line = __builtin_LINE()) {
    fuzzion_emulator::at_block(fuzzion_emulator::SYNC_THREADS, line, false);
}
static inline int __syncthreads_count(int predicate, int line = __builtin_LINE()) {
    return int(fuzzion_emulator::at_block(fuzzion_emulator::SYNC_COUNT, line, predicate != 0));
}
static inline int __syncthreads_and(int predicate, int line = __builtin_LINE()) {
    return fuzzion_emulator::at_block(fuzzion_emulator::SYNC_AND, line, predicate != 0) == fuzzion_emulator::threads;
}
static inline int __syncthreads_or(int predicate, int line = __builtin_LINE()) {
    return fuzzion_emulator::at_block(fuzzion_emulator::SYNC_OR, line, predicate != 0) != 0;
}

// ---- a warp ----
static inline void __syncwarp(unsigned mask = 0xffffffffu, int line = __builtin_LINE()) {
    fuzzion_emulator::at_warp(fuzzion_emulator::SYNC_WARP, mask, line, 0, 0);
}
template <class T>
static T __shfl_sync(unsigned mask, T value, int source, int width = 32, int line = __builtin_LINE()) {
    unsigned from = fuzzion_emulator::segment(width) | (unsigned(source) & unsigned(width - 1));
    return fuzzion_emulator::shuffle(fuzzion_emulator::SHUFFLE, mask, value, from, line);
}
template <class T>
static T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, int line = __builtin_LINE()) {
    unsigned lane = fuzzion_emulator::lane();
    unsigned from = lane - fuzzion_emulator::segment(width) < delta ? lane : lane - delta;
    return fuzzion_emulator::shuffle(fuzzion_emulator::SHUFFLE_UP, mask, value, from, line);
}
template <class T>
static T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, int line = __builtin_LINE()) {
    unsigned lane = fuzzion_emulator::lane(), end = fuzzion_emulator::segment(width) + unsigned(width);
    unsigned from = delta >= end - lane ? lane : lane + delta;
    return fuzzion_emulator::shuffle(fuzzion_emulator::SHUFFLE_DOWN, mask, value, from, line);
}
template <class T>
static T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, int line = __builtin_LINE()) {
    unsigned lane = fuzzion_emulator::lane(), end = fuzzion_emulator::segment(width) + unsigned(width);
    unsigned from = (lane ^ unsigned(bits)) < end ? lane ^ unsigned(bits) : lane;
    return fuzzion_emulator::shuffle(fuzzion_emulator::SHUFFLE_XOR, mask, value, from, line);
}
static inline unsigned __ballot_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    return unsigned(fuzzion_emulator::at_warp(fuzzion_emulator::BALLOT, mask, line, 0, predicate != 0));
}
static inline int __any_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    return fuzzion_emulator::at_warp(fuzzion_emulator::ANY, mask, line, 0, predicate != 0) != 0;
}
static inline int __all_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    return fuzzion_emulator::at_warp(fuzzion_emulator::ALL, mask, line, 0, predicate != 0) != 0;
}
template <class T> static unsigned __match_any_sync(unsigned mask, T value, int line = __builtin_LINE()) {
    return unsigned(fuzzion_emulator::at_warp(fuzzion_emulator::MATCH_ANY, mask, line, 0,
                                              fuzzion_emulator::to_bits(value)));
}
#define FUZZION_REDUCE(type, name, expression)                                                                   \
    namespace fuzzion_emulator {                                                                                 \
    static type combine_##name(type a, type b) { return expression; }                                            \
    static const Operation REDUCE_##name{"__reduce_" #name "_sync", reduced<type, combine_##name>};               \
    }
#define FUZZION_REDUCER(operation, type, name)                                                                        \
    static inline type __reduce_##name##_sync(unsigned mask, type value, int line = __builtin_LINE()) {          \
        return type(fuzzion_emulator::at_warp(fuzzion_emulator::REDUCE_##operation, mask, line, 0, uint64_t(value))); \
    }
FUZZION_REDUCE(unsigned, add, a + b)
FUZZION_REDUCE(unsigned, min, a < b ? a : b)
FUZZION_REDUCE(unsigned, max, a > b ? a : b)
FUZZION_REDUCE(int, smin, a < b ? a : b)
FUZZION_REDUCE(int, smax, a > b ? a : b)
FUZZION_REDUCE(unsigned, and, a & b)
FUZZION_REDUCE(unsigned, or, a | b)
FUZZION_REDUCE(unsigned, xor, a ^ b)
FUZZION_REDUCER(add, unsigned, add)
FUZZION_REDUCER(add, int, add)
FUZZION_REDUCER(min, unsigned, min)
FUZZION_REDUCER(smin, int, min)
FUZZION_REDUCER(max, unsigned, max)
FUZZION_REDUCER(smax, int, max)
FUZZION_REDUCER(and, unsigned, and)
FUZZION_REDUCER(or, unsigned, or)
FUZZION_REDUCER(xor, unsigned, xor)

// CUDA does not guarantee which lanes are converged; the largest possible mask reveals kernels that rely on it.
static inline unsigned __activemask() {
    unsigned warp = fuzzion_emulator::current / 32, bits = 0;
    for (unsigned i = 0; i < fuzzion_emulator::lanes_of(warp); i++)
        if (fuzzion_emulator::fibers[warp * 32 + i].state != fuzzion_emulator::State::Exited) bits |= 1u << i;
    return bits;
}

// ---- a grid (cooperative launches only) ----
static inline void fuzzion_grid_barrier(int line) {
    if (!fuzzion_emulator::launch->cooperative)
        fuzzion_emulator::fail("calls grid_barrier on line %d, but the launch is not cooperative", line);
    fuzzion_emulator::wait(fuzzion_emulator::State::AtGrid, fuzzion_emulator::GRID_BARRIER, line, 0, 0, 0);
}
// The counter of the GPU version is not needed here.
#define grid_barrier(...) fuzzion_grid_barrier(__LINE__)

// A loop that waits for another thread must call this, because a fiber runs until it yields.
static inline void __nanosleep(unsigned) {
    fuzzion_emulator::fibers[fuzzion_emulator::current].state = fuzzion_emulator::State::Spinning;
    fuzzion_emulator::yield();
}
