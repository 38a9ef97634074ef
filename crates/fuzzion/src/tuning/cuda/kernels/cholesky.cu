// Equation (3) for many unknowns: L·D·Lᵀ decomposition of a matrix in global memory by all blocks, in square tiles of
// MATRIX_TILE rows. The matrix has `tiles` × `tiles` tiles and one more row of tiles below, whose first `outputs` rows
// contain the scaled ΦᵀWY and are overwritten by θ.

#define MATRIX_TILE 64
#define TILE_STRIDE (MATRIX_TILE + 4)   // row stride of operands in shared memory, avoids bank conflicts
#define PANEL_STRIDE (MATRIX_TILE + 1)

// Tile (i, j) of the matrix.
__device__ inline double* tile_at(double* matrix, int tiles, int i, int j) {
    return matrix + ((int64)i * MATRIX_TILE * tiles + j) * MATRIX_TILE;
}

// Eliminates panel p for tile i: loads diagonal tile p above tile (i, p), eliminates, and writes tile (i, p) back. The
// eliminated diagonal tile is written to `diagonal`.
__device__ inline bool eliminate_panel(double* matrix, int tiles, int p, int i, double* panel, double* diagonal) {
    double* top = tile_at(matrix, tiles, p, p);
    double* low = tile_at(matrix, tiles, i, p);
    for (int at = threadIdx.x; at < MATRIX_TILE * MATRIX_TILE; at += THREADS) {
        int row = at / MATRIX_TILE, column = at % MATRIX_TILE;
        panel[row * PANEL_STRIDE + column] = top[(int64)row * MATRIX_TILE * tiles + column];
        panel[(MATRIX_TILE + row) * PANEL_STRIDE + column] = low[(int64)row * MATRIX_TILE * tiles + column];
    }
    __syncthreads();
    bool regular = eliminate<2 * MATRIX_TILE, MATRIX_TILE, PANEL_STRIDE>(panel);
    for (int at = threadIdx.x; at < MATRIX_TILE * MATRIX_TILE; at += THREADS) {
        int row = at / MATRIX_TILE, column = at % MATRIX_TILE;
        low[(int64)row * MATRIX_TILE * tiles + column] = panel[(MATRIX_TILE + row) * PANEL_STRIDE + column];
        // All blocks read the diagonal tile, so the result is written to a separate buffer.
        if (i == p + 1) diagonal[(int64)p * MATRIX_TILE * MATRIX_TILE + at] = panel[row * PANEL_STRIDE + column];
    }
    __syncthreads();
    return regular;
}

// Subtracts the product of tiles (i, p) and (j, p) of panel p from tile (i, j).
__device__ inline void update_tile(double* matrix, int tiles, int p, int i, int j, const double* diagonal, double* left,
                                   double* right) {
    const double* high = tile_at(matrix, tiles, i, p);
    const double* side = tile_at(matrix, tiles, j, p);
    for (int at = threadIdx.x; at < MATRIX_TILE * MATRIX_TILE; at += THREADS) {
        int row = at / MATRIX_TILE, k = at % MATRIX_TILE;
        left[row * TILE_STRIDE + k] = high[(int64)row * MATRIX_TILE * tiles + k];
        right[row * TILE_STRIDE + k] =
            -side[(int64)row * MATRIX_TILE * tiles + k] *
            reciprocal(diagonal[(int64)p * MATRIX_TILE * MATRIX_TILE + k * (MATRIX_TILE + 1)]);
    }
    __syncthreads();
    double* to = tile_at(matrix, tiles, i, j);
    int lane = threadIdx.x % 32;
    for (int unit = threadIdx.x / 32; unit < MATRIX_TILE / 16 * (MATRIX_TILE / 8); unit += THREADS / 32) {
        int row = unit / (MATRIX_TILE / 8) * 16 + lane / 4, column = unit % (MATRIX_TILE / 8) * 8;
        double* place = to + (int64)row * MATRIX_TILE * tiles + column + lane % 4 * 2;
        double* below = place + (int64)8 * MATRIX_TILE * tiles;
        double sums[4] = {place[0], place[1], below[0], below[1]};
#pragma unroll
        for (int k = lane % 4; k < MATRIX_TILE; k += 4)
            mma(sums, left[row * TILE_STRIDE + k], left[(row + 8) * TILE_STRIDE + k],
                right[(column + lane / 4) * TILE_STRIDE + k]);
        place[0] = sums[0], place[1] = sums[1], below[0] = sums[2], below[1] = sums[3];
    }
    __syncthreads();
}

// Back substitution for tile p, after the contributions of all later tiles have been subtracted; one warp per output.
__device__ inline void back_substitute(double* matrix, int tiles, int p, int outputs, const double* diagonal) {
    const double* own = diagonal + (int64)p * MATRIX_TILE * MATRIX_TILE;
    int lane = threadIdx.x % 32;
    for (int o = threadIdx.x / 32; o < outputs; o += THREADS / 32) {
        double* line = tile_at(matrix, tiles, tiles, p) + (int64)o * MATRIX_TILE * tiles;
        double rest[2] = {line[lane], line[lane + 32]};
        double inverse[2] = {reciprocal(own[lane * (MATRIX_TILE + 1)]), reciprocal(own[(lane + 32) * (MATRIX_TILE + 1)])};
        for (int k = MATRIX_TILE - 1; k >= 0; k--) {
            double value = k < 32 ? rest[0] * inverse[0] : rest[1] * inverse[1];
            value = __shfl_sync(FULL_WARP, value, k % 32);
            if (lane < k) rest[0] -= own[k * MATRIX_TILE + lane] * value;
            if (lane + 32 < k) rest[1] -= own[k * MATRIX_TILE + lane + 32] * value;
            if (lane == k % 32) line[k] = value;
        }
    }
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) solve_tiles(double* matrix, int tiles, int outputs, double* diagonal,
                                                                    uint32* barrier, int* result) {
    DYNAMIC_SHARED(double, memory);
    uint32 phase = 0;
    bool regular = true;
    for (int p = 0; p < tiles; p++) {
        for (int i = p + 1 + blockIdx.x; i <= tiles; i += gridDim.x)
            regular = eliminate_panel(matrix, tiles, p, i, memory, diagonal) && regular;
        grid_barrier(barrier, phase);
        int lines = tiles - p;  // rows of tiles below the panel, including the outputs
        int64 count = (int64)lines * (lines + 1) / 2 - 1;
        for (int64 at = blockIdx.x; at < count; at += gridDim.x) {
            int line = (int)((sqrt(8.0 * at + 1.0) - 1.0) / 2.0);
            while ((int64)(line + 1) * (line + 2) / 2 <= at) line++;
            while ((int64)line * (line + 1) / 2 > at) line--;
            int column = (int)(at - (int64)line * (line + 1) / 2);
            update_tile(matrix, tiles, p, p + 1 + line, p + 1 + column, diagonal, memory, memory + MATRIX_TILE * TILE_STRIDE);
        }
        grid_barrier(barrier, phase);
    }
    if (!regular && threadIdx.x == 0) result[0] = 1;
    for (int p = tiles - 1; p >= 0; p--) {
        // The block that last updated the outputs of tile p solves them.
        if (p % gridDim.x == blockIdx.x) back_substitute(matrix, tiles, p, outputs, diagonal);
        grid_barrier(barrier, phase);
        for (int q = blockIdx.x; q < p; q += gridDim.x) {
            for (int at = threadIdx.x; at < outputs * MATRIX_TILE; at += THREADS) {
                int o = at / MATRIX_TILE, column = at % MATRIX_TILE;
                const double* known = tile_at(matrix, tiles, tiles, p) + (int64)o * MATRIX_TILE * tiles;
                double* line = tile_at(matrix, tiles, tiles, q) + (int64)o * MATRIX_TILE * tiles;
                const double* factor = tile_at(matrix, tiles, p, q) + column;
                double sum = line[column];
#pragma unroll 8
                for (int k = 0; k < MATRIX_TILE; k++) sum -= factor[(int64)k * MATRIX_TILE * tiles] * known[k];
                line[column] = sum;
            }
            __syncthreads();
        }
    }
}
