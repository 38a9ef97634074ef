// Sums the values of all blocks in a fixed order: 8 values per block, 32 threads per value. The remaining blocks
// compare pairs of centers, 256 each, and write 1 after the sums if two of them are too close, otherwise 0.
extern "C" __global__ void __launch_bounds__(256) reduce_blocks(const double* partial, int blocks, int width, double* sums,
                                                                const float* centers, int clusters, int columns,
                                                                float min_separation) {
    __shared__ double partial_sums[32][8];
    int reducing_blocks = (width + 7) / 8;
    if (blockIdx.x >= reducing_blocks) {
        int64 pair = (int64)(blockIdx.x - reducing_blocks) * 256 + threadIdx.x;
        int too_close = __syncthreads_or(pair < (int64)clusters * clusters &&
                                         are_too_close(centers, clusters, columns, pair, min_separation));
        if (threadIdx.x == 0) sums[width + blockIdx.x - reducing_blocks] = too_close ? 1.0 : 0.0;
        return;
    }
    int at = blockIdx.x * 8 + threadIdx.x % 8, lane = threadIdx.x / 8;
    double sum = 0.0;
    if (at < width)
        for (int block = lane; block < blocks; block += 32) sum += partial[(int64)block * width + at];
    partial_sums[lane][threadIdx.x % 8] = sum;
    __syncthreads();
    if (lane == 0 && at < width) {
        sum = 0.0;
        for (int i = 0; i < 32; i++) sum += partial_sums[i][threadIdx.x];
        sums[at] = sum;
    }
}
