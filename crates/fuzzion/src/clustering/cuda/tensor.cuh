// Fuzzy c-means on tensor cores: what its two forms share.
//
// Rows are kept as pairs of halves, columns scaled by powers of two to a spread near 1. With −2v as the other factor, one
// product gives −2x·v and, through columns of its own, |x|² and |v|² (each as three halves): the squared distance. Degrees,
// times 2¹⁵ and as pairs of halves again, multiply the rows in a second product, whose sums are the moments.

#define ONES 0x3C003C00u
#define DEGREE_SCALE 32768.0f
#define LEAST_DISTANCE 1e-18f

// Word r, lane quarter q of a row: columns 8r + 2q and the next, high halves first, then low ones.
__device__ inline int word_at(int word, int quarter) { return word / PACK * (4 * PACK) + quarter * PACK + word % PACK; }

__device__ inline uint32 rest_of(float first, float second, uint32 halves) {
    return pack_halves(first - first_half(halves), second - second_half(halves));
}

// A number as three halves: two in one word, the third apart.
struct Triple { uint32 two; float third; };
__device__ inline Triple triple(double x) {
    float high = first_half(pack_halves((float)x, 0.0f));
    float middle = first_half(pack_halves((float)(x - (double)high), 0.0f));
    return Triple{pack_halves(high, middle), (float)(x - (double)high - (double)middle)};
}

// The fragments of −2v for 16 clusters and 8 columns: high halves of rows l / 4 and l / 4 + 8, then low halves.
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
        halves[2 + half] = rest_of(v[0], v[1], halves[half]);
    }
    return make_uint4(halves[0], halves[1], halves[2], halves[3]);
}

// The clusters' side of the columns that carry the norms: lanes 0 mod 4 meet |x|², lanes 1 and 2 mod 4 bring |v|².
__device__ inline uint32 norm_word(const float* centers, const float* column_scale, int cluster, int quarter) {
    if (quarter == 0) return ONES;
    if (quarter == 3) return 0u;
    if (cluster >= CLUSTERS) return quarter == 1 ? 0x7C00u : 0x3C00u; // infinitely far
    double norm = 0.0;
    for (int column = 0; column < COLUMNS; column++) {
        float v = -2.0f * centers[cluster * COLUMNS + column] / column_scale[column];
        uint32 high = pack_halves(v, 0.0f);
        double kept = (double)first_half(high) + (double)first_half(pack_halves(v - first_half(high), 0.0f));
        kept *= 0.5 * (double)column_scale[column];
        norm += kept * kept;
    }
    Triple parts = triple(norm);
    return quarter == 1 ? parts.two : pack_halves(1.0f, parts.third);
}

// uᵐ from the distances of one row: what all clusters share.
struct Row {
    float scale;     // what a cluster's number is multiplied by
    float objective; // the row's part of J, weight included
};

#if POWER == 1 && !WITH_NOISE
// m = 2: the number of a cluster is 1/d, and `sum` is Σ 1/d; w = (scale/d)².
__device__ inline Row row_of(float sum, float, float, float, float weight) {
    float inverse = reciprocal(sum);
    return Row{inverse * (WEIGHTED ? sqrtf(weight * DEGREE_SCALE) : 181.019336f), inverse * weight};
}
__device__ __forceinline__ float number_of(float d, float, float, float& share) {
    share = reciprocal(fmaxf(d, LEAST_DISTANCE));
    return share;
}
__device__ __forceinline__ float weight_of(float number, float scale) {
    float u = number * scale;
    return u * u;
}
#else
// Any m: with r = d_min/d and q = r^(1/(m−1)) the number of a cluster is q·r, and `sum` is Σ q; w = q·r/Zᵐ.
__device__ inline Row row_of(float sum, float least, float fuzzifier, float noise, float weight) {
#if WITH_NOISE
    sum += rule::share(least / noise, fuzzifier);
#endif
    float power = fuzzifier == 2.0f ? 1.0f / sum : exp2f((1.0f - fuzzifier) * log2f(sum));
    return Row{weight * DEGREE_SCALE * power / sum, weight * power * least};
}
__device__ __forceinline__ float number_of(float d, float least, float fuzzifier, float& share) {
    float r = fminf(least * reciprocal(fmaxf(d, LEAST_DISTANCE)), 1.0f);
    share = rule::share(r, fuzzifier);
    return share * r;
}
__device__ __forceinline__ float weight_of(float number, float scale) { return number * scale; }
#endif
#define NEEDS_LEAST !(POWER == 1 && !WITH_NOISE)
