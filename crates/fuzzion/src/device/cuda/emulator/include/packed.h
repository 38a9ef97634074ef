// SIMD intrinsics on four bytes or two 16-bit integers in a 32-bit word.
#pragma once

namespace fuzzion_emulator {

template <class T> static inline int clamped(int x) {
    const int low = std::is_signed<T>::value ? -(1 << (8 * sizeof(T) - 1)) : 0;
    const int high = low + (1 << (8 * sizeof(T))) - 1;
    return x < low ? low : x > high ? high : x;
}

}  // namespace fuzzion_emulator

// Applies the expression to a and b of each lane.
#define FUZZION_PACKED(name, type, expression)                                                       \
    static inline unsigned name(unsigned first, unsigned second) {                                   \
        using T = type;                                                                              \
        constexpr unsigned bits = 8 * sizeof(T);                                                     \
        unsigned result = 0;                                                                         \
        for (unsigned shift = 0; shift < 32; shift += bits) {                                        \
            int a = int(T(first >> shift)), b = int(T(second >> shift)), lane = expression;          \
            result |= (unsigned(lane) & ((1u << bits) - 1)) << shift;                                \
        }                                                                                            \
        return result;                                                                               \
    }
#define FUZZION_PACKED_WIDTH(n, s, u)                                                                \
    FUZZION_PACKED(__vadd##n, u, a + b)                                                              \
    FUZZION_PACKED(__vaddus##n, u, fuzzion_emulator::clamped<T>(a + b))                              \
    FUZZION_PACKED(__vaddss##n, s, fuzzion_emulator::clamped<T>(a + b))                              \
    FUZZION_PACKED(__vsub##n, u, a - b)                                                              \
    FUZZION_PACKED(__vsubus##n, u, fuzzion_emulator::clamped<T>(a - b))                              \
    FUZZION_PACKED(__vsubss##n, s, fuzzion_emulator::clamped<T>(a - b))                              \
    FUZZION_PACKED(__vabsdiffu##n, u, a > b ? a - b : b - a)                                         \
    FUZZION_PACKED(__vabsdiffs##n, s, a > b ? a - b : b - a)                                         \
    FUZZION_PACKED(__vavgu##n, u, (a + b + 1) >> 1)                                                  \
    FUZZION_PACKED(__vavgs##n, s, (a + b + (a + b >= 0)) >> 1)                                       \
    FUZZION_PACKED(__vhaddu##n, u, (a + b) >> 1)                                                     \
    FUZZION_PACKED(__vmaxu##n, u, a > b ? a : b)                                                     \
    FUZZION_PACKED(__vmaxs##n, s, a > b ? a : b)                                                     \
    FUZZION_PACKED(__vminu##n, u, a < b ? a : b)                                                     \
    FUZZION_PACKED(__vmins##n, s, a < b ? a : b)                                                     \
    FUZZION_PACKED_COMPARE(eq##n, u, ==)                                                             \
    FUZZION_PACKED_COMPARE(ne##n, u, !=)                                                             \
    FUZZION_PACKED_COMPARE(gtu##n, u, >)                                                             \
    FUZZION_PACKED_COMPARE(geu##n, u, >=)                                                            \
    FUZZION_PACKED_COMPARE(ltu##n, u, <)                                                             \
    FUZZION_PACKED_COMPARE(leu##n, u, <=)                                                            \
    FUZZION_PACKED_COMPARE(gts##n, s, >)                                                             \
    FUZZION_PACKED_COMPARE(ges##n, s, >=)                                                            \
    FUZZION_PACKED_COMPARE(lts##n, s, <)                                                             \
    FUZZION_PACKED_COMPARE(les##n, s, <=)                                                            \
    static inline unsigned __vneg##n(unsigned a) { return __vsub##n(0, a); }                         \
    static inline unsigned __vabs##n(unsigned a) { return __vabsdiffs##n(a, 0); }                    \
    static inline unsigned __vsadu##n(unsigned first, unsigned second) {                             \
        unsigned sum = 0, each = __vabsdiffu##n(first, second);                                      \
        for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(u)) sum += u(each >> shift);        \
        return sum;                                                                                  \
    }
// `cmp` sets all bits of the lanes where the comparison holds, `set` sets them to 1.
#define FUZZION_PACKED_COMPARE(name, type, operation)                                                \
    FUZZION_PACKED(__vcmp##name, type, a operation b ? -1 : 0)                                       \
    FUZZION_PACKED(__vset##name, type, a operation b ? 1 : 0)

FUZZION_PACKED_WIDTH(4, int8_t, uint8_t)
FUZZION_PACKED_WIDTH(2, int16_t, uint16_t)

// ---- dot products of four bytes ----
static inline int __dp4a(int first, int second, int sum) {
    for (int shift = 0; shift < 32; shift += 8) sum += int(int8_t(first >> shift)) * int8_t(second >> shift);
    return sum;
}
static inline unsigned __dp4a(unsigned first, unsigned second, unsigned sum) {
    for (int shift = 0; shift < 32; shift += 8) sum += unsigned(uint8_t(first >> shift)) * uint8_t(second >> shift);
    return sum;
}
static inline int __dp4a(char4 a, char4 b, int sum) { return sum + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
static inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned sum) {
    return sum + unsigned(a.x * b.x) + unsigned(a.y * b.y) + unsigned(a.z * b.z) + unsigned(a.w * b.w);
}
