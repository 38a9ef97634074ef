// Fuzzion: certified fuzzy numbers in CUDA C++, part 4: fuzzy numbers.
//
// fuzzy_lu<T, N> stores the bounds of N nested cuts, fuzzy_mr<T, N, R> one midpoint and N radii; cut 0 is the
// support, cut N - 1 the core. Both support + - * /, mul_add (rounded once), recip, sqr, powi, sqrt, exp, log, abs,
// min and max, also with crisp numbers as operands. Every result encloses the exact one.
//
//     __global__ void cost(const fuzzion::fuzzy_lu<double, 4>* demand, fuzzion::fuzzy_lu<double, 4>* out, int n) {
//         const int i = blockIdx.x * blockDim.x + threadIdx.x;
//         if (i < n) out[i] = demand[i] * 2.5 - sqrt(demand[i]);
//     }

#ifndef FUZZION_FUZZY
#define FUZZION_FUZZY

#ifndef FUZZION_BALL
#include "ball.cuh"
#endif

namespace fuzzion {

template <class T, int N> struct fuzzy_lu {
    T lower[N], upper[N];

    __device__ __forceinline__ cut<T> at(int i) const { return {lower[i], upper[i]}; }
    __device__ __forceinline__ void set(int i, cut<T> x) {
        lower[i] = x.lower;
        upper[i] = x.upper;
    }
    using cut_type = cut<T>;
    using value_type = T;
    static constexpr int cuts = N;

    fuzzy_lu() = default;
    // Crisp number `value`; NaN gives the unbounded number, infinity [largest, infinity].
    __device__ __forceinline__ fuzzy_lu(T value) {
        const T infinity = real<T>::infinity(), largest = real<T>::largest();
        for (int i = 0; i < N; ++i) {
            lower[i] = value == infinity ? largest : value == value ? real<T>::canonical_zero(value) : -infinity;
            upper[i] = value == -infinity ? -largest : value == value ? real<T>::canonical_zero(value) : infinity;
        }
    }
};

template <class T, int N, class R = T> struct fuzzy_mr {
    T midpoint;
    R radius[N];

    __device__ __forceinline__ ball<T, R> at(int i) const { return {midpoint, radius[i]}; }
    __device__ __forceinline__ void set(int i, ball<T, R> x) {
        midpoint = x.midpoint;
        radius[i] = x.radius;
    }
    using cut_type = ball<T, R>;
    using value_type = T;
    static constexpr int cuts = N;

    fuzzy_mr() = default;
    // Crisp number `value`; NaN and infinities give the unbounded number.
    __device__ __forceinline__ fuzzy_mr(T value) {
        const ball<T, R> x = make_ball<T, R>(value, R(0));
        for (int i = 0; i < N; ++i) set(i, x);
    }
};

// Bounds rounded outward.
template <class T, int N, class R> __device__ inline fuzzy_lu<T, N> to_lu(const fuzzy_mr<T, N, R>& x) {
    fuzzy_lu<T, N> r;
#pragma unroll
    for (int i = 0; i < N; ++i) r.set(i, cut_of(x.at(i)));
    return r;
}

// Radii around the midpoint of the core, rounded up.
template <class R, class T, int N> __device__ inline fuzzy_mr<T, N, R> to_mr(const fuzzy_lu<T, N>& x) {
    fuzzy_mr<T, N, R> r;
    const cut<T> core = x.at(N - 1);
    const bool bounded = real<T>::finite(core.lower) && real<T>::finite(core.upper);
    const T sum_of_halves = real<T>::add_near(real<T>::mul_near(core.lower, T(0.5)), real<T>::mul_near(core.upper, T(0.5)));
    // Halving subnormal numbers may round the midpoint out of the cut.
    const T midpoint = real<T>::lesser(real<T>::greater(sum_of_halves, core.lower), core.upper);
#pragma unroll
    for (int i = 0; i < N; ++i) {
        r.set(i, bounded ? enclosing_ball<R>(midpoint, x.at(i)) : ball<T, R>{T(0), real<R>::infinity()});
    }
    return r;
}

// Applies an operation to each cut, for both encodings; `within` is the state of operations that need the previous cut.
template <class F, class X = typename F::cut_type, class Operation> __device__ __forceinline__ F map_cuts(Operation operation) {
    F r;
    nesting<X> within;
#pragma unroll
    for (int i = 0; i < F::cuts; ++i) r.set(i, operation(i, within));
    return r;
}

template <class F, class X = typename F::cut_type> __device__ inline F operator-(const F& x) {
    return map_cuts<F>([&](int i, nesting<X>&) { return -x.at(i); });
}
template <class F, class X = typename F::cut_type> __device__ inline F operator+(const F& x, const F& y) {
    return map_cuts<F>([&](int i, nesting<X>&) { return x.at(i) + y.at(i); });
}
template <class F, class X = typename F::cut_type> __device__ inline F operator-(const F& x, const F& y) {
    return map_cuts<F>([&](int i, nesting<X>&) { return x.at(i) - y.at(i); });
}
template <class F, class X = typename F::cut_type> __device__ inline F operator*(const F& x, const F& y) {
    return map_cuts<F>([&](int i, nesting<X>&) { return x.at(i) * y.at(i); });
}
template <class F, class X = typename F::cut_type> __device__ inline F operator/(const F& x, const F& y) {
    return map_cuts<F>([&](int i, nesting<X>& within) { return div(x.at(i), y.at(i), within); });
}

// Operators with crisp numbers.
template <class F, class X = typename F::cut_type> __device__ inline F operator+(const F& x, typename F::value_type y) {
    return x + F(y);
}
template <class F, class X = typename F::cut_type> __device__ inline F operator+(typename F::value_type x, const F& y) {
    return F(x) + y;
}
template <class F, class X = typename F::cut_type> __device__ inline F operator-(const F& x, typename F::value_type y) {
    return x - F(y);
}
template <class F, class X = typename F::cut_type> __device__ inline F operator-(typename F::value_type x, const F& y) {
    return F(x) - y;
}
template <class F, class X = typename F::cut_type> __device__ inline F operator*(const F& x, typename F::value_type y) {
    return x * F(y);
}
template <class F, class X = typename F::cut_type> __device__ inline F operator*(typename F::value_type x, const F& y) {
    return F(x) * y;
}
template <class F, class X = typename F::cut_type> __device__ inline F operator/(const F& x, typename F::value_type y) {
    return x / F(y);
}
template <class F, class X = typename F::cut_type> __device__ inline F operator/(typename F::value_type x, const F& y) {
    return F(x) / y;
}

template <class F, class X = typename F::cut_type> __device__ inline F mul_add(const F& x, const F& y, const F& z) {
    return map_cuts<F>([&](int i, nesting<X>&) { return mul_add(x.at(i), y.at(i), z.at(i)); });
}
template <class F, class X = typename F::cut_type> __device__ inline F min(const F& x, const F& y) {
    return map_cuts<F>([&](int i, nesting<X>&) { return min(x.at(i), y.at(i)); });
}
template <class F, class X = typename F::cut_type> __device__ inline F max(const F& x, const F& y) {
    return map_cuts<F>([&](int i, nesting<X>&) { return max(x.at(i), y.at(i)); });
}
template <class F, class X = typename F::cut_type> __device__ inline F abs(const F& x) {
    return map_cuts<F>([&](int i, nesting<X>&) { return abs(x.at(i)); });
}
template <class F, class X = typename F::cut_type> __device__ inline F sqr(const F& x) {
    return map_cuts<F>([&](int i, nesting<X>&) { return sqr(x.at(i)); });
}
template <class F, class X = typename F::cut_type> __device__ inline F powi(const F& x, int n) {
    return map_cuts<F>([&](int i, nesting<X>& within) { return powi(x.at(i), n, within); });
}
template <class F, class X = typename F::cut_type> __device__ inline F recip(const F& x) {
    return map_cuts<F>([&](int i, nesting<X>& within) { return recip(x.at(i), within); });
}
template <class F, class X = typename F::cut_type> __device__ inline F sqrt(const F& x) {
    return map_cuts<F>([&](int i, nesting<X>& within) { return sqrt(x.at(i), within); });
}
template <class F, class X = typename F::cut_type> __device__ inline F exp(const F& x) {
    return map_cuts<F>([&](int i, nesting<X>& within) { return exp(x.at(i), within); });
}
template <class F, class X = typename F::cut_type> __device__ inline F log(const F& x) {
    return map_cuts<F>([&](int i, nesting<X>& within) { return log(x.at(i), within); });
}

} // namespace fuzzion

#endif
