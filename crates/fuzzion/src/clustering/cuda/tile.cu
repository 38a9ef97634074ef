// The tensor form of one pass, and of all iterations in one cooperative launch.

extern "C" __global__ void __launch_bounds__(32 * WARPS, RESIDENT)
sweep_tiles(const uint32* planes, const uint32* norms, const float* weights, int64 n, const float* prototypes,
            const float* column_scale, float fuzzifier, float noise, double* partial) {
    DYNAMIC_SHARED(uint4, shared);
    pass(planes, norms, weights, n, prototypes, column_scale, fuzzifier, noise, shared, partial + (int64)blockIdx.x * BLOCK_SUMS);
}

__device__ inline void mark_near(const float* centers, float share, uint32* near) {
    FOR_EACH(pair, (int64)CLUSTERS * CLUSTERS)
        if (are_near(centers, CLUSTERS, COLUMNS, pair, share)) *near = 1u;
}

// As iterate_rows, up to centers of which two are too near each other for this form. `near` is 0 at the launch; the pairs of
// centers are looked at by all threads while a pass begins, whose sums are not used where one is near.
extern "C" __global__ void __launch_bounds__(32 * WARPS, RESIDENT)
iterate_tiles(const uint32* planes, const uint32* norms, const float* weights, int64 n, float* prototypes,
              const float* column_scale, float fuzzifier, float noise, double* centers, double* partial, double* history,
              double tolerance, float share, int most, uint32* near, uint32* arrived, int* result) {
    DYNAMIC_SHARED(uint4, shared);
    uint32 phase = 0;
    int warp = (int)(blockIdx.x * WARPS + threadIdx.x / 32), warps = (int)gridDim.x * WARPS;
    int iteration = 0;
    bool rest = false;
    mark_near(prototypes, share, near);
    while (iteration < most && !rest) {
        pass(planes, norms, weights, n, prototypes, column_scale, fuzzifier, noise, shared,
             partial + (int64)blockIdx.x * BLOCK_SUMS);
        grid_barrier(arrived, phase);
        if (*(volatile uint32*)near) break;
        const double* old = centers + iteration % 2 * CLUSTERS * COLUMNS;
        double* next = centers + (iteration + 1) % 2 * CLUSTERS * COLUMNS;
        for (int at = warp; at <= CLUSTERS * COLUMNS; at += warps) {
            int cluster = at / COLUMNS, column = at % COLUMNS;
            if (at == CLUSTERS * COLUMNS) {
                double objective = over_blocks(partial, OBJECTIVE_AT);
                if (threadIdx.x % 32 == 0) history[iteration] = objective;
                continue;
            }
            double moment = over_blocks(partial, cluster * (8 * WORDS) + column);
            double mass = over_blocks(partial, MASSES_AT + cluster);
            if (threadIdx.x % 32 == 0) {
                double center = mass > 0.0 ? moment / mass / (double)column_scale[column] : old[at];
                next[at] = center;
                prototypes[at] = (float)center;
            }
        }
        grid_barrier(arrived, phase);
        iteration++;
        rest = __syncthreads_and(farthest_move(old, next) <= tolerance);
        mark_near(prototypes, share, near);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) result[0] = iteration, result[1] = rest;
}
