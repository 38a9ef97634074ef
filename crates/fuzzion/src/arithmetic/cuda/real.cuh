// Fuzzion: certified fuzzy numbers in CUDA C++, part 1: operations with directed rounding.
//
// The code compiles with nvcc and NVRTC without headers and is bit-identical to the Rust library. Do not compile it
// with fast-math or flushing of subnormal numbers to zero.

#ifndef FUZZION_REAL
#define FUZZION_REAL

namespace fuzzion {

// Uniform names for the operations of both types: ..._down is the largest number <= the exact result, ..._up the
// smallest number >= it, ..._near the nearest.
template <class T> struct real;

#define FUZZION_REAL_OPERATIONS(T, add, sub, mul, div, root, fma)                                   \
    static __device__ __forceinline__ T add_near(T a, T b) { return add##_rn(a, b); }               \
    static __device__ __forceinline__ T add_down(T a, T b) { return add##_rd(a, b); }               \
    static __device__ __forceinline__ T add_up(T a, T b) { return add##_ru(a, b); }                 \
    static __device__ __forceinline__ T sub_down(T a, T b) { return sub##_rd(a, b); }               \
    static __device__ __forceinline__ T sub_up(T a, T b) { return sub##_ru(a, b); }                 \
    static __device__ __forceinline__ T mul_near(T a, T b) { return mul##_rn(a, b); }               \
    static __device__ __forceinline__ T mul_down(T a, T b) { return mul##_rd(a, b); }               \
    static __device__ __forceinline__ T mul_up(T a, T b) { return mul##_ru(a, b); }                 \
    static __device__ __forceinline__ T div_near(T a, T b) { return div##_rn(a, b); }               \
    static __device__ __forceinline__ T div_down(T a, T b) { return div##_rd(a, b); }               \
    static __device__ __forceinline__ T div_up(T a, T b) { return div##_ru(a, b); }                 \
    static __device__ __forceinline__ T sqrt_near(T a) { return root##_rn(a); }                     \
    static __device__ __forceinline__ T sqrt_down(T a) { return root##_rd(a); }                     \
    static __device__ __forceinline__ T sqrt_up(T a) { return root##_ru(a); }                       \
    static __device__ __forceinline__ T fma_near(T a, T b, T c) { return fma##_rn(a, b, c); }       \
    static __device__ __forceinline__ T fma_down(T a, T b, T c) { return fma##_rd(a, b, c); }       \
    static __device__ __forceinline__ T fma_up(T a, T b, T c) { return fma##_ru(a, b, c); }         \
    /* Compare and select: there is no minimum instruction for double. */                           \
    static __device__ __forceinline__ T lesser(T a, T b) { return b < a ? b : a; }                  \
    static __device__ __forceinline__ T greater(T a, T b) { return b > a ? b : a; }                 \
    static __device__ __forceinline__ bool finite(T a) { return abs(a) < infinity(); }             \
    /* -0 becomes 0. */                                                                             \
    static __device__ __forceinline__ T canonical_zero(T a) { return add##_rn(a, T(0)); }                    \
    /* Products with 0 * infinity = 0: an infinite bound is never attained. */                      \
    static __device__ __forceinline__ T product_down(T a, T b) { T p = mul_down(a, b); return p == p ? p : T(0); } \
    static __device__ __forceinline__ T product_up(T a, T b) { T p = mul_up(a, b); return p == p ? p : T(0); }     \
    static __device__ __forceinline__ T fused_down(T a, T b, T c) { T p = fma_down(a, b, c); return p == p ? p : c; } \
    static __device__ __forceinline__ T fused_up(T a, T b, T c) { T p = fma_up(a, b, c); return p == p ? p : c; }

template <> struct real<float> {
    FUZZION_REAL_OPERATIONS(float, __fadd, __fsub, __fmul, __fdiv, __fsqrt, __fmaf)
    static __device__ __forceinline__ float infinity() { return __int_as_float(0x7f800000); }
    static __device__ __forceinline__ float largest() { return __int_as_float(0x7f7fffff); }
    static __device__ __forceinline__ float unit_roundoff() { return 5.9604644775390625e-8f; }          // 2^-24
    static __device__ __forceinline__ float min_normal() { return __int_as_float(0x00800000); }    // 2^-126
    static __device__ __forceinline__ float abs(float a) { return fabsf(a); }
    static __device__ __forceinline__ float from_up(float a) { return a; }
    static __device__ __forceinline__ float from_up(double a) { return __double2float_ru(a); }
    static __device__ __forceinline__ float from_down(float a) { return a; }
    static __device__ __forceinline__ float from_down(double a) { return __double2float_rd(a); }
};

template <> struct real<double> {
    FUZZION_REAL_OPERATIONS(double, __dadd, __dsub, __dmul, __ddiv, __dsqrt, __fma)
    static __device__ __forceinline__ double infinity() { return __longlong_as_double(0x7ff0000000000000ll); }
    static __device__ __forceinline__ double largest() { return __longlong_as_double(0x7fefffffffffffffll); }
    static __device__ __forceinline__ double unit_roundoff() { return 1.1102230246251565e-16; }         // 2^-53
    static __device__ __forceinline__ double min_normal() { return __longlong_as_double(0x0010000000000000ll); } // 2^-1022
    static __device__ __forceinline__ double abs(double a) { return fabs(a); }
    static __device__ __forceinline__ double from_up(double a) { return a; }
    static __device__ __forceinline__ double from_down(double a) { return a; }
};

#undef FUZZION_REAL_OPERATIONS

// Conversion from the same or a wider type.
template <class R, class T> __device__ __forceinline__ R narrow_up(T a) { return real<R>::from_up(a); }
template <class R, class T> __device__ __forceinline__ R narrow_down(T a) { return real<R>::from_down(a); }

// Lower and upper bound.
struct bounds {
    double lower, upper;
};

// Bounds of k * (ln 2 - its leading 42 bits).
__device__ inline bounds ln2_low_times(double k) {
    const double a = __longlong_as_double(0x3d2ef35793c76730ll), b = __longlong_as_double(0x3d2ef35793c76731ll);
    if (k < 0.0) return {__dmul_rd(k, b), __dmul_ru(k, a)};
    return {__dmul_rd(k, a), __dmul_ru(k, b)};
}

// Leading 42 bits of ln 2.
__device__ __forceinline__ double ln2_high() { return __longlong_as_double(0x3fe62e42fefa3800ll); }

// Bounds of x - k * ln 2.
__device__ inline bounds reduce_argument(double x, double k) {
    const double high = __dmul_rn(k, ln2_high()); // exact: 42 + 11 bits
    const bounds low = ln2_low_times(k);
    return {__dsub_rd(__dsub_rd(x, high), low.upper), __dsub_ru(__dsub_ru(x, high), low.lower)};
}

// One Horner step of a series with positive terms. A coefficient rounded to nearest is enclosed by its neighbors
// unless it is exact; the last coefficient is enlarged to 1.05 times its value to cover the truncation error.
__device__ __forceinline__ bounds horner_step(bounds sum, bounds x, double c, bool exact, bool last) {
    const double down = exact ? c : __longlong_as_double(__double_as_longlong(c) - 1);
    const double above = exact ? c : __longlong_as_double(__double_as_longlong(c) + 1);
    const double up = last ? __dmul_rn(1.05, above) : above;
    return {__dadd_rd(__dmul_rd(x.lower, sum.lower), down), __dadd_ru(__dmul_ru(x.upper, sum.upper), up)};
}

__device__ __forceinline__ double power_of_two(int n) { return __longlong_as_double((long long)(1023 + n) << 52); }

// Bounds of e^x: x = k * ln 2 + r with 0 <= r < 0.7, and the Taylor series of e^r.
__device__ inline bounds exp_bounds(double x) {
    const double infinity = real<double>::infinity();
    if (x > 709.8) return {real<double>::largest(), infinity};
    if (x < -745.0) return {0.0, x == -infinity ? 0.0 : __longlong_as_double(1)};
    double k = floor(__ddiv_rn(x, 0.6931471805599453));
    bounds r = reduce_argument(x, k);
    if (r.lower < 0.0) { // the quotient above was rounded up to an integer
        k -= 1.0;
        r = reduce_argument(x, k);
    }
    bounds sum = {0.0, 0.0};
    double factorial = 355687428096000.0; // 17!
#pragma unroll
    for (int n = 17; n >= 0; --n) {
        sum = horner_step(sum, r, __ddiv_rn(1.0, factorial), n < 3, n == 17);
        if (n > 0) factorial = __ddiv_rn(factorial, (double)n); // exact
    }
    const int exponent = (int)k, half = exponent / 2;
    const double first = power_of_two(half), second = power_of_two(exponent - half);
    // The first products are exact: the sums are near 1, and half of the exponent is far from overflow and underflow.
    return {__dmul_rd(__dmul_rn(sum.lower, first), second), __dmul_ru(__dmul_rn(sum.upper, first), second)};
}

// Bounds of ln x for x > 0; ln 0 is -infinity. x = m * 2^k with m near 1, s = (m - 1)/(m + 1), and twice the series
// s + s^3/3 + s^5/5 + ...
__device__ inline bounds log_bounds(double x) {
    const double infinity = real<double>::infinity();
    if (x <= 0.0) return {-infinity, -infinity};
    const bool infinite = x == infinity;
    if (infinite) x = real<double>::largest();
    double shift = 0.0;
    if (x < real<double>::min_normal()) {
        x = __dmul_rn(x, 18014398509481984.0); // 2^54
        shift = 54.0;
    }
    const long long bits = __double_as_longlong(x);
    double k = (double)(int)(bits >> 52) - 1023.0 - shift;
    double m = __longlong_as_double((bits & 0xfffffffffffffll) | 0x3ff0000000000000ll);
    if (m > 1.4142135623730951) {
        m = __dmul_rn(m, 0.5);
        k += 1.0;
    }
    const double distance = fabs(__dsub_rn(m, 1.0)); // exact
    const bounds s = {__ddiv_rd(distance, __dadd_ru(m, 1.0)), __ddiv_ru(distance, __dadd_rd(m, 1.0))};
    const bounds square = {__dmul_rd(s.lower, s.lower), __dmul_ru(s.upper, s.upper)};
    bounds sum = {0.0, 0.0};
#pragma unroll
    for (int n = 12; n >= 0; --n) sum = horner_step(sum, square, __ddiv_rn(1.0, 2.0 * n + 1.0), n < 1, n == 12);
    bounds log_m = {2.0 * __dmul_rd(s.lower, sum.lower), 2.0 * __dmul_ru(s.upper, sum.upper)};
    if (m < 1.0) log_m = {-log_m.upper, -log_m.lower};
    const double high = __dmul_rn(k, ln2_high()); // exact
    const bounds low = ln2_low_times(k);
    return {__dadd_rd(high, __dadd_rd(low.lower, log_m.lower)),
            infinite ? infinity : __dadd_ru(high, __dadd_ru(low.upper, log_m.upper))};
}

} // namespace fuzzion

#endif
