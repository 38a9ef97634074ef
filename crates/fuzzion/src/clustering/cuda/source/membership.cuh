// Conversion of distances to degrees (uᵐ, or the factor that replaces uᵐ); RULE selects the membership rule.

#define FUZZY 0
#define GAUSSIAN 1
#define HARD 2
#define NOISE 3
#define POSSIBILISTIC 4
#define MIXED 5

namespace rule {

template <typename T> __device__ inline T infinite();
template <> __device__ inline float infinite<float>() { return __int_as_float(0x7f800000); }
template <> __device__ inline double infinite<double>() { return __longlong_as_double(0x7ff0000000000000ll); }

// The double-precision functions are not inlined: they are long, and copies would slow down compilation.
__device__ inline float power(float x, float exponent) { return exp2f(exponent * log2f(x)); }
__device__ __noinline__ double power(double x, double exponent) { return exp2(exponent * log2(x)); }
__device__ inline float square_root(float x) { return sqrtf(x); }
__device__ inline double square_root(double x) { return sqrt(x); }
__device__ inline float exponential(float x) { return expf(x); }
__device__ __noinline__ double exponential(double x) { return exp(x); }
__device__ inline float logarithm(float x) { return logf(x); }
__device__ __noinline__ double logarithm(double x) { return log(x); }

// Unnormalized membership r^(1/(m−1)); fuzzifiers 2, 3, 1.5 and 1.25 need no logarithm.
template <typename T> __device__ T unnormalized(T r, T fuzzifier) {
#if POWER == 1
    return r;
#elif POWER == 2
    return square_root(r);
#elif POWER == 3
    return r * r;
#elif POWER == 4
    return (r * r) * (r * r);
#else
    return power(r, T(1) / (fuzzifier - T(1)));
#endif
}

// x^m for x ≥ 0.
template <typename T> __device__ T raise(T x, T m) { return m == T(2) ? x * x : power(x, m); }

// t of Equation (9) and 1 − t, for ratio = d·b/η.
template <typename T> __device__ T typicality(T ratio, T m, T& complement) {
    T g = m == T(2) ? ratio : power(ratio, T(1) / (m - T(1)));
    T t = T(1) / (T(1) + g);
    complement = t > T(0) ? g * t : T(1);
    return t;
}

}  // namespace rule
