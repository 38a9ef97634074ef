// All iterations of a small problem in one cooperative launch, without returning to the host.

// `centers` has space for two sets of clusters × columns values; the first contains the initial centers. `result`
// receives the number of iterations and whether the centers converged.
extern "C" __global__ void __launch_bounds__(THREADS)
iterate_rows(const REAL* rows, const REAL* weights, int64 n, REAL* prototypes, double* centers, double* partial,
             double* history, double tolerance, int max_iterations, uint32* arrived, int* result) {
    DYNAMIC_SHARED(REAL, shared);
    uint32 phase = 0;
    int warp = (int)(blockIdx.x * (THREADS / 32) + threadIdx.x / 32), warps = (int)gridDim.x * (THREADS / 32);
    int iteration = 0;
    bool converged = false;
    while (iteration < max_iterations && !converged) {
        sweep::run(rows, weights, n, prototypes, shared, partial + (int64)blockIdx.x * BLOCK_SUMS);
        grid_barrier(arrived, phase);
        const double* old = centers + iteration % 2 * CLUSTERS * COLUMNS;
        double* next = centers + (iteration + 1) % 2 * CLUSTERS * COLUMNS;
        for (int at = warp; at <= CLUSTERS * COLUMNS; at += warps) {
            int cluster = at / COLUMNS, column = at % COLUMNS;
            if (at == CLUSTERS * COLUMNS) {
                double objective = sum_over_blocks(partial, TOTALS_AT);
                if (threadIdx.x % 32 == 0) history[iteration] = objective;
                continue;
            }
            double moment = sum_over_blocks(partial, cluster * (QUADS * 4) + column);
            double mass = sum_over_blocks(partial, cluster * (QUADS * 4) + COLUMNS);
            if (threadIdx.x % 32 == 0) {
                double center = mass > 0.0 ? moment / mass : old[at];
                next[at] = center;
                prototypes[COLUMNS_AT + column * PADDED + cluster] = REAL(center);
            }
        }
        grid_barrier(arrived, phase);
        iteration++;
        // All blocks compute the same value.
        converged = __syncthreads_and(max_center_shift(old, next) <= tolerance);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) result[0] = iteration, result[1] = converged;
}
