// Common parts of the mappings that launch kernels for every sample. A CUDA graph contains the launches of several
// samples and is replayed; `graph_step` is the index of a launch's sample in the graph. `state`: first sample of the graph, number of
// rules before even and before odd samples (so that one launch can increment it while others still read it),
// network, end of its samples.
//
// Constants: DIMS, OUTPUTS, THREADS, MISSING, STEP_SETTINGS, FAST_EXP (hardware exponential).

#define PADDED(count) (((count) + 3) & ~3)
#define STRIDE PADDED(DIMS)
#define ROW (STRIDE + PADDED(OUTPUTS + 1))
#define WARPS (THREADS / 32)
#define RULE_COUNT(sample) state[1 + ((sample) & 1)]
#define NETWORK state[3]
#define END state[4]
#define NO_RULE 0xffffffffu    // smallest D of a block without rules

#if FAST_EXP
#define EXP(x) __expf(x)
#else
#define EXP(x) expf(x)
#endif

// Sum over the block, the same in all threads. `shared` holds 32 values; called by all threads.
__device__ inline float block_sum(float value, float* shared) {
    value = warp_sum(value, 32);
    __syncthreads();
    if ((threadIdx.x & 31) == 0) shared[threadIdx.x >> 5] = value;
    __syncthreads();
    value = (threadIdx.x & 31) < (blockDim.x + 31) / 32 ? shared[threadIdx.x & 31] : 0.0f;
    return warp_sum(value, 32);
}

// Smallest D of the block and the first rule with it, the same in all threads. `shared` holds 64 values.
__device__ inline void block_nearest(unsigned& d, int& rule, unsigned* shared) {
    warp_nearest(d, rule);
    __syncthreads();
    if ((threadIdx.x & 31) == 0) {
        shared[threadIdx.x >> 5] = d;
        shared[32 + (threadIdx.x >> 5)] = (unsigned)rule;
    }
    __syncthreads();
    const bool present = (threadIdx.x & 31) < (blockDim.x + 31) / 32;
    d = present ? shared[threadIdx.x & 31] : NO_RULE;
    rule = present ? (int)shared[32 + (threadIdx.x & 31)] : 0x7fffffff;
    warp_nearest(d, rule);
}

// Structure decision for a sample: NONE, FIRST, or the rule nearest to the added one.
__device__ inline int decide(const StepSettings& settings, const int* replay, const int use_replay, const int sample,
                             const int count, const float min_distance, const int nearest) {
    if (use_replay) return replay[sample];
    if (count >= settings.max_rules) return NONE;
    if (count == 0) return FIRST;
    return -min_distance <= settings.ln_threshold ? nearest : NONE;
}

// Writes the centers and widths of the new rule `count`; called by all threads of a block. `shared` holds 32
// values.
__device__ inline void add_rule(const StepSettings& settings, const int decision, const float nearest, const int count,
                                const float* x, float* a, float* c, float* shared) {
    float square = 0.0f;
    if (decision != FIRST && settings.width_rule != 2)
        for (int j = threadIdx.x; j < DIMS; j += blockDim.x)
            square += squared_distance(a[(int64)decision * STRIDE + j], c[(int64)decision * STRIDE + j], x[j]);
    square = block_sum(square, shared);
    const float width = rule_width(settings, square, nearest, decision == FIRST);
    for (int j = threadIdx.x; j < STRIDE; j += blockDim.x)
        write_input(a + (int64)count * STRIDE, c + (int64)count * STRIDE, j,
                    j < DIMS ? x[j] : __uint_as_float(0x7fc00000u), width);
}

// Scale of the existing rules' sums relative to a new rule with D = 0; updates `total`, the sum of the
// exponentials.
__device__ inline float rescale_for_new_rule(const int decision, const float nearest, float& total) {
    if (decision == NONE) return 1.0f;
    const float scale = decision == FIRST ? 0.0f : EXP(-nearest);
    total = decision == FIRST ? 1.0f : fmaf(total, scale, 1.0f);
    return scale;
}

// Output l and its error from the weighted sum of the consequents; called by one thread.
__device__ inline void write_output(const int l, float sum, const int decision, const float scale, const float inverse,
                                    const float* t, float* y, float* e) {
    if (decision != NONE) sum = decision == FIRST ? t[l] : fmaf(sum, scale, t[l]);
    y[l] = sum * inverse;
    e[l] = sum * inverse - t[l];
}

// Gradient e and loss of the cross-entropy; called by all threads, between two barriers.
__device__ inline float cross_entropy_gradient(const float* y, float* e, const float* t) {
    float highest = -MAX_DISTANCE, sum = 0.0f;
    for (int l = 0; l < OUTPUTS; l++) highest = fmaxf(highest, y[l]);
    for (int l = 0; l < OUTPUTS; l++) sum += EXP(y[l] - highest);
    for (int l = threadIdx.x; l < OUTPUTS; l += blockDim.x) e[l] = EXP(y[l] - highest) / sum - t[l];
    return logf(sum) + highest - y[(int)t[OUTPUTS]];
}

// Adds a sample to the statistics; called by one thread.
__device__ inline void add_stats(const StepSettings& settings, const float* y, const float* e, const float* t,
                                 const float cross_entropy_loss, double* loss, uint32* misclassified) {
    int best = 0;
    float squares = 0.0f;
    for (int l = 0; l < OUTPUTS; l++) {
        if (y[l] > y[best]) best = l;
        squares = fmaf(e[l], e[l], squares);
    }
    *loss += settings.cross_entropy ? (double)cross_entropy_loss : 0.5 * (double)squares;
    *misclassified += best != (int)t[OUTPUTS];
}

extern "C" __global__ void advance(int* __restrict__ state, const int samples) { state[0] += samples; }
