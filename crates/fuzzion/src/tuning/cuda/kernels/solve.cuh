// Equation (3) by one block: the matrix is scaled to a diagonal of 1 + ridge and decomposed as L·D·Lᵀ. ΦᵀWY is
// appended as additional rows, so that the elimination also performs the forward substitution.

#define MATRIX_STRIDE (UNKNOWNS | 1)  // row stride of the matrix

// Builds the scaled matrix from the sums of gram.cuh; `scales` has UNKNOWNS entries.
__device__ inline void scaled_matrix(const double* gram, double ridge, double* matrix, double* scales) {
    // Columns that are negligible relative to the largest have θ = 0.
    double largest = 0.0;
    for (int i = threadIdx.x % 32; i < UNKNOWNS; i += 32) largest = fmax(largest, gram[i * (i + 3) / 2]);
    for (int step = 16; step > 0; step /= 2) largest = fmax(largest, __shfl_xor_sync(FULL_WARP, largest, step));
    double threshold = fmax(largest * 4.930380657631324e-32, 2.2250738585072014e-308);
    for (int i = threadIdx.x; i < UNKNOWNS; i += THREADS) {
        double diagonal = gram[i * (i + 3) / 2];
        scales[i] = diagonal > threshold ? 1.0 / sqrt(diagonal) : 0.0;
    }
    __syncthreads();
#pragma unroll 1
    for (int at = threadIdx.x; at < COLUMNS * UNKNOWNS; at += THREADS) {
        int i = at / UNKNOWNS, j = at % UNKNOWNS;
        if (j > i) continue;
        double value = gram[i * (i + 1) / 2 + j] * scales[j];
        if (i < UNKNOWNS) value = i == j ? 1.0 + ridge : value * scales[i];
        matrix[i * MATRIX_STRIDE + j] = value;
    }
    __syncthreads();
}

// Solves for θ; returns false if a pivot vanishes.
__device__ inline bool solve_matrix(double* matrix, const double* scales, double* theta) {
    bool regular = eliminate<COLUMNS, UNKNOWNS, MATRIX_STRIDE>(matrix);
    // Back substitution, one warp per output: once θₖ is known, its contribution is subtracted from all earlier rows.
    int lane = threadIdx.x % 32;
    for (int o = threadIdx.x / 32; o < OUTPUTS; o += THREADS / 32) {
        constexpr int PER_LANE = (UNKNOWNS + 31) / 32;
        double rest[PER_LANE], inverse[PER_LANE];
#pragma unroll
        for (int e = 0; e < PER_LANE; e++) {
            int i = e * 32 + lane;
            rest[e] = i < UNKNOWNS ? matrix[(UNKNOWNS + o) * MATRIX_STRIDE + i] : 0.0;
            inverse[e] = i < UNKNOWNS ? reciprocal(matrix[i * MATRIX_STRIDE + i]) : 0.0;
        }
#pragma unroll
        for (int e = PER_LANE - 1; e >= 0; e--) {
            for (int l = 31; l >= 0; l--) {
                int k = e * 32 + l;
                if (k >= UNKNOWNS) continue;
                double value = __shfl_sync(FULL_WARP, rest[e] * inverse[e], l);
                if (lane == l) theta[o * UNKNOWNS + k] = value * scales[k];
#pragma unroll
                for (int f = 0; f <= e; f++)
                    if (f * 32 + lane < k) rest[f] -= matrix[k * MATRIX_STRIDE + f * 32 + lane] * value;
            }
        }
    }
    __syncthreads();
    return regular;
}
