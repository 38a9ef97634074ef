// The interface of the runtime (runtime.cpp) for programs. The runtime is compiled once, not with every program.
#pragma once

#pragma GCC visibility push(hidden)

namespace fuzzion_emulator {

constexpr unsigned WARP = 32;

// Content of uninitialized memory: a NaN as float and as double, and an improbable integer.
constexpr uint32_t POISON = 0xFFF5A3C7u;
constexpr uint64_t POISON64 = 0xFFF5A3C7FFF5A3C7ull;

// ---- state of the current launch ----
extern unsigned current;  // index of the current thread
extern unsigned threads;  // per block
extern uint3 thread_index, block_index, block_size, grid_size;
extern unsigned char* dynamic_shared;

// Aborts the launch from inside a kernel.
[[noreturn]] __attribute__((format(printf, 1, 2))) void fail(const char* format, ...);

// Collective operation.
struct Operation;
extern const Operation SYNC_THREADS, SYNC_COUNT, SYNC_AND, SYNC_OR, SYNC_WARP, SHUFFLE, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR,
    BALLOT, ANY, ALL, MATCH_ANY, REDUCE_add, REDUCE_min, REDUCE_max, REDUCE_smin, REDUCE_smax, REDUCE_and, REDUCE_or, REDUCE_xor;

// Waits for the other threads of the block; returns the number of true predicates.
uint64_t at_block(const Operation& operation, int line, bool predicate);
// Waits for the lanes of the mask; returns the result of the operation.
uint64_t at_warp(const Operation& operation, uint32_t mask, int line, unsigned source, uint64_t value);
// Waits for all blocks of a cooperative launch.
void at_grid(int line);
// Lets other threads run.
void spin();
// The lanes of the current warp that have not exited.
uint32_t active_lanes();

}  // namespace fuzzion_emulator

#pragma GCC visibility pop
