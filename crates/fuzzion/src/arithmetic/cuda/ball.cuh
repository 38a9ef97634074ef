// Fuzzion: certified fuzzy numbers in CUDA C++, part 3: one cut in the midpoint-radius encoding.
//
// Midpoints are rounded to nearest, radii up, denominators down. All cuts of a number share the midpoint; the compiler
// eliminates repeated computations of it.

#ifndef FUZZION_BALL
#define FUZZION_BALL

#ifndef FUZZION_CUT
#include "cut.cuh"
#endif

namespace fuzzion {

// All numbers within `radius` of `midpoint`. The radius is at least 0 and may be infinite; it can have a narrower
// type than the midpoint.
template <class T, class R = T> struct ball {
    T midpoint;
    R radius;
};

// The ball, or the unbounded ball if the midpoint is not finite.
template <class T, class R> __device__ __forceinline__ ball<T, R> make_ball(T midpoint, R radius) {
    if (!real<T>::finite(midpoint)) return {T(0), real<R>::infinity()};
    return {real<T>::canonical_zero(midpoint), radius};
}

// Bound on |exact - near|, given the exact value rounded down and up.
template <class R, class T> __device__ __forceinline__ R rounding_error(T near, T down, T up) {
    return down == up ? R(0) : narrow_up<R>(real<T>::fma_up(real<T>::unit_roundoff(), real<T>::abs(near), real<T>::min_normal()));
}

template <class T, class R> __device__ __forceinline__ cut<T> cut_of(ball<T, R> x) {
    return make_cut(real<T>::sub_down(x.midpoint, T(x.radius)), real<T>::add_up(x.midpoint, T(x.radius)));
}

// Smallest ball around `midpoint` that encloses a cut.
template <class R, class T> __device__ __forceinline__ ball<T, R> enclosing_ball(T midpoint, cut<T> x) {
    const T radius = real<T>::greater(real<T>::sub_up(x.upper, midpoint), real<T>::sub_up(midpoint, x.lower));
    return make_ball<T, R>(midpoint, narrow_up<R>(radius));
}

// State of operations that intersect each cut with the previous one: its bounds, and the smallest radius so far.
template <class T, class R> struct nesting<ball<T, R>> {
    nesting<cut<T>> within;
    R min_radius;
    __device__ __forceinline__ nesting() : min_radius(real<R>::infinity()) {}
};

template <class T, class R> __device__ __forceinline__ ball<T, R> operator-(ball<T, R> x) {
    return {real<T>::canonical_zero(-x.midpoint), x.radius};
}

template <class T, class R> __device__ __forceinline__ ball<T, R> operator+(ball<T, R> x, ball<T, R> y) {
    const T a = x.midpoint, b = y.midpoint, m = real<T>::add_near(a, b);
    const R error = rounding_error<R>(m, real<T>::add_down(a, b), real<T>::add_up(a, b));
    return make_ball<T, R>(m, real<R>::add_up(real<R>::add_up(error, x.radius), y.radius));
}

template <class T, class R> __device__ __forceinline__ ball<T, R> operator-(ball<T, R> x, ball<T, R> y) { return x + -y; }

template <class T, class R> __device__ __forceinline__ ball<T, R> operator*(ball<T, R> x, ball<T, R> y) {
    const T a = x.midpoint, b = y.midpoint, m = real<T>::mul_near(a, b);
    const R error = rounding_error<R>(m, real<T>::mul_down(a, b), real<T>::mul_up(a, b));
    const R abs_a = narrow_up<R>(real<T>::abs(a)), abs_b = narrow_up<R>(real<T>::abs(b));
    const R inner = real<R>::fused_up(x.radius, abs_b, error);
    return make_ball<T, R>(m, real<R>::fused_up(real<R>::add_up(abs_a, x.radius), y.radius, inner));
}

template <class T, class R> __device__ __forceinline__ ball<T, R> mul_add(ball<T, R> x, ball<T, R> y, ball<T, R> z) {
    const T a = x.midpoint, b = y.midpoint, c = z.midpoint, m = real<T>::fma_near(a, b, c);
    const R error = rounding_error<R>(m, real<T>::fma_down(a, b, c), real<T>::fma_up(a, b, c));
    const R abs_a = narrow_up<R>(real<T>::abs(a)), abs_b = narrow_up<R>(real<T>::abs(b));
    const R inner = real<R>::fused_up(x.radius, abs_b, real<R>::add_up(z.radius, error));
    return make_ball<T, R>(m, real<R>::fused_up(real<R>::add_up(abs_a, x.radius), y.radius, inner));
}

// Radius divided by a lower bound of the denominator; infinite if there is no denominator or it underflowed to 0.
template <class R> __device__ __forceinline__ R divide_radius(R radius, R denominator, bool valid) {
    if (valid && radius == R(0)) return R(0);
    return valid && denominator > R(0) ? real<R>::div_up(radius, denominator) : real<R>::infinity();
}

template <class T, class R> __device__ inline ball<T, R> operator/(ball<T, R> x, ball<T, R> y) {
    const T a = x.midpoint, b = y.midpoint, m = real<T>::div_near(a, b), abs_b = real<T>::abs(b), beta = T(y.radius);
    const R error = rounding_error<R>(m, real<T>::div_down(a, b), real<T>::div_up(a, b));
    const R quotient = narrow_up<R>(real<T>::div_up(real<T>::abs(a), abs_b));
    const R distance = narrow_down<R>(real<T>::sub_down(abs_b, beta));
    const R radius = divide_radius(real<R>::fused_up(quotient, y.radius, x.radius), distance, abs_b > beta);
    return make_ball<T, R>(m, real<R>::add_up(radius, error));
}

template <class T, class R> __device__ inline ball<T, R> recip(ball<T, R> y) {
    const T b = y.midpoint, m = real<T>::div_near(T(1), b), abs_b = real<T>::abs(b), beta = T(y.radius);
    const R error = rounding_error<R>(m, real<T>::div_down(T(1), b), real<T>::div_up(T(1), b));
    const R distance = narrow_down<R>(real<T>::sub_down(abs_b, beta));
    const R denominator = real<R>::mul_down(narrow_down<R>(abs_b), distance);
    return make_ball<T, R>(m, real<R>::add_up(divide_radius(y.radius, denominator, abs_b > beta), error));
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
    return enclosing_ball<R>(real<T>::abs(x.midpoint), abs(cut_of(x)));
}

template <class T, class R> __device__ __forceinline__ ball<T, R> min(ball<T, R> x, ball<T, R> y) {
    return enclosing_ball<R>(real<T>::lesser(x.midpoint, y.midpoint), min(cut_of(x), cut_of(y)));
}

template <class T, class R> __device__ __forceinline__ ball<T, R> max(ball<T, R> x, ball<T, R> y) {
    return enclosing_ball<R>(real<T>::greater(x.midpoint, y.midpoint), max(cut_of(x), cut_of(y)));
}

template <class T, class R> __device__ inline ball<T, R> sqrt(ball<T, R> x, nesting<ball<T, R>>& nested) {
    const T a = x.midpoint, alpha = T(x.radius);
    if (a < T(0)) return enclosing_ball<R>(T(0), sqrt(cut_of(x), nested.within));
    const T m = real<T>::sqrt_near(a), down = real<T>::sqrt_down(a);
    const R error = rounding_error<R>(m, down, real<T>::sqrt_up(a));
    R radius = error;
    if (alpha > a) { // the domain is clipped at 0, at distance m from the midpoint; the upper side may be farther away
        radius = narrow_up<R>(real<T>::greater(m, real<T>::sub_up(real<T>::sqrt_up(real<T>::add_up(a, alpha)), m)));
    } else if (alpha != T(0)) {
        const T denominator = real<T>::add_down(down, real<T>::sqrt_down(real<T>::sub_down(a, alpha)));
        radius = real<R>::add_up(divide_radius(x.radius, narrow_down<R>(denominator), true), error);
    }
    nested.min_radius = real<R>::lesser(nested.min_radius, radius);
    return make_ball<T, R>(m, nested.min_radius);
}

template <class T, class R> __device__ inline ball<T, R> exp(ball<T, R> x, nesting<ball<T, R>>& nested) {
    const T m = narrow_down<T>(exp_bounds(x.midpoint).lower);
    return enclosing_ball<R>(m, exp(cut_of(x), nested.within));
}

template <class T, class R> __device__ inline ball<T, R> log(ball<T, R> x, nesting<ball<T, R>>& nested) {
    const T m = narrow_down<T>(log_bounds(x.midpoint).lower);
    return enclosing_ball<R>(m, log(cut_of(x), nested.within));
}

// The same signatures as for cut<T>.
template <class T, class R> __device__ __forceinline__ ball<T, R> div(ball<T, R> x, ball<T, R> y, nesting<ball<T, R>>&) {
    return x / y;
}
template <class T, class R> __device__ __forceinline__ ball<T, R> recip(ball<T, R> x, nesting<ball<T, R>>&) { return recip(x); }
template <class T, class R> __device__ __forceinline__ ball<T, R> powi(ball<T, R> x, int n, nesting<ball<T, R>>&) {
    return powi(x, n);
}

} // namespace fuzzion

#endif
