// Tensor form for up to 2048 sums: every warp keeps all of them in registers and takes tiles of 16 rows on its own.

#define PACKS (2 * WORDS / PACK)
// Tiles summed in the tensor core, which cuts off instead of rounding, before the sums go on in ordinary additions.
#define FLUSH 8
#define MOMENTS (TILES_16 * WORDS * 128)
#define MASSES_AT MOMENTS
#define OBJECTIVE_AT (MASSES_AT + TILES_16 * 16)
#define BLOCK_SUMS (OBJECTIVE_AT + 1)

struct Tile {
    uint32 x[2][2 * WORDS], norm[2];
    float weight;
};

// The row of a tile whose sums over clusters end in this lane.
__device__ inline int own_row(int lane) { return lane / 16 * 8 + 2 * (lane % 4) + lane / 8 % 2; }

// 16 rows as fragments; rows past the last one are zeros.
template <bool WHOLE>
__device__ __forceinline__ void load_tile(Tile& tile, const uint32* planes, const uint32* norms, const float* weights, int64 first,
                                          int rows) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        int row = half * 8 + lane / 4;
        bool there = WHOLE || row < rows;
        const uint32* from = planes + (first + row) * (8 * WORDS) + lane % 4 * PACK;
#pragma unroll
        for (int pack = 0; pack < PACKS; pack++) {
#if PACK == 4
            uint4 words = there ? *reinterpret_cast<const uint4*>(from + pack * 16) : make_uint4(0u, 0u, 0u, 0u);
            tile.x[half][pack * 4] = words.x, tile.x[half][pack * 4 + 1] = words.y;
            tile.x[half][pack * 4 + 2] = words.z, tile.x[half][pack * 4 + 3] = words.w;
#else
            uint2 words = there ? *reinterpret_cast<const uint2*>(from + pack * 8) : make_uint2(0u, 0u);
            tile.x[half][pack * 2] = words.x, tile.x[half][pack * 2 + 1] = words.y;
#endif
        }
        tile.norm[half] = lane % 4 == 1 ? ONES : 0u;
        if (there && lane % 2 == 0) tile.norm[half] = norms[2 * (first + row) + lane % 4 / 2];
    }
    bool there = WHOLE || own_row(lane) < rows;
    tile.weight = !there ? 0.0f : WEIGHTED ? weights[first + own_row(lane)] : 1.0f;
}

// Joins the four numbers of each lane over the eight lanes that hold the clusters of the same rows; one row stays in each.
template <typename Join> __device__ __forceinline__ float join_clusters(const float (&z)[2][2], Join join) {
    int lane = threadIdx.x % 32;
    bool upper = lane & 16, odd = lane & 8;
    float a = join(upper ? z[1][0] : z[0][0], __shfl_xor_sync(FULL_WARP, upper ? z[0][0] : z[1][0], 16));
    float b = join(upper ? z[1][1] : z[0][1], __shfl_xor_sync(FULL_WARP, upper ? z[0][1] : z[1][1], 16));
    float c = join(odd ? b : a, __shfl_xor_sync(FULL_WARP, odd ? a : b, 8));
    return join(c, __shfl_xor_sync(FULL_WARP, c, 4));
}
// What each lane's own row has, for the four rows of a lane.
__device__ __forceinline__ void hand_out(float (&all)[2][2], float own) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int half = 0; half < 2; half++)
#pragma unroll
        for (int odd = 0; odd < 2; odd++) all[half][odd] = __shfl_sync(FULL_WARP, own, half * 16 + odd * 8 + lane % 4);
}
struct Add { __device__ float operator()(float a, float b) const { return a + b; } };
struct Least { __device__ float operator()(float a, float b) const { return fminf(a, b); } };

// Squared distances of 16 rows to all clusters: the small products first, so that little is cut off.
__device__ __forceinline__ void measure(float (&d)[TILES_16][2][4], const Tile& tile, const uint4* centers, const uint2* norms) {
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
                multiply_add(d[m][half], v[r].x, v[r].y, v[r].z, v[r].w, tile.x[half][WORDS + r], tile.x[half][r]);
#pragma unroll
        for (int r = 0; r + 1 < WORDS; r += 2)
#pragma unroll
            for (int half = 0; half < 2; half++)
                multiply_add(d[m][half], v[r].x, v[r].y, v[r + 1].x, v[r + 1].y, tile.x[half][r], tile.x[half][r + 1]);
#pragma unroll
        for (int half = 0; half < 2; half++) {
            if (WORDS % 2)
                multiply_add(d[m][half], v[WORDS - 1].x, v[WORDS - 1].y, norm.x, norm.y, tile.x[half][WORDS - 1],
                             tile.norm[half]);
            else multiply_add(d[m][half], norm.x, norm.y, tile.norm[half]);
        }
    }
}

// One tile: distances, degrees, and their products with the rows.
__device__ __forceinline__ void take(const Tile& tile, const uint4* centers, const uint2* norms, float fuzzifier, float noise,
                                     float (&sums)[TILES_16][WORDS][4], float (&masses)[TILES_16][2], float& objective) {
    float d[TILES_16][2][4];
    measure(d, tile, centers, norms);
    float least = 0.0f, leasts[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
#if NEEDS_LEAST
    float nearest[2][2] = {{noise, noise}, {noise, noise}};
#pragma unroll
    for (int m = 0; m < TILES_16; m++)
#pragma unroll
        for (int i = 0; i < 8; i++) nearest[i / 4][i % 2] = fminf(nearest[i / 4][i % 2], d[m][i / 4][i % 4]);
    least = fmaxf(join_clusters(nearest, Least()), LEAST_DISTANCE);
    hand_out(leasts, least);
#endif
    float z[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
#pragma unroll
    for (int m = 0; m < TILES_16; m++)
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float share;
            d[m][i / 4][i % 4] = number_of(d[m][i / 4][i % 4], leasts[i / 4][i % 2], fuzzifier, share);
            z[i / 4][i % 2] += share;
        }
    Row row = row_of(join_clusters(z, Add()), least, fuzzifier, noise, tile.weight);
    objective += row.objective;
    float scale[2][2];
    hand_out(scale, tile.weight > 0.0f ? row.scale : 0.0f);
    uint32 high[TILES_16][4], low[TILES_16][4];
#pragma unroll
    for (int m = 0; m < TILES_16; m++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float a = weight_of(d[m][i / 2][i % 2 * 2], scale[i / 2][0]);
            float b = weight_of(d[m][i / 2][i % 2 * 2 + 1], scale[i / 2][1]);
            masses[m][i % 2] += a + b;
            high[m][i] = pack_halves(a, b);
            low[m][i] = rest_of(a, b, high[m][i]);
        }
#pragma unroll
    for (int r = 0; r < WORDS; r++) {
        uint32 high0 = turned(tile.x[0][r]), high1 = turned(tile.x[1][r]);
        uint32 low0 = turned(tile.x[0][WORDS + r]), low1 = turned(tile.x[1][WORDS + r]);
#pragma unroll
        for (int m = 0; m < TILES_16; m++) multiply_add(sums[m][r], low[m][0], low[m][1], low[m][2], low[m][3], high0, high1);
#pragma unroll
        for (int m = 0; m < TILES_16; m++) multiply_add(sums[m][r], high[m][0], high[m][1], high[m][2], high[m][3], low0, low1);
#pragma unroll
        for (int m = 0; m < TILES_16; m++)
            multiply_add(sums[m][r], high[m][0], high[m][1], high[m][2], high[m][3], high0, high1);
    }
}

// Adds the tensor core's sums to those in shared memory and begins them anew.
__device__ __forceinline__ void flush(float (&sums)[TILES_16][WORDS][4], float* kept) {
#pragma unroll
    for (int m = 0; m < TILES_16; m++)
#pragma unroll
        for (int i = 0; i < WORDS * 4; i++) {
            kept[(m * WORDS * 4 + i) * 32] += sums[m][i / 4][i % 4];
            sums[m][i / 4][i % 4] = 0.0f;
        }
}

// One pass over the rows of this block; its sums go to `out`.
__device__ __forceinline__ void pass(const uint32* planes, const uint32* norms, const float* weights, int64 n,
                                     const float* prototypes, const float* column_scale, float fuzzifier, float noise,
                                     uint4* centers /* [tiles][words][32], then more */, double* out) {
    uint2* center_norms = reinterpret_cast<uint2*>(centers + TILES_16 * WORDS * 32); // [tiles][32]
    float* all = reinterpret_cast<float*>(center_norms + TILES_16 * 32); // [warps][MOMENTS]
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = threadIdx.x; i < TILES_16 * WORDS * 32; i += 32 * WARPS)
        centers[i] = center_fragment(prototypes, column_scale, i / 32 / WORDS, i / 32 % WORDS, i % 32);
    for (int i = threadIdx.x; i < TILES_16 * 32; i += 32 * WARPS) {
        int cluster = i / 32 * 16 + i % 32 / 4;
        center_norms[i] = make_uint2(norm_word(prototypes, column_scale, cluster, i % 4),
                                     norm_word(prototypes, column_scale, cluster + 8, i % 4));
    }
    float* kept = all + warp * MOMENTS + lane;
    for (int i = 0; i < TILES_16 * WORDS * 4; i++) kept[i * 32] = 0.0f;
    __syncthreads();
    float masses[TILES_16][2], sums[TILES_16][WORDS][4], objective = 0.0f;
#pragma unroll
    for (int m = 0; m < TILES_16; m++) {
        masses[m][0] = masses[m][1] = 0.0f;
#pragma unroll
        for (int i = 0; i < WORDS * 4; i++) sums[m][i / 4][i % 4] = 0.0f;
    }
    double wide_objective = 0.0;
    int64 whole = n / 16, step = (int64)gridDim.x * WARPS, at = (int64)blockIdx.x * WARPS + warp;
    Tile next;
    if (at < whole) load_tile<true>(next, planes, norms, weights, at * 16, 16);
    int since = 0;
    while (at < whole) {
        Tile tile = next;
        at += step;
        if (at < whole) load_tile<true>(next, planes, norms, weights, at * 16, 16);
        take(tile, centers, center_norms, fuzzifier, noise, sums, masses, objective);
        if (++since == FLUSH) {
            since = 0;
            flush(sums, kept);
            wide_objective += (double)objective;
            objective = 0.0f;
        }
    }
    if (at == whole && n % 16) {
        load_tile<false>(next, planes, norms, weights, at * 16, (int)(n % 16));
        take(next, centers, center_norms, fuzzifier, noise, sums, masses, objective);
    }
    flush(sums, kept);
    wide_objective += (double)objective;
    __syncthreads();
    for (int i = threadIdx.x; i < MOMENTS; i += 32 * WARPS) {
        double sum = 0.0;
        for (int w = 0; w < WARPS; w++) sum += (double)all[w * MOMENTS + i];
        // From the order of fragments to clusters × columns.
        int l = i % 32, e = i / 32 % 4, r = i / 128 % WORDS, m = i / 128 / WORDS;
        out[(m * 16 + e / 2 * 8 + l / 4) * (8 * WORDS) + r * 8 + 2 * (l % 4) + e % 2] = sum;
    }
    __syncthreads();
    double* wide = reinterpret_cast<double*>(centers); // [warps][16·tiles + 1]
#pragma unroll
    for (int m = 0; m < TILES_16; m++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            double mass = (double)masses[m][half];
            mass += __shfl_xor_sync(FULL_WARP, mass, 1);
            mass += __shfl_xor_sync(FULL_WARP, mass, 2);
            if (lane % 4 == 0) wide[warp * (TILES_16 * 16 + 1) + m * 16 + half * 8 + lane / 4] = mass;
        }
    for (int step = 1; step < 32; step *= 2) wide_objective += __shfl_xor_sync(FULL_WARP, wide_objective, step);
    if (lane == 0) wide[warp * (TILES_16 * 16 + 1) + TILES_16 * 16] = 0.5 * wide_objective; // two lanes held each row
    __syncthreads();
    for (int i = threadIdx.x; i <= TILES_16 * 16; i += 32 * WARPS) {
        double sum = 0.0;
        for (int w = 0; w < WARPS; w++) sum += wide[w * (TILES_16 * 16 + 1) + i];
        out[MASSES_AT + i] = sum;
    }
}
