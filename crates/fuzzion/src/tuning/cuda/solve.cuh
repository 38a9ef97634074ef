// Equation (3) by one block: the matrix is scaled to a diagonal of 1 + ridge and decomposed as L·D·Lᵀ; ΦᵀWY stands below it
// as further rows, which comes to solving with L on the way.

#define SIDE (UNKNOWNS | 1)  // numbers from one row of the matrix to the next

// The matrix from the sums of gram.cuh; `scales` holds UNKNOWNS numbers.
__device__ inline void scaled_matrix(const double* gram, double ridge, double* matrix, double* scales) {
    // A column that is nothing but rounding beside the largest has θ = 0.
    double largest = 0.0;
    for (int i = threadIdx.x % 32; i < UNKNOWNS; i += 32) largest = fmax(largest, gram[i * (i + 3) / 2]);
    for (int step = 16; step > 0; step /= 2) largest = fmax(largest, __shfl_xor_sync(FULL_WARP, largest, step));
    double least = fmax(largest * 4.930380657631324e-32, 2.2250738585072014e-308);
    for (int i = threadIdx.x; i < UNKNOWNS; i += THREADS) {
        double diagonal = gram[i * (i + 3) / 2];
        scales[i] = diagonal > least ? 1.0 / sqrt(diagonal) : 0.0;
    }
    __syncthreads();
    for (int at = threadIdx.x; at < COLUMNS * UNKNOWNS; at += THREADS) {
        int i = at / UNKNOWNS, j = at % UNKNOWNS;
        if (j > i) continue;
        double value = gram[i * (i + 1) / 2 + j] * scales[j];
        if (i < UNKNOWNS) value = i == j ? 1.0 + ridge : value * scales[i];
        matrix[i * SIDE + j] = value;
    }
    __syncthreads();
}

// θ, or false where a pivot vanishes.
__device__ inline bool solve_matrix(double* matrix, const double* scales, double* theta) {
    bool good = eliminate<COLUMNS, UNKNOWNS, SIDE>(matrix);
    // Backwards, a warp for each output: once θₖ is known, it leaves the sums of all before it.
    int lane = threadIdx.x % 32;
    for (int o = threadIdx.x / 32; o < OUTPUTS; o += THREADS / 32) {
        constexpr int HELD = (UNKNOWNS + 31) / 32;
        double rest[HELD], inverse[HELD];
#pragma unroll
        for (int e = 0; e < HELD; e++) {
            int i = e * 32 + lane;
            rest[e] = i < UNKNOWNS ? matrix[(UNKNOWNS + o) * SIDE + i] : 0.0;
            inverse[e] = i < UNKNOWNS ? reciprocal(matrix[i * SIDE + i]) : 0.0;
        }
#pragma unroll
        for (int e = HELD - 1; e >= 0; e--) {
            for (int l = 31; l >= 0; l--) {
                int k = e * 32 + l;
                if (k >= UNKNOWNS) continue;
                double value = __shfl_sync(FULL_WARP, rest[e] * inverse[e], l);
                if (lane == l) theta[o * UNKNOWNS + k] = value * scales[k];
#pragma unroll
                for (int f = 0; f <= e; f++)
                    if (f * 32 + lane < k) rest[f] -= matrix[k * SIDE + f * 32 + lane] * value;
            }
        }
    }
    __syncthreads();
    return good;
}
