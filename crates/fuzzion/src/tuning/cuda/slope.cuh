// The loss of tiles and its slopes, equation (4). LOSS is 0 for squares, 1 for cross-entropy.

#define USES (RULES * INPUTS * SET)  // sums for each rule and input

// What a thread has seen of the losses: of training and validation, as they are and as squares.
struct Losses {
    double loss[2], squares[2];
};

// ŷ of a row, and the slope of its loss for every output; both without `root`, the slope times it.
__device__ inline void row_errors(const double* tile, const double* xs, double* scratch, const Rules& rules, const double* theta,
                                  double root, bool training, double (&slopes)[OUTPUTS], double (&outputs)[OUTPUTS],
                                  Losses& losses) {
    int r = threadIdx.x % ROWS, part = threadIdx.x / ROWS;
    double inverse = root > 0.0 ? 1.0 / root : 0.0, squares = 0.0, loss = 0.0;
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++) {
        double sum = 0.0;
#pragma unroll SHARE
        for (int k = part; k < RULES; k += PARTS) sum += conclusion(tile, xs, rules, theta, k, o, r);
        sum = join_parts(sum, scratch, false);
        double error = sum - tile[(RULES * EACH + o) * LINE + r];
        squares += error * error;
        slopes[o] = 2.0 * error;
        outputs[o] = sum * inverse;
    }
    if (LOSS == 1) {
        double most = outputs[0], all = 0.0, targets = 0.0;
#pragma unroll
        for (int o = 1; o < OUTPUTS; o++) most = fmax(most, outputs[o]);
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) {
            all += exp(outputs[o] - most);
            targets += tile[(RULES * EACH + o) * LINE + r];
        }
        double ln = log(all);
        squares = 0.0;  // of probabilities
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) {
            double own = outputs[o] - most - ln, target = tile[(RULES * EACH + o) * LINE + r];
            double probability = exp(own), error = root * probability - target;
            loss -= root * target * own;
            squares += error * error;
            slopes[o] = targets * probability - target;
        }
    } else {
        loss = squares;
    }
    if (part == 0 && training) losses.loss[0] += loss, losses.squares[0] += squares;
    if (part == 0 && !training) losses.loss[1] += loss, losses.squares[1] += squares;
}

// Sums that a warp makes side by side, so that none waits for another's shuffles; where there are few, warps are many enough.
#define TOGETHER (WHOLE ? PARAMETERS : 8)

// The sums over the lanes of a warp, in all of them.
template <int COUNT> __device__ inline void over_lanes(double (&sums)[COUNT]) {
    for (int step = 16; step > 0; step /= 2)
#pragma unroll
        for (int i = 0; i < COUNT; i++) sums[i] += __shfl_xor_sync(FULL_WARP, sums[i], step);
}

// Adds the slopes for θ of output o: the columns of Φ times `errors`, one for each row, in shared memory.
__device__ inline void add_columns(const double* tile, const double* xs, const Rules& rules, const double* errors, double* sums) {
    int lane = threadIdx.x % 32;
    for (int first = threadIdx.x / 32 * TOGETHER; first < UNKNOWNS; first += WARPS * TOGETHER) {
        double own[TOGETHER] = {};
        for (int row = lane; row < ROWS; row += 32) {
            double error = errors[row];
#pragma unroll
            for (int i = 0; i < TOGETHER; i++) {
                int m = first + i < UNKNOWNS ? first + i : UNKNOWNS - 1;
                own[i] += phi_of(tile, xs, rules, m / TERMS, m % TERMS, row) * error;
            }
        }
        over_lanes(own);
        if (lane == 0)
#pragma unroll
            for (int i = 0; i < TOGETHER; i++)
                if (first + i < UNKNOWNS) sums[first + i] += own[i];
    }
}

// Turns the first column of every rule into q·factor, and adds what it means for every rule and input to `sums`.
__device__ inline void add_set_slopes(double* tile, const double* xs, const Rules& rules, const double* theta,
                                      const double (&slopes)[OUTPUTS], const double (&outputs)[OUTPUTS], double factor,
                                      double* sums) {
    int r = threadIdx.x % ROWS, part = threadIdx.x / ROWS, lane = threadIdx.x % 32;
#pragma unroll SHARE
    for (int k = part; k < RULES; k += PARTS) {
        double strength = tile[k * EACH * LINE + r], q = 0.0;
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++)
            q += slopes[o] * (conclusion(tile, xs, rules, theta, k, o, r) - strength * outputs[o]);
        tile[k * EACH * LINE + r] = factor * q;
    }
    __syncthreads();
    constexpr int PAIRS = TOGETHER / PARAMETERS;  // of rule and input
    for (int first = threadIdx.x / 32 * PAIRS; first < RULES * INPUTS; first += WARPS * PAIRS) {
        double own[PAIRS * PARAMETERS] = {};
#pragma unroll 4
        for (int row = lane; row < ROWS; row += 32)
#pragma unroll
            for (int i = 0; i < PAIRS; i++) {
                int at = first + i < RULES * INPUTS ? first + i : RULES * INPUTS - 1, set = rules.uses[at];
                double x = xs[at % INPUTS * ROWS + row];
                double q = tile[at / INPUTS * EACH * LINE + row];
                if (set >= 0 && x == x) add_slopes(rules.sets + set * SET, x, q, own + i * PARAMETERS);
            }
        over_lanes(own);
        if (lane == 0)
#pragma unroll
            for (int i = 0; i < PAIRS * PARAMETERS; i++)
                if (first + i / PARAMETERS < RULES * INPUTS)
                    sums[(first + i / PARAMETERS) * SET + i % PARAMETERS] += own[i];
    }
}

// The sum of a number over all threads, in thread 0.
__device__ inline double over_threads(double value, double* scratch) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(FULL_WARP, value, step);
    __syncthreads();
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
    __syncthreads();
    double sum = 0.0;
    if (threadIdx.x == 0)
        for (int warp = 0; warp < WARPS; warp++) sum += scratch[warp];
    return sum;
}

// Adds up the sums of all rules that share set `set`, for parameter `i`.
__device__ inline double slope_of_set(const double* sums, const int* uses, const int* set_inputs, int set, int i) {
    int j = set_inputs[set];
    double sum = 0.0;
#pragma unroll 2
    for (int k = 0; k < RULES; k++) sum += uses[k * INPUTS + j] == set ? sums[(k * INPUTS + j) * SET + i] : 0.0;
    return sum;
}
