// CUDA counterparts of formulas.rs, norms.rs and hedges.rs with the same names and formulas; T is float or double.
// Programs of other modules include this text before their own code.

namespace sets {

__device__ inline float absolute(const float x) { return fabsf(x); }
__device__ inline double absolute(const double x) { return fabs(x); }
__device__ inline float square_root(const float x) { return sqrtf(x); }
__device__ inline double square_root(const double x) { return sqrt(x); }
__device__ inline float exponential(const float x) { return expf(x); }
__device__ inline double exponential(const double x) { return exp(x); }
__device__ inline float power(const float x, const float y) { return powf(x, y); }
__device__ inline double power(const double x, const double y) { return pow(x, y); }
__device__ inline float remainder_of(const float x, const float y) { return fmodf(x, y); }
__device__ inline double remainder_of(const double x, const double y) { return fmod(x, y); }
__device__ inline float max_finite(const float) { return 3.402823466e38f; }
__device__ inline double max_finite(const double) { return 1.7976931348623157e308; }

// Without a header, C++ has no literal for infinity.
template <typename T> __device__ inline T infinity() {
    const T large = max_finite(T(0));
    return large * large;
}

// Minimum and maximum as in device/math.rs: b if either is NaN.
template <typename T> __device__ inline T simd_min(const T a, const T b) { return a < b ? a : b; }
template <typename T> __device__ inline T simd_max(const T a, const T b) { return a > b ? a : b; }
template <typename T> __device__ inline T clamp01(const T x) { return simd_min(T(1), simd_max(T(0), x)); }
template <typename T> __device__ inline T propagate_nan(const T x, const T y) { return x == x ? y : x; }

template <typename T> __device__ inline T rising_edge(const T x, const T foot, const T head) {
    const bool shoulder = foot == -infinity<T>();
    const T scale = shoulder ? T(0) : T(1) / (head - foot);
    const T slope = simd_max(T(0), (x - (shoulder ? T(0) : foot)) * scale);
    return x >= (shoulder ? -infinity<T>() : head) ? T(1) : slope;
}

template <typename T> __device__ inline T s_curve(const T t) {
    const T rest = T(1) - t;
    return t < T(0.5) ? T(2) * t * t : T(1) - T(2) * rest * rest;
}

template <typename T> __device__ inline T scaled_distance(const T x, const T center, const T width) {
    // Callers pass the width as a literal; if it is not 0, the compiler removes the comparison.
    return width == T(0) && x == center ? T(0) : absolute(x - center) * (T(1) / absolute(width));
}

// ---- shapes ----

template <typename T> __device__ inline T trapezoid(const T x, const T a, const T b, const T c, const T d) {
    return simd_min(rising_edge(x, a, b), rising_edge(-x, -d, -c));
}

template <typename T> __device__ inline T triangle(const T x, const T left, const T top, const T right) {
    return trapezoid(x, left, top, top, right);
}

template <typename T> __device__ inline T rectangle(const T x, const T start, const T end) {
    const bool inside = x >= simd_min(start, end) && x <= simd_max(start, end);
    return propagate_nan(x, inside ? T(1) : T(0));
}

// n points (x, y) in ascending x; of two points with the same x, the later one defines the value there.
template <typename T> __device__ inline T discrete(const T x, const T* points, const int n) {
    int first = 0, after = n; // the search ends with `first` = number of points at or below x
    while (first < after) {
        const int middle = (first + after) / 2;
        if (points[2 * middle] <= x) first = middle + 1; else after = middle;
    }
    const int i = first == 0 ? 0 : first - 1;
    const int next = first == 0 || first == n ? i : first;
    const T run = points[2 * next] - points[2 * i];
    const T slope = next == i ? T(0) : (points[2 * next + 1] - points[2 * i + 1]) / run;
    const T y = next == i ? points[2 * i + 1] : points[2 * i + 1] + slope * (x - points[2 * i]);
    return propagate_nan(x, y);
}

template <typename T> __device__ inline T semi_ellipse(const T x, const T start, const T end) {
    const T lower = simd_min(start, end), upper = simd_max(start, end);
    const T scale = T(2) / (upper - lower);
    const T square = simd_min(T(1), simd_max(T(0), (x - lower) * scale * ((upper - x) * scale)));
    const T y = lower == upper ? T(1) : square_root(square);
    return propagate_nan(x, x >= lower && x <= upper ? y : T(0));
}

// t to an integer power below 32, by repeated squaring.
template <typename T> __device__ inline T integer_power(const T t, const int exponent) {
    T squared = t, product = T(1);
#pragma unroll
    for (int bit = 0; bit < 5; ++bit) {
        if (exponent >> bit & 1) product *= squared;
        squared *= squared;
    }
    return product;
}

template <typename T> __device__ inline T bell(const T x, const T center, const T width, const T slope) {
    const T t = scaled_distance(x, center, width);
    // Callers pass the slope as a literal, so the compiler keeps only one of the two branches.
    const T exponent = T(2) * slope;
    const bool is_integer = exponent >= T(0) && exponent < T(32) && exponent == T((int)exponent);
    const T y = T(1) / (T(1) + (is_integer ? integer_power(t, (int)exponent) : power(t, exponent)));
    return propagate_nan(x, width == T(0) ? (x == center ? T(1) : T(0)) : y);
}

// sin(πx) for 0 ≤ x ≤ ¼, with the polynomials of device/math.rs.
__device__ inline float sin_pi(const float x) {
    const float z = x * x;
    return x * (3.1415927f + z * (-5.167708f + z * (2.5497673f + z * -0.58907866f)));
}
__device__ inline double sin_pi(const double x) {
    const double z = x * x;
    return x * (3.141592653589793 + z * (-5.167712780049954 + z * (2.5501640398733785 + z * (-0.599264528939812
        + z * (0.08214586918513228 + z * (-0.007370021659568085 + z * 0.00046153224149102576))))));
}

template <typename T> __device__ inline T cosine(const T x, const T center, const T width) {
    const T t = scaled_distance(x, center, width);
    const bool near_center = t <= T(0.25);
    const T s = sin_pi(near_center ? t : simd_max(T(0), T(0.5) - t));
    return propagate_nan(x, near_center ? T(1) - s * s : s * s);
}

template <typename T> __device__ inline T gaussian_exponent(const T x, const T mean, const T standard_deviation) {
    const T t = scaled_distance(x, mean, standard_deviation * T(1.4142135623730951));
    return t * t;
}

template <typename T> __device__ inline T gaussian(const T x, const T mean, const T standard_deviation) {
    return exponential(-gaussian_exponent(x, mean, standard_deviation));
}

template <typename T>
__device__ inline T gaussian_product(const T x, const T mean_a, const T sd_a, const T mean_b, const T sd_b) {
    const T a = x < mean_a ? gaussian_exponent(x, mean_a, sd_a) : T(0);
    const T b = x > mean_b ? gaussian_exponent(x, mean_b, sd_b) : T(0);
    return propagate_nan(x, exponential(-(a + b)));
}

template <typename T> __device__ inline T spike(const T x, const T center, const T width) {
    return exponential(T(-10) * scaled_distance(x, center, width));
}

template <typename T> __device__ inline T arc(const T x, const T start, const T end) {
    const T slope = simd_min(T(1), simd_max((x - start) * (T(1) / (end - start)), T(0))); // never −0
    const T t = x == end ? T(1) : slope;
    return propagate_nan(x, start == end ? T(0) : square_root(t * (T(2) - t)));
}

template <typename T> __device__ inline T binary(const T x, const T start, const T direction) {
    const bool inside = direction > start ? x >= start : x <= start;
    return propagate_nan(x, inside ? T(1) : T(0));
}

template <typename T> __device__ inline T concave(const T x, const T inflection, const T end) {
    const T d = absolute(end - inflection);
    const T side = inflection > end ? x - end : end - x;
    const T before = inflection == end ? absolute(side) : side;
    return before <= T(0) ? T(1) : d / (d + before);
}

template <typename T> __device__ inline T ramp(const T x, const T start, const T end) {
    const T slope = simd_min(T(1), simd_max((x - start) * (T(1) / (end - start)), T(0))); // never −0
    const T t = x == end ? T(1) : slope;
    const T step = x >= end ? T(1) : T(0);
    return propagate_nan(x, start == end ? step : t);
}

template <typename T> __device__ inline T sigmoid_exponent(const T x, const T inflection, const T slope) {
    return slope == T(0) ? propagate_nan(x, T(0)) : slope * (inflection - x);
}

template <typename T> __device__ inline T sigmoid(const T x, const T inflection, const T slope) {
    return T(1) / (T(1) + exponential(sigmoid_exponent(x, inflection, slope)));
}

template <typename T>
__device__ inline T sigmoid_difference(const T x, const T left, const T rising, const T falling, const T right) {
    const T a = sigmoid_exponent(x, left, rising), b = sigmoid_exponent(x, right, falling);
    const T sign = a < T(0) && b < T(0) ? T(-1) : T(1);
    return absolute(T(1) / (T(1) + exponential(sign * a)) - T(1) / (T(1) + exponential(sign * b)));
}

template <typename T>
__device__ inline T sigmoid_product(const T x, const T left, const T rising, const T falling, const T right) {
    return sigmoid(x, left, rising) * sigmoid(x, right, falling);
}

template <typename T> __device__ inline T s_shape(const T x, const T start, const T end) {
    const T t = clamp01((x - start) * (T(1) / (end - start)));
    return x <= start ? T(0) : s_curve(t);
}

template <typename T> __device__ inline T z_shape(const T x, const T start, const T end) {
    const T t = clamp01((end - x) * (T(1) / (end - start)));
    return x <= start ? T(1) : s_curve(t);
}

template <typename T> __device__ inline T pi_shape(const T x, const T a, const T b, const T c, const T d) {
    return s_shape(x, a, b) * z_shape(x, c, d);
}

// ---- norms ----

template <typename T> __device__ inline T propagate_either_nan(const T a, const T b, const T y) {
    return a == a && b == b ? y : a + b;
}

template <typename T> __device__ inline T minimum(const T a, const T b) {
    return propagate_either_nan(a, b, simd_min(a, b));
}
template <typename T> __device__ inline T algebraic_product(const T a, const T b) { return a * b; }
template <typename T> __device__ inline T bounded_difference(const T a, const T b) {
    return propagate_either_nan(a, b, simd_max(T(0), simd_min(a, b) - (T(1) - simd_max(a, b))));
}
template <typename T> __device__ inline T drastic_product(const T a, const T b) {
    return propagate_either_nan(a, b, simd_max(a, b) == T(1) ? simd_min(a, b) : T(0));
}
template <typename T> __device__ inline T einstein_product(const T a, const T b) {
    return a * b / (T(1) + (T(1) - a) * (T(1) - b));
}
template <typename T> __device__ inline T hamacher_product(const T a, const T b) {
    const T sum = simd_max(a, b) + simd_min(a, b) * (T(1) - simd_max(a, b));
    return propagate_either_nan(a, b, sum == T(0) ? T(0) : simd_min(a, b) * (simd_max(a, b) / sum));
}
template <typename T> __device__ inline T nilpotent_minimum(const T a, const T b) {
    return propagate_either_nan(a, b, a + b > T(1) || simd_max(a, b) == T(1) ? simd_min(a, b) : T(0));
}

template <typename T> __device__ inline T maximum(const T a, const T b) {
    return propagate_either_nan(a, b, simd_max(a, b));
}
template <typename T> __device__ inline T algebraic_sum(const T a, const T b) {
    return propagate_either_nan(a, b, simd_max(a, b) + simd_min(a, b) * (T(1) - simd_max(a, b)));
}
template <typename T> __device__ inline T bounded_sum(const T a, const T b) { return simd_min(T(1), a + b); }
template <typename T> __device__ inline T drastic_sum(const T a, const T b) {
    return propagate_either_nan(a, b, simd_min(a, b) == T(0) ? simd_max(a, b) : T(1));
}
template <typename T> __device__ inline T einstein_sum(const T a, const T b) {
    const T rest = (T(1) - simd_max(a, b)) * (T(1) + simd_max(a, b));
    return propagate_either_nan(a, b, simd_max(a, b) + simd_min(a, b) * rest / (T(1) + a * b));
}
template <typename T> __device__ inline T hamacher_sum(const T a, const T b) {
    const T p = T(1) - simd_max(a, b), q = T(1) - simd_min(a, b);
    const T rest = p + simd_max(a, b) * q;
    const T sum = simd_max(a, b) + simd_min(a, b) * p * (p / rest);
    return propagate_either_nan(a, b, rest == T(0) ? T(1) : sum);
}
template <typename T> __device__ inline T nilpotent_maximum(const T a, const T b) {
    return propagate_either_nan(a, b, a + b < T(1) ? simd_max(a, b) : T(1));
}
template <typename T> __device__ inline T normalized_sum(const T a, const T b) {
    return (a + b) / simd_max(T(1), a + b);
}
template <typename T> __device__ inline T unbounded_sum(const T a, const T b) { return a + b; }

// ---- hedges (prefixed because `not` is a C++ keyword) ----

template <typename T> __device__ inline T hedge_any(const T) { return T(1); }
template <typename T> __device__ inline T hedge_not(const T m) { return T(1) - m; }
template <typename T> __device__ inline T hedge_very(const T m) { return m * m; }
template <typename T> __device__ inline T hedge_somewhat(const T m) { return square_root(m); }
template <typename T> __device__ inline T hedge_extremely(const T m) {
    const T rest = T(1) - m;
    return m <= T(0.5) ? T(2) * m * m : T(1) - T(2) * rest * rest;
}
template <typename T> __device__ inline T hedge_seldom(const T m) {
    const bool low = m <= T(0.5);
    const T half_root = square_root(T(0.5) * (low ? m : T(1) - m));
    return low ? half_root : T(1) - half_root;
}

// ---- functions of expressions ----

template <typename T> __device__ inline bool equal_or_both_nan(const T a, const T b) { return a == b || (a != a && b != b); }

template <typename T> __device__ inline T modulo(const T a, const T b) {
    const T r = remainder_of(a, b);
    return r != T(0) && (r < T(0)) != (b < T(0)) ? r + b : r;
}

} // namespace sets
