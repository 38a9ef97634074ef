// The general path, in the paper's two stages: how strongly rules fire for each pixel, then what follows from that.
// The text before this one is written for the operator. In the first stage steps(x, results, …) makes RESULTS numbers of
// the INPUTS that see(at, x) reads of the window `at`; in the second one it makes the pixel's number of those.
// FIRST_STAGE: 1 or 0. REAL: double. ROWS: pixels of a thread.

#if REALS > 0
#define TABLES                                                                               \
    __shared__ __align__(16) REAL reals[REALS];                                              \
    __shared__ uint16 counts[COUNTS];                                                        \
    for (int i = threadIdx.x; i < REALS; i += blockDim.x) reals[i] = table_reals[i];         \
    for (int i = threadIdx.x; i < COUNTS; i += blockDim.x) counts[i] = table_counts[i];      \
    __syncthreads();
#else
#define TABLES                                                                               \
    const REAL* const reals = table_reals;                                                   \
    const uint16* const counts = table_counts;
#endif

#if FIRST_STAGE
extern "C" __global__ void fire_rules(
    const PIXEL* __restrict__ planes,
    REAL* __restrict__ strengths,         // n × RESULTS
    const int64 first,                    // the first of n pixels
    const int64 n,
    const int width,
    const int height)
{
    TABLES
    FOR_EACH(i, (n + ROWS - 1) / ROWS) {
        REAL x[ROWS * INPUTS], results[ROWS * RESULTS];
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            // Behind the last pixel it stands for those that are not there.
            const int64 at = i * ROWS + r < n ? i * ROWS + r : n - 1;
            see(window_at(planes, first + at, width, height), x + r * INPUTS);
        }
        steps(x, results, reals, counts);
#pragma unroll
        for (int k = 0; k < ROWS * RESULTS; ++k) {
            const int64 at = i * ROWS * RESULTS + k;
            if (at < n * RESULTS) strengths[at] = results[k];
        }
    }
}
#else
// Equation (1).
__device__ inline PIXEL rounded(const REAL v, const PIXEL center) {
    if (v != v) return center;
    const REAL number = REAL(STEPS) * v;
    const REAL limited = number < 0 ? REAL(0) : number > REAL(MOST) ? REAL(MOST) : number;
    const uint32 pixel = (uint32)(limited + 0.5 + TIE);
    return (PIXEL)(pixel < MOST ? pixel : MOST);
}

extern "C" __global__ void conclude(
    const REAL* __restrict__ strengths,   // n × INPUTS
    const PIXEL* __restrict__ planes,
    PIXEL* __restrict__ out,
    const int64 first,                    // the first of n pixels
    const int64 n)
{
    TABLES
    FOR_EACH(i, (n + ROWS - 1) / ROWS) {
        REAL x[ROWS * INPUTS], results[ROWS];
#pragma unroll
        for (int k = 0; k < ROWS * INPUTS; ++k) {
            const int64 at = i * ROWS * INPUTS + k;
            x[k] = at < n * INPUTS ? strengths[at] : REAL(0);
        }
        steps(x, results, reals, counts);
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            const int64 at = i * ROWS + r;
            if (at < n) out[first + at] = rounded(results[r], planes[first + at]);
        }
    }
}
#endif
