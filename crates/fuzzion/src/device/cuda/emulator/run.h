// Runs the blocks of a launch.
#pragma once

namespace fuzzion_emulator {

enum class Outcome { Ended, Waiting, Spinning };

static size_t static_shared() { return size_t(__stop_fuzzion_shared - __start_fuzzion_shared); }

static void resume(unsigned t) {
    current = t;
    thread_index = fibres[t].index;
    fibres[t].state = State::Ready;
    Context::change(scheduler, fibres[t].context);
}

// Runs the current block until it ends, waits for the grid, or (in a cooperative launch) only loops.
static Outcome run_block(std::vector<unsigned>& order, const Stacks& stacks, size_t first) {
    for (unsigned idle = 0;;) {
        bool moved = false, spinning = false;
        arrange(order);
        for (unsigned t : order) {
            State before = fibres[t].state;
            if (before != State::Ready && before != State::Spinning) continue;
            resume(t);
            // At once: what it ran into is another fibre's stack.
            if (!stacks.intact(first + t))
                report("thread (%u, %u, %u) ran over its stack of %zu bytes; give it a larger one", thread_index.x,
                       thread_index.y, thread_index.z, stacks.bytes());
            if (failed) return Outcome::Ended;
            bool spins = fibres[t].state == State::Spinning;
            spinning |= spins;
            moved |= !spins;
        }
        for (unsigned warp = 0; warp * WARP < threads; warp++) moved |= release_warp(warp);
        moved |= release_block();
        if (moved) {
            idle = 0;
            continue;
        }
        bool all_ended = true;
        for (unsigned t = 0; t < threads; t++) all_ended &= fibres[t].state == State::Ended;
        if (all_ended) return Outcome::Ended;
        if (launch->cooperative && all_wait(State::AtGrid)) return Outcome::Waiting;
        if (spinning && launch->cooperative) return Outcome::Spinning;
        if (!spinning || ++idle > IDLE_ROUNDS) {
            report_divergence();
            return Outcome::Ended;
        }
    }
}

static void poison_shared() {
    poison(__start_fuzzion_shared, static_shared());
    poison(dynamic_memory, launch->shared + 2 * SHARED_GUARD);
}

// What a block must not have done, looked at when it ends.
static void inspect() {
    size_t end = SHARED_GUARD + launch->shared;
    bool intact = poisoned(dynamic_memory, SHARED_GUARD);
    for (size_t i = end; intact && i < end + SHARED_GUARD; i++) intact = dynamic_memory[i] == poison_byte(i);
    if (!intact)
        report("wrote outside the %llu bytes of its dynamic shared memory", (unsigned long long)launch->shared);
}

static void prepare(const Stacks& stacks, Fibre* of, size_t first) {
    for (unsigned t = 0; t < threads; t++) {
        of[t].context.prepare(stacks.at(first + t), stacks.bytes(), fibre_main);
        of[t].index = unfold(t, block_size);
        of[t].state = State::Ready;
        of[t].operation = nullptr;
        of[t].line = 0;
    }
}

// Blocks one after another, on the same stacks.
static void run_plain(std::vector<uint64_t>& order) {
    Stacks stacks(threads, launch->stack);
    if (!stacks.allocated()) return report("no memory for the stacks of %u threads", threads);
    std::vector<Fibre> own(threads);
    std::vector<unsigned> thread_order(threads);
    fibres = own.data();
    for (uint64_t block : order) {
        block_index = unfold(block, grid_size);
        poison_shared();
        prepare(stacks, fibres, 0);
        run_block(thread_order, stacks, 0);
        if (!failed) inspect();
        if (failed) return;
    }
}

// All blocks at once: each keeps its stacks, and its shared memory is put aside while others run.
static void run_cooperative(std::vector<uint64_t>& order) {
    size_t count = order.size(), bytes = static_shared(), dynamic = launch->shared + 2 * SHARED_GUARD;
    Stacks stacks(count * threads, launch->stack);
    if (!stacks.allocated()) return report("no memory for the stacks of %zu threads", count * threads);
    std::vector<Fibre> own(count * threads);
    std::vector<unsigned> thread_order(threads);
    std::vector<std::vector<unsigned char>> aside(count);  // shared memory; empty before the block's first turn
    std::vector<Outcome> outcomes(count, Outcome::Spinning);
    for (unsigned idle = 0;;) {
        size_t ended = 0, waiting = 0;
        for (uint64_t i : order) {
            std::vector<unsigned char>& shared = aside[i];
            block_index = unfold(i, grid_size);
            fibres = own.data() + i * threads;
            if (shared.empty()) {
                prepare(stacks, fibres, i * threads);
                poison_shared();
                shared.resize(bytes + dynamic);
            } else if (outcomes[i] == Outcome::Spinning) {
                memcpy(__start_fuzzion_shared, shared.data(), bytes);
                memcpy(dynamic_memory, shared.data() + bytes, dynamic);
            }
            if (outcomes[i] == Outcome::Spinning) {
                outcomes[i] = run_block(thread_order, stacks, i * threads);
                if (!failed && outcomes[i] == Outcome::Ended) inspect();
                if (failed) return;
                if (outcomes[i] != Outcome::Spinning) idle = 0;
                memcpy(shared.data(), __start_fuzzion_shared, bytes);
                memcpy(shared.data() + bytes, dynamic_memory, dynamic);
            }
            ended += outcomes[i] == Outcome::Ended;
            waiting += outcomes[i] == Outcome::Waiting;
        }
        if (ended == count) return;
        if (waiting > 0 && ended > 0) {
            size_t i = 0;
            while (outcomes[i] != Outcome::Ended) i++;
            block_index = unfold(i, grid_size);
            return report("has ended, but %zu others wait for it at grid_barrier", waiting);
        }
        if (waiting == count) {
            for (Fibre& f : own) f.state = State::Ready;
            outcomes.assign(count, Outcome::Spinning);
            idle = 0;
        } else if (++idle > IDLE_ROUNDS) {
            return report("%s for ever", Description(0).text);
        }
        arrange(order);
    }
}

}  // namespace fuzzion_emulator

extern "C" __attribute__((visibility("default"))) int fuzzion_emulator_launch(const fuzzion_emulator::Launch* asked) {
    using namespace fuzzion_emulator;
    launch = asked;
    failed = false;
    random_state = asked->seed;
    block_size = uint3{asked->threads[0], asked->threads[1], asked->threads[2]};
    grid_size = uint3{asked->blocks[0], asked->blocks[1], asked->blocks[2]};
    threads = block_size.x * block_size.y * block_size.z;
    dynamic_memory = static_cast<unsigned char*>(aligned_alloc(1024, (asked->shared + 2 * SHARED_GUARD + 1023) & ~uint64_t(1023)));
    dynamic_shared = dynamic_memory + SHARED_GUARD;
    std::vector<uint64_t> order(uint64_t(grid_size.x) * grid_size.y * grid_size.z);
    arrange(order);
    if (asked->cooperative)
        run_cooperative(order);
    else
        run_plain(order);
    free(dynamic_memory);
    return failed ? 1 : 0;
}
