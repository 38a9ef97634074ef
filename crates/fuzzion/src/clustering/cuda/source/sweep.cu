// Kernels based on explicit differences.

// Converts rows to internal coordinates in place: W((x − shift)·scale). Missing values remain missing.
extern "C" __global__ void prepare(REAL* rows, const REAL* space, int64 n) {
    const REAL *shift = space, *scale = space + COLUMNS, *whitening = space + 2 * COLUMNS;
    FOR_EACH(row, n) {
        REAL* x = rows + row * COLUMNS;
        for (int i = 0; i < COLUMNS; i++) x[i] = (x[i] - shift[i]) * scale[i];
#if WHITENED
        // From the last column to the first, so that each is read before it is overwritten.
        for (int to = COLUMNS - 1; to >= 0; to--) {
            REAL y = REAL(0);
            for (int from = 0; from <= to; from++) y += whitening[to * COLUMNS + from] * x[from];
            x[to] = y;
        }
#endif
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) sweep_rows(const REAL* rows, const REAL* weights, int64 n,
                                                                 const REAL* prototypes, double* partial) {
    DYNAMIC_SHARED(REAL, shared);
    sweep::run(rows, weights, n, prototypes, shared, partial + (int64)blockIdx.x * BLOCK_SUMS);
}

// Memberships of every row, in row-major order.
extern "C" __global__ void __launch_bounds__(THREADS) memberships_of_rows(const REAL* rows, int64 n, const REAL* prototypes,
                                                                          REAL* out) {
    DYNAMIC_SHARED(REAL, shared);
    REAL *x = shared, *d = x + ROWS * STRIDE, *scratch = d + PADDED * DEGREE_STRIDE;
    sweep::fill_constant_columns(x);
    sweep::Totals unused = {0.0, 0.0, 0.0, 0.0};
    for (int64 first = (int64)blockIdx.x * ROWS; first < n; first += (int64)gridDim.x * ROWS) {
        __syncthreads();
        sweep::load(rows, first, n, x);
        __syncthreads();
        sweep::distances(x, prototypes, d);
        sweep::degrees(prototypes, d, scratch, REAL(1), true, unused, nullptr);
        __syncthreads();
        int64 count = n - first < ROWS ? n - first : ROWS;
        for (int i = threadIdx.x; i < count * CLUSTERS; i += THREADS)
            out[first * CLUSTERS + i] = d[i % CLUSTERS * DEGREE_STRIDE + i / CLUSTERS];
    }
}

// Largest |a − b|, as the bits of a float, which compare like integers.
extern "C" __global__ void largest_change(const REAL* a, const REAL* b, int64 n, uint32* largest) {
    float largest_here = 0.0f;
    FOR_EACH(i, n) {
        float change = fabsf((float)(a[i] - b[i]));
        largest_here = change > largest_here ? change : largest_here;
    }
    atomicMax(largest, __float_as_uint(largest_here));
}
