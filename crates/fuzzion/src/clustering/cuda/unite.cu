// Joins the sums that blocks left, in the order of the blocks: 8 numbers a block, 32 threads for each. The blocks after those
// that join look at pairs of centers, 256 each, and leave 1 after the sums where two of them are near, else 0.
extern "C" __global__ void __launch_bounds__(256) unite(const double* partial, int blocks, int width, double* sums,
                                                        const float* centers, int clusters, int columns, float share) {
    __shared__ double parts[32][8];
    int joining = (width + 7) / 8;
    if (blockIdx.x >= joining) {
        int64 pair = (int64)(blockIdx.x - joining) * 256 + threadIdx.x;
        int near = __syncthreads_or(pair < (int64)clusters * clusters && are_near(centers, clusters, columns, pair, share));
        if (threadIdx.x == 0) sums[width + blockIdx.x - joining] = near ? 1.0 : 0.0;
        return;
    }
    int at = blockIdx.x * 8 + threadIdx.x % 8, lane = threadIdx.x / 8;
    double sum = 0.0;
    if (at < width)
        for (int block = lane; block < blocks; block += 32) sum += partial[(int64)block * width + at];
    parts[lane][threadIdx.x % 8] = sum;
    __syncthreads();
    if (lane == 0 && at < width) {
        sum = 0.0;
        for (int i = 0; i < 32; i++) sum += parts[i][threadIdx.x];
        sums[at] = sum;
    }
}
