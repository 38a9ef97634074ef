// L·D·Lᵀ decomposition by one block.

// 1/x for a normal x, without the branches of a division: the chain of pivots is the critical path of an elimination.
__device__ inline double reciprocal(double x) {
#ifndef FUZZION_EMULATOR
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double error = fma(-x, y, 1.0);  // 2⁻²⁰ relative; its cube is below the last bit
    return fma(y, fma(error, error, error), y);
#else
    return 1.0 / x;
#endif
}

// Eliminates the columns of a matrix in shared memory whose first COUNT rows are symmetric (only the lower triangle is
// read): column k becomes column k of L times pivot k. Returns false if a pivot is not above MIN_PIVOT. Each thread
// keeps its entries (i, j), i = y + ROW_STEP·a and j = x + 32b, in registers; a column is written to shared memory
// when it is complete.
template <int HEIGHT, int COUNT, int STRIDE> __device__ inline bool eliminate(double* matrix) {
    constexpr int ROW_STEP = THREADS / 32, ROWS_PER_THREAD = (HEIGHT + ROW_STEP - 1) / ROW_STEP;
    constexpr int COLUMNS_PER_THREAD = (COUNT + 31) / 32;
    int x = threadIdx.x % 32, y = threadIdx.x / 32;
    double own[ROWS_PER_THREAD][COLUMNS_PER_THREAD];
#pragma unroll
    for (int a = 0; a < ROWS_PER_THREAD; a++)
#pragma unroll
        for (int b = 0; b < COLUMNS_PER_THREAD; b++) {
            int i = y + ROW_STEP * a, j = x + 32 * b;
            own[a][b] = i < HEIGHT && j < COUNT && j <= i ? matrix[i * STRIDE + j] : 0.0;
        }
    bool regular = true;
#pragma unroll
    for (int c = 0; c < COLUMNS_PER_THREAD; c++) {
        for (int l = 0; l < 32; l++) {
            int k = c * 32 + l;
            if (k >= COUNT) break;
            if (x == l)
#pragma unroll
                for (int a = 0; a < ROWS_PER_THREAD; a++)
                    if (y + ROW_STEP * a >= k && y + ROW_STEP * a < HEIGHT) matrix[(y + ROW_STEP * a) * STRIDE + k] = own[a][c];
            __syncthreads();
            double pivot = matrix[k * STRIDE + k];
            regular = regular && pivot > MIN_PIVOT;
            double right[COLUMNS_PER_THREAD];
#pragma unroll
            for (int b = c; b < COLUMNS_PER_THREAD; b++) right[b] = x + 32 * b < COUNT ? matrix[(x + 32 * b) * STRIDE + k] : 0.0;
            double inverse = reciprocal(pivot);
#pragma unroll
            for (int a = 0; a < ROWS_PER_THREAD; a++) {
                double factor = y + ROW_STEP * a < HEIGHT ? matrix[(y + ROW_STEP * a) * STRIDE + k] * inverse : 0.0;
#pragma unroll
                for (int b = c; b < COLUMNS_PER_THREAD; b++) own[a][b] -= factor * right[b];
            }
        }
    }
    __syncthreads();
    return regular;
}
