// Fuzzion: certified fuzzy numbers in CUDA C++, part 2: one cut in the lower-upper encoding.
//
// Exact cuts are nested. Operations whose rounded or undefined results could exceed the previous cut intersect with
// it. A `nesting` stores the previous cut: create one per operation, and process the cuts from the support inward.

#ifndef FUZZION_CUT
#define FUZZION_CUT

#ifndef FUZZION_REAL
#include "real.cuh"
#endif

namespace fuzzion {

// Closed interval from `lower` to `upper`; an infinite bound leaves that side unbounded. No bound is NaN or -0.
template <class T> struct cut {
    T lower, upper;
};

template <class T> __device__ __forceinline__ cut<T> make_cut(T lower, T upper) {
    return {real<T>::canonical_zero(lower), real<T>::canonical_zero(upper)};
}

template <class T> __device__ __forceinline__ cut<T> unbounded() {
    return {-real<T>::infinity(), real<T>::infinity()};
}

// Intersection; `a` if it is empty.
template <class T> __device__ __forceinline__ cut<T> intersection(cut<T> a, cut<T> b) {
    const T lower = real<T>::greater(a.lower, b.lower), upper = real<T>::lesser(a.upper, b.upper);
    return lower <= upper ? cut<T>{lower, upper} : a;
}

// The previous cut, with which the next one is intersected.
template <class X> struct nesting;
template <class T> struct nesting<cut<T>> {
    cut<T> outer;
    __device__ __forceinline__ nesting() : outer(unbounded<T>()) {}
    __device__ __forceinline__ cut<T> operator()(cut<T> inner) { return outer = intersection(outer, inner); }
};

template <class T> __device__ __forceinline__ cut<T> operator-(cut<T> x) { return make_cut(-x.upper, -x.lower); }

template <class T> __device__ __forceinline__ cut<T> operator+(cut<T> x, cut<T> y) {
    return make_cut(real<T>::add_down(x.lower, y.lower), real<T>::add_up(x.upper, y.upper));
}

template <class T> __device__ __forceinline__ cut<T> operator-(cut<T> x, cut<T> y) {
    return make_cut(real<T>::sub_down(x.lower, y.upper), real<T>::sub_up(x.upper, y.lower));
}

// x * y + z, rounded once, for an x of one sign, which determines the bounds of x to multiply with the bounds of y.
template <class T> __device__ __forceinline__ cut<T> mul_add_positive(cut<T> x, cut<T> y, cut<T> z) {
    return {real<T>::fused_down(y.lower < T(0) ? x.upper : x.lower, y.lower, z.lower),
            real<T>::fused_up(y.upper < T(0) ? x.lower : x.upper, y.upper, z.upper)};
}
template <class T> __device__ __forceinline__ cut<T> mul_add_negative(cut<T> x, cut<T> y, cut<T> z) {
    return {real<T>::fused_down(y.upper < T(0) ? x.upper : x.lower, y.upper, z.lower),
            real<T>::fused_up(y.lower < T(0) ? x.lower : x.upper, y.lower, z.upper)};
}
// The same for an x that straddles 0.
template <class T> __device__ __forceinline__ cut<T> mul_add_mixed(cut<T> x, cut<T> y, cut<T> z) {
    return {real<T>::lesser(real<T>::fused_down(x.lower, y.upper, z.lower), real<T>::fused_down(x.upper, y.lower, z.lower)),
            real<T>::greater(real<T>::fused_up(x.upper, y.upper, z.upper), real<T>::fused_up(x.lower, y.lower, z.upper))};
}

template <class T> __device__ __forceinline__ cut<T> mul_add(cut<T> x, cut<T> y, cut<T> z) {
    const cut<T> r = x.lower >= T(0)   ? mul_add_positive(x, y, z)
                     : x.upper <= T(0) ? mul_add_negative(x, y, z)
                                       : mul_add_mixed(x, y, z);
    return make_cut(r.lower, r.upper);
}

template <class T> __device__ __forceinline__ cut<T> operator*(cut<T> x, cut<T> y) {
    return mul_add(x, y, cut<T>{T(0), T(0)}); // adding 0 does not change the rounding of the product
}

// a / b for b >= 0, rounded down or up; b = 0 is the limit from above.
template <class T, bool down> __device__ __forceinline__ T quotient(T a, T b) {
    if (a == T(0)) return T(0);
    if (b > T(0)) return down ? real<T>::div_down(a, b) : real<T>::div_up(a, b);
    return a < T(0) ? -real<T>::infinity() : real<T>::infinity();
}

// x / y for y != 0.
template <class T> __device__ inline cut<T> operator/(cut<T> x, cut<T> y) {
    const bool straddles = y.lower < T(0) && y.upper > T(0), divisor_is_zero = y.lower == T(0) && y.upper == T(0);
    const bool dividend_is_zero = x.lower == T(0) && x.upper == T(0), contains_zero = y.lower <= T(0) && y.upper >= T(0);
    if (straddles || divisor_is_zero || (dividend_is_zero && contains_zero)) return unbounded<T>();
    if (y.lower < T(0)) {
        x = -x;
        y = -y;
    }
    return make_cut(quotient<T, true>(x.lower, x.lower < T(0) ? y.lower : y.upper),
                quotient<T, false>(x.upper, x.upper > T(0) ? y.lower : y.upper));
}

template <class T> __device__ __forceinline__ cut<T> abs(cut<T> x) {
    if (x.lower >= T(0)) return x;
    if (x.upper <= T(0)) return -x;
    return {T(0), real<T>::greater(x.upper, -x.lower)};
}

template <class T> __device__ __forceinline__ cut<T> sqr(cut<T> x) {
    const cut<T> magnitude = abs(x);
    return make_cut(real<T>::product_down(magnitude.lower, magnitude.lower),
                    real<T>::product_up(magnitude.upper, magnitude.upper));
}

template <class T> __device__ __forceinline__ cut<T> min(cut<T> x, cut<T> y) {
    return {real<T>::lesser(x.lower, y.lower), real<T>::lesser(x.upper, y.upper)};
}

template <class T> __device__ __forceinline__ cut<T> max(cut<T> x, cut<T> y) {
    return {real<T>::greater(x.lower, y.lower), real<T>::greater(x.upper, y.upper)};
}

// x^n for x >= 0 and n >= 1, with every product rounded down or up.
template <class T, bool down> __device__ inline T power(T x, unsigned n) {
    T result = T(1);
    for (;;) {
        if (n & 1) result = down ? real<T>::product_down(result, x) : real<T>::product_up(result, x);
        n >>= 1;
        if (n == 0) return result;
        x = down ? real<T>::product_down(x, x) : real<T>::product_up(x, x);
    }
}

template <class T> __device__ inline cut<T> powi(cut<T> x, int n) {
    if (n == 0) return {T(1), T(1)};
    const unsigned exponent = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    const cut<T> base = exponent & 1 ? x : abs(x);
    const T lower = base.lower < T(0) ? -power<T, false>(-base.lower, exponent) : power<T, true>(base.lower, exponent);
    const T upper = base.upper < T(0) ? -power<T, true>(-base.upper, exponent) : power<T, false>(base.upper, exponent);
    const cut<T> result = make_cut(lower, upper);
    return n < 0 ? cut<T>{T(1), T(1)} / result : result;
}

template <class T> __device__ __forceinline__ cut<T> sqrt(cut<T> x) {
    if (x.upper < T(0)) return unbounded<T>();
    return make_cut(real<T>::sqrt_down(real<T>::greater(x.lower, T(0))), real<T>::sqrt_up(x.upper));
}

// Directed roundings compose: a lower bound in double, rounded down to T, is a lower bound.
template <class T> __device__ inline cut<T> exp(cut<T> x) {
    return make_cut(narrow_down<T>(exp_bounds(x.lower).lower), narrow_up<T>(exp_bounds(x.upper).upper));
}

template <class T> __device__ inline cut<T> log(cut<T> x) {
    if (x.upper <= T(0)) return unbounded<T>();
    return make_cut(narrow_down<T>(log_bounds(real<T>::greater(x.lower, T(0))).lower), narrow_up<T>(log_bounds(x.upper).upper));
}

// Operations that intersect with the previous cut.
template <class T> __device__ __forceinline__ cut<T> div(cut<T> x, cut<T> y, nesting<cut<T>>& within) { return within(x / y); }
template <class T> __device__ __forceinline__ cut<T> recip(cut<T> x, nesting<cut<T>>& within) {
    return within(cut<T>{T(1), T(1)} / x);
}
template <class T> __device__ __forceinline__ cut<T> powi(cut<T> x, int n, nesting<cut<T>>& within) { return within(powi(x, n)); }
template <class T> __device__ __forceinline__ cut<T> sqrt(cut<T> x, nesting<cut<T>>& within) { return within(sqrt(x)); }
template <class T> __device__ __forceinline__ cut<T> exp(cut<T> x, nesting<cut<T>>& within) { return within(exp(x)); }
template <class T> __device__ __forceinline__ cut<T> log(cut<T> x, nesting<cut<T>>& within) { return within(log(x)); }

} // namespace fuzzion

#endif
