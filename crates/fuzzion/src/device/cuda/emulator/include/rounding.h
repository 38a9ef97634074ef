// Operations with explicit rounding: rn to nearest, rd down, ru up, rz toward zero.
#pragma once

namespace fuzzion_emulator {

// Sets the rounding mode during its lifetime.
struct Rounding {
    int before;
    explicit Rounding(int mode) : before(fegetround()) { fesetround(mode); }
    ~Rounding() { fesetround(before); }
};

// Operands and result are volatile, so that nothing is computed earlier, later or at compile time.
#define FUZZION_BINARY(name, operation)                                                    \
    template <class T> __attribute__((noinline)) static T name(int mode, T a, T b) {       \
        Rounding rounding(mode);                                                           \
        volatile T x = a, y = b;                                                           \
        volatile T result = x operation y;                                                 \
        return result;                                                                     \
    }
FUZZION_BINARY(add, +)
FUZZION_BINARY(subtract, -)
FUZZION_BINARY(multiply, *)
FUZZION_BINARY(divide, /)
template <class T> __attribute__((noinline)) static T root(int mode, T a) {
    Rounding rounding(mode);
    volatile T x = a;
    volatile T result = std::sqrt(T(x));
    return result;
}
template <class T> __attribute__((noinline)) static T fused(int mode, T a, T b, T c) {
    Rounding rounding(mode);
    volatile T x = a, y = b, z = c;
    volatile T result = std::fma(T(x), T(y), T(z));
    return result;
}
// The C++ conversion of an integer or a double uses the rounding mode.
template <class To, class From> __attribute__((noinline)) static To convert(int mode, From a) {
    Rounding rounding(mode);
    volatile From x = a;
    volatile To result = To(From(x));
    return result;
}
// Saturating conversion to an integer. A NaN becomes 0 if both types have 32 bits, otherwise the integer with only its
// highest bit set (PTX, `cvt`).
template <class To, class From> __attribute__((noinline)) static To to_integer(int mode, From a) {
    if (a != a) return sizeof(From) == 4 && sizeof(To) == 4 ? To(0) : To(uint64_t(1) << (8 * sizeof(To) - 1));
    Rounding rounding(mode);
    volatile From x = a;
    volatile From whole = std::nearbyint(From(x));
    const From end = std::ldexp(From(1), int(8 * sizeof(To)) - (std::is_signed<To>::value ? 1 : 0));
    const To largest = std::is_signed<To>::value ? To(~(uint64_t(1) << (8 * sizeof(To) - 1))) : To(~uint64_t(0));
    if (whole >= end) return largest;
    if (std::is_signed<To>::value ? whole < -end : whole < From(0)) return std::is_signed<To>::value ? To(-largest - 1) : To(0);
    return To(whole);
}

}  // namespace fuzzion_emulator

#define FUZZION_ROUNDED(suffix, mode)                                                                              \
    FUZZION_ROUNDED_TYPE(suffix, mode, float, f, __fmaf_)                                                          \
    FUZZION_ROUNDED_TYPE(suffix, mode, double, d, __fma_)                                                          \
    FUZZION_CONVERT(__int2float_##suffix, float, int, mode)                                                        \
    FUZZION_CONVERT(__uint2float_##suffix, float, unsigned, mode)                                                  \
    FUZZION_CONVERT(__ll2float_##suffix, float, long long, mode)                                                   \
    FUZZION_CONVERT(__ull2float_##suffix, float, unsigned long long, mode)                                         \
    FUZZION_CONVERT(__ll2double_##suffix, double, long long, mode)                                                 \
    FUZZION_CONVERT(__ull2double_##suffix, double, unsigned long long, mode)                                       \
    FUZZION_CONVERT(__double2float_##suffix, float, double, mode)                                                  \
    FUZZION_TO_INTEGER(__float2int_##suffix, int, float, mode)                                                     \
    FUZZION_TO_INTEGER(__float2uint_##suffix, unsigned, float, mode)                                               \
    FUZZION_TO_INTEGER(__float2ll_##suffix, long long, float, mode)                                                \
    FUZZION_TO_INTEGER(__float2ull_##suffix, unsigned long long, float, mode)                                      \
    FUZZION_TO_INTEGER(__double2int_##suffix, int, double, mode)                                                   \
    FUZZION_TO_INTEGER(__double2uint_##suffix, unsigned, double, mode)                                             \
    FUZZION_TO_INTEGER(__double2ll_##suffix, long long, double, mode)                                              \
    FUZZION_TO_INTEGER(__double2ull_##suffix, unsigned long long, double, mode)
#define FUZZION_ROUNDED_TYPE(suffix, mode, type, letter, fma)                                                      \
    static inline type __##letter##add_##suffix(type a, type b) { return fuzzion_emulator::add(mode, a, b); }      \
    static inline type __##letter##sub_##suffix(type a, type b) { return fuzzion_emulator::subtract(mode, a, b); } \
    static inline type __##letter##mul_##suffix(type a, type b) { return fuzzion_emulator::multiply(mode, a, b); } \
    static inline type __##letter##div_##suffix(type a, type b) { return fuzzion_emulator::divide(mode, a, b); }   \
    static inline type __##letter##rcp_##suffix(type a) { return fuzzion_emulator::divide(mode, type(1), a); }     \
    static inline type __##letter##sqrt_##suffix(type a) { return fuzzion_emulator::root(mode, a); }               \
    static inline type fma##suffix(type a, type b, type c) { return fuzzion_emulator::fused(mode, a, b, c); }
#define FUZZION_CONVERT(name, to, from, mode)                                                                      \
    static inline to name(from a) { return fuzzion_emulator::convert<to, from>(mode, a); }
#define FUZZION_TO_INTEGER(name, to, from, mode)                                                                   \
    static inline to name(from a) { return fuzzion_emulator::to_integer<to, from>(mode, a); }

FUZZION_ROUNDED(rn, FE_TONEAREST)
FUZZION_ROUNDED(rd, FE_DOWNWARD)
FUZZION_ROUNDED(ru, FE_UPWARD)
FUZZION_ROUNDED(rz, FE_TOWARDZERO)
static inline double __int2double_rn(int a) { return a; }
static inline double __uint2double_rn(unsigned a) { return a; }
static inline float __frsqrt_rn(float a) { return rsqrtf(a); }
