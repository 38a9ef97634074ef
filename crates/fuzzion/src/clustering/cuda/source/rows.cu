// Kernels on rows that do not depend on the clusters. `first` is the index of the first row in the array.

// Converts rows to internal coordinates: W((x − shift)·scale). Missing values remain missing.
extern "C" __global__ void prepare(const REAL* rows, int64 first, int64 n, const REAL* space, int whitened, REAL* out) {
    const REAL *shift = space, *scale = space + COLUMNS, *whitening = space + 2 * COLUMNS;
    if (!whitened) {
        FOR_EACH(i, n * COLUMNS) {
            int column = (int)(i % COLUMNS);
            out[i] = (rows[first * COLUMNS + i] - shift[column]) * scale[column];
        }
        return;
    }
    FOR_EACH(row, n) {
        const REAL* x = rows + (first + row) * COLUMNS;
        REAL* y = out + row * COLUMNS;
        for (int i = 0; i < COLUMNS; i++) y[i] = (x[i] - shift[i]) * scale[i];
        // From the last column to the first, so that each is read before it is overwritten.
        for (int to = COLUMNS - 1; to >= 0; to--) {
            REAL sum = REAL(0);
            for (int from = 0; from <= to; from++) sum += whitening[to * COLUMNS + from] * y[from];
            y[to] = sum;
        }
    }
}

// Summaries of chunks of CHUNK rows, bit-identical to those of the CPU: the same operations in the same order, without
// fused multiply-add.
struct ColumnSummary { double origin, count, sum, square, largest, invalid; };

// Scaled difference of a value from the origin.
__device__ inline double scaled_difference(double x, double origin, double scale) {
    return __dsub_rn(__dmul_rn(x, scale), __dmul_rn(origin, scale));
}

// Origin, Σw, Σwt, Σwt² and max|t| of every column of every chunk, with the scaled differences t from the first value of
// positive weight, and the index of the first row whose value is not finite (-1 if there is none).
extern "C" __global__ void summarize_columns(const REAL* rows, int64 first, int64 n, const double* weights, int weighted,
                                             double scale, double* out) {
    FOR_EACH(i, (n + CHUNK - 1) / CHUNK * COLUMNS) {
        int64 begin = i / COLUMNS * CHUNK, end = begin + CHUNK < n ? begin + CHUNK : n;
        const REAL* values = rows + first * COLUMNS + i % COLUMNS;
        ColumnSummary s = {0.0, 0.0, 0.0, 0.0, 0.0, -1.0};
#pragma unroll 4
        for (int64 row = begin; row < end; row++) {
            double x = (double)values[row * COLUMNS], weight = weighted ? weights[row] : 1.0;
            if (!(x - x == 0.0)) {
                if (s.invalid < 0.0) s.invalid = (double)(row - begin);
            } else if (weight > 0.0) {
                if (s.count == 0.0) s.origin = x;
                double t = scaled_difference(x, s.origin, scale), wt = __dmul_rn(weight, t);
                s.sum = __dadd_rn(s.sum, wt);
                s.square = __dadd_rn(s.square, __dmul_rn(wt, t));
                s.count = __dadd_rn(s.count, weight);
                s.largest = fabs(t) > s.largest ? fabs(t) : s.largest;
            }
        }
        reinterpret_cast<ColumnSummary*>(out)[i] = s;
    }
}

// Σwtᵢtⱼ for j ≤ i of every chunk, COLUMNS × COLUMNS values each; `columns` is the output of summarize_columns.
extern "C" __global__ void summarize_pairs(const REAL* rows, int64 first, int64 n, const double* weights, int weighted,
                                           double scale, const double* columns, double* out) {
    FOR_EACH(at, (n + CHUNK - 1) / CHUNK * COLUMNS * COLUMNS) {
        int64 chunk = at / (COLUMNS * COLUMNS), begin = chunk * CHUNK, end = begin + CHUNK < n ? begin + CHUNK : n;
        int i = (int)(at / COLUMNS % COLUMNS), j = (int)(at % COLUMNS);
        const ColumnSummary* summaries = reinterpret_cast<const ColumnSummary*>(columns) + chunk * COLUMNS;
        double sum = 0.0, origin_i = summaries[i].origin, origin_j = summaries[j].origin;
        for (int64 row = begin; row < end && j <= i; row++) {
            const REAL* x = rows + (first + row) * COLUMNS;
            double weight = weighted ? weights[row] : 1.0;
            if (!(weight > 0.0)) continue;
            double a = __dmul_rn(weight, scaled_difference((double)x[i], origin_i, scale));
            sum = __dadd_rn(sum, __dmul_rn(a, scaled_difference((double)x[j], origin_j, scale)));
        }
        out[at] = sum;
    }
}

// Copies the rows with the given indices.
extern "C" __global__ void gather_rows(const REAL* rows, int64 first, const uint64* indices, int64 n, REAL* out) {
    FOR_EACH(i, n * COLUMNS) out[i] = rows[(first + (int64)indices[i / COLUMNS]) * COLUMNS + i % COLUMNS];
}

// The `top` largest memberships of every row and their clusters, in descending order; ties go to the first. The memberships
// that were found are replaced by -1, which is below every membership.
extern "C" __global__ void top_of_memberships(REAL* memberships, int64 n, int clusters, int top, uint32* indices, REAL* out) {
    FOR_EACH(row, n) {
        REAL* own = memberships + row * clusters;
        for (int rank = 0; rank < top; rank++) {
            int best = 0;
            for (int k = 1; k < clusters; k++)
                if (own[k] > own[best]) best = k;
            indices[row * top + rank] = (uint32)best;
            out[row * top + rank] = own[best];
            own[best] = REAL(-1);
        }
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
