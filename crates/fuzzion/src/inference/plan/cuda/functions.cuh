// What the steps of a plan call besides the twins of sets; T is float or double.

namespace inference {

using sets::infinite;
using sets::least;
using sets::most;

// NaN and −∞ count as 0, ∞ as 1.
template <typename T> __device__ inline T whole(const T x) {
    const T finite = sets::absolute(x) <= sets::largest(x) ? x : T(0);
    return x == infinite<T>() ? T(1) : finite;
}
// 0 where it is NaN or negative.
template <typename T> __device__ inline T positive(const T x) { return most(x, T(0)); }
template <typename T> __device__ inline T mask(const bool holds) { return holds ? T(1) : T(0); }
template <typename T> __device__ inline T locked(const T x, const T minimum, const T maximum) {
    return x > maximum ? maximum : (x < minimum ? minimum : x);
}
template <typename T> __device__ inline T choice(const T mask, const T then, const T otherwise) {
    return mask == T(0) ? otherwise : then;
}
// How a rule of strength `theirs` stands before one of strength `mine`, where it fires.
template <typename T>
__device__ inline T before(const T theirs, const T mine, const T fires, const bool strongest, const bool earlier) {
    const bool ahead = strongest ? theirs > mine : theirs < mine;
    return ahead || (theirs == mine && earlier) ? fires : T(0);
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
    return level <= T(0.5) ? start + (end - start) * sets::root(level / T(2))
                           : end - (end - start) * sets::root((T(1) - level) / T(2));
}
template <typename T> __device__ inline T inverse_z_shape(const T level, const T start, const T end) {
    return inverse_s_shape(level, end, start);
}
template <typename T> __device__ inline T inverse_arc(const T level, const T start, const T end) {
    return end - (end - start) * sets::root((T(1) - level) * (T(1) + level));
}

// ---- the centroid by tables of levels (levels.rs) ----

// `lines` has four numbers for each place, or eight where CURVED, `before` the knots before each of BUCKETS buckets.
template <int HALVINGS, int BUCKETS, bool CURVED, typename T>
__device__ inline void add_level(
    const T level, const T scale, const T* lines, const T* knots, const uint16* before, T& area, T& moment)
{
    constexpr int WIDTH = CURVED ? 8 : 4;
    const uint32 bucket = (uint32)(level * scale);
    uint32 place = BUCKETS > 1 ? before[bucket < BUCKETS ? bucket : BUCKETS - 1] : 0;
#pragma unroll
    for (int half = HALVINGS - 1; half >= 0; --half) {
        const uint32 next = place + (1u << half);
        if (knots[next - 1] <= level) place = next;
    }
    T line[WIDTH];
    const Packet<T>* packets = reinterpret_cast<const Packet<T>*>(lines + WIDTH * place);
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

// ---- sample by sample; `concluded(s)` is the membership at sample s of n, `y` their places ----

template <typename T, typename F> __device__ inline T centroid(const int n, const T* y, const F concluded) {
    T area = 0, moment = 0;
    for (int s = 0; s < n; ++s) {
        const T m = concluded(s);
        area += m;
        moment += y[s] * m;
    }
    return moment / area;
}

// NaN where any membership is.
template <typename T, typename F> __device__ inline T highest(const int n, const F concluded) {
    T top = concluded(0);
    for (int s = 1; s < n; ++s) top = sets::maximum(top, concluded(s));
    return top;
}

template <typename T, typename F> __device__ inline T mean_of_maximum(const int n, const T* y, const F concluded) {
    const T top = highest<T>(n, concluded);
    T sum = 0, count = 0;
    for (int s = 0; s < n; ++s) {
        const T m = concluded(s);
        if (m > T(0) && m == top) {
            sum += y[s];
            count += T(1);
        }
    }
    return sum / count;
}

// The last (or first) one by y, or by |y| where BY_SIZE.
template <bool LARGEST, bool BY_SIZE, typename T, typename F>
__device__ inline T end_of_maximum(const int n, const T* y, const F concluded) {
    const T top = highest<T>(n, concluded);
    T best = 0;
    bool found = false;
    for (int s = 0; s < n; ++s) {
        const T m = concluded(s);
        if (!(m > T(0) && m == top)) continue;
        const T size = sets::absolute(y[s]), best_size = sets::absolute(best);
        const bool better = BY_SIZE ? (LARGEST ? size > best_size : size < best_size) : LARGEST;
        if (!found || better) best = y[s];
        found = true;
    }
    return found ? best : infinite<T>() - infinite<T>();
}

// The mean of the samples at which the area so far is nearest to half of all.
template <typename T, typename F> __device__ inline T bisector(const int n, const T* y, const F concluded) {
    T all = 0;
    for (int s = 0; s < n; ++s) {
        const T m = concluded(s);
        all += m == m ? m : T(0);
    }
    T area = 0, best = infinite<T>(), sum = 0, count = 0;
    for (int s = 0; s < n; ++s) {
        const T m = concluded(s);
        area += m == m ? m : T(0);
        const T off = sets::absolute(area / all - T(0.5));
        if (off < best) {
            best = off;
            sum = y[s];
            count = T(1);
        } else if (off == best) {
            sum += y[s];
            count += T(1);
        }
    }
    return sum / count;
}

// The first sample up to which there is at least half of the area.
template <typename T, typename F> __device__ inline T first_half(const int n, const T* y, const F concluded) {
    T all = 0;
    for (int s = 0; s < n; ++s) all += concluded(s);
    const T half = all * T(0.5);
    T area = 0;
    for (int s = 0; s < n; ++s) {
        area += concluded(s);
        if (area >= half && half > T(0)) return y[s];
    }
    return infinite<T>() - infinite<T>();
}

} // namespace inference
