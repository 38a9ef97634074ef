// L·D·Lᵀ by one block of threads.

// 1/x of an ordinary x, without the branches of a division: an elimination is as long as the chain of its pivots.
__device__ inline double reciprocal(double x) {
#ifndef FUZZION_EMULATOR
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double error = fma(-x, y, 1.0);  // 2⁻²⁰ of it: its cube is beyond the last bit
    return fma(y, fma(error, error, error), y);
#else
    return 1.0 / x;
#endif
}

// Eliminates the columns of a matrix in shared memory whose first COUNT rows are symmetric (their lower triangle counts):
// column k becomes that of L times pivot k. False where a pivot is not above PIVOT. Each thread keeps its numbers (i, j),
// i = y + DOWN·a and j = x + 32b, in registers; a column goes to shared memory when it is complete.
template <int HEIGHT, int COUNT, int SIDE> __device__ inline bool eliminate(double* matrix) {
    constexpr int DOWN = THREADS / 32, HIGH = (HEIGHT + DOWN - 1) / DOWN, LONG = (COUNT + 31) / 32;
    int x = threadIdx.x % 32, y = threadIdx.x / 32;
    double own[HIGH][LONG];
#pragma unroll
    for (int a = 0; a < HIGH; a++)
#pragma unroll
        for (int b = 0; b < LONG; b++) {
            int i = y + DOWN * a, j = x + 32 * b;
            own[a][b] = i < HEIGHT && j < COUNT && j <= i ? matrix[i * SIDE + j] : 0.0;
        }
    bool good = true;
#pragma unroll
    for (int c = 0; c < LONG; c++) {
        for (int l = 0; l < 32; l++) {
            int k = c * 32 + l;
            if (k >= COUNT) break;
            if (x == l)
#pragma unroll
                for (int a = 0; a < HIGH; a++)
                    if (y + DOWN * a >= k && y + DOWN * a < HEIGHT) matrix[(y + DOWN * a) * SIDE + k] = own[a][c];
            __syncthreads();
            double pivot = matrix[k * SIDE + k];
            good = good && pivot > PIVOT;
            double right[LONG];
#pragma unroll
            for (int b = c; b < LONG; b++) right[b] = x + 32 * b < COUNT ? matrix[(x + 32 * b) * SIDE + k] : 0.0;
            double inverse = reciprocal(pivot);
#pragma unroll
            for (int a = 0; a < HIGH; a++) {
                double factor = y + DOWN * a < HEIGHT ? matrix[(y + DOWN * a) * SIDE + k] * inverse : 0.0;
#pragma unroll
                for (int b = c; b < LONG; b++) own[a][b] -= factor * right[b];
            }
        }
    }
    __syncthreads();
    return good;
}
