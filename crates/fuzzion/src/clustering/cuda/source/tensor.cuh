// Common parts of the two tensor-core kernels of fuzzy c-means.
//
// Rows are stored as pairs of FP16 values (high and low), with columns scaled by powers of two to a spread near 1. One
// product with −2v computes −2x·v and, through additional columns, adds |x|² and |v|² (three FP16 values each): the
// squared distance. The degrees, times 2¹⁵ and also as FP16 pairs, multiply the rows in a second product; its
// sums are the moments.

#define ONES 0x3C003C00u
#define DEGREE_SCALE 32768.0f
#define MIN_DISTANCE 1e-18f
// A center is near a row if their squared distance is less than this fraction of |x|². The error of a distance is about
// 2⁻²³ of the norms; it changes the memberships noticeably only if a row is near more than one center.
#define NEAR (1.0f / 64.0f)

// Largest squared distance at which a center is near a row, given the first word of the row's |x|².
__device__ inline float near_limit(uint32 norm) { return NEAR * (first_half(norm) + second_half(norm)); }

// Word r, lane quarter q of a row: columns 8r + 2q and 8r + 2q + 1; first the high values, then the low values.
__device__ inline int word_index(int word, int quarter) { return word / PACK * (4 * PACK) + quarter * PACK + word % PACK; }

__device__ inline uint32 low_halves(float first, float second, uint32 halves) {
    return pack_halves(first - first_half(halves), second - second_half(halves));
}

// A number as three FP16 values: two in one word and the third separately.
struct Triple { uint32 two; float third; };
__device__ inline Triple triple(double x) {
    float high = first_half(pack_halves((float)x, 0.0f));
    float middle = first_half(pack_halves((float)(x - (double)high), 0.0f));
    return Triple{pack_halves(high, middle), (float)(x - (double)high - (double)middle)};
}

// Fragments of −2v for 16 clusters and 8 columns: high values of rows l / 4 and l / 4 + 8, then low values.
__device__ inline uint4 center_fragment(const float* centers, const float* column_scale, int tile, int word, int lane) {
    uint32 halves[4];
#pragma unroll
    for (int half = 0; half < 2; half++) {
        int cluster = tile * 16 + half * 8 + lane / 4, column = word * 8 + 2 * (lane % 4);
        float v[2];
#pragma unroll
        for (int i = 0; i < 2; i++)
            v[i] = cluster < CLUSTERS && column + i < COLUMNS
                       ? -2.0f * centers[cluster * COLUMNS + column + i] / column_scale[column + i]
                       : 0.0f;
        halves[half] = pack_halves(v[0], v[1]);
        halves[2 + half] = low_halves(v[0], v[1], halves[half]);
    }
    return make_uint4(halves[0], halves[1], halves[2], halves[3]);
}

// Center operand of the norm columns: lanes 0 mod 4 multiply |x|², lanes 1 and 2 mod 4 contain |v|².
__device__ inline uint32 norm_word(const float* centers, const float* column_scale, int cluster, int quarter) {
    if (quarter == 0) return ONES;
    if (quarter == 3) return 0u;
    if (cluster >= CLUSTERS) return quarter == 1 ? 0x7C00u : 0x3C00u; // padding: infinitely far
    double norm = 0.0;
    for (int column = 0; column < COLUMNS; column++) {
        float v = -2.0f * centers[cluster * COLUMNS + column] / column_scale[column];
        uint32 high = pack_halves(v, 0.0f);
        double split = (double)first_half(high) + (double)first_half(pack_halves(v - first_half(high), 0.0f));
        split *= 0.5 * (double)column_scale[column];
        norm += split * split;
    }
    Triple parts = triple(norm);
    return quarter == 1 ? parts.two : pack_halves(1.0f, parts.third);
}

// Common factors of all clusters of a row.
struct RowFactors {
    float scale;     // multiplies the cluster terms
    float objective; // contribution to J, including the weight
};

#if POWER == 1 && !WITH_NOISE
// m = 2: the term of a cluster is 1/d, and `sum` is Σ 1/d; the degree is (scale/d)².
__device__ inline RowFactors row_factors(float sum, float, float, float, float weight) {
    float inverse = reciprocal(sum);
    return RowFactors{inverse * (WEIGHTED ? sqrtf(weight * DEGREE_SCALE) : 181.019336f), inverse * weight};
}
__device__ __forceinline__ float cluster_term(float d, float, float, float& q) {
    q = reciprocal(fmaxf(d, MIN_DISTANCE));
    return q;
}
__device__ __forceinline__ float degree_of(float term, float scale) {
    float u = term * scale;
    return u * u;
}
#else
// Any m: with r = d_min/d and q = r^(1/(m−1)), the term of a cluster is q·r, and `sum` is Σ q; the degree is q·r/Zᵐ.
__device__ inline RowFactors row_factors(float sum, float nearest, float fuzzifier, float noise, float weight) {
#if WITH_NOISE
    sum += rule::unnormalized(nearest / noise, fuzzifier);
#endif
    float power = fuzzifier == 2.0f ? 1.0f / sum : exp2f((1.0f - fuzzifier) * log2f(sum));
    return RowFactors{weight * DEGREE_SCALE * power / sum, weight * power * nearest};
}
__device__ __forceinline__ float cluster_term(float d, float nearest, float fuzzifier, float& q) {
    float r = fminf(nearest * reciprocal(fmaxf(d, MIN_DISTANCE)), 1.0f);
    q = rule::unnormalized(r, fuzzifier);
    return q * r;
}
__device__ __forceinline__ float degree_of(float term, float scale) { return term * scale; }
#endif
#define NEEDS_NEAREST !(POWER == 1 && !WITH_NOISE)
