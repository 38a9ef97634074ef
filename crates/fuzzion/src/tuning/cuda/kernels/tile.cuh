// Tile of Φ in shared memory, by column: if FULL_PHI, all UNKNOWNS columns φ·(monomials), otherwise only φ, one column
// per rule; then the targets. Rows beyond the last one are 0. Columns are TILE_STRIDE values apart, which avoids bank
// conflicts both along a column and for the lanes of a tensor core.

#define UNKNOWNS (RULES * TERMS)
#define RULE_COLUMNS (FULL_PHI ? TERMS : 1)  // columns per rule
#define COLUMNS (RULES * RULE_COLUMNS + OUTPUTS)
#define TILE_STRIDE (TILE_ROWS + 4)
#define THREADS_PER_ROW (THREADS / TILE_ROWS)  // threads that share a row; each processes every THREADS_PER_ROW-th rule
#define WARPS (THREADS / 32)
#define ROW_STRIDE (INPUTS + OUTPUTS + WEIGHTED)

// Antecedents and frames, common to all rows.
struct Antecedents {
    const double* sets;      // precomputed, SET_STRIDE values each
    const int* set_indices;  // RULES × INPUTS, −1 for none
    const double* frames;    // RULES × INPUTS × (center, reciprocal width); unused for order 0
};

// Samples in row-major order: inputs, targets, weight. The first `training` rows are training rows.
struct SampleRows {
    const double* rows;
    int64 count;
    int64 training;
};

// Monomial t > 0 is monomial PARENT[t] times u of INPUT[t].
__device__ constexpr int PARENT[] = {MONOMIAL_PARENTS};
__device__ constexpr int INPUT[] = {MONOMIAL_INPUTS};
__device__ constexpr int RULE_UNROLL = TERMS > 3 ? 1 : 4;  // unroll factor of loops over rules with several columns

// 2ˣ for x ≤ 0 with an error of one or two ulp, 0 below 1e-307: half the operations of the library function, which
// supports all x. The integer part of x goes into the exponent; a minimax polynomial on ±½ approximates the rest.
__device__ inline double exp2_negative(double x) {
#ifndef FUZZION_EMULATOR
    const double shift = 6755399441055744.0;  // 1.5·2⁵²: the low bits of x + shift contain the integer part of x
    double n = x + shift;
    int power = __double2loint(n);
    double r = x - (n - shift), y = 4.4558179083360645e-10;
    y = fma(y, r, 7.074194297288521e-09);
    y = fma(y, r, 1.0178057087733941e-07);
    y = fma(y, r, 1.3215432535912375e-06);
    y = fma(y, r, 1.5252733841556773e-05);
    y = fma(y, r, 0.00015403530463724353);
    y = fma(y, r, 0.001333355814640647);
    y = fma(y, r, 0.009618129107587256);
    y = fma(y, r, 0.055504108664821625);
    y = fma(y, r, 0.24022650695910158);
    y = fma(y, r, 0.6931471805599453);
    y = fma(y, r, 1.0);
    y = __hiloint2double(__double2hiint(y) + (power << 20), __double2loint(y));
    return (uint32)__double2hiint(x) < 0xc08fe000u ? y : 0.0;  // x > −1020, compared by the upper words
#else
    return x > -1020.0 ? exp2(x) : 0.0;
#endif
}

// √w of a row, the factor of its row in the tile; 0 beyond the last row.
__device__ inline double sqrt_weight(const SampleRows& samples, int64 row) {
    if (row >= samples.count) return 0.0;
    return WEIGHTED ? sqrt(samples.rows[row * ROW_STRIDE + INPUTS + OUTPUTS]) : 1.0;
}

// Maximum or sum of `value` over the threads of a row.
__device__ inline double reduce_row_threads(double value, double* scratch, bool take_maximum) {
    if (THREADS_PER_ROW == 1) return value;
    __syncthreads();
    scratch[threadIdx.x] = value;
    __syncthreads();
    double joined = scratch[threadIdx.x % TILE_ROWS];
    for (int row_thread = 1; row_thread < THREADS_PER_ROW; row_thread++) {
        double other = scratch[row_thread * TILE_ROWS + threadIdx.x % TILE_ROWS];
        joined = take_maximum ? fmax(joined, other) : joined + other;
    }
    return joined;
}

// u of input j in the frame of rule k; 0 if x is missing.
__device__ inline double to_local(const Antecedents& antecedents, int k, int j, double x) {
    const double* frame = antecedents.frames + (k * INPUTS + j) * 2;
    return x == x ? (x - frame[0]) * frame[1] : 0.0;
}

// Fills the tile whose first row is `first`, with each row multiplied by `root_weight`, and copies its inputs to `xs`.
// The caller must synchronize afterward.
__device__ inline void fill_tile(double* tile, double* xs, double* scratch, const Antecedents& antecedents,
                                 const SampleRows& samples, int64 first, double root_weight) {
    int r = threadIdx.x % TILE_ROWS, row_thread = threadIdx.x / TILE_ROWS;
    bool in_range = first + r < samples.count;
    const double* row = samples.rows + (first + r) * ROW_STRIDE;
    double x[INPUTS];
#pragma unroll
    for (int j = 0; j < INPUTS; j++) {
        x[j] = in_range ? row[j] : 0.0;
        if (row_thread == 0) xs[j * TILE_ROWS + r] = x[j];
    }
    for (int o = row_thread; o < OUTPUTS; o += THREADS_PER_ROW)
        tile[(RULES * RULE_COLUMNS + o) * TILE_STRIDE + r] = in_range ? root_weight * row[INPUTS + o] : 0.0;
    double maximum = -1.0 / 0.0;
#pragma unroll 2
    for (int k = row_thread; k < RULES; k += THREADS_PER_ROW) {
        double ln = 0.0;
#pragma unroll
        for (int j = 0; j < INPUTS; j++) {
            int set = antecedents.set_indices[k * INPUTS + j];
            if (set >= 0 && x[j] == x[j]) ln += log2_membership(antecedents.sets + set * SET_STRIDE, x[j]);
        }
        tile[k * RULE_COLUMNS * TILE_STRIDE + r] = ln;
        maximum = fmax(maximum, ln);
    }
    maximum = reduce_row_threads(maximum, scratch, true);
    // Only triangles and trapezoids can leave a row uncovered.
    if (FORM >= 3 && maximum == -1.0 / 0.0) maximum = 0.0;
    double sum = 0.0;
#pragma unroll 2
    for (int k = row_thread; k < RULES; k += THREADS_PER_ROW) {
        double strength = exp2_negative(tile[k * RULE_COLUMNS * TILE_STRIDE + r] - maximum);
        tile[k * RULE_COLUMNS * TILE_STRIDE + r] = strength;
        sum += strength;
    }
    sum = reduce_row_threads(sum, scratch, false);
    double scale = sum > 0.0 ? root_weight / sum : 0.0;
#pragma unroll RULE_UNROLL
    for (int k = row_thread; k < RULES; k += THREADS_PER_ROW) {
        double value[RULE_COLUMNS];
        value[0] = tile[k * RULE_COLUMNS * TILE_STRIDE + r] * scale;
        tile[k * RULE_COLUMNS * TILE_STRIDE + r] = value[0];
#pragma unroll
        for (int t = 1; t < RULE_COLUMNS; t++) {
            value[t] = value[PARENT[t]] * to_local(antecedents, k, INPUT[t], x[INPUT[t]]);
            tile[(k * RULE_COLUMNS + t) * TILE_STRIDE + r] = value[t];
        }
    }
}

// Φ at row r, rule k, monomial t.
__device__ inline double phi_of(const double* tile, const double* xs, const Antecedents& antecedents, int k, int t, int r) {
    if (FULL_PHI) return tile[(k * RULE_COLUMNS + t) * TILE_STRIDE + r];
    double value = tile[k * TILE_STRIDE + r];
    for (; t > 0; t = PARENT[t]) value *= to_local(antecedents, k, INPUT[t], xs[INPUT[t] * TILE_ROWS + r]);
    return value;
}

// φₖ·Pₖ of output o.
__device__ inline double rule_output(const double* tile, const double* xs, const Antecedents& antecedents, const double* theta,
                                     int k, int o, int r) {
    const double* own = theta + (o * RULES + k) * TERMS;
    double sum = 0.0;
#pragma unroll
    for (int t = 0; t < TERMS; t++) sum += phi_of(tile, xs, antecedents, k, t, r) * own[t];
    return sum;
}
