// A tile of Φ in shared memory, column by column: where WHOLE, all UNKNOWNS columns φ·(monomials), else φ alone, one column for
// each rule; then the targets. Rows beyond the last are 0. Columns stand LINE numbers apart, so that neither threads along a
// column nor a tensor core's lanes meet in a bank.

#define UNKNOWNS (RULES * TERMS)
#define EACH (WHOLE ? TERMS : 1)  // columns of a rule
#define COLUMNS (RULES * EACH + OUTPUTS)
#define LINE (ROWS + 4)
#define PARTS (THREADS / ROWS)  // threads that share a row, each with every PARTS-th rule
#define WARPS (THREADS / 32)
#define ROW_NUMBERS (INPUTS + OUTPUTS + WEIGHTED)

// What all rows read.
struct Rules {
    const double* sets;    // prepared, SET numbers each
    const int* uses;       // RULES × INPUTS, −1 for none
    const double* frames;  // RULES × INPUTS × (center, reciprocal); unread for order 0
};

// Rows in memory, one after the other: inputs, targets, weight. The first `training` of them are learned from.
struct Samples {
    const double* rows;
    int64 count;
    int64 training;
};

// Monomial t > 0 is monomial PARENT[t] times u of INPUT[t].
__device__ constexpr int PARENT[] = {MONOMIAL_PARENTS};
__device__ constexpr int INPUT[] = {MONOMIAL_INPUTS};
__device__ constexpr int SHARE = TERMS > 3 ? 1 : 4;  // rules that a loop over several columns of each takes at a time

// 2ˣ for x ≤ 0 to the last bit or two, 0 where it is below 1e-307: half the operations of the library's, which cares for all
// numbers. The whole part of x goes into the exponent, 2 to what is left is a polynomial of least largest error on ±½.
__device__ inline double exp2_negative(double x) {
#ifndef FUZZION_EMULATOR
    const double shift = 6755399441055744.0;  // 1.5·2⁵²: its sum with x has the whole part in the low bits
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
    return (uint32)__double2hiint(x) < 0xc08fe000u ? y : 0.0;  // x > −1020, by the upper words
#else
    return x > -1020.0 ? exp2(x) : 0.0;
#endif
}

// √w of a row, by which its part of the tile is multiplied; 0 beyond the last.
__device__ inline double root_of(const Samples& samples, int64 row) {
    if (row >= samples.count) return 0.0;
    return WEIGHTED ? sqrt(samples.rows[row * ROW_NUMBERS + INPUTS + OUTPUTS]) : 1.0;
}

// The most, or the sum, of what the PARTS threads of a row hold.
__device__ inline double join_parts(double value, double* scratch, bool most) {
    if (PARTS == 1) return value;
    __syncthreads();
    scratch[threadIdx.x] = value;
    __syncthreads();
    double joined = scratch[threadIdx.x % ROWS];
    for (int part = 1; part < PARTS; part++) {
        double other = scratch[part * ROWS + threadIdx.x % ROWS];
        joined = most ? fmax(joined, other) : joined + other;
    }
    return joined;
}

// u of input j in the frame of rule k; 0 where x is missing.
__device__ inline double local(const Rules& rules, int k, int j, double x) {
    const double* frame = rules.frames + (k * INPUTS + j) * 2;
    return x == x ? (x - frame[0]) * frame[1] : 0.0;
}

// The tile whose first row is `first`, each row times `root`; its inputs also in `xs`. A barrier must follow.
__device__ inline void fill_tile(double* tile, double* xs, double* scratch, const Rules& rules, const Samples& samples,
                                 int64 first, double root) {
    int r = threadIdx.x % ROWS, part = threadIdx.x / ROWS;
    bool there = first + r < samples.count;
    const double* row = samples.rows + (first + r) * ROW_NUMBERS;
    double x[INPUTS];
#pragma unroll
    for (int j = 0; j < INPUTS; j++) {
        x[j] = there ? row[j] : 0.0;
        if (part == 0) xs[j * ROWS + r] = x[j];
    }
    for (int o = part; o < OUTPUTS; o += PARTS) tile[(RULES * EACH + o) * LINE + r] = there ? root * row[INPUTS + o] : 0.0;
    double most = -1.0 / 0.0;
#pragma unroll 2
    for (int k = part; k < RULES; k += PARTS) {
        double ln = 0.0;
#pragma unroll
        for (int j = 0; j < INPUTS; j++) {
            int set = rules.uses[k * INPUTS + j];
            if (set >= 0 && x[j] == x[j]) ln += log2_membership(rules.sets + set * SET, x[j]);
        }
        tile[k * EACH * LINE + r] = ln;
        most = fmax(most, ln);
    }
    most = join_parts(most, scratch, true);
    // Only triangles may leave a row uncovered.
    if (FORM == 3 && most == -1.0 / 0.0) most = 0.0;
    double sum = 0.0;
#pragma unroll 2
    for (int k = part; k < RULES; k += PARTS) {
        double strength = exp2_negative(tile[k * EACH * LINE + r] - most);
        tile[k * EACH * LINE + r] = strength;
        sum += strength;
    }
    sum = join_parts(sum, scratch, false);
    double scale = sum > 0.0 ? root / sum : 0.0;
#pragma unroll SHARE
    for (int k = part; k < RULES; k += PARTS) {
        double value[EACH];
        value[0] = tile[k * EACH * LINE + r] * scale;
        tile[k * EACH * LINE + r] = value[0];
#pragma unroll
        for (int t = 1; t < EACH; t++) {
            value[t] = value[PARENT[t]] * local(rules, k, INPUT[t], x[INPUT[t]]);
            tile[(k * EACH + t) * LINE + r] = value[t];
        }
    }
}

// Number (row r, rule k, monomial t) of Φ.
__device__ inline double phi_of(const double* tile, const double* xs, const Rules& rules, int k, int t, int r) {
    if (WHOLE) return tile[(k * EACH + t) * LINE + r];
    double value = tile[k * LINE + r];
    for (; t > 0; t = PARENT[t]) value *= local(rules, k, INPUT[t], xs[INPUT[t] * ROWS + r]);
    return value;
}

// φₖ·Pₖ of output o.
__device__ inline double conclusion(const double* tile, const double* xs, const Rules& rules, const double* theta, int k, int o,
                                    int r) {
    const double* own = theta + (o * RULES + k) * TERMS;
    double sum = 0.0;
#pragma unroll
    for (int t = 0; t < TERMS; t++) sum += phi_of(tile, xs, rules, k, t, r) * own[t];
    return sum;
}
