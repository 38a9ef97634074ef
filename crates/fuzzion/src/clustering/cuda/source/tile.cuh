// Product form for up to 2048 sums: every warp holds all of them in registers and processes its own tiles of 16 rows.

#define PACKS (2 * WORDS / PACK)
// Number of tiles accumulated in the tensor cores, which truncate instead of rounding, before their sums are added by
// ordinary instructions.
#define FLUSH 8
#define MOMENTS (TILES_16 * WORDS * 128)
#define MASSES_AT MOMENTS
#define OBJECTIVE_AT (MASSES_AT + TILES_16 * 16)
#define NEAR_AT (OBJECTIVE_AT + 1)
#define BLOCK_SUMS (NEAR_AT + 1)

struct Tile {
    uint32 x[2][2 * WORDS], norm[2];
    float weight;
};

// Row of a tile whose reduced value is in this lane.
__device__ inline int own_row(int lane) { return lane / 16 * 8 + 2 * (lane % 4) + lane / 8 % 2; }

// Loads 16 rows as fragments; rows after the last one are zeros.
template <bool WHOLE>
__device__ __forceinline__ void load_tile(Tile& tile, const uint32* planes, const uint32* norms, const float* weights,
                                          int64 first, int rows) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        int row = half * 8 + lane / 4;
        bool valid = WHOLE || row < rows;
        const uint32* from = planes + (first + row) * (8 * WORDS) + lane % 4 * PACK;
#pragma unroll
        for (int pack = 0; pack < PACKS; pack++) {
#if PACK == 4
            uint4 words = valid ? *reinterpret_cast<const uint4*>(from + pack * 16) : make_uint4(0u, 0u, 0u, 0u);
            tile.x[half][pack * 4] = words.x, tile.x[half][pack * 4 + 1] = words.y;
            tile.x[half][pack * 4 + 2] = words.z, tile.x[half][pack * 4 + 3] = words.w;
#else
            uint2 words = valid ? *reinterpret_cast<const uint2*>(from + pack * 8) : make_uint2(0u, 0u);
            tile.x[half][pack * 2] = words.x, tile.x[half][pack * 2 + 1] = words.y;
#endif
        }
        tile.norm[half] = lane % 4 == 1 ? ONES : 0u;
        if (valid && lane % 2 == 0) tile.norm[half] = norms[2 * (first + row) + lane % 4 / 2];
    }
    bool valid = WHOLE || own_row(lane) < rows;
    tile.weight = !valid ? 0.0f : WEIGHTED ? weights[first + own_row(lane)] : 1.0f;
}

// Reduces the four values of each lane over the eight lanes with clusters of the same rows; each lane returns one row.
template <typename Reduce> __device__ __forceinline__ float reduce_clusters(const float (&z)[2][2], Reduce reduce) {
    int lane = threadIdx.x % 32;
    bool upper = lane & 16, odd = lane & 8;
    float a = reduce(upper ? z[1][0] : z[0][0], __shfl_xor_sync(FULL_WARP, upper ? z[0][0] : z[1][0], 16));
    float b = reduce(upper ? z[1][1] : z[0][1], __shfl_xor_sync(FULL_WARP, upper ? z[0][1] : z[1][1], 16));
    float c = reduce(odd ? b : a, __shfl_xor_sync(FULL_WARP, odd ? a : b, 8));
    return reduce(c, __shfl_xor_sync(FULL_WARP, c, 4));
}
// Broadcasts the value of each lane's own row to all lanes of that row: four rows per lane.
__device__ __forceinline__ void broadcast_rows(float (&all)[2][2], float own) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int half = 0; half < 2; half++)
#pragma unroll
        for (int odd = 0; odd < 2; odd++) all[half][odd] = __shfl_sync(FULL_WARP, own, half * 16 + odd * 8 + lane % 4);
}
struct Add { __device__ float operator()(float a, float b) const { return a + b; } };
struct Min { __device__ float operator()(float a, float b) const { return fminf(a, b); } };

// Squared distances of 16 rows to all clusters; small products first, to reduce truncation.
__device__ __forceinline__ void squared_distances(float (&d)[TILES_16][2][4], const Tile& tile, const uint4* centers,
                                                  const uint2* norms) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int m = 0; m < TILES_16; m++) {
        uint4 v[WORDS];
#pragma unroll
        for (int r = 0; r < WORDS; r++) v[r] = centers[(m * WORDS + r) * 32 + lane];
        uint2 norm = norms[m * 32 + lane];
#pragma unroll
        for (int half = 0; half < 2; half++) d[m][half][0] = d[m][half][1] = d[m][half][2] = d[m][half][3] = 0.0f;
#pragma unroll
        for (int r = 0; r < WORDS; r++)
#pragma unroll
            for (int half = 0; half < 2; half++)
                mma(d[m][half], v[r].x, v[r].y, v[r].z, v[r].w, tile.x[half][WORDS + r], tile.x[half][r]);
#pragma unroll
        for (int r = 0; r + 1 < WORDS; r += 2)
#pragma unroll
            for (int half = 0; half < 2; half++)
                mma(d[m][half], v[r].x, v[r].y, v[r + 1].x, v[r + 1].y, tile.x[half][r], tile.x[half][r + 1]);
#pragma unroll
        for (int half = 0; half < 2; half++) {
            if (WORDS % 2)
                mma(d[m][half], v[WORDS - 1].x, v[WORDS - 1].y, norm.x, norm.y, tile.x[half][WORDS - 1],
                             tile.norm[half]);
            else mma(d[m][half], norm.x, norm.y, tile.norm[half]);
        }
    }
}

// Whether this lane's row is near more than one center.
__device__ __forceinline__ bool is_near_several(const float (&d)[TILES_16][2][4], const Tile& tile) {
    int lane = threadIdx.x % 32;
    float near[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float limit = near_limit(__shfl_sync(FULL_WARP, tile.norm[i / 2], 4 * (2 * (lane % 4) + i % 2)));
#pragma unroll
        for (int m = 0; m < TILES_16; m++)
#pragma unroll
            for (int j = 0; j < 4; j += 2) near[i / 2][i % 2] += d[m][i / 2][i % 2 + j] >= limit ? 0.0f : 1.0f;
    }
    return reduce_clusters(near, Add()) > 1.0f;
}

// Processes one tile: distances, degrees, and their products with the rows. If `check_rows` is set, sets `near` if a row
// is near more than one center.
__device__ __forceinline__ void accumulate_tile(const Tile& tile, const uint4* centers, const uint2* norms, float fuzzifier,
                                                float noise, bool check_rows, float (&sums)[TILES_16][WORDS][4],
                                                float (&masses)[TILES_16][2], float& objective, bool& near) {
    float d[TILES_16][2][4];
    squared_distances(d, tile, centers, norms);
    if (check_rows && is_near_several(d, tile)) near = true;
    float nearest_distance = 0.0f, row_nearest[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
#if NEEDS_NEAREST
    float nearest[2][2] = {{noise, noise}, {noise, noise}};
#pragma unroll
    for (int m = 0; m < TILES_16; m++)
#pragma unroll
        for (int i = 0; i < 8; i++) nearest[i / 4][i % 2] = fminf(nearest[i / 4][i % 2], d[m][i / 4][i % 4]);
    nearest_distance = fmaxf(reduce_clusters(nearest, Min()), MIN_DISTANCE);
    broadcast_rows(row_nearest, nearest_distance);
#endif
    float z[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
#pragma unroll
    for (int m = 0; m < TILES_16; m++)
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float q;
            d[m][i / 4][i % 4] = cluster_term(d[m][i / 4][i % 4], row_nearest[i / 4][i % 2], fuzzifier, q);
            z[i / 4][i % 2] += q;
        }
    RowFactors factors = row_factors(reduce_clusters(z, Add()), nearest_distance, fuzzifier, noise, tile.weight);
    objective += factors.objective;
    float scale[2][2];
    broadcast_rows(scale, tile.weight > 0.0f ? factors.scale : 0.0f);
    uint32 high[TILES_16][4], low[TILES_16][4];
#pragma unroll
    for (int m = 0; m < TILES_16; m++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float a = degree_of(d[m][i / 2][i % 2 * 2], scale[i / 2][0]);
            float b = degree_of(d[m][i / 2][i % 2 * 2 + 1], scale[i / 2][1]);
            masses[m][i % 2] += a + b;
            high[m][i] = pack_halves(a, b);
            low[m][i] = low_halves(a, b, high[m][i]);
        }
#pragma unroll
    for (int r = 0; r < WORDS; r++) {
        uint32 high0 = transpose_8x8(tile.x[0][r]), high1 = transpose_8x8(tile.x[1][r]);
        uint32 low0 = transpose_8x8(tile.x[0][WORDS + r]), low1 = transpose_8x8(tile.x[1][WORDS + r]);
#pragma unroll
        for (int m = 0; m < TILES_16; m++) mma(sums[m][r], low[m][0], low[m][1], low[m][2], low[m][3], high0, high1);
#pragma unroll
        for (int m = 0; m < TILES_16; m++) mma(sums[m][r], high[m][0], high[m][1], high[m][2], high[m][3], low0, low1);
#pragma unroll
        for (int m = 0; m < TILES_16; m++)
            mma(sums[m][r], high[m][0], high[m][1], high[m][2], high[m][3], high0, high1);
    }
}

// Adds the tensor-core sums to those in shared memory and resets them.
__device__ __forceinline__ void flush(float (&sums)[TILES_16][WORDS][4], float* accumulators) {
#pragma unroll
    for (int m = 0; m < TILES_16; m++)
#pragma unroll
        for (int i = 0; i < WORDS * 4; i++) {
            accumulators[(m * WORDS * 4 + i) * 32] += sums[m][i / 4][i % 4];
            sums[m][i / 4][i % 4] = 0.0f;
        }
}

// Performs one pass over the rows of this block and writes its sums to `out`. If `check_rows` is set, returns whether a row
// of this warp is near more than one center; the value at NEAR_AT is the number of warps with such rows.
__device__ __forceinline__ bool sweep_block(const uint32* planes, const uint32* norms, const float* weights, int64 n,
                                            const float* prototypes, const float* column_scale, float fuzzifier,
                                            float noise, bool check_rows,
                                            uint4* centers /* [tiles][words][32], then more */, double* out) {
    uint2* center_norms = reinterpret_cast<uint2*>(centers + TILES_16 * WORDS * 32); // [tiles][32]
    float* all_accumulators = reinterpret_cast<float*>(center_norms + TILES_16 * 32); // [warps][MOMENTS]
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = threadIdx.x; i < TILES_16 * WORDS * 32; i += 32 * WARPS)
        centers[i] = center_fragment(prototypes, column_scale, i / 32 / WORDS, i / 32 % WORDS, i % 32);
    for (int i = threadIdx.x; i < TILES_16 * 32; i += 32 * WARPS) {
        int cluster = i / 32 * 16 + i % 32 / 4;
        center_norms[i] = make_uint2(norm_word(prototypes, column_scale, cluster, i % 4),
                                     norm_word(prototypes, column_scale, cluster + 8, i % 4));
    }
    float* accumulators = all_accumulators + warp * MOMENTS + lane;
    for (int i = 0; i < TILES_16 * WORDS * 4; i++) accumulators[i * 32] = 0.0f;
    __syncthreads();
    float masses[TILES_16][2], sums[TILES_16][WORDS][4], objective = 0.0f;
#pragma unroll
    for (int m = 0; m < TILES_16; m++) {
        masses[m][0] = masses[m][1] = 0.0f;
#pragma unroll
        for (int i = 0; i < WORDS * 4; i++) sums[m][i / 4][i % 4] = 0.0f;
    }
    double wide_objective = 0.0;
    bool near = false;
    int64 whole = n / 16, step = (int64)gridDim.x * WARPS, at = (int64)blockIdx.x * WARPS + warp;
    Tile next;
    if (at < whole) load_tile<true>(next, planes, norms, weights, at * 16, 16);
    int tiles_since_flush = 0;
    while (at < whole) {
        Tile tile = next;
        at += step;
        if (at < whole) load_tile<true>(next, planes, norms, weights, at * 16, 16);
        accumulate_tile(tile, centers, center_norms, fuzzifier, noise, check_rows, sums, masses, objective, near);
        if (++tiles_since_flush == FLUSH) {
            tiles_since_flush = 0;
            flush(sums, accumulators);
            wide_objective += (double)objective;
            objective = 0.0f;
        }
    }
    if (at == whole && n % 16) {
        load_tile<false>(next, planes, norms, weights, at * 16, (int)(n % 16));
        accumulate_tile(next, centers, center_norms, fuzzifier, noise, check_rows, sums, masses, objective, near);
    }
    flush(sums, accumulators);
    wide_objective += (double)objective;
    __syncthreads();
    for (int i = threadIdx.x; i < MOMENTS; i += 32 * WARPS) {
        double sum = 0.0;
        for (int w = 0; w < WARPS; w++) sum += (double)all_accumulators[w * MOMENTS + i];
        // From fragment order to clusters × columns.
        int l = i % 32, e = i / 32 % 4, r = i / 128 % WORDS, m = i / 128 / WORDS;
        out[(m * 16 + e / 2 * 8 + l / 4) * (8 * WORDS) + r * 8 + 2 * (l % 4) + e % 2] = sum;
    }
    __syncthreads();
    double* wide = reinterpret_cast<double*>(centers); // [warps][16·tiles + 2]
#pragma unroll
    for (int m = 0; m < TILES_16; m++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            double mass = (double)masses[m][half];
            mass += __shfl_xor_sync(FULL_WARP, mass, 1);
            mass += __shfl_xor_sync(FULL_WARP, mass, 2);
            if (lane % 4 == 0) wide[warp * (TILES_16 * 16 + 2) + m * 16 + half * 8 + lane / 4] = mass;
        }
    for (int step = 1; step < 32; step *= 2) wide_objective += __shfl_xor_sync(FULL_WARP, wide_objective, step);
    near = __any_sync(FULL_WARP, near);
    if (lane == 0) {
        wide[warp * (TILES_16 * 16 + 2) + TILES_16 * 16] = 0.5 * wide_objective; // two lanes counted each row
        wide[warp * (TILES_16 * 16 + 2) + TILES_16 * 16 + 1] = near ? 1.0 : 0.0;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < TILES_16 * 16 + 2; i += 32 * WARPS) {
        double sum = 0.0;
        for (int w = 0; w < WARPS; w++) sum += wide[w * (TILES_16 * 16 + 2) + i];
        out[MASSES_AT + i] = sum;
    }
    return near;
}
