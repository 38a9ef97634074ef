// Handlers of the undefined behavior sanitizer; each one fails the launch.
// (They replace the sanitizer's run-time library.)
#pragma once

namespace fuzzion_emulator {

// Source location, the first member of every description passed by the compiler.
struct SourceLocation {
    const char* file;
    uint32_t line, column;
};

}  // namespace fuzzion_emulator

#define FUZZION_CHECK(function, text)                                                                \
    extern "C" __attribute__((visibility("hidden"), used)) void function(void* location, uint64_t a, uint64_t b) { \
        (void)a, (void)b;                                                                            \
        fuzzion_emulator::fail(text " on line %u",                                                   \
                               static_cast<fuzzion_emulator::SourceLocation*>(location)->line);                  \
    }
FUZZION_CHECK(__ubsan_handle_shift_out_of_bounds, "shifts by more bits than the operand has")
FUZZION_CHECK(__ubsan_handle_divrem_overflow, "divides an integer by zero")
FUZZION_CHECK(__ubsan_handle_type_mismatch_v1, "reads or writes at a misaligned address")
FUZZION_CHECK(__ubsan_handle_alignment_assumption, "violates an alignment assumption")

extern "C" __attribute__((visibility("hidden"), used)) void __ubsan_handle_out_of_bounds(void* location, int64_t index) {
    fuzzion_emulator::fail("uses index %lld outside an array on line %u", (long long)index,
                           static_cast<fuzzion_emulator::SourceLocation*>(location)->line);
}
