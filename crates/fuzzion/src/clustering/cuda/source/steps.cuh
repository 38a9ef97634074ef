// Operations between two steps of the same launch.

// Sum of one value over all blocks, by a warp in a fixed order.
__device__ inline double sum_over_blocks(const double* partial, int at) {
    double sum = 0.0;
    for (int block = threadIdx.x % 32; block < gridDim.x; block += 32) sum += partial[(int64)block * BLOCK_SUMS + at];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(FULL_WARP, sum, step);
    return sum;
}

// Largest shift among the centers of this thread.
__device__ inline double max_center_shift(const double* old, const double* next) {
    double largest = 0.0;
    for (int cluster = threadIdx.x; cluster < CLUSTERS; cluster += blockDim.x) {
        double squared = 0.0;
        for (int column = 0; column < COLUMNS; column++) {
            double difference = next[cluster * COLUMNS + column] - old[cluster * COLUMNS + column];
            squared += difference * difference;
        }
        largest = squared > largest ? squared : largest;
    }
    return sqrt(largest);
}
