// Outputs of many rows: D of all rows and rules, tiled like a matrix product, then the weighted means of the
// consequents. z = a·x − c and D += z·z take two multiply-adds, the same as the expanded product Σ x²a² − 2·Σ x·a·c
// + Σ c², but without cancellation.
//
// Constants: DIMS, OUTPUTS, MISSING, STEP_SETTINGS (unused here).

#define PADDED(count) (((count) + 3) & ~3)
#define STRIDE PADDED(DIMS)
#define ROW (STRIDE + PADDED(OUTPUTS + 1))
#define THREADS 256
#define TILE_ROWS 128    // 8 per thread
#define TILE_RULES 64    // 4 per thread
#define CHUNK 16         // inputs per iteration

extern "C" __global__ void __launch_bounds__(THREADS, 1) distances_of_rows(
    const float* __restrict__ rows,            // n x ROW
    const uint32* __restrict__ row_indices,    // requested rows
    const float* __restrict__ a,               // rules x STRIDE, after an offset of `network_offset` rules
    const float* __restrict__ c,
    float* __restrict__ distances,             // count x rules
    const int64 network_offset, const int count, const int rules) {
    __shared__ __align__(16) float xs[CHUNK][TILE_ROWS + 4], as[CHUNK][TILE_RULES + 4], cs[CHUNK][TILE_RULES + 4];
    const int thread = threadIdx.x, row = thread / 16 * 8, rule = thread % 16 * 4;
    const int64 first_row = (int64)blockIdx.x * TILE_ROWS;
    const int first_rule = blockIdx.y * TILE_RULES;
    a += network_offset * STRIDE;
    c += network_offset * STRIDE;
    float d[8][4] = {};
    for (int from = 0; from < STRIDE; from += CHUNK) {
        for (int i = thread; i < TILE_ROWS * CHUNK / 4; i += THREADS) {
            const int r = i / (CHUNK / 4), j = i % (CHUNK / 4) * 4;
            float4 x = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (first_row + r < count && from + j < STRIDE)
                x = *(const float4*)(rows + (int64)row_indices[first_row + r] * ROW + from + j);
            xs[j][r] = x.x;
            xs[j + 1][r] = x.y;
            xs[j + 2][r] = x.z;
            xs[j + 3][r] = x.w;
        }
        for (int i = thread; i < TILE_RULES * CHUNK / 4; i += THREADS) {
            const int k = i / (CHUNK / 4), j = i % (CHUNK / 4) * 4;
            float4 inverse = make_float4(0.0f, 0.0f, 0.0f, 0.0f), center = inverse;
            if (first_rule + k < rules && from + j < STRIDE) {
                inverse = *(const float4*)(a + (int64)(first_rule + k) * STRIDE + from + j);
                center = *(const float4*)(c + (int64)(first_rule + k) * STRIDE + from + j);
            }
            as[j][k] = inverse.x;
            as[j + 1][k] = inverse.y;
            as[j + 2][k] = inverse.z;
            as[j + 3][k] = inverse.w;
            cs[j][k] = center.x;
            cs[j + 1][k] = center.y;
            cs[j + 2][k] = center.z;
            cs[j + 3][k] = center.w;
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < CHUNK; j++) {
            const float4 x0 = *(const float4*)&xs[j][row], x1 = *(const float4*)&xs[j][row + 4];
            const float4 inverse = *(const float4*)&as[j][rule], center = *(const float4*)&cs[j][rule];
            const float x[8] = {x0.x, x0.y, x0.z, x0.w, x1.x, x1.y, x1.z, x1.w};
            const float wa[4] = {inverse.x, inverse.y, inverse.z, inverse.w}, wc[4] = {center.x, center.y, center.z, center.w};
#pragma unroll
            for (int r = 0; r < 8; r++)
#pragma unroll
                for (int k = 0; k < 4; k++) {
                    const float z = z_score(wa[k], wc[k], x[r]);
                    d[r][k] = fmaf(z, z, d[r][k]);
                }
        }
        __syncthreads();
    }
    for (int r = 0; r < 8; r++)
        for (int k = 0; k < 4; k++)
            if (first_row + row + r < count && first_rule + rule + k < rules)
                distances[(first_row + row + r) * rules + first_rule + rule + k] = fminf(d[r][k], MAX_DISTANCE);
}

// One warp per row: φ and the outputs. Rules with a relative strength below 1e-14 are skipped.
extern "C" __global__ void __launch_bounds__(THREADS, 1) outputs_of_distances(
    const float* __restrict__ distances,    // count x rules
    const float* __restrict__ w,            // rules x OUTPUTS, after an offset of `network_offset` rules
    float* __restrict__ outputs,            // count x OUTPUTS
    const int64 network_offset, const int count, const int rules) {
    __shared__ float sums[THREADS / 32][OUTPUTS];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int64 row = (int64)blockIdx.x * (THREADS / 32) + warp;
    w += network_offset * OUTPUTS;
    if (row >= count) return;
    distances += row * rules;
    unsigned min_bits = 0xffffffffu;
    for (int k = lane; k < rules; k += 32) min_bits = min(min_bits, __float_as_uint(distances[k]));
    const float min_distance = __uint_as_float(__reduce_min_sync(FULL_WARP, min_bits));
    for (int l = lane; l < OUTPUTS; l += 32) sums[warp][l] = 0.0f;
    float total = 0.0f;
    for (int base = 0; base < rules; base += 32) {
        const float u = base + lane < rules ? expf(min_distance - distances[base + lane]) : 0.0f;
        total += u;
        unsigned active = __ballot_sync(FULL_WARP, u > 1e-14f);
        while (active) {
            const int k = __ffs(active) - 1;
            active &= active - 1;
            const float strength = __shfl_sync(FULL_WARP, u, k);
            for (int l = lane; l < OUTPUTS; l += 32)
                sums[warp][l] = fmaf(strength, w[(int64)(base + k) * OUTPUTS + l], sums[warp][l]);
        }
    }
    total = warp_sum(total, 32);
    for (int l = lane; l < OUTPUTS; l += 32) outputs[row * OUTPUTS + l] = sums[warp][l] / total;
}
