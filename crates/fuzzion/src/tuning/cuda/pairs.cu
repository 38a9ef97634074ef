// ΦᵀWΦ of many unknowns. Number ((k, a), (l, b)) of it is Σ φₖ·φₗ·w·v^(a+b): for every pair of rules its products times the
// monomials of twice the order, which are far fewer than pairs of columns. Coordinates v are common to all rules here; what
// frames make of it, place_pairs knows.
//
// A warp has 8 × 8 pairs of rules with a slab of the monomials, whose sums stay in registers; eight warps share the rows.

#define SIDE8 ((RULES + 7) / 8)
#define JOBS (SIDE8 * (SIDE8 + 1) / 2)
#define SLAB (SLAB_PIECES * 8)  // monomials of a slab
#define WIDE (SLABS * SLAB)     // all of them, padded
#define STAGE 32                // rows that travel at a time
#define DEEP (STAGE + 4)        // against bank conflicts
#define WARPS (THREADS / 32)
#define OWN (16 * DEEP)         // what a warp has of φ

__device__ inline void pair_of(int job, int& line, int& column) {
    line = 0;
    while ((line + 1) * (line + 2) / 2 <= job) line++;
    column = job - line * (line + 1) / 2;
}

// `sums` has for each split of the rows and each job 64 pairs (rule 8·column + i / 8, 8·line + i % 8) of WIDE numbers.
extern "C" __global__ void __launch_bounds__(THREADS, 1) pair_products(const double* __restrict__ phi,
                                                                       const double* __restrict__ monomials, int64 stride,
                                                                       int splits, int add, double* sums) {
    DYNAMIC_SHARED(double, memory);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, slab = blockIdx.y * SLAB;
    double* wide = memory;  // two stages in turns, of the monomials and of each warp's φ
    double* own = memory + 2 * SLAB * DEEP + warp * 2 * OWN;
    int groups = (JOBS + WARPS - 1) / WARPS, split = blockIdx.x / groups, job = blockIdx.x % groups * WARPS + warp;
    int line, column;
    pair_of(job < JOBS ? job : JOBS - 1, line, column);
    int stages = (int)(stride / STAGE), first = (int)((int64)stages * split / splits);
    int last = (int)((int64)stages * (split + 1) / splits);
    auto load = [&](int stage) {
        int64 row = (int64)stage * STAGE;
        double* to = wide + stage % 2 * SLAB * DEEP;
        for (int i = threadIdx.x; i < SLAB * (STAGE / 2); i += THREADS) {
            int m = i / (STAGE / 2), r = i % (STAGE / 2) * 2;
            bool there = slab + m < MONOMIALS;
            start_copy16(address_of(to + m * DEEP + r), monomials + (there ? slab + m : 0) * stride + row + r, there);
        }
        to = own + stage % 2 * OWN;
#pragma unroll
        for (int i = lane; i < 16 * (STAGE / 2); i += 32) {
            int c = i / (STAGE / 2), r = i % (STAGE / 2) * 2, rule = c < 8 ? line * 8 + c : column * 8 + c - 8;
            bool there = rule < RULES;
            start_copy16(address_of(to + c * DEEP + r), phi + (there ? rule : 0) * stride + row + r, there);
        }
    };
    double products[4][SLAB_PIECES][4] = {};
    if (first < last) load(first);
    for (int stage = first; stage < last; stage++) {
        wait_for_copies();
        __syncthreads();
        if (stage + 1 < last) load(stage + 1);
        const double* right = wide + stage % 2 * SLAB * DEEP + lane / 4 * DEEP + lane % 4;
        const double* left = own + stage % 2 * OWN + lane % 4;
#pragma unroll 2
        for (int r = 0; r < STAGE; r += 4) {
            double line_phi = left[lane / 4 * DEEP + r], b[SLAB_PIECES];
#pragma unroll
            for (int n = 0; n < SLAB_PIECES; n++) b[n] = right[n * 8 * DEEP + r];
#pragma unroll
            for (int m = 0; m < 4; m++) {
                double high = line_phi * left[(8 + 2 * m) * DEEP + r], low = line_phi * left[(9 + 2 * m) * DEEP + r];
#pragma unroll
                for (int n = 0; n < SLAB_PIECES; n++) multiply_add(products[m][n], high, low, b[n]);
            }
        }
    }
    if (job >= JOBS) return;
    double* to = sums + ((int64)split * JOBS + job) * 64 * WIDE + slab;
#pragma unroll
    for (int m = 0; m < 4; m++)
#pragma unroll
        for (int n = 0; n < SLAB_PIECES; n++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                double* place = to + ((2 * m + e / 2) * 8 + lane / 4) * WIDE + n * 8 + lane % 4 * 2 + e % 2;
                *place = products[m][n][e] + (add ? *place : 0.0);
            }
}

__device__ constexpr int PRODUCT[] = {MONOMIAL_PRODUCTS};  // of monomials a and b, at a·TERMS + b

// The matrix, its lower triangle, from the sums: T·S·Tᵀ for each pair of rules, where T says what the monomials of a rule's
// frame are in common coordinates (TERMS × TERMS numbers for each rule). A block for each pair.
extern "C" __global__ void __launch_bounds__(THREADS) place_pairs(const double* __restrict__ sums, int splits,
                                                                 const double* __restrict__ frames, double* matrix,
                                                                 int64 side) {
    DYNAMIC_SHARED(double, memory);
    double* common = memory;
    double* half = memory + TERMS * TERMS;
    int line, column, i = blockIdx.x % 64;
    pair_of(blockIdx.x / 64, line, column);
    int high = line * 8 + i % 8, low = column * 8 + i / 8;
    if (high >= RULES || low > high) return;
    for (int at = threadIdx.x; at < TERMS * TERMS; at += THREADS) {
        double sum = 0.0;
        for (int split = 0; split < splits; split++)
            sum += sums[(((int64)split * JOBS + blockIdx.x / 64) * 64 + i) * WIDE + PRODUCT[at]];
        common[at] = sum;
    }
    __syncthreads();
    for (int at = threadIdx.x; at < TERMS * TERMS; at += THREADS) {
        double sum = 0.0;
        for (int t = 0; t < TERMS; t++) sum += frames[((int64)high * TERMS + at / TERMS) * TERMS + t] * common[t * TERMS + at % TERMS];
        half[at] = sum;
    }
    __syncthreads();
    for (int at = threadIdx.x; at < TERMS * TERMS; at += THREADS) {
        double sum = 0.0;
        for (int t = 0; t < TERMS; t++) sum += half[at / TERMS * TERMS + t] * frames[((int64)low * TERMS + at % TERMS) * TERMS + t];
        matrix[((int64)high * TERMS + at / TERMS) * side + low * TERMS + at % TERMS] = sum;
    }
}
