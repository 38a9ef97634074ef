// Scaling of the matrix for many unknowns.

#define MATRIX_TILE 64

// Reciprocal square roots of the diagonal; 0 for columns that are negligible relative to the largest (their θ is 0). One
// block.
extern "C" __global__ void __launch_bounds__(THREADS) diagonal_scales(const double* __restrict__ matrix, int unknowns,
                                                                     int64 side, double* scales) {
    __shared__ double warp_maximum[THREADS / 32];
    double largest = 0.0;
    for (int i = threadIdx.x; i < unknowns; i += THREADS) largest = fmax(largest, matrix[i * side + i]);
    for (int step = 16; step > 0; step /= 2) largest = fmax(largest, __shfl_xor_sync(FULL_WARP, largest, step));
    if (threadIdx.x % 32 == 0) warp_maximum[threadIdx.x / 32] = largest;
    __syncthreads();
    for (int warp = 0; warp < THREADS / 32; warp++) largest = fmax(largest, warp_maximum[warp]);
    double threshold = fmax(largest * 4.930380657631324e-32, 2.2250738585072014e-308);
    for (int i = threadIdx.x; i < side; i += THREADS) {
        double diagonal = i < unknowns ? matrix[i * side + i] : 0.0;
        scales[i] = diagonal > threshold ? 1.0 / sqrt(diagonal) : 0.0;
    }
}

// Scales the matrix to a diagonal of 1 + ridge, pads it to whole tiles with 1 on the diagonal, and appends ΦᵀWY below.
extern "C" __global__ void __launch_bounds__(THREADS) scale_matrix(double* matrix, int64 side, const double* __restrict__ scales,
                                                                  const double* __restrict__ cross, int unknowns, int outputs,
                                                                  double ridge) {
    FOR_EACH(at, (side + MATRIX_TILE) * side) {
        int64 i = at / side, j = at % side;
        double value = 0.0;
        if (i == j) value = 1.0 + ridge;
        else if (i < unknowns && j < i) value = matrix[at] * scales[i] * scales[j];
        else if (i >= side && i < side + outputs && j < unknowns) value = cross[(i - side) * unknowns + j] * scales[j];
        matrix[at] = value;
    }
}
