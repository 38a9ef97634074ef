// Collective operations of a warp, a block or a grid.
#pragma once

#define threadIdx (static_cast<const uint3&>(fuzzion_emulator::thread_index))
#define blockIdx (static_cast<const uint3&>(fuzzion_emulator::block_index))
#define blockDim (static_cast<const uint3&>(fuzzion_emulator::block_size))
#define gridDim (static_cast<const uint3&>(fuzzion_emulator::grid_size))
static constexpr int warpSize = 32;

namespace fuzzion_emulator {

static unsigned lane() { return current % WARP; }

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
#define FUZZION_REDUCER(operation, type, name)                                                                        \
    static inline type __reduce_##name##_sync(unsigned mask, type value, int line = __builtin_LINE()) {          \
        return type(fuzzion_emulator::at_warp(fuzzion_emulator::REDUCE_##operation, mask, line, 0, uint64_t(value))); \
    }
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
static inline unsigned __activemask() { return fuzzion_emulator::active_lanes(); }

// ---- a grid (cooperative launches only) ----
// The counter of the GPU version is not needed here.
#define grid_barrier(...) fuzzion_emulator::at_grid(__LINE__)

// A loop that waits for another thread must call this, because a fiber runs until it yields.
static inline void __nanosleep(unsigned) { fuzzion_emulator::spin(); }
