// The mapping `atm`: tasks (a rule and an input) are coarsened, then bound to blocks of THREADS threads. WIDE threads share a
// rule, each with every WIDE-th four of its inputs (column coarsening); each thread does so for DEEP rules, for which it reads
// inputs of the sample once (row coarsening). A block sums what its rules say, so that two launches do for a sample: one to
// fire, and one in which every block concludes for itself what all say together, and moves its rules.
//
// Constants beyond launched.cuh: WIDE (a power of two, 4 to THREADS), DEEP.

#define QUADS (STRIDE / 4)
#define GROUPS (THREADS / WIDE)
#define RULES (GROUPS * DEEP)     // of a block: its groups in turn
#define SAID (3 + OUTPUTS)        // words of a block: nearest D, its rule, Σ exp, what its rules say to each output

// The sum over the WIDE threads of a group, the same in all of them; all threads of the block call it.
__device__ inline float group_sum(float value, float* shared) {
    value = sum_of(value, WIDE < 32 ? WIDE : 32);
#if WIDE > 32
    __syncthreads();
    if ((threadIdx.x & 31) == 0) shared[threadIdx.x >> 5] = value;
    __syncthreads();
    value = 0.0f;
    for (int other = 0; other < WIDE / 32; other++) value += shared[threadIdx.x / WIDE * (WIDE / 32) + other];
#endif
    return value;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) fire_tasks(
    const float* __restrict__ rows, const uint32* __restrict__ order, const float* __restrict__ a,
    const float* __restrict__ c, const float* __restrict__ w, const int* __restrict__ state,
    float* __restrict__ distances, float* __restrict__ sums, const int most, const int place) {
    __shared__ float shared[64], own[RULES];
    const int sample = state[0] + place, thread = threadIdx.x, lane = thread & 31, first = blockIdx.x * RULES;
    if (sample >= END) return;
    a += (int64)NETWORK * most * STRIDE;
    c += (int64)NETWORK * most * STRIDE;
    w += (int64)NETWORK * most * OUTPUTS;
    const int count = COUNT(sample), group = thread / WIDE;
    const float* x = rows + (int64)order[sample] * ROW;
    float d[DEEP];
#pragma unroll
    for (int r = 0; r < DEEP; r++) d[r] = 0.0f;
    if (first < count) {
        for (int j = thread % WIDE; j < QUADS; j += WIDE) {
            const float4 here = ((const float4*)x)[j];
#pragma unroll
            for (int r = 0; r < DEEP; r++) {
                const int64 k = first + r * GROUPS + group;
                if (k < count) d[r] = apart(((const float4*)a)[k * QUADS + j], ((const float4*)c)[k * QUADS + j], here, d[r]);
            }
        }
    }
#pragma unroll
    for (int r = 0; r < DEEP; r++) {
        const float sum = fminf(group_sum(d[r], shared), FARTHEST);
        const int slot = r * GROUPS + group;
        if (thread % WIDE == 0) {
            own[slot] = sum;
            if (first + slot < count) distances[first + slot] = sum;
        }
    }
    __syncthreads();
    unsigned near = NOBODY;
    int nearest = 0x7fffffff;
    for (int slot = lane; slot < RULES && first + slot < count; slot += 32) {
        const unsigned here = __float_as_uint(own[slot]);
        if (here < near) {
            near = here;
            nearest = first + slot;
        }
    }
    nearest_of(near, nearest);
    if (thread == 0) {
        sums[blockIdx.x] = __uint_as_float(near);
        sums[gridDim.x + blockIdx.x] = __int_as_float(nearest);
    }
    for (int l = (thread >> 5) - 1; l < OUTPUTS; l += WARPS) {    // -1: Σ exp
        float sum = 0.0f;
        for (int slot = lane; slot < RULES && first + slot < count; slot += 32) {
            const float u = EXP(__uint_as_float(near) - own[slot]);
            sum = fmaf(u, l < 0 ? 1.0f : w[(int64)(first + slot) * OUTPUTS + l], sum);
        }
        sum = sum_of(sum, 32);
        if (lane == 0) sums[(3 + l) * gridDim.x + blockIdx.x] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) move_tasks(
    const float* __restrict__ rows, const uint32* __restrict__ order, const float* __restrict__ courses,
    const int* __restrict__ replay, float* __restrict__ a, float* __restrict__ c, float* __restrict__ w,
    int* __restrict__ state, const float* __restrict__ distances, const float* __restrict__ sums,
    int* __restrict__ grown, double* __restrict__ loss, uint32* __restrict__ wrong, const int most, const int place,
    const int replays,
    const int kept    // words of all blocks that shared memory has room for
) {
    __shared__ float shared[64], y[OUTPUTS], e[OUTPUTS];
    DYNAMIC_SHARED(float, box);
    const int sample = state[0] + place, thread = threadIdx.x, lane = thread & 31, first = blockIdx.x * RULES;
    if (sample >= END) return;
    const int count = COUNT(sample), blocks = (count + RULES - 1) / RULES, all = gridDim.x;
    if (blockIdx.x > 0 && first >= count) return;
    a += (int64)NETWORK * most * STRIDE;
    c += (int64)NETWORK * most * STRIDE;
    w += (int64)NETWORK * most * OUTPUTS;
    const Course course = course_of(courses, NETWORK);
    const float* x = rows + (int64)order[sample] * ROW;
    const float* t = x + STRIDE;
    // What all say together: every block finds the same, from a copy of its own where that fits.
    const int width = SAID * all <= kept ? blocks : all;
    const float* told = sums;
    if (SAID * all <= kept) {
        for (int word = thread >> 5; word < SAID; word += WARPS)
#pragma unroll 4
            for (int b = lane; b < blocks; b += 32) box[word * blocks + b] = sums[word * all + b];
        __syncthreads();
        told = box;
    }
    unsigned near = NOBODY;
    int nearest = 0x7fffffff;
    for (int b = lane; b < blocks; b += 32) {
        const unsigned d = __float_as_uint(told[b]);
        if (d < near) {
            near = d;
            nearest = __float_as_int(told[width + b]);
        }
    }
    nearest_of(near, nearest);
    const float nearest_d = __uint_as_float(near);
    const auto together = [&](const int word) {
        float sum = 0.0f;
        for (int b = lane; b < blocks; b += 32) sum = fmaf(EXP(nearest_d - told[b]), told[word * width + b], sum);
        return sum_of(sum, 32);
    };
    float total = together(2);
    const int decision = decide(course, replay, replays, sample, count, nearest_d, nearest);
    // The block that moves the nearest rule adds the new one before: it alone knows where the nearest is now.
    const bool adds = decision != NONE && (decision == FIRST ? blockIdx.x == 0 : decision / RULES == (int)blockIdx.x);
    if (adds) add_rule(course, decision, nearest_d, count, x, a, c, shared);
    const float scale = beside_new_rule(decision, nearest_d, total);
    const float inverse = 1.0f / total, least = decision == NONE ? nearest_d : 0.0f;
    for (int l = thread >> 5; l < OUTPUTS; l += WARPS) {
        const float sum = together(3 + l);
        if (lane == 0) put_output(l, sum, decision, scale, inverse, t, y, e);
    }
    __syncthreads();
    float entropy = 0.0f;
    if (course.cross_entropy) {
        entropy = soften(y, e, t);
        __syncthreads();
    }
    if (adds)    // the new rule has D = 0 and z = 0: only what it says moves
        for (int l = thread; l < OUTPUTS; l += THREADS)
            w[(int64)count * OUTPUTS + l] = inverse >= UNMOVED ? t[l] - course.rate_w * inverse * e[l] : t[l];
    if (blockIdx.x == 0 && thread == 0) {
        COUNT(sample + 1) = count + (decision != NONE);
        grown[sample] = decision;
        tally(course, y, e, t, entropy, loss + NETWORK, wrong + NETWORK);
    }
    for (int r = 0; r < DEEP; r++) {
        const int64 k = first + r * GROUPS + thread / WIDE;
        const float phi = k < count ? EXP(least - distances[k]) * inverse : 0.0f;
        const bool moves = phi >= UNMOVED;
        if (!__syncthreads_or(moves)) continue;
        float sum = 0.0f;
        if (moves)
            for (int l = thread % WIDE; l < OUTPUTS; l += WIDE) sum = fmaf(e[l], w[k * OUTPUTS + l] - y[l], sum);
        const float q = phi * group_sum(sum, shared);
        if (!moves) continue;
        for (int l = thread % WIDE; l < OUTPUTS; l += WIDE) w[k * OUTPUTS + l] -= course.rate_w * phi * e[l];
        const float p = -2.0f * course.rate_m * q, s = 2.0f * course.rate_s * q;
        for (int j = thread % WIDE; j < QUADS; j += WIDE) {
            float4 own = ((float4*)a)[k * QUADS + j], center = ((float4*)c)[k * QUADS + j];
            move(own, center, ((const float4*)x)[j], p, s, course);
            ((float4*)a)[k * QUADS + j] = own;
            ((float4*)c)[k * QUADS + j] = center;
        }
    }
}
