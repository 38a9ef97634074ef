// Scheduling of fibers and detection of deadlocks.
#pragma once

namespace fuzzion_emulator {

// Number of rounds without progress after which a launch counts as deadlocked.
constexpr unsigned IDLE_ROUNDS = 10000;

enum class State : uint8_t { Ready, Spinning, AtBlock, AtWarp, AtGrid, Exited };

struct Fiber;

// Collective operation; `result` computes the result of lane `me` (inactive lanes are null).
struct Operation {
    const char* name;
    uint64_t (*result)(const Fiber* const* lanes, unsigned me);
};

// One CUDA thread.
struct Fiber {
    Context context;
    uint3 index;
    State state;
    const Operation* operation;
    int line;
    uint32_t mask;
    uint32_t source;
    uint64_t value;
    uint64_t result;
};

// Launch request from Rust.
struct Launch {
    void (*call)(void**);
    void** arguments;
    uint32_t blocks[3];
    uint32_t threads[3];
    uint64_t shared;
    uint64_t stack;
    uint32_t order;  // 0 forward, 1 reverse, 2 shuffled
    uint32_t cooperative;
    uint64_t seed;
    char* message;
    uint64_t message_bytes;
};

// ---- state of the current launch ----
static const Launch* launch;
static Context scheduler;
static Fiber* fibers;  // of the current block
static bool failed;
static unsigned char* dynamic_memory;
unsigned current, threads;
uint3 thread_index, block_index, block_size, grid_size;
unsigned char* dynamic_shared;
constexpr size_t SHARED_GUARD = 1024;

__attribute__((section("fuzzion_shared"), used, aligned(256))) static unsigned char shared_anchor[16];
extern "C" unsigned char __start_fuzzion_shared[] __attribute__((visibility("hidden")));
extern "C" unsigned char __stop_fuzzion_shared[] __attribute__((visibility("hidden")));

static uint3 unfold(uint64_t i, const uint3& size) {
    return uint3{unsigned(i % size.x), unsigned(i / size.x % size.y), unsigned(i / size.x / size.y)};
}

__attribute__((format(printf, 1, 2))) static void report(const char* format, ...) {
    if (failed) return;
    failed = true;
    int used = snprintf(launch->message, launch->message_bytes, "block (%u, %u, %u): ", block_index.x, block_index.y,
                        block_index.z);
    va_list list;
    va_start(list, format);
    vsnprintf(launch->message + used, launch->message_bytes - used, format, list);
    va_end(list);
}

// Switches to the scheduler.
__attribute__((noinline)) static void yield() { Context::change(fibers[current].context, scheduler); }

void fail(const char* format, ...) {
    uint3 t = thread_index;
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    report("thread (%u, %u, %u) %s", t.x, t.y, t.z, text);
    for (;;) yield();
}

static uint64_t wait(State state, const Operation& operation, int line, uint32_t mask, uint32_t source,
                     uint64_t value) {
    Fiber& me = fibers[current];
    me.state = state;
    me.operation = &operation;
    me.line = line;
    me.mask = mask;
    me.source = source;
    me.value = value;
    yield();
    return fibers[current].result;
}

static void fiber_main() {
    launch->call(launch->arguments);
    fibers[current].state = State::Exited;
    yield();
    abort();  // an exited fiber is never resumed
}

// ---- execution order ----
static uint64_t random_state;
static uint64_t random_below(uint64_t n) {
    uint64_t z = random_state += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return (z ^ (z >> 31)) % n;
}

template <class T> static void arrange(std::vector<T>& order) {
    for (size_t i = 0; i < order.size(); i++) order[i] = T(launch->order == 1 ? order.size() - 1 - i : i);
    if (launch->order == 2)
        for (size_t i = order.size(); i > 1; i--) std::swap(order[i - 1], order[random_below(i)]);
}

// ---- release of waiting threads ----
static unsigned lanes_of(unsigned warp) {
    unsigned rest = threads - warp * WARP;
    return rest < WARP ? rest : WARP;
}

// Releases groups of lanes that all wait at the same operation with the same mask. As specified in the CUDA programming
// guide, a group consists of the lanes in the mask that exist and have not exited.
static bool release_warp(unsigned warp) {
    bool released = false;
    Fiber* lane = fibers + warp * WARP;
    unsigned count = lanes_of(warp);
    for (unsigned first = 0; first < count; first++) {
        if (lane[first].state != State::AtWarp) continue;
        const Fiber* group[WARP] = {};
        bool together = true;
        for (unsigned i = 0; i < count && together; i++) {
            if (!(lane[first].mask >> i & 1) || lane[i].state == State::Exited) continue;
            together = lane[i].state == State::AtWarp && lane[i].operation == lane[first].operation &&
                       lane[i].mask == lane[first].mask;
            group[i] = &lane[i];
        }
        if (!together) continue;
        for (unsigned i = 0; i < count; i++)
            if (group[i]) lane[i].result = lane[i].operation->result(group, i);
        for (unsigned i = 0; i < count; i++)
            if (group[i]) lane[i].state = State::Ready;
        released = true;
    }
    return released;
}

// Whether every thread of the block waits in `state` at the same source line.
static bool all_wait(State state) {
    for (unsigned t = 0; t < threads; t++)
        if (fibers[t].state != state || fibers[t].operation != fibers[0].operation || fibers[t].line != fibers[0].line)
            return false;
    return true;
}

static bool release_block() {
    if (!all_wait(State::AtBlock)) return false;
    uint64_t count = 0;
    for (unsigned t = 0; t < threads; t++) count += fibers[t].value;
    for (unsigned t = 0; t < threads; t++) {
        fibers[t].result = count;
        fibers[t].state = State::Ready;
    }
    return true;
}

// ---- deadlock reports ----
struct Description {
    char text[160];
    explicit Description(unsigned t) {
        const Fiber& f = fibers[t];
        uint3 at = unfold(t, block_size);
        int used = snprintf(text, sizeof text, "thread (%u, %u, %u) ", at.x, at.y, at.z);
        char* rest = text + used;
        size_t left = sizeof text - used;
        if (f.state == State::Exited)
            snprintf(rest, left, "has exited");
        else if (f.state == State::Spinning || f.state == State::Ready)
            snprintf(rest, left, "loops in __nanosleep");
        else if (f.state == State::AtWarp)
            snprintf(rest, left, "waits at %s(0x%08x) on line %d", f.operation->name, f.mask, f.line);
        else
            snprintf(rest, left, "waits at %s on line %d", f.operation->name, f.line);
    }
};

static void report_divergence() {
    // A warp that cannot continue is the cause, not the threads that wait for it at a barrier.
    for (unsigned t = 0; t < threads; t++) {
        const Fiber& f = fibers[t];
        if (f.state != State::AtWarp) continue;
        unsigned base = t / WARP * WARP;
        for (unsigned i = 0; i < lanes_of(t / WARP); i++) {
            const Fiber& other = fibers[base + i];
            bool in_mask = f.mask >> i & 1;
            if (!in_mask || other.state == State::Exited) continue;
            if (other.state != f.state || other.operation != f.operation || other.mask != f.mask)
                return report("%s, but %s", Description(t).text, Description(base + i).text);
        }
    }
    unsigned waiting = 0;
    while (waiting < threads && fibers[waiting].state == State::Exited) waiting++;
    if (waiting == threads) return report("the block has exited, but others wait for it at a grid barrier");
    for (unsigned t = 0; t < threads; t++) {
        const Fiber &a = fibers[waiting], &b = fibers[t];
        if (b.state != a.state || b.operation != a.operation || b.line != a.line)
            return report("%s, but %s", Description(waiting).text, Description(t).text);
    }
    report("%s forever", Description(waiting).text);
}

}  // namespace fuzzion_emulator
