// The mapping `atm`: tasks (a rule and an input) are coarsened, then bound to blocks of THREADS threads.
// THREADS_PER_RULE threads share a rule; each processes every THREADS_PER_RULE-th quad of its inputs (column
// coarsening). Each thread does so for RULES_PER_THREAD rules and reads the inputs of the sample only once (row
// coarsening). A sample takes two launches: in the first, each block computes D and partial sums of its rules; in
// the second, every block combines the values of all blocks redundantly and updates its rules.
//
// Constants in addition to per_sample.cuh: THREADS_PER_RULE (a power of two from 4 to THREADS), RULES_PER_THREAD.

#define QUADS (STRIDE / 4)
#define GROUPS (THREADS / THREADS_PER_RULE)
#define BLOCK_RULES (GROUPS * RULES_PER_THREAD)    // rules of a block, interleaved by group
#define VALUES (3 + OUTPUTS)                       // per block: smallest D, its rule, Σ exp, weighted sum for each output

// Sum over the THREADS_PER_RULE threads of a group, the same in all of them; called by all threads of the block.
__device__ inline float group_sum(float value, float* shared) {
    value = warp_sum(value, THREADS_PER_RULE < 32 ? THREADS_PER_RULE : 32);
#if THREADS_PER_RULE > 32
    __syncthreads();
    if ((threadIdx.x & 31) == 0) shared[threadIdx.x >> 5] = value;
    __syncthreads();
    value = 0.0f;
    for (int warp = 0; warp < THREADS_PER_RULE / 32; warp++)
        value += shared[threadIdx.x / THREADS_PER_RULE * (THREADS_PER_RULE / 32) + warp];
#endif
    return value;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) fire_tasks(
    const float* __restrict__ rows, const uint32* __restrict__ order, const float* __restrict__ a,
    const float* __restrict__ c, const float* __restrict__ w, const int* __restrict__ state,
    float* __restrict__ distances, float* __restrict__ block_values, const int capacity, const int graph_step) {
    __shared__ float shared[64], block_distances[BLOCK_RULES];
    const int sample = state[0] + graph_step, thread = threadIdx.x, lane = thread & 31, first = blockIdx.x * BLOCK_RULES;
    if (sample >= END) return;
    a += (int64)NETWORK * capacity * STRIDE;
    c += (int64)NETWORK * capacity * STRIDE;
    w += (int64)NETWORK * capacity * OUTPUTS;
    const int count = RULE_COUNT(sample), group = thread / THREADS_PER_RULE;
    const float* x = rows + (int64)order[sample] * ROW;
    float d[RULES_PER_THREAD];
#pragma unroll
    for (int r = 0; r < RULES_PER_THREAD; r++) d[r] = 0.0f;
    if (first < count) {
        for (int j = thread % THREADS_PER_RULE; j < QUADS; j += THREADS_PER_RULE) {
            const float4 x4 = ((const float4*)x)[j];
#pragma unroll
            for (int r = 0; r < RULES_PER_THREAD; r++) {
                const int64 k = first + r * GROUPS + group;
                if (k < count)
                    d[r] = add_squares(((const float4*)a)[k * QUADS + j], ((const float4*)c)[k * QUADS + j], x4, d[r]);
            }
        }
    }
#pragma unroll
    for (int r = 0; r < RULES_PER_THREAD; r++) {
        const float sum = fminf(group_sum(d[r], shared), MAX_DISTANCE);
        const int slot = r * GROUPS + group;
        if (thread % THREADS_PER_RULE == 0) {
            block_distances[slot] = sum;
            if (first + slot < count) distances[first + slot] = sum;
        }
    }
    __syncthreads();
    unsigned min_bits = NO_RULE;
    int nearest = 0x7fffffff;
    for (int slot = lane; slot < BLOCK_RULES && first + slot < count; slot += 32) {
        const unsigned bits = __float_as_uint(block_distances[slot]);
        if (bits < min_bits) {
            min_bits = bits;
            nearest = first + slot;
        }
    }
    warp_nearest(min_bits, nearest);
    if (thread == 0) {
        block_values[blockIdx.x] = __uint_as_float(min_bits);
        block_values[gridDim.x + blockIdx.x] = __int_as_float(nearest);
    }
    for (int l = (thread >> 5) - 1; l < OUTPUTS; l += WARPS) {    // -1: Σ exp
        float sum = 0.0f;
        for (int slot = lane; slot < BLOCK_RULES && first + slot < count; slot += 32) {
            const float u = EXP(__uint_as_float(min_bits) - block_distances[slot]);
            sum = fmaf(u, l < 0 ? 1.0f : w[(int64)(first + slot) * OUTPUTS + l], sum);
        }
        sum = warp_sum(sum, 32);
        if (lane == 0) block_values[(3 + l) * gridDim.x + blockIdx.x] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) update_tasks(
    const float* __restrict__ rows, const uint32* __restrict__ order, const float* __restrict__ all_settings,
    const int* __restrict__ replay, float* __restrict__ a, float* __restrict__ c, float* __restrict__ w,
    int* __restrict__ state, const float* __restrict__ distances, const float* __restrict__ block_values,
    int* __restrict__ decisions, double* __restrict__ loss, uint32* __restrict__ misclassified, const int capacity,
    const int graph_step, const int use_replay,
    const int cached_values    // block values that fit in shared memory
) {
    __shared__ float shared[64], y[OUTPUTS], e[OUTPUTS];
    DYNAMIC_SHARED(float, cache);
    const int sample = state[0] + graph_step, thread = threadIdx.x, lane = thread & 31, first = blockIdx.x * BLOCK_RULES;
    if (sample >= END) return;
    const int count = RULE_COUNT(sample), blocks = (count + BLOCK_RULES - 1) / BLOCK_RULES, all_blocks = gridDim.x;
    if (blockIdx.x > 0 && first >= count) return;
    a += (int64)NETWORK * capacity * STRIDE;
    c += (int64)NETWORK * capacity * STRIDE;
    w += (int64)NETWORK * capacity * OUTPUTS;
    const StepSettings settings = load_settings(all_settings, NETWORK);
    const float* x = rows + (int64)order[sample] * ROW;
    const float* t = x + STRIDE;
    // Every block combines the values of all blocks, from a cached copy if it fits.
    const int stride = VALUES * all_blocks <= cached_values ? blocks : all_blocks;
    const float* values = block_values;
    if (VALUES * all_blocks <= cached_values) {
        for (int index = thread >> 5; index < VALUES; index += WARPS)
#pragma unroll 4
            for (int b = lane; b < blocks; b += 32) cache[index * blocks + b] = block_values[index * all_blocks + b];
        __syncthreads();
        values = cache;
    }
    unsigned min_bits = NO_RULE;
    int nearest = 0x7fffffff;
    for (int b = lane; b < blocks; b += 32) {
        const unsigned d = __float_as_uint(values[b]);
        if (d < min_bits) {
            min_bits = d;
            nearest = __float_as_int(values[stride + b]);
        }
    }
    warp_nearest(min_bits, nearest);
    const float nearest_d = __uint_as_float(min_bits);
    const auto combine = [&](const int index) {
        float sum = 0.0f;
        for (int b = lane; b < blocks; b += 32) sum = fmaf(EXP(nearest_d - values[b]), values[index * stride + b], sum);
        return warp_sum(sum, 32);
    };
    float total = combine(2);
    const int decision = decide(settings, replay, use_replay, sample, count, nearest_d, nearest);
    // The block that updates the nearest rule adds the new one first, because only it can read the center before
    // the update.
    const bool adds = decision != NONE && (decision == FIRST ? blockIdx.x == 0 : decision / BLOCK_RULES == (int)blockIdx.x);
    if (adds) add_rule(settings, decision, nearest_d, count, x, a, c, shared);
    const float scale = rescale_for_new_rule(decision, nearest_d, total);
    const float inverse = 1.0f / total, min_distance = decision == NONE ? nearest_d : 0.0f;
    for (int l = thread >> 5; l < OUTPUTS; l += WARPS) {
        const float sum = combine(3 + l);
        if (lane == 0) write_output(l, sum, decision, scale, inverse, t, y, e);
    }
    __syncthreads();
    float cross_entropy_loss = 0.0f;
    if (settings.cross_entropy) {
        cross_entropy_loss = cross_entropy_gradient(y, e, t);
        __syncthreads();
    }
    if (adds)    // the new rule has D = 0 and z = 0: only its consequents change
        for (int l = thread; l < OUTPUTS; l += THREADS)
            w[(int64)count * OUTPUTS + l] = inverse >= MIN_UPDATE_FIRING ? t[l] - settings.rate_w * inverse * e[l] : t[l];
    if (blockIdx.x == 0 && thread == 0) {
        RULE_COUNT(sample + 1) = count + (decision != NONE);
        decisions[sample] = decision;
        add_stats(settings, y, e, t, cross_entropy_loss, loss + NETWORK, misclassified + NETWORK);
    }
    for (int r = 0; r < RULES_PER_THREAD; r++) {
        const int64 k = first + r * GROUPS + thread / THREADS_PER_RULE;
        const float phi = k < count ? EXP(min_distance - distances[k]) * inverse : 0.0f;
        const bool updates = phi >= MIN_UPDATE_FIRING;
        if (!__syncthreads_or(updates)) continue;
        float sum = 0.0f;
        if (updates)
            for (int l = thread % THREADS_PER_RULE; l < OUTPUTS; l += THREADS_PER_RULE)
                sum = fmaf(e[l], w[k * OUTPUTS + l] - y[l], sum);
        const float q = phi * group_sum(sum, shared);
        if (!updates) continue;
        for (int l = thread % THREADS_PER_RULE; l < OUTPUTS; l += THREADS_PER_RULE)
            w[k * OUTPUTS + l] -= settings.rate_w * phi * e[l];
        const float p = -2.0f * settings.rate_m * q, s = 2.0f * settings.rate_s * q;
        for (int j = thread % THREADS_PER_RULE; j < QUADS; j += THREADS_PER_RULE) {
            float4 inverse4 = ((float4*)a)[k * QUADS + j], center = ((float4*)c)[k * QUADS + j];
            update_input(inverse4, center, ((const float4*)x)[j], p, s, settings);
            ((float4*)a)[k * QUADS + j] = inverse4;
            ((float4*)c)[k * QUADS + j] = center;
        }
    }
}
