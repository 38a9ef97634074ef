// All iterations of a small problem in one cooperative launch: the textbook's step, no way back to the host between.

// `centers` are two sets of clusters × columns in double precision, the first of them the start; `result` tells how many
// iterations were made and whether the centers came to rest.
extern "C" __global__ void __launch_bounds__(THREADS)
iterate_rows(const REAL* rows, const REAL* weights, int64 n, REAL* prototypes, double* centers, double* partial, double* history,
             double tolerance, int most, uint32* arrived, int* result) {
    DYNAMIC_SHARED(REAL, shared);
    uint32 phase = 0;
    int warp = (int)(blockIdx.x * (THREADS / 32) + threadIdx.x / 32), warps = (int)gridDim.x * (THREADS / 32);
    int iteration = 0;
    bool rest = false;
    while (iteration < most && !rest) {
        sweep::rows(rows, weights, n, prototypes, shared, partial + (int64)blockIdx.x * BLOCK_SUMS);
        grid_barrier(arrived, phase);
        const double* old = centers + iteration % 2 * CLUSTERS * COLUMNS;
        double* next = centers + (iteration + 1) % 2 * CLUSTERS * COLUMNS;
        for (int at = warp; at <= CLUSTERS * COLUMNS; at += warps) {
            int cluster = at / COLUMNS, column = at % COLUMNS;
            if (at == CLUSTERS * COLUMNS) {
                double objective = over_blocks(partial, TOTALS_AT);
                if (threadIdx.x % 32 == 0) history[iteration] = objective;
                continue;
            }
            double moment = over_blocks(partial, cluster * (QUADS * 4) + column);
            double mass = over_blocks(partial, cluster * (QUADS * 4) + COLUMNS);
            if (threadIdx.x % 32 == 0) {
                double center = mass > 0.0 ? moment / mass : old[at];
                next[at] = center;
                prototypes[COLUMNS_AT + column * PADDED + cluster] = REAL(center);
            }
        }
        grid_barrier(arrived, phase);
        iteration++;
        // Every block finds the same.
        rest = __syncthreads_and(farthest_move(old, next) <= tolerance);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) result[0] = iteration, result[1] = rest;
}
