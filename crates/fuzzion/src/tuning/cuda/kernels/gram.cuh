// ΦᵀWΦ, ΦᵀWY and YᵀWY of tiles on tensor cores: the lower triangle of the products of all columns of the tile. Each
// warp computes a patch of 16 rows and 8·PATCH_GROUPS columns, whose sums stay in registers over all tiles; additional
// warps split the rows of a patch into slices.

#define COLUMN_GROUPS ((COLUMNS + 7) / 8)
#define GROUP_PAIRS ((COLUMN_GROUPS + 1) / 2)
#define GRAM_LEN (COLUMNS * (COLUMNS + 1) / 2)  // length of the lower triangle, by rows

// Number of patches before group pair `pair`.
__host__ __device__ constexpr int patches_before(int pair) {
    return pair == 0 ? 0 : patches_before(pair - 1) + (2 * pair + PATCH_GROUPS - 1) / PATCH_GROUPS;
}
#define PATCHES patches_before(GROUP_PAIRS)
#define SLICES (WARPS / PATCHES)

struct Patch {
    int top, left, slice;  // first row group, first column group, slice of rows
};

__device__ inline Patch own_patch() {
    int warp = threadIdx.x / 32, left = warp % PATCHES, pair = 0;
    for (; left >= (2 * pair + 2 + PATCH_GROUPS - 1) / PATCH_GROUPS; pair++)
        left -= (2 * pair + 2 + PATCH_GROUPS - 1) / PATCH_GROUPS;
    return {2 * pair, left * PATCH_GROUPS, warp / PATCHES};
}

// Column group `group` of the tile in tensor-core layout; 0 beyond the last column and from row `count` on.
__device__ inline double load_group(const double* tile, int group, int row, int count) {
    int column = group * 8 + threadIdx.x % 32 / 4;
    return row < count && column < COLUMNS ? tile[column * TILE_STRIDE + row] : 0.0;
}

// Adds the products of the first `count` rows of the tile.
__device__ inline void add_products(double (&sums)[PATCH_GROUPS][4], const double* tile, const Patch& patch, int count) {
    if (patch.slice >= SLICES) return;
#pragma unroll 2
    for (int r = patch.slice * 4; r < count; r += SLICES * 4) {
        int row = r + threadIdx.x % 4;
        double high = load_group(tile, patch.top, row, count), low = load_group(tile, patch.top + 1, row, count);
#pragma unroll
        for (int i = 0; i < PATCH_GROUPS; i++)
            if (patch.left + i < patch.top + 2)
                mma(sums[i], high, low, load_group(tile, patch.left + i, row, count));
    }
}

// Sums the patches of all warps in a fixed order into `out`, added to the previous contents if `add`; `slice_sums` has
// SLICES × GRAM_LEN entries.
__device__ inline void sum_patches(const double (&sums)[PATCH_GROUPS][4], const Patch& patch, double* slice_sums, double* out,
                                   bool add) {
    int lane = threadIdx.x % 32;
    __syncthreads();
    if (patch.slice < SLICES)
#pragma unroll
        for (int i = 0; i < PATCH_GROUPS; i++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                int row = patch.top * 8 + lane / 4 + e / 2 * 8, column = (patch.left + i) * 8 + lane % 4 * 2 + e % 2;
                if (column <= row && row < COLUMNS)
                    slice_sums[patch.slice * GRAM_LEN + row * (row + 1) / 2 + column] = sums[i][e];
            }
    __syncthreads();
#pragma unroll 1  // few iterations
    for (int i = threadIdx.x; i < GRAM_LEN; i += THREADS) {
        double sum = slice_sums[i];
        for (int slice = 1; slice < SLICES; slice++) sum += slice_sums[slice * GRAM_LEN + i];
        out[i] = add ? out[i] + sum : sum;
    }
}
