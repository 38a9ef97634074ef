// Iterations of a small problem in one launch: least squares, error, step, as descent.rs makes them.

#define LOSSES (SETS * SET)  // slopes of all sets, then the squared errors of training and validation
#define SLOPES (LOSSES + 2)

// A descent on its way, in numbers that all blocks hold alike.
struct Pace {
    double rate, last, least, best;
    int steps, since;
    uint32 ups, seen;
};

// Parameters that make no set of the form move to the nearest that do.
__device__ inline void limit_set(double* p) {
    if (FORM != 3) p[1] = fmax(p[1], LEAST_WIDTH);
    if (FORM == 1) {
        p[3] = fmax(p[3], LEAST_WIDTH);
        if (p[0] > p[2]) p[0] = p[2] = 0.5 * (p[0] + p[2]);
    }
    if (FORM == 2) p[2] = fmin(fmax(p[2], BELL_LEAST), BELL_MOST);
}

// Jang's rule looks at the last four steps.
__device__ inline void observe(Pace& pace, double loss) {
    if (STEP == 1 && pace.last < 1.0 / 0.0) {
        pace.ups = pace.ups << 1 | (loss >= pace.last ? 1u : 0u);
        pace.seen++;
        double factor = pace.seen < 4 ? 1.0 : (pace.ups & 15u) == 0u ? JANG_UP : (pace.ups & 15u) == 10u ? JANG_DOWN : 1.0;
        if (factor != 1.0) {
            pace.rate *= factor;
            pace.seen = 0;
        }
    }
    pace.last = loss;
}

// `state` holds the sets that are looked at next, those of the least training error, the best ones, Adam's two means (SETS ·
// SET numbers each), then θ of the first three; `paces` a Pace in and out; `history` four numbers for each iteration made:
// mean squares of training and validation, the rate, nothing. `result`: iterations made, why they ended (0 all were made, 1
// at rest, 2 validation, 3 the matrix is singular, and that iteration is not made).
extern "C" __global__ void __launch_bounds__(THREADS, 1) descend_rows(
    const double* __restrict__ rows, int64 count, int64 training, double weight, double validation_weight, double* state,
    const int* __restrict__ set_inputs, const int* __restrict__ all_uses, double* paces, double* partial, double* total,
    double* history, int most, int last, int patience, double first_rate, double ridge, uint32* arrived, int* result) {
    DYNAMIC_SHARED(double, memory);
    double* tile = memory;
    double* xs = tile + COLUMNS * LINE;
    double* matrix = xs + INPUTS * ROWS;
    double* areas = matrix + COLUMNS * SIDE;
    double* scratch = areas + SLICES * GRAM;
    double* sets = scratch + THREADS;
    double* least = sets + SETS * SET;
    double* prepared = least + SETS * SET;
    double* mean = prepared + SETS * SET;
    double* square = mean + SETS * SET;
    double* frames = square + SETS * SET;
    double* theta = frames + RULES * INPUTS * 2;
    double* sums = theta + OUTPUTS * UNKNOWNS;
    int* uses = (int*)(sums + USES);
    double* thetas = state + 5 * SETS * SET;
    Samples samples = {rows, count, training};
    Rules rules = {prepared, uses, frames};
    Patch patch = own_patch();
    Pace pace = {paces[0], paces[1], paces[2], paces[3], (int)paces[4], (int)paces[5], (uint32)paces[6], (uint32)paces[7]};
    uint32 phase = 0;
    for (int i = threadIdx.x; i < RULES * INPUTS; i += THREADS) uses[i] = all_uses[i];
    for (int i = threadIdx.x; i < SETS * SET; i += THREADS) {
        sets[i] = state[i];
        least[i] = state[SETS * SET + i];
        mean[i] = state[3 * SETS * SET + i];
        square[i] = state[4 * SETS * SET + i];
    }
    bool writes = blockIdx.x == 0;
    int made = 0, why = 0;
    bool one = (count + ROWS - 1) / ROWS <= gridDim.x;  // the tile of the products is still there for the slopes
    while (made < most && why == 0) {
        __syncthreads();
        for (int i = threadIdx.x; i < SETS; i += THREADS) prepare_set(sets + i * SET, prepared + i * SET);
        if (TERMS > 1)
            for (int i = threadIdx.x; i < RULES * INPUTS; i += THREADS) {
                frames[i * 2] = 0.5, frames[i * 2 + 1] = 2.0;
                if (uses[i] >= 0) frame_of(sets + uses[i] * SET, frames[i * 2], frames[i * 2 + 1]);
            }
        for (int i = threadIdx.x; i < USES; i += THREADS) sums[i] = 0.0;
        __syncthreads();
        // Equation (3).
        double products[WIDTH][4] = {};
        for (int64 first = (int64)blockIdx.x * ROWS; first < count; first += (int64)gridDim.x * ROWS) {
            fill_tile(tile, xs, scratch, rules, samples, first, root_of(samples, first + threadIdx.x % ROWS));
            __syncthreads();
            add_products(products, tile, patch, (int)(training - first < ROWS ? training - first : ROWS));
            if (!one) __syncthreads();
        }
        join_patches(products, patch, areas, partial + (int64)blockIdx.x * GRAM, false);
        grid_barrier(arrived, phase);
        unite_blocks(partial, gridDim.x, GRAM, total, scratch);
        grid_barrier(arrived, phase);
        scaled_matrix(total, ridge, matrix, scratch);
        if (!solve_matrix(matrix, scratch, theta)) {
            why = 3;
            break;
        }
        // Equation (4).
        Losses losses = {};
        for (int64 first = (int64)blockIdx.x * ROWS; first < count; first += (int64)gridDim.x * ROWS) {
            int64 row = first + threadIdx.x % ROWS;
            double root = root_of(samples, row);
            if (!one) {
                __syncthreads();
                fill_tile(tile, xs, scratch, rules, samples, first, root);
                __syncthreads();
            }
            double slopes[OUTPUTS], outputs[OUTPUTS];
            row_errors(tile, xs, scratch, rules, theta, root, row < training, slopes, outputs, losses);
            add_set_slopes(tile, xs, rules, theta, slopes, outputs, row < training ? 1.0 / weight : 0.0, sums);
        }
        double here[2] = {over_threads(losses.squares[0], scratch), over_threads(losses.squares[1], scratch)};
        __syncthreads();
        double* own = partial + (int64)blockIdx.x * SLOPES;
        for (int i = threadIdx.x; i < LOSSES; i += THREADS)
            own[i] = slope_of_set(sums, uses, set_inputs, i / SET, i % SET) * slope_factor(prepared + i / SET * SET, i % SET);
        if (threadIdx.x == 0) own[LOSSES] = here[0], own[LOSSES + 1] = here[1];
        grid_barrier(arrived, phase);
        unite_blocks(partial, gridDim.x, SLOPES, total, scratch);
        grid_barrier(arrived, phase);
        // What is seen is noted, and kept if it is the best.
        double loss = total[LOSSES] / weight, validation = total[LOSSES + 1] / validation_weight;
        bool validates = validation_weight > 0.0;
        double judged = validates ? validation : loss;
        if (writes && threadIdx.x == 0) {
            history[made * 4] = loss;
            history[made * 4 + 1] = validation;
            history[made * 4 + 2] = pace.rate;
        }
        made++;
        bool lower = loss < pace.least, better = judged < pace.best;
        if (lower) {
            pace.least = loss;
            for (int i = threadIdx.x; i < SETS * SET; i += THREADS) {
                least[i] = sets[i];
                if (writes) state[SETS * SET + i] = sets[i];
            }
        }
        pace.since = better ? 0 : pace.since + 1;
        if (better) pace.best = judged;
        if (writes)
            for (int i = threadIdx.x; i < OUTPUTS * UNKNOWNS; i += THREADS) {
                thetas[i] = theta[i];
                if (lower) thetas[OUTPUTS * UNKNOWNS + i] = theta[i];
                if (better) thetas[2 * OUTPUTS * UNKNOWNS + i] = theta[i];
            }
        if (writes && better)
            for (int i = threadIdx.x; i < SETS * SET; i += THREADS) state[2 * SETS * SET + i] = sets[i];
        if (made == most && last) break;
        if (validates && pace.since >= patience) why = 2;
        else if (loss <= EXACT) why = 1;
        if (why != 0) break;
        __syncthreads();
        if (!(loss <= TOO_FAR * pace.least)) {
            pace.rate *= SHRINK;
            pace.steps = 0, pace.ups = 0, pace.seen = 0, pace.last = 1.0 / 0.0;
            for (int i = threadIdx.x; i < SETS * SET; i += THREADS) sets[i] = least[i], mean[i] = square[i] = 0.0;
            if (writes)
                for (int i = threadIdx.x; i < OUTPUTS * UNKNOWNS; i += THREADS) thetas[i] = thetas[OUTPUTS * UNKNOWNS + i];
            if (pace.rate < AT_REST * first_rate) why = 1;
            continue;
        }
        observe(pace, loss);
        double norm = 0.0, largest = 0.0;
        for (int i = threadIdx.x % 32; i < LOSSES; i += 32) {
            norm += total[i] * total[i];
            largest = fmax(largest, fabs(total[i]));
        }
        for (int step = 16; step > 0; step /= 2) {
            norm += __shfl_xor_sync(FULL_WARP, norm, step);
            largest = fmax(largest, __shfl_xor_sync(FULL_WARP, largest, step));
        }
        if (norm == 0.0) {
            why = 1;
            break;
        }
        pace.steps++;
        double unbias = 1.0 - pow(BETA_MEAN, (double)pace.steps), unbias_square = 1.0 - pow(BETA_SQUARE, (double)pace.steps);
        for (int i = threadIdx.x; i < SETS * SET; i += THREADS) {
            double slope = total[i];
            if (STEP == 0) sets[i] -= pace.rate * slope;
            if (STEP == 1) sets[i] -= pace.rate * slope / sqrt(norm);
            if (STEP == 2) {
                if (fabs(slope) < NOISE * largest) slope = 0.0;
                double m = mean[i] = BETA_MEAN * mean[i] + (1.0 - BETA_MEAN) * slope;
                double v = square[i] = BETA_SQUARE * square[i] + (1.0 - BETA_SQUARE) * slope * slope;
                sets[i] -= pace.rate * (m / unbias) / (sqrt(v / unbias_square) + EPSILON);
            }
        }
        __syncthreads();
        for (int i = threadIdx.x; i < SETS; i += THREADS) limit_set(sets + i * SET);
    }
    __syncthreads();
    if (!writes) return;
    for (int i = threadIdx.x; i < SETS * SET; i += THREADS) {
        state[i] = sets[i];
        state[3 * SETS * SET + i] = mean[i];
        state[4 * SETS * SET + i] = square[i];
    }
    if (threadIdx.x == 0) {
        paces[0] = pace.rate, paces[1] = pace.last, paces[2] = pace.least, paces[3] = pace.best;
        paces[4] = pace.steps, paces[5] = pace.since, paces[6] = pace.ups & 15u, paces[7] = pace.seen;
        result[0] = made;
        result[1] = why;
    }
}
