// What the mappings share that launch kernels for every sample. A graph holds the launches of some samples and is replayed;
// launches know their place in it. `state`: the sample it begins with, how many rules there are before even and before odd
// samples (so that a launch may count on while others still read), the network, the end of its samples.
//
// Constants: DIMS, OUTPUTS, THREADS, MISSING, COURSE, QUICK (the hardware's own exponential).

#define PADDED(count) (((count) + 3) & ~3)
#define STRIDE PADDED(DIMS)
#define ROW (STRIDE + PADDED(OUTPUTS + 1))
#define WARPS (THREADS / 32)
#define COUNT(sample) state[1 + ((sample) & 1)]
#define NETWORK state[3]
#define END state[4]
#define NOBODY 0xffffffffu    // the nearest D of a block without rules

#if QUICK
#define EXP(x) __expf(x)
#else
#define EXP(x) expf(x)
#endif

// Sums over the block, the same in all threads. `shared` holds 32 numbers; all threads call it.
__device__ inline float block_sum(float value, float* shared) {
    value = sum_of(value, 32);
    __syncthreads();
    if ((threadIdx.x & 31) == 0) shared[threadIdx.x >> 5] = value;
    __syncthreads();
    value = (threadIdx.x & 31) < (blockDim.x + 31) / 32 ? shared[threadIdx.x & 31] : 0.0f;
    return sum_of(value, 32);
}

// The least D of the block and the first rule that has it, the same in all threads. `shared` holds 64 words.
__device__ inline void block_nearest(unsigned& d, int& rule, unsigned* shared) {
    nearest_of(d, rule);
    __syncthreads();
    if ((threadIdx.x & 31) == 0) {
        shared[threadIdx.x >> 5] = d;
        shared[32 + (threadIdx.x >> 5)] = (unsigned)rule;
    }
    __syncthreads();
    const bool there = (threadIdx.x & 31) < (blockDim.x + 31) / 32;
    d = there ? shared[threadIdx.x & 31] : NOBODY;
    rule = there ? (int)shared[32 + (threadIdx.x & 31)] : 0x7fffffff;
    nearest_of(d, rule);
}

// What becomes of a sample: NONE, FIRST, or the nearest rule of the one that is added.
__device__ inline int decide(const Course& course, const int* replay, const int replays, const int sample, const int count,
                             const float least, const int nearest) {
    if (replays) return replay[sample];
    if (count >= course.most_rules) return NONE;
    if (count == 0) return FIRST;
    return -least <= course.ln_threshold ? nearest : NONE;
}

// What a new rule, number `count`, asks, by all threads of the block that adds it. `shared` holds 32 numbers.
__device__ inline void add_rule(const Course& course, const int decision, const float nearest, const int count,
                                const float* x, float* a, float* c, float* shared) {
    float square = 0.0f;
    if (decision != FIRST && course.width_rule != 2)
        for (int j = threadIdx.x; j < DIMS; j += blockDim.x)
            square += distance_square(a[(int64)decision * STRIDE + j], c[(int64)decision * STRIDE + j], x[j]);
    square = block_sum(square, shared);
    const float size = width_of(course, square, nearest, decision == FIRST);
    for (int j = threadIdx.x; j < STRIDE; j += blockDim.x)
        found(a + (int64)count * STRIDE, c + (int64)count * STRIDE, j, j < DIMS ? x[j] : __uint_as_float(0x7fc00000u), size);
}

// How what the rules said together shrinks beside a new rule, whose D is 0; takes `total`, the sum of their firing, along.
__device__ inline float beside_new_rule(const int decision, const float nearest, float& total) {
    if (decision == NONE) return 1.0f;
    const float scale = decision == FIRST ? 0.0f : EXP(-nearest);
    total = decision == FIRST ? 1.0f : fmaf(total, scale, 1.0f);
    return scale;
}

// Output l and its error from Σ of what the rules said, by one thread.
__device__ inline void put_output(const int l, float sum, const int decision, const float scale, const float inverse,
                                  const float* t, float* y, float* e) {
    if (decision != NONE) sum = decision == FIRST ? t[l] : fmaf(sum, scale, t[l]);
    y[l] = sum * inverse;
    e[l] = sum * inverse - t[l];
}

// e from y for the cross-entropy, and the loss; called by all threads after a barrier, followed by one.
__device__ inline float soften(const float* y, float* e, const float* t) {
    float highest = -FARTHEST, sum = 0.0f;
    for (int l = 0; l < OUTPUTS; l++) highest = fmaxf(highest, y[l]);
    for (int l = 0; l < OUTPUTS; l++) sum += EXP(y[l] - highest);
    for (int l = threadIdx.x; l < OUTPUTS; l += blockDim.x) e[l] = EXP(y[l] - highest) / sum - t[l];
    return logf(sum) + highest - y[(int)t[OUTPUTS]];
}

// Adds a sample to the tally, by one thread.
__device__ inline void tally(const Course& course, const float* y, const float* e, const float* t, const float entropy,
                             double* loss, uint32* wrong) {
    int which = 0;
    float squares = 0.0f;
    for (int l = 0; l < OUTPUTS; l++) {
        if (y[l] > y[which]) which = l;
        squares = fmaf(e[l], e[l], squares);
    }
    *loss += course.cross_entropy ? (double)entropy : 0.5 * (double)squares;
    *wrong += which != (int)t[OUTPUTS];
}

extern "C" __global__ void advance(int* __restrict__ state, const int samples) { state[0] += samples; }
