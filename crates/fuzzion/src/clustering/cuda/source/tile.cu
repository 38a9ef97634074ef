// Product form of one pass.

extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS_PER_MULTIPROCESSOR)
sweep_tiles(const uint32* planes, const uint32* norms, const float* weights, int64 n, const float* prototypes,
            const float* column_scale, float fuzzifier, float noise, int check_rows, double* partial) {
    DYNAMIC_SHARED(uint4, shared);
    sweep_block(planes, norms, weights, n, prototypes, column_scale, fuzzifier, noise, check_rows, shared,
                partial + (int64)blockIdx.x * BLOCK_SUMS);
}
