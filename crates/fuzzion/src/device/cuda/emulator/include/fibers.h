// Fibers: cooperatively scheduled threads with their own stacks.
#pragma once

namespace fuzzion_emulator {

static inline unsigned char poison_byte(size_t i) { return (unsigned char)(POISON >> (8 * (i & 3))); }

static inline void poison(void* memory, size_t bytes) {
    unsigned char* p = static_cast<unsigned char*>(memory);
    size_t i = 0;
    for (; i + 8 <= bytes; i += 8) memcpy(p + i, &POISON64, 8);
    for (; i < bytes; i++) p[i] = poison_byte(i);
}

static inline bool poisoned(const void* memory, size_t bytes) {
    const unsigned char* p = static_cast<const unsigned char*>(memory);
    size_t i = 0;
    for (uint64_t word; i + 8 <= bytes; i += 8) {
        memcpy(&word, p + i, 8);
        if (word != POISON64) return false;
    }
    for (; i < bytes; i++)
        if (p[i] != poison_byte(i)) return false;
    return true;
}

}  // namespace fuzzion_emulator

#if defined(__x86_64__) && defined(__ELF__) && !defined(FUZZION_UCONTEXT)

// Faster than swapcontext, most of whose cost is a system call for the signal mask at every switch.
extern "C" __attribute__((visibility("hidden"))) void fuzzion_switch(void** save, void* load);
asm(R"(
    .text
    .globl fuzzion_switch
    .hidden fuzzion_switch
    .type fuzzion_switch, @function
fuzzion_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size fuzzion_switch, .-fuzzion_switch
)");

namespace fuzzion_emulator {

struct Context {
    void* pointer = nullptr;

    void prepare(unsigned char* stack, size_t bytes, void (*entry)()) {
        // `ret` pops `entry`; at function entry the stack pointer is 8 bytes off a multiple of 16.
        uint64_t* top = reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(stack + bytes) & ~uintptr_t(15));
        top[-1] = 0;
        top[-2] = reinterpret_cast<uint64_t>(entry);
        for (int saved = 3; saved <= 8; saved++) top[-saved] = 0;
        pointer = top - 8;
    }
    static void change(Context& from, Context& to) { fuzzion_switch(&from.pointer, to.pointer); }
};

}  // namespace fuzzion_emulator

#else
#include <ucontext.h>

namespace fuzzion_emulator {

struct Context {
    ucontext_t context;

    void prepare(unsigned char* stack, size_t bytes, void (*entry)()) {
        getcontext(&context);
        context.uc_stack.ss_sp = stack;
        context.uc_stack.ss_size = bytes;
        context.uc_link = nullptr;
        makecontext(&context, entry, 0);
    }
    static void change(Context& from, Context& to) { swapcontext(&from.context, &to.context); }
};

}  // namespace fuzzion_emulator

#endif

namespace fuzzion_emulator {

// Adjacent stacks; pages are allocated on first access.
class Stacks {
  public:
    // Bytes at the end of a stack that detect an overflow; the lowest stack also has a margin below it.
    static constexpr size_t CANARY = 64;
    static constexpr size_t MARGIN = 1 << 20;

    Stacks(size_t count, size_t bytes) : each((bytes + 4095) & ~size_t(4095)), total(MARGIN + count * each) {
        void* m = mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        memory = m == MAP_FAILED ? nullptr : static_cast<unsigned char*>(m);
        if (memory)
            for (size_t i = 0; i < count; i++) poison(at(i), CANARY);
    }
    ~Stacks() {
        if (memory) munmap(memory, total);
    }
    Stacks(const Stacks&) = delete;
    Stacks& operator=(const Stacks&) = delete;

    bool allocated() const { return memory != nullptr; }
    unsigned char* at(size_t i) const { return memory + MARGIN + i * each; }
    size_t bytes() const { return each; }
    bool intact(size_t i) const { return poisoned(at(i), CANARY); }

  private:
    unsigned char* memory;
    size_t each, total;
};

}  // namespace fuzzion_emulator
