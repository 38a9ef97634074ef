// The general path in the two stages of Luke et al. (2008): rule firing, then implication, aggregation and
// defuzzification.
// The code before this file is generated for the operator. In the first stage, steps(x, results, …) computes RESULTS
// values from the INPUTS that read_inputs(at, x) reads from the window `at`; in the second stage it computes the pixel.
// FIRST_STAGE: 1 or 0. REAL: double. ROWS: pixels per thread.

#if REALS > 0
#define LOAD_TABLES                                                                          \
    __shared__ __align__(16) REAL reals[REALS];                                              \
    __shared__ uint16 counts[COUNTS];                                                        \
    for (int i = threadIdx.x; i < REALS; i += blockDim.x) reals[i] = table_reals[i];         \
    for (int i = threadIdx.x; i < COUNTS; i += blockDim.x) counts[i] = table_counts[i];      \
    __syncthreads();
#else
#define LOAD_TABLES                                                                          \
    const REAL* const reals = table_reals;                                                   \
    const uint16* const counts = table_counts;
#endif

#if FIRST_STAGE
extern "C" __global__ void fire_rules(
    const PIXEL* __restrict__ planes,
    REAL* __restrict__ strengths,         // n × RESULTS
    const int64 first,                    // first of n pixels
    const int64 n,
    const int width,
    const int height)
{
    LOAD_TABLES
    FOR_EACH(i, (n + ROWS - 1) / ROWS) {
        REAL x[ROWS * INPUTS], results[ROWS * RESULTS];
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            // The last pixel is repeated beyond the end.
            const int64 at = i * ROWS + r < n ? i * ROWS + r : n - 1;
            read_inputs(window_at(planes, first + at, width, height), x + r * INPUTS);
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
__device__ inline PIXEL round_to_pixel(const REAL v, const PIXEL center) {
    if (v != v) return center;
    const REAL scaled = REAL(SCALE) * v;
    const REAL clamped = scaled < 0 ? REAL(0) : scaled > REAL(MAX_PIXEL) ? REAL(MAX_PIXEL) : scaled;
    const uint32 pixel = (uint32)(clamped + 0.5 + TIE_BIAS);
    return (PIXEL)(pixel < MAX_PIXEL ? pixel : MAX_PIXEL);
}

extern "C" __global__ void aggregate_and_defuzzify(
    const REAL* __restrict__ strengths,   // n × INPUTS
    const PIXEL* __restrict__ planes,
    PIXEL* __restrict__ out,
    const int64 first,                    // first of n pixels
    const int64 n)
{
    LOAD_TABLES
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
            if (at < n) out[first + at] = round_to_pixel(results[r], planes[first + at]);
        }
    }
}
#endif
