// Operations with explicit rounding: rn to nearest, rd down, ru up, rz toward zero.
#pragma once

#pragma GCC visibility push(hidden)

namespace fuzzion_emulator {

// Computed in the runtime with the rounding mode `mode`, for float and double.
template <class T> T add(int mode, T a, T b);
template <class T> T subtract(int mode, T a, T b);
template <class T> T multiply(int mode, T a, T b);
template <class T> T divide(int mode, T a, T b);
template <class T> T root(int mode, T a);
template <class T> T fused(int mode, T a, T b, T c);
// Conversion to a floating-point number, and saturating conversion to an integer.
template <class To, class From> To convert(int mode, From a);
template <class To, class From> To to_integer(int mode, From a);

}  // namespace fuzzion_emulator

#pragma GCC visibility pop

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
