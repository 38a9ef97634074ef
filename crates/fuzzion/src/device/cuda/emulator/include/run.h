// Execution of the blocks of a launch.
#pragma once

namespace fuzzion_emulator {

enum class Outcome { Exited, Waiting, Spinning };

static size_t static_shared() { return size_t(__stop_fuzzion_shared - __start_fuzzion_shared); }

static void resume(unsigned t) {
    current = t;
    thread_index = fibers[t].index;
    fibers[t].state = State::Ready;
    Context::change(scheduler, fibers[t].context);
}

// Runs the current block until it exits, waits at a grid barrier, or (in a cooperative launch) all its threads spin.
static Outcome run_block(std::vector<unsigned>& order, const Stacks& stacks, size_t first) {
    for (unsigned idle = 0;;) {
        bool progressed = false, spinning = false;
        arrange(order);
        for (unsigned t : order) {
            State before = fibers[t].state;
            if (before != State::Ready && before != State::Spinning) continue;
            resume(t);
            // Checked immediately: the overflow corrupts another fiber's stack.
            if (!stacks.intact(first + t))
                report("thread (%u, %u, %u) overflowed its stack of %zu bytes; use a larger stack", thread_index.x,
                       thread_index.y, thread_index.z, stacks.bytes());
            if (failed) return Outcome::Exited;
            bool spins = fibers[t].state == State::Spinning;
            spinning |= spins;
            progressed |= !spins;
        }
        for (unsigned warp = 0; warp * WARP < threads; warp++) progressed |= release_warp(warp);
        progressed |= release_block();
        if (progressed) {
            idle = 0;
            continue;
        }
        bool all_exited = true;
        for (unsigned t = 0; t < threads; t++) all_exited &= fibers[t].state == State::Exited;
        if (all_exited) return Outcome::Exited;
        if (launch->cooperative && all_wait(State::AtGrid)) return Outcome::Waiting;
        if (spinning && launch->cooperative) return Outcome::Spinning;
        if (!spinning || ++idle > IDLE_ROUNDS) {
            report_divergence();
            return Outcome::Exited;
        }
    }
}

static void poison_shared() {
    poison(__start_fuzzion_shared, static_shared());
    poison(dynamic_memory, launch->shared + 2 * SHARED_GUARD);
}

// Checks the guard zones of dynamic shared memory after a block has exited.
static void check_guards() {
    size_t end = SHARED_GUARD + launch->shared;
    bool intact = poisoned(dynamic_memory, SHARED_GUARD);
    for (size_t i = end; intact && i < end + SHARED_GUARD; i++) intact = dynamic_memory[i] == poison_byte(i);
    if (!intact)
        report("wrote outside the %llu bytes of its dynamic shared memory", (unsigned long long)launch->shared);
}

static void prepare(const Stacks& stacks, Fiber* of, size_t first) {
    for (unsigned t = 0; t < threads; t++) {
        of[t].context.prepare(stacks.at(first + t), stacks.bytes(), fiber_main);
        of[t].index = unfold(t, block_size);
        of[t].state = State::Ready;
        of[t].operation = nullptr;
        of[t].line = 0;
    }
}

// Runs blocks one after another on the same stacks.
static void run_sequential(std::vector<uint64_t>& order) {
    Stacks stacks(threads, launch->stack);
    if (!stacks.allocated()) return report("out of memory for the stacks of %u threads", threads);
    std::vector<Fiber> own(threads);
    std::vector<unsigned> thread_order(threads);
    fibers = own.data();
    for (uint64_t block : order) {
        block_index = unfold(block, grid_size);
        poison_shared();
        prepare(stacks, fibers, 0);
        run_block(thread_order, stacks, 0);
        if (!failed) check_guards();
        if (failed) return;
    }
}

// Runs all blocks concurrently: each keeps its stacks, and its shared memory is saved while others run.
static void run_cooperative(std::vector<uint64_t>& order) {
    size_t count = order.size(), bytes = static_shared(), dynamic = launch->shared + 2 * SHARED_GUARD;
    Stacks stacks(count * threads, launch->stack);
    if (!stacks.allocated()) return report("out of memory for the stacks of %zu threads", count * threads);
    std::vector<Fiber> own(count * threads);
    std::vector<unsigned> thread_order(threads);
    std::vector<std::vector<unsigned char>> saved_shared(count);  // empty before a block first runs
    std::vector<Outcome> outcomes(count, Outcome::Spinning);
    for (unsigned idle = 0;;) {
        size_t exited = 0, waiting = 0;
        for (uint64_t i : order) {
            std::vector<unsigned char>& shared = saved_shared[i];
            block_index = unfold(i, grid_size);
            fibers = own.data() + i * threads;
            if (shared.empty()) {
                prepare(stacks, fibers, i * threads);
                poison_shared();
                shared.resize(bytes + dynamic);
            } else if (outcomes[i] == Outcome::Spinning) {
                memcpy(__start_fuzzion_shared, shared.data(), bytes);
                memcpy(dynamic_memory, shared.data() + bytes, dynamic);
            }
            if (outcomes[i] == Outcome::Spinning) {
                outcomes[i] = run_block(thread_order, stacks, i * threads);
                if (!failed && outcomes[i] == Outcome::Exited) check_guards();
                if (failed) return;
                if (outcomes[i] != Outcome::Spinning) idle = 0;
                memcpy(shared.data(), __start_fuzzion_shared, bytes);
                memcpy(shared.data() + bytes, dynamic_memory, dynamic);
            }
            exited += outcomes[i] == Outcome::Exited;
            waiting += outcomes[i] == Outcome::Waiting;
        }
        if (exited == count) return;
        if (waiting > 0 && exited > 0) {
            size_t i = 0;
            while (outcomes[i] != Outcome::Exited) i++;
            block_index = unfold(i, grid_size);
            return report("has exited, but %zu others wait for it at grid_barrier", waiting);
        }
        if (waiting == count) {
            for (Fiber& f : own) f.state = State::Ready;
            outcomes.assign(count, Outcome::Spinning);
            idle = 0;
        } else if (++idle > IDLE_ROUNDS) {
            return report("%s forever", Description(0).text);
        }
        arrange(order);
    }
}

}  // namespace fuzzion_emulator

extern "C" __attribute__((visibility("default"))) int fuzzion_emulator_launch(const fuzzion_emulator::Launch* request) {
    using namespace fuzzion_emulator;
    launch = request;
    failed = false;
    random_state = request->seed;
    block_size = uint3{request->threads[0], request->threads[1], request->threads[2]};
    grid_size = uint3{request->blocks[0], request->blocks[1], request->blocks[2]};
    threads = block_size.x * block_size.y * block_size.z;
    dynamic_memory = static_cast<unsigned char*>(aligned_alloc(1024, (request->shared + 2 * SHARED_GUARD + 1023) & ~uint64_t(1023)));
    dynamic_shared = dynamic_memory + SHARED_GUARD;
    std::vector<uint64_t> order(uint64_t(grid_size.x) * grid_size.y * grid_size.z);
    arrange(order);
    if (request->cooperative)
        run_cooperative(order);
    else
        run_sequential(order);
    free(dynamic_memory);
    return failed ? 1 : 0;
}
