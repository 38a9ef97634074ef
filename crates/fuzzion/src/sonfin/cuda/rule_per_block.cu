// The mapping `rule-per-block` of GPU-FNN: one block per rule and one thread per input, so at most 1,024 inputs;
// one launch computes D, one block combines the rules, one launch updates them.

extern "C" __global__ void __launch_bounds__(THREADS, 1) fire_rules(
    const float* __restrict__ rows, const uint32* __restrict__ order, const float* __restrict__ a,
    const float* __restrict__ c, const int* __restrict__ state, float* __restrict__ distances, const int capacity,
    const int graph_step) {
    __shared__ float shared[32];
    const int sample = state[0] + graph_step, k = blockIdx.x, j = threadIdx.x;
    if (sample >= END || k >= RULE_COUNT(sample)) return;
    a += (int64)NETWORK * capacity * STRIDE;
    c += (int64)NETWORK * capacity * STRIDE;
    const float* x = rows + (int64)order[sample] * ROW;
    float z = 0.0f;
    if (j < DIMS) z = z_score(a[(int64)k * STRIDE + j], c[(int64)k * STRIDE + j], x[j]);
    const float d = block_sum(z * z, shared);
    if (j == 0) distances[k] = fminf(d, MAX_DISTANCE);
}

// One block: Equations (2) and (3). `result`: smallest D, 1/Σ, then y and e.
extern "C" __global__ void __launch_bounds__(512) combine_rules(
    const float* __restrict__ rows, const uint32* __restrict__ order, const float* __restrict__ all_settings,
    const int* __restrict__ replay, float* __restrict__ a, float* __restrict__ c, float* __restrict__ w,
    int* __restrict__ state, float* __restrict__ distances, float* __restrict__ result, int* __restrict__ decisions,
    double* __restrict__ loss, uint32* __restrict__ misclassified, const int capacity, const int graph_step,
    const int use_replay) {
    __shared__ float shared[64];
    const int sample = state[0] + graph_step, thread = threadIdx.x, lane = thread & 31;
    if (sample >= END) return;
    const StepSettings settings = load_settings(all_settings, NETWORK);
    a += (int64)NETWORK * capacity * STRIDE;
    c += (int64)NETWORK * capacity * STRIDE;
    w += (int64)NETWORK * capacity * OUTPUTS;
    const float* x = rows + (int64)order[sample] * ROW;
    const float* t = x + STRIDE;
    const int count = RULE_COUNT(sample);
    unsigned min_bits = NO_RULE;
    int nearest = 0x7fffffff;
    for (int k = thread; k < count; k += blockDim.x) {
        const unsigned d = __float_as_uint(distances[k]);
        if (d < min_bits) {
            min_bits = d;
            nearest = k;
        }
    }
    block_nearest(min_bits, nearest, (unsigned*)shared);
    const float nearest_d = __uint_as_float(min_bits);
    float total = 0.0f;
    for (int k = thread; k < count; k += blockDim.x) total += EXP(nearest_d - distances[k]);
    total = block_sum(total, shared);
    const int decision = decide(settings, replay, use_replay, sample, count, nearest_d, nearest);
    if (decision != NONE) {
        add_rule(settings, decision, nearest_d, count, x, a, c, shared);
        for (int l = thread; l < OUTPUTS; l += blockDim.x) w[(int64)count * OUTPUTS + l] = t[l];
        if (thread == 0) distances[count] = 0.0f;
    }
    const float scale = rescale_for_new_rule(decision, nearest_d, total);
    const float inverse = 1.0f / total;
    float* y = result + 2;
    float* e = y + OUTPUTS;
    for (int l = thread >> 5; l < OUTPUTS; l += blockDim.x >> 5) {
        float sum = 0.0f;
        for (int k = lane; k < count; k += 32) sum = fmaf(EXP(nearest_d - distances[k]), w[(int64)k * OUTPUTS + l], sum);
        sum = warp_sum(sum, 32);
        if (lane == 0) write_output(l, sum, decision, scale, inverse, t, y, e);
    }
    __syncthreads();
    float cross_entropy_loss = 0.0f;
    if (settings.cross_entropy) {
        cross_entropy_loss = cross_entropy_gradient(y, e, t);
        __syncthreads();
    }
    if (thread == 0) {
        result[0] = decision == NONE ? nearest_d : 0.0f;
        result[1] = inverse;
        RULE_COUNT(sample + 1) = count + (decision != NONE);
        decisions[sample] = decision;
        add_stats(settings, y, e, t, cross_entropy_loss, loss + NETWORK, misclassified + NETWORK);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) update_rules(
    const float* __restrict__ rows, const uint32* __restrict__ order, const float* __restrict__ all_settings,
    float* __restrict__ a, float* __restrict__ c, float* __restrict__ w, const int* __restrict__ state,
    const float* __restrict__ distances, const float* __restrict__ result, const int capacity, const int graph_step) {
    __shared__ float shared[32];
    const int sample = state[0] + graph_step, k = blockIdx.x, j = threadIdx.x;
    if (sample >= END || k >= RULE_COUNT(sample + 1)) return;
    const float phi = EXP(result[0] - distances[k]) * result[1];
    if (!(phi >= MIN_UPDATE_FIRING)) return;
    const StepSettings settings = load_settings(all_settings, NETWORK);
    a += (int64)NETWORK * capacity * STRIDE;
    c += (int64)NETWORK * capacity * STRIDE;
    w += (int64)NETWORK * capacity * OUTPUTS;
    const float* x = rows + (int64)order[sample] * ROW;
    const float* y = result + 2;
    const float* e = y + OUTPUTS;
    float sum = 0.0f;
    for (int l = j; l < OUTPUTS; l += THREADS) sum = fmaf(e[l], w[(int64)k * OUTPUTS + l] - y[l], sum);
    const float q = phi * block_sum(sum, shared);
    for (int l = j; l < OUTPUTS; l += THREADS) w[(int64)k * OUTPUTS + l] -= settings.rate_w * phi * e[l];
    if (j < DIMS) {
        float inverse = a[(int64)k * STRIDE + j], center = c[(int64)k * STRIDE + j];
        update_input(inverse, center, x[j], -2.0f * settings.rate_m * q, 2.0f * settings.rate_s * q, settings);
        a[(int64)k * STRIDE + j] = inverse;
        c[(int64)k * STRIDE + j] = center;
    }
}
