// φ of `count` rows from row `from` on, rule by rule, and the monomials of twice the order, times the weights: what pairs.cu
// multiplies. Columns of both stand `stride` numbers apart; what is not a row, or one with missing inputs, is 0: its frames
// have no common coordinates.

__device__ constexpr int WIDE_PARENT[] = {WIDE_PARENTS};
__device__ constexpr int WIDE_INPUT[] = {WIDE_INPUTS};

extern "C" __global__ void __launch_bounds__(THREADS, 1) fire_rows(const double* __restrict__ all, int64 from, int64 count,
                                                                   const double* __restrict__ sets,
                                                                   const int* __restrict__ uses, int64 stride, double* phi,
                                                                   double* monomials) {
    DYNAMIC_SHARED(double, memory);
    double* tile = memory;
    double* xs = tile + COLUMNS * LINE;
    double* scratch = xs + INPUTS * ROWS;
    const double* rows = all + from * ROW_NUMBERS;
    Samples samples = {rows, count, count};
    Rules rules = {sets, uses, nullptr};
    int r = threadIdx.x % ROWS, part = threadIdx.x / ROWS;
    for (int64 first = (int64)blockIdx.x * ROWS; first < stride; first += (int64)gridDim.x * ROWS) {
        int64 row = first + r;
        fill_tile(tile, xs, scratch, rules, samples, first, row < count ? 1.0 : 0.0);
        __syncthreads();
        bool learns = row < count;
        for (int j = 0; j < INPUTS; j++) learns = learns && xs[j * ROWS + r] == xs[j * ROWS + r];
        if (row < stride) {
            for (int k = part; k < RULES; k += PARTS) phi[k * stride + row] = learns ? tile[k * LINE + r] : 0.0;
            double weight = !learns ? 0.0 : WEIGHTED ? rows[row * ROW_NUMBERS + INPUTS + OUTPUTS] : 1.0;
            for (int m = part; m < MONOMIALS; m += PARTS) {
                double value = weight;
                // Coordinates in the middle of the range, so that sums of high powers stay apart.
                for (int t = m; t > 0; t = WIDE_PARENT[t]) value *= 2.0 * xs[WIDE_INPUT[t] * ROWS + r] - 1.0;
                monomials[m * stride + row] = learns ? value : 0.0;
            }
        }
        __syncthreads();
    }
}
