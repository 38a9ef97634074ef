// What a launch that makes many steps does between two of them.

// The sum over blocks of one number of their sums, by a warp in a fixed order.
__device__ inline double over_blocks(const double* partial, int at) {
    double sum = 0.0;
    for (int block = threadIdx.x % 32; block < gridDim.x; block += 32) sum += partial[(int64)block * BLOCK_SUMS + at];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(FULL_WARP, sum, step);
    return sum;
}

// How far the farthest of this thread's clusters moved.
__device__ inline double farthest_move(const double* old, const double* next) {
    double most = 0.0;
    for (int cluster = threadIdx.x; cluster < CLUSTERS; cluster += blockDim.x) {
        double moved = 0.0;
        for (int column = 0; column < COLUMNS; column++) {
            double by = next[cluster * COLUMNS + column] - old[cluster * COLUMNS + column];
            moved += by * by;
        }
        most = moved > most ? moved : most;
    }
    return sqrt(most);
}
