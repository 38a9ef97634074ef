// Memberships of rows in internal coordinates, in row-major order; `first` is the index of the first row in the array.

extern "C" __global__ void __launch_bounds__(THREADS) memberships_of_rows(const REAL* rows, int64 first, int64 n,
                                                                          const REAL* prototypes, REAL* out) {
    DYNAMIC_SHARED(REAL, shared);
    REAL *x = shared, *d = x + ROWS * STRIDE, *scratch = d + PADDED * DEGREE_STRIDE;
    sweep::fill_constant_columns(x);
    sweep::Totals unused = {0.0, 0.0, 0.0, 0.0};
    rows += first * COLUMNS;
    for (int64 tile = (int64)blockIdx.x * ROWS; tile < n; tile += (int64)gridDim.x * ROWS) {
        __syncthreads(); // the previous tile is no longer in use
        sweep::load(rows, tile, n, x);
        __syncthreads();
        sweep::distances(x, prototypes, d);
        sweep::degrees(prototypes, d, scratch, REAL(1), true, unused, nullptr);
        __syncthreads();
        int64 count = n - tile < ROWS ? n - tile : ROWS;
        for (int i = threadIdx.x; i < count * CLUSTERS; i += THREADS)
            out[tile * CLUSTERS + i] = d[i % CLUSTERS * DEGREE_STRIDE + i / CLUSTERS];
    }
}
