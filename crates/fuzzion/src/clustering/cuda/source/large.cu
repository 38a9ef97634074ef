// Product form for many sums: a block of 8 warps occupies a multiprocessor and processes tiles of 32 rows.
//
// For distances, the warps divide the clusters; for sums, they divide clusters × columns. The degrees (uᵐ
// times the sample weight) are exchanged through shared memory as fragments.

#define WARPS 8
#define WARPS_ON_CLUSTERS (TILES_16 < 8 ? 4 : 8)
#define WARPS_ON_ROWS (WARPS / WARPS_ON_CLUSTERS)
#define OWN_TILES (TILES_16 / WARPS_ON_CLUSTERS)
#define ROW_GROUPS (4 / WARPS_ON_ROWS)  // groups of 8 rows per warp
#define SUM_TILES (TILES_16 / 2)   // tiles of clusters per warp: one half of the clusters
#define SUM_WORDS (WORDS / 4)      // words of columns per warp: one quarter of the columns
#define ROW_BYTES (WORDS * 32 + 16)
#define FLUSH 16
#define MOMENTS (TILES_16 * WORDS * 128)
#define MASSES_AT MOMENTS
#define BLOCK_SUMS (MASSES_AT + TILES_16 * 16 + 2)

__device__ __forceinline__ void start_fetch(unsigned char* x, uint32* x_norms, const uint32* planes, const uint32* norms,
                                            int64 first, int64 n) {
    for (int i = threadIdx.x; i < 32 * WORDS * 2; i += 32 * WARPS) {
        int row = i / (WORDS * 2), chunk = i % (WORDS * 2);
        bool valid = first + row < n;
        copy_async_16(address_of(x + row * ROW_BYTES + chunk * 16),
                     planes + (valid ? first + row : 0) * (8 * WORDS) + chunk * 4, valid);
    }
    if (threadIdx.x < 64) {
        bool valid = first + threadIdx.x / 2 < n;
        copy_async_4(address_of(x_norms + threadIdx.x), norms + (valid ? first * 2 + threadIdx.x : 0), valid);
    }
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, 1)
sweep_large(const uint32* planes, const uint32* norms, const float* weights, int64 n, const float* prototypes,
            const float* column_scale, float fuzzifier, float noise, int check_rows, float* accumulators,
            double* partial) {
    DYNAMIC_SHARED(uint4, centers);                                                        // [tiles][words][32]
    uint2* center_norms = reinterpret_cast<uint2*>(centers + TILES_16 * WORDS * 32);       // [tiles][32]
    unsigned char* rows = reinterpret_cast<unsigned char*>(center_norms + TILES_16 * 32);  // [2][32][ROW_BYTES]
    uint32* row_norms = reinterpret_cast<uint32*>(rows + 2 * 32 * ROW_BYTES);              // [2][32][2]
    uint4* degrees = reinterpret_cast<uint4*>(row_norms + 128);                            // [tiles][2][high, low][32]
    float* row_parts = reinterpret_cast<float*>(degrees + TILES_16 * 128);                 // [warps on clusters][32]
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int own = warp % WARPS_ON_CLUSTERS * OWN_TILES, group = warp / WARPS_ON_CLUSTERS * ROW_GROUPS;
    int sum_tile = warp % 2 * SUM_TILES, sum_word = warp / 2 * SUM_WORDS;
    for (int i = threadIdx.x; i < TILES_16 * WORDS * 32; i += 32 * WARPS)
        centers[i] = center_fragment(prototypes, column_scale, i / 32 / WORDS, i / 32 % WORDS, i % 32);
    for (int i = threadIdx.x; i < TILES_16 * 32; i += 32 * WARPS) {
        int cluster = i / 32 * 16 + i % 32 / 4;
        center_norms[i] = make_uint2(norm_word(prototypes, column_scale, cluster, i % 4),
                                     norm_word(prototypes, column_scale, cluster + 8, i % 4));
    }
    float sums[SUM_TILES][SUM_WORDS][4], masses[OWN_TILES][2], objective = 0.0f;
#pragma unroll
    for (int i = 0; i < SUM_TILES * SUM_WORDS * 4; i++) sums[i / 4 / SUM_WORDS][i / 4 % SUM_WORDS][i % 4] = 0.0f;
#pragma unroll
    for (int m = 0; m < OWN_TILES; m++) masses[m][0] = masses[m][1] = 0.0f;
    float* own_accumulators = accumulators + (int64)blockIdx.x * MOMENTS + threadIdx.x;
    for (int i = 0; i < SUM_TILES * SUM_WORDS * 4; i++) own_accumulators[i * 32 * WARPS] = 0.0f;
    int64 tiles = (n + 31) / 32, at = blockIdx.x;
    int tiles_since_flush = 0, buffer = 0;
    bool near = false; // whether a row is near more than one center
    if (at < tiles) start_fetch(rows, row_norms, planes, norms, at * 32, n);
    for (; at < tiles; at += gridDim.x, buffer ^= 1) {
        wait_for_async_copies();
        __syncthreads(); // the tile has arrived, and the other buffer and the degrees are no longer in use
        int64 first = at * 32, next = at + gridDim.x;
        if (next < tiles)
            start_fetch(rows + (buffer ^ 1) * 32 * ROW_BYTES, row_norms + (buffer ^ 1) * 64, planes, norms, next * 32, n);
        const unsigned char* x = rows + buffer * 32 * ROW_BYTES;

        // Distances of this warp's clusters and rows. Products of 16 columns at a time are added outside the tensor
        // cores, which truncate instead of rounding.
        float d[OWN_TILES][ROW_GROUPS][4];
#pragma unroll
        for (int i = 0; i < OWN_TILES * ROW_GROUPS * 4; i++) d[i / 4 / ROW_GROUPS][i / 4 % ROW_GROUPS][i % 4] = 0.0f;
        shared_address from = address_of(x + (group * 8 + lane % 8) * ROW_BYTES + (lane / 8 % 2 + lane / 16 * WORDS) * 16);
#pragma unroll
        for (int r = 0; r < WORDS; r += 2) {
            uint32 b[ROW_GROUPS][4]; // high r, high r + 1, low r, low r + 1
#pragma unroll
            for (int e = 0; e < ROW_GROUPS; e++) load_matrices(b[e], from + e * 8 * ROW_BYTES + r * 16);
#pragma unroll
            for (int m = 0; m < OWN_TILES; m++) {
                uint4 v = centers[((own + m) * WORDS + r) * 32 + lane], w = centers[((own + m) * WORDS + r + 1) * 32 + lane];
                float part[ROW_GROUPS][4];
#pragma unroll
                for (int e = 0; e < ROW_GROUPS; e++) part[e][0] = part[e][1] = part[e][2] = part[e][3] = 0.0f;
#pragma unroll
                for (int e = 0; e < ROW_GROUPS; e++) mma(part[e], v.x, v.y, v.z, v.w, b[e][2], b[e][0]);
#pragma unroll
                for (int e = 0; e < ROW_GROUPS; e++) mma(part[e], w.x, w.y, w.z, w.w, b[e][3], b[e][1]);
#pragma unroll
                for (int e = 0; e < ROW_GROUPS; e++) mma(part[e], v.x, v.y, w.x, w.y, b[e][0], b[e][1]);
#pragma unroll
                for (int i = 0; i < ROW_GROUPS * 4; i++) d[m][i / 4][i % 4] += part[i / 4][i % 4];
            }
        }
#pragma unroll
        for (int e = 0; e < ROW_GROUPS; e++) {
            uint32 norm = lane % 4 == 1 ? ONES : 0u;
            if (lane % 2 == 0) norm = row_norms[buffer * 64 + ((group + e) * 8 + lane / 4) * 2 + lane % 4 / 2];
#pragma unroll
            for (int m = 0; m < OWN_TILES; m++) {
                uint2 v = center_norms[(own + m) * 32 + lane];
                float part[4] = {0.0f, 0.0f, 0.0f, 0.0f};
                mma(part, v.x, v.y, norm);
#pragma unroll
                for (int i = 0; i < 4; i++) d[m][e][i] += part[i];
            }
        }

        if (check_rows) {
#pragma unroll
            for (int i = 0; i < ROW_GROUPS * 2; i++) {
                int row = (group + i / 2) * 8 + 2 * (lane % 4) + i % 2;
                float limit = near_limit(row_norms[buffer * 64 + row * 2]), k = 0.0f;
#pragma unroll
                for (int m = 0; m < OWN_TILES; m++)
#pragma unroll
                    for (int j = 0; j < 4; j += 2) k += d[m][i / 2][i % 2 + j] >= limit ? 0.0f : 1.0f;
                for (int step = 4; step < 32; step *= 2) k += __shfl_xor_sync(FULL_WARP, k, step);
                if (lane < 4) row_parts[warp % WARPS_ON_CLUSTERS * 32 + row] = k;
            }
            __syncthreads();
            if (own == 0) {
                float k = 0.0f;
                for (int w = 0; w < WARPS_ON_CLUSTERS; w++) k += row_parts[w * 32 + lane];
                near |= k > 1.0f;
            }
            __syncthreads();
        }

        // Reduce over the clusters of each row: first within the warp, then over all warps.
        float nearest[ROW_GROUPS][2], z[ROW_GROUPS][2];
#if NEEDS_NEAREST
#pragma unroll
        for (int i = 0; i < ROW_GROUPS * 2; i++) {
            float k = noise;
#pragma unroll
            for (int m = 0; m < OWN_TILES; m++) k = fminf(k, fminf(d[m][i / 2][i % 2], d[m][i / 2][i % 2 + 2]));
            for (int step = 4; step < 32; step *= 2) k = fminf(k, __shfl_xor_sync(FULL_WARP, k, step));
            if (lane < 4) row_parts[warp % WARPS_ON_CLUSTERS * 32 + (group + i / 2) * 8 + 2 * lane + i % 2] = k;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ROW_GROUPS * 2; i++) {
            float k = noise;
            for (int w = 0; w < WARPS_ON_CLUSTERS; w++)
                k = fminf(k, row_parts[w * 32 + (group + i / 2) * 8 + 2 * (lane % 4) + i % 2]);
            nearest[i / 2][i % 2] = fmaxf(k, MIN_DISTANCE);
        }
        __syncthreads();
#else
#pragma unroll
        for (int i = 0; i < ROW_GROUPS * 2; i++) nearest[i / 2][i % 2] = 0.0f;
#endif
#pragma unroll
        for (int i = 0; i < ROW_GROUPS * 2; i++) {
            float k = 0.0f;
#pragma unroll
            for (int m = 0; m < OWN_TILES; m++)
#pragma unroll
                for (int j = 0; j < 4; j += 2) {
                    float q, &term = d[m][i / 2][i % 2 + j];
                    term = cluster_term(term, nearest[i / 2][i % 2], fuzzifier, q);
                    k += q;
                }
            for (int step = 4; step < 32; step *= 2) k += __shfl_xor_sync(FULL_WARP, k, step);
            if (lane < 4) row_parts[warp % WARPS_ON_CLUSTERS * 32 + (group + i / 2) * 8 + 2 * lane + i % 2] = k;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ROW_GROUPS * 2; i++) {
            int row = (group + i / 2) * 8 + 2 * (lane % 4) + i % 2;
            float k = 0.0f;
#pragma unroll
            for (int w = 0; w < WARPS_ON_CLUSTERS; w++) k += row_parts[w * 32 + row];
            float weight = first + row < n ? WEIGHTED ? weights[first + row] : 1.0f : 0.0f;
            RowFactors factors = row_factors(k, nearest[i / 2][i % 2], fuzzifier, noise, weight);
            if (own == 0 && lane < 4 && weight > 0.0f) objective += factors.objective;
            z[i / 2][i % 2] = weight > 0.0f ? factors.scale : 0.0f;
        }
#pragma unroll
        for (int m = 0; m < OWN_TILES; m++)
#pragma unroll
            for (int k = 0; k < ROW_GROUPS / 2; k++) {
                uint32 high[4], low[4];
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    int e = k * 2 + i / 2;
                    float a = degree_of(d[m][e][i % 2 * 2], z[e][0]), b = degree_of(d[m][e][i % 2 * 2 + 1], z[e][1]);
                    masses[m][i % 2] += a + b;
                    high[i] = pack_halves(a, b);
                    low[i] = low_halves(a, b, high[i]);
                }
                uint4* to = degrees + ((own + m) * 2 + group / 2 + k) * 64 + lane;
                to[0] = make_uint4(high[0], high[1], high[2], high[3]);
                to[32] = make_uint4(low[0], low[1], low[2], low[3]);
            }
        __syncthreads();

        // Degrees × rows for this warp's part of the sums.
#pragma unroll
        for (int k = 0; k < 2; k++) {
            uint4 high[SUM_TILES], low[SUM_TILES];
#pragma unroll
            for (int m = 0; m < SUM_TILES; m++) {
                const uint4* u = degrees + ((sum_tile + m) * 2 + k) * 64 + lane;
                high[m] = u[0], low[m] = u[32];
            }
            shared_address columns = address_of(x + (k * 16 + lane % 16) * ROW_BYTES + (lane / 16 * WORDS + sum_word) * 16);
#pragma unroll
            for (int r = 0; r < SUM_WORDS; r++) {
                uint32 b[4]; // high of rows 0–7 and 8–15, low of both
                load_matrices_transposed(b, columns + r * 16);
#pragma unroll
                for (int m = 0; m < SUM_TILES; m++) mma(sums[m][r], low[m].x, low[m].y, low[m].z, low[m].w, b[0], b[1]);
#pragma unroll
                for (int m = 0; m < SUM_TILES; m++) mma(sums[m][r], high[m].x, high[m].y, high[m].z, high[m].w, b[2], b[3]);
#pragma unroll
                for (int m = 0; m < SUM_TILES; m++) mma(sums[m][r], high[m].x, high[m].y, high[m].z, high[m].w, b[0], b[1]);
            }
        }
        if (++tiles_since_flush == FLUSH) {
            tiles_since_flush = 0;
            // Addition in memory without waiting for the result; no other thread accesses these values.
#pragma unroll
            for (int i = 0; i < SUM_TILES * SUM_WORDS * 4; i++) {
                float& sum = sums[i / 4 / SUM_WORDS][i / 4 % SUM_WORDS][i % 4];
                atomicAdd(own_accumulators + i * 32 * WARPS, sum);
                sum = 0.0f;
            }
        }
    }
    double* out = partial + (int64)blockIdx.x * BLOCK_SUMS;
#pragma unroll
    for (int i = 0; i < SUM_TILES * SUM_WORDS * 4; i++) {
        int m = sum_tile + i / 4 / SUM_WORDS, r = sum_word + i / 4 % SUM_WORDS, e = i % 4;
        float flushed = atomicAdd(own_accumulators + i * 32 * WARPS, 0.0f); // completes the previous additions
        out[(m * 16 + e / 2 * 8 + lane / 4) * (8 * WORDS) + r * 8 + 2 * (lane % 4) + e % 2] =
            (double)flushed + (double)sums[i / 4 / SUM_WORDS][i / 4 % SUM_WORDS][e];
    }
    __syncthreads();
    double* wide = reinterpret_cast<double*>(centers); // [warps on rows][16·tiles + 2]
#pragma unroll
    for (int i = 0; i < OWN_TILES * 2; i++) {
        double mass = (double)masses[i / 2][i % 2];
        mass += __shfl_xor_sync(FULL_WARP, mass, 1);
        mass += __shfl_xor_sync(FULL_WARP, mass, 2);
        if (lane % 4 == 0) wide[group / ROW_GROUPS * (TILES_16 * 16 + 2) + (own + i / 2) * 16 + i % 2 * 8 + lane / 4] = mass;
    }
    double total = (double)objective;
    total += __shfl_xor_sync(FULL_WARP, total, 1);
    total += __shfl_xor_sync(FULL_WARP, total, 2);
    near = __any_sync(FULL_WARP, near);
    if (own == 0 && lane == 0) {
        wide[group / ROW_GROUPS * (TILES_16 * 16 + 2) + TILES_16 * 16] = total;
        wide[group / ROW_GROUPS * (TILES_16 * 16 + 2) + TILES_16 * 16 + 1] = near ? 1.0 : 0.0;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < TILES_16 * 16 + 2; i += 32 * WARPS) {
        double sum = 0.0;
        for (int w = 0; w < WARPS_ON_ROWS; w++) sum += wide[w * (TILES_16 * 16 + 2) + i];
        out[MASSES_AT + i] = sum;
    }
}
