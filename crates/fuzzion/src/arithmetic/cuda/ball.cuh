// Fuzzion: certified fuzzy numbers in CUDA C++, part 3: one cut by its midpoint and radius.
//
// Midpoints are rounded to nearest, radii upwards, denominators downwards. All cuts of a number share the midpoint, which a
// compiler computes once for all of them.

#ifndef FUZZION_BALL
#define FUZZION_BALL

#ifndef FUZZION_CUT
#include "cut.cuh"
#endif

namespace fuzzion {

// All numbers not farther from `midpoint` than `radius`, which is not negative and may be infinite; radii may have a
// narrower type than midpoints.
template <class T, class R = T> struct ball {
    T midpoint;
    R radius;
};

// What remains of a number whose midpoint is beyond the largest one is nothing.
template <class T, class R> __device__ __forceinline__ ball<T, R> known(T midpoint, R radius) {
    return real<T>::finite(midpoint) ? ball<T, R>{real<T>::clean(midpoint), radius} : ball<T, R>{T(0), real<R>::infinity()};
}

// A bound of what rounding `near` to nearest has lost, where `down` and `up` are the exact value's roundings.
template <class R, class T> __device__ __forceinline__ R rounding_error(T near, T down, T up) {
    return down == up ? R(0) : narrow_up<R>(real<T>::fma_up(real<T>::unit(), real<T>::size(near), real<T>::normal()));
}

template <class T, class R> __device__ __forceinline__ cut<T> bounds_of(ball<T, R> x) {
    return tidy(real<T>::sub_down(x.midpoint, T(x.radius)), real<T>::add_up(x.midpoint, T(x.radius)));
}

// The least radius around `midpoint` that holds a cut.
template <class R, class T> __device__ __forceinline__ ball<T, R> around(T midpoint, cut<T> x) {
    const T radius = real<T>::greater(real<T>::sub_up(x.upper, midpoint), real<T>::sub_up(midpoint, x.lower));
    return known<T, R>(midpoint, narrow_up<R>(radius));
}

// Bounds of functions are those of the cut before at most; radii too.
template <class T, class R> struct nesting<ball<T, R>> {
    nesting<cut<T>> within;
    R least;
    __device__ __forceinline__ nesting() : least(real<R>::infinity()) {}
};

template <class T, class R> __device__ __forceinline__ ball<T, R> operator-(ball<T, R> x) {
    return {real<T>::clean(-x.midpoint), x.radius};
}

template <class T, class R> __device__ __forceinline__ ball<T, R> operator+(ball<T, R> x, ball<T, R> y) {
    const T a = x.midpoint, b = y.midpoint, m = real<T>::add_near(a, b);
    const R error = rounding_error<R>(m, real<T>::add_down(a, b), real<T>::add_up(a, b));
    return known<T, R>(m, real<R>::add_up(real<R>::add_up(error, x.radius), y.radius));
}

template <class T, class R> __device__ __forceinline__ ball<T, R> operator-(ball<T, R> x, ball<T, R> y) { return x + -y; }

template <class T, class R> __device__ __forceinline__ ball<T, R> operator*(ball<T, R> x, ball<T, R> y) {
    const T a = x.midpoint, b = y.midpoint, m = real<T>::mul_near(a, b);
    const R error = rounding_error<R>(m, real<T>::mul_down(a, b), real<T>::mul_up(a, b));
    const R size = narrow_up<R>(real<T>::size(a)), other = narrow_up<R>(real<T>::size(b));
    const R inner = real<R>::fused_up(x.radius, other, error);
    return known<T, R>(m, real<R>::fused_up(real<R>::add_up(size, x.radius), y.radius, inner));
}

template <class T, class R> __device__ __forceinline__ ball<T, R> mul_add(ball<T, R> x, ball<T, R> y, ball<T, R> z) {
    const T a = x.midpoint, b = y.midpoint, c = z.midpoint, m = real<T>::fma_near(a, b, c);
    const R error = rounding_error<R>(m, real<T>::fma_down(a, b, c), real<T>::fma_up(a, b, c));
    const R size = narrow_up<R>(real<T>::size(a)), other = narrow_up<R>(real<T>::size(b));
    const R inner = real<R>::fused_up(x.radius, other, real<R>::add_up(z.radius, error));
    return known<T, R>(m, real<R>::fused_up(real<R>::add_up(size, x.radius), y.radius, inner));
}

// A radius over a lower bound of its denominator: infinite where there is none, or where it was too small for its type.
template <class R> __device__ __forceinline__ R over(R radius, R denominator, bool there) {
    if (there && radius == R(0)) return R(0);
    return there && denominator > R(0) ? real<R>::div_up(radius, denominator) : real<R>::infinity();
}

template <class T, class R> __device__ inline ball<T, R> operator/(ball<T, R> x, ball<T, R> y) {
    const T a = x.midpoint, b = y.midpoint, m = real<T>::div_near(a, b), size = real<T>::size(b), beta = T(y.radius);
    const R error = rounding_error<R>(m, real<T>::div_down(a, b), real<T>::div_up(a, b));
    const R quotient = narrow_up<R>(real<T>::div_up(real<T>::size(a), size));
    const R distance = narrow_down<R>(real<T>::sub_down(size, beta));
    const R radius = over(real<R>::fused_up(quotient, y.radius, x.radius), distance, size > beta);
    return known<T, R>(m, real<R>::add_up(radius, error));
}

template <class T, class R> __device__ inline ball<T, R> recip(ball<T, R> y) {
    const T b = y.midpoint, m = real<T>::div_near(T(1), b), size = real<T>::size(b), beta = T(y.radius);
    const R error = rounding_error<R>(m, real<T>::div_down(T(1), b), real<T>::div_up(T(1), b));
    const R distance = narrow_down<R>(real<T>::sub_down(size, beta));
    const R denominator = real<R>::mul_down(narrow_down<R>(size), distance);
    return known<T, R>(m, real<R>::add_up(over(y.radius, denominator, size > beta), error));
}

template <class T, class R> __device__ __forceinline__ ball<T, R> sqr(ball<T, R> x) { return x * x; }

template <class T, class R> __device__ inline ball<T, R> powi(ball<T, R> x, int n) {
    ball<T, R> result = {T(1), R(0)};
    for (unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n; left > 0;) {
        if (left & 1) result = result * x;
        left >>= 1;
        if (left > 0) x = x * x;
    }
    return n < 0 ? recip(result) : result;
}

template <class T, class R> __device__ __forceinline__ ball<T, R> abs(ball<T, R> x) {
    return around<R>(real<T>::size(x.midpoint), abs(bounds_of(x)));
}

template <class T, class R> __device__ __forceinline__ ball<T, R> min(ball<T, R> x, ball<T, R> y) {
    return around<R>(real<T>::lesser(x.midpoint, y.midpoint), min(bounds_of(x), bounds_of(y)));
}

template <class T, class R> __device__ __forceinline__ ball<T, R> max(ball<T, R> x, ball<T, R> y) {
    return around<R>(real<T>::greater(x.midpoint, y.midpoint), max(bounds_of(x), bounds_of(y)));
}

template <class T, class R> __device__ inline ball<T, R> sqrt(ball<T, R> x, nesting<ball<T, R>>& nested) {
    const T a = x.midpoint, alpha = T(x.radius);
    if (a < T(0)) return around<R>(T(0), sqrt(bounds_of(x), nested.within));
    const T m = real<T>::sqrt_near(a), down = real<T>::sqrt_down(a);
    const R error = rounding_error<R>(m, down, real<T>::sqrt_up(a));
    R radius = error;
    if (alpha > a) { // the domain is clipped at 0, from which m is |m| away; or the upper side is farther
        radius = narrow_up<R>(real<T>::greater(m, real<T>::sub_up(real<T>::sqrt_up(real<T>::add_up(a, alpha)), m)));
    } else if (alpha != T(0)) {
        const T denominator = real<T>::add_down(down, real<T>::sqrt_down(real<T>::sub_down(a, alpha)));
        radius = real<R>::add_up(over(x.radius, narrow_down<R>(denominator), true), error);
    }
    nested.least = real<R>::lesser(nested.least, radius);
    return known<T, R>(m, nested.least);
}

template <class T, class R> __device__ inline ball<T, R> exp(ball<T, R> x, nesting<ball<T, R>>& nested) {
    const T m = narrow_down<T>(exp_bounds(x.midpoint).lower);
    return around<R>(m, exp(bounds_of(x), nested.within));
}

template <class T, class R> __device__ inline ball<T, R> log(ball<T, R> x, nesting<ball<T, R>>& nested) {
    const T m = narrow_down<T>(log_bounds(x.midpoint).lower);
    return around<R>(m, log(bounds_of(x), nested.within));
}

// So that one text serves both kinds of cut.
template <class T, class R> __device__ __forceinline__ ball<T, R> div(ball<T, R> x, ball<T, R> y, nesting<ball<T, R>>&) {
    return x / y;
}
template <class T, class R> __device__ __forceinline__ ball<T, R> recip(ball<T, R> x, nesting<ball<T, R>>&) { return recip(x); }
template <class T, class R> __device__ __forceinline__ ball<T, R> powi(ball<T, R> x, int n, nesting<ball<T, R>>&) {
    return powi(x, n);
}

} // namespace fuzzion

#endif
