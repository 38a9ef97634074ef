// Product form of all iterations in one cooperative launch.

__device__ inline void flag_close_centers(const float* centers, float min_separation, uint32* too_close) {
    FOR_EACH(pair, (int64)CLUSTERS * CLUSTERS)
        if (are_too_close(centers, CLUSTERS, COLUMNS, pair, min_separation)) *too_close = 1u;
}

// Like iterate_rows, until two centers are too close for the product form, or, if `check_rows` is set, a row is near more
// than one center. `too_close` must be 0 at launch; all threads compare the pairs of centers while a pass begins, and the
// sums are discarded if it is set.
extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS_PER_MULTIPROCESSOR)
iterate_tiles(const uint32* planes, const uint32* norms, const float* weights, int64 n, float* prototypes,
              const float* column_scale, float fuzzifier, float noise, int check_rows, double* centers, double* partial, double* history,
              double tolerance, float min_separation, int max_iterations, uint32* too_close, uint32* arrived, int* result) {
    DYNAMIC_SHARED(uint4, shared);
    uint32 phase = 0;
    int warp = (int)(blockIdx.x * WARPS + threadIdx.x / 32), warps = (int)gridDim.x * WARPS;
    int iteration = 0;
    bool converged = false;
    if (!check_rows) flag_close_centers(prototypes, min_separation, too_close);
    while (iteration < max_iterations && !converged) {
        bool near = sweep_block(planes, norms, weights, n, prototypes, column_scale, fuzzifier, noise, check_rows, shared,
                                partial + (int64)blockIdx.x * BLOCK_SUMS);
        if (near) *too_close = 1u;
        grid_barrier(arrived, phase);
        if (*(volatile uint32*)too_close) break;
        const double* old = centers + iteration % 2 * CLUSTERS * COLUMNS;
        double* next = centers + (iteration + 1) % 2 * CLUSTERS * COLUMNS;
        for (int at = warp; at <= CLUSTERS * COLUMNS; at += warps) {
            int cluster = at / COLUMNS, column = at % COLUMNS;
            if (at == CLUSTERS * COLUMNS) {
                double objective = sum_over_blocks(partial, OBJECTIVE_AT);
                if (threadIdx.x % 32 == 0) history[iteration] = objective;
                continue;
            }
            double moment = sum_over_blocks(partial, cluster * (8 * WORDS) + column);
            double mass = sum_over_blocks(partial, MASSES_AT + cluster);
            if (threadIdx.x % 32 == 0) {
                double center = mass > 0.0 ? moment / mass / (double)column_scale[column] : old[at];
                next[at] = center;
                prototypes[at] = (float)center;
            }
        }
        grid_barrier(arrived, phase);
        iteration++;
        converged = __syncthreads_and(max_center_shift(old, next) <= tolerance);
        if (!check_rows) flag_close_centers(prototypes, min_separation, too_close);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) result[0] = iteration, result[1] = converged;
}
