// Functions that the steps of a plan call in addition to those of sets; T is float or double.

namespace inference {

using sets::infinity;
using sets::simd_min;
using sets::simd_max;

// NaN and −∞ become 0, ∞ becomes 1.
template <typename T> __device__ inline T replace_non_finite(const T x) {
    const T finite = sets::absolute(x) <= sets::max_finite(x) ? x : T(0);
    return x == infinity<T>() ? T(1) : finite;
}
// The value, or 0 if it is NaN or negative.
template <typename T> __device__ inline T non_negative(const T x) { return simd_max(x, T(0)); }
template <typename T> __device__ inline T mask(const bool condition) { return condition ? T(1) : T(0); }
template <typename T> __device__ inline T clamp(const T x, const T minimum, const T maximum) {
    return x > maximum ? maximum : (x < minimum ? minimum : x);
}
template <typename T> __device__ inline T select(const T mask, const T then, const T otherwise) {
    return mask == T(0) ? otherwise : then;
}
// `fires` if a rule of strength `other` is ranked ahead of one of strength `own`, otherwise 0.
template <typename T>
__device__ inline T ranks_ahead(const T other, const T own, const T fires, const bool strongest, const bool earlier) {
    const bool ahead = strongest ? other > own : other < own;
    return ahead || (other == own && earlier) ? fires : T(0);
}

// ---- Tsukamoto: the x with the membership `level` ----

__device__ inline float logarithm(const float x) { return logf(x); }
__device__ inline double logarithm(const double x) { return log(x); }

template <typename T> __device__ inline T inverse_ramp(const T level, const T start, const T end) {
    return start + (end - start) * level;
}
template <typename T> __device__ inline T inverse_sigmoid(const T level, const T inflection, const T slope) {
    return inflection + logarithm(level / (T(1) - level)) / slope;
}
template <typename T> __device__ inline T inverse_concave(const T level, const T inflection, const T end) {
    return end - (end - inflection) * (T(1) / level - T(1));
}
template <typename T> __device__ inline T inverse_s_shape(const T level, const T start, const T end) {
    return level <= T(0.5) ? start + (end - start) * sets::square_root(level / T(2))
                           : end - (end - start) * sets::square_root((T(1) - level) / T(2));
}
template <typename T> __device__ inline T inverse_z_shape(const T level, const T start, const T end) {
    return inverse_s_shape(level, end, start);
}
template <typename T> __device__ inline T inverse_arc(const T level, const T start, const T end) {
    return end - (end - start) * sets::square_root((T(1) - level) * (T(1) + level));
}

// ---- centroid by table lookup; see plan/centroid ----

// `lines` has four coefficients per piece, eight if CURVED; `knots_before` has the number of knots before each bucket.
template <int SEARCH_STEPS, int BUCKETS, bool CURVED, typename T>
__device__ inline void add_level(
    const T level, const T scale, const T* lines, const T* knots, const uint16* knots_before, T& area, T& moment)
{
    constexpr int WIDTH = CURVED ? 8 : 4;
    const uint32 bucket = (uint32)(level * scale);
    uint32 piece = BUCKETS > 1 ? knots_before[bucket < BUCKETS ? bucket : BUCKETS - 1] : 0;
#pragma unroll
    for (int half = SEARCH_STEPS - 1; half >= 0; --half) {
        const uint32 next = piece + (1u << half);
        if (knots[next - 1] <= level) piece = next;
    }
    T line[WIDTH];
    const Packet<T>* packets = reinterpret_cast<const Packet<T>*>(lines + WIDTH * piece);
#pragma unroll
    for (int i = 0; i < WIDTH / Packet<T>::lanes; ++i) {
        const Packet<T> packet = packets[i];
#pragma unroll
        for (int lane = 0; lane < Packet<T>::lanes; ++lane) line[i * Packet<T>::lanes + lane] = packet.lane[lane];
    }
    if (CURVED) {
        const T u = level - line[3];
        area += line[0] + u * (line[1] + u * line[2]);
        moment += line[WIDTH - 4] + u * (line[WIDTH - 3] + u * (line[WIDTH - 2] + u * line[WIDTH - 1]));
    } else {
        area += line[0] + line[1] * level;
        moment += line[2] + line[3] * level;
    }
}

// ---- sample by sample; `aggregated(s)` is the aggregated membership at sample s of n, `y` are the positions ----

template <typename T, typename F> __device__ inline T centroid(const int n, const T* y, const F aggregated) {
    T area = 0, moment = 0;
    for (int s = 0; s < n; ++s) {
        const T m = aggregated(s);
        area += m;
        moment += y[s] * m;
    }
    return moment / area;
}

// NaN if any membership is NaN.
template <typename T, typename F> __device__ inline T max_membership(const int n, const F aggregated) {
    T maximum = aggregated(0);
    for (int s = 1; s < n; ++s) maximum = sets::maximum(maximum, aggregated(s));
    return maximum;
}

template <typename T, typename F> __device__ inline T mean_of_maximum(const int n, const T* y, const F aggregated) {
    const T maximum = max_membership<T>(n, aggregated);
    T sum = 0, count = 0;
    for (int s = 0; s < n; ++s) {
        const T m = aggregated(s);
        if (m > T(0) && m == maximum) {
            sum += y[s];
            count += T(1);
        }
    }
    return sum / count;
}

// The largest (or smallest) sample with the maximum membership, by y, or by |y| if BY_MAGNITUDE.
template <bool LARGEST, bool BY_MAGNITUDE, typename T, typename F>
__device__ inline T extreme_of_maximum(const int n, const T* y, const F aggregated) {
    const T maximum = max_membership<T>(n, aggregated);
    T best = 0;
    bool found = false;
    for (int s = 0; s < n; ++s) {
        const T m = aggregated(s);
        if (!(m > T(0) && m == maximum)) continue;
        const T magnitude = sets::absolute(y[s]), best_magnitude = sets::absolute(best);
        const bool better = BY_MAGNITUDE ? (LARGEST ? magnitude > best_magnitude : magnitude < best_magnitude) : LARGEST;
        if (!found || better) best = y[s];
        found = true;
    }
    return found ? best : infinity<T>() - infinity<T>();
}

// Mean of the samples where the cumulative area is closest to half of the total area.
template <typename T, typename F> __device__ inline T bisector(const int n, const T* y, const F aggregated) {
    T total = 0;
    for (int s = 0; s < n; ++s) {
        const T m = aggregated(s);
        total += m == m ? m : T(0);
    }
    T area = 0, best = infinity<T>(), sum = 0, count = 0;
    for (int s = 0; s < n; ++s) {
        const T m = aggregated(s);
        area += m == m ? m : T(0);
        const T distance = sets::absolute(area / total - T(0.5));
        if (distance < best) {
            best = distance;
            sum = y[s];
            count = T(1);
        } else if (distance == best) {
            sum += y[s];
            count += T(1);
        }
    }
    return sum / count;
}

// First sample where the cumulative area reaches half of the total area.
template <typename T, typename F> __device__ inline T matlab_bisector(const int n, const T* y, const F aggregated) {
    T total = 0;
    for (int s = 0; s < n; ++s) total += aggregated(s);
    const T half = total * T(0.5);
    T area = 0;
    for (int s = 0; s < n; ++s) {
        area += aggregated(s);
        if (area >= half && half > T(0)) return y[s];
    }
    return infinity<T>() - infinity<T>();
}

} // namespace inference
