// The mapping `rule-per-block`, as GPU-FNN had it: a block for each rule and a thread for each input, so at most 1,024 of
// these; one launch finds D, one block concludes, one launch moves.

extern "C" __global__ void __launch_bounds__(THREADS, 1) fire_rules(
    const float* __restrict__ rows, const uint32* __restrict__ order, const float* __restrict__ a,
    const float* __restrict__ c, const int* __restrict__ state, float* __restrict__ distances, const int most,
    const int place) {
    __shared__ float shared[32];
    const int sample = state[0] + place, k = blockIdx.x, j = threadIdx.x;
    if (sample >= END || k >= COUNT(sample)) return;
    a += (int64)NETWORK * most * STRIDE;
    c += (int64)NETWORK * most * STRIDE;
    const float* x = rows + (int64)order[sample] * ROW;
    float z = 0.0f;
    if (j < DIMS) z = offset(a[(int64)k * STRIDE + j], c[(int64)k * STRIDE + j], x[j]);
    const float d = block_sum(z * z, shared);
    if (j == 0) distances[k] = fminf(d, FARTHEST);
}

// One block: equations (2) and (3). result: nearest D, 1/Σ, then y and e.
extern "C" __global__ void __launch_bounds__(512) conclude(
    const float* __restrict__ rows, const uint32* __restrict__ order, const float* __restrict__ courses,
    const int* __restrict__ replay, float* __restrict__ a, float* __restrict__ c, float* __restrict__ w,
    int* __restrict__ state, float* __restrict__ distances, float* __restrict__ result, int* __restrict__ grown,
    double* __restrict__ loss, uint32* __restrict__ wrong, const int most, const int place, const int replays) {
    __shared__ float shared[64];
    const int sample = state[0] + place, thread = threadIdx.x, lane = thread & 31;
    if (sample >= END) return;
    const Course course = course_of(courses, NETWORK);
    a += (int64)NETWORK * most * STRIDE;
    c += (int64)NETWORK * most * STRIDE;
    w += (int64)NETWORK * most * OUTPUTS;
    const float* x = rows + (int64)order[sample] * ROW;
    const float* t = x + STRIDE;
    const int count = COUNT(sample);
    unsigned near = NOBODY;
    int nearest = 0x7fffffff;
    for (int k = thread; k < count; k += blockDim.x) {
        const unsigned d = __float_as_uint(distances[k]);
        if (d < near) {
            near = d;
            nearest = k;
        }
    }
    block_nearest(near, nearest, (unsigned*)shared);
    const float nearest_d = __uint_as_float(near);
    float total = 0.0f;
    for (int k = thread; k < count; k += blockDim.x) total += EXP(nearest_d - distances[k]);
    total = block_sum(total, shared);
    const int decision = decide(course, replay, replays, sample, count, nearest_d, nearest);
    if (decision != NONE) {
        add_rule(course, decision, nearest_d, count, x, a, c, shared);
        for (int l = thread; l < OUTPUTS; l += blockDim.x) w[(int64)count * OUTPUTS + l] = t[l];
        if (thread == 0) distances[count] = 0.0f;
    }
    const float scale = beside_new_rule(decision, nearest_d, total);
    const float inverse = 1.0f / total;
    float* y = result + 2;
    float* e = y + OUTPUTS;
    for (int l = thread >> 5; l < OUTPUTS; l += blockDim.x >> 5) {
        float sum = 0.0f;
        for (int k = lane; k < count; k += 32) sum = fmaf(EXP(nearest_d - distances[k]), w[(int64)k * OUTPUTS + l], sum);
        sum = sum_of(sum, 32);
        if (lane == 0) put_output(l, sum, decision, scale, inverse, t, y, e);
    }
    __syncthreads();
    float entropy = 0.0f;
    if (course.cross_entropy) {
        entropy = soften(y, e, t);
        __syncthreads();
    }
    if (thread == 0) {
        result[0] = decision == NONE ? nearest_d : 0.0f;
        result[1] = inverse;
        COUNT(sample + 1) = count + (decision != NONE);
        grown[sample] = decision;
        tally(course, y, e, t, entropy, loss + NETWORK, wrong + NETWORK);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) move_rules(
    const float* __restrict__ rows, const uint32* __restrict__ order, const float* __restrict__ courses,
    float* __restrict__ a, float* __restrict__ c, float* __restrict__ w, const int* __restrict__ state,
    const float* __restrict__ distances, const float* __restrict__ result, const int most, const int place) {
    __shared__ float shared[32];
    const int sample = state[0] + place, k = blockIdx.x, j = threadIdx.x;
    if (sample >= END || k >= COUNT(sample + 1)) return;
    const float phi = EXP(result[0] - distances[k]) * result[1];
    if (!(phi >= UNMOVED)) return;
    const Course course = course_of(courses, NETWORK);
    a += (int64)NETWORK * most * STRIDE;
    c += (int64)NETWORK * most * STRIDE;
    w += (int64)NETWORK * most * OUTPUTS;
    const float* x = rows + (int64)order[sample] * ROW;
    const float* y = result + 2;
    const float* e = y + OUTPUTS;
    float sum = 0.0f;
    for (int l = j; l < OUTPUTS; l += THREADS) sum = fmaf(e[l], w[(int64)k * OUTPUTS + l] - y[l], sum);
    const float q = phi * block_sum(sum, shared);
    for (int l = j; l < OUTPUTS; l += THREADS) w[(int64)k * OUTPUTS + l] -= course.rate_w * phi * e[l];
    if (j < DIMS) {
        float own = a[(int64)k * STRIDE + j], center = c[(int64)k * STRIDE + j];
        move(own, center, x[j], -2.0f * course.rate_m * q, 2.0f * course.rate_s * q, course);
        a[(int64)k * STRIDE + j] = own;
        c[(int64)k * STRIDE + j] = center;
    }
}
