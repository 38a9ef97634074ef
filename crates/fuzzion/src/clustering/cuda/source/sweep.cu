// Kernel based on explicit differences.

extern "C" __global__ void __launch_bounds__(THREADS) sweep_rows(const REAL* rows, const REAL* weights, int64 n,
                                                                 const REAL* prototypes, double* partial) {
    DYNAMIC_SHARED(REAL, shared);
    sweep::run(rows, weights, n, prototypes, shared, partial + (int64)blockIdx.x * BLOCK_SUMS);
}
