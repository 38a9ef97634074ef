// Memberships of rows in internal coordinates; `first` is the index of the first row in the array.

// Calls store(first row of the tile, number of rows, memberships) for every tile of ROWS rows; the membership of row r in
// cluster k is memberships[k · DEGREE_STRIDE + r].
template <typename Store> __device__ inline void for_each_tile(const REAL* rows, int64 n, const REAL* prototypes, Store store) {
    DYNAMIC_SHARED(REAL, shared);
    REAL *x = shared, *d = x + ROWS * STRIDE, *scratch = d + PADDED * DEGREE_STRIDE;
    sweep::fill_constant_columns(x);
    sweep::Totals unused = {0.0, 0.0, 0.0, 0.0};
    for (int64 tile = (int64)blockIdx.x * ROWS; tile < n; tile += (int64)gridDim.x * ROWS) {
        __syncthreads(); // the previous tile is no longer in use
        sweep::load(rows, tile, n, x);
        __syncthreads();
        sweep::distances(x, prototypes, d);
        sweep::degrees(prototypes, d, scratch, REAL(1), true, unused, nullptr);
        __syncthreads();
        store(tile, n - tile < ROWS ? (int)(n - tile) : ROWS, d);
    }
}

// All memberships, in row-major order.
extern "C" __global__ void __launch_bounds__(THREADS) memberships_of_rows(const REAL* rows, int64 first, int64 n,
                                                                          const REAL* prototypes, REAL* out) {
    for_each_tile(rows + first * COLUMNS, n, prototypes, [&](int64 tile, int count, const REAL* memberships) {
        for (int i = threadIdx.x; i < count * CLUSTERS; i += THREADS)
            out[tile * CLUSTERS + i] = memberships[i % CLUSTERS * DEGREE_STRIDE + i / CLUSTERS];
    });
}

// The `top` largest memberships of every row and their clusters, in descending order; ties go to the first.
extern "C" __global__ void __launch_bounds__(THREADS) top_of_rows(const REAL* rows, int64 first, int64 n, const REAL* prototypes,
                                                                  int top, uint32* clusters, REAL* out) {
    for_each_tile(rows + first * COLUMNS, n, prototypes, [&](int64 tile, int count, REAL* memberships) {
        for (int row = threadIdx.x; row < count; row += THREADS)
            for (int rank = 0; rank < top; rank++) {
                int best = 0;
                for (int k = 1; k < CLUSTERS; k++)
                    if (memberships[k * DEGREE_STRIDE + row] > memberships[best * DEGREE_STRIDE + row]) best = k;
                clusters[(tile + row) * top + rank] = (uint32)best;
                out[(tile + row) * top + rank] = memberships[best * DEGREE_STRIDE + row];
                memberships[best * DEGREE_STRIDE + row] = REAL(-1); // below every membership
            }
    });
}
