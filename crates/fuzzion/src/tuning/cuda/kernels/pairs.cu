// ΦᵀWΦ for many unknowns. Entry ((k, a), (l, b)) is Σ φₖ·φₗ·w·v^(a+b): the products of each pair of rules times the
// monomials up to twice the order, which are far fewer than pairs of columns. The coordinates v are common to all rules;
// assemble_matrix transforms the sums to the local frames.
//
// A warp computes 8 × 8 pairs of rules with a slab of monomials, whose sums stay in registers; eight warps share the
// rows.

#define RULE_GROUPS ((RULES + 7) / 8)
#define PAIR_TILES (RULE_GROUPS * (RULE_GROUPS + 1) / 2)
#define SLAB (SLAB_GROUPS * 8)           // monomials per slab
#define PADDED_MONOMIALS (SLABS * SLAB)  // all monomials, with padding
#define STAGE 32                         // rows copied at a time
#define STAGE_STRIDE (STAGE + 4)         // avoids bank conflicts
#define WARPS (THREADS / 32)
#define WARP_PHI_LEN (16 * STAGE_STRIDE)  // values of φ per warp and stage

__device__ inline void pair_tile_at(int pair_tile, int& line, int& column) {
    line = 0;
    while ((line + 1) * (line + 2) / 2 <= pair_tile) line++;
    column = pair_tile - line * (line + 1) / 2;
}

// For each split of the rows and each tile of pairs, `sums` contains PADDED_MONOMIALS values for each of the 64 pairs
// (rule 8·column + i / 8, rule 8·line + i % 8).
extern "C" __global__ void __launch_bounds__(THREADS, 1) pair_products(const double* __restrict__ phi,
                                                                       const double* __restrict__ monomials, int64 stride,
                                                                       int splits, int add, double* sums) {
    DYNAMIC_SHARED(double, memory);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, slab = blockIdx.y * SLAB;
    double* stage_monomials = memory;  // double-buffered stages of monomials, then of each warp's φ
    double* warp_phi = memory + 2 * SLAB * STAGE_STRIDE + warp * 2 * WARP_PHI_LEN;
    int groups = (PAIR_TILES + WARPS - 1) / WARPS, split = blockIdx.x / groups, pair_tile = blockIdx.x % groups * WARPS + warp;
    int line, column;
    pair_tile_at(pair_tile < PAIR_TILES ? pair_tile : PAIR_TILES - 1, line, column);
    int stages = (int)(stride / STAGE), first = (int)((int64)stages * split / splits);
    int last = (int)((int64)stages * (split + 1) / splits);
    auto load = [&](int stage) {
        int64 row = (int64)stage * STAGE;
        double* to = stage_monomials + stage % 2 * SLAB * STAGE_STRIDE;
        for (int i = threadIdx.x; i < SLAB * (STAGE / 2); i += THREADS) {
            int m = i / (STAGE / 2), r = i % (STAGE / 2) * 2;
            bool in_range = slab + m < PRODUCT_MONOMIALS;
            copy_async_16(address_of(to + m * STAGE_STRIDE + r), monomials + (in_range ? slab + m : 0) * stride + row + r,
                          in_range);
        }
        to = warp_phi + stage % 2 * WARP_PHI_LEN;
#pragma unroll
        for (int i = lane; i < 16 * (STAGE / 2); i += 32) {
            int c = i / (STAGE / 2), r = i % (STAGE / 2) * 2, rule = c < 8 ? line * 8 + c : column * 8 + c - 8;
            bool in_range = rule < RULES;
            copy_async_16(address_of(to + c * STAGE_STRIDE + r), phi + (in_range ? rule : 0) * stride + row + r, in_range);
        }
    };
    double products[4][SLAB_GROUPS][4] = {};
    if (first < last) load(first);
    for (int stage = first; stage < last; stage++) {
        wait_for_async_copies();
        __syncthreads();
        if (stage + 1 < last) load(stage + 1);
        const double* right = stage_monomials + stage % 2 * SLAB * STAGE_STRIDE + lane / 4 * STAGE_STRIDE + lane % 4;
        const double* left = warp_phi + stage % 2 * WARP_PHI_LEN + lane % 4;
#pragma unroll 2
        for (int r = 0; r < STAGE; r += 4) {
            double line_phi = left[lane / 4 * STAGE_STRIDE + r], b[SLAB_GROUPS];
#pragma unroll
            for (int n = 0; n < SLAB_GROUPS; n++) b[n] = right[n * 8 * STAGE_STRIDE + r];
#pragma unroll
            for (int m = 0; m < 4; m++) {
                double high = line_phi * left[(8 + 2 * m) * STAGE_STRIDE + r];
                double low = line_phi * left[(9 + 2 * m) * STAGE_STRIDE + r];
#pragma unroll
                for (int n = 0; n < SLAB_GROUPS; n++) mma(products[m][n], high, low, b[n]);
            }
        }
    }
    if (pair_tile >= PAIR_TILES) return;
    double* to = sums + ((int64)split * PAIR_TILES + pair_tile) * 64 * PADDED_MONOMIALS + slab;
#pragma unroll
    for (int m = 0; m < 4; m++)
#pragma unroll
        for (int n = 0; n < SLAB_GROUPS; n++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                double* place = to + ((2 * m + e / 2) * 8 + lane / 4) * PADDED_MONOMIALS + n * 8 + lane % 4 * 2 + e % 2;
                *place = products[m][n][e] + (add ? *place : 0.0);
            }
}

__device__ constexpr int PRODUCT[] = {MONOMIAL_PRODUCTS};  // product of monomials a and b, at a·TERMS + b

// Assembles the lower triangle of the matrix: T·S·Tᵀ for each pair of rules, where S contains the sums and T (TERMS ×
// TERMS) expresses the monomials of a rule's local frame in common coordinates. One block per pair.
extern "C" __global__ void __launch_bounds__(THREADS) assemble_matrix(const double* __restrict__ sums, int splits,
                                                                 const double* __restrict__ frames, double* matrix,
                                                                 int64 side) {
    DYNAMIC_SHARED(double, memory);
    double* common = memory;
    double* left_product = memory + TERMS * TERMS;
    int line, column, i = blockIdx.x % 64;
    pair_tile_at(blockIdx.x / 64, line, column);
    int high = line * 8 + i % 8, low = column * 8 + i / 8;
    if (high >= RULES || low > high) return;
    for (int at = threadIdx.x; at < TERMS * TERMS; at += THREADS) {
        double sum = 0.0;
        for (int split = 0; split < splits; split++)
            sum += sums[(((int64)split * PAIR_TILES + blockIdx.x / 64) * 64 + i) * PADDED_MONOMIALS + PRODUCT[at]];
        common[at] = sum;
    }
    __syncthreads();
    for (int at = threadIdx.x; at < TERMS * TERMS; at += THREADS) {
        double sum = 0.0;
        for (int t = 0; t < TERMS; t++)
            sum += frames[((int64)high * TERMS + at / TERMS) * TERMS + t] * common[t * TERMS + at % TERMS];
        left_product[at] = sum;
    }
    __syncthreads();
    for (int at = threadIdx.x; at < TERMS * TERMS; at += THREADS) {
        double sum = 0.0;
        for (int t = 0; t < TERMS; t++)
            sum += left_product[at / TERMS * TERMS + t] * frames[((int64)low * TERMS + at % TERMS) * TERMS + t];
        matrix[((int64)high * TERMS + at / TERMS) * side + low * TERMS + at % TERMS] = sum;
    }
}
