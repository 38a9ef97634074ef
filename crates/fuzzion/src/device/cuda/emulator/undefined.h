// What the compiler's checks for undefined behaviour call: each becomes a failure of the launch.
// (They are the functions of the sanitizer's run-time library, which is therefore not needed.)
#pragma once

namespace fuzzion_emulator {

// Where it happened: every description the compiler hands over begins with it.
struct Place {
    const char* file;
    uint32_t line, column;
};

}  // namespace fuzzion_emulator

#define FUZZION_CHECK(function, text)                                                                \
    extern "C" __attribute__((visibility("hidden"), used)) void function(void* place, uint64_t a, uint64_t b) { \
        (void)a, (void)b;                                                                            \
        fuzzion_emulator::fail(text " on line %u",                                                   \
                               static_cast<fuzzion_emulator::Place*>(place)->line);                  \
    }
FUZZION_CHECK(__ubsan_handle_shift_out_of_bounds, "shifts by more bits than the number has")
FUZZION_CHECK(__ubsan_handle_divrem_overflow, "divides an integer by zero")
FUZZION_CHECK(__ubsan_handle_type_mismatch_v1, "reads or writes at a misaligned address")
FUZZION_CHECK(__ubsan_handle_alignment_assumption, "relies on an alignment that is not there")

extern "C" __attribute__((visibility("hidden"), used)) void __ubsan_handle_out_of_bounds(void* place, int64_t index) {
    fuzzion_emulator::fail("uses index %lld outside an array on line %u", (long long)index,
                           static_cast<fuzzion_emulator::Place*>(place)->line);
}
