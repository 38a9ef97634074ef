// Operands of pairs.cu: φ of `count` rows, starting at row `from`, by rule, and the monomials up to twice the order times
// the row weights. Columns of both are `stride` values apart. Padding rows and rows with missing inputs, which have no
// common coordinates, are 0.

__device__ constexpr int PRODUCT_PARENT[] = {PRODUCT_PARENTS};
__device__ constexpr int PRODUCT_INPUT[] = {PRODUCT_INPUTS};

extern "C" __global__ void __launch_bounds__(THREADS, 1) firing_strengths(const double* __restrict__ all, int64 from, int64 count,
                                                                   const double* __restrict__ sets,
                                                                   const int* __restrict__ set_indices, int64 stride, double* phi,
                                                                   double* monomials) {
    DYNAMIC_SHARED(double, memory);
    double* tile = memory;
    double* xs = tile + COLUMNS * TILE_STRIDE;
    double* scratch = xs + INPUTS * TILE_ROWS;
    const double* rows = all + from * ROW_STRIDE;
    SampleRows samples = {rows, count, count};
    Antecedents antecedents = {sets, set_indices, nullptr};
    int r = threadIdx.x % TILE_ROWS, row_thread = threadIdx.x / TILE_ROWS;
    for (int64 first = (int64)blockIdx.x * TILE_ROWS; first < stride; first += (int64)gridDim.x * TILE_ROWS) {
        int64 row = first + r;
        fill_tile(tile, xs, scratch, antecedents, samples, first, row < count ? 1.0 : 0.0);
        __syncthreads();
        bool is_training = row < count;
        for (int j = 0; j < INPUTS; j++) is_training = is_training && xs[j * TILE_ROWS + r] == xs[j * TILE_ROWS + r];
        if (row < stride) {
            for (int k = row_thread; k < RULES; k += THREADS_PER_ROW)
                phi[k * stride + row] = is_training ? tile[k * TILE_STRIDE + r] : 0.0;
            double weight = !is_training ? 0.0 : WEIGHTED ? rows[row * ROW_STRIDE + INPUTS + OUTPUTS] : 1.0;
            for (int m = row_thread; m < PRODUCT_MONOMIALS; m += THREADS_PER_ROW) {
                double value = weight;
                // Coordinates centered on the range improve the conditioning of high powers.
                for (int t = m; t > 0; t = PRODUCT_PARENT[t]) value *= 2.0 * xs[PRODUCT_INPUT[t] * TILE_ROWS + r] - 1.0;
                monomials[m * stride + row] = is_training ? value : 0.0;
            }
        }
        __syncthreads();
    }
}
