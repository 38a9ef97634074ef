// Sums the `width` values that each block stored in `partial`, using all blocks, in an order that depends only on the
// number of blocks. Not inlined, because `gradient_descent` calls it twice.
__device__ __noinline__ void sum_over_blocks(const double* partial, int blocks, int width, double* total, double* scratch) {
    if (blocks <= 32) {
        for (int i = blockIdx.x * THREADS + threadIdx.x; i < width; i += gridDim.x * THREADS) {
            double sum = 0.0;
#pragma unroll 4
            for (int block = 0; block < blocks; block++) sum += partial[(int64)block * width + i];
            total[i] = sum;
        }
        return;
    }
    // Eight adjacent values at a time: half a 128-byte cache line.
    int lane = threadIdx.x % 8, from = threadIdx.x / 8, warp = threadIdx.x / 32;
    for (int first = blockIdx.x * 8; first < width; first += gridDim.x * 8) {
        double sum = 0.0;
        if (first + lane < width)
            for (int block = from; block < blocks; block += THREADS / 8) sum += partial[(int64)block * width + first + lane];
        sum += __shfl_xor_sync(FULL_WARP, sum, 8);
        sum += __shfl_xor_sync(FULL_WARP, sum, 16);
        __syncthreads();
        if (threadIdx.x % 32 < 8) scratch[warp * 8 + lane] = sum;
        __syncthreads();
        if (threadIdx.x < 8 && first + lane < width) {
#pragma unroll
            for (int other = 1; other < THREADS / 32; other++) sum += scratch[other * 8 + lane];
            total[first + lane] = sum;
        }
    }
}
