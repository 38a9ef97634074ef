// Fuzzy variances of clusters: Σ w·u² and Σ w·u²·(x − v)² with the memberships u of fuzzy c-means for a fuzzifier of 2,
// uₖ = dₖ⁻¹ / Σ dₗ⁻¹ with dₖ = |x − vₖ|².

#define ROW_STRIDE (INPUTS + OUTPUTS + WEIGHTED)
#define SUMS (INPUTS + 1)  // per cluster: one for each input, then Σ w·u²

// CLUSTERS × SUMS values per block, added to the previous contents if `add`.
extern "C" __global__ void __launch_bounds__(THREADS) sum_variances(const double* __restrict__ rows, int64 count,
                                                                   int64 training, const double* __restrict__ centers,
                                                                   int add, double* partial) {
    DYNAMIC_SHARED(double, memory);
    double* weights = memory;                          // d, then w·u², by row and cluster
    double* xs = weights + TILE_ROWS * CLUSTERS;       // by row and input
    double* sums = partial + (int64)blockIdx.x * CLUSTERS * SUMS;
    if (!add)
        for (int i = threadIdx.x; i < CLUSTERS * SUMS; i += THREADS) sums[i] = 0.0;
    for (int64 first = (int64)blockIdx.x * TILE_ROWS; first < training; first += (int64)gridDim.x * TILE_ROWS) {
        int tile = (int)(training - first < TILE_ROWS ? training - first : TILE_ROWS);
        const double* from = rows + first * ROW_STRIDE;
        for (int i = threadIdx.x; i < tile * INPUTS; i += THREADS) xs[i] = from[i / INPUTS * ROW_STRIDE + i % INPUTS];
        __syncthreads();
        for (int i = threadIdx.x; i < tile * CLUSTERS; i += THREADS) {
            double distance = 0.0;
            for (int j = 0; j < INPUTS; j++) {
                double difference = xs[i / CLUSTERS * INPUTS + j] - centers[i % CLUSTERS * INPUTS + j];
                distance += difference * difference;
            }
            weights[i] = distance;
        }
        __syncthreads();
        for (int row = threadIdx.x; row < tile; row += THREADS) {
            double* own = weights + row * CLUSTERS;
            // Distances relative to the smallest one cannot overflow; a row at a center belongs to all centers there.
            double smallest = own[0], sum = 0.0;
            for (int k = 1; k < CLUSTERS; k++) smallest = fmin(smallest, own[k]);
            for (int k = 0; k < CLUSTERS; k++) {
                own[k] = own[k] <= smallest ? 1.0 : smallest / own[k];
                sum += own[k];
            }
            double root = (WEIGHTED ? sqrt(from[row * ROW_STRIDE + INPUTS + OUTPUTS]) : 1.0) / sum;
            for (int k = 0; k < CLUSTERS; k++) own[k] = own[k] * root * (own[k] * root);
        }
        __syncthreads();
        for (int i = threadIdx.x; i < CLUSTERS * SUMS; i += THREADS) {
            int k = i / SUMS, j = i % SUMS;
            double center = j < INPUTS ? centers[k * INPUTS + j] : 0.0, sum = 0.0;
            for (int row = 0; row < tile; row++) {
                double difference = j < INPUTS ? xs[row * INPUTS + j] - center : 1.0;
                sum += weights[row * CLUSTERS + k] * (difference * difference);
            }
            sums[i] += sum;
        }
        __syncthreads();
    }
}
