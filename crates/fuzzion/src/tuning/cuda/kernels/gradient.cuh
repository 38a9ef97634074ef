// Loss of a tile and its gradient, Equation (4). CROSS_ENTROPY is 0 for the squared error, 1 for cross-entropy.

#define SET_GRADIENT_LEN (RULES * INPUTS * SET_STRIDE)  // sums per rule and input

// Losses and squared errors of training and validation rows, per thread.
struct Losses {
    double loss[2], squares[2];
};

// ŷ of a row without `root_weight`, and the derivatives of its loss with respect to the outputs, times `root_weight`.
__device__ inline void row_outputs(const double* tile, const double* xs, double* scratch, const Antecedents& antecedents,
                                   const double* theta, double root_weight, bool training,
                                   double (&output_gradients)[OUTPUTS], double (&outputs)[OUTPUTS], Losses& losses) {
    int r = threadIdx.x % TILE_ROWS, row_thread = threadIdx.x / TILE_ROWS;
    double inverse = root_weight > 0.0 ? 1.0 / root_weight : 0.0, squares = 0.0, loss = 0.0;
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++) {
        double sum = 0.0;
#pragma unroll RULE_UNROLL
        for (int k = row_thread; k < RULES; k += THREADS_PER_ROW) sum += rule_output(tile, xs, antecedents, theta, k, o, r);
        sum = reduce_row_threads(sum, scratch, false);
        double error = sum - tile[(RULES * RULE_COLUMNS + o) * TILE_STRIDE + r];
        squares += error * error;
        output_gradients[o] = 2.0 * error;
        outputs[o] = sum * inverse;
    }
    if (CROSS_ENTROPY == 1) {
        double maximum = outputs[0], all = 0.0, targets = 0.0;
#pragma unroll
        for (int o = 1; o < OUTPUTS; o++) maximum = fmax(maximum, outputs[o]);
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) {
            all += exp(outputs[o] - maximum);
            targets += tile[(RULES * RULE_COLUMNS + o) * TILE_STRIDE + r];
        }
        double ln = log(all);
        squares = 0.0;  // of the probabilities
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) {
            double own = outputs[o] - maximum - ln, target = tile[(RULES * RULE_COLUMNS + o) * TILE_STRIDE + r];
            double probability = exp(own), error = root_weight * probability - target;
            loss -= root_weight * target * own;
            squares += error * error;
            output_gradients[o] = targets * probability - target;
        }
    } else {
        loss = squares;
    }
    if (row_thread == 0 && training) losses.loss[0] += loss, losses.squares[0] += squares;
    if (row_thread == 0 && !training) losses.loss[1] += loss, losses.squares[1] += squares;
}

// Number of sums a warp computes at once, to hide the latency of the shuffles; with few columns, other warps hide it.
#define SUMS_PER_WARP (FULL_PHI ? PARAMETERS : 8)

// Sums over the lanes of a warp, in all lanes.
template <int COUNT> __device__ inline void warp_sums(double (&sums)[COUNT]) {
    for (int step = 16; step > 0; step /= 2)
#pragma unroll
        for (int i = 0; i < COUNT; i++) sums[i] += __shfl_xor_sync(FULL_WARP, sums[i], step);
}

// Adds the gradient of θ of one output: the columns of Φ times `errors`, one per row, in shared memory.
__device__ inline void add_theta_gradient(const double* tile, const double* xs, const Antecedents& antecedents,
                                          const double* errors, double* sums) {
    int lane = threadIdx.x % 32;
    for (int first = threadIdx.x / 32 * SUMS_PER_WARP; first < UNKNOWNS; first += WARPS * SUMS_PER_WARP) {
        double own[SUMS_PER_WARP] = {};
        for (int row = lane; row < TILE_ROWS; row += 32) {
            double error = errors[row];
#pragma unroll
            for (int i = 0; i < SUMS_PER_WARP; i++) {
                int m = first + i < UNKNOWNS ? first + i : UNKNOWNS - 1;
                own[i] += phi_of(tile, xs, antecedents, m / TERMS, m % TERMS, row) * error;
            }
        }
        warp_sums(own);
        if (lane == 0)
#pragma unroll
            for (int i = 0; i < SUMS_PER_WARP; i++)
                if (first + i < UNKNOWNS) sums[first + i] += own[i];
    }
}

// Replaces the first column of every rule by q·factor and adds the set gradients of every rule and input to `sums`.
__device__ inline void add_set_gradients(double* tile, const double* xs, const Antecedents& antecedents, const double* theta,
                                      const double (&output_gradients)[OUTPUTS], const double (&outputs)[OUTPUTS], double factor,
                                      double* sums) {
    int r = threadIdx.x % TILE_ROWS, row_thread = threadIdx.x / TILE_ROWS, lane = threadIdx.x % 32;
#pragma unroll RULE_UNROLL
    for (int k = row_thread; k < RULES; k += THREADS_PER_ROW) {
        double strength = tile[k * RULE_COLUMNS * TILE_STRIDE + r], q = 0.0;
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++)
            q += output_gradients[o] * (rule_output(tile, xs, antecedents, theta, k, o, r) - strength * outputs[o]);
        tile[k * RULE_COLUMNS * TILE_STRIDE + r] = factor * q;
    }
    __syncthreads();
    constexpr int PAIRS = SUMS_PER_WARP / PARAMETERS;  // of rule and input
    for (int first = threadIdx.x / 32 * PAIRS; first < RULES * INPUTS; first += WARPS * PAIRS) {
        double own[PAIRS * PARAMETERS] = {};
#pragma unroll 4
        for (int row = lane; row < TILE_ROWS; row += 32)
#pragma unroll
            for (int i = 0; i < PAIRS; i++) {
                int at = first + i < RULES * INPUTS ? first + i : RULES * INPUTS - 1, set = antecedents.set_indices[at];
                double x = xs[at % INPUTS * TILE_ROWS + row];
                double q = tile[at / INPUTS * RULE_COLUMNS * TILE_STRIDE + row];
                if (set >= 0 && x == x) add_set_gradient(antecedents.sets + set * SET_STRIDE, x, q, own + i * PARAMETERS);
            }
        warp_sums(own);
        if (lane == 0)
#pragma unroll
            for (int i = 0; i < PAIRS * PARAMETERS; i++)
                if (first + i / PARAMETERS < RULES * INPUTS)
                    sums[(first + i / PARAMETERS) * SET_STRIDE + i % PARAMETERS] += own[i];
    }
}

// Sum of a value over all threads, in thread 0.
__device__ inline double block_sum(double value, double* scratch) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(FULL_WARP, value, step);
    __syncthreads();
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
    __syncthreads();
    double sum = 0.0;
    if (threadIdx.x == 0)
        for (int warp = 0; warp < WARPS; warp++) sum += scratch[warp];
    return sum;
}

// Sums over all rules that share set `set`, for parameter `i`.
__device__ inline double sum_over_rules(const double* sums, const int* set_indices, const int* set_inputs, int set, int i) {
    int j = set_inputs[set];
    double sum = 0.0;
#pragma unroll 2
    for (int k = 0; k < RULES; k++) sum += set_indices[k * INPUTS + j] == set ? sums[(k * INPUTS + j) * SET_STRIDE + i] : 0.0;
    return sum;
}
