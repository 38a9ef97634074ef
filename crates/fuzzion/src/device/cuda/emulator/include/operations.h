// Results of collective operations of a warp, a block or a grid.
#pragma once

namespace fuzzion_emulator {

const Operation SYNC_THREADS{"__syncthreads", nullptr};
const Operation SYNC_COUNT{"__syncthreads_count", nullptr};
const Operation SYNC_AND{"__syncthreads_and", nullptr};
const Operation SYNC_OR{"__syncthreads_or", nullptr};
const Operation GRID_BARRIER{"grid_barrier", nullptr};

uint64_t at_block(const Operation& operation, int line, bool predicate) {
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

const Operation SYNC_WARP{"__syncwarp", zero};
const Operation SHUFFLE{"__shfl_sync", from_source};
const Operation SHUFFLE_UP{"__shfl_up_sync", from_source};
const Operation SHUFFLE_DOWN{"__shfl_down_sync", from_source};
const Operation SHUFFLE_XOR{"__shfl_xor_sync", from_source};
const Operation BALLOT{"__ballot_sync", ballot};
const Operation ANY{"__any_sync", ballot};
const Operation ALL{"__all_sync", all_true};
const Operation MATCH_ANY{"__match_any_sync", equals};

#define FUZZION_REDUCE(type, name, expression)                                    \
    static type combine_##name(type a, type b) { return expression; }             \
    const Operation REDUCE_##name{"__reduce_" #name "_sync", reduced<type, combine_##name>};
FUZZION_REDUCE(unsigned, add, a + b)
FUZZION_REDUCE(unsigned, min, a < b ? a : b)
FUZZION_REDUCE(unsigned, max, a > b ? a : b)
FUZZION_REDUCE(int, smin, a < b ? a : b)
FUZZION_REDUCE(int, smax, a > b ? a : b)
FUZZION_REDUCE(unsigned, and, a & b)
FUZZION_REDUCE(unsigned, or, a | b)
FUZZION_REDUCE(unsigned, xor, a ^ b)

static unsigned lane() { return current % WARP; }

uint64_t at_warp(const Operation& operation, uint32_t mask, int line, unsigned source, uint64_t value) {
    if (!(mask >> lane() & 1))
        fail("calls %s(0x%08x) on line %d, but its lane %u is not in the mask", operation.name, mask, line, lane());
    return wait(State::AtWarp, operation, line, mask, source, value);
}

void at_grid(int line) {
    if (!launch->cooperative) fail("calls grid_barrier on line %d, but the launch is not cooperative", line);
    wait(State::AtGrid, GRID_BARRIER, line, 0, 0, 0);
}

void spin() {
    fibers[current].state = State::Spinning;
    yield();
}

uint32_t active_lanes() {
    unsigned warp = current / WARP, bits = 0;
    for (unsigned i = 0; i < lanes_of(warp); i++)
        if (fibers[warp * WARP + i].state != State::Exited) bits |= 1u << i;
    return bits;
}

}  // namespace fuzzion_emulator
