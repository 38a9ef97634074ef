// Joins the sums that blocks left, in the order of the blocks: 8 numbers a block, 32 threads for each.
extern "C" __global__ void __launch_bounds__(256) unite(const double* partial, int blocks, int width, double* sums) {
    __shared__ double parts[32][8];
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
