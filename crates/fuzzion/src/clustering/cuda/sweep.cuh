// One fused pass over rows with explicit differences: any rule and metric, both precisions.
//
// A block takes tiles of ROWS rows: distances, a thread per row and part of the clusters; degrees; then their products with
// the rows, a thread per 4 × 4 of the sums. Nothing is stored per row. Rows lie in shared memory as their values, for
// partial distances 1 or 0 where a value is present or missing, and a last column of ones, whose product with the
// degrees is the mass of the cluster.

//
// From the host: PADDED (clusters to a multiple of 4), QUADS and STRIDE (fours of columns of a row, and numbers from one row
// to the next: an odd number of quads, so that rows side by side lie in different banks), SPLIT (threads that share a
// 4 × 4 of the sums where there are fewer of these than threads: they split the rows), and the places of the parts of
// `prototypes` and of a block's sums.

#define GROUPS (PADDED / 4)
#define PARTS (THREADS / ROWS)
#define LINE (ROWS + 4)
#define TILES (GROUPS * QUADS)
#define HELD ((TILES + THREADS - 1) / THREADS)
#define IN_REGISTERS (HELD <= 2)
#define SEGMENT (ROWS < 32 ? ROWS : 32)
#define ONES_COLUMN (COLUMNS * (1 + PARTIAL))

namespace sweep {

struct alignas(16) Quad { REAL lane[4]; };

__device__ inline const Quad& quad(const REAL* at) { return *reinterpret_cast<const Quad*>(at); }

// The rows of a tile, and the columns that never change.
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

__device__ inline void fill_margins(REAL* x) {
    for (int i = threadIdx.x; i < ROWS * STRIDE; i += THREADS) {
        int column = i % STRIDE;
        if (column >= ONES_COLUMN) x[i] = column == ONES_COLUMN ? REAL(1) : REAL(0);
    }
}

// Squared distances of this thread's row to the clusters of its part; how many values the row has where some may miss.
__device__ inline REAL distances(const REAL* x, const REAL* prototypes, REAL* d) {
    int row = threadIdx.x % ROWS, part = threadIdx.x / ROWS;
    const REAL* mine = x + row * STRIDE;
    REAL present = REAL(COLUMNS);
#if PARTIAL
    present = REAL(0);
    for (int column = 0; column < COLUMNS; column++) present += mine[COLUMNS + column];
    REAL scale = present > REAL(0) ? REAL(COLUMNS) / present : REAL(1);
#endif
    for (int group = part; group < GROUPS; group += PARTS) {
        REAL sum[4] = {REAL(0), REAL(0), REAL(0), REAL(0)};
#if SHAPED
        for (int k = 0; k < 4 && group * 4 + k < CLUSTERS; k++) {
            int cluster = group * 4 + k;
            const REAL* center = prototypes + CENTERS_AT + cluster * COLUMNS;
            const REAL* map = prototypes + MAPS_AT + (int64)cluster * COLUMNS * COLUMNS;
            for (int i = 0; i < COLUMNS; i++) {
                REAL y = REAL(0);
                for (int j = 0; j <= i; j++) y += map[i * COLUMNS + j] * (mine[j] - center[j]);
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
                REAL t = mine[column] - center.lane[k];
#if PARTIAL
                t *= mine[COLUMNS + column];
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
            d[(group * 4 + k) * LINE + row] = sum[k];
        }
    }
    return present;
}

struct Least { __device__ REAL operator()(REAL a, REAL b) const { return a < b ? a : b; } };
struct Plus { __device__ REAL operator()(REAL a, REAL b) const { return a + b; } };

// Joins a number over the parts of a row.
template <typename Join> __device__ REAL across(REAL value, REAL* area, Join join) {
    if (PARTS == 1) return value;
    __syncthreads(); // whoever read the area before is done
    area[threadIdx.x] = value;
    __syncthreads();
    int row = threadIdx.x % ROWS;
    REAL all = area[row];
    for (int part = 1; part < PARTS; part++) all = join(all, area[part * ROWS + row]);
    return all;
}

struct Totals { double objective, squares, entropy, distances; };

// For each cluster of this thread's part.
#define FOR_OWN_CLUSTERS(cluster)                                                                \
    for (int group = threadIdx.x / ROWS; group < GROUPS; group += PARTS)                         \
        for (int cluster = group * 4; cluster < group * 4 + 4 && cluster < CLUSTERS; cluster++)

// Adds what a segment of rows gives to one statistic of one cluster.
__device__ inline void add_statistic(double value, int which, int cluster, double* partial) {
    for (int step = SEGMENT / 2; step > 0; step /= 2) value += __shfl_xor_sync(FULL_WARP, value, step);
    int slot = threadIdx.x % ROWS / SEGMENT;
    if (threadIdx.x % SEGMENT == 0 && cluster < CLUSTERS) partial[STATISTICS_AT + (slot * 3 + which) * PADDED + cluster] += value;
}

// Distances into degrees times the row's weight, in place; `keep` leaves plain memberships instead.
__device__ inline void degrees(const REAL* prototypes, REAL* d, REAL* area, REAL weight, bool keep, Totals& totals,
                               double* partial) {
    int row = threadIdx.x % ROWS;
    bool leads = threadIdx.x / ROWS == 0;
    REAL m = prototypes[0], noise = prototypes[1], typical_m = prototypes[2], a = prototypes[3], b = prototypes[4];
    // Possibilistic clusters are as near as they are in their own widths.
    auto measured = [&](int cluster) {
        return RULE == POSSIBILISTIC ? d[cluster * LINE + row] / prototypes[WIDTHS_AT + cluster] : d[cluster * LINE + row];
    };
    REAL nearest = rule::infinite<REAL>();
    FOR_OWN_CLUSTERS(cluster) nearest = Least()(nearest, measured(cluster));
    nearest = across(nearest, area, Least());
    REAL first = REAL(CLUSTERS);
#if RULE == HARD || STATISTICS
    FOR_OWN_CLUSTERS(cluster) if (measured(cluster) == nearest) first = Least()(first, REAL(cluster));
    first = across(first, area, Least());
#endif
    REAL z = REAL(0), least = nearest;
#if RULE == NOISE
    least = Least()(nearest, noise);
    if (leads) z = rule::share(noise == least ? REAL(1) : least / noise, m);
#endif
    auto share_of = [&](REAL distance, REAL& r) {
#if RULE == GAUSSIAN
        r = rule::exponential(least - distance);
        return rule::exponential((least - distance) / (m - REAL(1)));
#else
        r = distance == least ? REAL(1) : least / distance;
        return rule::share(r, m);
#endif
    };
    REAL zpower = REAL(0);
#if RULE != HARD && RULE != POSSIBILISTIC
    REAL unused;
    FOR_OWN_CLUSTERS(cluster) z += share_of(d[cluster * LINE + row], unused);
    z = across(z, area, Plus());
    zpower = m == REAL(2) ? REAL(1) / z : rule::power_of(z, REAL(1) - m); // z^(1−m)
#endif
    if (weight > REAL(0) && leads) {
#if RULE == HARD
        totals.objective += (double)(weight * nearest);
#elif RULE == GAUSSIAN
        totals.objective += (double)(weight * zpower * rule::exponential(least));
#elif RULE == FUZZY || RULE == NOISE
        totals.objective += (double)(weight * zpower * least);
#endif
    }
    // Every thread goes round equally often: statistics are joined by whole warps.
    for (int round = 0; round * PARTS < GROUPS; round++)
#if STATISTICS
#pragma unroll 1 // made once per fit; four copies of it would only take longer to compile
#endif
        for (int k = 0; k < 4; k++) {
            int cluster = (threadIdx.x / ROWS + round * PARTS) * 4 + k;
            bool padded = cluster < PADDED, real = cluster < CLUSTERS;
            REAL distance = padded ? d[cluster * LINE + row] : REAL(0), r = REAL(0), u = REAL(0), degree = REAL(0);
            if (real) {
#if RULE == HARD
                u = degree = REAL(cluster) == first ? REAL(1) : REAL(0);
#elif RULE != POSSIBILISTIC
                REAL q = share_of(distance, r);
                u = q / z;
                degree = q * r * (zpower / z);
#endif
#if RULE == POSSIBILISTIC || RULE == MIXED
                REAL width = prototypes[WIDTHS_AT + cluster], rest;
                REAL t = rule::typicality(distance * (b / width), typical_m, rest);
                degree = a * degree + b * rule::raised(t, typical_m);
#if RULE == POSSIBILISTIC
                u = t;
#endif
                if (weight > REAL(0))
                    totals.objective +=
                        (double)(weight * (degree * distance + width * rule::raised(rest, typical_m)));
#endif
            }
#if STATISTICS
            bool counts = weight > REAL(0) && real;
            double w = counts ? (double)weight : 0.0, wide = counts ? (double)u : 0.0;
#if RULE == GAUSSIAN
            double far = counts ? rule::exponential((double)distance) : 0.0;
#else
            double far = counts ? (double)distance : 0.0;
#endif
            totals.squares += w * wide * wide;
            totals.entropy -= wide > 0.0 ? w * wide * rule::logarithm(wide) : 0.0;
            totals.distances += w * far;
            double um = RULE == HARD ? wide : wide > 0.0 ? rule::raised(wide, (double)m) : 0.0;
            add_statistic(w * wide, 0, cluster, partial);
            add_statistic(REAL(cluster) == first ? w : 0.0, 1, cluster, partial);
            add_statistic(wide > 0.0 ? w * um * far : 0.0, 2, cluster, partial);
#endif
            if (padded) d[cluster * LINE + row] = keep ? u : weight > REAL(0) ? weight * degree : REAL(0);
        }
}

// Adds degrees × rows of a tile to one 4 × 4 of the sums.
__device__ inline void multiply(const REAL* d, const REAL* x, int tile, int share, REAL (&sum)[16]) {
    int group = tile / QUADS, column = tile % QUADS * 4;
    for (int row = share * 4; row < ROWS; row += SPLIT * 4) {
        Quad u[4], v[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            u[k] = quad(d + (group * 4 + k) * LINE + row);
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

// The scatters about the clusters' centers: a thread per entry.
__device__ inline void scatter(const REAL* d, const REAL* x, const REAL* prototypes, double* partial) {
    for (int at = threadIdx.x; at < CLUSTERS * COLUMNS * COLUMNS; at += THREADS) {
        int cluster = at / (COLUMNS * COLUMNS), i = at / COLUMNS % COLUMNS, j = at % COLUMNS;
        if (j > i) continue; // the other half is its mirror
        const REAL* center = prototypes + CENTERS_AT + cluster * COLUMNS;
        REAL sum = REAL(0), ci = center[i], cj = center[j];
        for (int row = 0; row < ROWS; row++)
            sum += d[cluster * LINE + row] * (x[row * STRIDE + i] - ci) * (x[row * STRIDE + j] - cj);
        partial[SCATTER_AT + at] += (double)sum;
    }
}

// Sum of a number over the block, in a fixed order; every thread calls it.
__device__ inline double block_total(double value, double* area) {
    __syncthreads();
    area[threadIdx.x] = value;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) area[threadIdx.x] += area[threadIdx.x + step];
        __syncthreads();
    }
    return area[0];
}

// All tiles of this block; its sums go to `partial`.
__device__ inline void rows(const REAL* rows, const REAL* weights, int64 n, const REAL* prototypes, REAL* shared,
                            double* partial) {
    REAL *x = shared, *d = x + ROWS * STRIDE, *area = d + PADDED * LINE;
    double held[IN_REGISTERS ? HELD : 1][16];
#pragma unroll
    for (int h = 0; h < (IN_REGISTERS ? HELD : 1); h++)
#pragma unroll
        for (int i = 0; i < 16; i++) held[h][i] = 0.0;
    for (int i = threadIdx.x; i < BLOCK_SUMS; i += THREADS) partial[i] = 0.0;
    fill_margins(x);
    Totals totals = {0.0, 0.0, 0.0, 0.0};
    int tile = SPLIT > 1 ? threadIdx.x % TILES : threadIdx.x, share = SPLIT > 1 ? threadIdx.x / TILES : 0;
    for (int64 first = (int64)blockIdx.x * ROWS; first < n; first += (int64)gridDim.x * ROWS) {
        __syncthreads(); // the tile before is done with
        load(rows, first, n, x);
        __syncthreads();
        int row = threadIdx.x % ROWS;
        REAL weight = first + row < n ? WEIGHTED ? weights[first + row] : REAL(1) : REAL(0);
        REAL present = distances(x, prototypes, d);
        if (present == REAL(0)) weight = REAL(0);
        degrees(prototypes, d, area, weight, false, totals, partial);
        __syncthreads();
#pragma unroll
        for (int h = 0; h < HELD; h++) {
            int at = tile + h * THREADS;
            if (at >= TILES || share >= SPLIT) break;
            REAL sum[16];
#pragma unroll
            for (int i = 0; i < 16; i++) sum[i] = REAL(0);
            multiply(d, x, at, share, sum);
#pragma unroll
            for (int i = 0; i < 16; i++) {
                if (IN_REGISTERS) held[h][i] += (double)sum[i];
                else partial[(at / QUADS * 4 + i / 4) * (QUADS * 4) + at % QUADS * 4 + i % 4] += (double)sum[i];
            }
        }
        if (SCATTER) scatter(d, x, prototypes, partial);
    }
    double* wide = reinterpret_cast<double*>(shared);
    if (IN_REGISTERS) {
        // Where threads share sums, these are joined in order.
#pragma unroll
        for (int h = 0; h < HELD; h++)
#pragma unroll
            for (int i = 0; i < 16; i++) {
                double sum = held[h][i];
                if (SPLIT > 1) {
                    __syncthreads();
                    wide[threadIdx.x] = sum;
                    __syncthreads();
                    for (int s = 1; s < SPLIT && threadIdx.x < TILES; s++) sum += wide[threadIdx.x + s * TILES];
                }
                int at = tile + h * THREADS;
                if (at < TILES && share == 0)
                    partial[(at / QUADS * 4 + i / 4) * (QUADS * 4) + at % QUADS * 4 + i % 4] = sum;
            }
    }
    double all[4] = {totals.objective, totals.squares, totals.entropy, totals.distances};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (i > 0 && !STATISTICS) break;
        double sum = block_total(all[i], wide);
        if (threadIdx.x == 0) partial[TOTALS_AT + i] = sum;
    }
}

}  // namespace sweep
