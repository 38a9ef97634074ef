// ΦᵀWΦ, ΦᵀWY and YᵀWY of tiles on tensor cores: the lower triangle of the tile's columns with each other. A warp has a patch of
// 16 rows and 8·WIDTH columns of it, whose sums stay in registers over all tiles; warps beyond one per patch share its rows.

#define PIECES ((COLUMNS + 7) / 8)
#define PIECE_PAIRS ((PIECES + 1) / 2)
#define GRAM (COLUMNS * (COLUMNS + 1) / 2)  // numbers of the triangle, row by row

// Patches above pair `pair` of pieces.
__host__ __device__ constexpr int patches_before(int pair) {
    return pair == 0 ? 0 : patches_before(pair - 1) + (2 * pair + WIDTH - 1) / WIDTH;
}
#define PATCHES patches_before(PIECE_PAIRS)
#define SLICES (WARPS / PATCHES)

struct Patch {
    int top, left, slice;  // its first pieces
};

__device__ inline Patch own_patch() {
    int warp = threadIdx.x / 32, left = warp % PATCHES, pair = 0;
    for (; left >= (2 * pair + 2 + WIDTH - 1) / WIDTH; pair++) left -= (2 * pair + 2 + WIDTH - 1) / WIDTH;
    return {2 * pair, left * WIDTH, warp / PATCHES};
}

// Piece `piece` of the tile as the tensor core wants it, 0 beyond its columns and from row `count` on.
__device__ inline double load_piece(const double* tile, int piece, int row, int count) {
    int column = piece * 8 + threadIdx.x % 32 / 4;
    return row < count && column < COLUMNS ? tile[column * LINE + row] : 0.0;
}

// Adds the first `count` rows of the tile.
__device__ inline void add_products(double (&sums)[WIDTH][4], const double* tile, const Patch& patch, int count) {
    if (patch.slice >= SLICES) return;
#pragma unroll 2
    for (int r = patch.slice * 4; r < count; r += SLICES * 4) {
        int row = r + threadIdx.x % 4;
        double high = load_piece(tile, patch.top, row, count), low = load_piece(tile, patch.top + 1, row, count);
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            if (patch.left + i < patch.top + 2)
                multiply_add(sums[i], high, low, load_piece(tile, patch.left + i, row, count));
    }
}

// The sums of all warps into `out`, or added to what is there, in a fixed order; `areas` holds SLICES × GRAM numbers.
__device__ inline void join_patches(const double (&sums)[WIDTH][4], const Patch& patch, double* areas, double* out, bool add) {
    int lane = threadIdx.x % 32;
    __syncthreads();
    if (patch.slice < SLICES)
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                int row = patch.top * 8 + lane / 4 + e / 2 * 8, column = (patch.left + i) * 8 + lane % 4 * 2 + e % 2;
                if (column <= row && row < COLUMNS) areas[patch.slice * GRAM + row * (row + 1) / 2 + column] = sums[i][e];
            }
    __syncthreads();
    for (int i = threadIdx.x; i < GRAM; i += THREADS) {
        double sum = areas[i];
        for (int slice = 1; slice < SLICES; slice++) sum += areas[slice * GRAM + i];
        out[i] = add ? out[i] + sum : sum;
    }
}
