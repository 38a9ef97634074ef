// Fused pass over rows with explicit differences, for any rule and metric in both precisions.
//
// A block processes tiles of ROWS rows: distances, with one thread per row and part of the clusters; degrees; then
// their products with the rows, with one thread per 4 × 4 sums. Nothing is stored per row. Shared memory holds the
// values of each row, presence flags (1 or 0) for partial distances, and a final column of ones, whose product with
// the degrees is the mass of the cluster.
//
// Constants set by the host: PADDED (clusters rounded up to a multiple of 4), QUADS (quads of columns per row),
// STRIDE (values per row: an odd number of quads, so that adjacent rows are in different banks), SPLIT (number of
// threads that split the rows of the same 4 × 4 sums if there are more threads than tiles), and the offsets in
// `prototypes` and in the sums of a block.

#define GROUPS (PADDED / 4)
#define PARTS (THREADS / ROWS)
#define DEGREE_STRIDE (ROWS + 4)
#define TILES (GROUPS * QUADS)
#define TILES_PER_THREAD ((TILES + THREADS - 1) / THREADS)
#define IN_REGISTERS (TILES_PER_THREAD <= 2)
#define SEGMENT (ROWS < 32 ? ROWS : 32)
#define ONES_COLUMN (COLUMNS * (1 + PARTIAL))

namespace sweep {

struct alignas(16) Quad { REAL lane[4]; };

__device__ inline const Quad& quad(const REAL* at) { return *reinterpret_cast<const Quad*>(at); }

// Loads the rows of a tile.
__device__ inline void load(const REAL* rows, int64 first, int64 n, REAL* x) {
    int count = n - first < ROWS ? (int)(n - first) : ROWS;
    for (int i = threadIdx.x; i < ROWS * COLUMNS; i += THREADS) {
        int row = i / COLUMNS, column = i % COLUMNS;
        REAL value = row < count ? rows[first * COLUMNS + i] : REAL(0);
#if PARTIAL
        bool missing = value != value;
        x[row * STRIDE + COLUMNS + column] = missing ? REAL(0) : REAL(1);
        value = missing ? REAL(0) : value;
#endif
        x[row * STRIDE + column] = value;
    }
}

__device__ inline void fill_constant_columns(REAL* x) {
    for (int i = threadIdx.x; i < ROWS * STRIDE; i += THREADS) {
        int column = i % STRIDE;
        if (column >= ONES_COLUMN) x[i] = column == ONES_COLUMN ? REAL(1) : REAL(0);
    }
}

// Squared distances of this thread's row to the clusters of its part; returns the number of values present in the row.
__device__ inline REAL distances(const REAL* x, const REAL* prototypes, REAL* d) {
    int row = threadIdx.x % ROWS, part = threadIdx.x / ROWS;
    const REAL* own = x + row * STRIDE;
    REAL present = REAL(COLUMNS);
#if PARTIAL
    present = REAL(0);
    for (int column = 0; column < COLUMNS; column++) present += own[COLUMNS + column];
    REAL scale = present > REAL(0) ? REAL(COLUMNS) / present : REAL(1);
#endif
    for (int group = part; group < GROUPS; group += PARTS) {
        REAL sum[4] = {REAL(0), REAL(0), REAL(0), REAL(0)};
#if CLUSTER_METRICS
        for (int k = 0; k < 4 && group * 4 + k < CLUSTERS; k++) {
            int cluster = group * 4 + k;
            const REAL* center = prototypes + CENTERS_AT + cluster * COLUMNS;
            const REAL* factor = prototypes + FACTORS_AT + (int64)cluster * COLUMNS * COLUMNS;
            for (int i = 0; i < COLUMNS; i++) {
                REAL y = REAL(0);
                for (int j = 0; j <= i; j++) y += factor[i * COLUMNS + j] * (own[j] - center[j]);
                sum[k] += y * y;
            }
        }
#else
        const REAL* columns = prototypes + COLUMNS_AT + group * 4;
#pragma unroll 8
        for (int column = 0; column < COLUMNS; column++) {
            Quad center = quad(columns + column * PADDED);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                REAL t = own[column] - center.lane[k];
#if PARTIAL
                t *= own[COLUMNS + column];
#endif
                sum[k] += t * t;
            }
        }
#endif
#pragma unroll
        for (int k = 0; k < 4; k++) {
#if PARTIAL
            sum[k] *= scale;
#endif
#if RULE == GAUSSIAN
            sum[k] = sum[k] * REAL(0.5) + prototypes[OFFSETS_AT + group * 4 + k];
#endif
            d[(group * 4 + k) * DEGREE_STRIDE + row] = sum[k];
        }
    }
    return present;
}

struct Min { __device__ REAL operator()(REAL a, REAL b) const { return a < b ? a : b; } };
struct Sum { __device__ REAL operator()(REAL a, REAL b) const { return a + b; } };

// Reduces a value over the parts of a row.
template <typename Reduce> __device__ REAL reduce_parts(REAL value, REAL* scratch, Reduce reduce) {
    if (PARTS == 1) return value;
    __syncthreads(); // the scratch is no longer in use
    scratch[threadIdx.x] = value;
    __syncthreads();
    int row = threadIdx.x % ROWS;
    REAL result = scratch[row];
    for (int part = 1; part < PARTS; part++) result = reduce(result, scratch[part * ROWS + row]);
    return result;
}

struct Totals { double objective, squares, entropy, distances; };

// Iterates over the clusters of this thread's part.
#define FOR_OWN_CLUSTERS(cluster)                                                                \
    for (int group = threadIdx.x / ROWS; group < GROUPS; group += PARTS)                         \
        for (int cluster = group * 4; cluster < group * 4 + 4 && cluster < CLUSTERS; cluster++)

// Adds the sum of a value over a segment of rows to one quality sum of a cluster.
__device__ inline void add_quality(double value, int which, int cluster, double* partial) {
    for (int step = SEGMENT / 2; step > 0; step /= 2) value += __shfl_xor_sync(FULL_WARP, value, step);
    int slot = threadIdx.x % ROWS / SEGMENT;
    if (threadIdx.x % SEGMENT == 0 && cluster < CLUSTERS)
        partial[QUALITY_AT + (slot * 3 + which) * PADDED + cluster] += value;
}

// Converts distances to degrees times the weight of the row, in place, or to memberships if `memberships_only`.
__device__ inline void degrees(const REAL* prototypes, REAL* d, REAL* scratch, REAL weight, bool memberships_only,
                               Totals& totals, double* partial) {
    int row = threadIdx.x % ROWS;
    bool is_first_part = threadIdx.x / ROWS == 0;
    REAL m = prototypes[0], noise = prototypes[1], typicality_m = prototypes[2], a = prototypes[3], b = prototypes[4];
    // Possibilistic distances are relative to the cluster widths.
    auto relative_distance = [&](int cluster) {
        REAL distance = d[cluster * DEGREE_STRIDE + row];
        return RULE == POSSIBILISTIC ? distance / prototypes[WIDTHS_AT + cluster] : distance;
    };
    REAL nearest = rule::infinite<REAL>();
    FOR_OWN_CLUSTERS(cluster) nearest = Min()(nearest, relative_distance(cluster));
    nearest = reduce_parts(nearest, scratch, Min());
    REAL first = REAL(CLUSTERS);
#if RULE == HARD || QUALITY
    FOR_OWN_CLUSTERS(cluster) if (relative_distance(cluster) == nearest) first = Min()(first, REAL(cluster));
    first = reduce_parts(first, scratch, Min());
#endif
    REAL z = REAL(0), smallest = nearest;
#if RULE == NOISE
    smallest = Min()(nearest, noise);
    if (is_first_part) z = rule::unnormalized(noise == smallest ? REAL(1) : smallest / noise, m);
#endif
    auto unnormalized = [&](REAL distance, REAL& r) {
#if RULE == GAUSSIAN
        r = rule::exponential(smallest - distance);
        return rule::exponential((smallest - distance) / (m - REAL(1)));
#else
        r = distance == smallest ? REAL(1) : smallest / distance;
        return rule::unnormalized(r, m);
#endif
    };
    REAL z_power = REAL(0);
#if RULE != HARD && RULE != POSSIBILISTIC
    REAL unused;
    FOR_OWN_CLUSTERS(cluster) z += unnormalized(d[cluster * DEGREE_STRIDE + row], unused);
    z = reduce_parts(z, scratch, Sum());
    z_power = m == REAL(2) ? REAL(1) / z : rule::power(z, REAL(1) - m); // z^(1−m)
#endif
    if (weight > REAL(0) && is_first_part) {
#if RULE == HARD
        totals.objective += (double)(weight * nearest);
#elif RULE == GAUSSIAN
        totals.objective += (double)(weight * z_power * rule::exponential(smallest));
#elif RULE == FUZZY || RULE == NOISE
        totals.objective += (double)(weight * z_power * smallest);
#endif
    }
    // All threads perform the same number of rounds, because whole warps reduce the quality sums.
    for (int round = 0; round * PARTS < GROUPS; round++)
#if QUALITY
#pragma unroll 1 // computed once per fit; unrolling would only slow down compilation
#endif
        for (int k = 0; k < 4; k++) {
            int cluster = (threadIdx.x / ROWS + round * PARTS) * 4 + k;
            bool is_stored = cluster < PADDED, is_cluster = cluster < CLUSTERS;
            REAL distance = is_stored ? d[cluster * DEGREE_STRIDE + row] : REAL(0);
            REAL r = REAL(0), u = REAL(0), degree = REAL(0);
            if (is_cluster) {
#if RULE == HARD
                u = degree = REAL(cluster) == first ? REAL(1) : REAL(0);
#elif RULE != POSSIBILISTIC
                REAL q = unnormalized(distance, r);
                u = q / z;
                degree = q * r * (z_power / z);
#endif
#if RULE == POSSIBILISTIC || RULE == MIXED
                REAL width = prototypes[WIDTHS_AT + cluster], complement;
                REAL t = rule::typicality(distance * (b / width), typicality_m, complement);
                degree = a * degree + b * rule::raise(t, typicality_m);
#if RULE == POSSIBILISTIC
                u = t;
#endif
                if (weight > REAL(0))
                    totals.objective +=
                        (double)(weight * (degree * distance + width * rule::raise(complement, typicality_m)));
#endif
            }
#if QUALITY
            bool counted = weight > REAL(0) && is_cluster;
            double w = counted ? (double)weight : 0.0, u_f64 = counted ? (double)u : 0.0;
#if RULE == GAUSSIAN
            double distance_f64 = counted ? rule::exponential((double)distance) : 0.0;
#else
            double distance_f64 = counted ? (double)distance : 0.0;
#endif
            totals.squares += w * u_f64 * u_f64;
            totals.entropy -= u_f64 > 0.0 ? w * u_f64 * rule::logarithm(u_f64) : 0.0;
            totals.distances += w * distance_f64;
            double um = RULE == HARD ? u_f64 : u_f64 > 0.0 ? rule::raise(u_f64, (double)m) : 0.0;
            add_quality(w * u_f64, 0, cluster, partial);
            add_quality(REAL(cluster) == first ? w : 0.0, 1, cluster, partial);
            add_quality(u_f64 > 0.0 ? w * um * distance_f64 : 0.0, 2, cluster, partial);
#endif
            if (is_stored)
                d[cluster * DEGREE_STRIDE + row] = memberships_only ? u : weight > REAL(0) ? weight * degree : REAL(0);
        }
}

// Adds degrees × rows of a tile to 4 × 4 sums.
__device__ inline void accumulate_tile(const REAL* d, const REAL* x, int tile, int slice, REAL (&sum)[16]) {
    int group = tile / QUADS, column = tile % QUADS * 4;
    for (int row = slice * 4; row < ROWS; row += SPLIT * 4) {
        Quad u[4], v[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            u[k] = quad(d + (group * 4 + k) * DEGREE_STRIDE + row);
            v[k] = quad(x + (row + k) * STRIDE + column);
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
#pragma unroll
            for (int c = 0; c < 4; c++)
#pragma unroll
                for (int i = 0; i < 4; i++) sum[k * 4 + c] += u[k].lane[i] * v[i].lane[c];
    }
}

// Scatter matrices about the centers: one thread per entry.
__device__ inline void scatter(const REAL* d, const REAL* x, const REAL* prototypes, double* partial) {
    for (int at = threadIdx.x; at < CLUSTERS * COLUMNS * COLUMNS; at += THREADS) {
        int cluster = at / (COLUMNS * COLUMNS), i = at / COLUMNS % COLUMNS, j = at % COLUMNS;
        if (j > i) continue; // symmetric
        const REAL* center = prototypes + CENTERS_AT + cluster * COLUMNS;
        REAL sum = REAL(0), ci = center[i], cj = center[j];
        for (int row = 0; row < ROWS; row++)
            sum += d[cluster * DEGREE_STRIDE + row] * (x[row * STRIDE + i] - ci) * (x[row * STRIDE + j] - cj);
        partial[SCATTER_AT + at] += (double)sum;
    }
}

// Sum over the block in a fixed order; must be called by all threads.
__device__ inline double block_total(double value, double* scratch) {
    __syncthreads();
    scratch[threadIdx.x] = value;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) scratch[threadIdx.x] += scratch[threadIdx.x + step];
        __syncthreads();
    }
    return scratch[0];
}

// Processes all tiles of this block and writes its sums to `partial`.
__device__ inline void run(const REAL* rows, const REAL* weights, int64 n, const REAL* prototypes, REAL* shared,
                           double* partial) {
    REAL *x = shared, *d = x + ROWS * STRIDE, *scratch = d + PADDED * DEGREE_STRIDE;
    double sums[IN_REGISTERS ? TILES_PER_THREAD : 1][16];
#pragma unroll
    for (int h = 0; h < (IN_REGISTERS ? TILES_PER_THREAD : 1); h++)
#pragma unroll
        for (int i = 0; i < 16; i++) sums[h][i] = 0.0;
    for (int i = threadIdx.x; i < BLOCK_SUMS; i += THREADS) partial[i] = 0.0;
    fill_constant_columns(x);
    Totals totals = {0.0, 0.0, 0.0, 0.0};
    int tile = SPLIT > 1 ? threadIdx.x % TILES : threadIdx.x, slice = SPLIT > 1 ? threadIdx.x / TILES : 0;
    for (int64 first = (int64)blockIdx.x * ROWS; first < n; first += (int64)gridDim.x * ROWS) {
        __syncthreads(); // the previous tile is no longer in use
        load(rows, first, n, x);
        __syncthreads();
        int row = threadIdx.x % ROWS;
        REAL weight = first + row < n ? WEIGHTED ? weights[first + row] : REAL(1) : REAL(0);
        REAL present = distances(x, prototypes, d);
        if (present == REAL(0)) weight = REAL(0);
        degrees(prototypes, d, scratch, weight, false, totals, partial);
        __syncthreads();
#pragma unroll
        for (int h = 0; h < TILES_PER_THREAD; h++) {
            int at = tile + h * THREADS;
            if (at >= TILES || slice >= SPLIT) break;
            REAL sum[16];
#pragma unroll
            for (int i = 0; i < 16; i++) sum[i] = REAL(0);
            accumulate_tile(d, x, at, slice, sum);
#pragma unroll
            for (int i = 0; i < 16; i++) {
                if (IN_REGISTERS) sums[h][i] += (double)sum[i];
                else partial[(at / QUADS * 4 + i / 4) * (QUADS * 4) + at % QUADS * 4 + i % 4] += (double)sum[i];
            }
        }
        if (SCATTER) scatter(d, x, prototypes, partial);
    }
    double* scratch_f64 = reinterpret_cast<double*>(shared);
    if (IN_REGISTERS) {
        // Sums split over several threads are added in a fixed order.
#pragma unroll
        for (int h = 0; h < TILES_PER_THREAD; h++)
#pragma unroll
            for (int i = 0; i < 16; i++) {
                double sum = sums[h][i];
                if (SPLIT > 1) {
                    __syncthreads();
                    scratch_f64[threadIdx.x] = sum;
                    __syncthreads();
                    for (int s = 1; s < SPLIT && threadIdx.x < TILES; s++) sum += scratch_f64[threadIdx.x + s * TILES];
                }
                int at = tile + h * THREADS;
                if (at < TILES && slice == 0)
                    partial[(at / QUADS * 4 + i / 4) * (QUADS * 4) + at % QUADS * 4 + i % 4] = sum;
            }
    }
    double all[4] = {totals.objective, totals.squares, totals.entropy, totals.distances};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (i > 0 && !QUALITY) break;
        double sum = block_total(all[i], scratch_f64);
        if (threadIdx.x == 0) partial[TOTALS_AT + i] = sum;
    }
}

}  // namespace sweep
