// Equation (3) for many unknowns: L·D·Lᵀ of a matrix in global memory by all blocks together, in square parts of PART rows.
// Below the `parts` parts of the matrix stands one more line of parts, whose first `outputs` rows are ΦᵀWY, scaled alike;
// in its place θ is left.

#define PART 64
#define LINE (PART + 4)   // rows of operands in shared memory: columns do not meet in a bank
#define PANEL (PART + 1)

// Part (i, j) of the matrix.
__device__ inline double* part_of(double* matrix, int parts, int i, int j) {
    return matrix + ((int64)i * PART * parts + j) * PART;
}

// Panel p: its diagonal part above part i, eliminated; what becomes of part i goes back, of the diagonal into `pivots`.
__device__ inline bool eliminate_panel(double* matrix, int parts, int p, int i, double* panel, double* diagonal) {
    double* top = part_of(matrix, parts, p, p);
    double* low = part_of(matrix, parts, i, p);
    for (int at = threadIdx.x; at < PART * PART; at += THREADS) {
        int row = at / PART, column = at % PART;
        panel[row * PANEL + column] = top[(int64)row * PART * parts + column];
        panel[(PART + row) * PANEL + column] = low[(int64)row * PART * parts + column];
    }
    __syncthreads();
    bool good = eliminate<2 * PART, PART, PANEL>(panel);
    for (int at = threadIdx.x; at < PART * PART; at += THREADS) {
        int row = at / PART, column = at % PART;
        low[(int64)row * PART * parts + column] = panel[(PART + row) * PANEL + column];
        // All blocks read the diagonal part: the first writes what became of it elsewhere.
        if (i == p + 1) diagonal[(int64)p * PART * PART + at] = panel[row * PANEL + column];
    }
    __syncthreads();
    return good;
}

// Part (i, j) loses the product of what panel p made of parts (i, p) and (j, p).
__device__ inline void update_part(double* matrix, int parts, int p, int i, int j, const double* diagonal, double* left,
                                   double* right) {
    const double* high = part_of(matrix, parts, i, p);
    const double* side = part_of(matrix, parts, j, p);
    for (int at = threadIdx.x; at < PART * PART; at += THREADS) {
        int row = at / PART, k = at % PART;
        left[row * LINE + k] = high[(int64)row * PART * parts + k];
        right[row * LINE + k] =
            -side[(int64)row * PART * parts + k] * reciprocal(diagonal[(int64)p * PART * PART + k * (PART + 1)]);
    }
    __syncthreads();
    double* to = part_of(matrix, parts, i, j);
    int lane = threadIdx.x % 32;
    for (int unit = threadIdx.x / 32; unit < PART / 16 * (PART / 8); unit += THREADS / 32) {
        int row = unit / (PART / 8) * 16 + lane / 4, column = unit % (PART / 8) * 8;
        double* place = to + (int64)row * PART * parts + column + lane % 4 * 2;
        double* below = place + (int64)8 * PART * parts;
        double sums[4] = {place[0], place[1], below[0], below[1]};
#pragma unroll
        for (int k = lane % 4; k < PART; k += 4)
            multiply_add(sums, left[row * LINE + k], left[(row + 8) * LINE + k], right[(column + lane / 4) * LINE + k]);
        place[0] = sums[0], place[1] = sums[1], below[0] = sums[2], below[1] = sums[3];
    }
    __syncthreads();
}

// θ of part p, once those of all later parts have left its line: a warp for each output.
__device__ inline void back_part(double* matrix, int parts, int p, int outputs, const double* diagonal) {
    const double* own = diagonal + (int64)p * PART * PART;
    int lane = threadIdx.x % 32;
    for (int o = threadIdx.x / 32; o < outputs; o += THREADS / 32) {
        double* line = part_of(matrix, parts, parts, p) + (int64)o * PART * parts;
        double rest[2] = {line[lane], line[lane + 32]};
        double inverse[2] = {reciprocal(own[lane * (PART + 1)]), reciprocal(own[(lane + 32) * (PART + 1)])};
        for (int k = PART - 1; k >= 0; k--) {
            double value = k < 32 ? rest[0] * inverse[0] : rest[1] * inverse[1];
            value = __shfl_sync(FULL_WARP, value, k % 32);
            if (lane < k) rest[0] -= own[k * PART + lane] * value;
            if (lane + 32 < k) rest[1] -= own[k * PART + lane + 32] * value;
            if (lane == k % 32) line[k] = value;
        }
    }
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) solve_parts(double* matrix, int parts, int outputs, double* diagonal,
                                                                    uint32* arrived, int* result) {
    DYNAMIC_SHARED(double, memory);
    uint32 phase = 0;
    bool good = true;
    for (int p = 0; p < parts; p++) {
        for (int i = p + 1 + blockIdx.x; i <= parts; i += gridDim.x)
            good = eliminate_panel(matrix, parts, p, i, memory, diagonal) && good;
        grid_barrier(arrived, phase);
        int lines = parts - p;  // lines of parts below the panel, the last of them the outputs'
        int64 count = (int64)lines * (lines + 1) / 2 - 1;
        for (int64 at = blockIdx.x; at < count; at += gridDim.x) {
            int line = (int)((sqrt(8.0 * at + 1.0) - 1.0) / 2.0);
            while ((int64)(line + 1) * (line + 2) / 2 <= at) line++;
            while ((int64)line * (line + 1) / 2 > at) line--;
            int column = (int)(at - (int64)line * (line + 1) / 2);
            update_part(matrix, parts, p, p + 1 + line, p + 1 + column, diagonal, memory, memory + PART * LINE);
        }
        grid_barrier(arrived, phase);
    }
    if (!good && threadIdx.x == 0) result[0] = 1;
    for (int p = parts - 1; p >= 0; p--) {
        // The block that last changed the outputs of part p solves them.
        if (p % gridDim.x == blockIdx.x) back_part(matrix, parts, p, outputs, diagonal);
        grid_barrier(arrived, phase);
        for (int q = blockIdx.x; q < p; q += gridDim.x) {
            for (int at = threadIdx.x; at < outputs * PART; at += THREADS) {
                int o = at / PART, column = at % PART;
                const double* known = part_of(matrix, parts, parts, p) + (int64)o * PART * parts;
                double* line = part_of(matrix, parts, parts, q) + (int64)o * PART * parts;
                const double* factor = part_of(matrix, parts, p, q) + column;
                double sum = line[column];
#pragma unroll 8
                for (int k = 0; k < PART; k++) sum -= factor[(int64)k * PART * parts] * known[k];
                line[column] = sum;
            }
            __syncthreads();
        }
    }
}
